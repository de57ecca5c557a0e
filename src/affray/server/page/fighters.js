// The fighters on the table, team by team, each drawn as its system has it, and a strip of how all of them stand.

import { createPlace, fill, h } from "./dom.js";
import { scene, vitalBar, vitals } from "./scene.js";
import { token } from "./token.js";
import { mover } from "./words.js";

const SIDES = ["\u25cf", "\u25c6", "\u25b2", "\u25a0"]; // so that a side is never told by its colour alone

/** A card for one fighter who is not redrawn. */
export function cardOf(fighter) {
    const article = h("article", { class: "fighter" });
    draw(article, fighter, false);
    return article;
}

/** The fighters of a fight; `update(teams, seats, you)` draws only what has changed, `aim` is told of a click on one. */
export function createFighters(aim = null) {
    const node = h("div", { class: "teams", role: "group", "aria-label": "Fighters" });
    const drawn = new Map();
    let order = "";

    function update(teams, seats, you = null) {
        const now = JSON.stringify([teams, seats.map((seat) => [seat.team, seat.name, seat.group])]);
        if (now !== order) lay(teams, seats);
        order = now;
        for (const seat of seats) drawn.get(seat.name)(seat, you !== null && you === seat.name);
    }

    function lay(teams, seats) {
        drawn.clear();
        fill(
            node,
            teams.map((team, side) =>
                h(
                    "section",
                    { class: "team", "data-team": team, "data-side": side % SIDES.length },
                    h("h2", {}, h("span", { class: "side-sign", "aria-hidden": "true" }, SIDES[side % SIDES.length]), team),
                    h("div", { class: "members" }, gathered(seats.filter((seat) => seat.team === team))),
                ),
            ),
        );
    }

    /** Fighters who act together are on one card. */
    function gathered(seats) {
        const alike = (seat) => (seat.group ? seats.filter((other) => other.group === seat.group) : [seat]);
        return seats.map((seat) => {
            const group = alike(seat);
            if (group.length < 2) return place(seat);
            return group[0] === seat ? groupOf(seat.group, group) : null;
        });
    }

    function groupOf(name, seats) {
        const title = h("h3", {}, `${name} \u00d7 ${seats.length}`);
        return h("section", { class: "group-card", "data-group": name, "aria-label": name }, title, seats.map(place));
    }

    function place(seat) {
        const fighter = seat.fighter ?? seat.name;
        const article = h("article", { class: "fighter", "data-fighter": fighter, onclick: () => aim?.(fighter) });
        let shown = "";
        let last = null;
        drawn.set(seat.name, (each, isYou) => {
            const now = JSON.stringify([each, isYou]);
            if (now !== shown) draw(article, each, isYou, last?.scene);
            shown = now;
            last = each;
        });
        return article;
    }

    /** Marks the fighters who may be chosen as targets by a click. */
    function offer(fighters) {
        for (const article of node.querySelectorAll(".fighter"))
            article.classList.toggle("targetable", fighters.includes(article.dataset.fighter));
    }

    return { node, update, offer };
}

function draw(article, seat, isYou, before = []) {
    article.classList.toggle("due", Boolean(seat.due));
    article.classList.toggle("you", isYou);
    fill(
        article,
        h(
            "header",
            {},
            token(seat.name),
            h("h3", {}, seat.name),
            isYou ? h("span", { class: "mine" }, "you") : null,
            seat.due ? h("span", { class: "turn" }, "to move") : null,
            "open" in seat && !isYou
                ? h("span", { class: "hint" }, mover(seat), seat.player && !seat.here ? " (away)" : "")
                : null,
        ),
        scene(seat.scene, before),
    );
}

/** How all fighters stand, in one row for small screens; the cards say the same to screen readers. */
export function createStrip() {
    const { node, show } = createPlace({ class: "strip", "aria-hidden": "true" });
    let before = new Map();

    function update(teams, seats, you) {
        const now = new Map(seats.map((seat) => [seat.name, vitals(seat.scene)]));
        show([teams, seats.map((seat) => [seat.name, seat.due, now.get(seat.name)]), you], () =>
            seats.map((seat) => {
                const side = teams.indexOf(seat.team) % SIDES.length;
                return standing(seat, side, seat.name === you, now.get(seat.name), before.get(seat.name)?.value);
            }),
        );
        before = now;
    }

    return { node, update };
}

function standing(seat, side, isYou, vital, was) {
    return h(
        "div",
        { class: seat.due ? "stands due" : "stands", "data-side": side },
        token(seat.name),
        h(
            "div",
            {},
            h("p", {}, h("span", { class: "side-sign" }, SIDES[side]), isYou ? `${seat.name} (you)` : seat.name),
            vital ? [vitalBar(vital, was), h("p", { class: "hint" }, `${vital.label} ${vital.value}/${vital.most}`)] : null,
        ),
    );
}
