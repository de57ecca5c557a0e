// Saves a file on the visitor's device.

import { getText } from "./api.js";
import { h } from "./dom.js";

/** Saves what the server answers as it is: a number in it may be longer than JavaScript can read. */
export async function saveAnswer(path, name) {
    saveText(await getText(path), name, "application/json");
}

/** Saves a text under a name. */
export function saveText(text, name, type) {
    saveBlob(new Blob([text], { type }), name);
}

/** Saves a file under a name. */
export function saveBlob(blob, name) {
    const address = URL.createObjectURL(blob);
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
