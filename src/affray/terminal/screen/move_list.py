"""The moves of a decision as lines on a screen, each with its odds as figures and as a small bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from affray.lab.bars import signs, stacked
from affray.lab.costs import kinds, out_of
from affray.lab.figures import FEW, TOO_FEW, percent
from affray.terminal.screen.output import paint, width

if TYPE_CHECKING:
    from affray.lab.figures import Number
    from affray.lab.odds import Odds

CELL = 8
AT_ONCE = 5
LONGEST_NAME = 24
BAR = (6, 24)
MOST_LISTED = 16  # moves that are listed one by one; more are put together
BEST = 2  # moves of every kind that are shown of many


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


def forms(moves: Sequence[str]) -> list[str]:
    """The moves in few words: those that differ in a number or in the last word are one, `strike 1-6 this/that`."""
    by_pattern: dict[tuple[str, ...], list[int]] = {}
    for move in moves:
        words = move.split()
        numbers = [int(word) for word in words if word.isdecimal()]
        pattern = tuple("#" if word.isdecimal() else word for word in words)
        by_pattern.setdefault(pattern, []).extend(numbers)
    ranges = {pattern: _range(numbers) for pattern, numbers in by_pattern.items()}
    merged: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for pattern, span in ranges.items():
        merged.setdefault((pattern[:-1], span), []).append(pattern[-1])
    return [" ".join([*start, "/".join(last)]).replace("#", span) for (start, span), last in merged.items()]


def _range(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    if set(numbers) != set(range(low, high + 1)):
        return ",".join(str(number) for number in sorted(set(numbers)))
    return str(low) if low == high else f"{low}-{high}"


def best_of_each(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The moves to show where there are many: the best few of every kind, the better kinds first."""
    ranked = {
        kind: sorted(own, key=lambda move: odds[move].at_least, reverse=True)[:BEST]
        for kind, own in kinds(moves).items()
    }
    kinds_first = sorted(ranked.values(), key=lambda own: odds[own[0]].at_least, reverse=True)
    return [move for own in kinds_first for move in own]


def weighed(moves: Sequence[str], odds: Mapping[str, Odds], team: str, shown: Sequence[str] | None = None) -> list[str]:
    """The moves as the rows of a table: the chance of every outcome for the team, and all of them as one bar.

    Where only some are `shown`, they keep the numbers they have among all.
    """
    numbers = {move: number for number, move in enumerate(moves, 1)}
    moves = moves if shown is None else shown
    chances = {move: odds[move].for_team(team) for move in moves}
    outcomes = [outcome for outcome in chances[moves[0]] if _comes_up(outcome, chances)]
    drawn, digits = signs(list(chances[moves[0]])), _digits({move: odds[move] for move in moves})
    at_once = _at_once(moves, odds)
    heads = [*at_once, *(f"{outcome} {drawn[outcome]}" for outcome in outcomes)]
    cells = [max(AT_ONCE if head in at_once else CELL, 2 + len(head)) for head in heads]
    names = min(LONGEST_NAME, max(len(move) for move in moves))
    bar = max(BAR[0], min(BAR[1], width() - 5 - names - sum(cells) - 2))
    lines = [" " * (5 + names) + "".join(f"{head:>{cell}}" for head, cell in zip(heads, cells, strict=True))]
    for move in moves:
        number = numbers[move]
        counted = [percent(odds[move].at_once[name], 0) if odds[move].at_once else "" for name in at_once]
        told = [*counted, *(percent(chances[move][outcome], digits) for outcome in outcomes)]
        figures = "".join(f"{text:>{cell}}" for text, cell in zip(told, cells, strict=True))
        figures += f"  {stacked(chances[move], bar, paint)}"
        if len(move) > names:
            lines += [f"  {number:>2} {move}"[: width()], " " * (5 + names) + figures]
        else:
            lines.append(f"  {number:>2} {move:{names}}{figures}")
    return lines


def _comes_up(outcome: str, chances: Mapping[str, Mapping[str, Number]]) -> bool:
    """Whether an outcome is worth a column: always to win and to lose, others where a move may lead to them."""
    return outcome in ("win", "lose") or any(of[outcome] for of in chances.values())


def _at_once(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """What some of the moves bring at once, by its name."""
    names = dict.fromkeys(name for move in moves for name in odds[move].at_once)
    return [name for name in names if any(odds[move].at_once.get(name) for move in moves)]


def meaning(odds: Mapping[str, Odds]) -> str:
    """What the odds of moves tell; those that were played out follow tactics, also one's own."""
    if _at_once(list(odds), odds):
        return "At once you hit, are hit... (exact); then how the fight ends, if all follow their tactics:"
    if any(found.fights for found in odds.values()):
        return "How the fight ends after each move, if all then follow their tactics:"
    return "How the fight ends after each move, if you then play best, others by tactics:"


def how(odds: Mapping[str, Odds], digits: int = 1) -> str:
    """How the odds were found, in a few words, and how far off they may be."""
    ways = list(dict.fromkeys(found.how for found in odds.values()))
    sampled = [found for found in odds.values() if found.fights]
    if not sampled:
        return " and ".join(ways)
    off = max((high - low) / 2 for found in odds.values() for low, high in map(found.interval, found.chances))
    return f"sampled, {out_of(sampled, len(ways) > 1)}, give or take {percent(off, digits)}"


def say_nothing(odds: Mapping[str, Odds]) -> bool:
    """Whether moves were played out so seldom that their odds are worse than none."""
    return any(found.fights and found.fights < TOO_FEW for found in odds.values())


def _digits(odds: Mapping[str, Odds]) -> int:
    """Digits behind the point that mean something."""
    return 0 if any(found.fights and found.fights < FEW for found in odds.values()) else 1
