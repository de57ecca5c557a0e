// The form for a new fight: system, place, teams, options.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { createDifficulty } from "./difficulty.js";
import { button, choice, fill, h, labelled } from "./dom.js";
import { CLOCKS } from "./duel.js";
import { PEOPLE } from "./fighter_form.js";
import { allKept, canKeep, keepAs } from "./kept.js";
import { optionsForm } from "./options_form.js";
import { becomeGuest, openLogin, who } from "./session.js";
import { systemChoice } from "./system_choice.js";
import { allSystems, asGame } from "./systems.js";
import { teamsForm } from "./teams_form.js";

/** The view of #/new, or of #/new/KIND/NAME with what is kept in it; `edit` opens a party to change its sheets. */
export async function newFightView(kind, named) {
    const [systems, lobby, own, all] = await Promise.all([allSystems(), get("lobby"), ownSheets(), allKept()]);
    const is = (one) => one.kind === (kind === "edit" ? "party" : kind) && one.name === decodeURIComponent(named);
    const opened = kind ? all.find(is) : null;
    const name = h("input", { name: "name", maxlength: 40, placeholder: "brawl" });
    const place = choice(placesOf(lobby), "", { name: "place" });
    const clock = choice(CLOCKS, "", { name: "clock" });
    const rest = h("div", { class: "rest" });
    const summary = h("span", { class: "hint" });
    const games = h("div", { class: "field" });
    const start = h("button", { type: "submit", class: "main", value: "start", id: "make-and-start" });
    const wait = h("button", { type: "submit", value: "wait", id: "make" }, "Create it and wait for others");
    const difficulty = createDifficulty();
    const keep = button("Keep as an encounter", keepEncounter, { id: "keep-encounter" });
    const makers = h("div", { class: "row end" }, start, wait, keep);
    const system = systemChoice(systems, opened?.system ?? systems[0].id, draw, games, rest, makers);
    const hasOwn = (chosen) => Boolean(chosen.game) || own.includes(chosen.id);
    let forms = null;

    function draw(chosen) {
        summary.textContent = chosen.summary;
        games.hidden = !chosen.games.length;
        fill(games, gameChoice(chosen.games, (word) => lay(asGame(chosen, word))));
        lay(chosen);
    }

    function lay(chosen) {
        const { game } = chosen;
        const byOf = (team, index) => (team === 0 && index === 0 ? "me" : game?.tactic);
        forms = {
            game: game?.word ?? "",
            teams: teamsForm(chosen, {
                people: PEOPLE,
                hasOwn: hasOwn(chosen),
                hasName: true,
                byOf,
                changed: measure,
                kept: opened?.system === chosen.id && !game ? teamsKept(opened, kind, chosen) : null,
                keep: canKeep() && !game ? (team, fighters) => keepParty(chosen.id, team, fighters) : null,
            }),
            options: optionsForm(chosen),
        };
        if (opened?.system === chosen.id) {
            forms.options.set(opened.options);
            clock.value = CLOCKS.some(([value]) => value === opened.options.clock) ? opened.options.clock : "";
        }
        keep.hidden = !canKeep() || Boolean(game);
        const title = game ? "Players" : "Teams";
        fill(rest, h("h2", {}, title), forms.teams.node, h("h2", {}, "Rules"), forms.options.node);
        measure();
        start.textContent = `Start the ${game?.word ?? "fight"}`;
    }

    /** Asks how hard the fight is; a game around fights has no such figure. */
    function measure() {
        difficulty.changed(async () => {
            if (!forms || forms.game) return null;
            return { system: system.select.value, teams: await forms.teams.value(), options: forms.options.value() };
        });
    }

    function keepParty(system, team, fighters) {
        const table = async () => ({ system, fighters: await fighters() });
        return keepAs("party", kind && kind !== "encounter" ? opened.name : team, table);
    }

    function keepEncounter() {
        const rules = { ...forms.options.value(), ...(clock.value ? { clock: clock.value } : {}) };
        const table = async () => ({ system: system.select.value, options: rules, teams: await forms.teams.value() });
        return keepAs("encounter", name.value.trim() || opened?.name || "encounter", table);
    }

    async function submit(event) {
        event.preventDefault();
        const body = async () => ({
            name: name.value.trim() || `${system.select.value} ${forms.game || "fight"}`,
            game: forms.game,
            place: place.value || null,
            system: system.select.value,
            options: { ...forms.options.value(), ...(clock.value && !forms.game ? { clock: clock.value } : {}) },
            teams: await forms.teams.value(),
            start: event.submitter?.value === "start",
        });
        const made = await attempt(async () => {
            await system.load();
            if (!who().known) await becomeGuest();
            return post("combats", await body());
        });
        if (made) location.hash = `#/fight/${made.number}`;
    }

    await system.load();
    const form = h(
        "form",
        { id: "new-fight-form", class: "sheet-form", onsubmit: submit, oninput: measure, onchange: measure },
        h(
            "div",
            { class: "fields" },
            h("label", { class: "field wide" }, h("span", { class: "label" }, "System"), system.select, summary),
            games,
            labelled("Name of the fight", name),
            labelled("Where", place),
            labelled("Clock", clock),
        ),
        rest,
        makers,
        difficulty.node,
    );
    const note = h("div", {}, guestNote());
    const node = h("div", { class: "narrow" }, h("h1", {}, "New fight"), note, form);
    return { title: "New fight", node, onSession: () => fill(note, guestNote()), close: difficulty.close };
}

/** The teams of what is kept; a party stands against the demonstration's foes. */
function teamsKept({ seats, name }, kind, system) {
    const teams = {};
    if (kind === "encounter") {
        for (const seat of seats) (teams[seat.team] ??= []).push(seat);
        return teams;
    }
    const [, ...foes] = Object.entries(system.demonstration);
    const own = seats.map((seat) => ({ ...seat, party: kind === "party" ? name : "" }));
    return { heroes: own, ...Object.fromEntries(foes.filter(([team]) => team !== "heroes")) };
}

/** The systems in which the visitor has a sheet of their own. */
function ownSheets() {
    return who().known ? get("accounts/me/sheets") : [];
}

/** The choice between a fight and the system's games around fights. */
function gameChoice(games, does) {
    const pairs = [["", "A fight"], ...games.map((game) => [game.word, `A ${game.word}`])];
    const hint = h("span", { class: "hint" });
    const select = choice(pairs, "", { name: "game", onchange: chosen });
    function chosen() {
        hint.textContent = games.find((game) => game.word === select.value)?.summary ?? "";
        does(select.value);
    }
    return h("label", { class: "field" }, h("span", { class: "label" }, "Game"), select, hint);
}

function placesOf(lobby) {
    const free = lobby.places.filter((place) => !place.combat);
    return [["", "At its own table"], ...free.map((place) => [place.key, place.name])];
}

function guestNote() {
    if (who().known && !who().temporary) return null;
    return h(
        "p",
        { class: "card-note" },
        "You play as a guest, and your seat is kept for a day. To keep it longer, ",
        h("button", { type: "button", class: "link", onclick: openLogin }, "log in or create an account"),
        ".",
    );
}
