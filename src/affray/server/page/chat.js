// The chat at the table: says and poses, and the text console for visitors who want it.

import { alertOf, attempt } from "./alerts.js";
import { Problem } from "./api.js";
import { choice, fill, h } from "./dom.js";
import * as live from "./live.js";

const SHOWN = new Set(["said", "reply"]); // the story tells the news, and the moves call

/** The chat of the visitor's place; replies to moves are left to the table. `close()` stops listening. */
export function createChat(isMoving) {
    const log = h("div", { id: "chat", class: "chat-log", role: "log", "aria-label": "Chat", tabindex: "0" });
    const text = h("input", {
        id: "say",
        maxlength: 1000,
        autocomplete: "off",
        "aria-label": "Message",
        placeholder: "Say something",
    });
    const how = choice(
        [
            ["say", "say"],
            ["pose", "pose"],
        ],
        "say",
        { id: "how", "aria-label": "Say or pose" },
    );
    const form = h(
        "form",
        {
            class: "say",
            onsubmit: (event) => {
                event.preventDefault();
                speak(how.value, text);
            },
        },
        how,
        text,
        h("button", { type: "submit" }, "Send"),
    );
    const hint = h(
        "p",
        { class: "hint" },
        "A pose begins with your name: \u201cbows\u201d becomes \u201cAnn bows\u201d. ",
        "/roll 3d6 throws dice that all see, /whisper Ann speaks to Ann alone, and /help lists all commands.",
    );
    const node = h(
        "section",
        { class: "chat", "aria-labelledby": "chat-title" },
        h("h2", { id: "chat-title" }, "Talk"),
        log,
        form,
        hint,
    );

    function add(lines) {
        log.append(...lines.map(({ kind = "said", text: words }) => h("p", { class: kind }, words)));
        log.scrollTop = log.scrollHeight;
    }

    const belongs = (kind) => SHOWN.has(kind) && !(kind === "reply" && isMoving());
    const stop = [
        live.on("chat", (message) => {
            fill(log);
            add(message.lines);
        }),
        live.on("told", (message) => belongs(message.kind) && add([message])),
    ];
    return { node, focus: () => text.focus(), close: () => stop.forEach((each) => each()) };
}

function speak(how, field) {
    const said = field.value.trim();
    if (!said) return;
    const isCommand = said.startsWith("/");
    const message = { type: isCommand ? "line" : how, text: isCommand ? said.slice(1).trim() : said };
    if (!live.isOpen()) {
        alertOf(new Problem(0, "The connection is lost for the moment. Your text is still in the field."));
        return;
    }
    field.value = "";
    attempt(() => live.ask(message));
}
