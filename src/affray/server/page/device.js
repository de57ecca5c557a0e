// Works out odds and lab jobs on this device, if the server has the files for it; the server does it otherwise.

import { get, post, Problem } from "./api.js";
import { who } from "./session.js";

const PARTS = 4; // for each worker: so often a simulation tells how far it is

let pool = null;
let isReady = false;

/** Starts a Python in a worker; until it is ready the server is asked. */
export async function startDevice() {
    if (!who().python || pool || typeof WebAssembly === "undefined") return;
    try {
        const { Pool } = await import("../python/pool.js");
        pool = new Pool();
        isReady = await ask({ ask: "ready" });
    } catch (error) {
        console.info(`Odds come from the server: ${error.message}`);
    }
}

/** Whether questions are answered on this device. */
export const isDeviceReady = () => isReady;

/** The odds of a fighter's moves in a fight. */
export async function oddsFrom(number, asked, signal) {
    if (!isReady) return post(`combats/${number}/odds`, asked, signal);
    const { fighter, tactic, play, aim } = asked;
    const where = `combats/${number}/position?fighter=${encodeURIComponent(fighter)}`;
    const position = await get(where, signal).catch((error) => {
        if (error.name === "AbortError") throw error;
        return null; // some numbers are the storyteller's secret, and only the server knows them
    });
    if (!position) return post(`combats/${number}/odds`, asked, signal);
    const found = await ask({ ask: "odds", position, tactic, play, aim });
    signal.throwIfAborted();
    return found;
}

/** A job of the lab on this device: `state()` tells how far it is, `cancel()` stops it; null if the server has to. */
export function jobHere(request) {
    if (!isReady || !["simulate", "odds"].includes(request.kind)) return null;
    const stop = new AbortController();
    const isOdds = request.kind === "odds";
    const of = isOdds ? 1 : request.fights;
    const job = { kind: request.kind, state: "running", done: 0, of, problem: null, result: null };
    const working = isOdds ? ask({ ask: "odds of a fight", request }, stop.signal) : simulated(request, job, stop.signal);
    working.then(
        (result) => Object.assign(job, { state: "done", done: of, result }),
        (error) => job.state === "running" && Object.assign(job, { state: "failed", problem: error.message }),
    );
    const cancel = () => {
        if (job.state !== "running") return;
        Object.assign(job, { state: "cancelled", problem: "it was cancelled" });
        stop.abort();
    };
    return { state: () => job, cancel };
}

async function simulated(request, job, signal) {
    const begun = performance.now();
    const size = Math.ceil(request.fights / (PARTS * pool.size));
    const firsts = Array.from({ length: Math.ceil(request.fights / size) }, (_, place) => place * size);
    const parts = await Promise.all(
        firsts.map(async (first) => {
            const count = Math.min(size, request.fights - first);
            const part = await ask({ ask: "simulate part", request, first, count }, signal);
            job.done += count;
            return part;
        }),
    );
    const seconds = (performance.now() - begun) / 1000;
    return ask({ ask: "simulate total", request, parts, seconds }, signal);
}

/** Has a worker answer a question; `signal` ends the worker. */
async function ask(question, signal) {
    const asked = pool.run(JSON.stringify(question), null);
    signal?.addEventListener("abort", asked.stop);
    const answer = await asked.answer;
    if (answer === undefined) throw new Problem(0, "The worker of this page has ended.");
    const { found, problem } = JSON.parse(answer);
    if (problem) throw new Problem(409, problem);
    return found;
}
