"""`affray learn`: how to play a system, in five minutes."""

from __future__ import annotations

import argparse
from itertools import pairwise
from typing import Any

from affray.errors import Invalid, unknown
from affray.handouts.lesson import Screen, Steps, lesson
from affray.system.contract import System
from affray.system.handout import Grid
from affray.system.registry import find
from affray.terminal.arguments import the_system
from affray.terminal.commands.rules import split_id
from affray.terminal.screen.output import fold, paint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray learn` understands."""
    of_part = "the system, and one part of its lesson: goal, turn, screen, example or first"
    parser.add_argument("words", nargs="*", metavar="SYSTEM PART", help=of_part)


def run(args: argparse.Namespace) -> int:
    """Print the lesson of a system, or one part of it."""
    id, rest = split_id(args.words)
    show_lesson(find(the_system(id)), " ".join(rest))
    return 0


def show_lesson(system: System[Any, Any], part: str = "") -> None:
    """Print how to play, or one part of that."""
    parts = lesson(system)
    if part and part not in parts:
        raise Invalid(unknown("part of the lesson", part, parts), given=part, allowed=list(parts))
    lines = [paint(f"{system.title}: how to play", "heading")]
    for name, (heading, blocks) in parts.items():
        if part in ("", name):
            lines += ["", paint(heading, "heading")]
            for block in blocks:
                lines += _drawn(block)
    for before, line in pairwise(["", *lines]):
        if line or before:  # one empty line is enough
            print(line)


def _drawn(block: str | Screen | Steps | Grid) -> list[str]:
    """The lines of a paragraph, of a piece of the screen, or of a table of two columns without its heading."""
    if isinstance(block, str):
        return fold(block, indent="  ")
    if isinstance(block, Steps):
        steps = (fold(f"{n}. {step}", indent="  ", hang="     ") for n, step in enumerate(block.lines, 1))
        return [line for step in steps for line in step]
    if isinstance(block, Screen):
        return ["", *(part for line in block.lines for part in fold(line, hang="    ")), ""]
    wide = max(len(row[0]) for row in block[1:])
    rows = (fold(f"{left:{wide}}  {right}", indent="  ", hang=" " * (wide + 4)) for left, right in block[1:])
    return [line for row in rows for line in row]
