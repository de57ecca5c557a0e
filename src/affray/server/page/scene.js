// Draws a fighter as the system gives it: bars, coins, highwaters, dice, crossed boxes, piles, cartridges and words.

import { h, svg } from "./dom.js";
import { cardOf, conditioned, iconed } from "./icons.js";

const LOW = 0.25; // the share of a bar from which on it is drawn as a warning
const HALF = 0.5;
const MANY = 60; // things in a row beyond which a bar says more

const DRAWN = {
    bar: (widget, was) => gauge(widget, was),
    coins: (widget, was) => row(widget, coin, 12, was),
    highwater: (widget) => tank(widget),
    dice: (widget, was) => row(widget, die, 17, was),
    marks: (widget, was) => row(widget, box, 17, was),
    rounds: (widget, was) => row(widget, cartridge, 10, was),
    pile: (widget) => pile(widget),
    tokens: (widget) => words(widget, "token"),
    tags: (widget) => words(widget, "tag"),
    numbers: (widget) => numbers(widget),
};
const IN_WORDS = new Set(["tokens", "tags", "numbers"]);

/** All widgets of a fighter; those that have nothing to say are left out. What has changed since `before` moves. */
export function scene(widgets, before = []) {
    const was = new Map(before.map((widget) => [widget.label, widget.value]));
    return h(
        "div",
        { class: "scene" },
        widgets.filter(says).map((widget) => drawn(widget, was.get(widget.label) ?? widget.value)),
    );
}

/** The quantity by which one sees at a glance how a fighter stands: a bar, wounds, or whatever has a maximum. */
export function vitals(widgets) {
    const counted = widgets.filter(({ kind, most }) => most > 0 && !IN_WORDS.has(kind));
    return ["bar", "marks", "coins"].map((kind) => counted.find((each) => each.kind === kind)).find(Boolean) ?? counted[0];
}

/** That quantity as a small bar; what only rises, such as wounds, fills it from the other end. */
export function vitalBar(widget, was = widget.value) {
    const rises = widget.kind === "marks" || widget.kind === "highwater";
    const left = (value) => (rises ? widget.most - value : value);
    return gauge({ ...widget, value: left(widget.value) }, left(was));
}

function says(widget) {
    return !IN_WORDS.has(widget.kind) || widget.names.length > 0 || Boolean(widget.note);
}

function drawn(widget, was) {
    const picture = widget.kind in DRAWN ? DRAWN[widget.kind](widget, was) : words(widget);
    const note = widget.note ? h("p", { class: "note" }, widget.note) : null;
    return h(
        "div",
        { class: `widget widget-${widget.kind}`, "data-widget": widget.label },
        caption(widget),
        picture,
        note,
    );
}

function caption(widget) {
    const amount = IN_WORDS.has(widget.kind) ? null : h("span", { class: "amount" }, amountOf(widget));
    return h("p", { class: "caption" }, h("span", { class: "label" }, widget.label), amount);
}

function amountOf({ value, most }) {
    return most > 0 ? `${value}/${most}` : `${value}`;
}

function gauge({ value, most }, was = value) {
    const share = shareOf(value, most);
    const level = share <= LOW ? "low" : share <= HALF ? "half" : "well";
    const paint = level === "low" ? { class: "level low", fill: "url(#crossed)" } : { class: `level ${level}` };
    const frame = { x: 0.5, y: 0.5, height: 11, rx: 3 };
    const fell = was > value ? { ...frame, class: "fallen-off", width: `${shareOf(was, most) * 99.7}%` } : null;
    return svg(
        "svg",
        { class: "gauge", width: "100%", height: 12, "aria-hidden": "true" },
        svg("rect", { ...frame, class: "track", width: "99.7%" }),
        fell ? svg("rect", fell) : null,
        svg("rect", { ...frame, ...paint, width: `${share * 99.7}%` }),
    );
}

function shareOf(value, most) {
    return most > 0 ? Math.max(0, Math.min(1, value / most)) : 0;
}

/** As many things as there are at most, those that are there drawn full; those that came or went are set off. */
function row(widget, thing, step, was = widget.value) {
    const count = Math.max(widget.value, widget.most);
    if (count > MANY) return gauge(widget, was);
    const places = Array.from({ length: count }, (_, place) => {
        const node = cell(thing(place < widget.value), step, place);
        if (place < widget.value !== place < was) node.classList.add("changed");
        return node;
    });
    return h("div", { class: "things", "aria-hidden": "true" }, places);
}

/** Things stand in fives, so that the eye can count them. */
function cell(shapes, step, place) {
    return svg(
        "svg",
        { class: place % 5 === 4 ? "thing fifth" : "thing", width: step, height: 18, viewBox: `0 0 ${step} 18` },
        shapes,
    );
}

function coin(isLeft) {
    return [
        svg("circle", { class: isLeft ? "full" : "spent", cx: 6, cy: 9, r: 5 }),
        isLeft ? svg("circle", { class: "rim", cx: 6, cy: 9, r: 3.1 }) : null,
    ];
}

function die(isThere) {
    return [
        svg("rect", { class: isThere ? "full" : "spent", x: 1, y: 1.5, width: 15, height: 15, rx: 3.5 }),
        isThere
            ? [
                  [5, 5.5],
                  [12, 12.5],
                  [8.5, 9],
              ].map(([x, y]) => svg("circle", { class: "pip", cx: x, cy: y, r: 1.5 }))
            : null,
    ];
}

function box(isCrossed) {
    return [
        svg("rect", { class: "box", x: 1.5, y: 2, width: 14, height: 14, rx: 1 }),
        isCrossed ? svg("path", { class: "cross", d: "M3.5 4 13.5 14M13.5 4 3.5 14" }) : null,
    ];
}

function cartridge(isLoaded) {
    const shape = "M2 16.5V7.5Q2 2.5 5 1Q8 2.5 8 7.5V16.5Z";
    return [
        svg("path", { class: isLoaded ? "full" : "spent", d: shape }),
        isLoaded ? svg("path", { class: "rim", d: "M2 8H8M2 14H8" }) : null,
    ];
}

/** A vessel whose water only rises. */
function tank({ value, most }) {
    const whole = Math.max(most, value, 1);
    const level = 38 - 34 * (value / whole);
    const water = `M2 ${level}q7.5 -4 15 0t15 0t15 0t15 0V38H2Z`;
    const ticks = [0.25, 0.5, 0.75].map((part) =>
        svg("line", { class: "mark", x1: 56, x2: 62, y1: 38 - 34 * part, y2: 38 - 34 * part }),
    );
    return svg(
        "svg",
        { class: "tank", width: 64, height: 40, viewBox: "0 0 64 40", "aria-hidden": "true" },
        value > 0 ? svg("path", { class: "water", d: water }) : null,
        ticks,
        svg("path", { class: "vessel", d: "M2 2V38H62V2" }),
    );
}

function pile({ value, names }) {
    const open = names.length
        ? h(
              "div",
              { class: "faces" },
              names.map((name) => face(name)),
          )
        : null;
    return h("div", { class: "pile" }, value > names.length || value === 0 ? stack(value - names.length) : null, open);
}

/** Cards on top of each other, the more the higher. */
function stack(value) {
    const edges = Math.min(5, Math.ceil(value / 4));
    const cards = Array.from({ length: edges }, (_, edge) =>
        svg("rect", { class: "back", x: 1 + 1.6 * edge, y: 9 - 1.6 * edge, width: 24, height: 34, rx: 3 }),
    );
    const empty = svg("rect", { class: "spent", x: 1, y: 9, width: 24, height: 34, rx: 3 });
    return svg(
        "svg",
        { class: "stack", width: 34, height: 45, viewBox: "0 0 34 45", "aria-hidden": "true" },
        edges ? cards : empty,
    );
}

/** A card that lies open; where the system says what its edges show, they are drawn around it. */
export function face(name) {
    const card = cardOf(name);
    if (!card) return h("span", { class: "card" }, name);
    const edges = card.edges.map((edge, place) => h("span", { class: `edge edge-${place}`, "aria-hidden": "true" }, edge));
    const mark = card.mark ? h("span", { class: "mark", "aria-hidden": "true" }, card.mark) : null;
    return h("span", { class: "card edged", role: "img", "aria-label": card.said }, edges, h("b", {}, card.title), mark);
}

function words({ names }, kind = "tag") {
    return h(
        "ul",
        { class: "words" },
        names.map((name) => h("li", { class: kind }, kind === "tag" ? conditioned(name) : iconed(name))),
    );
}

/** `DEX 60` with its figure set off. */
function numbers({ names }) {
    return h(
        "ul",
        { class: "numbers" },
        names.map((name) => {
            const [, label, figure] = /^(.*?)\s+([+\u2212-]?\d.*)$/.exec(name) ?? [null, name, ""];
            return h("li", {}, label, figure ? [" ", h("b", {}, figure)] : null);
        }),
    );
}
