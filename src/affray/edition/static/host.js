// The worker behind the page: answers its requests and its line out of a world in this browser.

import { Pool } from "./pool.js";
import { startPython } from "./python.js";
import { keep, kept } from "./storage.js";

const isEmbedded = new URL(self.location).searchParams.has("embed"); // in another page, where nothing is kept
const ready = open();

async function open() {
    const [python] = await Promise.all([startPython(), isEmbedded || alone()]);
    const pool = new Pool();
    const stored = isEmbedded ? undefined : await kept();
    const door = await python.pyimport("affray.edition.browser").open_door(stored, pool, isEmbedded ? () => {} : keep);
    pool.warmUp();
    self.postMessage({ type: "ready" });
    return door;
}

/** Waits until no other tab has the world: two would write over each other's changes. */
async function alone() {
    if (!navigator.locks) return;
    await new Promise((resolve) => {
        navigator.locks.request("affray", { ifAvailable: true }, (lock) => {
            if (lock) return forever(resolve);
            self.postMessage({ type: "elsewhere" });
            navigator.locks.request("affray", () => forever(resolve));
            return undefined;
        });
    });
}

function forever(resolve) {
    resolve();
    return new Promise(() => {});
}

self.onmessage = async ({ data }) => {
    const door = await ready;
    if (data.type === "request") {
        const [status, body] = await door.request(data.method, data.address, data.body);
        self.postMessage({ type: "answer", id: data.id, status, body });
    } else if (data.type === "connect") {
        const { line } = data;
        door.connect(
            (text) => self.postMessage({ type: "told", line, text }),
            (code, reason) => self.postMessage({ type: "closed", line, code, reason }),
        );
        self.postMessage({ type: "connected", line });
    } else if (data.type === "say") door.hear(data.text);
    else if (data.type === "hang up") door.hear(null);
};
