// The fields for a fighter: a ready-made or changed sheet, a name, and who moves the fighter.

import { choice, h, labelled } from "./dom.js";
import { sheetForm } from "./sheet_form.js";
import { sheetsOf } from "./systems.js";

const TYPED = "\u0000typed";
const KEPT = "\u0000kept";
export const OWN = "own";

/** Who may move a fighter: [value, text, heading] for a choice. */
export function movers(system, first) {
    const thinkers = first.some(([value]) => value === "storyteller") ? system.players : []; // the lab has tactics only
    return [
        ...first,
        ...thinkers.map(({ name }) => [name, `Computer that thinks: ${name}`, "Computer that thinks"]),
        ...system.tactics.map((tactic) => [tactic.name, `Computer: ${tactic.name}`, "Computer"]),
    ];
}

export const PEOPLE = [
    ["me", "Me"],
    ["open", "A person, by invitation"],
    ["anyone", "Anyone who takes the seat in the lobby"],
    ["storyteller", "The storyteller"],
];

/** Fields for a fighter that begin with a spec such as `knight` or `player:health=4`. `value()` has the server read
 * them; `spec()` is the sheet as one types it. */
export function fighterForm(system, { spec, by, people, hasOwn, hasName, kept }) {
    const sheets = sheetsOf(system);
    const isWhole = Boolean(kept?.party || (kept && typeof kept.sheet !== "string")); // not to be changed here
    const [head, changed] = isWhole ? [KEPT, {}] : parted(spec, sheets);
    const note = h("span", { class: "hint" });
    const whole = isWhole ? [[KEPT, `${kept.name ?? "A sheet"}, as kept`]] : [];
    const sheet = choice([...whole, ...sheetChoices(sheets, hasOwn)], head, { class: "sheet", onchange: chosen });
    const typed = h("input", {
        class: "typed",
        value: head === TYPED ? spec : "",
        placeholder: "::en:6:1:2:3:2",
        "aria-label": "Sheet as text",
    });
    const name = h("input", { class: "name", maxlength: 40, value: kept?.name ?? "" });
    const who = choice(movers(system, people), by ?? tacticOf(sheets, head), { class: "by" });
    const own = sheetForm(system);
    const many = h("input", { type: "number", class: "many", min: 1, max: 20, value: 1, required: true });

    function chosen(_, typedValues) {
        const found = sheets.find((each) => each.id === sheet.value);
        note.textContent = found?.note ?? (sheet.value === KEPT ? kept.line : "");
        typed.hidden = sheet.value !== TYPED;
        own.start(found, typedValues);
        const isComputer = system.tactics.some((tactic) => tactic.name === who.value);
        if (found && isComputer) who.value = found.tactic;
    }

    const asked = who.value;
    chosen(null, changed);
    who.value = asked;
    const isReady = () => ![TYPED, OWN, KEPT].includes(sheet.value);
    const given = () => (sheet.value === TYPED ? typed.value.trim() : OWN);
    // A game takes the sheet as typed, with equipment still listed separately.
    const asKept = () => ({
        sheet: kept.party || kept.sheet, // of a party only the name counts
        ...(kept.party ? { party: kept.party, name: kept.name } : { name: name.value.trim() || null }),
        by: who.value,
    });
    const asGiven = async () => ({
        sheet: !isReady() ? given() : system.game ? asSpec() : await own.read(),
        ...(hasName ? {} : { spec: asSpec() }), // the lab asks for it, a fight does not know it
        name: name.value.trim() || null,
        by: who.value,
    });
    const value = async () => (sheet.value === KEPT ? asKept() : asGiven());
    const asSpec = () =>
        isReady() ? specOf(sheet.value, own.changes()) : sheet.value === KEPT ? sheets[0].id : given();
    const fields = [
        h("label", { class: "field wide" }, h("span", { class: "label" }, "Sheet"), sheet, typed, note),
        hasName ? labelled("Name", name) : null,
        labelled("Moved by", who),
        hasName && !system.game && !isWhole ? labelled("How many", many) : null,
        own.node,
    ];
    /** All fighters of these fields: several act together where the storyteller moves them. */
    async function values() {
        const one = await value();
        const count = ["me", "open", "anyone"].includes(one.by) ? 1 : Number(many.value) || 1;
        const alike = sheets.find((each) => each.id === sheet.value)?.name ?? "group";
        const group = kept?.group || (count > 1 ? `${one.name ?? alike}` : "");
        return Array.from({ length: count }, () => (group ? { ...one, group } : one));
    }
    return { fields, value, values, spec: asSpec };
}

function sheetChoices(sheets, hasOwn) {
    return [
        ...(hasOwn ? [[OWN, "My own sheet"]] : []),
        ...sheets.map((sheet) => [sheet.id, sheet.name, sheet.group]),
        [TYPED, "As text\u2026"],
    ];
}

function tacticOf(sheets, id) {
    return sheets.find((sheet) => sheet.id === id)?.tactic;
}

/** A spec as the sheet it begins with, and what is typed for its values. */
function parted(spec, sheets) {
    const [head, ...rest] = spec.split(":");
    if (spec === OWN) return [OWN, {}];
    if (!sheets.some((sheet) => sheet.id === head)) return [TYPED, {}];
    return [head, Object.fromEntries(rest.map((change) => change.split("=", 2)))];
}

function specOf(sheet, changes) {
    return [sheet, ...Object.entries(changes).map(([key, text]) => `${key}=${text}`)].join(":");
}
