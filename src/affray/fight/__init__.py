"""Fights: set up, played, seen, saved, replayed and drawn."""

from __future__ import annotations

from affray.fight.fight import Answer, Fight, Line, Undone, again
from affray.system.setup import MOST_FIGHTERS, Move, Setup, Spec, Teams, read_teams

__all__ = [
    "MOST_FIGHTERS",
    "Answer",
    "Fight",
    "Line",
    "Move",
    "Setup",
    "Spec",
    "Teams",
    "Undone",
    "again",
    "read_teams",
]
