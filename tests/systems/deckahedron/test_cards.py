"""The deck against the table of the rulings: edges, Stamina symbols, pips and totals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from affray.kernel.weights import how_many
from affray.systems.deckahedron import cards

# Laid out like the rulings: number, edges A B C D, Stamina symbol, d4 and d6 pips.
TABLE = """
 1  1111 -  0  2  | 11  4444 S  4  6
 2  1241 -  1  1  | 12  1334 S  3  1
 3  1232 -  2  6  | 13  3342 S  2  5
 4  1434 -  3  5  | 14  3134 S  1  4
 5  2234 -  4  0  | 15  1224 S  0  3
 6  2323 -  0  3  | 16  3214 S  4  2
 7  1123 -  1  6  | 17  1442 S  3  0
 8  2123 -  2  4  | 18  3434 S  2  3
 9  2212 -  3  2  | 19  4342 S  1  1
10  3122 -  4  5  | 20  3313 S  0  4
"""
ROWS = [half.split() for line in TABLE.strip().splitlines() for half in line.split("|")]
WOUNDS = ["2221", "2212", "2122", "1222"]


@pytest.mark.parametrize(("number", "edges", "symbol", "d4", "d6"), ROWS, ids=[row[0] for row in ROWS])
def test_a_card(number: str, edges: str, symbol: str, d4: str, d6: str) -> None:
    card = int(number) - 1
    assert cards.EDGES[card] == edges
    assert [cards.SCORE[4 * card + rank - 1] for rank in (1, 2, 3, 4)] == [int(edge) for edge in edges]
    assert bool(cards.STAMINA >> card & 1) == (symbol == "S")
    assert (cards.D4_PIPS[card], cards.D6_PIPS[card]) == (int(d4), int(d6))


@pytest.mark.parametrize(("place", "edges"), list(enumerate(WOUNDS)))
def test_a_wound_card(place: int, edges: str) -> None:
    card = cards.FIRST_WOUND + place
    assert cards.EDGES[card] == edges
    assert [cards.SCORE[4 * card + rank - 1] for rank in (1, 2, 3, 4)] == [int(edge) for edge in edges]
    assert not cards.STAMINA >> card & 1
    assert cards.WOUND_CARDS >> card & 1
    assert not cards.D4_PIPS[card]


def test_there_are_twenty_cards_and_four_wound_cards() -> None:
    assert sorted(int(row[0]) for row in ROWS) == list(range(1, 21))
    assert len(cards.EDGES) == len(cards.D4_PIPS) == len(cards.D6_PIPS) == cards.CARDS == 24
    assert how_many(cards.WHOLE_DECK) == 20
    assert how_many(cards.STAMINA) == 10
    assert cards.WHOLE_DECK ^ cards.WOUND_CARDS == (1 << 24) - 1


@pytest.mark.parametrize(
    ("edge", "totals"), [("A", (8, 4, 6, 2)), ("B", (5, 6, 5, 4)), ("C", (4, 5, 6, 5)), ("D", (2, 6, 4, 8))]
)
def test_edge_totals(edge: str, totals: tuple[int, ...]) -> None:
    shown = Counter(cards.SCORE[4 * card + "ABCD".index(edge)] for card in range(20))
    assert tuple(shown[score] for score in (1, 2, 3, 4)) == totals


def test_every_face_of_the_d4_is_as_likely() -> None:
    """Four cards have each of the pips 1 to 4, and four are blank."""
    assert Counter(cards.D4_PIPS[:20]) == {0: 4, 1: 4, 2: 4, 3: 4, 4: 4}


def test_the_cards_of_the_pictures() -> None:
    """Card 3 is shown without a Stamina symbol, card 19 with one."""
    assert not cards.STAMINA >> 2 & 1
    assert cards.STAMINA >> 18 & 1


def test_what_a_set_of_cards_shows() -> None:
    pile = 1 << 1 | 1 << 4 | 1 << 12  # 1241, 2234, 3342
    assert [cards.best_of(pile, rank) for rank in (1, 2, 3, 4)] == [3, 3, 4, 4]
    assert [cards.worst_of(pile, rank) for rank in (1, 2, 3, 4)] == [1, 2, 3, 1]


def test_the_table_is_that_of_the_rulings(shared: Path) -> None:
    text = (shared / "rules" / "deckahedron.md").read_text(encoding="utf-8")
    printed = [line.partition("      ")[0].split() for line in text.splitlines() if line[:2].strip().isdigit()]
    assert printed == [line.split() for line in TABLE.strip().splitlines()]
    assert ", ".join(WOUNDS) in text
