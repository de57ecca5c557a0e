// The lab: simulate a matchup, work out its odds, or design with it, with progress, charts and a way to stop.

import { attempt } from "./alerts.js";
import { get, post, remove } from "./api.js";
import { jobHere } from "./device.js";
import { button, choice, fill, h, labelled } from "./dom.js";
import { dropResult, finished, keepResult, keptResults } from "./lab_results.js";
import { optionsForm } from "./options_form.js";
import { who } from "./session.js";
import { systemChoice } from "./system_choice.js";
import { allSystems } from "./systems.js";
import { teamsForm } from "./teams_form.js";
import { capital, percent } from "./words.js";

const PAUSE = 400;
const USUAL = [["", "Its usual tactic"]];
const MOST = 10_000_000;
const MOST_OF_BENCH = 20_000;
const KINDS = [
    ["simulate", "Simulate many fights"],
    ["odds", "Calculate the odds"],
];
const PLAYS = [
    ["tactics", "by their tactics"],
    ["best", "as well as possible"],
];

/** The results, and the jobs that still run: they stay when the visitor goes elsewhere and comes back. */
const results = h("div", { class: "results" });

/** The view of #/lab. */
export async function labView() {
    const bench = who().fixed ? null : await import("./bench.js"); // a page without a server cannot work it out
    const run = h("div", { class: "row end" }, h("button", { type: "submit", class: "main", id: "run" }, "Run"));
    const request = await requestForm(await allSystems(), run, bench);
    if (!results.childElementCount) results.append(...keptResults().map((kept) => boxOf(kept, bench)));

    async function submit(event) {
        event.preventDefault();
        const asked = await attempt(request.value);
        const job = asked && (jobHere(asked) ?? (await attempt(() => jobThere(asked))));
        if (job) follow(job, asked, bench);
    }

    const form = h("form", { id: "lab-form", class: "sheet-form", onsubmit: submit }, request.fields, run);
    const found = h("section", { "aria-label": "Results" }, h("h2", {}, "Results"), results);
    const node = h("div", { class: "lab" }, h("h1", {}, "Lab"), h("div", { class: "columns" }, form, found));
    return { title: "Lab", node };
}

/** The fields of a request to the lab; `value()` reads them. */
async function requestForm(systems, run, bench) {
    const kind = choice([...KINDS, ...(bench?.BENCH ?? [])], "simulate", { name: "kind", onchange: fit });
    const only = "To compare, tune and build fights, open the page of a server (affray serve).";
    const questions = bench?.benchFields();
    const isOfBench = () => bench?.BENCH.some(([name]) => name === kind.value) ?? false;
    const amounts = amountFields();
    const play = choice(PLAYS, "tactics", { name: "play" });
    const onlyOdds = labelled("Fighters play", play);
    const rest = h("div", { class: "rest" });
    const system = systemChoice(systems, systems[0].id, draw, rest, run);
    let forms = null;

    function draw(chosen) {
        forms = { teams: teamsForm(chosen, { people: USUAL, byOf: () => "" }), options: optionsForm(chosen) };
        questions?.start(chosen);
        fill(rest, h("h2", {}, "Teams"), forms.teams.node, h("h2", {}, "Rules"), forms.options.node);
    }

    function fit() {
        const isOdds = kind.value === "odds";
        amounts.fit(kind.value, isOfBench());
        onlyOdds.hidden = !isOdds;
        questions?.fit(kind.value);
        rest.classList.toggle("party", bench?.PARTY.includes(kind.value) ?? false);
    }

    async function value() {
        await system.load();
        const teams = await forms.teams.value();
        const fighting = isOfBench() ? bench.typedTeams(kind.value, teams) : teams;
        const matched = { ...matchup(fighting), options: forms.options.value() };
        const more = kind.value === "odds" ? { play: play.value } : amounts.value();
        if (isOfBench()) Object.assign(more, questions.value());
        return { kind: kind.value, system: system.select.value, ...matched, ...more };
    }

    await system.load();
    fit();
    const task = h("label", { class: "field wide" }, h("span", { class: "label" }, "What to do"), kind);
    if (!bench) task.append(h("span", { class: "hint" }, only));
    const head = [wide("System", system.select), task, questions?.nodes, amounts.fields, onlyOdds];
    return { fields: [h("div", { class: "fields" }, head), rest], value };
}

function wide(label, field) {
    return h("label", { class: "field wide" }, h("span", { class: "label" }, label), field);
}

/** How many fights, and their seed: an empty field stands for a random seed, which the result names. */
function amountFields() {
    const number = { type: "number", required: true, inputmode: "numeric" };
    const fights = h("input", { ...number, name: "fights", min: 1, max: MOST, value: 10_000 });
    const seed = h("input", { ...number, name: "seed", min: 0, placeholder: "any", required: false });
    const fields = [labelled("Fights", fights), labelled("Seed", seed, "The same seed gives the same fights.")];
    const drawn = () => Math.floor(Math.random() * 2 ** 31);
    const value = () => ({ fights: Number(fights.value), seed: seed.value === "" ? drawn() : Number(seed.value) });

    /** Shows what a kind of job needs; the bench fights less, because it fights many times. */
    function fit(kind, isOfBench) {
        fights.max = isOfBench ? MOST_OF_BENCH : MOST;
        if (Number(fights.value) > fights.max) fights.value = fights.max;
        fields[0].hidden = kind === "odds" || kind === "encounter";
        fields[1].hidden = kind === "odds";
    }

    return { fields, value, fit };
}

/** Teams as specs, and the tactics that were chosen. A fighter with a chosen tactic gets a name to be told apart by. */
function matchup(teams) {
    const tactics = {};
    const taken = new Set();
    const specs = Object.entries(teams).map(([team, fighters]) => [
        team,
        fighters.map(({ sheet, by }) => {
            if (!by) return sheet;
            const name = freeName(sheet, taken);
            tactics[name] = by;
            if (typeof sheet !== "string") return { ...sheet, name };
            return /:name=/.test(sheet) ? sheet : `${sheet}:name=${name}`;
        }),
    ]);
    return { teams: Object.fromEntries(specs), tactics };
}

function freeName(sheet, taken) {
    const base = sheet.name ?? /:name=([^:]+)/.exec(sheet)?.[1] ?? sheet.split(":", 1)[0];
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
    taken.add(name);
    return name;
}

/** A job that the server works out. */
async function jobThere(request) {
    const { id } = await post("lab/jobs", request);
    return { id, state: () => get(`lab/jobs/${id}`), cancel: () => remove(`lab/jobs/${id}`) };
}

/** Follows a job in a box of its own. */
function follow(job, request, bench) {
    const progress = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
    const said = h("p", { role: "status" }, "Waiting\u2026");
    const cancel = button("Cancel", () => attempt(async () => job.cancel()), { class: "cancel" });
    const body = h("div", {}, progress, said, cancel);
    const title = titleOf(request);
    const box = h("article", { class: "job", "data-job": job.id ?? "" }, h("h3", {}, title), body);
    results.prepend(box);

    async function look() {
        try {
            const now = await job.state();
            if (now.state === "running") again(now);
            else {
                fill(body, finished(now, bench), removal(box, job.id ?? title));
                if (now.state === "done") keepResult({ key: job.id ?? title, title, now });
            }
        } catch (error) {
            fill(body, h("p", { role: "alert" }, error.message), removal(box, job.id));
        }
    }

    function again(now) {
        const isCounted = now.of > 1;
        if (isCounted) progress.value = now.done / now.of;
        else progress.removeAttribute("value");
        const text = isCounted ? `${percent(now.done / now.of)} done` : "Calculating\u2026";
        if (said.textContent !== text) said.textContent = text;
        setTimeout(look, PAUSE);
    }

    look();
}

/** A result that was found before the page was loaded anew. */
function boxOf({ key, title, now }, bench) {
    const box = h("article", { class: "job", "data-job": key }, h("h3", {}, title), finished(now, bench));
    box.append(removal(box, key));
    return box;
}

function removal(box, key) {
    const drop = () => {
        dropResult(key);
        box.remove();
    };
    return button("Remove", drop, { class: "quiet" });
}

function titleOf({ kind, system, teams }) {
    const sides = Object.values(teams)
        .map((specs) => specs.map((spec) => spec.name ?? spec.split(":", 1)[0]).join(", "))
        .join(" against ");
    const name = { odds: "Odds", simulate: "Simulation", tune: "Tuning", compare: "Comparison" }[kind] ?? capital(kind);
    return `${name}, ${system}: ${sides}`;
}
