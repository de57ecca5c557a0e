// A worker of the pool: does one thing after the other with a Python of its own.

import { startPython } from "./python.js";

const ready = startPython().then((python) => python.pyimport("affray.edition.browser"));

self.onmessage = async ({ data: { id, call } }) => {
    const report = (done, of) => self.postMessage({ id, done, of });
    try {
        const answer = (await ready).carry_out(call, report);
        self.postMessage({ id, isOver: true, answer });
    } catch (error) {
        console.error(error);
        self.postMessage({ id, isOver: true });
    }
};
