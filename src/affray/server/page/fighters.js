// The fighters on the table, team by team, each drawn as its system has it.

import { fill, h } from "./dom.js";
import { scene } from "./scene.js";
import { mover } from "./words.js";

/** A card for one fighter who is not redrawn. */
export function cardOf(fighter) {
    const article = h("article", { class: "fighter" });
    draw(article, fighter, false);
    return article;
}

/** The fighters of a fight; `update(teams, seats, you)` draws only what has changed. */
export function createFighters() {
    const node = h("div", { class: "teams", role: "group", "aria-label": "Fighters" });
    const drawn = new Map();
    let order = "";

    function update(teams, seats, you = null) {
        const now = JSON.stringify([teams, seats.map((seat) => [seat.team, seat.name])]);
        if (now !== order) lay(teams, seats);
        order = now;
        for (const seat of seats) drawn.get(seat.name)(seat, you !== null && you === seat.name);
    }

    function lay(teams, seats) {
        drawn.clear();
        fill(
            node,
            teams.map((team) =>
                h(
                    "section",
                    { class: "team", "data-team": team },
                    h("h2", {}, team),
                    h("div", { class: "members" }, seats.filter((seat) => seat.team === team).map(place)),
                ),
            ),
        );
    }

    function place(seat) {
        const article = h("article", { class: "fighter", "data-fighter": seat.fighter ?? seat.name });
        let shown = "";
        drawn.set(seat.name, (each, isYou) => {
            const now = JSON.stringify([each, isYou]);
            if (now !== shown) draw(article, each, isYou);
            shown = now;
        });
        return article;
    }

    return { node, update };
}

function draw(article, seat, isYou) {
    article.classList.toggle("due", Boolean(seat.due));
    article.classList.toggle("you", isYou);
    fill(
        article,
        h(
            "header",
            {},
            h("h3", {}, seat.name),
            isYou ? h("span", { class: "mine" }, "you") : null,
            seat.due ? h("span", { class: "turn" }, "to move") : null,
            "open" in seat && !isYou
                ? h("span", { class: "hint" }, mover(seat), seat.player && !seat.here ? " (away)" : "")
                : null,
        ),
        scene(seat.scene),
    );
}
