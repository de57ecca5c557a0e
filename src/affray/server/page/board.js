// The board of a game around fights: its squares and marks drawn, and where all players stand as a table.

import { createPlace, h, svg } from "./dom.js";
import { capital, counted } from "./words.js";

const CELL = 20;
const LONG = 60; // squares beyond which rows are twice as long

/** The board of a table; `update(table)` draws only what has changed. */
export function createBoard() {
    const { node, show } = createPlace({ class: "board" });

    function update({ board, seats, you }) {
        node.hidden = !board;
        if (!board) return;
        const players = board.pieces.map((piece, place) => playerOf(piece, seats[place], you));
        show([board.squares, board.marks, players], () => drawn(board, lettered(players)));
    }

    return { node, update };
}

function playerOf(piece, seat, you) {
    return { ...piece, isYou: seat.name === you.fighter, isDue: seat.due };
}

/** Each player with the letter that stands for them on the board; those who share one are numbered. */
function lettered(players) {
    const initials = players.map((player) => player.name.charAt(0).toUpperCase());
    const isShared = (initial) => initials.filter((each) => each === initial).length > 1;
    return players.map((player, place) => ({
        ...player,
        letter: isShared(initials[place]) ? String(place + 1) : initials[place],
    }));
}

function drawn(board, players) {
    return h(
        "section",
        { "aria-labelledby": "board-title" },
        h("h2", { id: "board-title" }, "Board"),
        picture(board, players),
        standings(board, players),
    );
}

/** The way from the lower left to the top, turning at the end of every row. The table below says all of it in words. */
function picture({ squares, marks }, players) {
    const columns = squares > LONG ? 20 : 10;
    const rows = Math.ceil(squares / columns);
    const at = (square) => placeOf(square, columns, rows);
    const marked = new Map(marks.map((mark, place) => [mark.square, place === marks.length - 1]));
    const cells = Array.from({ length: squares }, (_, index) => cell(index + 1, at(index + 1), marked));
    return svg(
        "svg",
        {
            class: "way",
            viewBox: `${-CELL - 1} -1 ${(columns + 1) * CELL + 2} ${rows * CELL + 2}`,
            "aria-hidden": "true",
        },
        svg("rect", { class: "start", x: -CELL, y: (rows - 1) * CELL, width: CELL, height: CELL, rx: 3 }),
        cells,
        pieces(players, squares, at),
    );
}

function placeOf(square, columns, rows) {
    if (square < 1) return [-CELL, (rows - 1) * CELL];
    const row = Math.floor((square - 1) / columns);
    const along = (square - 1) % columns;
    return [(row % 2 ? columns - 1 - along : along) * CELL, (rows - 1 - row) * CELL];
}

function cell(square, [x, y], marked) {
    const isMark = marked.has(square);
    return [
        svg("rect", { class: isMark ? "square mark" : "square", x, y, width: CELL, height: CELL, rx: 2 }),
        isMark ? gate(x, y, marked.get(square)) : null,
        svg("text", { class: "number", x: x + CELL / 2, y: y + 6.5, "text-anchor": "middle" }, String(square)),
    ];
}

/** A gate with its bars; the last mark is a flag. */
function gate(x, y, isLast) {
    const shape = isLast ? "M6 18V8.5M6 8.5 15 11 6 13.5" : "M4.5 18V12Q10 5 15.5 12V18M8 18V10M12 18V10M4.5 14H15.5";
    return svg("path", { class: "gate", d: shape, transform: `translate(${x} ${y})` });
}

/** A piece fills its square; where several stand together they are small, four to a square without covering each other. */
function pieces(players, squares, at) {
    const bySquare = new Map();
    for (const player of players) {
        const square = Math.min(player.square, squares);
        bySquare.set(square, [...(bySquare.get(square) ?? []), player]);
    }
    return [...bySquare].flatMap(([square, here]) =>
        here.map((player, place) => piece(player, at(square), here.length > 1 ? place : null)),
    );
}

function piece({ letter, isDue }, [x, y], place) {
    const isAlone = place === null;
    const shift = isAlone ? 0 : Math.floor(place / 4);
    const cx = x + (isAlone ? 10 : 5.2 + 9.6 * (place % 2) + shift);
    const cy = y + (isAlone ? 10 : 14.8 - 9.6 * (Math.floor(place / 2) % 2) + shift);
    return svg(
        "g",
        { class: `piece${isDue ? " due" : ""}${isAlone ? "" : " small"}` },
        svg("circle", { cx, cy, r: isAlone ? 8 : 4.8 }),
        svg("text", { x: cx, y: cy + (isAlone ? 4 : 2.5), "text-anchor": "middle" }, letter),
    );
}

function standings({ squares, marks }, players) {
    const heads = ["Player", "Square", "Passed", "Next"].map((head) => h("th", { scope: "col" }, head));
    const rows = players.map((player) =>
        h(
            "tr",
            { "data-piece": player.name },
            h(
                "th",
                { scope: "row" },
                h("span", { class: player.isDue ? "letter due" : "letter", "aria-hidden": "true" }, player.letter),
                player.name,
                player.isYou ? [" ", h("span", { class: "mine" }, "you")] : null,
                player.isDue ? [" ", h("span", { class: "turn" }, "to move")] : null,
            ),
            h("td", {}, squareOf(player.square, squares)),
            h("td", {}, marks.length ? `${player.passed} of ${marks.length}` : "none"),
            h("td", {}, nextOf(marks[player.passed])),
        ),
    );
    return h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Positions of the players" },
        h(
            "table",
            {},
            h("caption", {}, counted(squares, "square")),
            h("thead", {}, h("tr", {}, heads)),
            h("tbody", {}, rows),
        ),
    );
}

function squareOf(square, squares) {
    if (square < 1) return "start";
    return square > squares ? "finish" : String(square);
}

function nextOf(mark) {
    return mark ? `${capital(mark.name)}, square ${mark.square}` : "\u2013";
}

/** The player in an encounter and the foes; below the moves, so that it never shifts them. */
export function createEncounter() {
    const { node, show } = createPlace({ class: "encounter" });

    function update({ board, seats }, card) {
        const fighters = board?.foes.length ? [...seats.filter((seat) => seat.due), ...board.foes] : [];
        node.hidden = !fighters.length;
        show(fighters, () => [h("h2", {}, "Encounter"), h("div", { class: "members" }, fighters.map(card))]);
    }

    return { node, update };
}
