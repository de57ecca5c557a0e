// The log of a fight as prose, with the dice of each line and the rulings behind it.

import { attempt } from "./alerts.js";
import { button, fill, h } from "./dom.js";
import { iconed } from "./icons.js";
import { rulingOf } from "./systems.js";
import { hush, paceOf, soundOf } from "./telling.js";
import { thrownOf } from "./thrown.js";

const KEPT = 40; // of the last lines

/**
 * A log that grows: `update` takes all lines as they are now, of which those before `from` have not changed, and tells
 * new ones one after another; `mark` sets off some by their numbers.
 */
export function createStory(system, isLive = true) {
    const log = h("div", {
        id: "story",
        class: "story",
        role: "log",
        tabindex: "0",
        "aria-label": "Story",
        "aria-live": "off",
    });
    const drawn = [];
    let marked = [];
    let settled = 0; // lines far above the last one, which the browser need not lay out anew

    function update(lines, from = 0) {
        const wasAtEnd = !drawn.length || log.scrollHeight - log.scrollTop - log.clientHeight < 60;
        let same = Math.min(drawn.length, firstOf(lines, from));
        while (same < drawn.length && isSame(drawn[same], lines[same])) same += 1;
        for (const each of drawn.splice(same)) each.node.remove();
        settled = Math.min(settled, drawn.length);
        const added = lines.slice(drawn.length);
        const pace = isLive && log.ariaLive === "polite" ? paceOf(added.length) : 0;
        added.forEach((line, place) => add(line, lines[drawn.length - 1], pace * place));
        log.closest(".table")?.style.setProperty("--told", `${pace * Math.max(0, added.length - 1)}ms`);
        for (; settled < drawn.length - KEPT; settled++) drawn[settled].node.classList.add("old");
        if (pace) soundOf(added, pace);
        if (wasAtEnd && added.length) log.scrollTop = log.scrollHeight;
        if (!isLive || log.ariaLive === "polite") return;
        requestAnimationFrame(() => {
            log.scrollTop = log.scrollHeight;
            log.setAttribute("aria-live", "polite"); // what was there at first is not read out
        });
    }

    function add(line, before, later) {
        const node = lineOf(system, line, before && before.decision !== line.decision);
        if (isLive && log.ariaLive === "polite") {
            node.classList.add("fresh");
            node.style.setProperty("--at", `${later}ms`);
        }
        drawn.push({ n: line.n, text: line.text, node });
        log.append(node);
    }

    /** Shows at once what is still being told. */
    function skip() {
        hush();
        for (const node of log.querySelectorAll(".fresh")) node.classList.remove("fresh");
        log.closest(".table")?.style.setProperty("--told", "0ms");
    }

    function mark(numbers) {
        const now = new Set(numbers);
        for (const node of marked) node.classList.remove("now");
        marked = drawn.filter(({ n }) => now.has(n)).map(({ node }) => node);
        for (const node of marked) node.classList.add("now");
        log.scrollTop = log.scrollHeight;
    }

    return { node: log, update, mark, skip };
}

function isSame(drawn, line) {
    return line !== undefined && drawn.n === line.n && drawn.text === line.text;
}

/** Where the lines from a number on begin, looked for from the end. */
function firstOf(lines, from) {
    let place = lines.length;
    while (place > 0 && lines[place - 1].n >= from) place -= 1;
    return place;
}

/** A story under its heading. */
export function storyPart(story, controls = null) {
    const title = h("h2", { id: "story-title" }, "Story");
    return h("section", { class: "told", "aria-labelledby": "story-title" }, title, story.node, controls);
}

function lineOf(system, line, isNewDecision) {
    const rulings = h("div", { class: "rulings", hidden: true });
    return h(
        "div",
        { class: isNewDecision ? "line next" : "line", "data-line": line.n },
        h("p", {}, iconed(line.text), line.why.length ? [" ", whyButton(system, line, rulings)] : null),
        thrownOf(line.thrown),
        rulings,
    );
}

function whyButton(system, line, rulings) {
    const why = button("why", toggle, { class: "why", "aria-expanded": "false", "aria-label": `Why? ${line.text}` });
    async function toggle() {
        const opens = rulings.hidden;
        if (opens && !rulings.firstChild) await attempt(() => explain(system, line.why, rulings));
        rulings.hidden = !opens;
        why.setAttribute("aria-expanded", String(opens));
    }
    return why;
}

async function explain(system, ids, rulings) {
    const found = await Promise.all(ids.map((id) => rulingOf(system, id)));
    fill(
        rulings,
        found.filter(Boolean).map((ruling) => h("p", {}, h("strong", {}, ruling.title), " ", ruling.text)),
    );
}
