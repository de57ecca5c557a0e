// Forms whose button sends one line of a storyteller.

import { choice, h, labelled } from "./dom.js";
import { sheetsOf } from "./systems.js";

/** A form whose button sends what its fields say. */
export function form(id, text, does, ...fields) {
    const sent = (event) => {
        event.preventDefault();
        does();
    };
    return h("form", { class: "word", id: `word-${id}`, onsubmit: sent }, fields, h("button", { type: "submit" }, text));
}

/** A form to pick one of some names; none if there are none. */
export function pickForm(id, label, text, names, does) {
    if (!names.length) return null;
    const picked = choice(
        names.map((name) => [name, name]),
        names[0],
        { id: `word-${id}-how` },
    );
    return form(id, text, () => does(picked.value), labelled(label, picked));
}

/** The choice of a team and a sheet for one more fighter, who joins or is hidden. */
export function joinForm(verb, text, label, { open, system, say }) {
    const team = choice(
        open.teams.map((name) => [name, name]),
        open.teams[0],
        { id: `word-${verb}-team` },
    );
    const sheets = sheetsOf(system);
    const sheet = choice(
        sheets.map(({ id, name, group }) => [id, name ?? id, group]),
        sheets[0]?.id,
        { id: `word-${verb}-sheet` },
    );
    return form(verb, text, () => say(`${verb} ${team.value} ${sheet.value}`), labelled(label, team), labelled("Sheet", sheet));
}
