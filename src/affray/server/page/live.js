// The connection to the server: it reconnects when it breaks, and then follows the same fight again.

import { Problem } from "./api.js";
import { openLine } from "./transport.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
const PULSE = 25_000;
const PATIENCE = 10_000;

const hearers = new Map();
const asked = new Map();
let socket = null;
const following = []; // the last of these fights is followed; a view that is replaced may open after its successor
let failures = 0;
let timer = 0;
let heardAt = 0;
let lastId = 0;
let tabled = null; // the last table as the server has told it

/** Opens the line, and keeps it open from then on. */
export function open() {
    clearTimeout(timer);
    const line = openLine();
    socket = line;
    line.onopen = () => opened(line);
    line.onmessage = (event) => line === socket && heard(JSON.parse(event.data));
    line.onclose = () => line === socket && lost();
}

/** Opens the line anew, as another visitor after a login. */
export function reopen() {
    const old = socket;
    socket = null;
    old?.close();
    dropAsked();
    open();
}

/** Calls `hear` with every message of a type, and with `line` when the line opens or breaks; returns how to stop. */
export function on(type, hear) {
    if (!hearers.has(type)) hearers.set(type, new Set());
    hearers.get(type).add(hear);
    return () => hearers.get(type).delete(hear);
}

/** Whether messages get through now. */
export const isOpen = () => socket?.readyState === WebSocket.OPEN;

/** Follows a fight from now on; returns how to stop. */
export function follow(combat, how = {}) {
    const mine = { combat, how };
    following.push(mine);
    if (isOpen()) enter();
    return () => {
        const place = following.indexOf(mine);
        if (place < 0) return;
        const wasFollowed = place === following.length - 1;
        following.splice(place, 1);
        if (!wasFollowed || !isOpen()) return;
        if (following.length) enter();
        else send({ type: "leave" });
    };
}

/** Sends a message; false where the line is broken. */
export function send(message) {
    if (!isOpen()) return false;
    socket.send(JSON.stringify(message));
    return true;
}

/** Sends a message and waits for `done`; `refused` and silence become a Problem. */
export function ask(message) {
    const id = ++lastId;
    if (!send({ ...message, id })) return Promise.reject(silence());
    return new Promise((resolve, reject) => {
        const clock = setTimeout(() => settled(id)?.reject(silence()), PATIENCE);
        asked.set(id, { resolve, reject, clock });
    });
}

function opened(line) {
    if (line !== socket) return;
    failures = 0;
    heardAt = Date.now();
    if (following.length) enter();
    tellAll("line", { open: true });
}

function enter() {
    const { combat, how } = following.at(-1);
    ask({ type: "enter", combat, ...how }).catch(
        (problem) => problem.status && tellAll("absent", { problem }),
    );
}

function heard(message) {
    heardAt = Date.now();
    if (message.id !== undefined && message.id !== null) answered(message);
    if (message.type === "table") tabled = message;
    if (message.type === "changed") tellAll("table", changed(message));
    else tellAll(message.type, message);
}

/** The table with what is different in it; without a story all lines stay. */
function changed({ changes }) {
    tabled = { ...tabled, story: [], story_from: Infinity, ...changes };
    return tabled;
}

function answered(message) {
    const waiting = settled(message.id);
    if (message.type === "refused") waiting?.reject(new Problem(409, message.problem, message.allowed));
    else waiting?.resolve(message);
}

function settled(id) {
    const waiting = asked.get(id);
    asked.delete(id);
    clearTimeout(waiting?.clock);
    return waiting;
}

function lost() {
    dropAsked();
    tellAll("line", { open: false });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.75 + Math.random() / 2);
    failures += 1;
    timer = setTimeout(open, wait);
}

function dropAsked() {
    for (const id of [...asked.keys()]) settled(id).reject(silence());
}

function silence() {
    return new Problem(0, "The server did not answer. The page updates as soon as the connection is back.");
}

function tellAll(type, message) {
    for (const hear of [...(hearers.get(type) ?? [])]) hear(message);
}

function pulse() {
    if (!isOpen()) return;
    if (Date.now() - heardAt > 2.5 * PULSE) socket.close();
    else send({ type: "ping" });
}

function hurry() {
    if (socket && socket.readyState === WebSocket.CLOSED) open();
}

setInterval(pulse, PULSE);
addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.hidden || hurry());
