// The lobby: a first fight in one click, the visitor's own fights, seats to take, fights to watch, and a search.

import { alertOf, attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, createPlace, fill, h, labelled } from "./dom.js";
import { timeLeft } from "./duel.js";
import { verdict } from "./fair_dice.js";
import { createFightCard, createFightList } from "./fight_list.js";
import * as live from "./live.js";
import { noticeSwitches } from "./notice.js";
import { openLogin, who } from "./session.js";
import { createStillness } from "./still.js";
import { allSystems } from "./systems.js";
import { capital, listed } from "./words.js";

const LEAD = "Choose a game. You need no account, and the fight explains itself.";
const NO_SEATS = "No one is looking for an opponent. Offer a seat in a new fight.";
const PAUSE = 250; // after the last letter of a search

/** The view of #/. Whatever the visitor points at stays where it is; what is above it waits until they have left. */
export async function lobbyView() {
    const { isStill, watch } = createStillness(settle);
    const lists = {
        yours: createFightList("yours", "Your fights", isStill),
        open: createFightList("open", "Open seats", isStill, NO_SEATS),
        live: createFightList("live", "Under way", isStill),
        ended: createFightList("ended", "Finished", isStill),
    };
    const turns = createPlace({ class: "turns" });
    const welcome = createPlace();
    const places = createPlace({ class: "places" });
    const found = h("p", { class: "unseen", role: "status" });
    const search = searchField(lists, found);
    const node = h(
        "div",
        { class: "lobby" },
        h(
            "div",
            { class: "head" },
            h("h1", {}, "Lobby"),
            h("a", { id: "new-fight", class: "button main", href: "#/new" }, "New fight"),
        ),
        turns.node,
        lists.yours.node,
        welcome.node,
        h("div", { class: "lobby-search" }, search, found),
        [lists.open, lists.live, lists.ended].map((list) => list.node),
        h("details", { class: "world" }, h("summary", {}, "Places of this world"), places.node),
        noticeSwitches(),
        filesOf(),
    );
    let lobby = null;
    let systems = null;

    async function draw() {
        [lobby, systems] = await Promise.all([get("lobby"), allSystems()]);
        keepHeight();
        for (const [which, list] of Object.entries(lists)) list.offer(lobby[which], lobby.totals[which]);
        show();
    }

    /** A page that became shorter below what is pointed at would be scrolled. */
    function keepHeight() {
        node.style.minHeight = isStill(turns.node) ? `${node.getBoundingClientRect().height}px` : "";
    }

    function show() {
        const { totals } = lobby;
        const isNew = !who().known || (!totals.yours && !totals.ended);
        if (!isStill(search)) search.hidden = !Object.values(totals).some(Boolean);
        const greeted = [systems, isNew, who().temporary];
        if (!isStill(welcome.node)) welcome.show(greeted, () => welcomeOf(systems, isNew));
        if (!isStill(turns.node)) turns.show(lobby.turns, () => turnsOf(lobby.turns));
        if (!isStill(places.node)) places.show(lobby.places, () => lobby.places.map(placeOf));
    }

    function settle() {
        keepHeight();
        for (const list of Object.values(lists)) list.settle();
        show();
    }

    await draw();
    const stop = [
        live.on("lobby", () => draw().catch(alertOf)),
        live.on("line", (line) => line.open && draw().catch(alertOf)),
        watch(),
    ];
    return { title: "Lobby", node, close: () => stop.forEach((each) => each()) };
}

/** The fights that wait for the visitor, those first whose time runs out first. */
function turnsOf(turns) {
    if (!turns.length) return null;
    return h(
        "section",
        { "aria-labelledby": "turns-title" },
        h("h2", { id: "turns-title" }, `My turns (${turns.length})`),
        h("ul", {}, turns.map(turnOf)),
    );
}

function turnOf({ number, name, system, fighters, left }) {
    return h(
        "li",
        {},
        h("a", { href: `#/fight/${number}`, "data-keep": `turn-${number}` }, name),
        ` \u00b7 ${system} \u00b7 ${listed(fighters)}`,
        left === null ? null : [" \u00b7 ", h("b", {}, `${timeLeft(left)} left`)],
    );
}

/** The systems with a first fight each: large for newcomers, one line each for those who know them. */
function welcomeOf(systems, isNew) {
    return [
        who().temporary ? keepNote() : null,
        h(
            "section",
            { class: isNew ? "welcome new" : "welcome", "aria-labelledby": "welcome-title" },
            h("h2", { id: "welcome-title" }, isNew ? "Fight your first fight" : "Play at once"),
            isNew ? h("p", { class: "lead" }, LEAD) : null,
            h("ul", { class: "games" }, systems.map(gameOf)),
        ),
    ];
}

function gameOf({ id, title, summary }) {
    return h(
        "li",
        { class: "game", "data-system": id },
        h("h3", {}, title),
        h("p", {}, `${capital(summary)}.`),
        h(
            "div",
            { class: "row" },
            h("a", { class: "button main play", href: `#/start/${id}`, "aria-label": `Play ${title}` }, "Play"),
            h("a", { class: "rules", href: `#/learn/${id}`, "aria-label": `How to play ${title}` }, "How to play"),
        ),
    );
}

function keepNote() {
    return h(
        "p",
        { class: "card-note" },
        `You play as ${who().name}. Create an account to keep your fights: guests are forgotten after a day. `,
        button("Create an account", openLogin, { class: "link" }),
    );
}

/** The field that searches all lists. */
function searchField(lists, said) {
    const hint = "A name, a system, a player";
    const field = h("input", { id: "search", type: "search", maxlength: 100, placeholder: hint });
    let timer = 0;
    async function look() {
        await attempt(() => Promise.all(Object.values(lists).map((list) => list.search(field.value.trim()))));
        const total = Object.values(lists).reduce((sum, list) => sum + list.total(), 0);
        said.textContent = field.value.trim() ? `${total} fights found.` : "";
    }
    field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(look, PAUSE);
    });
    return labelled("Find a fight", field);
}

function placeOf(place) {
    return h(
        "section",
        { class: "place", "data-place": place.key },
        h("h3", {}, place.name),
        place.description ? h("p", { class: "description" }, place.description) : null,
        h("p", { class: "people" }, place.people.length ? `Here: ${listed(place.people)}.` : "Nobody is here."),
        place.combat ? createFightCard(place.combat).node : null,
    );
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
