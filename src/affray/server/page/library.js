// The library: all fighters and items of a system, with a search.

import { fill, h, labelled } from "./dom.js";
import { iconed } from "./icons.js";
import { systemChoice } from "./system_choice.js";
import { allSystems } from "./systems.js";
import { capital, counted } from "./words.js";

/** The view of #/library and #/library/SYSTEM. */
export async function libraryView(id) {
    const systems = await allSystems();
    const first = systems.some((each) => each.id === id) ? id : systems[0].id;
    const words = h("input", { type: "search", name: "find", oninput: draw });
    const said = h("p", { role: "status", id: "found" });
    const list = h("div", { class: "library-list" });

    const system = systemChoice(systems, first, (chosen) => {
        shown = chosen;
        draw();
    });
    let shown = null;

    function draw() {
        const found = search(shown, words.value);
        const number = found.reduce((sum, [, entries]) => sum + entries.length, 0);
        said.textContent = number ? counted(number, "entry", "entries") : "No entry has these words.";
        fill(list, found.map(section));
    }

    await system.load();
    const fields = h("div", { class: "fields" }, labelled("System", system.select), labelled("Find", words, HINT));
    const node = h("div", { class: "library" }, h("h1", {}, "Library"), fields, said, list);
    return { title: "Library", node };
}

const HINT = "Words from a name, a rank, a slot or an effect.";

/** The kinds of a system with the entries that have all the words, those that have none left out. */
function search(system, text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean).map(beginning);
    const fits = (kind, { id, name, text: line }) => {
        const whole = `${kind} ${id} ${name} ${line}`.toLowerCase();
        return wanted.every((word) => word.test(whole));
    };
    return Object.entries(entriesOf(system))
        .map(([kind, entries]) => [kind, entries.filter((entry) => fits(kind, entry))])
        .filter(([, entries]) => entries.length > 0);
}

/** Finds words that begin like this one; a number is whole. */
function beginning(word) {
    const plain = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`(?<![\\w])${plain}(?!\\d)`);
}

function entriesOf(system) {
    const fighters = Object.entries(system.sheets).map(([kind, sheets]) => [
        kind,
        sheets.map(({ id, name, line }) => ({ id, name, text: line })),
    ]);
    return { ...Object.fromEntries(fighters), ...system.things };
}

function section([kind, entries]) {
    const rows = entries.map(({ id, name, text }) =>
        h("div", { class: "entry", "data-entry": id }, h("dt", {}, name), h("dd", {}, iconed(text))),
    );
    return h("section", { "aria-label": capital(kind) }, h("h2", {}, capital(kind)), h("dl", {}, rows));
}
