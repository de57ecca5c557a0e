"""The pictures of the cards show what the cards say, also to whoever only hears them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from affray.errors import Invalid
from affray.systems.deckahedron.cards import CARDS, EDGES
from affray.systems.deckahedron.faces import card_svg, deck_svg, describe

SVG = "{http://www.w3.org/2000/svg}"
SIGNS = {"1": ["cross", "cross"], "2": ["cross"], "3": ["check"], "4": ["check", "check"]}
# As printed on the cards: number, edges, d4, d6.
PRINTED = """
    1 1111 0 2   11 4444 4 6
    2 1241 1 1   12 1334 3 1
    3 1232 2 6   13 3342 2 5
    4 1434 3 5   14 3134 1 4
    5 2234 4 0   15 1224 0 3
    6 2323 0 3   16 3214 4 2
    7 1123 1 6   17 1442 3 0
    8 2123 2 4   18 3434 2 3
    9 2212 3 2   19 4342 1 1
   10 3122 4 5   20 3313 0 4
"""


def rows() -> list[tuple[int, str, int, int]]:
    words = PRINTED.split()
    return [(int(a), b, int(c), int(d)) for a, b, c, d in zip(*(words[i::4] for i in range(4)), strict=True)]


def of_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in picture.iter() if name in part.get("class", "").split()]


def signs(picture: ElementTree.Element) -> str:
    """The edges A to D of a drawn card, by the signs that stand at each."""
    found = ""
    for letter in "ABCD":
        (edge,) = of_class(picture, letter)
        assert [text.text for text in edge.iter(f"{SVG}text")] == [letter]
        drawn = [part.get("class") for part in edge.iter(f"{SVG}path")]
        found += next(score for score, wanted in SIGNS.items() if wanted == drawn)
    return found


@pytest.mark.parametrize(("number", "edges", "d4", "d6"), rows())
def test_a_card_shows_its_number_edges_symbol_and_pips(number: int, edges: str, d4: int, d6: int) -> None:
    picture = ElementTree.fromstring(card_svg(number - 1))
    assert [part.text for part in of_class(picture, "number")] == [str(number)]
    assert signs(picture) == edges
    assert len(of_class(picture, "stamina")) == (1 if number > 10 else 0)
    for die, pips in (("d4", d4), ("d6", d6)):
        (drawn,) = of_class(picture, die)
        assert len(list(drawn.iter(f"{SVG}circle"))) == pips


@pytest.mark.parametrize("card", range(20, CARDS))
def test_a_wound_card_is_called_so_and_has_neither_symbol_nor_pips(card: int) -> None:
    picture = ElementTree.fromstring(card_svg(card))
    assert signs(picture) == EDGES[card]
    assert "Wound" in [part.text for part in picture.iter(f"{SVG}text")]
    assert len(of_class(picture, "wound")) == 1
    for absent in ("stamina", "d4", "d6", "number"):
        assert not of_class(picture, absent)


def test_the_four_edges_lie_at_the_four_sides() -> None:
    picture = ElementTree.fromstring(card_svg(1))
    places = [of_class(picture, letter)[0].get("transform") for letter in "ABCD"]
    assert len(set(places)) == 4
    assert [place.partition("rotate")[2] for place in places if place] == ["(0)", "(90)", "(180)", "(270)"]


def test_a_screen_reader_is_told_everything() -> None:
    picture = ElementTree.fromstring(card_svg(10))
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "Card 11"
    assert picture.findtext(f"{SVG}desc") == describe(10)
    assert describe(10) == (
        "Card 11: A two checks, B two checks, C two checks, D two checks. "
        "The critical success card. A Stamina symbol. d4 4, d6 6."
    )
    assert (
        describe(1) == "Card 2: A two crosses, B a cross, C two checks, D two crosses. No Stamina symbol. d4 1, d6 1."
    )
    assert describe(20) == "Wound card 1: A a cross, B a cross, C a cross, D two crosses."
    assert "d4 blank, d6 3." in describe(14)


@pytest.mark.parametrize(
    ("cards", "across", "down"), [((), 1, 1), ((3,), 1, 1), (range(10), 10, 1), (range(24), 10, 3)]
)
def test_cards_lie_side_by_side_ten_in_a_row(cards: range, across: int, down: int) -> None:
    picture = ElementTree.fromstring(deck_svg(cards, "Odo's discard pile & more"))
    assert len(of_class(picture, "card")) == len(cards)
    assert picture.findtext(f"{SVG}title") == "Odo's discard pile & more"
    assert (picture.get("width"), picture.get("height")) == (str(216 * across - 16), str(296 * down - 16))
    assert [signs(card) for card in of_class(picture, "card")] == [EDGES[card] for card in cards]


def test_the_pictures_are_black_and_white() -> None:
    picture = ElementTree.fromstring(deck_svg(range(CARDS)))
    colours = {part.get(key) for part in picture.iter() for key in ("fill", "stroke") if part.get(key)}
    assert colours <= {"#000", "#fff", "none"}


def test_there_are_no_other_cards() -> None:
    for card in (-1, CARDS):
        with pytest.raises(Invalid, match="there are cards 0 to 23"):
            card_svg(card)
