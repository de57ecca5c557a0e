// Messages for the visitor: problems as an alert, small news for a moment; screen readers read out both.

import { Problem } from "./api.js";
import { button, fill, h } from "./dom.js";

const MOMENT = 4000;
let clock = 0;

/** Shows a problem as a sentence until it is closed. */
export function alertOf(error) {
    if (!(error instanceof Problem)) console.error(error);
    const text = error instanceof Problem ? error.message : "Something went wrong on this page. Please reload it.";
    fill(region(), h("div", {}, h("p", {}, text), button("Close", calm, { class: "quiet" })));
}

/** Removes the last problem. */
export function calm() {
    fill(region());
}

/** Shows a short message for a moment. */
export function tell(text) {
    const place = document.getElementById("told");
    place.textContent = text;
    clearTimeout(clock);
    clock = setTimeout(() => {
        place.textContent = "";
    }, MOMENT);
}

/** Does something that may be refused; a refusal becomes an alert, and the answer is then undefined. */
export async function attempt(does) {
    try {
        const answer = await does();
        calm();
        return answer;
    } catch (error) {
        if (error.name !== "AbortError") alertOf(error);
        return undefined;
    }
}

function region() {
    return document.getElementById("alert");
}
