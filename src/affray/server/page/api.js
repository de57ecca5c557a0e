// Sends requests to the server, and turns every error into a sentence.

import { request } from "./transport.js";

/** A refusal: the server's sentence and its HTTP status (0 if there was no answer). */
export class Problem extends Error {
    constructor(status, problem, allowed = null) {
        super(problem);
        this.status = status;
        this.allowed = allowed;
    }
}

export const get = (path, signal) => ask("GET", path, undefined, signal);
export const post = (path, body = {}, signal) => ask("POST", path, body, signal);
export const put = (path, body) => ask("PUT", path, body);
export const remove = (path) => ask("DELETE", path);

/** The text of an answer, unread. */
export async function getText(path) {
    const answer = await fetched("GET", path);
    if (!answer.ok) throw refusal(answer.status, await read(answer));
    return answer.text();
}

async function ask(method, path, body, signal) {
    const answer = await fetched(method, path, body, signal);
    if (answer.status === 204) return null;
    const found = await read(answer);
    if (!answer.ok) throw refusal(answer.status, found);
    return found;
}

const read = (answer) => answer.json().catch(() => null);

let skew = 0; // milliseconds by which the server's clock is ahead, as its last answer said

/** The present moment by the server's clock, in milliseconds since 1970. */
export const serverTime = () => Date.now() + skew;

function setClock(answer) {
    const date = Date.parse(answer.headers.get("Date") ?? "");
    if (date) skew = date - Date.now();
    return answer;
}

async function fetched(method, path, body, signal) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    try {
        return setClock(await request(method, path, text, signal));
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem(0, "The server cannot be reached. Check your connection and try again.");
    }
}

function refusal(status, found) {
    return new Problem(
        status,
        found?.problem ?? `The server answered with an error (${status}).`,
        found?.allowed ?? null,
    );
}
