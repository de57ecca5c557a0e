// How a fight ended: won or lost, what was decisive, and what to do next.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, fill, h } from "./dom.js";
import { fairDice } from "./fair_dice.js";
import { turningPoints } from "./luck.js";
import { who } from "./session.js";
import { isOn } from "./settings.js";
import { endingIn } from "./words.js";

/** How it ended and what came of it; while it runs only the promise of fair dice. */
export function resultOf(table) {
    if (table.phase === "running") return fairDice(table);
    const sides = table.game ? table.endings : table.teams;
    const verdict = table.game ? null : verdictFor(table);
    return [
        h(
            "div",
            { class: `outcome ${verdict?.kind ?? "plain"}`, role: "status" },
            verdict ? h("p", { class: "verdict-sign", "aria-hidden": "true" }, verdict.sign) : null,
            h("h2", { id: "ending" }, verdict ? `${verdict.text} ` : null, endingIn(table.ending, sides)),
        ),
        table.aftermath.map((line) => h("p", {}, line)),
        table.game ? null : [decisive(table), nextSteps(table)],
        fairDice(table),
    ];
}

/** What the ending is to the viewer: a victory, a defeat or neither; nothing to a spectator. */
function verdictFor({ you, seats, ending, teams }) {
    const mine = seats.find((seat) => seat.name === you.fighter)?.team;
    if (!mine || ending === null) return null;
    if (ending === mine) return { kind: "won", sign: "\u2605", text: "You won." };
    return teams.includes(ending) ? { kind: "lost", sign: "\u2716", text: "You lost." } : null;
}

/** Where the fight turned, asked for once the fight is over. */
function decisive({ number, seats, you }) {
    if (!isOn("odds") || !you.fighter) return null;
    const place = h("div", { class: "decisive", role: "status" });
    const mine = seats.find((seat) => seat.name === you.fighter)?.team;
    place.textContent = "Looking for what was decisive\u2026";
    get(`combats/${number}/luck`).then(
        (luck) => fill(place, h("h3", {}, "What was decisive"), turningPoints(luck, mine, (step) => `#/replay/${number}/${step.decision}`)),
        () => fill(place), // a fight that is too large to be measured
    );
    return place;
}

/** Those who took part ask their opponents for another fight, and are taken there; anyone else sets the same one up. */
function nextSteps({ number, you }) {
    const again = (swap) => async () => {
        if (you.may.includes("rematch")) {
            await attempt(() => post(`combats/${number}/rematch`, { swapped: swap }));
            return;
        }
        const made = await attempt(() => post(`combats/${number}/again`, { swap }));
        if (made) location.hash = `#/fight/${made.number}`;
    };
    return h(
        "div",
        { class: "row next-steps" },
        who().known
            ? [
                  button("Again", again(false), { id: "again", class: "main" }),
                  button("Swap sides", again(true), { id: "swap-sides" }),
              ]
            : null,
        h("a", { class: "button", href: `#/replay/${number}` }, "Replay, luck and forks"),
        shareButton(number),
    );
}

/** Opens the dialog to share a fight, which is loaded when it is wanted. */
export function shareButton(number) {
    const open = () => attempt(async () => (await import("./sharing.js")).openSharing(number));
    return button("Share", open, { id: "share-fight" });
}
