"""Small bars: chances drawn with letters that tell the endings apart without colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from affray.terminal.text import paint

if TYPE_CHECKING:
    from affray.terminal.text import Number

SIGNS = {"win": "#", "lose": ".", "draw": "=", "fled": "~"}
SPARE = "+o%@*"


def signs(outcomes: Sequence[str]) -> dict[str, str]:
    """A sign for each outcome; those that only one system knows take what is left."""
    spare = iter(SPARE * len(outcomes))
    return {outcome: SIGNS.get(outcome) or next(spare) for outcome in outcomes}


def bar(share: Number, wide: int, sign: str = "#") -> str:
    """A bar of up to `wide` signs."""
    return sign * round(float(share) * wide)


def stacked(chances: Mapping[str, Number], wide: int) -> str:
    """One bar in which every outcome has its share: the whole is always `wide` signs long."""
    drawn = signs(list(chances))
    return "".join(paint(drawn[outcome] * count, outcome) for outcome, count in _shares(chances, wide).items())


def _shares(chances: Mapping[str, Number], wide: int) -> dict[str, int]:
    """Whole signs by largest remainder; the better outcomes come first."""
    total = float(sum(chances.values())) or 1.0
    exact = {outcome: wide * float(chance) / total for outcome, chance in chances.items()}
    counts = {outcome: int(amount) for outcome, amount in exact.items()}
    by_rest = sorted(exact, key=lambda outcome: counts[outcome] - exact[outcome])
    for outcome in by_rest[: wide - sum(counts.values())]:
        counts[outcome] += 1
    best_first = ["win", "draw", "fled", *(outcome for outcome in counts if outcome not in SIGNS), "lose"]
    return {outcome: counts[outcome] for outcome in best_first if outcome in counts}
