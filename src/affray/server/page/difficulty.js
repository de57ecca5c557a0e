// A live meter of how hard a fight is while it is put together, from fights that are really simulated.

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { percent } from "./words.js";

const PAUSE = 500; // after the last change
const STEPS = [300, 3000, 20_000]; // fights, more of them as long as nothing is changed
const MARKS = [
    [0.97, "hardly a fight for"],
    [0.8, "easy for"],
    [0.62, "in favour of"],
    [0.38, "about even for"],
    [0.2, "hard for"],
    [0.03, "very hard for"],
    [0, "hopeless for"],
];

/** The meter; `changed(asked)` begins anew with what `asked()` gives: {system, teams, options}, or null for none. */
export function createDifficulty() {
    const node = h("div", { class: "difficulty", role: "status", "aria-live": "polite" });
    let clock = 0;
    let newest = 0;

    function changed(asked) {
        const mine = ++newest;
        clearTimeout(clock);
        clock = setTimeout(() => measure(asked, mine), PAUSE);
    }

    async function measure(asked, mine) {
        try {
            const fight = await asked();
            if (!fight) return fill(node);
            for (const fights of STEPS) {
                const found = await post("difficulty", { ...fight, fights });
                if (mine !== newest) return undefined;
                fill(node, drawn(found));
            }
        } catch (error) {
            if (mine === newest) fill(node, h("p", { class: "hint" }, `No difficulty yet: ${error.message}`));
        }
        return undefined;
    }

    return { node, changed, close: () => clearTimeout(clock) };
}

function drawn({ fights, teams, rates }) {
    const [own] = teams;
    const { value, low, high } = rates[own];
    const isSure = wordOf(low) === wordOf(high);
    const word = isSure ? wordOf(value) : `between ${wordOf(low)} and ${wordOf(high)}`;
    const bar = h("meter", { min: 0, max: 1, value, "aria-label": `Chance of ${own} to win` });
    const margin = `95% interval ${percent(low, 1)} to ${percent(high, 1)}`;
    return [
        h("p", {}, h("b", {}, `Difficulty: ${word} ${own}`)),
        bar,
        h("p", { class: "hint" }, `${own} win ${percent(value, 1)} (${margin}), by the tactics of all fighters in ${fights.toLocaleString("en")} simulated fights.`),
    ];
}

const wordOf = (chance) => MARKS.find(([least]) => chance >= least)[1];
