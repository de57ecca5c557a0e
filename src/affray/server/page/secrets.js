// What a storyteller keeps from the others: who waits in the wings, rolls, veiled dice and notes, as forms and lists.

import { button, choice, h, labelled } from "./dom.js";
import { form, joinForm, pickForm } from "./word_forms.js";

export function secretsOf(open, { system, say, takeBack }) {
    const { fighters, wings } = open;
    const names = [...fighters, ...wings].map(({ name }) => name);
    const veiled = fighters.filter((each) => each.veiled).map(({ name }) => name);
    const thrown = fighters.filter((each) => !each.veiled && !each.by_player).map(({ name }) => name);
    const notes = [["", open.notes], ...[...fighters, ...wings].map((each) => [each.name, each.notes])];
    return [
        joinForm("hide", "Hide", "Waits to join", { open, system, say }),
        rollForm(say),
        noteForm(names, say),
        pickForm("veil", "Tell the dice without numbers of", "Veil", thrown, (name) => say(`veil ${name}`)),
        pickForm("reveal", "In the wings", "Reveal", wings.map(({ name }) => name), (name) => say(`reveal ${name}`)),
        pickForm("unveil", "Dice are veiled of", "Unveil", veiled, (name) => say(`unveil ${name}`)),
        h(
            "div",
            { class: "kept", role: "status" },
            listed("In the wings", wings.map(({ name, team }) => `${name}, to join ${team}`)),
            listed("Secret rolls", open.rolls),
            listed("Notes", notes.flatMap(([name, all]) => all.map((note) => (name ? `${name}: ${note}` : note)))),
            open.can_undo_aside ? button("Take the last one back", takeBack, { id: "secret-undo" }) : null,
        ),
    ];
}

function rollForm(say) {
    const dice = h("input", { id: "word-roll-dice", required: true, maxlength: 20, autocomplete: "off", value: "3d6" });
    return form("roll", "Roll in secret", () => say(`roll ${dice.value}`), labelled("Dice", dice, "such as 3d6 or 2d10+1"));
}

function noteForm(names, say) {
    const about = choice([["", "the fight"], ...names.map((name) => [name, name])], "", { id: "word-note-about" });
    const note = h("input", { id: "word-note-text", required: true, maxlength: 900, autocomplete: "off" });
    const written = () => say(`note ${about.value ? `${about.value}: ` : ""}${note.value}`);
    return form("note", "Note down", written, labelled("A note on", about), labelled("Note", note));
}

function listed(heading, lines) {
    if (!lines.length) return null;
    return [
        h("h4", {}, heading),
        h(
            "ul",
            {},
            lines.map((line) => h("li", {}, line)),
        ),
    ];
}
