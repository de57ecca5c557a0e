"""The faces of the cards as pictures: black on white, told apart by shape, and put into words for who cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from affray.errors import Invalid
from affray.systems.deckahedron.cards import (
    CARDS,
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    D4_PIPS,
    D6_PIPS,
    EDGES,
    FIRST_STAMINA,
    FIRST_WOUND,
)

WIDTH, HEIGHT, GAP = 200, 280, 16
MOST_IN_A_ROW = 10
LETTERS = "ABCD"
IN_WORDS = ("", "two crosses", "a cross", "a check", "two checks")
CRITICAL = {CRITICAL_FAILURE: "critical failure", CRITICAL_SUCCESS: "critical success"}

# Where each edge lies, and how it is turned there: the card is read with that side up.
SIDES = ((WIDTH // 2, 10, 0), (WIDTH - 10, HEIGHT // 2, 90), (WIDTH // 2, HEIGHT - 10, 180), (10, HEIGHT // 2, 270))

CHECK = '<path class="check" d="M{x},13 l6,8 l10,-17" fill="none" stroke="#000" stroke-width="4"/>'
CROSS = '<path class="cross" d="M{x},5 l16,16 m0,-16 l-16,16" fill="none" stroke="#000" stroke-width="4"/>'
STAMINA_SYMBOL = '<path class="stamina" d="M106,130 l-22,30 h13 l-5,24 l24,-32 h-14 z" fill="#000"/>'
WOUND_SYMBOL = (
    '<path class="wound" d="M100,142 c12,18 18,26 18,34 a18,18 0 0 1 -36,0 c0,-8 6,-16 18,-34 z" '
    'fill="none" stroke="#000" stroke-width="4"/>'
)


def card_svg(card: int) -> str:
    """One card as a picture; cards count from 0 on, as in a pile."""
    return _picture([card], card_name(card), describe(card), WIDTH, HEIGHT)


def deck_svg(cards: Sequence[int] = tuple(range(FIRST_WOUND)), title: str = "A Deckahedron") -> str:
    """Cards side by side, ten in a row; the whole deck unless told."""
    rows = max(1, -(-len(cards) // MOST_IN_A_ROW))
    across = max(1, min(len(cards), MOST_IN_A_ROW))
    words = " ".join(describe(card) for card in cards) or "No card."
    return _picture(cards, title, words, across * (WIDTH + GAP) - GAP, rows * (HEIGHT + GAP) - GAP)


def card_name(card: int) -> str:
    """What a card is called: by its number, or as one of the Wound cards."""
    if not 0 <= card < CARDS:
        raise Invalid(f"there are cards 0 to {CARDS - 1}, not {card!r}", given=card)
    return f"Card {card + 1}" if card < FIRST_WOUND else f"Wound card {card + 1 - FIRST_WOUND}"


def describe(card: int) -> str:
    """All that a card shows, in words."""
    edges = ", ".join(f"{letter} {IN_WORDS[int(score)]}" for letter, score in zip(LETTERS, EDGES[card], strict=True))
    said = [f"{card_name(card)}: {edges}."]
    if card in CRITICAL:
        said.append(f"The {CRITICAL[card]} card.")
    if card < FIRST_WOUND:
        said.append(f"{'A' if card >= FIRST_STAMINA else 'No'} Stamina symbol.")
        said.append(f"d4 {D4_PIPS[card] or 'blank'}, d6 {D6_PIPS[card] or 'blank'}.")
    return " ".join(said)


def _picture(cards: Sequence[int], title: str, words: str, width: int, height: int) -> str:
    """Cards in rows inside one frame, with a title and a description for screen readers."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(words)}</desc>",
    ]
    for place, card in enumerate(cards):
        row, column = divmod(place, MOST_IN_A_ROW)
        parts.append(f'<g class="card" transform="translate({column * (WIDTH + GAP)},{row * (HEIGHT + GAP)})">')
        parts += _face(card)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"])


def _face(card: int) -> list[str]:
    """The paper, the four edges, and the middle."""
    wound = card >= FIRST_WOUND
    parts = [
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12" fill="#fff" stroke="#000" '
        f'stroke-width="2" stroke-dasharray="{"8 4" if wound else "none"}"/>'
    ]
    for letter, score, (x, y, turn) in zip(LETTERS, EDGES[card], SIDES, strict=True):
        parts += _edge(letter, int(score), x, y, turn)
    if wound:
        parts.append('<text x="100" y="122" font-size="26" font-weight="700">Wound</text>')
        return [*parts, WOUND_SYMBOL]
    parts.append(f'<text class="number" x="100" y="120" font-size="44" font-weight="700">{card + 1}</text>')
    if card in CRITICAL:
        parts.append(f'<text x="100" y="76" font-size="13">{CRITICAL[card]}</text>')
    if card >= FIRST_STAMINA:
        parts.append(STAMINA_SYMBOL)
    return [*parts, *_pips("d4", D4_PIPS[card], 58), *_pips("d6", D6_PIPS[card], 112)]


def _edge(letter: str, score: int, x: int, y: int, turn: int) -> list[str]:
    """One edge as it looks with its side up: the signs, and the letter below them."""
    sign = CROSS if score < 3 else CHECK
    lefts = (-20, 4) if score in (1, 4) else (-8,)
    return [
        f'<g class="edge {letter}" transform="translate({x},{y}) rotate({turn})">',
        *(sign.format(x=left) for left in lefts),
        f'<text x="0" y="42" font-size="16">{letter}</text>',
        "</g>",
    ]


def _pips(die: str, count: int, left: int) -> list[str]:
    """A die's outline with its name, and below it as many dots as the card stands for; none is a blank."""
    outline = (
        f'<path d="M{left},216 l10,-17 l10,17 z" fill="none" stroke="#000" stroke-width="2"/>'
        if die == "d4"
        else f'<rect x="{left + 2}" y="200" width="16" height="16" fill="none" stroke="#000" stroke-width="2"/>'
    )
    dots = [f'<circle cx="{left + 28 + 7 * (pip % 3)}" cy="{203 + 9 * (pip // 3)}" r="2.5"/>' for pip in range(count)]
    return [f'<g class="{die}">', outline, *dots, "</g>"]
