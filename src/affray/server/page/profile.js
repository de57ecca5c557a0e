// A player's profile: since when, what came of the fights, ratings where they are wanted, and the last fights.

import { attempt, tell } from "./alerts.js";
import { get, put } from "./api.js";
import { button, createPlace, h, ticked } from "./dom.js";
import { playerLink } from "./fight_list.js";
import { who } from "./session.js";
import { capital, counted } from "./words.js";

const OUTCOMES = ["won", "lost", "drawn", "fled", "unfinished"];
const RATED =
    "Duels count if two people fight with equal fighters, both want ratings when it starts, and nobody else has a " +
    "hand in it. To end such a duel early is to resign it.";

/** The view of #/player/name; `me` is the visitor. */
export async function profileView(name) {
    const path = `accounts/${encodeURIComponent(decodeURIComponent(name))}/profile`;
    const first = await get(path);
    const place = createPlace();
    const settings = createPlace();

    function show(profile) {
        place.show(profile, () => [recordOf(profile), ratingsOf(profile), fightsOf(profile, turn)]);
        settings.show(profile.settings, () => settingsOf(profile.settings, change));
    }

    const turn = (page) => attempt(async () => show(await get(`${path}?page=${page}`)));

    async function change(wanted, said) {
        const now = await attempt(() => put("accounts/me/settings", wanted));
        if (!now) return;
        show(now);
        tell(said);
    }

    show(first);
    const node = h(
        "div",
        { class: "narrow profile" },
        h("h1", {}, first.name),
        first.since === null ? null : h("p", { class: "hint" }, "Here since ", dateOf(first.since)),
        place.node,
        settings.node,
    );
    return { title: first.name, node };
}

function recordOf({ record }) {
    if (!record.length) return h("p", {}, "No fights yet.");
    const columns = OUTCOMES.filter((outcome) => outcome !== "unfinished" || record.some((one) => one.outcomes[outcome]));
    const row = ({ system, fights, outcomes }) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, system),
            [fights, ...columns.map((outcome) => outcomes[outcome] ?? 0)].map((number) => h("td", { class: "figure" }, String(number))),
        );
    return h(
        "section",
        { "aria-labelledby": "record-title" },
        h("h2", { id: "record-title" }, "Record"),
        scrolling(
            "Fights by system",
            h(
                "table",
                { class: "record" },
                headOf(["System", "Fights", ...columns.map(capital)]),
                h("tbody", {}, record.map(row)),
            ),
        ),
    );
}

function ratingsOf({ ratings }) {
    if (ratings === null) return null;
    const row = ({ system, rating, low, high, fights, provisional }) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, system),
            h("td", { class: "figure" }, h("b", {}, String(rating)), provisional ? " ?" : null),
            h("td", { class: "figure" }, `${low} \u2013 ${high}`),
            h("td", { class: "figure" }, String(fights)),
        );
    const isUnsure = ratings.some((one) => one.provisional);
    return h(
        "section",
        { "aria-labelledby": "ratings-title" },
        h("h2", { id: "ratings-title" }, "Ratings"),
        ratings.length
            ? scrolling(
                  "Ratings by system",
                  h(
                      "table",
                      { class: "ratings" },
                      headOf(["System", "Rating", "In 95 of 100 cases", "Duels"]),
                      h("tbody", {}, ratings.map(row)),
                  ),
              )
            : h("p", { class: "hint" }, "No duel has counted yet."),
        isUnsure ? h("p", { class: "hint" }, "A question mark: too few duels to rely on it yet.") : null,
    );
}

function fightsOf({ fights, total, page, pages }, turn) {
    if (!total) return null;
    return h(
        "section",
        { "aria-labelledby": "past-title" },
        h("h2", { id: "past-title" }, `Fights (${total.toLocaleString("en")})`),
        h("ol", { class: "past" }, fights.map(pastFight)),
        pages > 1
            ? h(
                  "nav",
                  { class: "row pager", "aria-label": "Pages of fights" },
                  button("Previous", () => turn(page - 1), { disabled: page === 1, "data-keep": "past-previous" }),
                  h("span", {}, `Page ${page} of ${pages.toLocaleString("en")}`),
                  button("Next", () => turn(page + 1), { disabled: page === pages, "data-keep": "past-next" }),
              )
            : null,
    );
}

function pastFight({ number, name, system, outcome, decided, against, rated, kept }) {
    return h(
        "li",
        { class: outcome },
        h("span", { class: "tag" }, outcome),
        h(
            "span",
            { class: "past-fight" },
            kept ? h("a", { href: `#/replay/${number}` }, name) : name,
            against.length ? [" against ", against.flatMap((one, place) => [place ? ", " : null, playerLink(one)])] : null,
        ),
        h(
            "span",
            { class: "hint" },
            [system, rated ? "rated" : null, kept ? null : "replay not kept"].filter(Boolean).join(" \u00b7 "),
            decided === null ? null : [" \u00b7 ", dateOf(decided)],
        ),
    );
}

/** What players choose for themselves; one who is alone has nobody to be rated against or hidden from. */
function settingsOf(settings, change) {
    if (!settings || who().fixed) return null;
    return h(
        "section",
        { class: "profile-settings", "aria-labelledby": "settings-title" },
        h("h2", { id: "settings-title" }, "Only you see this"),
        ticked("I want ratings", settings.rated, (rated) => change({ rated }, rated ? "You are rated now." : "You are not rated."), {
            id: "want-ratings",
            "aria-describedby": "ratings-meaning",
        }),
        h("p", { class: "hint", id: "ratings-meaning" }, RATED),
        ticked(
            "My profile is private",
            settings.private,
            (isPrivate) => change({ private: isPrivate }, isPrivate ? "Your profile is private." : "Everyone can see your profile."),
            { id: "private-profile", "aria-describedby": "private-meaning" },
        ),
        h("p", { class: "hint", id: "private-meaning" }, "Others cannot open it, and their profiles do not name you."),
    );
}

const headOf = (heads) =>
    h("thead", {}, h("tr", {}, heads.map((head, place) => h("th", { scope: "col", class: place ? "figure" : null }, head))));

const scrolling = (label, table) => h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": label }, table);

function dateOf(seconds) {
    const moment = new Date(seconds * 1000);
    const text = moment.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
    return h("time", { datetime: moment.toISOString() }, text);
}
