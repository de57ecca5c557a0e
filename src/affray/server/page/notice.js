// Tells a player who is looking elsewhere that it is their turn: by the title, a sound or a notification.

import { h, ticked } from "./dom.js";
import { pushSwitch } from "./push.js";
import { isOn, turn } from "./settings.js";

let title = "Affray";
let isCalled = false;
let lastCall = "";
let audio = null;

/** Names the window after what it shows. */
export function entitle(text) {
    title = text ? `${text} \u00b7 Affray` : "Affray";
    draw();
}

/** Calls for a move once for every `key`; without one there is nothing to call for. */
export function callFor(key, text) {
    isCalled = Boolean(key);
    draw();
    if (key && key !== lastCall) announce(text);
    lastCall = key ?? "";
}

/** The switches for sound, for a notification while the page is open, and for notifications while it is closed. */
export function noticeSwitches() {
    const open = h(
        "div",
        { class: "row" },
        ticked("Sound on my turn", isOn("sound"), (on) => {
            turn("sound", on);
            if (on) chime();
        }),
        "Notification" in window ? ticked("Notification on my turn", isOn("notify"), allow) : null,
    );
    return h("details", { class: "notices" }, h("summary", {}, "Notifications"), open, pushSwitch());
}

function draw() {
    document.title = isCalled ? `Your move \u00b7 ${title}` : title;
}

function announce(text) {
    if (isOn("sound")) chime();
    if (isOn("notify") && document.hidden && window.Notification?.permission === "granted") notify(text);
}

function notify(text) {
    try {
        const shown = new Notification(title, { body: text, tag: "affray", icon: "page/icon.svg" });
        shown.onclick = () => {
            window.focus();
            shown.close();
        };
    } catch {
        // phones allow notifications only to service workers; title and sound are left
    }
}

async function allow(on, box) {
    box.checked = on && (await Notification.requestPermission()) === "granted";
    turn("notify", box.checked);
}

/** Two soft tones. */
function chime() {
    audio ??= new AudioContext();
    audio.resume();
    [
        [660, 0],
        [880, 0.14],
    ].forEach(([pitch, later]) => tone(pitch, audio.currentTime + later));
}

function tone(pitch, from) {
    const source = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.12, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.4);
    source.connect(volume).connect(audio.destination);
    source.start(from);
    source.stop(from + 0.45);
}
