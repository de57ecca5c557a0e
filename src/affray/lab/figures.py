"""Figures with their uncertainty: rates and means, each with a 95% interval, and chances as readable percentages."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    Number = Fraction | float | int

FEW = 10_000  # play-outs below which tenths of a percent mean nothing
TOO_FEW = 10  # play-outs below which not even whole percents mean anything
Z95 = 1.959963984540054


class Rate(NamedTuple):
    """A rate or a mean, with its 95% confidence interval."""

    value: float
    low: float
    high: float


def wilson(hits: float, tries: int) -> tuple[float, float]:
    """Wilson's 95% interval of a rate; reliable near 0 and 1 too, and wide enough for partial hits."""
    if tries == 0:
        return 0.0, 1.0
    share = hits / tries
    spread = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2))
    middle = share + Z95**2 / (2 * tries)
    scale = 1 + Z95**2 / tries
    # Rounding must not push a bound past the rate itself: a chart would draw an error bar of negative length.
    return max(0.0, min(share, (middle - spread) / scale)), min(1.0, max(share, (middle + spread) / scale))


def rate(hits: float, tries: int) -> Rate:
    """A rate from counts."""
    return Rate(hits / tries if tries else 0.0, *wilson(hits, tries))


def mean(total: float, squares: float, tries: int) -> Rate:
    """A mean from a sum and a sum of squares."""
    if tries == 0:
        return Rate(0.0, 0.0, 0.0)
    middle = total / tries
    variance = max(0.0, squares / tries - middle**2) * tries / max(1, tries - 1)
    spread = Z95 * sqrt(variance / tries)
    return Rate(middle, middle - spread, middle + spread)


def percent(value: Number, digits: int = 1) -> str:
    """A chance as a percentage; it reads 0% or 100% only if the outcome is impossible or certain."""
    if isinstance(value, float):
        value = round(value, 12)  # the rounding error of a sum of floats is not a chance
    small = 0.5 * 10 ** -(digits + 2)
    if 0 < value < small:
        return f"<{10**-digits:.{digits}f}%"
    if 1 - small <= value < 1:
        return f">{100 - 10**-digits:.{digits}f}%"
    return f"{100 * float(value):.{digits}f}%"


def binned(counts: Mapping[int, int], rows: int) -> list[tuple[str, int]]:
    """Counts of whole numbers in a limited number of rows; the long tail is one row."""
    first, last = min(counts), max(counts)
    if last - first < rows:
        return [(str(number), counts.get(number, 0)) for number in range(first, last + 1)]
    total, seen, end = sum(counts.values()), 0, first
    while seen < 0.99 * total:
        seen += counts.get(end, 0)
        end += 1
    step = -(-(end - first) // (rows - 1))
    found = []
    for low in range(first, end, step):
        high = min(low + step, end) - 1
        count = sum(counts.get(number, 0) for number in range(low, high + 1))
        found.append((str(low) if low == high else f"{low} to {high}", count))
    return [*found, (f"{end} up", total - seen)] if seen < total else found
