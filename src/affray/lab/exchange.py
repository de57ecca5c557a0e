"""What a move brings at once: every outcome up to the next decision, counted with its probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from affray.kernel import records
from affray.kernel.exact import Exact
from affray.lab.graph import OUTCOMES_A_SECOND
from affray.system.abilities import Exchange
from affray.system.contract import System
from affray.system.setup import Setup

MOST_OUTCOMES = 200_000
CHEAP = 150
"""Outcomes of a move that are counted in any case, whatever the time for it."""

PATIENCE = (CHEAP, 600, 3_000)
"""Up to how many outcomes of each move interpreted rules count, turn by turn: the cheap moves come first."""

Means = Mapping[str, Fraction | float]
"""The mean of everything that the system measures; of what is 0 or 1, its chance."""


def exchanges(
    setup: Setup[Any], state: Any, index: int, codes: Sequence[int], *, compiled: bool, seconds: float = 1.0
) -> list[Means | None]:
    """For each move of a fighter, what it brings before anybody decides again; None where that cannot be counted.

    What the mover may not know is cut away before. Interpreted rules give fractions: of all cheap moves first, then of
    as many dearer ones as `seconds` are for.
    """
    exchange = setup.system.ability(Exchange)
    if exchange is None:
        return [None] * len(codes)
    seen = setup.view(state, index)
    if exchange.count is not None:
        return [exchange.count(setup, seen, index, code) or None for code in codes]
    if compiled:
        return _native(setup, exchange, seen, index, codes)
    left = seconds * OUTCOMES_A_SECOND
    means: list[Means | None] = [None] * len(codes)
    for most in PATIENCE:
        for place, code in enumerate(codes):
            if means[place] is None:
                allowed = most if most == CHEAP else min(left, most)
                means[place], outcomes = _interpreted(setup.system, exchange, seen, index, code, allowed)
                left -= outcomes
    return means


def _interpreted(
    system: System[Any, Any], exchange: Exchange[Any], state: Any, index: int, code: int, most: float
) -> tuple[Means | None, int]:
    """What a move brings, counted over all its outcomes, and how many these were; nothing where they are too many."""
    names, measure = exchange.names, exchange.measure
    assert measure is not None

    def run(dice: Exact) -> list[int]:
        after = records.copy(state)
        system.apply(after, index, code, dice, None)
        found = [0] * len(names)
        measure(state, after, index, found)
        return found

    means = dict.fromkeys(names, Fraction(0))
    count = 0
    for found, numerator, denominator in Exact().outcomes(run):
        count += 1
        if count > most:
            return None, count
        chance = Fraction(numerator, denominator)
        means = {name: means[name] + chance * value for name, value in zip(names, found, strict=True)}
    return means, count


def _native(
    setup: Setup[Any], exchange: Exchange[Any], state: Any, index: int, codes: Sequence[int]
) -> list[Means | None]:
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import enumerator

    sums = np.zeros((len(codes), len(exchange.names)))
    counts = np.zeros(len(codes), np.int64)
    start = native.to_native(state, len(setup.names))
    moves = np.asarray(codes, np.int64)
    enumerator(setup.system)(start, index, moves, np.empty(1, native.TAPE), MOST_OUTCOMES, sums, counts)
    return [
        None if count < 0 else dict(zip(exchange.names, map(float, row), strict=True))
        for row, count in zip(sums, counts, strict=True)
    ]
