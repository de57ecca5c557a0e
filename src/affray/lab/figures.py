"""Figures with their uncertainty: rates and means, each with a 95 % interval."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z95 = 1.959963984540054


class Rate(NamedTuple):
    """A rate or a mean, and where it lies with 95 % confidence."""

    value: float
    low: float
    high: float


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate; honest also near 0 and 1."""
    if tries == 0:
        return 0.0, 1.0
    share = hits / tries
    spread = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2))
    middle = share + Z95**2 / (2 * tries)
    scale = 1 + Z95**2 / tries
    # Rounding must not push a bound past the rate itself: a chart would draw an error bar of negative length.
    return max(0.0, min(share, (middle - spread) / scale)), min(1.0, max(share, (middle + spread) / scale))


def rate(hits: int, tries: int) -> Rate:
    """A rate out of counts."""
    return Rate(hits / tries if tries else 0.0, *wilson(hits, tries))


def mean(total: float, squares: float, tries: int) -> Rate:
    """A mean out of a sum and a sum of squares."""
    if tries == 0:
        return Rate(0.0, 0.0, 0.0)
    middle = total / tries
    variance = max(0.0, squares / tries - middle**2) * tries / max(1, tries - 1)
    spread = Z95 * sqrt(variance / tries)
    return Rate(middle, middle - spread, middle + spread)
