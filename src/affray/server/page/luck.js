// The analysis of a fight: the chance to win from decision to decision, luck and choices apart, and where it turned.

import { get } from "./api.js";
import { attempt } from "./alerts.js";
import { luckChart } from "./charts.js";
import { button, fill, h } from "./dom.js";
import { percent, signed } from "./words.js";

const MOST_POINTS = 3;
const LEAST = 0.03; // the change of a chance that makes a turning point

/** The analysis of a replay; `go(decision)` shows a decision. */
export function analysisPart(number, go) {
    const place = h("div", { role: "status" });
    const ask = button("Analyse the fight", () => attempt(audit), { id: "luck", class: "main" });
    async function audit() {
        ask.disabled = true;
        place.textContent = "Calculating the odds of every position; this takes a few seconds.";
        try {
            fill(place, analysis(await get(`combats/${number}/luck`), go));
            ask.hidden = true;
        } catch (error) {
            fill(place);
            ask.disabled = false;
            throw error;
        }
    }
    return h(
        "section",
        { class: "luck" },
        h("h2", {}, "Analysis"),
        h("p", { class: "hint" }, "The chance to win at every decision, what the dice gave, and what choices cost."),
        ask,
        place,
    );
}

function analysis(luck, go) {
    return [
        luck.steps.length ? luckChart(luck, go) : null,
        balance(luck),
        h("h3", {}, "Turning points"),
        turningPoints(luck, luck.team, null, go),
        luck.text.filter(isSentence).map((line) => h("p", { class: "hint" }, line)),
    ];
}

/** Dice and choices apart: together they lead from the chance at the start to the end. */
function balance({ team, expected, total, ours, theirs }) {
    const rows = [
        ["At the start", percent(expected[team])],
        ["The dice", `${signed(total * 100)} points`],
        [`Choices of ${team}`, `${signed(ours * 100)} points`],
        ["Choices of the others", `${signed(theirs * 100)} points`],
        ["At the end", percent(expected[team] + total + ours + theirs)],
    ];
    return h(
        "table",
        { class: "balance" },
        h("caption", {}, `The chance that ${team} win; choices are compared with the usual tactics`),
        h(
            "tbody",
            {},
            rows.map(([head, figure]) => h("tr", {}, h("th", { scope: "row" }, head), h("td", { class: "figure" }, figure))),
        ),
    );
}

/** The decisions that changed the chance of a team most, as links or as buttons. */
export function turningPoints(luck, team, link, go = null) {
    const sign = team === luck.team || !team ? 1 : -1;
    const found = luck.steps
        .filter((step) => Math.abs(step.after - step.start) >= LEAST)
        .sort((one, other) => Math.abs(other.after - other.start) - Math.abs(one.after - one.start))
        .slice(0, MOST_POINTS)
        .sort((one, other) => one.decision - other.decision);
    if (!found.length) return h("p", { class: "hint" }, "No single decision turned it.");
    const told = (step) => {
        const change = sign * (step.after - step.start) * 100;
        return `Decision ${step.decision} (${step.move}): ${signed(change, 0)} points for ${sign > 0 ? luck.team : team}`;
    };
    return h(
        "ol",
        { class: "turning" },
        found.map((step) =>
            h(
                "li",
                {},
                go ? button(told(step), () => go(step.decision), { class: "link" }) : h("a", { href: link(step) }, told(step)),
                h("span", { class: "hint" }, ` ${causeOf(step)}`),
            ),
        ),
    );
}

function causeOf({ start, before, after }) {
    return Math.abs(after - before) >= Math.abs(before - start) ? "mostly by the dice" : "mostly by choice";
}

/** The other lines are what the chart and the table of the balance show. */
function isSentence(line) {
    return !line.endsWith(":") && ![" ", "Compared", "In total"].some((start) => line.startsWith(start));
}
