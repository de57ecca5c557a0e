// The chances of all sides for those who watch: asked for at every decision, as far as a spectator may know.

import { get } from "./api.js";
import { createPlace, h } from "./dom.js";
import { isOn } from "./settings.js";
import { capital, counted, percent } from "./words.js";

/** A bar of who is likely to win; `update(table)` asks anew when a decision has been taken. */
export function createWinBar(number) {
    const { node, show } = createPlace({ class: "win-bar", hidden: true });
    let asked = -1;

    async function update({ you, phase, decision, game, teams }) {
        node.hidden = Boolean(you.fighter) || game || phase === "setup" || !isOn("odds");
        if (node.hidden || asked === decision) return;
        asked = decision;
        try {
            const found = await get(`combats/${number}/chances`);
            if (found.decision === asked) show([found, teams], () => drawn(found, teams));
        } catch {
            node.hidden = true; // a fight that was ended meanwhile
        }
    }

    return { node, update };
}

function drawn({ chances, fights, margin }, teams) {
    const others = 1 - teams.reduce((sum, team) => sum + chances[team], 0);
    const shares = [...teams.map((team) => [team, chances[team]]), ...(others > 0.005 ? [["other endings", others]] : [])];
    const text = shares.map(([name, chance]) => `${name} ${percent(chance)}`).join(", ");
    const sure = fights ? `\u00b1${counted(Math.ceil(margin * 100), "point")}, from ${counted(fights, "play-out")} by the usual tactics` : "it is over";
    return h(
        "div",
        { role: "img", "aria-label": `Chance to win: ${text}; ${sure}` },
        h(
            "div",
            { class: "win-shares" },
            shares.map(([, chance], side) => share(chance, side)),
        ),
        h(
            "p",
            { class: "win-names" },
            shares.map(([name, chance], side) => h("span", { "data-side": side }, `${name} ${percent(chance)}`)),
        ),
        h("p", { class: "hint win-sure" }, capital(sure)),
    );
}

function share(chance, side) {
    const node = h("span", { class: "win-share", "data-side": side });
    node.style.flexGrow = chance; // not as an attribute, which the page's policy forbids
    return node;
}
