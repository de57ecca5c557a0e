// The library: all fighters and items of a system, with a search.

import { attempt } from "./alerts.js";
import { get } from "./api.js";
import { button, fill, h, labelled } from "./dom.js";
import { iconed } from "./icons.js";
import { saveText } from "./saving.js";
import { systemChoice } from "./system_choice.js";
import { allSystems, sheetsOf } from "./systems.js";
import { capital, counted } from "./words.js";

/** The view of #/library and #/library/SYSTEM. */
export async function libraryView(id) {
    const systems = await allSystems();
    const first = systems.some((each) => each.id === id) ? id : systems[0].id;
    const words = h("input", { type: "search", name: "find", oninput: draw });
    const said = h("p", { role: "status", id: "found" });
    const sheets = h("select", { name: "sheet" });
    const list = h("div", { class: "library-list" });

    const system = systemChoice(systems, first, (chosen) => {
        shown = chosen;
        fill(sheets, h("option", { value: "" }, "A blank one"), sheetsOf(chosen).map(sheetOption));
        draw();
    });
    let shown = null;

    function draw() {
        const found = search(shown, words.value);
        const number = found.reduce((sum, [, entries]) => sum + entries.length, 0);
        said.textContent = number ? counted(number, "entry", "entries") : "No entry has these words.";
        fill(list, found.map(section));
    }

    async function save() {
        const { page } = await get(`systems/${shown.id}/handout?sheet=${encodeURIComponent(sheets.value)}`);
        saveText(page, `${shown.id}.html`, "text/html");
    }

    await system.load();
    const fields = h("div", { class: "fields" }, labelled("System", system.select), labelled("Find", words, HINT));
    const paper = h(
        "details",
        { id: "paper" },
        h("summary", {}, "On paper"),
        h("p", { class: "hint" }, "A page with the rules in short and a character sheet; open it and print it."),
        h("div", { class: "fields" }, labelled("Sheet", sheets)),
        button("Save the page", () => attempt(save), { id: "save-page" }),
    );
    const node = h("div", { class: "library" }, h("h1", {}, "Library"), fields, paper, said, list);
    return { title: "Library", node };
}

function sheetOption({ id, name }) {
    return h("option", { value: id }, name);
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
