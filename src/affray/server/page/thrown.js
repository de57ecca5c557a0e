// Draws what fell for a line of the story: dice with their pips, coins, percentages and cards.

import { h, svg } from "./dom.js";
import { face } from "./scene.js";

const PIPS = {
    1: [[9, 9]],
    2: [
        [5, 5],
        [13, 13],
    ],
    3: [
        [5, 5],
        [9, 9],
        [13, 13],
    ],
    4: [
        [5, 5],
        [13, 5],
        [5, 13],
        [13, 13],
    ],
    5: [
        [5, 5],
        [13, 5],
        [9, 9],
        [5, 13],
        [13, 13],
    ],
    6: [
        [5, 4.5],
        [13, 4.5],
        [5, 9],
        [13, 9],
        [5, 13.5],
        [13, 13.5],
    ],
};

const DRAWN = {
    dice: ({ faces, sides }) => faces.map((each) => dieOf(each, sides || (each in PIPS ? 6 : 0))),
    coins: ({ faces: [heads, of] }) => Array.from({ length: of }, (_, place) => coin(place < heads)),
    percent: ({ faces }) => faces.map((each) => h("span", { class: "hundred" }, String(each))),
    card: ({ names }) => names.map((name) => face(name)),
    pick: ({ names, faces }) =>
        (names.length ? names : faces.map(String)).map((name) => h("span", { class: "token" }, name)),
};

const SAID = {
    dice: ({ faces, sides }) => `${sides ? `${faces.length}d${sides}` : "dice"}: ${faces.join(", ")}`,
    coins: ({ faces: [heads, of] }) => `${heads} heads of ${of} coins`,
    percent: ({ faces }) => `rolled ${faces.join(", ")}`,
    card: ({ names }) => `card: ${names.join(", ")}`,
    pick: ({ names, faces }) => `picked: ${(names.length ? names : faces).join(", ")}`,
};

/** All throws of a line; those for the same thing stand together. */
export function thrownOf(throws) {
    const known = throws.filter((each) => each.kind in DRAWN);
    return known.length ? h("div", { class: "thrown" }, alike(known).map(together)) : null;
}

function alike(throws) {
    const runs = [];
    for (const each of throws) {
        const last = runs.at(-1)?.[0];
        if (last && last.kind === each.kind && last.note === each.note) runs.at(-1).push(each);
        else runs.push([each]);
    }
    return runs;
}

function together(run) {
    const [{ note }] = run;
    return h("span", { class: "fallen" }, run.map(picture), note ? h("span", { class: "note" }, note) : null);
}

function picture(each) {
    return h(
        "span",
        { class: `throw throw-${each.kind}`, role: "img", "aria-label": SAID[each.kind](each) },
        DRAWN[each.kind](each),
    );
}

const SHAPES = {
    4: "M11 1 21.5 19.5H.5Z",
    8: "M11 .5 20.5 10 11 19.5 1.5 10Z",
    10: "M11 .5 20.5 8.5V12L11 19.5 1.5 12V8.5Z",
    12: "M11 .5 20.5 7.5 17 19H5L1.5 7.5Z",
    20: "M11 .5 20 5.5V14.5L11 19.5 2 14.5V5.5Z",
};

/** A die as it looks from above: pips on six sides, a figure on the outline of any other. */
function dieOf(value, sides) {
    if (sides === 6) return pipped(value);
    if (!(sides in SHAPES)) return numbered(value);
    return svg(
        "svg",
        { class: "die", width: 24, height: 22, viewBox: "0 0 22 20", "data-sides": sides },
        svg("path", { class: "side", d: SHAPES[sides] }),
        svg("text", { x: 11, y: sides === 4 ? 17 : 13.5, "text-anchor": "middle" }, String(value)),
    );
}

function pipped(value) {
    return svg(
        "svg",
        { class: "die", width: 20, height: 20, viewBox: "0 0 18 18" },
        svg("rect", { class: "side", x: 0.75, y: 0.75, width: 16.5, height: 16.5, rx: 4 }),
        PIPS[value].map(([x, y]) => svg("circle", { class: "pip", cx: x, cy: y, r: 1.55 })),
    );
}

function numbered(value) {
    return svg(
        "svg",
        { class: "die", width: 24, height: 20, viewBox: "0 0 22 18" },
        svg("rect", { class: "side", x: 0.75, y: 0.75, width: 20.5, height: 16.5, rx: 4 }),
        svg("text", { x: 11, y: 13, "text-anchor": "middle" }, String(value)),
    );
}

function coin(isHeads) {
    return svg(
        "svg",
        { class: isHeads ? "coin heads" : "coin tails", width: 17, height: 17, viewBox: "0 0 18 18" },
        svg("circle", { cx: 9, cy: 9, r: 7.75 }),
        svg("text", { x: 9, y: 12.6, "text-anchor": "middle" }, isHeads ? "H" : "T"),
    );
}
