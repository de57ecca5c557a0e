// Text of a lesson: what stands between backticks is what one types or sees, what stands between stars is strong.

import { h } from "./dom.js";

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*/g;

/** The nodes of a line. */
export function marked(text) {
    const nodes = [];
    let from = 0;
    for (const found of text.matchAll(MARKS)) {
        nodes.push(text.slice(from, found.index), found[1] ? h("code", {}, found[1]) : h("strong", {}, found[2]));
        from = found.index + found[0].length;
    }
    return [...nodes, text.slice(from)];
}
