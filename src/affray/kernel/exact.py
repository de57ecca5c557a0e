"""Exact: a tape that replaces the dice and goes through every outcome with its weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, prod
from typing import TypeVar

from affray.kernel.chance import Given, Primitive

Result = TypeVar("Result")

MOST_THROWS = 47
"""The most throws in one outcome that are counted; the tapes of native code hold as many."""


class TooMuchChance(Exception):
    """More outcomes, or more throws in one of them, than are counted."""


class Exact:
    """A source of chance that goes through all outcomes of the function that asks it.

    `outcomes(run)` calls `run(exact)` once for each way chance can fall and yields each result
    with its weight as a numerator and a denominator.
    """

    deepest = MOST_THROWS

    def __init__(self) -> None:
        self._taken: list[int] = []
        self._weights: list[Sequence[int]] = []
        self._at = 0

    def outcomes(self, run: Callable[[Exact], Result], most: float = inf) -> Iterator[tuple[Result, int, int]]:
        """Every result of `run` with its weight; raises `TooMuchChance` if there are more than `most`."""
        self._taken.clear()
        self._weights.clear()
        count = 0
        while True:
            count += 1
            if count > most:
                raise TooMuchChance
            self._at = 0
            result = run(self)
            numerator = prod(weights[taken] for weights, taken in zip(self._weights, self._taken, strict=True))
            yield result, numerator, prod(sum(weights) for weights in self._weights)
            if not self._advance():
                return

    @property
    def asked(self) -> bool:
        """Whether the running call has asked for chance yet."""
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

    def weights_of(self, question: Primitive, given: Given) -> Sequence[int]:
        """The weight of every answer; answers without weight are left out."""
        return question.weights_of(given)

    def answer(self, question: Primitive, given: Given) -> int:
        if self._at == len(self._taken):
            if self._at >= self.deepest:
                raise TooMuchChance
            weights = self.weights_of(question, given)
            self._taken.append(next(i for i, weight in enumerate(weights) if weight))
            self._weights.append(weights)
        self._at += 1
        return question.kind(self._taken[self._at - 1])
