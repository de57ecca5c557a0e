// A replay: step through a fight, scrub or play it, fork it at any point, share it, and audit its luck.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, h, labelled } from "./dom.js";
import { shareButton } from "./ending.js";
import { fairDice } from "./fair_dice.js";
import { createFighters, createStrip } from "./fighters.js";
import { useKeys } from "./keys.js";
import { analysisPart } from "./luck.js";
import { createPlayback } from "./playback.js";
import { copy } from "./seats.js";
import { who } from "./session.js";
import { createStory, storyPart } from "./story.js";
import { systemOf } from "./systems.js";
import { endingIn } from "./words.js";

/**
 * The view of #/replay/n, or of #/replay/n/step; `plays` begins to play it by itself, and in the page of another site
 * (`isFramed`) there is nothing but the fight.
 */
export async function replayView(number, step, { plays = false, isFramed = false } = {}) {
    const replay = await get(`combats/${number}/replay`);
    await systemOf(replay.system); // what its signs and cards look like
    const teams = Array.isArray(replay.teams) ? replay.teams : Object.keys(replay.teams);
    const fighters = createFighters();
    const strip = createStrip();
    const story = createStory(replay.system, false);
    const controls = createPlayback(replay.frames.length, draw);
    const link = () => new URL(`#/replay/${number}/${controls.at()}`, document.baseURI).href;

    function draw(at) {
        const frame = replay.frames[at];
        const before = new Set(replay.frames.slice(0, at + 1).flatMap((each) => each.lines));
        const seats = frame.seats.map((seat) => ({ ...seat, due: false }));
        fighters.update(teams, seats);
        strip.update(teams, seats, null);
        story.update(replay.story.filter((line) => before.has(line.n)));
        story.mark(frame.lines);
        controls.say(caption(frame, at, replay.frames.length - 1));
    }

    controls.go(Number(step ?? 0));
    const share = isFramed ? null : button("Copy a link to this point", () => copy(link()), { id: "share" });
    const sharing = replay.ending === null || plays || isFramed ? null : shareButton(number);
    const facts = [replay.title, plays ? null : endingIn(replay.ending, teams)].filter(Boolean);
    const analysis = analysisPart(number, (decision) => goTo(replay.frames, decision));
    const goTo = (frames, decision) => {
        controls.pause();
        controls.go(frames.findIndex((frame) => frame.decision === decision));
    };
    const toTable = plays ? h("a", { class: "button", href: `#/fight/${number}`, onclick: leave }, "Go to the table") : null;
    const whole = isFramed ? h("a", { class: "button", href: `share/${number}`, target: "_blank", rel: "noopener" }, "Open in Affray") : null;
    const side = plays || isFramed ? [] : [analysis, afterwards(replay.aftermath), forkForm(replay, controls), fairDice(replay)];
    const node = h(
        "div",
        { class: "table replay" },
        h("div", { class: "head" }, h("h1", {}, replay.name), h("div", { class: "row" }, toTable, sharing, share, whole)),
        h(
            "p",
            { class: "facts" },
            facts.map((fact) => h("span", {}, fact)),
        ),
        controls.node,
        strip.node,
        fighters.node,
        h("div", { class: "columns" }, storyPart(story), h("div", { class: "side" }, side)),
    );
    if (plays) controls.play();
    const stop = [useKeys(controls.keys), controls.pause];
    return { title: `Replay of ${replay.name}`, node, close: () => stop.forEach((each) => each()) };
}

function afterwards(lines) {
    if (!lines.length) return null;
    return h(
        "section",
        {},
        h("h2", {}, "Afterwards"),
        lines.map((line) => h("p", {}, line)),
    );
}

function caption(frame, at, last) {
    if (at === 0) return `The opening; ${last} decisions follow.`;
    const answers = frame.answers ?? [{ who: frame.who, move: frame.move }];
    const what = answers.map(({ who: name, move }) => `${name}: ${move}`).join("; ");
    return `${at} of ${last}, round ${frame.round}${what ? `. ${what}` : ""}`;
}

function forkForm(replay, controls) {
    if (!who().known) return null;
    const name = h("input", { value: `${replay.name.slice(0, 28)}, otherwise`, maxlength: 40, required: true });
    const fork = async (event) => {
        event.preventDefault();
        const at = replay.frames[controls.at()].decision + 1; // the decision that is open after that frame
        const made = await attempt(() => post(`combats/${replay.number}/fork`, { at, name: name.value.trim() }));
        if (made) location.hash = `#/fight/${made.number}`;
    };
    return h(
        "section",
        { class: "fork" },
        h("h2", {}, "What if?"),
        h("p", { class: "hint" }, "Creates a new fight that is the same up to this point. This fight does not change."),
        h(
            "form",
            { onsubmit: fork },
            labelled("Name of the new fight", name),
            h("button", { type: "submit", id: "fork" }, "Fork from here"),
        ),
    );
}

/** The address of the table is that of this view, which the browser would not show anew. */
function leave(event) {
    event.preventDefault();
    dispatchEvent(new HashChangeEvent("hashchange"));
}
