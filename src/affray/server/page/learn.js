// A page for each system: its rules in five minutes, with a few moves of a fight that was really played.

import { get } from "./api.js";
import { h } from "./dom.js";
import { marked } from "./marked.js";
import { capital } from "./words.js";

/** The view of #/learn/id. */
export async function learnView(id) {
    const lesson = await get(`systems/${encodeURIComponent(id)}/lesson`);
    const play = h("a", { class: "button main", href: `#/start/${lesson.id}` }, "Play a first fight");
    const node = h(
        "div",
        { class: "learn" },
        h("div", { class: "head" }, h("h1", {}, lesson.title), h("div", { class: "row" }, play)),
        h("p", { class: "lead" }, `${capital(lesson.summary)}.`),
        h("div", { class: "lesson-parts" }, lesson.parts.map(partOf)),
        h(
            "p",
            { class: "row" },
            h("a", { class: "button main", href: `#/start/${lesson.id}` }, "Play a first fight"),
            h("a", { class: "button", href: `#/library/${lesson.id}` }, "Fighters and equipment"),
        ),
    );
    return { title: lesson.title, node };
}

function partOf({ heading, blocks }) {
    const isWide = blocks.some((block) => block.kind === "played" || block.rows.some((row) => row.length > 2));
    const kind = isWide ? "lesson-part wide" : "lesson-part";
    return h("section", { class: kind }, h("h2", {}, heading), blocks.map(drawn));
}

function drawn({ kind, lines, rows }) {
    if (kind === "played") return h("pre", { class: "played", tabindex: "0" }, lines.join("\n"));
    if (kind === "steps") return h("ol", {}, ...lines.map((line) => h("li", {}, marked(line))));
    if (kind === "table") return tableOf(rows);
    return lines.map((line) => h("p", {}, marked(line)));
}

function tableOf([head, ...rows]) {
    const heads = head.map((cell) => h("th", { scope: "col" }, marked(cell)));
    const body = rows.map(([first, ...cells]) =>
        h("tr", {}, h("th", { scope: "row" }, marked(first)), cells.map((cell) => h("td", {}, marked(cell)))),
    );
    return h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": head[0] },
        h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, body)),
    );
}
