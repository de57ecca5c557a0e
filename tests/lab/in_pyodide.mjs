// Runs a Python file in Pyodide, with a zipped package to import from: node in_pyodide.mjs PYODIDE ZIP FILE
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, zip, file] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
python.unpackArchive(new Uint8Array(readFileSync(zip)), "zip", { extractDir: "/affray" });
try {
  python.runPython(`import sys; sys.path.insert(0, "/affray")\n${readFileSync(file, "utf8")}`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
