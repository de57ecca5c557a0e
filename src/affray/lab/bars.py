"""Small bars: chances drawn with characters that tell the endings apart without colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.lab.figures import Number

Paint = Callable[[str, str], str]
"""Gives a text the colour of a style, such as `win`."""


def unpainted(text: str, style: str) -> str:
    """The text unchanged, for screens without colours."""
    return text


@dataclass(frozen=True)
class Screen:
    """The screen that lines are drawn for: its width in columns, with or without colours."""

    width: int = 80
    paint: Paint = unpainted


SIGNS = {"win": "#", "lose": ".", "draw": "=", "fled": "~"}
SPARE = "+o%@*"


def signs(outcomes: Sequence[str]) -> dict[str, str]:
    """A character for each outcome; outcomes that only one system has take the spare ones."""
    spare = iter(SPARE * len(outcomes))
    return {outcome: SIGNS.get(outcome) or next(spare) for outcome in outcomes}


def bar(share: Number, wide: int, sign: str = "#") -> str:
    """A bar of up to `wide` characters."""
    return sign * round(float(share) * wide)


def stacked(chances: Mapping[str, Number], wide: int, paint: Paint = unpainted) -> str:
    """One bar in which every outcome has its share; it is always `wide` characters long."""
    drawn = signs(list(chances))
    return "".join(paint(drawn[outcome] * count, outcome) for outcome, count in _shares(chances, wide).items())


def _shares(chances: Mapping[str, Number], wide: int) -> dict[str, int]:
    """Whole characters by largest remainder; the better outcomes come first."""
    total = float(sum(chances.values())) or 1.0
    exact = {outcome: wide * float(chance) / total for outcome, chance in chances.items()}
    counts = {outcome: int(amount) for outcome, amount in exact.items()}
    by_rest = sorted(exact, key=lambda outcome: counts[outcome] - exact[outcome])
    for outcome in by_rest[: wide - sum(counts.values())]:
        counts[outcome] += 1
    best_first = ["win", "draw", "fled", *(outcome for outcome in counts if outcome not in SIGNS), "lose"]
    return {outcome: counts[outcome] for outcome in best_first if outcome in counts}


def facing(win: Number, harms: Mapping[str, Number], wide: int, paint: Paint = unpainted) -> str:
    """The chance of winning from the left, and each harm by its character from the right; `%` is where they overlap.

    A rarer harm is drawn over a more likely one, since it is mostly part of it.
    """
    cells = ["."] * wide
    for sign, chance in sorted(harms.items(), key=lambda harm: -float(harm[1])):
        count = round(float(chance) * wide)
        cells[wide - count :] = sign * count
    for place in range(round(float(win) * wide)):
        cells[place] = "#" if cells[place] == "." else "%"
    styles = {".": "", "#": "win", "%": "draw"}
    return "".join(paint("".join(run), styles.get(sign, "lose")) for sign, run in groupby(cells))


def balance(value: float, most: float, wide: int, paint: Paint = unpainted) -> str:
    """A bar to the left of the middle for a loss, to the right for a gain; a value of `most` fills its side."""
    half = wide // 2
    count = round(min(1.0, abs(value) / most) * half) if most else 0
    drawn = paint(("-" if value < 0 else "+") * count, "lose" if value < 0 else "win")
    blank = " " * (half - count)
    return f"{blank}{drawn}|{' ' * half}" if value < 0 else f"{' ' * half}|{drawn}{blank}"
