// A screen to project for everyone at the table: the fight as a spectator may see it, large, and nothing to press.

import { alertOf } from "./alerts.js";
import { get } from "./api.js";
import { createPlace, h } from "./dom.js";
import { createFighters } from "./fighters.js";
import * as live from "./live.js";
import { createStory } from "./story.js";
import { systemOf } from "./systems.js";
import { waitingText } from "./waiting.js";
import { capital, endingIn } from "./words.js";

/** The view of #/screen/n; the server leaves out whatever a spectator may not know. */
export async function screenView(number) {
    const path = `combats/${number}?screen=true`;
    const first = await get(path);
    await systemOf(first.system); // what its signs and cards look like
    const fighters = createFighters();
    const story = createStory(first.system);
    const head = createPlace({ class: "screen-head" });
    const node = h("div", { class: "table screen" }, h("h1", {}, first.name), head.node, fighters.node, story.node);
    let lines = [];

    function show(now) {
        if (now.number !== first.number) return;
        const from = now.story_from ?? 0;
        lines = [...lines.filter((line) => line.n < from), ...now.story];
        head.show([now.phase, now.round, waitingText(now), now.ending], () => h("p", { role: "status" }, headline(now)));
        fighters.update(now.teams, now.seats);
        story.update(lines, from);
    }

    document.documentElement.classList.add("on-screen");
    show(first);
    const again = () => get(path).then(show, alertOf);
    const stop = [live.on("table", show), live.on("gone", again), live.follow(first.number, { screen: true })];
    const close = () => {
        document.documentElement.classList.remove("on-screen");
        stop.forEach((each) => each());
    };
    return { title: first.name, node, close };
}

function headline(table) {
    const { phase, round, ending, teams } = table;
    if (phase === "setup") return "The fight is about to begin.";
    if (phase !== "running") return capital(endingIn(ending, teams));
    return `Round ${round}. ${waitingText(table)}`;
}
