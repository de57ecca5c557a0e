// Whom a fight waits for: people and for how long, computers that think, and those who choose in secret.

import { serverTime } from "./api.js";
import { fill, h } from "./dom.js";
import { capital, counted, listed } from "./words.js";

const SECOND = 1000;
const SETTLED = 1500; // milliseconds after which a wait is read out, so that quick moves are not
const NAMED = 3; // fighters who are named, before the rest is counted

/** The line below the question, which always has the same height; `close()` stops its clock. */
export function createWaiting() {
    const shown = h("p", { class: "waits" });
    const spoken = h("p", { class: "unseen", role: "status" });
    const node = h("div", { class: "waiting" }, shown, spoken);
    let table = null;
    let text = "";
    let later = null;

    function update(now) {
        table = now;
        draw();
        if (text === waitingText(now)) return;
        text = waitingText(now);
        clearTimeout(later);
        // A visitor who is asked hears the question, and that is enough.
        if (!isAsked(now)) later = setTimeout(() => fill(spoken, text), SETTLED);
    }

    function draw() {
        if (table) fill(shown, waitingText(table), h("span", { class: "since" }, lasting(table)));
    }

    const ticking = setInterval(draw, SECOND);
    const close = () => {
        clearInterval(ticking);
        clearTimeout(later);
    };
    return { node, update, close };
}

/** Whom a fight waits for, as a sentence. */
export function waitingText({ phase, seats, asks, owner, simultaneous }) {
    const due = phase === "running" ? seats.filter((seat) => seat.due) : [];
    const mine = new Set(asks.filter((ask) => ask.answered === null).map((ask) => ask.fighter));
    const others = due.filter((seat) => !mine.has(seat.fighter));
    if (!others.length) return mine.size ? "The fight waits for you." : "";
    const names = [...(mine.size ? ["you"] : []), ...named(others, owner)];
    // Who of them has chosen must not be seen, so no one is said to think.
    if (simultaneous && names.length > 1) return `${capital(listed(names))} choose at the same time, in secret.`;
    if (names.length > 1) return `${capital(listed(names))} move in any order.`;
    return others[0].thinks ? `${capital(names[0])} is thinking.` : `Waiting for ${names[0]}.`;
}

function named(seats, owner) {
    const names = seats.slice(0, NAMED).map((seat) => `${seat.name} (${behind(seat, owner)})`);
    const rest = seats.length - names.length;
    return rest ? [...names, counted(rest, "other")] : names;
}

/** Who decides for a fighter. */
function behind(seat, owner) {
    if (seat.tactic) return `computer, ${seat.tactic}`;
    if (seat.player) return seat.here ? seat.player : `${seat.player}, away`;
    return seat.open ? "open seat" : owner;
}

const isAsked = ({ asks }) => asks.some((ask) => ask.answered === null);

const UNITS = [
    ["day", 24 * 3600],
    ["hour", 3600],
    ["minute", 60],
];

/** For how long the open decision has been open, in one unit; empty when that is not known, or just a moment. */
function lasting({ asked_at: asked }) {
    const seconds = asked === null ? 0 : serverTime() / SECOND - asked;
    const [unit, size] = UNITS.find((each) => seconds >= each[1]) ?? [];
    if (unit) return ` ${counted(Math.floor(seconds / size), unit)} so far.`;
    return seconds >= 5 ? ` ${Math.floor(seconds / 5) * 5} s so far.` : "";
}
