// The form for a new fight: system, place, teams, options.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { choice, fill, h, labelled } from "./dom.js";
import { CLOCKS } from "./duel.js";
import { PEOPLE } from "./fighter_form.js";
import { optionsForm } from "./options_form.js";
import { becomeGuest, openLogin, who } from "./session.js";
import { systemChoice } from "./system_choice.js";
import { allSystems, asGame } from "./systems.js";
import { teamsForm } from "./teams_form.js";

/** The view of #/new. */
export async function newFightView() {
    const [systems, lobby, own] = await Promise.all([allSystems(), get("lobby"), ownSheets()]);
    const name = h("input", { name: "name", maxlength: 40, placeholder: "brawl" });
    const place = choice(placesOf(lobby), "", { name: "place" });
    const clock = choice(CLOCKS, "", { name: "clock" });
    const rest = h("div", { class: "rest" });
    const summary = h("span", { class: "hint" });
    const games = h("div", { class: "field" });
    const start = h("button", { type: "submit", class: "main", value: "start", id: "make-and-start" });
    const wait = h("button", { type: "submit", value: "wait", id: "make" }, "Create it and wait for others");
    const makers = h("div", { class: "row end" }, start, wait);
    const system = systemChoice(systems, systems[0].id, draw, games, rest, makers);
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
            teams: teamsForm(chosen, { people: PEOPLE, hasOwn: hasOwn(chosen), hasName: true, byOf }),
            options: optionsForm(chosen),
        };
        const title = game ? "Players" : "Teams";
        fill(rest, h("h2", {}, title), forms.teams.node, h("h2", {}, "Rules"), forms.options.node);
        start.textContent = `Start the ${game?.word ?? "fight"}`;
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
        { id: "new-fight-form", class: "sheet-form", onsubmit: submit },
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
    );
    const note = h("div", {}, guestNote());
    const node = h("div", { class: "narrow" }, h("h1", {}, "New fight"), note, form);
    return { title: "New fight", node, onSession: () => fill(note, guestNote()) };
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
