"""What a page or a drawing shows of a fight: gauges, widgets, dice, and the board around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from affray.system.values import value


@value
class Gauge:
    """One quantity of a fighter that a picture can draw: Health 7 of 10."""

    name: str
    value: int
    most: int


@dataclass(frozen=True)
class Icon:
    """A small drawing for a word of the system: a character in text, a path on a page."""

    word: str
    sign: str
    """One character, which a text terminal can show in one column; none for a condition, beside which it is drawn."""
    path: str
    """What to draw: the path of an SVG of 16 by 16."""


@value
class Widget:
    """One thing to draw of a fighter: Life Coins of which 27 of 30 are left, a discard pile with its open faces."""

    kind: Literal["bar", "coins", "highwater", "dice", "marks", "pile", "tokens", "rounds", "numbers", "tags"]
    label: str
    value: int = 0
    most: int = 0
    """The maximum of the value; 0 if there is none."""
    note: str = ""
    names: tuple[str, ...] = ()


@value
class Thrown:
    """Dice, coins or cards that fell for a line of the story.

    Faces are those of the dice; of coins how many show heads, and of how many; of a d100 what it reads, the tens die
    that counts first; of a card its number, with its face as the name; of a random pick its number.
    """

    kind: Literal["dice", "coins", "percent", "card", "pick"]
    faces: tuple[int, ...]
    note: str = ""
    names: tuple[str, ...] = ()
    sides: int = field(default=0, compare=False)
    """How many sides the dice have; 0 if they are no dice."""


@dataclass(frozen=True)
class CardFace:
    """How a card looks: the text by which pictures and lines of the story name it, its title, edges and mark."""

    name: str
    title: str
    edges: tuple[str, str, str, str]
    """What stands at the top, on the right, at the bottom and on the left."""
    said: str
    """All of it in words."""
    mark: str = ""
    """The symbol below the title."""


@dataclass(frozen=True)
class Mark:
    """A special square of a board, and what is there."""

    square: int
    name: str


@dataclass(frozen=True)
class Piece:
    """A player's square on a board, 0 before the first one, and how many of its marks the player has passed."""

    name: str
    square: int
    passed: int


@dataclass(frozen=True)
class Foe:
    """A fighter in an encounter who is not a player."""

    name: str
    scene: tuple[Widget, ...]


@dataclass(frozen=True)
class Board:
    """A path of numbered squares, with its marks in order, the players on it, and the foes of a current encounter."""

    squares: int
    marks: tuple[Mark, ...]
    pieces: tuple[Piece, ...]
    foes: tuple[Foe, ...]
