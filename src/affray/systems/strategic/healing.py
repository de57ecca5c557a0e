"""What healers and bed rest can do: how long they take, when surgery is not worth it, and the years that stay lost.

A healer restores one lost Life Coin after another. Every operation takes hours, during which the remaining coins are
still flipped every second; with few of them it costs more life than it gives.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from math import fsum
from operator import mul

from affray.systems.strategic.life import HOUR, MOST_COINS, YEAR, Life, expected

YEAR_IN_BED = YEAR // HOUR  # hours: no point of Crippling takes longer
NOBODY = MOST_COINS + 1  # the coins needed for surgery, if it is never worth it


# Crippling


def hours_in_bed(level: int, days: int, hours: int, growth: int) -> int:
    """The hours in bed that heal one point at a level of Crippling: growing with the level, or always some days."""
    return 24 * days if days else min(YEAR_IN_BED, hours * growth ** (level - 1))


@cache
def bed_table(days: int, hours: int, growth: int) -> tuple[int, ...]:
    """The hours in bed until all Crippling is gone, for a level of 0 to 40."""
    return (0, *accumulate(hours_in_bed(level, days, hours, growth) for level in range(1, MOST_COINS + 1)))


@cache
def lame_table(alone: int, mend_coins: int) -> tuple[int, ...]:
    """The mean points of Crippling that stay for good, for a level of 0 to 40, in thousandths."""
    return tuple(round(1000 * max(0, level - alone) / 2**mend_coins) for level in range(MOST_COINS + 1))


# Life Coins


@cache
def arrivals(hours: int) -> tuple[tuple[float, ...], ...]:
    """For 0 to 40 coins, the chances of having 0, 1, 2... of them after so many hours."""
    return tuple(tuple(Life(coins).after(hours * HOUR)) for coins in range(MOST_COINS + 1))


def _mends(care_coins: int) -> float:
    """The chance that a coin is restored: it is not if all of the healer's coins show Tails."""
    return 1 - 0.5**care_coins


def restored(coins: int, hours: int, care_coins: int) -> float:
    """The mean seconds of life that an operation of so many hours restores; one more coin doubles what is left.

    Some patients do not live to its end, and others have fewer coins by then.
    """
    after = arrivals(hours)[coins]
    return _mends(care_coins) * fsum(chance * (expected(k + 1) - expected(k)) for k, chance in enumerate(after) if k)


@cache
def break_even(hours: int, care_coins: int) -> int:
    """The fewest coins with which so many hours of surgery restore as many hours of life; 41 if no number does."""
    worth_it = (k for k in range(1, NOBODY) if restored(k, hours, care_coins) >= hours * HOUR)
    return next(worth_it, NOBODY)


def operable(hours: int, care_coins: int, always: bool) -> int:
    """The fewest coins with which surgeons operate: any at all, or the break-even point."""
    return 1 if always else break_even(hours, care_coins)


@cache
def after_surgery(most: int, hours: int, care_coins: int, always: bool) -> tuple[float, ...]:
    """The mean seconds to live after surgery, with 0, 1, 2... left of the coins that can be restored.

    During an operation k coins become fewer; then one is restored, or one is lost for good. So the value of k coins
    depends on the values up to k + 1: each is brought into the form a + b * (value of k + 1 coins), from the lowest
    up. The value of all coins is known, and the others follow from the top down.
    """
    if most == 0:
        return (0.0,)
    spoiled = after_surgery(most - 1, hours, care_coins, always)
    least, mends, chances = operable(hours, care_coins, always), _mends(care_coins), arrivals(hours)
    known = [float(expected(k)) for k in range(most + 1)]
    rising: dict[int, tuple[float, float]] = {}
    for k in range(least, most):
        row = chances[k]
        base = (1 - mends) * fsum(row[j] * spoiled[j] for j in range(1, k + 1))
        base += mends * fsum(row[j] * known[j + 1] for j in range(1, min(k + 1, least - 1)))
        carried = 0.0
        for lower in range(least, k):
            weight = mends * row[lower - 1] * (lower > 1) + carried
            base += weight * rising[lower][0]
            carried = weight * rising[lower][1]
        itself = mends * row[k - 1] * (k > 1) + carried
        rising[k] = base / (1 - itself), mends * row[k] / (1 - itself)
    for k in range(most - 1, least - 1, -1):
        known[k] = rising[k][0] + rising[k][1] * known[k + 1]
    return tuple(known)


@cache
def prices(coins: int, hours: int, care_coins: int, surgery_hours: int = 0, always: bool = False) -> tuple[int, ...]:
    """The mean years lost with 0, 1, 2... left of the coins that can be restored, in thousandths. care.

    Some fighters die on the way to the healer, some lose more coins; those who arrive with enough are operated on.
    """
    kept, found = after_surgery(coins, surgery_hours, care_coins, always), arrivals(hours)
    lost = (expected(coins) - fsum(map(mul, found[left], kept)) for left in range(coins + 1))
    return tuple(round(1000 * seconds / YEAR) for seconds in lost) + (0,) * (MOST_COINS - coins)
