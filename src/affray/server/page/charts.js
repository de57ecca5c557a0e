// Charts as SVG, each with its figures as a table beside or below it.

import { h, svg } from "./dom.js";
import { percent, signed } from "./words.js";

const WIDE = 420;
const HIGH = 200;
const LEFT = 40;
const BOTTOM = 26;
const TOP = 10;

/** Chances as a table with a bar in every row; `rows` have label, value, low, high and perhaps a note. */
export function chanceTable(caption, rows) {
    const digits = 2;
    return h(
        "table",
        { class: "chart-table" },
        h("caption", {}, caption),
        h(
            "thead",
            {},
            h(
                "tr",
                {},
                ["", "Chance", "Between"].map((head, place) =>
                    h(
                        "th",
                        { scope: "col", class: place ? "figure" : null },
                        head || h("span", { class: "unseen" }, "Ending"),
                    ),
                ),
            ),
        ),
        h(
            "tbody",
            {},
            rows.map((row) =>
                h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, row.label, chanceBar(row)),
                    h(
                        "td",
                        { class: "figure" },
                        percent(row.value, digits),
                        row.note ? h("span", { class: "hint" }, ` ${row.note}`) : null,
                    ),
                    h(
                        "td",
                        { class: "figure" },
                        row.high - row.low > 1e-9
                            ? `${percent(row.low, digits)} \u2013 ${percent(row.high, digits)}`
                            : "exact",
                    ),
                ),
            ),
        ),
    );
}

function chanceBar({ value, low, high }) {
    return svg(
        "svg",
        { class: "chances", width: "100%", height: 12, "aria-hidden": "true" },
        svg("rect", { class: "share lose", x: 0, y: 0, width: "100%", height: 12 }),
        svg("rect", { class: "share win", x: 0, y: 0, width: `${value * 100}%`, height: 12 }),
        high - low > 0.002
            ? svg("line", { class: "interval", x1: `${low * 100}%`, x2: `${high * 100}%`, y1: 6, y2: 6 })
            : null,
    );
}

/** The number of fights by how many rounds they took. */
export function roundsChart(rounds) {
    const counts = Object.entries(rounds)
        .map(([round, count]) => [Number(round), count])
        .sort(([one], [other]) => one - other);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    if (!total) return null;
    const mean = counts.reduce((sum, [round, count]) => sum + round * count, 0) / total;
    const bins = binned(counts);
    const most = Math.max(...bins.map((bin) => bin.count));
    const step = (WIDE - LEFT) / bins.length;
    const bars = bins.map((bin, place) => {
        const height = (HIGH - TOP - BOTTOM) * (bin.count / most);
        return svg(
            "rect",
            { class: "bar", x: LEFT + place * step + step * 0.1, y: HIGH - BOTTOM - height, width: step * 0.8, height },
            svg("title", {}, `${bin.label}: ${bin.count}`),
        );
    });
    const every = Math.ceil(bins.length / 12);
    const labels = bins.map((bin, place) =>
        place % every === 0
            ? svg("text", { x: LEFT + (place + 0.5) * step, y: HIGH - 8, "text-anchor": "middle" }, bin.label)
            : null,
    );
    return h(
        "figure",
        { class: "chart" },
        h("figcaption", {}, `Rounds: ${mean.toFixed(1)} on average, from ${counts[0][0]} to ${counts.at(-1)[0]}`),
        svg(
            "svg",
            {
                viewBox: `0 0 ${WIDE} ${HIGH}`,
                role: "img",
                "aria-label": `Number of fights by rounds; ${mean.toFixed(1)} rounds on average`,
            },
            scale(most / total),
            bars,
            labels,
        ),
        figures(
            ["Rounds", "Fights", "Share"],
            bins.map((bin) => [bin.label, bin.count.toLocaleString("en"), percent(bin.count / total, 1)]),
        ),
    );
}

/** At most forty bars: longer ranges are put together. */
function binned(counts) {
    const first = counts[0][0];
    const width = Math.ceil((counts.at(-1)[0] - first + 1) / 40);
    const bins = new Map();
    for (let round = first; round <= counts.at(-1)[0]; round += width) bins.set(round, 0);
    for (const [round, count] of counts) {
        const start = first + Math.floor((round - first) / width) * width;
        bins.set(start, bins.get(start) + count);
    }
    return [...bins].map(([start, count]) => ({
        label: width === 1 ? String(start) : `${start}\u2013${start + width - 1}`,
        count,
    }));
}

/** Lines at the top and the foot of the chart, with what they stand for. */
function scale(share) {
    return [
        [1, percent(share)],
        [0, "0"],
    ].map(([part, text]) => {
        const y = TOP + (HIGH - TOP - BOTTOM) * (1 - part);
        return [
            svg("line", { class: "rule", x1: LEFT, x2: WIDE, y1: y, y2: y }),
            svg("text", { x: LEFT - 5, y: y + 4, "text-anchor": "end" }, text),
        ];
    });
}

/** A team's chance to win from decision to decision, with bars for what dice and choices changed; a click goes there. */
export function luckChart({ steps, team }, go) {
    const across = (place) => LEFT + ((WIDE - LEFT - 8) * place) / Math.max(1, steps.length);
    const up = (chance) => TOP + (HIGH - TOP - BOTTOM) * (1 - chance);
    const course = [steps[0].start, ...steps.flatMap((step) => [step.before, step.after])];
    const at = (index) => (index === 0 ? 0 : Math.ceil(index / 2));
    const points = course.map((chance, index) => `${across(at(index)).toFixed(1)},${up(chance).toFixed(1)}`).join(" ");
    const wide = Math.max(2, Math.min(12, (WIDE - LEFT) / steps.length / 3));
    const bars = steps.map((step, place) => [
        changeBar("dice", step.before, step.after, across(place + 1) + wide / 2, up, wide),
        changeBar("choice", step.start, step.before, across(place + 1) - wide / 2, up, wide),
    ]);
    const slots = steps.map((step, place) => slot(step, across(place + 0.5), across(place + 1.5), go));
    const rules = [0, 0.25, 0.5, 0.75, 1].map((part) => [
        svg("line", { class: "rule", x1: LEFT, x2: WIDE, y1: up(part), y2: up(part) }),
        svg("text", { x: LEFT - 5, y: up(part) + 4, "text-anchor": "end" }, percent(part)),
    ]);
    return h(
        "figure",
        { class: "chart" },
        h("figcaption", {}, `Chance to win for ${team}: dice (full) and choices (slanted). Click a decision to see it.`),
        svg(
            "svg",
            {
                viewBox: `0 0 ${WIDE} ${HIGH}`,
                role: "img",
                "aria-label": `Chance to win for ${team}, decision by decision; the table below has its figures`,
            },
            rules,
            bars,
            svg("polyline", { class: "course", points }),
            slots,
            svg("text", { x: WIDE, y: HIGH - 6, "text-anchor": "end" }, "decisions"),
        ),
        figures(
            ["Decision", "Who", "Move", "Start", "After choices", "After dice"],
            steps.map((step) => [
                h("button", { type: "button", class: "link", onclick: () => go(step.decision) }, String(step.decision)),
                step.who ?? "",
                step.move ?? "",
                percent(step.start),
                percent(step.before),
                percent(step.after),
            ]),
        ),
    );
}

/** The part of the chart that belongs to a decision, to be clicked. */
function slot(step, from, to, go) {
    const change = `dice ${signed((step.after - step.before) * 100)}, choices ${signed((step.before - step.start) * 100)}`;
    const area = svg(
        "rect",
        { class: "slot", x: from, y: TOP, width: to - from, height: HIGH - TOP - BOTTOM },
        svg("title", {}, `decision ${step.decision}: ${step.move ?? ""}; ${change} points`),
    );
    area.addEventListener("click", () => go(step.decision));
    return area;
}

function changeBar(kind, from, to, x, up, wide) {
    return svg("rect", {
        class: `${kind} ${to >= from ? "gave" : "took"}`,
        fill: kind === "choice" ? "url(#slanted)" : null,
        x: x - wide / 2,
        y: up(Math.max(from, to)),
        width: wide,
        height: Math.max(0.5, Math.abs(up(from) - up(to))),
    });
}

/** The figures behind a chart. */
function figures(heads, rows) {
    return h(
        "details",
        {},
        h("summary", {}, "As a table"),
        h(
            "div",
            { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Figures of the chart" },
            h(
                "table",
                {},
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        heads.map((head) => h("th", { scope: "col" }, head)),
                    ),
                ),
                h(
                    "tbody",
                    {},
                    rows.map(([head, ...rest]) =>
                        h(
                            "tr",
                            {},
                            h("th", { scope: "row" }, head),
                            rest.map((each) => h("td", {}, each)),
                        ),
                    ),
                ),
            ),
        ),
    );
}
