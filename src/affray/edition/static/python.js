// Starts a Python with Affray in it, inside a worker.

import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url).href;

/** A Python that can import Affray. */
export async function startPython() {
    const [python, affray, msgspec] = await Promise.all([
        loadPyodide({ indexURL: HERE, stdout: console.log, stderr: console.warn }),
        fetched("affray.zip"),
        fetched("msgspec.whl"),
    ]);
    const folder = python.runPython("import site; site.getsitepackages()[0]");
    python.unpackArchive(affray, "zip", { extractDir: folder });
    python.unpackArchive(msgspec, "wheel", { extractDir: folder });
    return python;
}

async function fetched(name) {
    return (await fetch(new URL(name, HERE))).arrayBuffer();
}
