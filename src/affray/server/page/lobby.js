// The lobby: places with their people and fights, the visitor's own fights first, and ended fights.

import { alertOf, attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { createPlace, fill, h } from "./dom.js";
import { verdict } from "./fair_dice.js";
import * as live from "./live.js";
import { counted, endingIn, listed, mover } from "./words.js";

const PHASES = { setup: "gathering", running: "under way", over: "decided", ended: "ended" };

/** The view of #/. */
export async function lobbyView() {
    const places = createPlace({ class: "places" });
    const ended = h("div", { class: "ended" });
    let fights = null;

    async function draw() {
        const lobby = await get("lobby");
        const now = lobby.places.flatMap((place) => place.combat?.number ?? []);
        places.show(lobby, () => placesOf(lobby));
        const hasOneEnded = fights?.some((number) => !now.includes(number)) ?? true;
        fights = now;
        if (hasOneEnded) fill(ended, pastOf(await get("combats?ended=true")));
    }

    await draw();
    const stop = [
        live.on("lobby", () => draw().catch(alertOf)),
        live.on("line", (line) => line.open && draw().catch(alertOf)),
    ];
    const node = h(
        "div",
        {},
        h(
            "div",
            { class: "head" },
            h("h1", {}, "Lobby"),
            h("a", { id: "new-fight", class: "button main", href: "#/new" }, "New fight"),
        ),
        places.node,
        h("h2", {}, "Fights that have ended"),
        ended,
        filesOf(),
    );
    return { title: "Lobby", node, close: () => stop.forEach((each) => each()) };
}

function placesOf({ places, yours }) {
    const sorted = [...places].sort((one, other) => rank(one, yours) - rank(other, yours));
    return sorted.map((place) => placeOf(place, yours));
}

/** The visitor's own fights first, then other fights, then places without one. */
function rank({ combat }, yours) {
    if (!combat) return 2;
    return yours.includes(combat.number) ? 0 : 1;
}

function placeOf(place, yours) {
    return h(
        "section",
        { class: "place", "data-place": place.key },
        h("h2", {}, place.name),
        place.description ? h("p", { class: "description" }, place.description) : null,
        h("p", { class: "people" }, place.people.length ? `Here: ${listed(place.people)}.` : "Nobody is here."),
        place.combat ? combatOf(place.combat, yours) : h("p", { class: "hint" }, "No fight."),
    );
}

function combatOf(combat, yours) {
    const open = Object.values(combat.teams)
        .flat()
        .filter((seat) => seat.open).length;
    const isYours = yours.includes(combat.number);
    return h(
        "article",
        { class: isYours ? "combat yours" : "combat", "data-combat": combat.number },
        h("h3", {}, h("a", { href: `#/fight/${combat.number}`, "data-keep": combat.number }, combat.name)),
        h(
            "p",
            { class: "facts" },
            h("span", { class: "tag" }, PHASES[combat.phase]),
            h("span", {}, combat.game ? `${combat.game} of ${combat.system}` : combat.system),
            combat.phase === "running" ? h("span", {}, `round ${combat.round}`) : null,
            h("span", {}, `owner: ${combat.owner}`),
            open ? h("span", { class: "open" }, counted(open, "open seat")) : null,
            isYours ? h("span", { class: "mine" }, "yours") : null,
        ),
        teamsOf(combat),
    );
}

function teamsOf(combat) {
    const teams = Object.entries(combat.teams).map(([team, seats]) =>
        h(
            "div",
            {},
            h("dt", {}, team),
            seats.map((seat) => h("dd", {}, seat.name, " ", h("span", { class: "hint" }, mover(seat)))),
        ),
    );
    return h("dl", { class: "sides" }, teams);
}

function pastOf(past) {
    if (!past.length) return h("p", { class: "hint" }, "None yet.");
    const rows = past.map((combat) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, h("a", { href: `#/${afterwards(combat)}/${combat.number}` }, combat.name)),
            h("td", {}, combat.game ? `${combat.system}, ${combat.game}` : combat.system),
            h("td", {}, sidesOf(combat).join(combat.game ? ", " : " against ")),
            h("td", {}, endingIn(combat.ending, sidesOf(combat))),
        ),
    );
    const heads = ["Fight", "System", "Teams", "Ending"].map((head) => h("th", { scope: "col" }, head));
    return h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Ended fights" },
        h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
    );
}

/** Those who may win: teams, or in a game around fights every player. */
function sidesOf({ game, teams }) {
    return game
        ? Object.values(teams)
              .flat()
              .map((seat) => seat.name)
        : Object.keys(teams);
}

/** Where an ended fight is shown: a fight has a replay, a game its story. */
function afterwards({ game }) {
    return game ? "fight" : "replay";
}

/** Opening a fight from a file, and verifying a log. */
function filesOf() {
    const result = h("div", { class: "result", role: "status" });
    const open = h("input", {
        type: "file",
        id: "import",
        accept: ".json,application/json",
        onchange: () => chosen(open, opened),
    });
    const check = h("input", {
        type: "file",
        id: "verify-file",
        accept: ".json,application/json",
        onchange: () => chosen(check, (text) => verified(text, result)),
    });
    return h(
        "details",
        { class: "files" },
        h("summary", {}, "Files"),
        h("label", { class: "field" }, h("span", { class: "label" }, "Continue a saved fight or a log"), open),
        h("label", { class: "field" }, h("span", { class: "label" }, "Verify the dice of a log"), check),
        result,
    );
}

async function chosen(input, does) {
    const [file] = input.files;
    if (file) await attempt(async () => does(await file.text()));
    input.value = "";
}

async function opened(text) {
    const made = await post("combats/import", text);
    location.hash = `#/fight/${made.number}`;
}

async function verified(text, result) {
    fill(result, verdict(await post("verify", text)));
}
