// Builds nodes out of plain values. Text always stays text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "open", "hidden", "readOnly", "required"]);

/** An HTML element with attributes, listeners (`onclick`) and children; what is null or false is left out. */
export function h(tag, attributes, ...children) {
    return dressed(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
    return dressed(document.createElementNS(SVG, tag), attributes, children);
}

function dressed(node, attributes, children) {
    fill(node, ...children);
    for (const [name, value] of Object.entries(attributes ?? {})) dress(node, name, value);
    return node;
}

function dress(node, name, value) {
    if (value === null || value === undefined) return;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) node[name] = value;
    else if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
}

/** Puts these children in place of whatever a node holds. */
export function fill(node, ...children) {
    node.replaceChildren(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return node;
}

/** The same, with the focus back on whatever stands for what had it: the element of that id or `data-keep`. */
function refill(node, ...children) {
    const { id, dataset } = node.contains(document.activeElement) ? document.activeElement : {};
    fill(node, ...children);
    const again = id ? `#${CSS.escape(id)}` : dataset?.keep ? `[data-keep="${CSS.escape(dataset.keep)}"]` : null;
    if (again) node.querySelector(again)?.focus();
}

/** A place that is drawn anew only when what it shows has changed: `show(shown, draw)`. */
export function createPlace(attributes) {
    const node = h("div", attributes);
    let last = null;
    function show(shown, draw) {
        const now = JSON.stringify(shown);
        if (now !== last) refill(node, draw());
        last = now;
    }
    return { node, show };
}

/** A button that does something; `more` are further attributes. */
export function button(text, does, more) {
    return h("button", { type: "button", onclick: does, ...more }, text);
}

/** A field with its label above it and, below, what it means. */
export function labelled(label, field, meaning) {
    const hint = meaning ? h("span", { class: "hint" }, meaning) : null;
    return h("label", { class: "field" }, h("span", { class: "label" }, label), field, hint);
}

/** A tick box with its label beside it. */
export function ticked(label, checked, does, more) {
    return h(
        "label",
        { class: "tick" },
        h("input", {
            type: "checkbox",
            checked,
            onchange: (event) => does(event.target.checked, event.target),
            ...more,
        }),
        label,
    );
}

/** A choice among [value, text] pairs; a third item in a pair is the heading it stands under. */
export function choice(pairs, value, more) {
    const groups = new Map();
    const options = [];
    for (const [each, text, group] of pairs) {
        const option = h("option", { value: each }, text);
        if (!group) options.push(option);
        else if (groups.has(group)) groups.get(group).append(option);
        else options.push(groups.set(group, h("optgroup", { label: group }, option)).get(group));
    }
    return h("select", { ...more, value }, options);
}

/** Whether the visitor is writing there, so that a key means a letter and not a command. */
export function isWriting(node) {
    return (
        node instanceof HTMLElement &&
        (node.isContentEditable || node.matches("input:not([type=checkbox], [type=range]), textarea, select"))
    );
}
