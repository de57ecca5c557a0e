// The table of one fight: fighters above, the story and the moves, and the talk below.

import { alertOf, attempt, tell } from "./alerts.js";
import { get, post } from "./api.js";
import { createBoard, createEncounter } from "./board.js";
import { createChat } from "./chat.js";
import { button, createPlace, h } from "./dom.js";
import { createDuel, takenBack } from "./duel.js";
import { resultOf } from "./ending.js";
import { cardOf, createFighters, createStrip } from "./fighters.js";
import { createGuide } from "./guide.js";
import { createJump } from "./jump.js";
import { useKeys } from "./keys.js";
import * as live from "./live.js";
import { createMoves, decisionOf } from "./moves.js";
import { callFor, entitle, noticeSwitches } from "./notice.js";
import { replayView } from "./replay.js";
import { createSeats } from "./seats.js";
import { createStory, storyPart } from "./story.js";
import { createStoryteller } from "./storyteller.js";
import { asGame, systemOf } from "./systems.js";
import { tellingControls } from "./telling.js";
import { createWinBar } from "./winbar.js";
import { listed } from "./words.js";

/** The address of the fight to be projected. */
const screenOf = ({ number, you }) =>
    you.owner ? h("a", { id: "screen", href: `#/screen/${number}`, target: "_blank", rel: "noopener" }, "Screen to project") : null;

const DONE = { undo: "Taken back.", save: "Saved.", restore: "Restored.", end: "Closed.", leave: "You have left." };

const watched = new Set(); // fights of computers only that were told from the start, while the page is open

/** The view of #/fight/n. */
export async function tableView(number) {
    const first = await get(`combats/${number}`);
    if (isUnseen(first)) {
        watched.add(number);
        return replayView(number, 0, { plays: true });
    }
    const system = asGame(await systemOf(first.system), first.game);
    const parts = partsOf(number, system, { play, show: (now) => show(now), isMoving: () => sending.size > 0 });
    let table = null;
    const sending = new Set(); // the decisions whose answers are under way

    /** Shows a newer state of the fight; older ones that come late are left aside. */
    function show(now) {
        if (now.number !== first.number || (table && now.version < table.version)) return;
        const from = table ? (now.story_from ?? 0) : 0;
        if (table) tellOfTakingBack(table.undo, now.undo);
        table = { ...now, story: merged(table?.story ?? [], now) };
        parts.head.update(table, act);
        drawBody(parts, table, from);
        parts.jump.update(callUp(table));
    }

    /** After a break in the connection the next state is accepted, whatever its version. */
    function forget() {
        table = { ...table, version: -1 };
    }

    /** A second press for the same decision is ignored, one for the next decision never. */
    async function play(ask, move, together = false) {
        const decision = decisionOf(ask);
        if (sending.has(decision)) return;
        parts.story.skip();
        sending.add(decision);
        const message = { fighter: ask.fighter, move, decision: ask.decision, after: ask.after, together };
        await attempt(async () => {
            if (live.isOpen()) await live.ask({ type: "move", combat: first.number, ...message });
            else show(await post(`combats/${number}/moves`, message));
        });
        sending.delete(decision);
    }

    async function act(what) {
        const before = table.undo;
        const now = await attempt(() => post(`combats/${number}/${what}`));
        if (!now) return;
        show(now);
        if (now.undo.waiting.length) tell(takenBack(now.undo));
        else if (now.undo.undone === before.undone) tell(DONE[what]);
    }

    show(first);
    const stop = [
        live.on("table", show),
        live.on("line", ({ open }) => open && forget()),
        live.on("gone", (message) => message.combat === first.number && get(`combats/${number}`).then(show, alertOf)),
        live.on("absent", ({ problem }) => table.phase === "ended" || alertOf(problem)),
        useKeys(keysOf(parts)),
    ];
    stop.push(live.follow(first.number));
    return { title: first.name, node: parts.node, close: () => leave(parts, stop) };
}

/** Tells everybody what has been taken back, or who must agree that it is. */
function tellOfTakingBack(before, now) {
    const isAsked = now.waiting.length > 0 && takenBack(now) !== takenBack(before);
    if (isAsked || now.undone > before.undone) tell(takenBack(now));
}

/** Whether computers have fought it out by themselves before anyone could see it. */
function isUnseen({ number, phase, game, seats, you }) {
    const isOurs = seats.some((seat) => seat.player) || you.fighter;
    return phase === "over" && !game && !isOurs && !watched.has(String(number)) && seats.every((seat) => seat.tactic);
}

function partsOf(number, system, { play, show, isMoving }) {
    const head = createHead();
    const board = createBoard();
    const encounter = createEncounter();
    const seats = createSeats(number, system, show);
    const guide = createGuide(number, system.id);
    const duel = createDuel(number, system, show);
    const result = createPlace({ class: "ending" });
    const fighters = createFighters((fighter) => moves.aimAt(fighter));
    const strip = createStrip();
    const winBar = createWinBar(number);
    const story = createStory(system.id);
    const moves = createMoves(number, system, play);
    const chat = createChat(isMoving);
    const storyteller = createStoryteller(number, system, show);
    const columns = h(
        "div",
        { class: "columns" },
        storyPart(story, tellingControls(story.skip)),
        h("div", { class: "side" }, moves.node, encounter.node, result.node),
        chat.node,
    );
    const jump = createJump("Go to your move", moves.node, moves.focus);
    const notices = noticeSwitches();
    const node = h(
        "div",
        { class: "table" },
        head.node,
        strip.node,
        winBar.node,
        guide.node,
        board.node,
        system.game ? null : fighters.node,
        seats.node,
        columns,
        system.game ? fighters.node : null, // what they carry grows, and must not shift the moves
        duel.node,
        storyteller.node,
        seats.later,
        notices,
        jump.node,
    );
    return {
        node, head, guide, duel, board, encounter, seats, result, fighters, strip, winBar, story, moves, chat,
        storyteller, columns, jump,
    };
}

/** The story with the new lines in it: those before `story_from` stay, the rest is replaced. */
function merged(before, now) {
    const from = now.story_from ?? 0;
    if (from <= 0) return now.story;
    while (before.length && before.at(-1).n >= from) before.pop();
    before.push(...now.story);
    return before;
}

/** What the fight is called, what the viewer may do about it, and facts. No button is drawn anew, which could lose a
 * press of it, while the fight goes on. */
function createHead() {
    const title = createPlace({ class: "head" });
    const about = createPlace();
    function update(table, act) {
        const { name, phase, you } = table;
        const may = PRESSED.filter((what) => you.may.includes(what));
        title.show([name, phase, may, table.duel.rated && you.fighter], () => [
            h("h1", {}, name),
            h("div", { class: "row" }, may.map((what) => pressed(what, table, act))),
        ]);
        const facts = factsOf(table);
        about.show([facts, you, table.options], () => [
            h(
                "p",
                { class: "facts" },
                facts.map((fact) => h("span", {}, fact)),
                roleOf(you),
                screenOf(table),
            ),
            optionsOf(table.options),
        ]);
    }
    return { node: h("div", { class: "table-head" }, title.node, about.node), update };
}

const PRESSED = ["undo", "save", "restore", "end", "leave"];

/** One of the buttons at the head. */
function pressed(what, table, act) {
    const [text, title] = {
        undo: ["Undo", "Takes back the last move and all that followed"],
        save: ["Save"],
        restore: ["Restore", "Returns to the saved state"],
        end: [`${table.phase === "over" ? "Close" : "End"} the ${wordOf(table)}`],
        leave: [`Leave the ${wordOf(table)}`, "A computer player goes on for you"],
    }[what];
    return button(text, () => (what === "end" ? end(table, act) : act(what)), { id: what, title });
}

function factsOf(table) {
    return [
        table.game ? `${table.title}, ${table.game}` : table.title,
        table.place.name,
        table.phase === "running" ? `round ${table.round}` : null,
        table.duel.rated ? "counts for ratings" : null,
        `owner: ${table.owner}`,
        undoText(table),
    ].filter(Boolean);
}

function wordOf({ game }) {
    return game || "fight";
}

function undoText({ phase, undo }) {
    return phase === "setup" || phase === "ended" ? (undo.undone ? `${undo.undone} taken back` : null) : undo.text;
}

function roleOf({ fighter, owner }) {
    return fighter ? null : h("span", { class: "tag" }, owner ? "you are the storyteller" : "you are watching");
}

function optionsOf(options) {
    const names = Object.entries(options ?? {});
    if (!names.length) return null;
    return h(
        "p",
        { class: "hint" },
        "Options: ",
        listed(names.map(([name, value]) => `${name.replaceAll("_", " ")} ${said(value)}`)),
        ".",
    );
}

function said(value) {
    return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

function drawBody(parts, table, from) {
    const isSetup = table.phase === "setup";
    parts.columns.classList.toggle("talk-only", isSetup);
    parts.fighters.node.hidden = isSetup;
    parts.seats.update(table);
    parts.storyteller.update(table);
    parts.board.update(table);
    if (isSetup) return;
    parts.guide.update(table);
    parts.duel.update(table);
    parts.encounter.update(table, cardOf);
    parts.story.update(table.story, from);
    parts.fighters.update(table.teams, table.seats, table.you.fighter);
    parts.strip.update(table.teams, table.seats, table.you.fighter);
    parts.winBar.update(table);
    parts.moves.node.hidden = table.phase !== "running";
    parts.moves.update(table);
    parts.fighters.offer(table.phase === "running" ? parts.moves.targets() : []);
    parts.result.show([table.phase, table.ending, table.aftermath, table.commitment, table.secret], () =>
        resultOf(table),
    );
    parts.columns.classList.toggle("is-over", table.phase !== "running");
    parts.node.classList.toggle("running", table.phase === "running");
}

/** Ends a fight; one that is not decided only after a second question. */
function end(table, act) {
    if (table.phase === "over") return act("end");
    const dialog = h(
        "dialog",
        { "aria-labelledby": "end-title", onclose: () => dialog.remove() },
        h("h2", { id: "end-title" }, `End this ${wordOf(table)}?`),
        h("p", {}, "It is not decided yet. Its story is kept, but no more moves can be made."),
        table.duel.rated && table.you.fighter ? h("p", {}, "It counts for ratings: if you end it now, you resign it.") : null,
        h(
            "div",
            { class: "row" },
            button(
                "End it",
                () => {
                    dialog.close();
                    act("end");
                },
                { id: "confirm-end", class: "main" },
            ),
            button("Keep playing", () => dialog.close()),
        ),
    );
    document.body.append(dialog);
    return dialog.showModal();
}

/** Calls for the viewer's open decisions; returns whether there are any. */
function callUp(table) {
    const open = table.phase === "running" ? table.asks.filter((ask) => ask.answered === null) : [];
    entitle(table.name);
    callFor(open.length ? `${table.number}/${table.decision}` : null, open.map((ask) => ask.question).join(" "));
    return open.length > 0;
}

function keysOf(parts) {
    const digits = Array.from({ length: 9 }, (_, index) => ({
        key: String(index + 1),
        run: () => parts.moves.press(index + 1),
    }));
    return [
        { key: "1", shown: "1 to 9", does: "make the move with that number", run: () => parts.moves.press(1) },
        ...digits,
        { key: "m", does: "go to the moves", run: () => parts.moves.focus() },
        { key: "s", does: "go to the story", run: () => parts.story.node.focus() },
        { key: "c", does: "go to the chat", run: () => parts.chat.focus() },
        { key: "Escape", does: "tell the rest of the story at once", run: () => parts.story.skip() },
    ];
}

function leave(parts, stop) {
    stop.forEach((each) => each());
    parts.moves.close();
    parts.chat.close();
    parts.duel.close();
    parts.jump.close();
    callFor(null);
}
