// A list of fights in the lobby, page by page, and the card of one fight.

import { attempt, tell } from "./alerts.js";
import { get, post } from "./api.js";
import { button, createPlace, fill, h } from "./dom.js";
import { becomeGuest, who } from "./session.js";
import { endingIn, mover } from "./words.js";

const PHASES = { setup: "gathering", running: "under way", over: "decided", ended: "finished" };
const SHOWN = 6; // fighters of a team; more of them are counted
const GONE = "no longer here";
const CLOSED = "No longer open";

/** A list of one kind of fights. `offer` takes its first page where the server has sent it; without a text for an
 * empty list it is hidden then. While it `isStill`, cards say what is new of them where they stand, and the heading
 * counts new ones; `settle` shows the rest once it may. */
export function createFightList(which, title, isStill, empty = "") {
    const place = createPlace({ class: "fights" });
    const node = h("section", { class: `list list-${which}`, "aria-labelledby": `list-${which}` });
    const heading = h("h2", { id: `list-${which}` }, title);
    node.append(heading, place.node);
    const cards = new Map(); // by the number of the fight
    let shown = { fights: [], total: 0, page: 1, pages: 1, words: "" };
    let latest = shown;
    let page = 1; // these two as the visitor has asked for them
    let words = "";

    function show(now) {
        latest = now;
        const isAsked = now.page !== shown.page || now.words !== shown.words;
        if (!isAsked && isStill(node)) mark();
        else draw();
    }

    function draw() {
        shown = latest;
        const { fights, total, pages } = shown;
        node.hidden = !total && (!empty || Boolean(words));
        entitle("");
        const numbers = fights.map((fight) => fight.number);
        for (const number of [...cards.keys()].filter((each) => !numbers.includes(each))) cards.delete(number);
        for (const fight of fights) {
            if (cards.has(fight.number)) cards.get(fight.number).update(fight);
            else cards.set(fight.number, createFightCard(fight));
        }
        place.show([numbers, shown.page, pages], () => [
            numbers.length ? cardsOf(numbers.map((each) => cards.get(each))) : h("p", { class: "hint" }, empty),
            pages > 1 ? pager(shown) : null,
        ]);
    }

    /** Where there are more pages, a fight may just have gone to another of them. */
    function mark() {
        const now = new Map(latest.fights.map((fight) => [fight.number, fight]));
        const isWhole = latest.pages === 1;
        for (const [number, card] of cards) if (isWhole || now.has(number)) card.mark(now.get(number));
        const added = isWhole ? latest.fights.filter((fight) => !cards.has(fight.number)).length : 0;
        entitle(added ? ` \u00b7 ${added} new` : "");
    }

    function entitle(more) {
        const count = latest.total > latest.fights.length ? ` (${latest.total.toLocaleString("en")})` : "";
        if (heading.textContent !== title + count + more) heading.textContent = title + count + more;
    }

    /** Gets the page that is asked for; an answer that comes after the next press of a button is left aside. */
    async function load() {
        const wanted = { page, words };
        const now = await get(`combats?which=${which}&page=${page}&search=${encodeURIComponent(words)}`);
        if (wanted.page === page && wanted.words === words) show({ ...now, ...wanted });
    }

    function turn(to) {
        page = to;
        return attempt(load);
    }

    function pager({ page: here, pages }) {
        return h(
            "nav",
            { class: "row pager", "aria-label": `Pages: ${title}` },
            button("Previous", () => turn(here - 1), { disabled: here === 1, "data-keep": `${which}-previous` }),
            h("span", {}, `Page ${here} of ${pages.toLocaleString("en")}`),
            button("Next", () => turn(here + 1), { disabled: here === pages, "data-keep": `${which}-next` }),
        );
    }

    return {
        node,
        total: () => latest.total,
        /** The lobby has changed. */
        offer(fights, total) {
            if (words || page > 1) return load().catch(() => {});
            if (fights && total <= fights.length) return show({ fights, total, page: 1, pages: 1, words });
            return total === latest.total && latest.fights.length && which === "ended" ? null : load().catch(() => {});
        },
        async search(text) {
            if (text === words) return;
            words = text;
            page = 1;
            await load();
        },
        settle() {
            if (latest !== shown && !isStill(node)) draw();
        },
    };
}

function cardsOf(cards) {
    return h(
        "ul",
        { class: "cards" },
        cards.map((card) => h("li", {}, card.node)),
    );
}

/** A fight in the lobby: what it is, who fights, and what the visitor can do about it. */
export function createFightCard(fight) {
    const link = h("a", { "data-keep": fight.number });
    const facts = h("p", { class: "facts" });
    const rest = createPlace();
    const node = h("article", { "data-combat": fight.number }, h("h3", {}, link), facts, rest.node);
    let shown = fight;
    let way = null; // into the fight, where there is one

    function update(now) {
        shown = now;
        link.textContent = now.name;
        facts.style.height = "";
        say(now);
        const isDone = now.phase === "ended" || now.phase === "over";
        rest.show([now.teams, now.yours, now.join, isDone ? now.ending : null], () => {
            way = now.join === null || now.yours ? null : createWay(now);
            const outcome = isDone ? h("p", { class: "outcome" }, endingIn(now.ending, sidesOf(now))) : null;
            return [teamsOf(now), outcome, way?.node];
        });
        way?.lead(now.join);
    }

    /** Says what is new of the fight, or without one that it is gone, and moves nothing that can be pressed. */
    function mark(now) {
        facts.style.height = `${facts.getBoundingClientRect().height}px`;
        say(now ?? shown, now ? null : GONE);
        way?.lead(now?.join ?? null);
    }

    function say(now, gone = null) {
        node.className = `combat${now.yours ? " yours" : ""}${now.your_move && !gone ? " due" : ""}${gone ? " gone" : ""}`;
        link.setAttribute("href", `#/${wayTo(now)}/${now.number}`);
        fill(facts, factsOf(now, gone));
    }

    update(fight);
    return { node, update, mark };
}

function factsOf(fight, gone) {
    const isCall = fight.your_move && !gone;
    return [
        h("span", { class: isCall ? "tag call" : "tag" }, gone ?? (isCall ? "your move" : PHASES[fight.phase])),
        h("span", {}, fight.game ? `${fight.game} of ${fight.system}` : fight.system),
        fight.phase === "running" && !gone ? h("span", {}, `round ${fight.round}`) : null,
        fight.yours ? null : h("span", {}, `owner: ${fight.owner}`),
    ];
}

/** What takes an open seat; `lead(join)` says which, if one is left. Once none is, a press that was on its way is told
 * why it came too late: a button that is `disabled` would swallow it, and lose the focus. */
function createWay({ number, join: first, name }) {
    const isLink = first === "";
    const text = isLink ? "Look in and join" : "Take the open seat";
    const label = isLink ? `${text} ${name}` : `${text} in ${name}`;
    let join = first;
    const take = async () => {
        if (!who().known) await becomeGuest();
        await post(`combats/${number}/join`, { token: join });
        location.hash = `#/fight/${number}`;
    };
    const pressed = () => (join === null ? tell(`The seat in ${name} is no longer open.`) : attempt(take));
    const more = { "aria-label": label, "data-keep": `join ${number}` };
    const node = isLink
        ? h("a", { class: "button join", href: `#/fight/${number}`, ...more }, text)
        : button(text, pressed, { class: "join main", ...more });

    function lead(now) {
        const isClosed = now === null;
        const isAsBefore = isClosed === (join === null);
        join = now;
        if (isAsBefore) return;
        node.style.width = isClosed ? `${node.getBoundingClientRect().width}px` : "";
        node.textContent = isClosed ? CLOSED : text;
        node.ariaLabel = isClosed ? `${CLOSED}: ${name}` : label;
        if (isLink) return; // it still leads to the fight
        node.ariaDisabled = String(isClosed);
        node.classList.toggle("main", !isClosed);
    }

    return { node, lead };
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
