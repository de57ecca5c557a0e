// The odds of moves: asked for once for each decision, drawn as bars with their figures in words.

import { oddsFrom } from "./device.js";
import { choice, h, labelled, svg } from "./dom.js";
import { keep, kept } from "./settings.js";
import { counted, listed, percent, signed } from "./words.js";

const PATTERNS = ["upright", "crossed", "dotted"]; // other endings are slanted
const BEST = "best play"; // no tactic has a space in its name
const NOT_YET = "\u2013";
const SEEN = 0.005; // chances below it do not get a column of their own

const plans = new Map(); // by system, while the page is open: what odds take the visitor to do after the move
const aim = () => (kept("aim") === "wins" ? "wins" : "value");

/** Asks for the odds of a fighter's moves; asking again at the same decision costs nothing, `more` adds to them. */
export function createOdds(number) {
    let key = "";
    let found = new Map();
    let stop = new AbortController();

    /** `now` names the state of the fight and what odds assume: odds of another one are forgotten. */
    function of(now, fighter, system) {
        if (now !== key) forget(now);
        return found.get(fighter) ?? more(fighter, system);
    }

    function more(fighter, system) {
        const plan = plans.get(system) ?? "";
        const play = plan === BEST ? "best" : "tactics";
        const asked = { fighter, tactic: plan && plan !== BEST ? plan : null, play, aim: aim() };
        const answer = oddsFrom(number, asked, stop.signal);
        found.set(fighter, answer);
        answer.catch(() => found.get(fighter) === answer && found.delete(fighter)); // so that it is asked again
        return answer;
    }

    function forget(now = "") {
        stop.abort();
        stop = new AbortController();
        key = now;
        found = new Map();
    }

    return { of, more, forget };
}

/** The choice of what odds assume: how the visitor goes on after the move, and what is best. */
export function assumptions(system, changed) {
    const usual = ["", "by the usual tactic"];
    const pairs = [usual, [BEST, "by best play"], ...system.tactics.map(({ name }) => [name, `by ${name}`, "Tactics"])];
    const plan = choice(pairs, plans.get(system.id) ?? "", {
        id: "odds-plan",
        onchange: (event) => changed(plans.set(system.id, event.target.value)),
    });
    const aims = [
        ["value", system.costs.length ? `by the sum of all costs (${system.costs.at(-1).name})` : "by the value of endings"],
        ["wins", "by wins alone"],
    ];
    const goal = choice(aims, aim(), {
        id: "odds-aim",
        onchange: (event) => changed(keep("aim", event.target.value)),
    });
    return h("div", { class: "fields" }, labelled("After the move I play", plan), labelled("The best move is chosen", goal));
}

/** What odds assume now, as a key. */
export const assumed = (system) => `${plans.get(system) ?? ""} ${aim()}`;

/** The figures of every move, in columns: the chance to win, other endings, and what it costs. */
export function columnsOf(odds) {
    const all = Object.values(odds.moves);
    const others = [...new Set(all.flatMap(({ chances }) => Object.keys(chances)))].filter(
        // What play-outs have not led to yet they still may.
        (ending) => !odds.teams.includes(ending) && all.some((of) => of.fights !== null || of.chances[ending] >= SEEN),
    );
    const endings = [
        { name: "lose", figure: (of) => percent(of.lose) },
        ...others.map((ending) => ({ name: ending, figure: (of) => percent(of.chances[ending] ?? 0) })),
    ];
    const costs = odds.costs.map((cost, place) => ({
        name: cost.name,
        isMain: place === odds.costs.length - 1,
        figure: (of) => costFigure(cost, of.costs[cost.name], place === odds.costs.length - 1),
    }));
    const isFull = costs.length > 0; // then the other endings are in the bar, and read out
    return [
        { name: "win", isMain: true, figure: (of) => percent(of.win) },
        ...endings.map((column) => ({ ...column, isExtra: isFull })),
        ...costs,
    ];
}

function costFigure(cost, found, isSum) {
    if (!found) return NOT_YET;
    if (cost.is_chance) return percent(found.value, found.value > 0 && found.value < 0.0995 ? 1 : 0);
    return isSum ? signed(found.value) : found.value.toFixed(1);
}

/** The heads of the columns, for the eye: every figure is read out with its name. */
export function headsOf(columns) {
    return h(
        "div",
        { class: "column-heads", "aria-hidden": "true" },
        h("span", {}),
        h("span", {}),
        columns.filter((column) => !column.isExtra).map((column) => h("span", { class: "cell" }, column.name)),
    );
}

/** The odds of moves before any have come: they take the room of those that will. */
export const oddsToCome = ({ costs, tells_at_once }) => ({ moves: {}, teams: [], costs, tells_at_once });

/** The odds of one move: its bars, and a cell for every column. */
export function oddsOf(odds, move, columns) {
    const of = odds.moves[move];
    const isBest = odds.best?.includes(move);
    const cells = columns.map((column) =>
        h(
            column.isMain && isBest ? "b" : "span",
            { class: column.isExtra ? "cell extra" : "cell" },
            h("span", { class: "cell-name" }, `${column.name} `),
            of?.tells ? column.figure(of) : NOT_YET,
        ),
    );
    const bars = of?.tells ? [outcomes(of), harms(odds, of)] : [bar(), bar()];
    return [
        h("span", { class: "bars" }, odds.costs.length ? bars : bars[0]),
        h("span", { class: of ? "odds" : "odds pending", "aria-hidden": of ? null : "true" }, cells),
        odds.tells_at_once ? h("span", { class: "at-once" }, of ? atOnce(of) : null) : null,
    ].filter(Boolean);
}

/** The effects of every move before the next decision, in full. */
export function allAtOnce(odds) {
    const told = Object.entries(odds.moves).filter(([, of]) => of.at_once || of.unfinished);
    if (!told.length) return h("p", { class: "hint" }, "Nothing that is left to chance.");
    return h(
        "dl",
        {},
        told.map(([move, of]) => [h("dt", {}, move), h("dd", {}, atOnce(of))]),
    );
}

/** What the bars mean, and how the odds were found. */
export function legend(odds) {
    const dangers = odds.costs.filter((cost) => cost.is_chance);
    const sums = odds.costs.filter((cost) => !cost.is_chance);
    return h(
        "div",
        { class: "legend" },
        h("p", {}, key("win", "win"), key("other", "other endings"), key("lose", "lose")),
        dangers.length
            ? h(
                  "p",
                  {},
                  dangers.map((cost, place) => key(patternOf(place), cost.meaning || cost.name)),
              )
            : null,
        h(
            "p",
            { class: "hint" },
            `${odds.assumes} ${odds.best_by} ${undecided(odds)}${howFound(odds)}`,
            sums.map((cost) => ` ${cost.name}: ${cost.meaning}.`),
        ),
    );
}

/** While moves are too close to each other, none is called the best. */
function undecided({ best, close, more }) {
    if (best.length || !close.length) return "";
    const moves = close.length > 3 ? counted(close.length, "move") : listed(close);
    return `${more ? "Not decided yet between" : "Too close to tell apart:"} ${moves}. `;
}

function howFound({ how, moves, more }) {
    if (how === "exact") return "Counted exactly.";
    const all = Object.values(moves);
    const spread = Math.max(0, ...all.filter((of) => of.tells).map(({ low, high }) => (high - low) / 2));
    const within = spread > 0.005 ? `, to within ${counted(Math.ceil(spread * 100), "point")}` : "";
    const few = all.some((of) => !of.tells) ? " Moves with too few play-outs show no figures yet." : "";
    return `Odds: ${how}${within}.${few}${more ? " They are being refined." : ""}`;
}

function patternOf(place) {
    return PATTERNS[place % PATTERNS.length];
}

function key(fill, text) {
    return h(
        "span",
        { class: "key" },
        svg("svg", { width: 16, height: 12, "aria-hidden": "true" }, rect(fill, 0, 16, 12)),
        text,
    );
}

function rect(fill, x, width, height) {
    const pattern = fill === "other" ? "slanted" : PATTERNS.find((each) => each === fill);
    return svg("rect", { class: `share ${fill}`, fill: pattern ? `url(#${pattern})` : null, x, y: 0, width, height });
}

function share(fill, from, chance) {
    return chance > 0 ? rect(fill, `${from * 100}%`, `${Math.min(1 - from, chance) * 100}%`, 10) : null;
}

function bar(...shares) {
    return svg("svg", { class: "chances", width: "100%", height: 10, "aria-hidden": "true" }, shares);
}

/** From the left the chance to win, from the right the chance to lose, between them whatever else. */
function outcomes({ win, lose, low, high }) {
    return bar(
        share("other", win, Math.max(0, 1 - win - lose)),
        share("lose", Math.max(0, 1 - lose), lose),
        share("win", 0, win),
        high - low > 0.01
            ? svg("line", {
                  class: "interval",
                  x1: `${Math.max(0, low) * 100}%`,
                  x2: `${Math.min(1, high) * 100}%`,
                  y1: 5,
                  y2: 5,
              })
            : null,
    );
}

/** Harms lie on top of each other, the likeliest undermost, being mostly a part of it. */
function harms(odds, of) {
    const dangers = odds.costs
        .filter((cost) => cost.is_chance)
        .map((cost, place) => ({ fill: patternOf(place), chance: of.costs[cost.name]?.value ?? 0 }));
    dangers.sort((one, other) => other.chance - one.chance);
    return bar(dangers.map(({ fill, chance }) => [share("ground", 0, chance), share(fill, 0, chance)]));
}

/** The effects of a move before the next decision, in words. */
function atOnce({ at_once, unfinished }) {
    if (unfinished) return "at once: still being counted";
    const chances = Object.entries(at_once ?? {}).filter(([, chance]) => Number(chance) >= SEEN / 10);
    if (!chances.length) return "";
    return `at once: ${chances.map(([name, chance]) => `${name} ${percent(Number(chance))}`).join(", ")}`;
}
