// What a player keeps between fights: parties with what lasts, and encounters; duplicated, carried elsewhere, used.

import { attempt, tell } from "./alerts.js";
import { get, post, put, remove } from "./api.js";
import { button, createPlace, h, labelled } from "./dom.js";
import { saveAnswer } from "./saving.js";
import { openLogin, who } from "./session.js";
import { capital } from "./words.js";

const LEAD =
    "A party keeps what lasts of its fights: wounds, cards, ammunition, Life Coins. An encounter is a fight that is " +
    "ready to be fought. Both are made in the form for a new fight.";

/** Whether the visitor can keep anything. */
export const canKeep = () => who().known && !who().temporary;

/** Everything that the visitor keeps. */
export const allKept = () => (canKeep() ? get("kept") : []);

/** The address of one of them. */
export const pathOf = ({ kind, name }) => `kept/${kind}/${encodeURIComponent(name)}`;

/** The view of #/kept. */
export async function keptView() {
    const place = createPlace({ class: "kept" });
    const said = h("div", { class: "result", role: "status" });
    const file = h("input", { type: "file", id: "import-kept", accept: ".json,application/json", onchange: taken });

    async function draw() {
        const all = await allKept();
        place.show(all, () => ["party", "encounter"].map((kind) => listOf(kind, all, act)));
    }

    async function act(does, told) {
        const done = await attempt(async () => (await does()) ?? true);
        if (!done) return;
        said.textContent = done.text ?? told;
        await draw();
    }

    async function taken() {
        const [chosen] = file.files;
        if (chosen) {
            await act(async () => {
                const table = JSON.parse(await chosen.text().then((text) => (text.startsWith("{") ? text : "{}")));
                const kind = table.format === "affray-encounter" ? "encounter" : "party";
                return put(pathOf({ kind, name: table.name || kind }), table);
            }, "Imported.");
        }
        file.value = "";
    }

    await draw();
    const node = h(
        "div",
        { class: "narrow" },
        h("h1", {}, "Parties and encounters"),
        h("p", {}, LEAD),
        canKeep()
            ? [place.node, said, labelled("Import a file", file)]
            : h("p", { class: "card-note" }, button("Log in or create an account", openLogin, { class: "link" }), " to keep them."),
    );
    return { title: "Parties and encounters", node };
}

function listOf(kind, all, act) {
    const title = kind === "party" ? "Parties" : "Encounters";
    const own = all.filter((one) => one.kind === kind);
    return h(
        "section",
        { "aria-labelledby": `kept-${kind}` },
        h("h2", { id: `kept-${kind}` }, title),
        own.length ? h("ul", { class: "cards" }, own.map((one) => cardOf(one, act))) : h("p", { class: "hint" }, "None yet."),
    );
}

function cardOf(one, act) {
    const { kind, name, seats, system, ways } = one;
    const path = pathOf(one);
    const to = `${kind}/${encodeURIComponent(name)}`;
    const called = (does) => ({ "aria-label": `${does} ${name}`, "data-keep": `${does} ${kind} ${name}` });
    const copied = async () => {
        const as = await askName("Duplicate", `${name} 2`);
        if (as) await act(() => post(`${path}/copy`, { name: as }), `${as} is kept.`);
    };
    const sure = async () => (await askSure(name)) && act(() => remove(path), `${name} is no longer kept.`);
    const exported = () => attempt(() => saveAnswer(path, `${name}.json`));
    return h(
        "li",
        { class: "combat", "data-kept": name },
        h("h3", {}, name),
        h("p", { class: "hint" }, system),
        h("ul", { class: "plain" }, seats.map((seat) => h("li", {}, seat.name ? h("b", {}, `${seat.name} `) : null, seat.line))),
        h(
            "div",
            { class: "row" },
            h("a", { class: "button main", href: `#/new/${to}`, ...called("Set up a fight with") }, "Set up a fight"),
            kind === "party" ? h("a", { class: "button", href: `#/new/edit/${encodeURIComponent(name)}`, ...called("Edit") }, "Edit") : null,
            ways.map((way) =>
                button(capital(way), () => act(() => post(`${path}/recovery`, { word: way })), called(capital(way))),
            ),
            button("Duplicate", copied, called("Duplicate")),
            button("Export", exported, called("Export")),
            button("Forget", sure, { class: "quiet", ...called("Forget") }),
        ),
    );
}

/** Asks for a name; null where the visitor changes their mind. */
export function askName(title, name) {
    const field = h("input", { value: name, maxlength: 40, required: true, id: "kept-name" });
    return asked(title, labelled("Name", field), () => field.value.trim());
}

const askSure = (name) => asked("Forget", h("p", {}, `${name} cannot be brought back.`), () => true);

function asked(title, content, answer) {
    return new Promise((resolve) => {
        let found = null;
        const submit = (event) => {
            event.preventDefault();
            found = answer();
            dialog.close();
        };
        const closed = () => {
            dialog.remove();
            resolve(found);
        };
        const dialog = h(
            "dialog",
            { "aria-labelledby": "asked-title", onclose: closed },
            h(
                "form",
                { onsubmit: submit },
                h("h2", { id: "asked-title" }, title),
                content,
                h(
                    "div",
                    { class: "row" },
                    h("button", { type: "submit", class: "main", id: "asked-yes" }, title),
                    button("Cancel", () => dialog.close()),
                ),
            ),
        );
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** Keeps something under a name that the visitor is asked for. */
export async function keepAs(kind, name, table) {
    const as = await askName(`Keep the ${kind}`, name);
    if (!as) return;
    const kept = await attempt(async () => put(pathOf({ kind, name: as }), { format: `affray-${kind}`, version: 1, ...(await table()) }));
    if (kept) tell(`${as} is kept.`);
}
