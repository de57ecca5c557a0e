// The visitor's open decisions: the question, the moves as buttons with their odds, and the moves not possible now.

import { createChoosing } from "./choosing.js";
import { button, fill, h, isWriting, ticked } from "./dom.js";
import { allAtOnce, assumed, assumptions, columnsOf, createOdds, legend, oddsToCome } from "./odds.js";
import { isOn, turn } from "./settings.js";
import { refuseLateClicks } from "./still.js";
import { createWaiting } from "./waiting.js";

const BRINGS = "What each move brings at once";

const REFINED = 30; // times that odds are asked for again
const PAUSE = 1000; // milliseconds before each of them
const AWAY = [0, 503]; // the server did not answer, or ends: it is asked again until it is back

const pause = () => new Promise((resume) => setTimeout(resume, PAUSE));

/** The panel of moves of a fight of a system. `play(ask, move)` makes one. */
export function createMoves(number, system, play) {
    const question = h("p", {
        id: "question",
        class: "question",
        role: "status",
        "aria-live": "assertive",
        tabindex: "-1",
    });
    const waiting = createWaiting();
    const asks = h("div", { id: "asks", class: "asks" });
    const assume = assumptions(system, redraw);
    const shows = ticked("Show odds", isOn("odds"), showOdds, { id: "show-odds" });
    const notes = h("div", { class: "notes" }); // last, because its length changes while odds are refined
    const handle = button("Hide", () => fold(!node.classList.contains("folded")), {
        class: "quiet handle", // on a phone, where the moves lie over the page
        "aria-label": "Hide the moves",
        "aria-controls": "asks",
        "aria-expanded": "true",
    });
    const node = h(
        "section",
        { id: "moves", class: "moves", "aria-label": "Moves" },
        handle,
        question,
        waiting.node,
        asks,
        shows,
        assume,
        notes,
    );
    assume.hidden = !isOn("odds");
    const odds = createOdds(number);
    const stopRefusing = refuseLateClicks(asks, () => standing);
    let table = null;
    let standing = ""; // the decisions that are asked for
    let shown = "";
    let drawn = [];

    function fold(isFolded) {
        node.classList.toggle("folded", isFolded);
        handle.textContent = isFolded ? "Show" : "Hide";
        handle.ariaLabel = `${handle.textContent} the moves`;
        handle.setAttribute("aria-expanded", String(!isFolded));
    }

    function showOdds(on) {
        turn("odds", on);
        assume.hidden = !on;
        redraw();
    }

    function update(now) {
        const changed = JSON.stringify([now.phase, now.decision, now.asks, now.seats.map((seat) => seat.due)]);
        table = now;
        waiting.update(now);
        if (changed === shown) return;
        shown = changed;
        standing = now.asks.filter(isOpen).map(decisionOf).join();
        redraw();
        node.classList.toggle("calls", now.asks.some(isOpen));
        if (!now.asks.some(isOpen)) return;
        fold(false);
        node.scrollTop = 0; // the question first, also where the moves are a sheet
        takeFocus(question);
    }

    function redraw() {
        drawn = oneOfEach(table).map((ask) => askOf(ask, table, system.id, play, isWeighed() ? oddsToCome(system) : null));
        fill(question, h("span", {}, asked(table))); // a new node, so that the same question is read out again
        fill(
            asks,
            drawn.map((each) => each.node),
        );
        const open = isWeighed() ? drawn.filter((each) => isOpen(each.ask)) : [];
        fill(
            notes,
            open.map((each) => each.note),
        );
        open.forEach(weigh);
    }

    /** On a board there is nothing to weigh, and odds would tell what is seen in words. */
    function isWeighed() {
        const isBlind = table.options.gauges === "words" && Boolean(table.you.fighter);
        return isOn("odds") && !isBlind && !(table.game && !table.board.foes.length);
    }

    async function weigh(each) {
        const { ask, node: place, note, weigh: show } = each;
        note.textContent = "Calculating the odds\u2026";
        try {
            let found = await odds.of(`${shown} ${assumed(system.id)}`, ask.fighter, system.id);
            if (place.isConnected) show(found);
            for (let times = 0; found.more && times < REFINED; times++) {
                await pause();
                if (!place.isConnected) return;
                if (document.hidden) continue;
                found = await odds.more(ask.fighter, system.id);
                if (place.isConnected) show(found);
            }
        } catch (error) {
            if (error.name === "AbortError") return;
            note.textContent = `No odds: ${error.message}`;
            if (!AWAY.includes(error.status)) return;
            await pause();
            if (place.isConnected) weigh(each);
        }
    }

    /** Chooses the fighter of a card as the target, where there is a target to choose. */
    function aimAt(fighter) {
        return drawn.map((each) => each.choosing?.aimAt(fighter)).some(Boolean);
    }

    /** The fighters who may be chosen as targets. */
    function targets() {
        return drawn.flatMap((each) => each.choosing?.targets ?? []);
    }

    /** Presses the button with that number. */
    function press(digit) {
        const pressed = asks.querySelector(`button[data-key="${digit}"]`);
        pressed?.click();
        return Boolean(pressed);
    }

    function focus() {
        fold(false);
        ([...asks.querySelectorAll("button.move")].find((each) => each.checkVisibility()) ?? question).focus();
    }

    function close() {
        odds.forget();
        waiting.close();
        stopRefusing();
    }

    return { node, update, press, aimAt, targets, focus, close };
}

/** The questions, of a group that acts together only the first. */
function oneOfEach({ asks, seats }) {
    const groupOf = (ask) => seats.find((seat) => seat.fighter === ask.fighter)?.group;
    const seen = new Set();
    return asks.filter((ask) => {
        const group = isOpen(ask) ? groupOf(ask) : "";
        if (!group) return true;
        return seen.has(group) ? false : seen.add(group);
    });
}

/** The choice whether all of a group do the same; null where there is no one else in it. */
function togetherOf(ask, { seats }) {
    const { group, team } = seats.find((seat) => seat.fighter === ask.fighter) ?? {};
    const count = group ? seats.filter((seat) => seat.group === group && seat.team === team).length : 0;
    return count > 1 ? ticked(`All of ${group} (${count}) do the same this round`, true, () => {}, { class: "together" }) : null;
}

function isOpen(ask) {
    return ask.answered === null;
}

/** Which decision it is: one of the same number after an undo may be another. */
export function decisionOf({ fighter, decision, after }) {
    return `${fighter} ${decision} ${after}`;
}

/** What is being asked, or that nothing is. */
function asked(table) {
    const open = oneOfEach(table).filter(isOpen);
    if (open.length) return [...new Set(open.map((ask) => ask.question))].join(" ");
    if (table.asks.some((ask) => ask.secret)) return "Your choice is in; it stays secret until all choices are in.";
    if (table.asks.length) return "Your choice is in.";
    return table.you.fighter || table.you.owner ? "Nothing for you to decide now." : "You are watching.";
}

/** One decision: its node, the note about its odds, and what to do once they have come; `expected` gives them room. */
function askOf(ask, table, system, play, expected) {
    const isOne = table.asks.length === 1;
    const title = isOne ? null : h("h3", {}, ask.name);
    if (!isOpen(ask)) {
        const chosen = h("p", {}, isOne ? "You chose " : `${ask.name}: `, h("b", {}, ask.answered), ".");
        return { ask, node: h("div", { class: "ask answered", "data-ask": ask.fighter }, title, chosen) };
    }
    const together = togetherOf(ask, table);
    const note = h("div", { class: `weighing hint ${expected?.costs.length ? "costs" : ""}` });
    const nameOf = (fighter) => table.seats.find((seat) => seat.fighter === fighter)?.name ?? fighter;
    const choosing = createChoosing(ask, { system, nameOf, play: (move) => play(ask, move, Boolean(together?.querySelector("input").checked)) });
    const brings = h("div", {});
    const node = h(
        "div",
        { class: "ask", "data-ask": ask.fighter },
        title,
        ask.at_stake ? h("p", { class: "stake" }, ask.at_stake) : null,
        together,
        choosing.node,
        impossibleOf(ask.impossible),
        expected?.tells_at_once ? h("details", { class: "brings" }, h("summary", {}, BRINGS), brings) : null,
    );
    function show(odds) {
        const columns = columnsOf(odds);
        layOut(node, columns.filter((column) => !column.isExtra).length);
        choosing.weigh(odds, columns);
    }
    function weigh(found) {
        const odds = { ...expected, ...found };
        show(odds);
        fill(note, isOne ? null : h("h3", {}, ask.name), legend(odds));
        fill(brings, allAtOnce(odds));
    }
    if (expected) show(expected);
    return { ask, node, note, weigh, choosing };
}

/** Tells the style how many columns there are, and how wide they may be. */
function layOut(node, cells) {
    node.style.setProperty("--cells", cells);
    node.style.setProperty("--across", cells > 4 ? 3 : cells); // where they do not stand in columns
    node.style.setProperty("--cell", cells > 6 ? "2.7rem" : cells > 5 ? "3.1rem" : "4.3rem");
    node.style.setProperty("--bar", cells > 6 ? "1.5rem" : "3rem");
}

function impossibleOf(impossible) {
    if (!impossible.length) return null;
    return h(
        "details",
        { class: "impossible" },
        h("summary", {}, `Not possible now (${impossible.length})`),
        h(
            "ul",
            {},
            impossible.map(({ move, reason }) =>
                h(
                    "li",
                    {},
                    h(
                        "span",
                        { class: "move", role: "button", "aria-disabled": "true", "data-impossible": move },
                        move,
                    ),
                    h("span", { class: "reason" }, reason),
                ),
            ),
        ),
    );
}

/** Puts the focus on the question, where no key makes a move by accident, unless the visitor is typing. */
function takeFocus(question) {
    if (isWriting(document.activeElement) || document.querySelector("dialog[open]")) return;
    question.focus({ preventScroll: true });
}
