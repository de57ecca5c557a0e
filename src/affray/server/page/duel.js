// Between opponents: clocks, resigning, a draw that is offered, how people ended a fight, and another one.

import { attempt } from "./alerts.js";
import { post, put, remove } from "./api.js";
import { button, choice, createPlace, h, labelled } from "./dom.js";
import { counted, listed } from "./words.js";

const SECOND = 1000;
const HURRY = 20; // seconds, from which on a clock calls for attention

/** What stands below the head of a table; `update(table)` shows it, `close()` stops the clocks. */
export function createDuel(number, system, show) {
    const clocks = createPlace({ class: "clocks" });
    const rest = createPlace({ class: "duel" });
    const node = h("div", {}, clocks.node, rest.node);
    let shownAt = 0;
    let latest = null;
    let followed = null;

    async function act(what, body, how = post) {
        const now = await attempt(() => how(`combats/${number}/${what}`, body));
        if (now) show(now);
    }

    function update(table) {
        latest = table;
        shownAt = performance.now();
        draw();
        const { wishes, concluded, clock } = table.duel;
        rest.show([wishes, concluded, table.duel.next, table.phase, table.you, table.undo, clock?.fallback], () =>
            partsOf(table, system.tactics, act),
        );
        const { next } = table.duel;
        if (next && followed === null && table.you.fighter) location.hash = `#/fight/${next}`;
        followed = next ?? followed;
    }

    function draw() {
        const clock = latest?.phase === "running" ? latest.duel.clock : null;
        const passed = (performance.now() - shownAt) / SECOND;
        const shown = clock ? Object.keys(clock.left).map((name) => [name, leftOf(clock, name, passed)]) : [];
        const drawn = shown.map(([name, left]) => [name, left, clock.running.includes(name), clock.by_mail]);
        clocks.show(drawn, () => drawn.map((each) => clockOf(...each)));
    }

    const ticking = setInterval(draw, SECOND / 2);
    return { node, update, close: () => clearInterval(ticking) };
}

function leftOf(clock, name, passed) {
    const left = clock.left[name] - (clock.running.includes(name) ? passed : 0);
    return Math.max(0, Math.ceil(left));
}

const DAY = 24 * 3600;

/** The time until a move by correspondence is due, in words. */
export function timeLeft(left) {
    const units = [["day", left / DAY], ["hour", (left % DAY) / 3600], ["minute", (left % 3600) / 60]];
    const said = units.filter(([, number]) => number >= 1).map(([unit, number]) => counted(Math.floor(number), unit));
    return said.slice(0, 2).join(" ") || "less than a minute";
}

function clockOf(name, left, isRunning, byMail) {
    if (byMail) return mailOf(name, left, isRunning);
    const hours = Math.floor(left / 3600);
    const [minutes, seconds] = [Math.floor((left % 3600) / 60), left % 60].map((n) => String(n).padStart(2, "0"));
    const time = hours ? `${hours}:${minutes}:${seconds}` : `${minutes}:${seconds}`;
    const kind = `clock${isRunning ? " running" : ""}${left <= HURRY ? " short" : ""}`;
    return h("p", { class: kind }, h("span", {}, name), h("b", { role: "timer" }, time));
}

function mailOf(name, left, isRunning) {
    const kind = `clock${isRunning ? " running" : ""}${isRunning && left < DAY ? " short" : ""}`;
    const said = isRunning ? `${timeLeft(left)} left` : "waits";
    return h("p", { class: kind }, h("span", {}, name), h("b", { role: "timer" }, said));
}

/** Which tactic moves when the viewer's time for a move is up. */
function fallbackOf({ duel, you, phase }, tactics, act) {
    if (!duel.clock?.per_move || !you.fighter || phase !== "running") return null;
    const pairs = [["", "The usual tactic of my sheet"], ...tactics.map(({ name }) => [name, name])];
    const change = (event) => act("fallback", { tactic: event.target.value }, put);
    const select = choice(pairs, duel.clock.fallback, { id: "fallback", onchange: change });
    return labelled("If my time for a move is up, the computer moves by", select);
}

function partsOf(table, tactics, act) {
    const { duel, you } = table;
    const may = new Set(you.may);
    const offering = namesWith(duel.wishes, "draw");
    const isMine = offering.includes(you.fighter);
    return [
        duel.concluded ? h("p", { class: "concluded" }, `The fight was not fought out: ${duel.concluded}.`) : null,
        table.phase === "ended" ? null : h("p", { id: "taken-back" }, takenBack(table.undo)),
        offering.length ? h("p", { role: "status" }, `A draw is offered by ${listed(offering)}.`) : null,
        h(
            "div",
            { class: "row" },
            may.has("draw") && !isMine
                ? button(offering.length ? "Accept the draw" : "Offer a draw", () => act("draw"), { id: "draw" })
                : null,
            may.has("decline")
                ? button(isMine ? "Withdraw the offer" : "Decline", () => act("decline"), { id: "decline" })
                : null,
            may.has("resign") ? button("Resign", () => sure(() => act("resign")), { id: "resign", class: "quiet" }) : null,
        ),
        may.has("rematch") ? wantsAgain(table) : null,
        fallbackOf(table, tactics, act),
        handingOf(table, act),
    ];
}

/** Who is asked to agree that something is taken back, or else what was taken back last; empty if nothing was. */
export function takenBack({ waiting, asked, undone, last }) {
    if (waiting.length) {
        const everything = asked === "restore";
        const what = everything ? "everything since the saved state" : "the last move";
        return `To take back ${what}, ${listed(waiting)} must agree by pressing ${everything ? "Restore" : "Undo"}.`;
    }
    if (!undone) return "";
    return `Taken back: ${last}.${undone > 1 ? ` ${undone} moves in all so far.` : ""}`;
}

function wantsAgain({ duel, you }) {
    const asked = duel.wishes[you.fighter];
    const others = namesWith(duel.wishes, "swap", "again").filter((name) => name !== you.fighter);
    const said = others.length ? `${listed(others)} ${others.length > 1 ? "want" : "wants"} to fight again. ` : "";
    return said || asked ? h("p", { role: "status" }, said, asked ? "You have asked for another fight." : "") : null;
}

/** Handing one's seat over, or taking one that is handed over. */
function handingOf({ you, phase }, act) {
    if (you.offered)
        return h(
            "div",
            { class: "card-note", id: "offered" },
            h("p", { role: "status" }, `You are offered the seat of ${you.offered}.`),
            h(
                "div",
                { class: "row" },
                button("Take the seat", () => act("heir"), { id: "accept-seat", class: "main" }),
                button("Refuse", () => act("heir", undefined, remove), { id: "refuse-seat" }),
            ),
        );
    if (!you.fighter || !["setup", "running"].includes(phase)) return null;
    if (you.heir)
        return h(
            "p",
            {},
            `${you.heir} can take your seat. `,
            button("Keep my seat", () => act("heir", { name: "" }, put), { id: "keep-seat" }),
        );
    const name = h("input", { id: "heir", maxlength: 40, required: true });
    const submit = (event) => {
        event.preventDefault();
        act("heir", { name: name.value.trim() }, put);
    };
    return h(
        "details",
        { class: "handing" },
        h("summary", {}, "Hand my seat over"),
        h("form", { onsubmit: submit }, labelled("To which player", name), h("button", { type: "submit", id: "hand" }, "Offer it")),
    );
}

function namesWith(wishes, ...wanted) {
    return Object.entries(wishes)
        .filter(([, wish]) => wanted.includes(wish))
        .map(([name]) => name);
}

/** Asks once more before giving up. */
function sure(does) {
    const dialog = h(
        "dialog",
        { id: "resign-dialog", "aria-labelledby": "resign-title", onclose: () => dialog.remove() },
        h("h2", { id: "resign-title" }, "Resign?"),
        h("p", {}, "The other side wins, and that cannot be taken back."),
        h(
            "div",
            { class: "row" },
            button(
                "Resign",
                () => {
                    dialog.close();
                    does();
                },
                { id: "confirm-resign", class: "main" },
            ),
            button("Fight on", () => dialog.close()),
        ),
    );
    document.body.append(dialog);
    dialog.showModal();
}

/** The choice of a clock for a new fight. */
export const CLOCKS = [
    ["", "No clock"],
    ["180+2", "3 minutes each, 2 seconds more a move"],
    ["300+5", "5 minutes each, 5 seconds more a move"],
    ["900+10", "15 minutes each, 10 seconds more a move"],
    ["60/move", "1 minute a move, then the computer moves"],
    ["1d/move", "By correspondence: 1 day a move, then the computer moves"],
    ["3d/move", "By correspondence: 3 days a move, then the computer moves"],
    ["7d/move", "By correspondence: 7 days a move, then the computer moves"],
];
