// How fast events are told one after another, and their sound: both chosen by the visitor, and never waited for.

import { button, choice, h, ticked } from "./dom.js";
import { isOn, keep, kept, turn } from "./settings.js";

const PACES = [
    ["1100", "slowly"],
    ["550", "at a usual pace"],
    ["220", "quickly"],
    ["0", "at once"],
];
const USUAL = "550";
const LONGEST = 6000; // milliseconds for all that one move brings
const PITCH = { dice: 190, coins: 1250, percent: 240, card: 420, pick: 320 };

let audio = null;

/** Milliseconds between two lines of so many; nothing where motion is not wanted. */
export function paceOf(lines) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return 0;
    return Math.min(Number(kept("pace") ?? USUAL), LONGEST / Math.max(1, lines));
}

/** The controls: the pace, sounds, and a button that shows everything at once. */
export function tellingControls(skip) {
    const pace = choice(PACES, kept("pace") ?? USUAL, {
        id: "pace",
        "aria-label": "How fast the story is told",
        onchange: (event) => keep("pace", event.target.value),
    });
    const sounds = ticked("Sounds of dice and cards", isOn("effects"), (on) => {
        turn("effects", on);
        if (on) clatter("dice", 0);
    });
    return h(
        "details",
        { class: "telling" },
        h("summary", {}, "Telling"),
        h("div", { class: "row" }, pace, sounds, button("Skip to the end of it", skip, { id: "skip-telling" })),
    );
}

/** The sounds of what fell for lines, each when its line is told. */
export function soundOf(lines, pace) {
    if (!isOn("effects") || document.hidden) return;
    lines.forEach((line, place) => line.thrown.slice(0, 3).forEach((each) => clatter(each.kind, (place * pace) / 1000)));
}

/** Ends all sounds that are still to come. */
export function hush() {
    audio?.close();
    audio = null;
}

/** A few short knocks, as of something that falls on wood. */
function clatter(kind, later) {
    audio ??= new AudioContext();
    audio.resume();
    [0, 0.07, 0.16].forEach((after, place) => {
        const at = audio.currentTime + later + after;
        const source = new OscillatorNode(audio, { frequency: PITCH[kind] * (1 + place / 9), type: "triangle" });
        const volume = new GainNode(audio, { gain: 0 });
        volume.gain.setValueAtTime(0.1 / (place + 1), at);
        volume.gain.exponentialRampToValueAtTime(0.001, at + 0.06);
        source.connect(volume).connect(audio.destination);
        source.start(at);
        source.stop(at + 0.07);
    });
}
