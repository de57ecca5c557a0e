// The options of a system: every rule that may be set differently, each with what it means and its ruling.

import { button, choice, fill, h, ticked } from "./dom.js";
import { capital } from "./words.js";

/** Fields for all options; `value()` has only those that differ from the usual. */
export function optionsForm(system) {
    const fields = system.options.map((option) => optionField(system, option, count));
    const summary = h("summary", {});
    const profiles = Object.keys(system.profiles);
    const profile = profiles.length ? profileField(profiles, (name) => setAll(system.profiles[name] ?? {})) : null;
    const node = h(
        "details",
        { class: "options", id: "options" },
        summary,
        profile,
        h(
            "div",
            { class: "options-list" },
            fields.map((field) => field.node),
        ),
    );

    function setAll(values) {
        for (const field of fields) field.set(values[field.name] ?? field.usual);
        count();
    }

    function value() {
        return Object.fromEntries(
            fields.filter((field) => field.get() !== field.usual).map((field) => [field.name, field.get()]),
        );
    }

    function count() {
        const changed = Object.keys(value()).length;
        summary.textContent = `Options (${changed ? `${changed} changed` : `${fields.length}, all as usual`})`;
        for (const field of fields) field.node.classList.toggle("changed", field.get() !== field.usual);
    }

    count();
    return { node, value, set: setAll };
}

function profileField(profiles, does) {
    const pairs = [["", "As usual"], ...profiles.map((name) => [name, name])];
    const select = choice(pairs, "", { id: "profile", onchange: () => does(select.value) });
    return h("label", { class: "field" }, h("span", { class: "label" }, "Profile: many options at once"), select);
}

function optionField(system, option, changed) {
    const input = inputOf(option, changed);
    const ruling = system.rulings.find((each) => each.id === option.ruling);
    const label = option.name.replaceAll("_", " ");
    const meaning = h("span", { class: "hint" }, `${capital(option.meaning)}. Usual: ${shown(option.default)}.`);
    const named =
        option.kind === "flag"
            ? input.node
            : h("label", { class: "field" }, h("span", { class: "label" }, label), input.node);
    const node = h(
        "div",
        { class: "option", "data-option": option.name },
        named,
        meaning,
        ruling ? rulingOf(ruling, label) : null,
    );
    return { name: option.name, usual: option.default, node, get: input.get, set: input.set };
}

/** The input for a kind of option, with how to read and set it. */
function inputOf(option, changed) {
    if (option.kind === "flag") return flagInput(option, changed);
    if (option.kind === "whole") return wholeInput(option, changed);
    if (option.kind === "word") return wordInput(option, changed);
    return textInput(option, changed);
}

function flagInput(option, changed) {
    const node = ticked(option.name.replaceAll("_", " "), option.default, changed);
    const box = node.querySelector("input");
    return {
        node,
        get: () => box.checked,
        set: (value) => {
            box.checked = value;
        },
    };
}

function wholeInput(option, changed) {
    const node = h("input", {
        type: "number",
        min: option.low,
        max: option.high,
        value: option.default,
        required: true,
        oninput: changed,
        inputmode: "numeric",
    });
    return {
        node,
        get: () => (node.value === "" ? option.default : Number(node.value)),
        set: (value) => {
            node.value = value;
        },
    };
}

function wordInput(option, changed) {
    const node = choice(
        option.words.map((word) => [word, word]),
        option.default,
        { onchange: changed },
    );
    return {
        node,
        get: () => node.value,
        set: (value) => {
            node.value = value;
        },
    };
}

function textInput(option, changed) {
    const list = Array.isArray(option.default);
    const node = h("input", {
        value: list ? option.default.join(", ") : String(option.default ?? ""),
        oninput: changed,
    });
    const usual = node.value;
    const read = () =>
        list
            ? node.value
                  .split(",")
                  .map((each) => each.trim())
                  .filter(Boolean)
            : node.value;
    return {
        node,
        get: () => (node.value === usual ? option.default : read()),
        set: (value) => {
            node.value = list ? value.join(", ") : String(value ?? "");
        },
    };
}

function shown(value) {
    if (typeof value === "boolean") return value ? "on" : "off";
    return Array.isArray(value) ? value.join(", ") || "none" : String(value);
}

function rulingOf(ruling, label) {
    const text = h("p", { class: "ruling", hidden: true });
    const toggle = button(
        "ruling",
        () => {
            fill(text, h("strong", {}, ruling.title), " ", ruling.text);
            text.hidden = !text.hidden;
            toggle.setAttribute("aria-expanded", String(!text.hidden));
        },
        { class: "why", "aria-expanded": "false", "aria-label": `Ruling behind ${label}` },
    );
    return [" ", toggle, text];
}
