"""The moves of a decision as lines on a screen, one by one or in few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from affray.terminal.screen.output import fold, width

MOST_LISTED = 16  # moves that are listed one by one; more are put together


def listed(moves: Sequence[str]) -> list[str]:
    """The moves with their numbers, as many in a line as fit; many of them below each other."""
    wide = max(2, len(str(len(moves))))
    longest = max(map(len, moves)) if len(moves) > MOST_LISTED else 0
    lines: list[str] = []
    for number, move in enumerate(moves, 1):
        entry = f"  {number:>{wide}} {move:{longest}}"
        if lines and len(lines[-1]) + len(entry) <= width():
            lines[-1] += entry
        else:
            lines.append(entry)
    return [line.rstrip() for line in lines]


def put_together(moves: Sequence[str]) -> list[str]:
    """Many moves in few lines: the numbers of those that differ in little, and what they have in common."""
    found = forms(moves)
    wide = max(len(numbers) for numbers in found.values())
    return [line for form, numbers in found.items() for line in fold(form, f"  {numbers:>{wide}} ", " " * (wide + 7))]


def forms(moves: Sequence[str]) -> dict[str, str]:
    """The moves in few words, and their numbers: those that differ in an amount or in the last word are one.

    `strike 1-6 this/that` are twelve moves, with the numbers 20-31 or whatever they are.
    """
    by_pattern: dict[tuple[str, ...], list[int]] = {}
    for place, move in enumerate(moves):
        by_pattern.setdefault(tuple("#" if word.isdecimal() else word for word in move.split()), []).append(place)
    merged: dict[tuple[tuple[str, ...], str], dict[str, list[int]]] = {}
    for pattern, places in by_pattern.items():
        amounts = [int(word) for place in places for word in moves[place].split() if word.isdecimal()]
        merged.setdefault((pattern[:-1], _ranges(amounts)), {})[pattern[-1]] = places
    return {
        " ".join([*start, "/".join(last)]).replace("#", amounts): _ranges([n + 1 for n in chain(*last.values())])
        for (start, amounts), last in merged.items()
    }


def _ranges(numbers: Iterable[int]) -> str:
    """The numbers in order, those that follow each other as a range: `0,2-6`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
