// Keeps in its place what the visitor may be about to press, and refuses presses that were meant for something else.

const MOMENT = 500; // milliseconds at rest elsewhere, before anything may move again

/** Follows the pointer, fingers and the focus of the keyboard. `isStill(part)` says whether the visitor points at the
 * part or at something behind it, which it would push; `settled` is called when that may no longer be so. `watch()`
 * begins, and returns how to stop. */
export function createStillness(settled) {
    const pointed = new Set(); // on its way somewhere the pointer holds all that it has passed
    const resting = new Map(); // by pointer: there may be a mouse and fingers
    let timer = 0;

    function wait() {
        clearTimeout(timer);
        timer = setTimeout(rest, MOMENT);
    }

    function over({ pointerId, target }) {
        resting.set(pointerId, target);
        pointed.add(target);
        wait();
    }

    function out({ pointerId, relatedTarget }) {
        if (relatedTarget) return;
        resting.delete(pointerId);
        wait();
    }

    function rest() {
        pointed.clear();
        for (const at of resting.values()) pointed.add(at);
        settled();
    }

    /** A finger is over what it presses until it leaves the screen, so this is right for touch screens too. */
    function watch() {
        const listening = new AbortController();
        const hear = (type, does) => document.addEventListener(type, does, { signal: listening.signal });
        hear("pointerover", over);
        hear("pointerout", out);
        hear("focusin", wait);
        hear("focusout", wait);
        return () => {
            listening.abort();
            clearTimeout(timer);
        };
    }

    function isStill(part) {
        const focus = document.activeElement?.matches(":focus-visible") ? [document.activeElement] : [];
        return part.isConnected && [...pointed, ...focus].some((at) => at.isConnected && isInOrBehind(part, at));
    }

    return { isStill, watch };
}

function isInOrBehind(part, at) {
    return part === at || Boolean(part.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
}

/** Lets no click in a node count whose press began when something else stood there, as `standing` tells: a finger
 * presses what is under it when it leaves the screen. Returns how to stop. */
export function refuseLateClicks(node, standing) {
    const listening = new AbortController();
    let pressed = null;
    const hear = (type, does) => document.addEventListener(type, does, { capture: true, signal: listening.signal });
    hear("pointerdown", () => {
        pressed = standing();
    });
    hear("pointercancel", () => {
        pressed = null;
    });
    hear("click", (event) => {
        const isLate = pressed !== null && pressed !== standing() && node.contains(event.target);
        pressed = null; // keys and screen readers click without a press
        if (!isLate) return;
        event.preventDefault();
        event.stopPropagation();
    });
    return () => listening.abort();
}
