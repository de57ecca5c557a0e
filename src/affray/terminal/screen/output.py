"""Words on a screen: never wider than 80 columns, and readable without colour."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from affray.lab.bars import Screen, bar

if TYPE_CHECKING:
    from affray.lab.figures import Number

WIDEST = 80
NARROWEST = 40

_STYLES = {"win": "32", "lose": "31", "draw": "33", "fled": "36", "heading": "1", "aside": "2"}


def width() -> int:
    """How many columns there are to write in."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def coloured() -> bool:
    """Whether the screen shows colours, and the person wants them."""
    able = os.name != "nt" or "WT_SESSION" in os.environ
    return able and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    """The text in the colour of a style; what it says must be plain without."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style in _STYLES and text.strip() and coloured() else text


def screen() -> Screen:
    """What figures and bars are drawn for."""
    return Screen(width(), paint)


def fold(text: str, indent: str = "", hang: str | None = None) -> list[str]:
    """The lines of a text, cut between words where one would not fit; `hang` starts the lines after a cut."""
    lines: list[str] = []
    for line in text.split("\n"):
        cut = textwrap.wrap(
            line,
            width(),
            initial_indent=indent,
            subsequent_indent=indent if hang is None else hang,
            replace_whitespace=False,
            break_on_hyphens=False,
        )
        lines += [part.rstrip() for part in cut] or [""]
    return lines


def say(text: str = "", indent: str = "", hang: str | None = None, style: str = "") -> None:
    """Print a text, folded."""
    for line in fold(text, indent, hang):
        print(paint(line, style))


def sentence(problem: object) -> str:
    """An error message as a sentence of its own."""
    text = " ".join(str(problem).splitlines())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def complain(problem: object) -> None:
    """Print an error message."""
    say(sentence(problem), indent="  ")


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = (), gap: str = "  ") -> list[str]:
    """Rows as lines with their columns under each other; `right` are the columns that end together."""
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        gap.join(
            f"{cell:>{w}}" if i in right else f"{cell:{w}}" for i, (cell, w) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    ]


def print_bars(lines: Sequence[str], shares: Sequence[Number], most: int) -> None:
    """Print lines, each with a bar of its share behind it, of `most` characters or as many as there is room for."""
    room = max(5, min(most, width() - max(len(line) for line in lines) - 2))
    for line, share in zip(lines, shares, strict=True):
        print(f"{line}  {bar(share, room)}".rstrip())


def figures(rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A row of figures for each fighter; below each other where the rows would not fit."""
    heads = list(next(iter(rows.values())))
    table = [["", *heads], *([who, *(row[head] for head in heads)] for who, row in rows.items())]
    lines = columns(table, right=range(1, len(heads) + 1))
    if max(len(line) for line in lines) <= width():
        return lines
    lines = []
    for who, row in rows.items():
        lines += [f"  {who}", *(f"    {line}" for line in columns(list(row.items()), right=(1,)))]
    return lines


def versus(teams: Mapping[str, Sequence[str]]) -> str:
    """The teams of a fight in words."""
    return " against ".join(f"{team} ({', '.join(members)})" for team, members in teams.items())


def print_json(table: object) -> None:
    """Print a table of plain values as JSON."""
    import json

    print(json.dumps(table, indent=2, ensure_ascii=False))
