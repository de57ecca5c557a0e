// The controls of a replay: first, previous, play, next, last, a slider and the speed.

import { button, choice, h } from "./dom.js";

const SPEEDS = [
    ["2400", "slow"],
    ["1200", "normal"],
    ["500", "fast"],
];

/** Goes through `count` frames; `draw(frame)` shows one. */
export function createPlayback(count, draw) {
    let place = 0;
    let timer = 0;
    const said = h("p", { id: "frame", class: "frame", role: "status" });
    const slider = h("input", {
        type: "range",
        id: "scrub",
        min: 0,
        max: count - 1,
        step: 1,
        "aria-label": "Position in the fight",
        oninput: () => {
            pause();
            go(Number(slider.value));
        },
    });
    const speed = choice(SPEEDS, "1200", { "aria-label": "Speed", onchange: () => timer && (pause(), play()) });
    const toggle = button("Play", () => (timer ? pause() : play()), { id: "play", class: "main" });
    const steps = { first: () => step(-count), previous: () => step(-1), next: () => step(1), last: () => step(count) };

    function go(to) {
        place = Math.max(0, Math.min(count - 1, to));
        slider.value = place;
        draw(place);
    }

    function step(by) {
        pause();
        go(place + by);
    }

    function play() {
        if (place === count - 1) go(0);
        toggle.textContent = "Pause";
        timer = setInterval(() => (place < count - 1 ? go(place + 1) : pause()), Number(speed.value));
    }

    function pause() {
        clearInterval(timer);
        timer = 0;
        toggle.textContent = "Play";
    }

    function say(text) {
        said.textContent = text;
        slider.setAttribute("aria-valuetext", text);
    }

    const buttons = [
        ["First", steps.first, "first"],
        ["Previous", steps.previous, "previous"],
    ].map(([text, does, id]) => button(text, does, { id }));
    const more = [
        ["Next", steps.next, "next"],
        ["Last", steps.last, "last"],
    ].map(([text, does, id]) => button(text, does, { id }));
    const node = h(
        "section",
        { class: "controls", "aria-label": "Replay" },
        said,
        slider,
        h("div", { class: "row" }, buttons, toggle, more, speed),
    );
    const keys = [
        { key: "ArrowLeft", shown: "\u2190", does: "one step back", run: steps.previous },
        { key: "ArrowRight", shown: "\u2192", does: "one step forward", run: steps.next },
        { key: "Home", does: "to the opening", run: steps.first },
        { key: "End", does: "to the end", run: steps.last },
        { key: "p", does: "play or pause", run: () => toggle.click() },
    ];
    return { node, keys, go, play, pause, say, at: () => place };
}
