// Notifications for a visitor whose page is closed: whether this browser can be notified, and the switch for it.

import { attempt } from "./alerts.js";
import { get, post, Problem, put } from "./api.js";
import { fill, h, ticked } from "./dom.js";
import { who } from "./session.js";

const LABEL = "Notify me when it is my turn, also while this page is closed";
const WORKER = "page/push_worker.js";

/** The switch, or the reason why there is none; its place has the same height from the start. */
export function pushSwitch() {
    const node = h("div", { class: "push" }, h("p", { class: "hint" }, "Notifications while this page is closed\u2026"));
    draw(node).catch((problem) => explain(node, problem.message));
    return node;
}

/** Before a visitor logs out: this browser is no longer notified for them. */
export async function stopNotifications() {
    const subscription = await present().catch(() => null);
    if (!subscription) return;
    await subscription.unsubscribe();
    await post("notifications/off", { endpoint: subscription.endpoint }).catch(() => null); // the server learns it by itself, too
}

async function draw(node) {
    const reason = cannot();
    if (reason) return explain(node, reason);
    const { key, problem, endpoints } = await get("notifications");
    if (problem) return explain(node, problem);
    const subscription = await present();
    const isOn = Boolean(subscription) && endpoints.includes(subscription.endpoint);
    const change = async (on) => {
        await attempt(() => (on ? subscribe(key) : stopNotifications()));
        await draw(node);
    };
    fill(node, ticked(LABEL, isOn, change, { id: "push" }));
}

/** Why this browser cannot be notified at all, if that is so. */
function cannot() {
    if (!who().known || who().temporary) return "create an account first.";
    if (!window.isSecureContext) return "the page must be opened by HTTPS, or on the server's own machine.";
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
        return "this browser does not offer it; on a phone it may once the page is on the home screen.";
    if (Notification.permission === "denied") return "notifications of this page are forbidden in the browser's settings.";
    return "";
}

function explain(node, reason) {
    fill(node, h("p", { class: "hint", id: "push-reason" }, `Notifications while this page is closed: ${reason}`));
}

/** The subscription that this browser has, if it has one. */
async function present() {
    const worker = await navigator.serviceWorker?.getRegistration(WORKER);
    return (await worker?.pushManager?.getSubscription()) ?? null;
}

async function subscribe(key) {
    if ((await Notification.requestPermission()) !== "granted") throw new Problem(0, "You have not allowed notifications.");
    const worker = await active(await navigator.serviceWorker.register(WORKER));
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const subscription = await worker.pushManager.subscribe(options).catch(async (problem) => {
        // It may have one for another key, of a server that was here before.
        const old = await worker.pushManager.getSubscription();
        if (!old) throw new Problem(0, `The push service of this browser cannot be reached: ${problem.message}`);
        await old.unsubscribe();
        return worker.pushManager.subscribe(options);
    });
    const { endpoint, keys } = subscription.toJSON();
    await put("notifications", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

/** A registration once its worker runs; a browser subscribes no other. */
async function active(registration) {
    const begun = registration.installing ?? registration.waiting;
    if (!registration.active)
        await new Promise((done) => begun.addEventListener("statechange", () => begun.state === "activated" && done()));
    return registration;
}

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data?.type === "go") location.hash = data.route;
});
