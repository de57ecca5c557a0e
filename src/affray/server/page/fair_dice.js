// The fair dice of a fight: the promise made before the first throw, the secret after the last, and the check.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, fill, h } from "./dom.js";

const opened = new Set(); // the fights whose dice the visitor looks at, however often the page is drawn anew

/** Commitment, secret, download and check of a fight's log. */
export function fairDice({ number, commitment, secret }) {
    if (!commitment) return null;
    const result = h("div", { class: "result", role: "status" });
    const verify = async () => fill(result, verdict(await post("verify", await get(`combats/${number}/log`))));
    return h(
        "details",
        {
            class: "fair",
            open: opened.has(number),
            ontoggle: ({ target }) => (target.open ? opened.add(number) : opened.delete(number)),
        },
        h("summary", { "data-keep": "fair" }, "Fair dice"),
        h("p", {}, "Every die followed from a secret. Its hash was told before the first throw:"),
        h("p", {}, h("code", {}, commitment)),
        secret
            ? [h("p", {}, "The secret:"), h("p", {}, h("code", {}, secret))]
            : h(
                  "p",
                  { class: "hint" },
                  "The secret is told when the fight is closed, because until then a move may be taken back.",
              ),
        h(
            "div",
            { class: "row" },
            secret ? button("Verify the dice", () => attempt(verify), { id: "verify" }) : null,
            h(
                "a",
                {
                    class: "button",
                    id: "download-log",
                    href: `api/combats/${number}/log`,
                    download: `affray-${number}.json`,
                },
                "Download the log",
            ),
        ),
        result,
    );
}

/** What the check of a log has shown. */
export function verdict({ fits, text }) {
    return h(
        "div",
        { class: fits ? "verdict fits" : "verdict" },
        h("p", {}, h("b", {}, fits ? "It fits." : "It does not fit.")),
        text.map((line) => h("p", {}, line)),
    );
}
