// Choosing a move: a target by its card, then an action, then how; few moves simply stand below each other.

import { fill, h } from "./dom.js";
import { iconed } from "./icons.js";
import { headsOf, oddsOf } from "./odds.js";
import { token } from "./token.js";
import { percent } from "./words.js";

const FEW = 6; // moves that need no choosing
const DIGITS = 9;
const NOBODY = "";

const usual = new Map(); // by system, while the page is open: the action chosen last

/** All moves of a decision, of which those of the chosen target and action are shown. */
export function createChoosing(ask, { system, nameOf, play }) {
    const moves = ask.moves.map((move, place) => ({ move, ...aboutOf(ask, place) }));
    const targets = [...new Set(moves.map(({ target }) => target ?? NOBODY))];
    const isAimed = moves.length > FEW && targets.filter((target) => target !== NOBODY).length > 1;
    const groups = isAimed ? targets.map((target) => groupOf(target, ofTarget(moves, target))) : [groupOf(null, moves)];
    const aims = isAimed ? chips("At whom?", `target-${ask.fighter}`, groups.map(aimChip), aim) : null;
    const node = h(
        "div",
        { class: "choosing" },
        aims?.node,
        groups.map((group) => group.node),
    );
    let aimed = groups[0];

    function groupOf(target, own) {
        const names = manifoldFirst(own);
        const isFew = own.length <= FEW || names.length === 1;
        const panels = isFew
            ? [panelOf("", own, !isAimed)]
            : names.map((name) => panelOf(name, own.filter(({ action }) => action === name), false));
        const choice = isFew ? null : chips("What?", `action-${ask.fighter}-${target ?? ""}`, panels.map(actChip), act);
        const group = { target, panels, choice, chosen: panels[0], heads: h("div", { class: "heads" }) };
        const shown = [choice?.node, group.heads, panels.map((panel) => panel.node)];
        group.node = h("div", { class: "group", hidden: isAimed }, shown);
        function act(place) {
            group.chosen = panels[place];
            if (group.chosen.name) usual.set(system, group.chosen.name);
            draw();
        }
        const known = panels.findIndex((panel) => panel.name && panel.name === usual.get(system));
        if (known > 0) group.chosen = panels[known];
        choice?.choose(Math.max(0, known));
        return group;
    }

    function panelOf(name, own, isWhole) {
        const buttons = own.map((each) => moveButton(each, isWhole && each.target ? nameOf(each.target) : "", name, play));
        const panel = h("div", { class: "buttons", hidden: Boolean(name) }, buttons.map((one) => one.node));
        return { name, moves: own, buttons, node: panel };
    }

    function aimChip(group) {
        const name = group.target ? nameOf(group.target) : "no target";
        return { text: name, picture: group.target ? token(name) : null, moves: group.panels.flatMap((each) => each.moves) };
    }

    function actChip(panel) {
        return { text: panel.name, moves: panel.moves };
    }

    function aim(place) {
        aimed = groups[place];
        draw();
    }

    function draw() {
        for (const group of groups) {
            group.node.hidden = group !== aimed;
            for (const panel of group.panels) panel.node.hidden = panel !== group.chosen;
        }
        giveKeys(node);
    }

    function weigh(found, columns) {
        aims?.weigh(found);
        for (const group of groups) {
            group.choice?.weigh(found);
            fill(group.heads, headsOf(columns));
            for (const panel of group.panels) panel.buttons.forEach((button) => button.weigh(found, columns));
        }
    }

    /** Chooses a target by its fighter; false if there is nothing to choose. */
    function aimAt(fighter) {
        const place = isAimed ? groups.findIndex((group) => group.target === fighter) : -1;
        if (place < 0) return false;
        aims.choose(place);
        aim(place);
        return true;
    }

    draw();
    return { node, weigh, aimAt, targets: isAimed ? targets.filter((target) => target !== NOBODY) : [] };
}

function aboutOf(ask, place) {
    return ask.about?.[place] ?? { action: ask.moves[place], target: null, detail: "", text: "" };
}

/** The actions of some moves; those that can be done in several ways come first. */
function manifoldFirst(moves) {
    const counts = new Map();
    for (const { action } of moves) counts.set(action, (counts.get(action) ?? 0) + 1);
    return [...counts.keys()].sort((one, other) => (counts.get(one) === 1) - (counts.get(other) === 1));
}

function ofTarget(moves, target) {
    return moves.filter((each) => (each.target ?? NOBODY) === target);
}

/** A row of things of which one is chosen; each says how good the best of its moves is. */
function chips(legend, name, shown, choose) {
    const inputs = shown.map((_, place) =>
        h("input", { type: "radio", name, value: place, class: "unseen", onchange: () => choose(place) }),
    );
    const chances = shown.map(() => h("span", { class: "chip-odds" }));
    const labels = shown.map(({ text, picture }, place) =>
        h("label", { class: "chip", "data-chip": text }, inputs[place], picture, h("span", {}, text), chances[place]),
    );
    const node = h("fieldset", { class: "chips" }, h("legend", {}, legend), h("div", { class: "chip-row" }, labels));

    function weigh(found) {
        shown.forEach(({ moves }, place) => {
            const known = moves.map(({ move }) => found.moves[move]).filter((of) => of?.tells);
            const isBest = moves.some(({ move }) => found.best?.includes(move));
            const win = known.length ? percent(Math.max(...known.map((of) => of.win))) : "";
            chances[place].replaceChildren(win, isBest ? h("span", { class: "star" }, "\u2605") : "");
            labels[place].title = win ? `wins up to ${win}${isBest ? "; the best move is here" : ""}` : "";
        });
    }

    function select(place) {
        inputs[place].checked = true;
    }

    select(0);
    return { node, weigh, choose: select };
}

/** A move: its name, its odds, and what it means in a sentence. */
function moveButton({ move, action, detail, text }, whom, known, play) {
    const parts = known && detail ? [detail] : [action, whom ? `\u2192 ${whom}` : "", detail].filter(Boolean);
    const unseen = known && detail ? h("span", { class: "unseen" }, `${action}, `) : null;
    const name = h("span", { class: "name" }, h("span", {}, unseen, parts.join(" ")));
    const means = text ? h("span", { class: "means" }, iconed(text)) : null;
    const node = h("button", { type: "button", class: "move", "data-move": move, onclick: () => play(move) }, name, means);
    function weigh(found, columns) {
        node.querySelectorAll(".best, .bars, .odds, .at-once").forEach((old) => old.remove());
        const isBest = Boolean(found.best?.includes(move));
        node.classList.toggle("is-best", isBest);
        if (isBest) name.append(h("span", { class: "best" }, "\u2605 best"));
        name.after(...oddsOf(found, move, columns));
    }
    return { node, weigh };
}

/** The first nine buttons that can be seen answer to the keys 1 to 9. */
export function giveKeys(place) {
    for (const each of place.querySelectorAll("button.move[data-key]")) {
        delete each.dataset.key;
        each.removeAttribute("aria-keyshortcuts");
        each.querySelector("kbd").remove();
    }
    const shown = [...place.querySelectorAll("button.move")].filter((each) => !each.closest("[hidden]"));
    shown.slice(0, DIGITS).forEach((each, index) => {
        each.dataset.key = String(index + 1);
        each.setAttribute("aria-keyshortcuts", String(index + 1));
        each.querySelector(".name").prepend(h("kbd", { "aria-hidden": "true" }, String(index + 1)));
    });
}
