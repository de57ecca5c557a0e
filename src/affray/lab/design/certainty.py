"""Certainty: intervals that hold together, however many there are and whenever sampling stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from operator import mul
from statistics import NormalDist

from affray.errors import Invalid
from affray.lab.figures import Rate

FIRST_LOOK = 1_000  # fights before the first look at the results
_usual = NormalDist()


def check_certainty(certainty: float) -> float:
    """A certainty that intervals can have."""
    if not 0.5 <= certainty <= 0.999999:
        raise Invalid(f"the certainty must be 0.5 to 0.999999, not {certainty}", given=certainty)
    return certainty


def deviations(certainty: float, together: int = 1, look: int | None = None) -> float:
    """How many standard deviations an interval reaches to either side.

    `together` is how many intervals are to hold at once (Bonferroni's correction). If results are looked at again and
    again to decide whether to stop, `look` is the number of the look, from 1: look k spends 1/(k(k+1)) of the error,
    and all of them together spend no more than there is.
    """
    error = (1 - certainty) / together
    if look is not None:
        error /= look * (look + 1)
    return _usual.inv_cdf(1 - error / 2)


def looks(most: int, first: int = FIRST_LOOK) -> Iterator[tuple[int, int, int]]:
    """When results are looked at: the number of the look, the fights before it, and those after; each doubles them."""
    look, done = 1, 0
    while done < most:
        upto = min(most, first * 2 ** (look - 1))
        yield look, done, upto
        look, done = look + 1, upto


@dataclass
class Sums:
    """What intervals are made of: the number of values, their sum, and the sum of their squares."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Sequence[float]) -> None:
        """Add more values."""
        self.count += len(values)
        self.total += sum(values)
        self.squares += sum(map(mul, values, values))

    @property
    def mean(self) -> float:
        """The mean of all values."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """The variance of a single value."""
        if self.count < 2:
            return 0.0
        return max(0.0, self.squares / self.count - self.mean**2) * self.count / (self.count - 1)

    def interval(self, z: float, bounds: tuple[float, float] | None = None) -> Rate:
        """The mean with an interval of `z` standard deviations to either side.

        If the values are bounded, one imagined value at each bound is added, as Agresti, Caffo, Bonett and Price
        propose, so that what has not happened yet may still happen.
        """
        if not self.count:
            return Rate(0.0, *(bounds or (float("-inf"), float("inf"))))
        imagined = bounds or ()
        count = self.count + len(imagined)
        middle = (self.total + sum(imagined)) / count
        variance = max(0.0, (self.squares + sum(map(mul, imagined, imagined))) / count - middle**2)
        spread = z * sqrt(variance / max(1, count - (not imagined)))
        low, high = min(self.mean, middle - spread), max(self.mean, middle + spread)
        return Rate(self.mean, max(low, bounds[0]), min(high, bounds[1])) if bounds else Rate(self.mean, low, high)


@dataclass
class Pair:
    """Two columns of the same fights: the sums of their differences, to be compared with those of each alone."""

    difference: Sums = field(default_factory=Sums)
    one: Sums = field(default_factory=Sums)
    other: Sums = field(default_factory=Sums)

    def add(self, one: Sequence[float], other: Sequence[float]) -> None:
        """Add more fights."""
        self.one.add(one)
        self.other.add(other)
        self.difference.add([a - b for a, b in zip(one, other, strict=True)])

    @property
    def narrower(self) -> float:
        """How many times narrower the interval is than that of independent runs; infinite if nothing differs."""
        paired, apart = self.difference.variance, self.one.variance + self.other.variance
        return sqrt(apart / paired) if paired else float("inf")
