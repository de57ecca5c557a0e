// The fields for one fighter: a sheet with quick changes, a name of its own, and who moves it.

import { choice, h, labelled } from "./dom.js";
import { sheetsOf } from "./systems.js";

const TYPED = "\u0000typed";
export const OWN = "own";

/** Who may move a fighter: [value, text, heading] for a choice. */
export function movers(system, first) {
    return [...first, ...system.tactics.map((tactic) => [tactic.name, `Computer: ${tactic.name}`, "Computer"])];
}

export const PEOPLE = [
    ["me", "Me"],
    ["open", "A person, by invitation"],
    ["storyteller", "The storyteller"],
];

/** Fields for a fighter that begin with a spec such as `knight` or `player:health=4`; `value()` reads them. */
export function fighterForm(system, { spec, by, people, hasOwn, hasName }) {
    const sheets = sheetsOf(system);
    const [head, changed] = parted(spec, sheets);
    const note = h("span", { class: "hint" });
    const sheet = choice(sheetChoices(sheets, hasOwn), head, { class: "sheet", onchange: chosen });
    const typed = h("input", {
        class: "typed",
        value: head === TYPED ? spec : "",
        placeholder: "::en:6:1:2:3:2",
        "aria-label": "Sheet, typed out",
    });
    const changes = h("input", {
        class: "changes",
        value: changed,
        placeholder: "key=value",
        spellcheck: "false",
        autocapitalize: "off",
    });
    const name = h("input", { class: "name", maxlength: 40 });
    const who = choice(movers(system, people), by ?? tacticOf(sheets, head), { class: "by" });
    const changesField = labelled("Quick changes", changes);

    function chosen() {
        const found = sheets.find((each) => each.id === sheet.value);
        note.textContent = found?.note ?? "";
        typed.hidden = sheet.value !== TYPED;
        changesField.hidden = !found;
        const isComputer = system.tactics.some((tactic) => tactic.name === who.value);
        if (found && isComputer) who.value = found.tactic;
    }

    const asked = who.value;
    chosen();
    who.value = asked;
    const value = () => ({
        sheet: specOf(sheet.value, typed.value, changes.value),
        name: name.value.trim() || null,
        by: who.value,
    });
    const fields = [
        h("label", { class: "field wide" }, h("span", { class: "label" }, "Sheet"), sheet, typed, note),
        changesField,
        hasName ? labelled("Name", name) : null,
        labelled("Moved by", who),
    ];
    return { fields, value };
}

function sheetChoices(sheets, hasOwn) {
    return [
        ...(hasOwn ? [[OWN, "My own sheet"]] : []),
        ...sheets.map((sheet) => [sheet.id, sheet.name, sheet.group]),
        [TYPED, "Typed out\u2026"],
    ];
}

function tacticOf(sheets, id) {
    return sheets.find((sheet) => sheet.id === id)?.tactic;
}

/** A spec as the sheet it begins with and its changes as one types them. */
function parted(spec, sheets) {
    const [head, ...rest] = spec.split(":");
    if (spec === OWN) return [OWN, ""];
    return sheets.some((sheet) => sheet.id === head) ? [head, rest.join(", ")] : [TYPED, ""];
}

function specOf(sheet, typed, changes) {
    if (sheet === TYPED) return typed.trim();
    if (sheet === OWN) return OWN;
    return [
        sheet,
        ...changes
            .split(/[,:]/)
            .map((each) => each.trim())
            .filter(Boolean),
    ].join(":");
}
