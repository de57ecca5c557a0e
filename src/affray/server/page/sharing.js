// The dialog to share a fight: its picture, a link to its replay, and the picture as a file.

import { attempt, tell } from "./alerts.js";
import { get } from "./api.js";
import { button, fill, h, labelled } from "./dom.js";
import { saveBlob, saveText } from "./saving.js";
import { baseForFriends, copy } from "./seats.js";
import { who } from "./session.js";

const WIDE = 1200;
const HIGH = 630;
const WAITING = "Drawing the picture; the chances of every position take a few seconds.";

/** Opens the dialog for a fight that is over. */
export function openSharing(number) {
    const place = h("div", { class: "shared-picture", role: "status" }, h("p", { class: "hint" }, WAITING));
    const files = h("div", { class: "row" });
    const dialog = h(
        "dialog",
        { id: "share-dialog", class: "share-dialog", "aria-labelledby": "share-title", onclose: () => dialog.remove() },
        h("h2", { id: "share-title" }, "Share this fight"),
        place,
        linkPart(number),
        files,
        button("Close", () => dialog.close(), { class: "quiet" }),
    );
    document.body.append(dialog);
    dialog.showModal();
    draw(number, place, files);
}

/** A link that others can open; fights of a browser without a server are in that browser alone. */
function linkPart(number) {
    if (who().fixed) return h("p", { class: "hint" }, "This fight is kept in your browser alone, so only its picture can be shared.");
    const link = new URL(`share/${number}`, baseForFriends()).href;
    const code = `<iframe src="${new URL(`embed#/replay/${number}`, baseForFriends())}" width="100%" height="640" title="A fight replayed"></iframe>`;
    const field = h("input", { id: "share-link", readOnly: true, value: link });
    return [
        labelled("Link to the replay", field),
        who().embeds ? labelled("Code that shows the replay in another page", h("input", { id: "share-code", readOnly: true, value: code })) : null,
        h(
            "div",
            { class: "row" },
            button("Copy the link", () => copy(link, field), { id: "copy-link", class: "main" }),
            navigator.share ? button("Send\u2026", () => send(link), { id: "send-link" }) : null,
        ),
    ];
}

/** Hands the link to the device's own way of sharing, which the visitor may leave again. */
async function send(url) {
    await navigator.share({ title: "Affray", url }).catch(() => {});
}

async function draw(number, place, files) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    try {
        const { svg, text } = await get(`combats/${number}/picture?dark=${dark}`);
        const image = h("img", { id: "picture", src: addressOf(svg), alt: text, width: WIDE, height: HIGH });
        fill(place, image);
        fill(
            files,
            button("Save as PNG", () => attempt(() => savePng(svg, `fight-${number}.png`)), { id: "save-png" }),
            button("Save as SVG", () => saveText(svg, `fight-${number}.svg`, "image/svg+xml"), { id: "save-svg" }),
        );
    } catch (error) {
        fill(place, h("p", { class: "hint" }, error.message));
    }
}

const addressOf = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** Paints the picture on a canvas, as other programs take it. */
async function savePng(svg, name) {
    const image = new Image(WIDE, HIGH);
    image.src = addressOf(svg);
    await image.decode();
    const canvas = h("canvas", { width: WIDE, height: HIGH });
    canvas.getContext("2d").drawImage(image, 0, 0, WIDE, HIGH);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("The browser could not draw the picture.");
    saveBlob(blob, name);
    tell("The picture is saved.");
}
