// The visitor's open decisions: the question, the moves as buttons with their odds, and the moves not possible now.

import { fill, h, isWriting, ticked } from "./dom.js";
import { allAtOnce, assumed, assumptions, columnsOf, createOdds, headsOf, legend, oddsOf, oddsToCome } from "./odds.js";
import { isOn, turn } from "./settings.js";
import { listed, percent } from "./words.js";

const FEW = 10; // moves that need no grouping
const LONG = 12; // moves of a group beyond which it is a list to choose from
const DIGITS = 9;
const BRINGS = "What each move brings at once";

const REFINED = 10; // times that odds are asked for again
const PAUSE = 1000; // milliseconds before each of them

/** The panel of moves of a fight of a system. `play(ask, move)` makes one. */
export function createMoves(number, system, play) {
    const question = h("p", {
        id: "question",
        class: "question",
        role: "status",
        "aria-live": "assertive",
        tabindex: "-1",
    });
    const asks = h("div", { class: "asks" });
    const assume = assumptions(system, redraw);
    const shows = ticked("Show odds", isOn("odds"), showOdds, { id: "show-odds" });
    const notes = h("div", { class: "notes" }); // last, because its length changes while odds are refined
    const node = h(
        "section",
        { id: "moves", class: "moves", "aria-label": "Moves" },
        question,
        asks,
        shows,
        assume,
        notes,
    );
    assume.hidden = !isOn("odds");
    const odds = createOdds(number);
    let table = null;
    let shown = "";

    function showOdds(on) {
        turn("odds", on);
        assume.hidden = !on;
        redraw();
    }

    function update(now) {
        const changed = JSON.stringify([now.phase, now.decision, now.asks, now.waiting]);
        table = now;
        if (changed === shown) return;
        shown = changed;
        redraw();
        if (now.asks.some(isOpen)) takeFocus(asks, question);
    }

    function redraw() {
        const drawn = table.asks.map((ask) => askOf(ask, table, play, isWeighed() ? oddsToCome(system) : null));
        fill(question, h("span", {}, asked(table))); // a new node, so that the same question is read out again
        fill(
            asks,
            drawn.map((each) => each.node),
            waitingFor(table),
        );
        const open = isWeighed() ? drawn.filter((each) => isOpen(each.ask)) : [];
        fill(
            notes,
            open.map((each) => each.note),
        );
        giveKeys(asks);
        open.forEach(weigh);
    }

    /** On a board there is nothing to weigh. */
    function isWeighed() {
        return isOn("odds") && !(table.game && !table.board.foes.length);
    }

    async function weigh({ ask, node: place, note, weigh: show }) {
        note.textContent = "Calculating the odds\u2026";
        try {
            let found = await odds.of(`${shown} ${assumed(system.id)}`, ask.fighter, system.id);
            if (place.isConnected) show(found);
            for (let times = 0; found.more && times < REFINED; times++) {
                await new Promise((resume) => setTimeout(resume, PAUSE));
                if (!place.isConnected) return;
                if (document.hidden) continue;
                found = await odds.more(ask.fighter, system.id);
                if (place.isConnected) show(found);
            }
        } catch (error) {
            if (error.name !== "AbortError") note.textContent = `No odds: ${error.message}`;
        }
    }

    /** Presses the button with that number. */
    function press(digit) {
        const pressed = asks.querySelector(`button[data-key="${digit}"]`);
        pressed?.click();
        return Boolean(pressed);
    }

    return { node, update, press, focus: () => firstMove(asks, question).focus(), close: () => odds.forget() };
}

function isOpen(ask) {
    return ask.answered === null;
}

/** What is being asked, or whom the fight waits for. */
function asked(table) {
    const open = table.asks.filter(isOpen);
    if (open.length) return [...new Set(open.map((ask) => ask.question))].join(" ");
    if (table.asks.length) return "Your choice is in; it stays secret until all choices are in.";
    if (table.waiting.length) return `Waiting for ${listed(table.waiting)}.`;
    return table.you.fighter || table.you.owner ? "Nothing for you to decide now." : "You are watching.";
}

/** The players that the fight waits for, if the visitor has a question too. */
function waitingFor(table) {
    return table.asks.length && table.waiting.length
        ? h("p", { class: "hint" }, `Waiting for ${listed(table.waiting)}.`)
        : null;
}

/** One decision: its node, the note about its odds, and what to do once they have come; `expected` gives them room. */
function askOf(ask, table, play, expected) {
    const isOne = table.asks.length === 1;
    const title = isOne ? null : h("h3", {}, ask.name);
    if (!isOpen(ask)) {
        const chosen = h("p", {}, isOne ? "You chose " : `${ask.name}: `, h("b", {}, ask.answered), ".");
        return { ask, node: h("div", { class: "ask answered", "data-ask": ask.fighter }, title, chosen) };
    }
    const heads = h("div", { class: "heads" });
    const note = h("div", { class: `weighing hint ${expected?.costs.length ? "costs" : ""}` });
    const moves = movesOf(ask.moves, (move) => play(ask, move));
    const brings = h("div", {});
    const node = h(
        "div",
        { class: "ask", "data-ask": ask.fighter },
        title,
        ask.at_stake ? h("p", { class: "stake" }, ask.at_stake) : null,
        expected ? heads : null,
        moves.node,
        impossibleOf(ask.impossible),
        expected?.tells_at_once ? h("details", { class: "brings" }, h("summary", {}, BRINGS), brings) : null,
    );
    function show(odds) {
        const columns = columnsOf(odds);
        layOut(node, columns.filter((column) => !column.isExtra).length);
        fill(heads, headsOf(columns));
        moves.weigh(odds, columns);
    }
    function weigh(found) {
        const odds = { ...expected, ...found };
        show(odds);
        fill(note, isOne ? null : h("h3", {}, ask.name), legend(odds));
        fill(brings, allAtOnce(odds));
    }
    if (expected) show(expected);
    return { ask, node, note, weigh };
}

/** Tells the style how many columns there are, and how wide they may be. */
function layOut(node, cells) {
    node.style.setProperty("--cells", cells);
    node.style.setProperty("--across", cells > 4 ? 3 : cells); // where they do not stand in columns
    node.style.setProperty("--cell", cells > 6 ? "2.7rem" : cells > 5 ? "3.1rem" : "4.3rem");
    node.style.setProperty("--bar", cells > 6 ? "1.5rem" : "3rem");
}

function movesOf(moves, play) {
    if (moves.length <= FEW)
        return together(
            "div",
            "buttons",
            moves.map((move) => moveButton(move, move, play)),
        );
    const groups = [...byFirstWord(moves)];
    const alone = groups.filter(([, own]) => own.length === 1).flatMap(([, own]) => own);
    const sets = groups.filter(([, own]) => own.length > 1).map(([word, own]) => moveGroup(word, own, play));
    if (alone.length)
        sets.push(
            inFieldset(
                sets.length ? "Other moves" : "Moves",
                together(
                    "div",
                    "buttons",
                    alone.map((move) => moveButton(move, move, play)),
                ),
            ),
        );
    return together("div", "groups", sets);
}

function together(tag, kind, parts) {
    return {
        node: h(
            tag,
            { class: kind },
            parts.map((part) => part.node),
        ),
        weigh: (found, columns) => parts.forEach((part) => part.weigh(found, columns)),
    };
}

function inFieldset(title, part) {
    return { node: h("fieldset", {}, h("legend", {}, title), part.node), weigh: part.weigh };
}

function firstWord(move) {
    return move.split(" ", 1)[0];
}

function byFirstWord(moves) {
    const groups = new Map();
    for (const move of moves) groups.set(firstWord(move), [...(groups.get(firstWord(move)) ?? []), move]);
    return groups;
}

function moveGroup(word, moves, play) {
    if (moves.length > LONG) return inFieldset(word, chooser(word, moves, play));
    return inFieldset(
        word,
        together(
            "div",
            "buttons",
            moves.map((move) => moveButton(move, restOf(move), play)),
        ),
    );
}

function restOf(move) {
    return move.slice(firstWord(move).length).trim();
}

/** A long group: a list to choose from, and one button for what is chosen. */
function chooser(word, moves, play) {
    const place = h("div", { class: "buttons" });
    const options = moves.map((move) => h("option", { value: move }, restOf(move)));
    const select = h("select", { "aria-label": word, onchange: pick }, options);
    let odds = null;
    function pick() {
        const picked = moveButton(select.value, select.value, play);
        const key = place.querySelector("button.move")?.dataset.key;
        if (key) giveKey(picked.node, key);
        fill(place, picked.node);
        if (odds) picked.weigh(...odds);
    }
    function weigh(found, columns) {
        odds = [found, columns];
        for (const option of options) option.textContent = withChance(option.value, found);
        pick();
    }
    pick();
    return { node: h("div", { class: "chooser" }, select, place), weigh };
}

function withChance(move, found) {
    const odds = found.moves[move];
    if (!odds?.tells) return restOf(move);
    return `${restOf(move)} (win ${percent(odds.win)})${found.best === move ? ", best" : ""}`;
}

/** A move; inside a group its first word stands above the group, and is still read out with it. */
function moveButton(move, text, play) {
    const unseen = text === move ? null : h("span", { class: "unseen" }, `${firstWord(move)} `);
    const name = h("span", { class: "name" }, h("span", {}, unseen, text));
    const node = h("button", { type: "button", class: "move", "data-move": move, onclick: () => play(move) }, name);
    function weigh(found, columns) {
        node.querySelectorAll(".best, .bars, .odds, .at-once").forEach((old) => old.remove());
        if (found.best === move) name.append(h("span", { class: "best" }, "best"));
        node.append(...oddsOf(found, move, columns));
    }
    return { node, weigh };
}

/** The first nine buttons answer to the keys 1 to 9. */
function giveKeys(place) {
    const first = [...place.querySelectorAll("button.move")].slice(0, DIGITS);
    first.forEach((each, index) => giveKey(each, String(index + 1)));
}

function giveKey(node, key) {
    node.dataset.key = key;
    node.setAttribute("aria-keyshortcuts", key);
    node.querySelector(".name").prepend(h("kbd", { "aria-hidden": "true" }, key));
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

/** Puts the focus on the first move, unless the visitor is typing. */
function takeFocus(asks, question) {
    if (isWriting(document.activeElement) || document.querySelector("dialog[open]")) return;
    firstMove(asks, question).focus({ preventScroll: true });
}

function firstMove(asks, question) {
    return asks.querySelector("button.move") ?? question;
}
