// The way to the world where there is no server: by messages to a worker that has it.

const isEmbedded = new URL(location).searchParams.has("embed");
const address = new URL(`../python/host.js${isEmbedded ? "?embed" : ""}`, import.meta.url);
const worker = new Worker(address, { type: "module" });
const asked = new Map();
let lastId = 0;
let lines = new Map();
let isReady = false;

/** Makes a request; the answer is like one of `fetch`. */
export function request(method, path, body, signal) {
    signal?.throwIfAborted();
    const id = ++lastId;
    return new Promise((resolve, reject) => {
        asked.set(id, resolve);
        signal?.addEventListener("abort", () => asked.delete(id) && reject(signal.reason));
        worker.postMessage({ type: "request", id, method, address: `/api/${path}`, body: body ?? "" });
    });
}

/** The line, like a WebSocket. */
export function openLine() {
    return new Line();
}

class Line {
    constructor() {
        this.id = ++lastId;
        this.readyState = WebSocket.CONNECTING;
        lines = new Map([[this.id, this]]); // the worker has one at a time
        worker.postMessage({ type: "connect", line: this.id });
    }

    send(text) {
        worker.postMessage({ type: "say", text });
    }

    close() {
        if (this.readyState === WebSocket.CLOSED) return;
        this.readyState = WebSocket.CLOSED;
        if (lines.has(this.id)) worker.postMessage({ type: "hang up" });
        this.onclose?.();
    }
}

worker.onmessage = ({ data }) => {
    const line = lines.get(data.line);
    if (data.type === "answer") {
        asked.get(data.id)?.(new Response(data.status === 204 ? null : data.body, { status: data.status }));
        asked.delete(data.id);
    } else if (data.type === "connected" && line) {
        line.readyState = WebSocket.OPEN;
        line.onopen?.();
    } else if (data.type === "told" && line) line.onmessage?.({ data: data.text });
    else if (data.type === "closed" && line) line.close();
    else if (data.type === "ready") say("");
    else if (data.type === "elsewhere") say("Affray is open in another tab. Close it to go on here.");
};

worker.onerror = () => say("Affray cannot be started in this browser. It needs WebAssembly.");

function say(text) {
    isReady = !text;
    document.getElementById("connection").textContent = text;
}

setTimeout(() => isReady || document.getElementById("connection").textContent || say("Affray is starting\u2026"), 300);

if (isEmbedded) document.documentElement.classList.add("embedded");
else if ("serviceWorker" in navigator) navigator.serviceWorker.register("service_worker.js");
