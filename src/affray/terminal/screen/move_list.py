"""The moves of a decision as lines on a screen, one by one or in few words."""

from __future__ import annotations

from collections.abc import Sequence

from affray.terminal.screen.output import width

MOST_LISTED = 16  # moves that are listed one by one; more are put together


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
