"""Exact: a tape that stands in for the dice and walks through every outcome with its weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb, prod
from typing import TypeVar

from affray.kernel.chance import cards_of

Result = TypeVar("Result")


@cache
def sum_ways(n: int, sides: int) -> tuple[int, ...]:
    """In how many ways n dice show each sum, from 0 to n * sides."""
    ways = [1]
    for _ in range(n):
        longer = [0] * (len(ways) + sides)
        for total, count in enumerate(ways):
            for face in range(1, sides + 1):
                longer[total + face] += count
        ways = longer
    return tuple(ways)


@cache
def percent_ways(net: int) -> tuple[int, ...]:
    """In how many ways d100 with `net` bonus or penalty dice shows 0 to 100."""
    best = min if net > 0 else max
    ways = [0] * 101
    for units in range(10):
        values = [(10 * tens + units) or 100 for tens in range(10)]
        for value in values:
            as_good = sum(best(value, other) == value for other in values)
            better = as_good - 1
            ways[value] += as_good ** (1 + abs(net)) - better ** (1 + abs(net))
    return tuple(ways)


class Exact:
    """A source of chance that can be wound through all outcomes of whatever asks it.

    `outcomes(run)` calls `run(exact)` once for each way chance can fall and yields each result
    with its weight as a numerator and a denominator.
    """

    def __init__(self) -> None:
        self._taken: list[int] = []
        self._weights: list[Sequence[int]] = []
        self._at = 0

    def outcomes(self, run: Callable[[Exact], Result]) -> Iterator[tuple[Result, int, int]]:
        """Every result of `run` with its weight."""
        self._taken.clear()
        self._weights.clear()
        while True:
            self._at = 0
            result = run(self)
            numerator = prod(weights[taken] for weights, taken in zip(self._weights, self._taken, strict=True))
            yield result, numerator, prod(sum(weights) for weights in self._weights)
            if not self._advance():
                return

    @property
    def asked(self) -> bool:
        """Whether the running call has met chance yet."""
        return self._at > 0

    def _advance(self) -> bool:
        """Turn the last wheel on to its next possible outcome, like an odometer."""
        while self._taken:
            weights = self._weights[-1]
            self._taken[-1] += 1
            while self._taken[-1] < len(weights) and weights[self._taken[-1]] == 0:
                self._taken[-1] += 1
            if self._taken[-1] < len(weights):
                return True
            self._taken.pop()
            self._weights.pop()
        return False

    def _choose(self, weights: Sequence[int]) -> int:
        if self._at == len(self._taken):
            self._taken.append(next(i for i, weight in enumerate(weights) if weight))
            self._weights.append(weights)
        self._at += 1
        return self._taken[self._at - 1]

    def heads(self, n: int) -> int:
        return self._choose([comb(n, k) for k in range(n + 1)])

    def pips(self, n: int, sides: int) -> int:
        return self._choose(sum_ways(n, sides))

    def reaches(self, n: int, sides: int, target: int) -> bool:
        ways = sum_ways(n, sides)
        short = sum(ways[: max(0, target)])
        return bool(self._choose((short, sides**n - short)))

    def successes(self, n: int, at_least: int) -> int:
        good = min(6, max(0, 7 - at_least))
        return self._choose([comb(n, k) * good**k * (6 - good) ** (n - k) for k in range(n + 1)])

    def percent(self, net: int) -> int:
        return self._choose(percent_ways(net))

    def graded(self, net: int, bounds: tuple[int, int, int, int, int, int]) -> int:
        ways = [0] * 7
        for value, count in enumerate(percent_ways(net)):
            ways[sum(value <= bound for bound in bounds)] += count
        return self._choose(ways)

    def draw(self, pile: int) -> int:
        cards = cards_of(pile)
        return cards[self._choose([1] * len(cards))]

    def draw_unseen(self, pile: int) -> int:
        return self.draw(pile)

    def pick(self, n: int) -> int:
        return self._choose([1] * n)

    def flip_off(self, n: int) -> int:
        return self._choose([1] * n)
