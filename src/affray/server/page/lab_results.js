// The results of a lab job: how the fights ended, how long they took, and the figures of the fighters.

import { chanceTable, roundsChart } from "./charts.js";
import { h } from "./dom.js";
import { capital, counted } from "./words.js";

/** The outcome of a job that is no longer running. */
export function finished(job, bench) {
    if (job.state === "cancelled") return h("p", { role: "status" }, capital(job.problem ?? "cancelled"));
    if (job.state === "failed") return h("p", { role: "alert" }, capital(job.problem ?? "it failed"));
    if (job.kind === "simulate") return simulation(job.result);
    return job.kind === "odds" ? oddsResult(job.result) : bench?.benchResult(job.kind, job.result);
}

function oddsResult(result) {
    const rows = Object.entries(result.endings).map(([label, found]) => ({
        label,
        ...found,
        note: found.exact && found.exact.length < 20 ? found.exact : "",
    }));
    return [
        chanceTable(result.how === "exact" ? "Counted exactly" : capital(result.how), rows),
        result.expected_rounds ? h("p", {}, `${result.expected_rounds.toFixed(1)} rounds on average.`) : null,
    ];
}

function simulation(result) {
    const rows = Object.entries(result.endings).map(([label, found]) => ({ label, ...found }));
    return [
        h(
            "p",
            { role: "status" },
            `${counted(result.fights, "fight")} in ${duration(result.seconds)}`,
            `${result.compiled ? ", compiled" : ""}; seed ${result.seed}.`,
        ),
        chanceTable("How they ended", rows),
        roundsChart(result.rounds),
        figuresOf(result.figures),
    ];
}

function duration(seconds) {
    if (seconds < 0.1) return "less than 0.1 s";
    return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

function figuresOf(figures) {
    const names = [...new Set(Object.values(figures).flatMap((own) => Object.keys(own)))];
    if (!names.length) return null;
    const head = h(
        "tr",
        {},
        h("th", { scope: "col" }, "Figure"),
        Object.keys(figures).map((fighter) => h("th", { scope: "col", class: "figure" }, fighter)),
    );
    const rows = names.map((name) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            Object.values(figures).map((own) => h("td", { class: "figure" }, figure(own[name]))),
        ),
    );
    return h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Figures of the fighters" },
        h("table", {}, h("caption", {}, "Averages per fight"), h("thead", {}, head), h("tbody", {}, rows)),
    );
}

function figure(found) {
    if (!found) return "";
    const spread = (found.high - found.low) / 2;
    return `${found.value.toFixed(2)}${spread >= 0.005 ? ` \u00b1 ${spread.toFixed(2)}` : ""}`;
}

const KEPT = "affray.lab";
const MOST_KEPT = 10;

/** Results of this window, the newest first, each as {key, title, now}. */
export function keptResults() {
    try {
        return JSON.parse(sessionStorage.getItem(KEPT)) ?? [];
    } catch {
        return []; // a browser that keeps nothing
    }
}

/** Keeps a result for as long as the window is open, also when the page is loaded anew. */
export function keepResult(result) {
    store([result, ...keptResults().filter((each) => each.key !== result.key)].slice(0, MOST_KEPT));
}

/** Keeps a result no longer. */
export function dropResult(key) {
    store(keptResults().filter((each) => each.key !== key));
}

function store(kept) {
    try {
        sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
        // A browser that keeps nothing, or no room for so much: the results stay on the page.
    }
}
