// Draws the signs in a system's texts as the icons that they stand for, and conditions with theirs.

import { svg } from "./dom.js";

const known = new Map();
let conditions = []; // those whose words are longest first
const cards = new Map();
let named = null; // matches every name of a card
const plain = (text) => text.replace(/[^\w:]/g, "\\$&");

/** Remembers what the signs of a system look like. */
export function learnIcons(icons) {
    known.clear();
    for (const icon of icons.filter(({ sign }) => sign)) known.set(icon.sign, icon);
    conditions = icons.filter(({ sign }) => !sign).sort((one, other) => other.word.length - one.word.length);
}

/** Remembers what the cards of a system look like. */
export function learnCards(faces) {
    for (const face of faces) cards.set(face.name, face);
    named = faces.length ? new RegExp([...cards.keys()].map(RegExp.escape ?? plain).join("|"), "g") : named;
}

/** What a card looks like, if its system says so. */
export const cardOf = (name) => cards.get(name);

/** A text as a list of texts and icons; the word itself stands beside its sign, so the icon is silent. */
export function iconed(text) {
    const parts = [];
    let plain = "";
    for (const letter of named ? text.replace(named, (name) => cards.get(name).said.split(":")[0]) : text) {
        if (!known.has(letter)) {
            plain += letter;
            continue;
        }
        if (plain) parts.push(plain);
        plain = "";
        parts.push(icon(known.get(letter)));
    }
    return plain ? [...parts, plain] : parts;
}

/** A condition with its icon before it, if its system has one. */
export function conditioned(text) {
    const found = conditions.find(({ word }) => new RegExp(`\\b${word}\\b`).test(text));
    return found ? [icon(found), " ", iconed(text)] : iconed(text);
}

function icon({ word, path }) {
    const frame = { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" };
    return svg("svg", { ...frame, "data-icon": word }, svg("path", { d: path }));
}
