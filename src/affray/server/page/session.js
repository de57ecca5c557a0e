// The session: guest or account, logging in, creating an account, logging out.

import { attempt } from "./alerts.js";
import { get, post, remove } from "./api.js";
import { button, fill, h, labelled } from "./dom.js";
import { reopen } from "./live.js";
import { stopNotifications } from "./push.js";

const KEEPS = "Your fights come with you: the account gets all seats that you have as a guest.";
const watchers = new Set();
let session = { name: "guest", role: "guest", known: false };

/** Who is asking the server. */
export const who = () => session;

/** Calls `does` whenever the visitor has logged in or out; returns how to stop. */
export function onSession(does) {
    watchers.add(does);
    return () => watchers.delete(does);
}

/** Asks the server who the visitor is; a newcomer becomes a guest. */
export async function loadSession() {
    session = await get("session");
    draw();
}

/** Makes the visitor a guest with a seat of their own, without redrawing what they look at. */
export async function becomeGuest() {
    session = await post("session/guest");
    draw();
    reopen();
}

/** The form to log in or create an account, for use inside a page. */
export function loginForm(does = () => {}) {
    const problem = h("p", { class: "problem", role: "alert" });
    const name = h("input", {
        name: "name",
        autocomplete: "username",
        required: true,
        autocapitalize: "off",
        spellcheck: "false",
    });
    const password = h("input", {
        name: "password",
        type: "password",
        autocomplete: "current-password",
        required: true,
    });
    return h(
        "form",
        { class: "login", onsubmit: (event) => submit(event, problem, does) },
        labelled("Name", name),
        labelled("Password", password),
        problem,
        h(
            "div",
            { class: "row" },
            h("button", { type: "submit", class: "main", name: "does", value: "session" }, "Log in"),
            h("button", { type: "submit", name: "does", value: "accounts" }, "Create an account"),
        ),
    );
}

/** Opens the log-in as a dialog. */
export function openLogin() {
    const dialog = h(
        "dialog",
        { id: "login-dialog", "aria-labelledby": "login-title", onclose: () => dialog.remove() },
        h("h2", { id: "login-title" }, "Log in"),
        h("p", { class: "hint" }, session.temporary ? KEEPS : "An account keeps your fights, on any device."),
        loginForm(() => dialog.close()),
        button("Close", () => dialog.close(), { class: "quiet" }),
    );
    document.body.append(dialog);
    dialog.showModal();
}

async function submit(event, problem, does) {
    event.preventDefault();
    const form = event.target;
    const { name, password } = form.elements;
    const path = event.submitter?.value === "accounts" ? "accounts" : "session";
    busy(form, true);
    try {
        await changed(await post(path, { name: name.value.trim(), password: password.value }));
        does();
    } catch (error) {
        problem.textContent = error.message;
    }
    busy(form, false);
}

/** Checking a password takes a moment; until then the buttons are disabled. */
function busy(form, isBusy) {
    for (const each of form.querySelectorAll("button")) each.disabled = isBusy;
}

async function logOut() {
    await stopNotifications();
    await remove("session");
    await changed(await get("session"));
}

async function changed(now) {
    session = now;
    draw();
    for (const does of [...watchers]) await does(session);
}

function draw() {
    const place = document.getElementById("session");
    const profile = () => h("a", { class: "who", href: "#/player/me", title: "Your profile" }, session.name);
    if (session.fixed) fill(place, profile());
    else if (session.known && !session.temporary)
        fill(
            place,
            profile(),
            button("Log out", () => attempt(logOut), { id: "logout", class: "quiet" }),
        );
    else
        fill(
            place,
            h("span", { class: "who" }, session.temporary ? session.name : "Guest"),
            button(session.temporary ? "Keep my fights" : "Log in", openLogin, { id: "login" }),
        );
}
