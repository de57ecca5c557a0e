"""What a move brings at once: every outcome up to the next decision, counted with its probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from affray.kernel import records
from affray.kernel.drivers import TOO_MANY
from affray.kernel.exact import Exact, TooMuchChance
from affray.kernel.rows import Rows
from affray.lab.graph import work
from affray.lab.programs import program
from affray.system.abilities import Exchange
from affray.system.setup import Setup

MOST_OUTCOMES = 200_000
"""A move with more outcomes than this is not counted at all."""

OUTCOMES_A_SECOND, NATIVE_OUTCOMES_A_SECOND = 50_000, 500_000
LEAST_SECONDS, LEAST_NATIVE_WORK = 0.06, MOST_OUTCOMES
"""The outcomes of all moves together that every request counts, whatever the time."""

PATIENCE, NATIVE_PATIENCE = (150, 600, 3_000, MOST_OUTCOMES + 1), (3_000, MOST_OUTCOMES)
"""How many outcomes of each move are counted in each pass: the cheap moves come first."""

Means = Mapping[str, Fraction | float]
"""The mean of everything that the system measures; for what is 0 or 1, that is its chance."""


class Exchanges:
    """What a fighter's moves bring before the next decision, as far as it has been counted.

    What the mover may not know is removed first. Interpreted rules give fractions. Every request counts as much more
    as its time allows, the cheap moves first; what has been counted is kept.
    """

    def __init__(self, setup: Setup[Any], state: Any, index: int, *, compiled: bool) -> None:
        self._exchange = setup.system.ability(Exchange)
        self._setup, self._seen, self._index, self._compiled = setup, setup.view(state, index), index, compiled
        self._found: dict[int, Means | None] = {}  # None where there are too many outcomes
        self._begun: dict[int, _Counting] = {}
        self._dear: set[int] = set()  # too many outcomes for the first pass of native code, which starts over each time

    def of(self, codes: Sequence[int], seconds: float) -> list[Means | None]:
        """What each of these moves brings; None where that is not known yet or cannot be counted."""
        if self._exchange is None:
            return [None] * len(codes)
        if self._exchange.count is not None:
            count = self._exchange.count
            self._found |= {
                code: count(self._setup, self._seen, self._index, code) or None
                for code in codes
                if code not in self._found
            }
        elif self._compiled:
            self._count_natively(self._exchange, codes, seconds)
        else:
            self._count(self._exchange, codes, seconds)
        return [self._found.get(code) for code in codes]

    def is_unfinished(self, codes: Sequence[int]) -> bool:
        """Whether another request for these moves would count more."""
        return self._exchange is not None and not self._found.keys() >= set(codes)

    def _count(self, exchange: Exchange[Any], codes: Sequence[int], seconds: float) -> None:
        left = work(max(seconds, LEAST_SECONDS), OUTCOMES_A_SECOND, len(self._setup.names))
        for most in PATIENCE:
            for code in codes:
                if code not in self._found:
                    begun = self._begun.setdefault(
                        code, _Counting(self._setup, exchange, self._seen, self._index, code)
                    )
                    left -= begun.go_on(min(most, begun.count + left))
                    if begun.is_over:
                        self._found[code] = self._begun.pop(code).means

    def _count_natively(self, exchange: Exchange[Any], codes: Sequence[int], seconds: float) -> None:
        fighters = len(self._setup.names)
        compiled, start = program(self._setup.system, fighters), Rows.records(records.pack_slots(self._seen))
        left = max(work(seconds, NATIVE_OUTCOMES_A_SECOND, fighters), LEAST_NATIVE_WORK)
        for most in NATIVE_PATIENCE:
            for code in codes:
                if code not in self._found and (most == MOST_OUTCOMES or code not in self._dear):
                    sums, allowed = Rows("d", len(exchange.names)), min(most, left)
                    count, problem = compiled.run("enumerate", start, self._index, code, allowed, sums)
                    left -= count
                    if problem == 0:
                        self._found[code] = dict(zip(exchange.names, sums.tolist(), strict=True))
                    elif problem != TOO_MANY or allowed == MOST_OUTCOMES:
                        self._found[code] = None
                    elif allowed == most:
                        self._dear.add(code)


class _Counting:
    """The outcomes of one move, counted by interpreted rules as far as requested."""

    def __init__(self, setup: Setup[Any], exchange: Exchange[Any], state: Any, index: int, code: int) -> None:
        self.means: Means | None = None
        self.count, self.is_over = 0, False
        self._names, measure = exchange.names, exchange.measure
        self._sums: dict[int, list[int]] = {}  # by denominator, since adding fractions takes longer than the rules
        assert measure is not None

        def run(dice: Exact) -> list[int]:
            after = records.copy(state)
            setup.system.apply(after, index, code, dice, None)
            found = [0] * len(exchange.names)
            measure(state, after, index, found)
            return found

        self._outcomes = Exact().outcomes(run, MOST_OUTCOMES)

    def go_on(self, to: int) -> int:
        """Count on up to outcome number `to`, and return how many were counted."""
        begun = self.count
        try:
            while self.count < to and not self.is_over:
                found, numerator, denominator = next(self._outcomes)
                self.count += 1
                sums = self._sums.setdefault(denominator, [0] * len(found))
                for place, value in enumerate(found):
                    sums[place] += numerator * value
        except TooMuchChance:
            self.is_over = True
        except StopIteration:
            self.is_over = True
            parts = [[Fraction(total, whole) for total in sums] for whole, sums in self._sums.items()]
            self.means = {name: sum(own, Fraction(0)) for name, *own in zip(self._names, *parts, strict=True)}
        return self.count - begun


def exchanges(
    setup: Setup[Any], state: Any, index: int, codes: Sequence[int], *, compiled: bool, seconds: float = 1.0
) -> list[Means | None]:
    """What each move of a fighter brings before the next decision; None where that cannot be counted."""
    return Exchanges(setup, state, index, compiled=compiled).of(codes, seconds)
