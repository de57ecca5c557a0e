// The storyteller's panel: what may be touched in a fight, as forms that send one line each.

import { attempt } from "./alerts.js";
import { get, post } from "./api.js";
import { button, choice, createPlace, h, labelled } from "./dom.js";
import { secretsOf } from "./secrets.js";
import { form, joinForm, pickForm } from "./word_forms.js";

/** The panel of a fight; `show` takes the table that an intervention answers with. */
export function createStoryteller(number, system, show) {
    const forms = createPlace({ class: "words" });
    const secrets = createPlace({ class: "words secrets" });
    const asked = createPlace({ class: "consent", role: "status" });
    const wings = createPlace({ class: "hint", role: "status" }); // for the players of a team that is to be joined
    const panel = h(
        "details",
        { class: "storyteller", id: "storyteller", ontoggle: () => panel.open && refresh() },
        h("summary", {}, "Storyteller"),
        h("p", { class: "hint" }, "Every word is a decision in the log. Choices that are still secret are made anew."),
        forms.node,
        h("h3", {}, "Kept from the others"),
        h("p", { class: "hint" }, "No one else learns of this while the fight runs. Notes are read by you alone."),
        secrets.node,
    );
    const node = h("div", {}, asked.node, wings.node, panel);
    const chosen = { fighter: null, quantity: null };
    let open = null; // what may be touched, as the server said last
    let decision = null;

    async function refresh() {
        const found = await attempt(() => get(`combats/${number}/storyteller`));
        if (!found) return;
        open = found;
        const begun = filledIn(panel); // the fight may go on while a word is being written
        draw();
        for (const [id, value] of begun) fillIn(panel.querySelector(`#${id}`), value);
    }

    async function say(text) {
        const now = await attempt(() => post(`combats/${number}/interventions`, { text, decision: open.decision }));
        if (!now) return;
        for (const field of panel.querySelectorAll("form input")) field.value = field.defaultValue;
        show(now);
        if (now.decision === open.decision) refresh(); // said in secret, so nothing else has changed
    }

    async function takeBack() {
        const now = await attempt(() => post(`combats/${number}/undo`));
        if (now) refresh();
    }

    async function agree() {
        const now = await attempt(() => post(`combats/${number}/agreement`));
        if (now) show(now);
    }

    function choose(what) {
        Object.assign(chosen, what);
        draw();
    }

    function draw() {
        forms.show([open, chosen], () => formsOf(open, chosen, { system, say, choose }));
        secrets.show([open], () => secretsOf(open, { system, say, takeBack }));
    }

    function update(table) {
        const may = new Set(table.you.may);
        asked.show([table.wish, may.has("agree")], () => consent(table.wish, may.has("agree"), agree));
        panel.hidden = !may.has("intervene");
        wings.show([table.wings, panel.hidden], () => (panel.hidden ? waiting(table.wings) : null));
        if (!panel.hidden && panel.open && table.decision !== decision) refresh();
        decision = table.decision;
    }

    return { node, update };
}

/** What stands in the fields of forms that are not sent yet, by their ids. */
function filledIn(panel) {
    return [...panel.querySelectorAll("form :is(input, select)")]
        .filter((field) => field instanceof HTMLSelectElement || field.value !== field.defaultValue)
        .map(({ id, value }) => [id, value]);
}

function fillIn(field, value) {
    if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) return;
    if (field) field.value = value;
}

function waiting(wings) {
    return wings.map(({ name, team }) => h("p", {}, `${name} waits in the wings, to join ${team}. Only your side knows.`));
}

function consent(wish, isAsked, agree) {
    if (!wish) return null;
    return h(
        "p",
        { class: "row" },
        `The owner asks to intervene: ${wish}`,
        isAsked ? button("Agree", agree, { id: "agree", class: "main" }) : null,
    );
}

function formsOf(open, chosen, { system, say, choose }) {
    const fighter = open.fighters.find(({ name }) => name === chosen.fighter) ?? open.fighters[0];
    const others = open.teams.filter((team) => team !== fighter.team);
    return [
        labelled(
            "Fighter",
            choice(
                open.fighters.map(({ name, team }) => [name, name, team]),
                fighter.name,
                { id: "word-fighter", onchange: ({ target }) => choose({ fighter: target.value }) },
            ),
        ),
        quantityForm(fighter, chosen, say, choose),
        open.deals.length ? dealForm(fighter, open.deals, say) : null,
        h(
            "div",
            { class: "row" },
            fighter.asked ? button("Skip the turn", () => say(`skip ${fighter.name}`), { id: "word-skip" }) : null,
            fighter.stands && open.inserts_turns
                ? button("Give a turn", () => say(`turn ${fighter.name}`), { id: "word-turn" })
                : null,
            !fighter.stands && open.returns
                ? button("Bring back", () => say(`return ${fighter.name}`), { id: "word-return" })
                : null,
        ),
        fighter.stands ? pickForm("leave", "Leaves", "Take out", open.ways_out, (how) => say(`leave ${fighter.name} ${how}`)) : null,
        pickForm("side", "Changes sides to", "Change sides", others, (team) => say(`side ${fighter.name} ${team}`)),
        joinForm("join", "Let join", "Reinforce", { open, system, say }),
        pickForm("end", "The fight ends", "End it so", open.endings, (how) => say(`end ${how}`)),
        lineForm(open.forms, say),
    ];
}

function quantityForm(fighter, chosen, say, choose) {
    const quantity = fighter.quantities.find(({ name }) => name === chosen.quantity) ?? fighter.quantities[0];
    const { name, low, high, value } = quantity;
    const field = h("input", { type: "number", id: "word-value", min: low, max: high, required: true, value: String(value) });
    return form(
        "set",
        "Set",
        () => say(`set ${fighter.name} ${name} ${field.value}`),
        labelled(
            "Quantity",
            choice(
                fighter.quantities.map((each) => [each.name, `${each.name}: ${each.value}`]),
                name,
                { id: "word-quantity", onchange: ({ target }) => choose({ quantity: target.value }) },
            ),
            quantity.says,
        ),
        labelled("Value", field, low === 0 && high === 1 ? "0 off, 1 on" : `${low} to ${high}`),
    );
}

function dealForm(fighter, deals, say) {
    const what = choice(
        deals.map(({ name, says }) => [name, `${name}: ${says}`]),
        deals[0].name,
        { id: "word-what" },
    );
    const times = h("input", { type: "number", id: "word-times", min: 1, max: 999, required: true, value: "1" });
    return form(
        "deal",
        "Deal",
        () => say(`deal ${fighter.name} ${what.value} ${times.value}`),
        labelled("By the rules", what),
        labelled("How many", times),
    );
}

function lineForm(forms, say) {
    const line = h("input", { id: "word-line", required: true, maxlength: 4000, autocomplete: "off" });
    return form("any", "Carry out", () => say(line.value), labelled("Any word", line, forms.join(" · ")));
}
