"""Handouts, read from TOML: how to play a system, its rules on one page, and the boxes of its character sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.system.schema import Field, Flag, Schema, Text, Whole, check, load_toml, refusal, shown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

WIDEST = 12
"""The columns of a sheet; a box says how many it takes."""

Grid = tuple[tuple[str, ...], ...]
"""A small table, row by row. The first row heads the columns, the first cell of every other row heads that row."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of the rules: lines, then numbered steps, then a table, and lines below it."""

    heading: str
    lines: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    table: Grid = ()
    below: tuple[str, ...] = ()
    across: bool = False
    """Whether it takes the whole width of the page."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """A labelled box on the sheet: to write in, with lines for longer text, or with a row of ticks."""

    label: str
    key: str = ""
    """The key of the sheet's table that it shows; `damage.fire` is a key in a nested table."""
    wide: int = 3
    lines: int = 0
    ticks: int = 0
    """How many ticks a blank sheet has."""
    most: str = ""
    """The key that says how many ticks a filled sheet has, if the number varies."""
    left: bool = False
    """Whether the key counts the ticks that are left, and not those that are crossed out."""

    def __post_init__(self) -> None:
        if self.lines and self.ticks:
            raise Invalid(
                f"the box {shown(self.label)} has both lines and ticks; it may have only one of them", given=self.label
            )
        if (self.most or self.left) and not (self.ticks and self.key):
            problem = f"the box {shown(self.label)} has most or left, but not the ticks and the key that they need"
            raise Invalid(problem, given=self.label)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Boxes under one heading."""

    heading: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A part of a worked example: who makes which move, and what a newcomer should notice in the result."""

    play: tuple[str, ...]
    """Each as `fighter: move`."""
    says: str


@dataclass(frozen=True, kw_only=True)
class Concept:
    """Something that a newcomer meets in a fight, and what it means."""

    when: tuple[str, ...]
    """Words of moves, of lines of the story or of a fighter's values; the first of them that is seen brings it up."""
    says: str


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """How to play, in five minutes at the screen. Its example is a fight that is played each time it is shown."""

    goal: tuple[str, ...]
    turn: tuple[str, ...]
    screen: Grid
    """Text that the screen shows, quoted in backticks, and what it means."""
    teams: str
    seed: int
    example: tuple[Step, ...]
    first: tuple[str, ...]
    """What to try first."""
    concepts: tuple[Concept, ...] = ()
    """What a guided fight explains, in this order where several come up at once."""


@dataclass(frozen=True, kw_only=True)
class Handout:
    """What newcomers see of a system, and what is printed for players at a table."""

    title: str
    lead: str
    sections: tuple[Section, ...]
    groups: tuple[Group, ...]
    lesson: Lesson | None = None
    unshown: tuple[str, ...] = ()
    """Keys of the sheet's table that mean nothing to a player."""


# Kinds of fields


@dataclass(frozen=True)
class Listed(Field):
    """A list of values that one field accepts."""

    field: Field
    most: int = 40

    def allows(self) -> str:
        return f"a list of at most {self.most}, each {self.field.allows()}"

    def take(self, value: object, label: str) -> tuple[object, ...]:
        if not isinstance(value, list) or len(value) > self.most:
            raise refusal(label, value, self.allows())
        return tuple(self.field.take(entry, f"{label} {number}") for number, entry in enumerate(value, 1))


@dataclass(frozen=True)
class Drawn(Field):
    """A table drawn as text: a line for each row, a bar between the cells, as many in each."""

    def allows(self) -> str:
        return "a heading and rows, one a line, with | between the cells and as many cells in each"

    def take(self, value: object, label: str) -> Grid:
        if not isinstance(value, str):
            raise refusal(label, value, self.allows())
        rows = tuple(tuple(cell.strip() for cell in line.split("|")) for line in value.splitlines() if line.strip())
        if len(rows) < 2 or len(rows[0]) < 2:
            raise refusal(label, value, self.allows())
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise refusal(f"{label}: row {number}", " | ".join(row), f"{len(rows[0])} cells, as the first has")
            if not all(cell.isprintable() for cell in row):
                raise refusal(f"{label}: row {number}", " | ".join(row), "printable text")
        return rows


@dataclass(frozen=True)
class Within(Field):
    """A nested table, read into an object."""

    schema: Schema
    required: tuple[str, ...]
    make: Callable[..., object]

    def allows(self) -> str:
        return f"a table with the keys {', '.join(self.schema)}"

    def take(self, value: object, label: str) -> object:
        return self.make(**check(self.schema, value, label, self.required))


_LINE = Text(400)
_LINES = Listed(_LINE)
SECTION: Schema = {
    "heading": Text(60),
    "lines": _LINES,
    "steps": _LINES,
    "table": Drawn(),
    "below": _LINES,
    "across": Flag(),
}
BOX: Schema = {
    "label": Text(60),
    "key": Text(60),
    "wide": Whole(1, WIDEST),
    "lines": Whole(1, 30),
    "ticks": Whole(1, 60),
    "most": Text(60),
    "left": Flag(),
}
GROUP: Schema = {"heading": Text(60), "boxes": Listed(Within(BOX, ("label",), Box))}
STEP: Schema = {"play": _LINES, "says": _LINE}
CONCEPT: Schema = {"when": Listed(Text(40)), "says": _LINE}
LESSON: Schema = {
    "goal": _LINES,
    "turn": _LINES,
    "screen": Drawn(),
    "teams": Text(),
    "seed": Whole(0, 2**32),
    "example": Listed(Within(STEP, ("play", "says"), Step)),
    "first": _LINES,
    "concepts": Listed(Within(CONCEPT, ("when", "says"), Concept)),
}
HANDOUT: Schema = {
    "title": Text(60),
    "lead": Text(300),
    "lesson": Within(LESSON, tuple(key for key in LESSON if key != "concepts"), Lesson),
    "unshown": Listed(Text(40)),
    "sections": Listed(Within(SECTION, ("heading",), Section)),
    "groups": Listed(Within(GROUP, ("heading", "boxes"), Group)),
}


def read_handout(path: Traversable | Path | str, name: str | None = None) -> Handout:
    """The handout of a file; `Invalid` names the first thing that is wrong. `name` is what to call the file."""
    called = name or str(path)
    taken = check(HANDOUT, load_toml(path, called), called, ("title", "lead", "sections", "groups"))
    return Handout(**taken)  # type: ignore[arg-type]


@cache
def handout_of(package: str) -> Handout:
    """The handout that the package of a system has as data/handout.toml."""
    from importlib.resources import files

    return read_handout(files(package) / "data" / "handout.toml", f"handout.toml of {package}")
