"""What a page or a drawing shows of a fight: gauges, widgets, what fell, and the board around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Gauge:
    """One quantity of a fighter that a picture can draw: Health 7 of 10."""

    name: str
    value: int
    most: int


@dataclass(frozen=True)
class Icon:
    """A small drawing that stands for a word of the system: a sign in text, and where a page finds it, a path."""

    word: str
    sign: str
    """One character, which a text terminal can show in one column."""
    path: str
    """What to draw: the path of an SVG of 16 by 16."""


@dataclass(frozen=True)
class Widget:
    """One thing to draw of a fighter: Life Coins of which 27 of 30 are left, a discard pile with its open faces."""

    kind: Literal["bar", "coins", "highwater", "dice", "marks", "pile", "tokens", "rounds", "numbers", "tags"]
    label: str
    value: int = 0
    most: int = 0
    """The most that the value can be; 0 where nothing limits it."""
    note: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thrown:
    """Dice, coins or cards that fell for a line of the story.

    Faces are those of the dice; of coins how many show heads, and of how many; of a d100 what it reads, the tens die
    that counts first; of a card its number, with its face as the name; of a lot its number.
    """

    kind: Literal["dice", "coins", "percent", "card", "pick"]
    faces: tuple[int, ...]
    note: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A square of a board that is set off from the others, and what stands there."""

    square: int
    name: str


@dataclass(frozen=True)
class Piece:
    """Where a player stands on a board: 0 is before the first square; and how many of its marks are passed."""

    name: str
    square: int
    passed: int


@dataclass(frozen=True)
class Foe:
    """A fighter of a fight on the way who is no player."""

    name: str
    scene: tuple[Widget, ...]


@dataclass(frozen=True)
class Board:
    """A way of numbered squares, with its marks in their order, the players on it, and whom one of them fights now."""

    squares: int
    marks: tuple[Mark, ...]
    pieces: tuple[Piece, ...]
    foes: tuple[Foe, ...]
