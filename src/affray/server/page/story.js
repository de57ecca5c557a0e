// The log of a fight as prose, with the dice of each line and the rulings behind it.

import { attempt } from "./alerts.js";
import { button, fill, h } from "./dom.js";
import { iconed } from "./icons.js";
import { rulingOf } from "./systems.js";
import { hush, paceOf, soundOf } from "./telling.js";
import { thrownOf } from "./thrown.js";

const KEPT = 40; // of the last lines
const PACKED = 25; // lines that are laid out together: the browser's work grows with its boxes, not with their lines

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
        onanimationstart: ({ animationName, target }) => animationName === "told" && follows && reveal(target),
    });
    const drawn = [];
    const packs = [];
    let follows = true; // whether the visitor reads at the end
    let toldBy = 0; // when the last line is told
    let marked = [];

    function update(lines, from = 0) {
        const isAtEnd = !drawn.length || log.scrollHeight - log.scrollTop - log.clientHeight < 60;
        follows = isAtEnd || (follows && performance.now() < toldBy);
        let same = Math.min(drawn.length, firstOf(lines, from));
        while (same < drawn.length && isSame(drawn[same], lines[same])) same += 1;
        for (const each of drawn.splice(same)) each.node.remove();
        for (const pack of packs.splice(Math.ceil(same / PACKED))) pack.remove();
        const added = lines.slice(drawn.length);
        const pace = isLive && log.ariaLive === "polite" ? paceOf(added.length) : 0;
        toldBy = performance.now() + pace * added.length;
        added.forEach((line, place) => add(line, lines[drawn.length - 1], pace * place));
        log.closest(".table")?.style.setProperty("--told", `${pace * Math.max(0, added.length - 1)}ms`);
        settle();
        if (pace) soundOf(added, pace);
        if (follows && added.length && pace) reveal(drawn.at(-added.length).node);
        else if (follows && added.length) log.scrollTop = log.scrollHeight;
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
        if (drawn.length % PACKED === 0) log.append((packs[drawn.length / PACKED] = h("div", {})));
        packs.at(-1).append(node);
        drawn.push({ n: line.n, text: line.text, node });
    }

    /** Lets the browser leave out the lines far above the last one, in the height that they have. */
    function settle() {
        const isFar = (_, place) => (place + 1) * PACKED <= drawn.length - KEPT;
        const far = packs.filter(isFar).filter((pack) => !pack.classList.contains("old"));
        const heights = far.map((pack) => pack.offsetHeight);
        far.forEach((pack, place) => {
            pack.style.setProperty("--height", `${heights[place]}px`);
            pack.classList.add("old");
        });
    }

    /** Scrolls down to a line that is told, with what fell for it. */
    function reveal(line) {
        const below = line.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom + log.clientTop;
        if (below > 0) log.scrollTop += below;
    }

    /** Shows at once what is still being told. */
    function skip() {
        hush();
        const told = log.querySelectorAll(".fresh");
        for (const node of told) node.classList.remove("fresh");
        if (follows && told.length) log.scrollTop = log.scrollHeight;
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
