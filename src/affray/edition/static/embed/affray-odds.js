// <affray-odds system="bgo" teams="heroes=player monsters=fire-slime">: how a fight is likely to end, inside any page.

import { ask } from "../python/ask.js";

class AffrayOdds extends HTMLElement {
    connectedCallback() {
        this.attachShadow({ mode: "open" });
        const start = element("button", { type: "button" }, this.getAttribute("label") ?? "Work out the odds here");
        start.addEventListener("click", () => this.show());
        this.shadowRoot.replaceChildren(style(), start);
        if (this.hasAttribute("auto")) this.show();
    }

    async show() {
        const said = element("p", { role: "status" }, "Working out the odds\u2026");
        this.shadowRoot.replaceChildren(style(), said);
        try {
            const found = await ask({ ask: "odds of a fight", request: this.request() });
            this.shadowRoot.replaceChildren(style(), table(found));
        } catch (error) {
            said.textContent = `No odds: ${error.message}`;
        }
    }

    request() {
        const words = (this.getAttribute("teams") ?? "").trim().split(/\s+/);
        const sides = words.map((word) => word.split("=")).map(([team, specs = ""]) => [team, specs.split(",")]);
        const system = this.getAttribute("system") ?? "";
        return { kind: "odds", system, teams: Object.fromEntries(sides), play: this.getAttribute("play") ?? "tactics" };
    }
}

function table(found) {
    const rows = Object.entries(found.endings).map(([ending, { value, low, high }]) => {
        const bar = element("span", { class: "bar", "aria-hidden": "true" });
        bar.style.width = `${100 * value}%`;
        const spread = high - low > 0.001 ? ` (${percent(low)} to ${percent(high)})` : "";
        return element(
            "tr",
            {},
            element("th", { scope: "row" }, ending),
            element("td", { class: "drawn" }, bar),
            element("td", {}, percent(value) + spread),
        );
    });
    const how = found.how === "exact" ? "counted exactly" : found.how;
    return element("table", {}, element("caption", {}, `How the fight ends, ${how}`), ...rows);
}

function percent(value) {
    return `${(100 * value).toFixed(2)}%`;
}

function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function style() {
    return element(
        "style",
        {},
        `:host { display: block; }
        table { border-collapse: collapse; width: 100%; max-width: 40rem; }
        caption { text-align: left; font-weight: bold; padding: 0.3em 0; }
        th { text-align: left; padding-right: 1em; font-weight: normal; }
        td { padding: 0.15em 0.5em 0.15em 0; font-variant-numeric: tabular-nums; }
        .drawn { width: 50%; }
        .bar { display: block; height: 0.8em; min-width: 1px; background: currentColor; opacity: 0.6; }`,
    );
}

customElements.define("affray-odds", AffrayOdds);
