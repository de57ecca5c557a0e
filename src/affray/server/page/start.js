// Starts a fight from its address alone: #/start/bgo, or #/start/bgo/heroes=player&monsters=fire-slime,fire-slime

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { guide } from "./guide.js";
import { becomeGuest, who } from "./session.js";
import { sheetsOf, systemOf } from "./systems.js";

/** The view of #/start: the first fighter is the visitor's, the others follow their usual tactics. A visitor without an
 * account becomes a guest with a seat; without teams it is the guided first fight of the system. */
export async function startView(id, teams) {
    const [system, lesson] = await Promise.all([
        systemOf(id),
        teams ? null : get(`systems/${encodeURIComponent(id)}/lesson`),
        who().known ? null : becomeGuest(),
    ]);
    const sides = teams
        ? [...new URLSearchParams(teams)].map(([team, specs]) => [team, specs.split(",")])
        : Object.entries(lesson.teams);
    const made = await post("combats", {
        name: teams ? `${id} fight` : `First fight: ${id}`,
        system: id,
        teams: Object.fromEntries(sides.map(([team, specs], place) => [team, seats(system, specs, place === 0)])),
        start: true,
    });
    if (!teams) guide(made.number);
    location.replace(`#/fight/${made.number}`);
    return { title: system.title, node: h("h1", {}, system.title) };
}

function seats(system, specs, isMine) {
    return specs.map((sheet, place) => ({ sheet, by: isMine && place === 0 ? "me" : tacticOf(system, sheet) }));
}

function tacticOf(system, spec) {
    const [id] = spec.split(":", 1);
    return sheetsOf(system).find((sheet) => sheet.id === id)?.tactic ?? system.tactics[0].name;
}
