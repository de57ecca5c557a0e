// A list of fights in the lobby, page by page, and the card of one fight.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, createPlace, h } from "./dom.js";
import { becomeGuest, who } from "./session.js";
import { endingIn, mover } from "./words.js";

const PHASES = { setup: "gathering", running: "under way", over: "decided", ended: "finished" };
const SHOWN = 6; // fighters of a team; more of them are counted

/** A list of one kind of fights. `offer` takes its first page where the server has sent it; without a text for an
 * empty list it is hidden then. */
export function createFightList(which, title, empty = "") {
    const place = createPlace({ class: "fights" });
    const node = h("section", { class: `list list-${which}`, "aria-labelledby": `list-${which}` });
    const heading = h("h2", { id: `list-${which}` }, title);
    node.append(heading, place.node);
    let shown = { fights: [], total: 0, page: 1, pages: 1 };
    let words = "";

    function show(now) {
        shown = now;
        node.hidden = !now.total && (!empty || Boolean(words));
        const count = now.total > now.fights.length ? ` (${now.total.toLocaleString("en")})` : "";
        if (heading.textContent !== title + count) heading.textContent = title + count;
        place.show([now, who().known], () => [
            now.fights.length ? cardsOf(now.fights) : h("p", { class: "hint" }, empty),
            now.pages > 1 ? pager(now) : null,
        ]);
    }

    const load = async (page = 1) =>
        show(await get(`combats?which=${which}&page=${page}&search=${encodeURIComponent(words)}`));

    function pager({ page, pages }) {
        const turn = (to) => () => attempt(() => load(to));
        return h(
            "nav",
            { class: "row pager", "aria-label": `Pages: ${title}` },
            button("Previous", turn(page - 1), { disabled: page === 1, "data-keep": `${which}-previous` }),
            h("span", {}, `Page ${page} of ${pages.toLocaleString("en")}`),
            button("Next", turn(page + 1), { disabled: page === pages, "data-keep": `${which}-next` }),
        );
    }

    return {
        node,
        total: () => shown.total,
        /** The lobby has changed. */
        offer(fights, total) {
            if (words || shown.page > 1) return load(shown.page).catch(() => {});
            if (fights && total <= fights.length) return show({ fights, total, page: 1, pages: 1 });
            return total === shown.total && shown.fights.length && which === "ended" ? null : load().catch(() => {});
        },
        async search(text) {
            if (text === words) return;
            words = text;
            await load();
        },
    };
}

function cardsOf(fights) {
    return h(
        "ul",
        { class: "cards" },
        fights.map((fight) => h("li", {}, fightCard(fight))),
    );
}

/** A fight in the lobby: what it is, who fights, and what the visitor can do about it. */
export function fightCard(fight) {
    const isDone = fight.phase === "ended" || fight.phase === "over";
    return h(
        "article",
        { class: `combat${fight.yours ? " yours" : ""}${fight.your_move ? " due" : ""}`, "data-combat": fight.number },
        h("h3", {}, h("a", { href: `#/${wayTo(fight)}/${fight.number}`, "data-keep": fight.number }, fight.name)),
        h(
            "p",
            { class: "facts" },
            fight.your_move ? h("span", { class: "tag call" }, "your move") : null,
            fight.your_move ? null : h("span", { class: "tag" }, PHASES[fight.phase]),
            h("span", {}, fight.game ? `${fight.game} of ${fight.system}` : fight.system),
            fight.phase === "running" ? h("span", {}, `round ${fight.round}`) : null,
            fight.yours ? null : h("span", {}, `owner: ${fight.owner}`),
        ),
        teamsOf(fight),
        isDone ? h("p", { class: "outcome" }, endingIn(fight.ending, sidesOf(fight))) : null,
        fight.join === null || fight.yours ? null : joinButton(fight),
    );
}

function joinButton({ number, join, name }) {
    if (join === "") return h("a", { class: "button", href: `#/fight/${number}` }, "Look in and join");
    const take = async () => {
        if (!who().known) await becomeGuest();
        await post(`combats/${number}/join`, { token: join });
        location.hash = `#/fight/${number}`;
    };
    const label = `Take the open seat in ${name}`;
    return button("Take the open seat", () => attempt(take), { class: "join main", "aria-label": label });
}

function teamsOf(fight) {
    const teams = Object.entries(fight.teams).map(([team, seats]) =>
        h(
            "div",
            {},
            h("dt", {}, team),
            seats.slice(0, SHOWN).map(seatOf),
            seats.length > SHOWN ? h("dd", { class: "hint" }, `and ${seats.length - SHOWN} more`) : null,
        ),
    );
    return h("dl", { class: "sides" }, teams);
}

function seatOf(seat) {
    if (seat.player === seat.name) return h("dd", {}, playerLink(seat.name));
    const by = seat.player ? ["played by ", playerLink(seat.player)] : mover(seat);
    return h("dd", {}, seat.name, " ", h("span", { class: "hint" }, by));
}

/** The name of a player, which leads to the profile; guests have none. */
export function playerLink(name) {
    return name.startsWith("Guest-") ? name : h("a", { class: "player", href: `#/player/${encodeURIComponent(name)}` }, name);
}

/** Those who may win: teams, or in a game around fights every player. */
function sidesOf({ game, teams }) {
    return game
        ? Object.values(teams)
              .flat()
              .map((seat) => seat.name)
        : Object.keys(teams);
}

/** Where a fight is shown: one that has ended has a replay, a game its story. */
function wayTo({ game, phase }) {
    return phase === "ended" && !game ? "replay" : "fight";
}
