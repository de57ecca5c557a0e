// The teams of a fight to be: any number of them, any number of fighters in each.

import { button, fill, h, labelled } from "./dom.js";
import { fighterForm } from "./fighter_form.js";
import { sheetsOf } from "./systems.js";
import { tell } from "./alerts.js";
import { capital } from "./words.js";

const SPARE = ["heroes", "monsters", "strangers", "bystanders"];

/** The teams of a system's demonstration, to be changed at will; `value()` comes to {team: [fighter]}. */
export function teamsForm(system, { people, hasOwn, hasName, byOf, kept, keep, changed }) {
    const given = kept ?? system.demonstration;
    const teams = Object.entries(given).map(([name, specs], team) => teamOf(name, specs, team));
    const place = h("div", { class: "teams-form" });
    const what = system.game ? "player" : "fighter";
    const isGame = Boolean(system.game); // then all are on one side
    const node = h("div", {}, place, isGame ? null : button("Add a team", addTeam, { class: "add-team" }));

    function teamOf(name, specs, team) {
        const fighters = specs.map((spec, index) => fighter(spec, byOf?.(team, index)));
        return { name: h("input", { value: name, required: true, maxlength: 30, class: "team-name" }), fighters };
    }

    /** A fighter of a spec, or of a seat that is kept. */
    function fighter(spec, by) {
        const one = typeof spec === "string" ? { spec, by } : { spec: spec.sheet, by: spec.by, kept: spec };
        return fighterForm(system, { ...one, people, hasOwn, hasName });
    }

    function addTeam() {
        const taken = teams.map((team) => team.name.value);
        const name = SPARE.find((each) => !taken.includes(each)) ?? `team ${teams.length + 1}`;
        teams.push(teamOf(name, [sheetsOf(system)[0].id], teams.length));
        draw(teams.at(-1).name);
    }

    function addFighter(team) {
        const last = team.fighters.at(-1)?.spec() ?? sheetsOf(system)[0].id;
        team.fighters.push(fighter(last));
        draw();
        team.fighters.at(-1).fields[0].querySelector("select").focus();
    }

    function drop(list, item, what) {
        list.splice(list.indexOf(item), 1);
        draw();
        tell(`${what} was removed.`);
        place.querySelector(".add-fighter")?.focus();
    }

    function draw(focused) {
        fill(place, teams.map(drawTeam));
        changed?.();
        focused?.focus();
    }

    function drawTeam(team, index) {
        return h(
            "fieldset",
            { class: "team" },
            h("legend", {}, isGame ? capital(system.game.side) : `Team ${index + 1}`),
            isGame ? null : nameOf(team),
            team.fighters.map((each, place) => drawFighter(team, each, place)),
            h(
                "div",
                { class: "row" },
                button(`Add a ${what}`, () => addFighter(team), { class: "add-fighter" }),
                keep ? button("Keep as a party", () => keep(team.name.value, () => fightersOf(team)), { class: "keep-party" }) : null,
            ),
        );
    }

    async function fightersOf(team) {
        const seats = await Promise.all(team.fighters.map((each) => each.values()));
        return seats.flat();
    }

    function nameOf(team) {
        const isSpare = teams.length > 2;
        return h(
            "div",
            { class: "row" },
            labelled("Name of the team", team.name),
            isSpare ? button("Remove the team", () => drop(teams, team, team.name.value), { class: "quiet" }) : null,
        );
    }

    function drawFighter(team, each, place) {
        const spare =
            team.fighters.length > 1
                ? button("Remove", () => drop(team.fighters, each, `${capital(what)} ${place + 1}`), {
                      class: "quiet",
                      "aria-label": `Remove ${what} ${place + 1}`,
                  })
                : null;
        return h(
            "fieldset",
            { class: "fighter" },
            h("legend", {}, `${capital(what)} ${place + 1}`),
            h("div", { class: "fields" }, each.fields, spare),
        );
    }

    draw();
    const teamValue = async (team) => [team.name.value.trim(), await fightersOf(team)];
    const value = async () => Object.fromEntries(await Promise.all(teams.map(teamValue)));
    return { node, value };
}
