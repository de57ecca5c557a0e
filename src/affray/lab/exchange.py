"""What a move brings at once: every outcome up to the next decision, counted with its probability."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from affray.fight import Fight
from affray.kernel import records
from affray.kernel.exact import Exact

MOST_OUTCOMES, MOST_INTERPRETED = 200_000, 3_000

Means = Mapping[str, Fraction | float]
"""The mean of everything that the system measures; of what is 0 or 1, its chance."""


def exchanges(
    fight: Fight, index: int, codes: Sequence[int], *, compiled: bool, seconds: float = 1.0
) -> list[Means | None]:
    """For each move of a fighter, what it brings before anybody decides again; None where that cannot be counted.

    What the mover may not know is cut away before. Interpreted rules give fractions, as many as `seconds` allow.
    """
    if fight.system.exchange is None:
        return [None] * len(codes)
    state = fight.system.cut(fight.state, index)
    if compiled:
        return _native(fight, state, index, codes)
    deadline = time.monotonic() + seconds
    return [_interpreted(fight, state, index, code, deadline) for code in codes]


def _interpreted(fight: Fight, state: Any, index: int, code: int, deadline: float) -> Means | None:
    system = fight.system
    assert system.exchange is not None
    names, measure = system.exchange.names, system.exchange.measure

    def run(dice: Exact) -> list[int]:
        after = records.copy(state)
        system.apply(after, index, code, dice, None)
        found = [0] * len(names)
        measure(state, after, index, found)
        return found

    means = dict.fromkeys(names, Fraction(0))
    for count, (found, numerator, denominator) in enumerate(Exact().outcomes(run)):
        if count == MOST_INTERPRETED or time.monotonic() > deadline:
            return None
        chance = Fraction(numerator, denominator)
        means = {name: means[name] + chance * value for name, value in zip(names, found, strict=True)}
    return means


def _native(fight: Fight, state: Any, index: int, codes: Sequence[int]) -> list[Means | None]:
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import enumerator

    exchange = fight.system.exchange
    assert exchange is not None
    sums = np.zeros((len(codes), len(exchange.names)))
    counts = np.zeros(len(codes), np.int64)
    start = native.to_native(state, len(fight.names))
    moves = np.asarray(codes, np.int64)
    enumerator(fight.system)(start, index, moves, np.empty(1, native.TAPE), MOST_OUTCOMES, sums, counts)
    return [
        None if count < 0 else dict(zip(exchange.names, map(float, row), strict=True))
        for row, count in zip(sums, counts, strict=True)
    ]
