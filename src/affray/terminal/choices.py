"""The moves of a decision as lines on a screen, each with its odds as figures and as a small bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from affray.terminal.bars import signs, stacked
from affray.terminal.text import percent, width

if TYPE_CHECKING:
    from affray.lab.odds import Odds

CELL = 8
LONGEST_NAME = 24
BAR = (6, 24)
FEW = 10_000  # play-outs below which tenths of a percent say nothing


def listed(moves: Sequence[str]) -> list[str]:
    """The moves with their numbers, as many in a line as fit."""
    lines: list[str] = []
    for number, move in enumerate(moves, 1):
        entry = f"  {number:>2} {move}"
        if lines and len(lines[-1]) + len(entry) <= width():
            lines[-1] += entry
        else:
            lines.append(entry)
    return lines


def weighed(moves: Sequence[str], odds: Mapping[str, Odds], team: str) -> list[str]:
    """The moves as the rows of a table: the chance of every outcome for the team, and all of them as one bar."""
    chances = {move: odds[move].for_team(team) for move in moves}
    outcomes = list(chances[moves[0]])
    drawn, digits = signs(outcomes), _digits(odds)
    names = min(LONGEST_NAME, max(len(move) for move in moves))
    bar = max(BAR[0], min(BAR[1], width() - 5 - names - CELL * len(outcomes) - 2))
    lines = [" " * (5 + names) + "".join(f"{f'{outcome} {drawn[outcome]}':>{CELL}}" for outcome in outcomes)]
    for number, move in enumerate(moves, 1):
        cells = "".join(f"{percent(chances[move][outcome], digits):>{CELL}}" for outcome in outcomes)
        figures = f"{cells}  {stacked(chances[move], bar)}"
        if len(move) > names:
            lines += [f"  {number:>2} {move}"[: width()], " " * (5 + names) + figures]
        else:
            lines.append(f"  {number:>2} {move:{names}}{figures}")
    return lines


def meaning(odds: Mapping[str, Odds]) -> str:
    """What the odds of moves tell; those that were played out follow tactics, also one's own."""
    if any(found.fights for found in odds.values()):
        return "How the fight ends after each move, if all then follow their tactics:"
    return "How the fight ends after each move, if you then play best, others by tactics:"


def how(odds: Mapping[str, Odds]) -> str:
    """How the odds were found, in a few words, and how far off they may be."""
    ways = list(dict.fromkeys(found.how for found in odds.values()))
    fights = [found.fights for found in odds.values() if found.fights]
    if not fights:
        return " and ".join(ways)
    if len(ways) > 1:
        ways = [f"at least {min(fights):,}{ways[0][ways[0].index(' ') :]} each"]
    off = max((high - low) / 2 for found in odds.values() for low, high in map(found.interval, found.chances))
    return f"{ways[0]}, give or take {percent(off)}"


def _digits(odds: Mapping[str, Odds]) -> int:
    """Digits behind the point that mean something."""
    return 0 if any(found.fights and found.fights < FEW for found in odds.values()) else 1
