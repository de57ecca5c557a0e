// Keys that do something, and the list of them under `?`.

import { button, h, isWriting, ticked } from "./dom.js";
import { isOn, turn } from "./settings.js";

const sets = new Set();

/** Makes keys work: a list of { key, does, run }; those without `does` are not listed. Returns how to stop. */
export function useKeys(keys) {
    sets.add(keys);
    return () => sets.delete(keys);
}

/** Listens to the keyboard from now on. */
export function startKeys() {
    document.addEventListener("keydown", pressed);
    document.getElementById("show-keys").addEventListener("click", showKeys);
    useKeys([{ key: "?", does: "list the keys", run: showKeys }]);
}

function pressed(event) {
    const isOurs = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !event.defaultPrevented;
    if (!isOurs || !isOn("keys") || isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (event.target.matches?.("input[type=range]") && event.key.length > 1) return;
    const found = allKeys().find((each) => each.key === event.key);
    if (found && found.run() !== false) event.preventDefault();
}

function allKeys() {
    return [...sets].flat();
}

function showKeys() {
    const rows = allKeys()
        .filter((each) => each.does)
        .map((each) =>
            h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, each.shown ?? each.key)), h("td", {}, each.does)),
        );
    const dialog = h(
        "dialog",
        { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
        h("h2", { id: "keys-title" }, "Keys"),
        h("table", { class: "keys" }, h("tbody", {}, rows)),
        ticked("Use these keys", isOn("keys"), (on) => turn("keys", on)),
        h(
            "div",
            { class: "row" },
            button("Close", () => dialog.close(), { class: "main" }),
        ),
    );
    document.body.append(dialog);
    dialog.showModal();
}
