"""Draws what `affray play` shows in a terminal as docs/images/play.svg: the picture of the README.

Run it when the look of the terminal has changed: `.venv/bin/python docs/make_screenshot.py`.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from unittest.mock import patch

from affray.terminal import main as affray

COMMAND = "affray play bgo heroes=ranger:name=Ann monsters=bramble-wolf --seed 1"
TYPED = "defend"
PICTURE = Path(__file__).parent / "images" / "play.svg"

WIDE, HIGH, COLUMN, MARGIN, BAR = 720, 19.5, 8.43, 22, 40
COLOURS = {"": "#d5d9e0", "1": "#ffffff", "2": "#8b93a1"}
COLOURS |= {"31": "#f08a80", "32": "#8fd18b", "33": "#e8c268", "36": "#7cc7d6"}
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
PROMPT = "#c9a6f5"
PAINTED = re.compile(r"\x1b\[(\d+)m(.*?)\x1b\[0m")


def session() -> list[str]:
    """The lines on the screen, with their colours, up to the last prompt."""
    screen = io.StringIO()
    with (
        patch("affray.terminal.screen.output.coloured", return_value=True),
        patch("affray.terminal.playing.fight_session.GLANCE", 60.0),  # exact odds, however slow the machine
        patch.object(sys, "stdin", io.StringIO(f"{TYPED}\n")),
        redirect_stdout(screen),
    ):
        affray(COMMAND.split()[1:])
    shown = screen.getvalue().splitlines()
    asked = max(number for number, line in enumerate(shown) if line.startswith("ann> "))
    return [f"$ {COMMAND}", *shown[:asked], "ann> \N{LEFT HALF BLOCK}"]


def pieces(line: str) -> Iterator[tuple[int, str, str]]:
    """The parts of a line by column and colour; spaces are left to the columns."""
    at = 0
    for number, part in enumerate(PAINTED.split(line)):
        match number % 3:
            case 1:
                style = part
                continue
            case 2:
                colour = COLOURS.get(style, COLOURS[""])
            case _:
                colour = PROMPT if line.startswith(("$ ", "ann> ")) else COLOURS[""]
        for word in re.finditer(r"\S+(?: \S+)*", part):
            yield at + word.start(), word[0], colour
        at += len(part)


def drawn(lines: list[str]) -> str:
    """A terminal window with the lines in it."""
    height = BAR + HIGH * len(lines) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height:.0f}" width="{WIDE}" '
        f'height="{height:.0f}" role="img" font-family="{FONTS}" font-size="14">',
        "<title>Affray in a terminal: the state of a fight, the odds of each move, and what came of it</title>",
        f'<rect width="{WIDE}" height="{height:.0f}" rx="10" fill="#1d2027"/>',
    ]
    for place, colour in enumerate(("#ed6a5e", "#f4bf4f", "#61c554")):
        parts.append(f'<circle cx="{22 + 20 * place}" cy="20" r="6" fill="{colour}"/>')
    for row, line in enumerate(lines):
        for column, text, colour in pieces(line):
            # The length keeps columns under each other in whatever font there is.
            parts.append(
                f'<text x="{MARGIN + COLUMN * column:.1f}" y="{BAR + HIGH * (row + 0.8):.1f}" fill="{colour}" '
                f'textLength="{COLUMN * len(text):.1f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
            )
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    PICTURE.write_text(drawn(session()), encoding="utf-8")
