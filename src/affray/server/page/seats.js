// A fight before it starts: its seats, who sits on them, invitations, and the start.

import { attempt, tell } from "./alerts.js";
import { post, put, remove } from "./api.js";
import { button, choice, createPlace, h, labelled } from "./dom.js";
import { fighterForm, movers, OWN, PEOPLE } from "./fighter_form.js";
import { who } from "./session.js";
import { sheetsOf } from "./systems.js";
import { counted, mover } from "./words.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
const OTHERS = PEOPLE.filter(([value]) => value !== "me");

/** The seats by team, which the owner may change; `show` takes the table that a change answers with. */
export function createSeats(number, system, show) {
    const list = createPlace();
    const add = addForm(number, system, change);
    const start = createPlace();
    const node = h(
        "section",
        { class: "setup", "aria-labelledby": "seats-title" },
        h("h2", { id: "seats-title" }, "Seats"),
        list.node,
        add.node,
        start.node,
    );
    const taken = createPlace();
    const later = h("details", { class: "taken" }, h("summary", {}, "Seats and sheets"), taken.node);

    async function change(does) {
        const now = await attempt(does);
        if (now) show(now);
    }

    function update(table) {
        node.hidden = table.phase !== "setup";
        later.hidden = table.phase === "setup";
        if (table.phase === "setup") beforeStart(table);
        else taken.show([seatsOnly(table), table.you.may], () => teamsOf(table, system, changeIf(table)));
    }

    const changeIf = (table) => (table.you.may.includes("seats") ? change : null);

    function beforeStart(table) {
        const { may } = table.you;
        list.show([seatsOnly(table), table.teams, may], () => teamsOf(table, system, changeIf(table)));
        const what = table.game || "fight";
        start.show([table.teams, may, table.owner], () => [
            may.includes("join") ? joinButton(table, system, change) : null,
            may.includes("start") ? startForm(table, change) : h("p", {}, `${table.owner} starts the ${what}.`),
        ]);
        add.node.hidden = !may.includes("seats");
        add.update(table.teams);
    }

    return { node, later, update };
}

/** The seats without what changes with every blow. */
function seatsOnly(table) {
    return table.seats.map((seat) => ({ ...seat, scene: null, due: null }));
}

function teamsOf(table, system, change) {
    const open = table.seats.filter((seat) => seat.open).length;
    return [
        h("p", { class: "hint" }, open ? `${counted(open, "seat")} still open.` : "All seats are taken."),
        h(
            "div",
            { class: "seat-teams" },
            table.teams.map((team) =>
                h(
                    "div",
                    { class: "seat-team" },
                    h("h3", {}, team),
                    h(
                        "ul",
                        { class: "seats" },
                        table.seats
                            .filter((seat) => seat.team === team)
                            .map((seat) => seatOf(table, seat, system, change)),
                    ),
                ),
            ),
        ),
    ];
}

function seatOf(table, seat, system, change) {
    return h(
        "li",
        { class: "seat", "data-seat": seat.name },
        h("p", {}, h("b", {}, seat.name), " ", h("span", { class: "hint" }, mover(seat))),
        seat.sheet ? h("p", { class: "hint sheet-line" }, seat.sheet) : null,
        change ? controls(table, seat, system, change) : null,
        seat.invite ? invitation(table.number, seat) : null,
    );
}

function controls({ number, phase }, seat, system, change) {
    const path = `combats/${number}/seats/${encodeURIComponent(seat.name)}`;
    const by = seat.player ? "" : seat.open ? (seat.public ? "anyone" : "open") : (seat.tactic ?? "storyteller");
    const pairs = [...(seat.player ? [["", seat.player]] : []), ...movers(system, OTHERS)];
    const select = choice(pairs, by, {
        class: "by",
        "data-keep": seat.name,
        "aria-label": `Who moves ${seat.name}`,
        onchange: () => change(() => put(path, { by: select.value })),
    });
    const drop = button("Remove", () => change(() => remove(path)), {
        class: "quiet",
        "aria-label": `Remove ${seat.name}`,
    });
    return h("div", { class: "row" }, select, phase === "setup" ? drop : null);
}

/** The link that brings a player to an open seat. */
function invitation(number, seat) {
    const link = new URL(`#/join/${number}/${encodeURIComponent(seat.invite)}`, baseForFriends()).href;
    const field = h("input", {
        class: "invite",
        readOnly: true,
        value: link,
        "aria-label": `Invitation for ${seat.name}`,
        onfocus: () => field.select(),
    });
    return h(
        "div",
        { class: "row invitation" },
        field,
        button("Copy the link", () => copy(link, field), { class: "copy" }),
        isOnlyHere(link) ? h("p", { class: "hint" }, ONLY_HERE) : null,
    );
}

const ONLY_HERE =
    "This link works on this machine only. For friends elsewhere, start the server with " +
    "affray serve --web 0.0.0.0:8080 and open the page by the address that it names.";

/** The address of the page as a friend can open it: another one than this where the page is open on its own machine. */
export function baseForFriends() {
    return isOnlyHere(document.baseURI) && who().friends ? who().friends : document.baseURI;
}

const isOnlyHere = (address) => !who().fixed && LOCAL.includes(new URL(address).hostname);

/** Copies a text to the clipboard, or selects it if the browser does not allow that. */
export async function copy(text, field) {
    try {
        await navigator.clipboard.writeText(text);
        tell("Copied.");
    } catch {
        field?.select();
        tell("Selected; copy it with your keyboard.");
    }
}

/** Takes a seat in a game that has not started, with the visitor's own sheet or the usual one. */
function joinButton({ number, game }, system, change) {
    const seat = { team: system.game.side, sheet: OWN, by: "me" };
    return h(
        "div",
        { class: "row" },
        button(`Join the ${game}`, () => change(() => post(`combats/${number}/seats`, seat)), {
            id: "join",
            class: "main",
        }),
    );
}

function addForm(number, system, change) {
    const form = fighterForm(system, { spec: sheetsOf(system)[0].id, people: OTHERS, hasOwn: false, hasName: true });
    const team = h("input", { required: true, list: "teams-known", class: "team-name", maxlength: 30 });
    const known = h("datalist", { id: "teams-known" });
    const submit = (event) => {
        event.preventDefault();
        change(async () => post(`combats/${number}/seats`, { team: team.value.trim(), ...(await form.value()) }));
    };
    const node = h(
        "details",
        { class: "add-seat" },
        h("summary", {}, system.game ? "Add a player" : "Add a fighter"),
        h(
            "form",
            { id: "add-seat", onsubmit: submit },
            known,
            h("div", { class: "fields" }, system.game ? null : labelled("Team", team), form.fields),
            h("button", { type: "submit" }, "Add"),
        ),
    );
    function update(teams) {
        known.replaceChildren(...teams.map((each) => h("option", { value: each })));
        team.value ||= system.game?.side ?? teams.at(-1) ?? "";
    }
    return { node, update };
}

function startForm(table, change) {
    const first = choice([["", "Random"], ...table.teams.map((team) => [team, team])], "", { id: "first" });
    const start = () =>
        change(() => post(`combats/${table.number}/start`, { first: first.value ? [first.value] : [] }));
    return h(
        "div",
        { class: "row end" },
        table.game ? null : labelled("First team, if the rules leave it open", first),
        button(`Start the ${table.game || "fight"}`, start, { id: "start", class: "main" }),
    );
}
