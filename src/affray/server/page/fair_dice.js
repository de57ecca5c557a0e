// The fair dice of a fight: the hash published before the first throw, the secret after the last, and the check.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, fill, h } from "./dom.js";
import { saveAnswer } from "./saving.js";

const opened = new Set(); // the fights whose dice are unfolded, kept when the page is redrawn

/** Commitment, secret, download and check of a fight's log. */
export function fairDice({ number, commitment, secret }) {
    if (!commitment) return null;
    const result = h("div", { class: "result", role: "status" });
    const verify = async () => fill(result, verdict(await post("verify", await get(`combats/${number}/log`))));
    const download = () => saveAnswer(`combats/${number}/log`, `affray-${number}.json`);
    return h(
        "details",
        {
            class: "fair",
            open: opened.has(number),
            ontoggle: ({ target }) => (target.open ? opened.add(number) : opened.delete(number)),
        },
        h("summary", { "data-keep": "fair" }, "Fair dice"),
        h("p", {}, "All dice that are thrown here follow from a secret. Its hash was published before the first of them:"),
        h("p", {}, h("code", {}, commitment)),
        secret
            ? [h("p", {}, "The secret:"), h("p", {}, h("code", {}, secret))]
            : h(
                  "p",
                  { class: "hint" },
                  "The secret is published when the fight is closed, because moves can be taken back until then.",
              ),
        h(
            "div",
            { class: "row" },
            secret ? button("Verify the dice", () => attempt(verify), { id: "verify" }) : null,
            button("Download the log", () => attempt(download), { id: "download-log" }),
        ),
        result,
    );
}

/** The result of checking a log. */
export function verdict({ fits, text }) {
    return h(
        "div",
        { class: fits ? "verdict fits" : "verdict" },
        h("p", {}, h("b", {}, fits ? "The log is valid." : "The log is not valid.")),
        text.map((line) => h("p", {}, line)),
    );
}
