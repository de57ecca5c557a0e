// The guide of a first fight: it explains a concept when the fight first shows it, and stays out of the way otherwise.

import { get } from "./api.js";
import { button, fill, h } from "./dom.js";
import { marked } from "./marked.js";

const FIGHTS = "affray.guided";
const KNOWN = "affray.taught.";

/** Lets a fight be guided from now on. */
export function guide(number) {
    write(sessionStorage, FIGHTS, [...read(sessionStorage, FIGHTS), Number(number)].slice(-20));
}

/** The guide of a fight; `update(table)` looks for what is new. One that is not guided shows nothing. */
export function createGuide(number, id) {
    const node = h("section", { class: "guide", "aria-label": "Guide", "aria-live": "polite", hidden: true });
    let lesson = null;
    let latest = null;
    const waiting = []; // texts that have come up and were not read yet
    const known = new Set(read(localStorage, KNOWN + id));

    async function start() {
        lesson = await get(`systems/${encodeURIComponent(id)}/lesson`);
        const goal = lesson.parts[0]?.blocks.find((block) => block.kind === "text")?.lines[0];
        if (goal && !known.size) waiting.push(goal);
        if (latest) update(latest);
    }

    function update(table) {
        latest = table;
        if (!lesson) return;
        const seen = wordsOf(table);
        for (const concept of lesson.concepts) {
            if (known.has(concept.says) || !concept.when.some((word) => has(seen, word))) continue;
            known.add(concept.says);
            waiting.push(concept.says);
        }
        draw();
    }

    function draw() {
        node.hidden = !waiting.length;
        node.parentElement?.classList.toggle("guided", !node.hidden);
        const [text] = waiting;
        if (!text || node.dataset.shown === `${text} ${waiting.length}`) return;
        node.dataset.shown = `${text} ${waiting.length}`;
        const more = waiting.length > 1 ? `Next (${waiting.length - 1} more)` : "Got it";
        fill(
            node,
            h("p", { class: "guide-text" }, marked(text)),
            h(
                "div",
                { class: "row" },
                button(more, turnOver, { id: "guide-next", class: "main" }),
                h("a", { href: `#/learn/${id}`, class: "button quiet" }, "All rules"),
                button("No guide", stop, { class: "quiet", id: "guide-stop" }),
            ),
        );
    }

    function turnOver() {
        waiting.shift();
        write(localStorage, KNOWN + id, [...known].filter((says) => !waiting.includes(says)));
        node.dataset.shown = "";
        draw();
        node.querySelector("#guide-next")?.focus();
    }

    function stop() {
        waiting.length = 0;
        lesson = null;
        write(sessionStorage, FIGHTS, read(sessionStorage, FIGHTS).filter((each) => each !== Number(number)));
        draw();
    }

    if (read(sessionStorage, FIGHTS).includes(Number(number))) start().catch(() => {}); // a fight can do without
    return { node, update };
}

/** What a viewer sees of a fight, as one text: the moves, the newest lines of the story, and labels of values. */
function wordsOf({ asks, story, seats }) {
    const moves = asks.flatMap((ask) => ask.moves);
    const labels = seats.flatMap((seat) => seat.scene.flatMap((widget) => [widget.label, ...widget.names]));
    return [...moves, ...story.slice(-40).map((line) => line.text), ...labels].join("\n");
}

function has(text, word) {
    const plain = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`(?<![\\w])${plain}(?![\\w])`).test(text);
}

function read(storage, key) {
    try {
        return JSON.parse(storage.getItem(key)) ?? [];
    } catch {
        return []; // a browser that keeps nothing
    }
}

function write(storage, key, value) {
    try {
        storage.setItem(key, JSON.stringify(value));
    } catch {
        // The guide then explains the same again next time.
    }
}
