// Compiles the sources of an edition with the Python that it brings: node precompile.mjs FOLDER

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
const packages = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(bytes("affray.zip"), "zip", { extractDir: packages });
python.unpackArchive(bytes("msgspec.whl"), "wheel", { extractDir: packages });
const { compiled, imported, keys_need } = python.pyimport("affray.edition.precompile");
const wanted = imported();
const sources = keys_need();
for (const [name, library] of [["affray.zip", false], ["python_stdlib.zip", true]]) {
    const made = compiled.callKwargs(python.toPy(bytes(name)).tobytes(), wanted, sources, { library });
    writeFileSync(`${folder}/${name}`, made.toJs());
}

function bytes(name) {
    return new Uint8Array(readFileSync(`${folder}/${name}`));
}
