// Messages for the visitor: problems as an alert, small news for a moment; screen readers read out both.

import { Problem } from "./api.js";
import { button, fill, h } from "./dom.js";

const BROKEN = "Something went wrong on this page. Please reload it.";
const MOMENT = 4000;
let clock = 0;
let isSilence = false; // whether the problem shown is that the server did not answer

/** Shows a problem as a sentence until it is closed. */
export function alertOf(error) {
    if (!(error instanceof Problem)) console.error(error);
    isSilence = error instanceof Problem && error.status === 0;
    const text = error instanceof Problem ? sentence(error.message) : BROKEN;
    fill(region(), h("div", {}, h("p", {}, text), button("Close", calm, { class: "quiet" })));
}

/** Removes the last problem. */
export function calm() {
    isSilence = false;
    fill(region());
}

/** The server is there again: a problem that said otherwise goes. */
export function relieve() {
    if (isSilence) calm();
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

/** A message of the server as a sentence of its own. */
export function sentence(text) {
    const whole = text.charAt(0).toUpperCase() + text.slice(1);
    return /[.!?)]$/.test(whole) ? whole : `${whole}.`;
}

function region() {
    return document.getElementById("alert");
}
