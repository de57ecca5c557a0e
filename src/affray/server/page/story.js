// The log of a fight as prose, with the dice of each line and the rulings behind it.

import { attempt } from "./alerts.js";
import { button, fill, h } from "./dom.js";
import { iconed } from "./icons.js";
import { rulingOf } from "./systems.js";
import { thrownOf } from "./thrown.js";

/** A log that grows: `update` takes all lines as they are now, `mark` sets off some by their numbers. */
export function createStory(system, isLive = true) {
    const log = h("div", {
        id: "story",
        class: "story",
        role: "log",
        tabindex: "0",
        "aria-label": "Story",
        "aria-live": "off",
    });
    const drawn = new Map();

    function update(lines) {
        const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
        const wanted = new Map(lines.map((line) => [line.n, line]));
        const changed = [...drawn].find(([n, { text }]) => wanted.get(n)?.text !== text)?.[0] ?? Infinity;
        for (const [n, { node }] of drawn) if (n >= changed) drop(n, node);
        lines.forEach((line, place) => drawn.has(line.n) || add(line, lines[place - 1]));
        if (wasAtEnd) log.scrollTop = log.scrollHeight;
        if (!isLive || log.ariaLive === "polite") return;
        requestAnimationFrame(() => {
            log.scrollTop = log.scrollHeight;
            log.setAttribute("aria-live", "polite"); // what was there at first is not read out
        });
    }

    function drop(n, node) {
        node.remove();
        drawn.delete(n);
    }

    function add(line, before) {
        const node = lineOf(system, line, before && before.decision !== line.decision);
        drawn.set(line.n, { text: line.text, node });
        log.append(node);
    }

    function mark(numbers) {
        const marked = new Set(numbers);
        for (const [n, { node }] of drawn) node.classList.toggle("now", marked.has(n));
        log.scrollTop = log.scrollHeight;
    }

    return { node: log, update, mark };
}

/** A story under its heading. */
export function storyPart(story) {
    const title = h("h2", { id: "story-title" }, "Story");
    return h("section", { class: "told", "aria-labelledby": "story-title" }, title, story.node);
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
