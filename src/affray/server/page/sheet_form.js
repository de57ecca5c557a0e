// A sheet value by value: the fields are those that the server describes, and the server alone reads what is typed.

import { post, Problem } from "./api.js";
import { choice, fill, h, labelled, ticked } from "./dom.js";
import { capital, counted } from "./words.js";

const PAUSE = 300;
const APART = { form: "" }; // no part of the form around it: neither checked by the browser nor sent by Enter

/** Fields for all values of a ready-made sheet, to be changed at will; `read()` is the sheet as the server has it. */
export function sheetForm(system) {
    const summary = h("summary", {});
    const list = h("div", { class: "values" });
    const said = h("p", { class: "said", role: "status" });
    const node = h("details", { class: "own-sheet wide", ontoggle: draw }, summary, list, said);
    let base = null;
    let texts = {};
    let clock = 0;

    /** Begins with a ready-made sheet and what is typed for some of its values. */
    function start(sheet, typed = {}) {
        base = sheet ?? null;
        texts = { ...base?.values, ...typed };
        node.hidden = !base || !system.fields.length;
        said.textContent = "";
        clearTimeout(clock);
        clock = 0;
        fill(list);
        draw();
        count();
    }

    function draw() {
        if (base && node.open && !list.hasChildNodes()) fill(list, system.fields.map(drawField));
    }

    function drawField(field) {
        const box = h("div", { class: "value", "data-value": field.name });
        const mark = () => box.classList.toggle("changed", texts[field.name] !== base.values[field.name]);
        const typed = (text) => {
            texts[field.name] = text;
            mark();
            count();
            clearTimeout(clock);
            clock = setTimeout(check, PAUSE);
        };
        mark();
        return fill(box, INPUTS[field.kind](field, texts[field.name] ?? "", typed));
    }

    function count() {
        const changed = Object.keys(changes()).length;
        summary.textContent = `Change the sheet (${changed ? `${counted(changed, "value")} changed` : "unchanged"})`;
    }

    function changes() {
        return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== base.values[name]));
    }

    async function read() {
        const values = changes();
        return Object.keys(values).length ? post(`systems/${system.id}/sheets`, { base: base.id, values }) : base.id;
    }

    /** Says whether the sheet is valid; if not, the value that the server names is marked as well. */
    async function check() {
        const asked = clock;
        const [found] = await Promise.allSettled([read()]);
        if (asked !== clock) return;
        if (found.reason && !(found.reason instanceof Problem)) throw found.reason;
        const problem = found.reason?.message ?? "";
        const [, named] = /: (\w+)/.exec(problem) ?? [];
        for (const box of list.children) box.classList.toggle("refused", box.dataset.value === named);
        said.classList.toggle("refused", Boolean(problem));
        said.textContent = capital(problem) || "This sheet is valid.";
    }

    return { node, start, changes, read };
}

/** The input for each kind of value. Each passes on what would be typed for it in a spec. */
const INPUTS = {
    whole: (field, text, typed) => entry(field, text, typed, { type: "number", min: field.low, max: field.high }),
    text: (field, text, typed) => entry(field, text, typed, { spellcheck: "false" }),
    flag: (field, text, typed) => [
        ticked(labelOf(field), text === "on", (on) => typed(on ? "on" : "off"), APART),
        h("span", { class: "hint" }, hintOf(field)),
    ],
    word: (field, text, typed) => {
        const unsaid = field.default === "" ? [["", "\u2013"]] : [];
        const pairs = [...unsaid, ...field.words.map((word) => [word, word])];
        const select = choice(pairs, text, { ...APART, onchange: () => typed(select.value) });
        return labelled(labelOf(field), select, hintOf(field));
    },
    names: (field, text, typed) => {
        let chosen = text ? text.split("+") : [];
        const tick = (word, on) => {
            chosen = chosen.filter((each) => each !== word).concat(on ? [word] : []);
            return chosen.join("+");
        };
        return several(field, text, typed, (word, changed) =>
            ticked(word, chosen.includes(word), (on) => changed(tick(word, on)), APART),
        );
    },
    amounts: (field, text, typed) => {
        const amounts = new Map(text ? text.split("+").map(amountOf) : []);
        const all = () => field.words.filter((word) => amounts.get(word)).map((word) => `${word} ${amounts.get(word)}`);
        return several(field, text, typed, (word, changed) => {
            const bounds = { type: "number", min: field.low, max: field.high, value: amounts.get(word) ?? "" };
            const oninput = (event) => {
                amounts.set(word, event.target.value);
                changed(all().join("+"));
            };
            return labelled(word, h("input", { ...APART, ...bounds, oninput }));
        });
    },
};

function entry(field, text, typed, more) {
    const input = h("input", { ...APART, ...more, value: text, oninput: () => typed(input.value) });
    return labelled(labelOf(field), input, hintOf(field));
}

/** Many inputs for one value, which can be folded away; the line above them says what is chosen. */
function several(field, text, typed, inputOf) {
    const shown = h("b", {}, text || "none");
    const changed = (now) => {
        shown.textContent = now || "none";
        typed(now);
    };
    return h(
        "details",
        { class: "several" },
        h("summary", {}, h("span", { class: "label" }, labelOf(field)), ": ", shown),
        h("p", { class: "hint" }, hintOf(field)),
        h(
            "div",
            { class: "words" },
            field.words.map((word) => inputOf(word, changed)),
        ),
    );
}

/** `fire 2` as a word and its number. */
function amountOf(text) {
    const at = text.lastIndexOf(" ");
    return [text.slice(0, at), text.slice(at + 1)];
}

const labelOf = (field) => capital(field.name.replaceAll("_", " "));

/** What a value means, what it may be where its input does not show that, and what it usually is. */
function hintOf(field) {
    const range = { whole: field.allows, text: field.allows, amounts: `${field.low} to ${field.high}` }[field.kind];
    const usual = field.default && `usually ${field.default}`;
    const told = [field.meaning, range, usual].filter(Boolean).join("; ");
    return told ? `${capital(told)}.` : "";
}
