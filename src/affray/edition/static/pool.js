// A pool of workers, one for each core; they are started when there is work, and kept.

const MOST = 8; // each of them has a Python, which takes some 100 MB

export class Pool {
    constructor(size = Math.min(MOST, navigator.hardwareConcurrency || 2)) {
        this.size = size;
        this.idle = [];
        this.busy = 0;
        this.waiting = [];
        this.lastId = 0;
    }

    /** Starts a first worker, so that the first question need not wait for it. */
    warmUp() {
        if (!this.busy && !this.idle.length) this.idle.push(newWorker());
    }

    /** Has a worker carry out a call; `stop()` ends the worker if it is not done. `heard(done, of)` tells how far. */
    run(call, heard) {
        const task = { id: ++this.lastId, call, heard, worker: null, over: false };
        task.answered = new Promise((resolve) => (task.resolve = resolve));
        this.waiting.push(task);
        this.hire();
        return { answer: task.answered, stop: () => this.stop(task) };
    }

    hire() {
        while (this.waiting.length && this.busy < this.size) {
            const task = this.waiting.shift();
            if (task.over) continue;
            const worker = this.idle.pop() ?? newWorker();
            this.busy += 1;
            task.worker = worker;
            worker.onmessage = ({ data }) => data.id === task.id && this.heard(task, data);
            worker.onerror = () => this.stop(task);
            worker.postMessage({ id: task.id, call: task.call });
        }
    }

    heard(task, data) {
        if (!data.isOver) {
            if (!task.over) task.heard?.(data.done, data.of);
            return;
        }
        this.idle.push(task.worker);
        this.end(task, data.answer);
    }

    stop(task) {
        if (task.over) return;
        task.worker?.terminate();
        this.end(task, undefined);
    }

    end(task, answer) {
        task.over = true;
        if (task.worker) this.busy -= 1;
        task.worker = null;
        task.resolve(answer);
        this.hire();
    }
}

function newWorker() {
    const address = new URL("work.js", import.meta.url);
    if (address.origin === location.origin) return new Worker(address, { type: "module" });
    // A browser starts only workers of the page's own host, but these may import from another that allows it.
    const starter = new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" });
    return new Worker(URL.createObjectURL(starter), { type: "module" });
}
