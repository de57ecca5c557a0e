"""Hints for a fighter of a world, worked out beside it: as text for a terminal, and as plain values for a page."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.lab.analysis import analyse
from affray.players.hints import Hint, hint
from affray.players.search import Search
from affray.system.status import WIDTH

SECONDS = 1.0  # that a hint may take


def _hint(fight: Fight, fighter: str, iterations: int | None) -> Hint:
    search = Search(seconds=SECONDS) if iterations is None else Search(iterations=iterations)
    return hint(fight.setup, fight.state, fight.index(fighter), Seeded(fight.decision), search)


def hint_text(fight: Fight, fighter: str, iterations: int | None = None) -> str:
    """The best move of a fighter, and why."""
    found = _hint(fight, fighter, iterations)
    lines = (part for line in found.lines for part in wrap(line, WIDTH, subsequent_indent="  "))
    return "\n".join([f"Hint: {found.move}", *lines])


def hint_table(fight: Fight, fighter: str, iterations: int | None = None) -> dict[str, Any]:
    """The same as plain JSON values."""
    return _hint(fight, fighter, iterations).as_table()


def analysis_table(fight: Fight) -> dict[str, Any]:
    """What every decision of a fight was worth, as plain JSON values."""
    return analyse(fight).as_table()
