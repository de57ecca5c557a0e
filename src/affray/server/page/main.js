// Starts the page: the session, the connection to the server, and the view for the address.

import { alertOf, calm, relieve, sentence } from "./alerts.js";
import { Problem } from "./api.js";
import { startDevice } from "./device.js";
import { h, fill } from "./dom.js";
import { joinView } from "./join.js";
import { startKeys } from "./keys.js";
import { keptView } from "./kept.js";
import { labView } from "./lab.js";
import { learnView } from "./learn.js";
import { libraryView } from "./library.js";
import * as live from "./live.js";
import { lobbyView } from "./lobby.js";
import { newFightView } from "./new_fight.js";
import { callFor, entitle } from "./notice.js";
import { replayView } from "./replay.js";
import { screenView } from "./screen.js";
import { loadSession, onSession } from "./session.js";
import { startView } from "./start.js";
import { tableView } from "./table.js";

const ROUTES = [
    [/^\/$/, lobbyView, "lobby"],
    [/^\/new(?:\/(party|encounter|edit)\/([^/]+))?$/, newFightView, "new"],
    [/^\/screen\/(\d+)$/, screenView],
    [/^\/kept$/, keptView, "kept"],
    [/^\/player\/([^/]+)$/, async (...words) => (await import("./profile.js")).profileView(...words)],
    [/^\/fight\/(\d+)$/, tableView],
    [/^\/replay\/(\d+)(?:\/(\d+))?$/, replayView],
    [/^\/lab$/, labView, "lab"],
    [/^\/library(?:\/([\w-]+))?$/, libraryView, "library"],
    [/^\/learn\/([\w-]+)$/, learnView, "library"],
    [/^\/start\/([\w-]+)(?:\/(.+))?$/, startView],
    [/^\/join\/(\d+)\/([^/]+)$/, joinView],
];

const ROUTES_IN_FRAMES = [[/^\/replay\/(\d+)(?:\/(\d+))?$/, (number, step) => replayView(number, step, { isFramed: true })]];
const isFramed = location.pathname.endsWith("/embed"); // by the page of another site

const main = document.getElementById("main");
let shown = null;
let asked = 0;

/** Shows the view of the address. A view gives its title, its node and, where needed, how to close it; one that holds
 * what a visitor has typed also says what to do after a log-in, instead of being made anew. */
async function show() {
    const mine = ++asked;
    const path = location.hash.slice(1) || "/";
    const [match, view, part] = routeOf(path);
    calm();
    mark(part);
    main.setAttribute("aria-busy", "true");
    const isFirst = shown === null;
    shown?.close?.();
    shown = {};
    const found = await made(view, match);
    if (mine !== asked) return found.close?.();
    shown = found;
    fill(main, found.node);
    main.removeAttribute("aria-busy");
    entitle(found.title);
    arrive(isFirst);
    return undefined;
}

async function made(view, match) {
    try {
        return await view(...match);
    } catch (error) {
        if (error instanceof Problem) calm();
        else alertOf(error);
        return {
            title: "Not found",
            hasFailed: error instanceof Problem && error.status === 0,
            node: h(
                "div",
                { class: "narrow" },
                h("h1", {}, "This cannot be shown"),
                h("p", { role: "alert" }, sentence(error.message)),
                h("p", {}, h("a", { href: "#/" }, "Go to the lobby")),
            ),
        };
    }
}

function notHere() {
    throw new Problem(404, "only replays are shown in other pages");
}

function routeOf(path) {
    for (const [pattern, view, part] of isFramed ? ROUTES_IN_FRAMES : ROUTES) {
        const match = pattern.exec(path);
        if (match) return [match.slice(1), view, part];
    }
    return isFramed ? [[], notHere] : [[], lobbyView, "lobby"];
}

function mark(part) {
    for (const link of document.querySelectorAll("nav a")) {
        if (link.dataset.part === part) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

/** After a change of view, puts the focus on the question if a move is due, otherwise on the heading. */
function arrive(isFirst) {
    const ask = main.querySelector(".moves.calls #question");
    const heading = main.querySelector("h1");
    if (!isFirst) scrollTo(0, 0);
    if (isFirst && !ask) return;
    heading?.setAttribute("tabindex", "-1");
    (ask ?? heading)?.focus({ preventScroll: true });
}

/** Says that the line is broken; once it is back, what could not be reached before is shown. */
function showLine({ open }) {
    document.getElementById("connection").textContent = open ? "" : "The connection is lost. Reconnecting\u2026";
    if (!open) return;
    relieve();
    if (shown?.hasFailed) show();
}

async function start() {
    startKeys();
    document.getElementById("skip").addEventListener("click", (event) => {
        event.preventDefault();
        main.focus();
    });
    try {
        await loadSession();
    } catch (error) {
        alertOf(error);
    }
    if (isFramed) {
        document.documentElement.classList.add("embedded");
        addEventListener("hashchange", show);
        return show();
    }
    live.on("line", showLine);
    live.open();
    startDevice();
    onSession(() => {
        live.reopen();
        callFor(null);
        return shown?.onSession ? shown.onSession() : show();
    });
    addEventListener("hashchange", show);
    return show();
}

start();
