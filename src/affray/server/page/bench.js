// The designer's bench in the lab: what to compare, tune or build, and what came of it. Only a server works it out.

import { chanceTable } from "./charts.js";
import { choice, h, labelled, svg } from "./dom.js";
import { counted, listed, percent, signed } from "./words.js";

/** What the bench does, as [kind, name]. */
export const BENCH = [
    ["compare", "Compare variants"],
    ["tune", "Tune to a target"],
    ["sensitivity", "Find out what matters"],
    ["encounter", "Suggest foes for a party"],
    ["campaign", "Fight several fights in a row"],
];
/** Kinds that take only the first team, the party. */
export const PARTY = ["encounter", "campaign"];

const VARIED = "One thing a line: slime:health=4..8, hero:weapon=sword|axe, option:ties=on|off, tactic:heroes=a|b.";
const DIFFICULTIES = [
    ["easy", "easy: the party wins 90 to 99%"],
    ["medium", "medium: 75 to 90%"],
    ["hard", "hard: 55 to 75%"],
    ["deadly", "deadly: 30 to 55%"],
];

/** Fields for all questions; `fit(kind)` shows those of one, `start(system)` begins them anew, `value(kind)` reads them. */
export function benchFields() {
    const lines = (name) => h("textarea", { name, rows: 3, spellcheck: "false" });
    const word = (name, value = "") => h("input", { name, value, spellcheck: "false" });
    const all = [
        [["compare", "tune"], "vary", "Vary", lines("vary"), VARIED],
        [["compare"], "each", "In each of", lines("each"), "Settings, such as foes=ghoul|zombie; may stay empty."],
        [["tune"], "targets", "Wanted", lines("targets"), "One a line: heroes=0.6, rounds=4..6, heroes>=0.5."],
        [["compare", "sensitivity"], "of", "Measured", lines("of"), "Empty for the first team's wins. Or: rounds, draw."],
        [["encounter"], "difficulty", "Difficulty", choice(DIFFICULTIES, "hard", { name: "difficulty" })],
        [["encounter"], "monsters", "How many foes", word("monsters", "2..4"), "A number, or a range such as 2..4."],
        [["encounter"], "bestiary", "From", word("bestiary"), "Ids or kinds with commas between them; empty for all."],
        [["campaign"], "meet", "Foes to meet", lines("meet"), "One fight a line, such as goblin,goblin."],
        [["campaign"], "rest", "Rest in between", lines("rest"), "One way a line, such as rest*3; may stay empty."],
    ].map(([kinds, name, label, field, meaning]) => ({ kinds, name, field, node: labelled(label, field, meaning) }));
    for (const { field, node } of all) node.classList.toggle("wide", field.matches("textarea"));
    const of = Object.fromEntries(all.map(({ name, field }) => [name, field]));
    let kind = "";

    /** What a system's fields begin with, so that every question has an answer from the start. */
    function start(system) {
        const [[team], [, foes]] = Object.entries(system.demonstration);
        const tactics = system.tactics.slice(0, 2).map((tactic) => tactic.name);
        of.vary.value = `tactic:${team}=${tactics.join("|")}`;
        of.targets.value = `${team}=0.6`;
        of.meet.value = `${foes.join(",")}\n${foes.join(",")}`;
        for (const name of ["each", "of", "bestiary", "rest"]) of[name].value = "";
    }

    function fit(chosen) {
        kind = chosen;
        for (const { kinds, node } of all) node.hidden = !kinds.includes(kind);
    }

    function value() {
        const own = all.filter(({ kinds }) => kinds.includes(kind)).map(({ name, field }) => [name, read(name, field)]);
        return Object.fromEntries(own);
    }

    return { nodes: all.map(({ node }) => node), start, fit, value };
}

function read(name, field) {
    const text = field.value.trim();
    if (name === "difficulty" || name === "monsters") return text;
    return text
        .split(name === "bestiary" ? "," : "\n")
        .map((each) => each.trim())
        .filter(Boolean);
}

/** The teams with sheets as one types them, so that any value can be varied; of some kinds only the party. */
export function typedTeams(kind, teams) {
    const typed = Object.entries(teams).map(([team, fighters]) => [
        team,
        fighters.map(({ spec, by }) => ({ sheet: spec, by })),
    ]);
    return Object.fromEntries(PARTY.includes(kind) ? typed.slice(0, 1) : typed);
}

/** What came of a question. */
export function benchResult(kind, result) {
    const early = "It took too long and was stopped: this is what there was so far, with intervals that hold for it.";
    const shown = { compare: compared, tune: tuned, sensitivity: sensed, encounter: met, campaign: travelled };
    return [result.interrupted ? h("p", { role: "status" }, early) : null, shown[kind](result)];
}

function compared(result) {
    const isExact = Object.values(result.settings).every((setting) => setting.exact);
    const sure = `${Math.round(result.certainty * 100)}%`;
    return [
        result.measures.map(({ text, is_chance }) => [
            valueTable(
                text,
                rowsOf(result.means, text, (row) => [row.setting, row.variant].filter(Boolean).join(": ")),
                is_chance,
            ),
            changeTable(
                `Differences in ${text}${isExact ? "" : `; all hold together with ${sure}`}`,
                rowsOf(result.differences, text, (row) =>
                    [row.setting, `${row.one} less ${row.other}`].filter(Boolean).join(": "),
                ).map((row) => ({ ...row, note: row.better ? `${row.better} has more` : isExact ? "the same" : "open" })),
                is_chance,
            ),
            Object.keys(result.settings).length > 1 &&
                changeTable(
                    "The same on average over all settings",
                    rowsOf(result.averages, text, (row) => `${row.one} less ${row.other}`),
                    is_chance,
                ),
            Object.entries(result.dominated[text] ?? {}).map(([worse, better]) =>
                h("p", {}, `${worse} is never surely better than ${listed(better)}, and surely worse somewhere.`),
            ),
        ]),
        h("p", { class: "hint" }, howSure(isExact, result), "; both orders of the teams, the same dice."),
    ];
}

function rowsOf(rows, measure, label) {
    return rows.filter((row) => row.measure === measure).map((row) => ({ ...row, label: label(row) }));
}

function howSure(isExact, { fights, settings, seed }) {
    if (isExact) return "Counted exactly";
    const most = fights ?? Math.max(...Object.values(settings).map((setting) => setting.fights));
    return `Up to ${counted(most, "fight")} of each; seed ${seed}`;
}

function tuned(result) {
    const found = result.met.length ? result.met : result.open.length ? result.open : result.pareto;
    const [nearest, none] = ["These come nearest", result.impossible ? "Nothing in these ranges does it" : "None does it"];
    const said = result.met.length
        ? "The smallest change that surely does it comes first."
        : result.open.length
          ? "None surely does it; these may."
          : `${none}. ${nearest}:`;
    return [
        h("p", { role: "status" }, `Wanted: ${result.targets.join("; ")}. ${said}`),
        result.measures.map(({ text, is_chance }, place) =>
            valueTable(
                text,
                found.slice(0, 8).map((each) => ({
                    label: Object.entries(each.settings)
                        .map(([what, value]) => `${what}=${value}`)
                        .join(", "),
                    ...each.means[place],
                })),
                is_chance,
            ),
        ),
        h("p", { class: "hint" }, `${result.tried} of ${counted(result.of, "combination")} tried, the smallest changes first.`),
    ];
}

function sensed(result) {
    return [
        result.measures.map(({ text, is_chance }) =>
            changeTable(
                `What matters for ${text}`,
                rowsOf(result.effects, text, (row) => row.change),
                is_chance,
            ),
        ),
        h(
            "p",
            { class: "hint" },
            `${counted(result.changes, "change")}; ${result.idle} without a difference. `,
            `${howSure(result.exact, result)}.`,
        ),
    ];
}

function met({ team, wanted, suggestions, nearest, tried, seed }) {
    const few = suggestions.length ? suggestions : nearest;
    const label = ({ foes }) => [foes].flat().join(", ").replaceAll(",", ", ").replaceAll("  ", " ");
    const wish = `Wanted: ${team} win ${percent(wanted[0])} to ${percent(wanted[1])}.`;
    return [
        h("p", { role: "status" }, wish, suggestions.length ? "" : " No group surely fits; these come nearest:"),
        valueTable(
            `How often ${team} win`,
            few.map((each) => ({ label: label(each), ...each.wins })),
            true,
        ),
        suggestions.map((each) =>
            h(
                "details",
                {},
                h("summary", {}, `${label(each)}: what it costs`),
                h("p", {}, `${each.rounds.value.toFixed(1)} rounds on average.`),
                chanceTable(
                    "To one of the party or more",
                    Object.entries(each.someone).map(([name, rate]) => ({ label: name, ...rate })),
                ),
                h(
                    "p",
                    {},
                    "All of the party together: ",
                    Object.entries(each.losses)
                        .map(([name, { value, low, high }]) => `${name} ${value.toFixed(1)} \u00b1 ${((high - low) / 2).toFixed(1)}`)
                        .join("; "),
                ),
            ),
        ),
        h("p", { class: "hint" }, `${counted(tried, "group")} tried; seed ${seed}.`),
    ];
}

function travelled({ party, runs, reached, fights_won: won, seed, rests }) {
    const rows = Object.entries(reached).map(([label, rate]) => ({ label, ...rate }));
    const mean = `${won.value.toFixed(2)} (${won.low.toFixed(2)} to ${won.high.toFixed(2)})`;
    return [
        h("p", { role: "status" }, `${listed(party)}, ${rests.length ? `with ${listed(rests)} between fights` : "without rest"}.`),
        valueTable("Got past", rows, true),
        h("p", {}, `Fights won on average: ${mean}.`),
        h("p", { class: "hint" }, `${counted(runs, "run")}; seed ${seed}.`),
    ];
}

function valueTable(caption, rows, isChance) {
    return isChance ? chanceTable(caption, rows) : changeTable(caption, rows, false, false);
}

/** Values with bars from zero, to the left for less and to the right for more, and their intervals. */
function changeTable(caption, rows, isChance, isSigned = true) {
    if (!rows.length) return null;
    const low = Math.min(0, ...rows.map((row) => row.low));
    const high = Math.max(0, ...rows.map((row) => row.high));
    const at = (value) => (100 * (value - low)) / (high - low || 1);
    const unit = isChance ? 100 : 1;
    const text = (value) => (isSigned ? signed(value * unit, 2) : value.toFixed(2));
    const heads = ["", isSigned ? "By" : "Mean", "Between"].map((head, place) =>
        h("th", { scope: "col", class: place ? "figure" : null }, head || h("span", { class: "unseen" }, "What")),
    );
    const cells = (row) => [
        h("th", { scope: "row" }, row.label, row.note ? h("span", { class: "hint" }, ` ${row.note}`) : null, changeBar(row, at)),
        h("td", { class: "figure" }, text(row.value)),
        h("td", { class: "figure" }, row.high - row.low > 1e-9 ? `${text(row.low)} \u2013 ${text(row.high)}` : "exact"),
    ];
    return h(
        "table",
        { class: "chart-table" },
        h("caption", {}, caption, isChance ? " (in points)" : ""),
        h("thead", {}, h("tr", {}, heads)),
        h(
            "tbody",
            {},
            rows.map((row) => h("tr", {}, cells(row))),
        ),
    );
}

function changeBar({ value, low, high }, at) {
    const [from, to] = [at(0), at(value)].sort((one, other) => one - other);
    const line = (one, other) => ({ class: "interval", x1: `${one}%`, x2: `${other}%`, y1: 6, y2: 6 });
    return svg(
        "svg",
        { class: "chances", width: "100%", height: 12, "aria-hidden": "true" },
        svg("rect", { class: "share win", x: `${from}%`, y: 0, width: `${to - from}%`, height: 12 }),
        svg("line", { class: "interval", x1: `${at(0)}%`, x2: `${at(0)}%`, y1: 0, y2: 12 }),
        high - low > 1e-9 ? svg("line", line(at(low), at(high))) : null,
    );
}
