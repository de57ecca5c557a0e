// A button that leads to the moves when one is due and they are out of sight.

import { button } from "./dom.js";

/** A button that shows while `update(true)` holds and the target cannot be seen; `does` goes there. */
export function createJump(text, target, does) {
    const node = button(text, does, { class: "main jump", hidden: true });
    let isWanted = false;
    let isSeen = true;
    const watcher = new IntersectionObserver(([entry]) => {
        isSeen = entry.isIntersecting;
        draw();
    });
    watcher.observe(target);

    function draw() {
        node.hidden = !isWanted || isSeen;
    }

    function update(wanted) {
        isWanted = wanted;
        draw();
    }

    return { node, update, close: () => watcher.disconnect() };
}
