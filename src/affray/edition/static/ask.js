// Asks a Python in a worker, for pages that have no server: odds of a fight, code to run.

import { Pool } from "./pool.js";

let pool = null;

/** What a question finds; refusals are errors. One Python serves the whole page, and keeps what code has defined. */
export async function ask(question) {
    pool ??= new Pool(1);
    const answer = await pool.run(JSON.stringify(question), null).answer;
    if (answer === undefined) throw new Error("Python cannot run in this browser.");
    const { found, problem } = JSON.parse(answer);
    if (problem) throw new Error(problem);
    return found;
}
