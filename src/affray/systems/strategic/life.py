"""Life Coins: how long they last, when every second all of them are flipped and one is lost if all are Tails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import exp, fsum, isfinite, log1p, sqrt
from operator import mul
from typing import NamedTuple

from affray.kernel.chance import Dice, pick
from affray.system.schema import Whole, refusal

HOUR = 3600
YEAR = 31_557_600  # seconds, of 365.25 days
MOST_COINS = 40
OLDEST = 1000  # years
FOREVER = 2**50  # seconds: the chance that even 40 coins last this long is too small for a float

Chances = Sequence[float]
"""The chance of having 0, 1, 2... coins; a fighter with 0 is dead."""


# Without ageing, all in closed form


def expected(coins: int) -> int:
    """The mean of the seconds that these coins last: 2 + 4 + 8... for one coin after another."""
    return (2 << coins) - 2


def _mean_square(coins: int) -> int:
    """The mean of the squared seconds; waiting for 1 chance in 2**k has the variance 4**k - 2**k."""
    return expected(coins) ** 2 + sum((1 << 2 * k) - (1 << k) for k in range(1, coins + 1))


def in_words(seconds: float) -> str:
    """A time in words, in the largest unit of which there are at least two."""
    for unit, size in (("years", YEAR), ("days", 24 * HOUR), ("hours", HOUR), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} second{'' if round(seconds) == 1 else 's'}"


YEARS = tuple(round(1000 * expected(coins) / YEAR) for coins in range(MOST_COINS + 1))
"""The mean life with 0 to 40 coins, in thousandths of a year."""


@lru_cache(256)
def perish_table(hours: float) -> tuple[int, ...]:
    """The chance of dying within these hours with 0 to 40 coins, in millionths: a lookup table for the rules."""
    seconds = round(min(_from_0(hours, "hours") * HOUR, FOREVER))
    return tuple(round(1_000_000 * Life(coins).death(seconds)) for coins in range(MOST_COINS + 1))


# The coins over time


@cache
def _span(power: int) -> tuple[tuple[float, ...], ...]:
    """What 2**power seconds do: at index j, the chances of coming down to j coins from j, j + 1... 40 of them.

    Each span is the previous one applied twice. All terms are positive, and the chances of losing nothing come from
    their formula, so the error grows with the number of doublings and not with the number of seconds: the
    smallest chance has as many correct digits as the largest.
    """
    everything = range(MOST_COINS + 1)
    stay = [1.0, *(exp(2**power * log1p(-(2.0**-coins))) for coins in everything[1:])]
    if not power:
        return tuple((stay[to], *(2.0 ** -(to + 1),) * (to < MOST_COINS)) for to in everything)
    half = [list(column) + [0.0] * (MOST_COINS + 1 - to - len(column)) for to, column in enumerate(_span(power - 1))]
    rows = [[half[to][coins - to] for to in range(coins + 1)] for coins in everything]
    return tuple(
        (stay[to], *(sum(map(mul, rows[coins][to:], half[to])) for coins in everything[to + 1 :])) for to in everything
    )


def _lapse(chances: Chances, power: int) -> list[float]:
    """The chances 2**power seconds later."""
    span = _span(power)
    return [sum(map(mul, chances[to:], span[to])) for to in range(len(chances))]


def _later(chances: Chances, seconds: int) -> Chances:
    """The chances so many seconds later."""
    for power in range(seconds.bit_length()):
        if seconds >> power & 1:
            chances = _lapse(chances, power)
    return chances


def _from_0(amount: float, label: str) -> float:
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not amount >= 0:
        raise refusal(label, amount, "a number, 0 or more")
    return amount


def _whole_seconds(seconds: float) -> int:
    """The last second that is over by then: coins fall at whole seconds only."""
    return int(min(_from_0(seconds, "seconds"), FOREVER))


# A life


@dataclass(frozen=True)
class Ageing:
    """Old age: every whole year of life past the birthday `since` costs so many coins."""

    since: int = 100
    coins: int = 1

    def __post_init__(self) -> None:
        Whole(0, OLDEST).take(self.since, "ageing: since")
        Whole(1, MOST_COINS).take(self.coins, "ageing: coins")


class Arrival(NamedTuple):
    """Reaching a healer: the chance of arriving alive, and the mean number of coins of those who do."""

    alive: float
    coins: float


class Change(NamedTuple):
    """What more or fewer coins change: the mean seconds to live, and the chance of surviving a time."""

    mean: float
    survival: float


class Lived(NamedTuple):
    """One sampled life: the second at which each coin was lost, and how many were lost to ageing."""

    lost: tuple[int, ...]
    aged: int

    @property
    def death(self) -> int:
        """The second of death."""
        return self.lost[-1] if self.lost else 0

    def coins_at(self, second: int) -> int:
        """The coins that were left after this second."""
        return sum(lost > second for lost in self.lost)


@dataclass(frozen=True)
class Life:
    """A fighter with so many coins, at an age in years; `year` is the length of a year in seconds.

    All times are in seconds from now. Without `ageing` the age changes nothing.
    """

    coins: int = 30
    age: float = 0.0
    ageing: Ageing | None = None
    year: int = YEAR

    def __post_init__(self) -> None:
        Whole(0, MOST_COINS).take(self.coins, "coins")
        Whole(1, YEAR * OLDEST).take(self.year, "year")
        number = isinstance(self.age, int | float) and not isinstance(self.age, bool)
        if not number or not isfinite(self.age) or not 0 <= self.age <= OLDEST:
            raise refusal("age", self.age, f"a number of years, 0 to {OLDEST}")

    # Figures

    @cached_property
    def mean(self) -> float:
        """The mean number of seconds to live."""
        return self._mean_from(self._now)

    @property
    def variance(self) -> float:
        """The variance of the seconds to live."""
        if self.ageing is None:
            return float(_mean_square(self.coins) - expected(self.coins) ** 2)
        square = self._mean_of(lambda at, k: at * at + 2 * at * expected(k) + _mean_square(k), self._now, 0)
        return max(0.0, square - self.mean**2)

    @property
    def deviation(self) -> float:
        """The standard deviation of the seconds to live."""
        return sqrt(self.variance)

    @property
    def median(self) -> int:
        """The first second by which half of all such lives are over."""
        return self.quantile(0.5)

    def survival(self, seconds: float) -> float:
        """The chance of living longer than that."""
        return _alive(self.after(seconds))

    def death(self, seconds: float) -> float:
        """The chance of dying within that time, accurate even if it is tiny."""
        return min(1.0, self.after(seconds)[0])

    def quantile(self, share: float) -> int:
        """The first second by which this share of all such lives is over."""
        if not 0 < share < 1:
            raise refusal("share", share, "a number above 0 and below 1")
        lived = [stage for stage in self._stages if not _reached(stage[1], share)]
        if not lived:
            return 0
        at, chances = lived[-1]
        following = len(lived) < len(self._stages)
        most = self._stages[len(lived)][0] - at - 1 if following else FOREVER
        passed = 0
        for power in reversed(range(most.bit_length())):
            if passed + 2**power <= most and not _reached(later := _lapse(chances, power), share):
                chances, passed = later, passed + 2**power
        return at + passed + 1

    def curve(self, points: int = 60, until: int | None = None) -> list[tuple[int, float]]:
        """Points of the survival curve, evenly spread from now to the second by which 99% are dead."""
        end = self.quantile(0.99) if until is None else until
        steps = min(max(1, points - 1), max(1, end))
        moments = [end * step // steps for step in range(steps + 1)]
        return [(moment, self.survival(moment)) for moment in moments]

    # Wounds, treatment, and the way to a healer

    def after(self, seconds: float) -> tuple[float, ...]:
        """The chance of each number of coins at that time, from 0 (dead) to all."""
        moment = _whole_seconds(seconds)
        at, chances = next(stage for stage in reversed(self._stages) if stage[0] <= moment)
        chances = _later(chances, moment - at)
        return (*chances, *[0.0] * (self.coins + 1 - len(chances)))

    def coins_after(self, seconds: float) -> dict[int, float]:
        """The chance of each number of coins at that time for a fighter still alive, most coins first."""
        chances = self.after(seconds)
        alive = fsum(chances[1:])
        return {coins: chances[coins] / alive for coins in range(self.coins, 0, -1) if chances[coins]}

    def arrival(self, seconds: float) -> Arrival:
        """The state of a fighter on reaching a healer so far away."""
        found = self.coins_after(seconds)
        return Arrival(self.survival(seconds), fsum(coins * chance for coins, chance in found.items()))

    def with_coins(self, more: int) -> Life:
        """The same life with more coins (treated) or fewer (hurt), but never below 0."""
        return replace(self, coins=max(0, self.coins + more))

    def change(self, more: int, seconds: float = 0) -> Change:
        """What more or fewer coins change in the mean, and in the chance of surviving that time."""
        other = self.with_coins(more)
        return Change(other.mean - self.mean, other.survival(seconds) - self.survival(seconds))

    def mean_after_care(self, seconds: float, treated: int) -> float:
        """The mean seconds to live from then on for fighters who reach a healer at that time and get so many coins."""
        self.with_coins(treated)  # refuses too many coins
        found = self.coins_after(seconds)
        if not found:
            return 0.0
        chances = [found.get(coins - treated, 0.0) for coins in range(self.coins + treated + 1)]
        return self._mean_from(chances, _whole_seconds(seconds))

    # One life

    def lived(self, dice: Dice) -> Lived:
        """Live once: from coin to coin and from birthday to birthday, not from second to second."""
        lost: list[int] = []
        aged, now, birthday = 0, 0, self._birthday(0)
        while left := self.coins - len(lost):
            fallen = now + _wait(dice, left)
            if self.ageing is None or fallen <= birthday:
                now = fallen
                lost.append(now)
            else:
                going = min(left, self.ageing.coins)
                now, birthday, aged = birthday, birthday + self.year, aged + going
                lost += [now] * going
        return Lived(tuple(lost), aged)

    # Birthdays

    @property
    def _now(self) -> Chances:
        return [0.0] * self.coins + [1.0]

    @cached_property
    def _stages(self) -> list[tuple[int, Chances]]:
        """Now and each birthday that takes coins, with the chances right after it."""
        return [(0, self._now), *((at, after) for at, _, after in self._birthdays(self._now, 0))]

    def _birthday(self, since: int) -> int:
        """The first second after `since` that is a birthday on which coins go."""
        if self.ageing is None:
            return FOREVER
        first = max(int(self.age), self.ageing.since) + 1
        second = max(1, round((first - self.age) * self.year))
        return second + max(0, (since - second) // self.year + 1) * self.year

    def _birthdays(self, chances: Chances, now: int) -> Iterator[tuple[int, Chances, Chances]]:
        """Each birthday that takes coins until all are gone, with the chances right before and right after it."""
        if self.ageing is None:
            return
        birthday = self._birthday(now)
        while any(chances[1:]):
            before = _later(chances, birthday - now)
            chances = [fsum(before[: self.ageing.coins + 1]), *before[self.ageing.coins + 1 :]]
            yield birthday, before, chances
            now, birthday = birthday, birthday + self.year

    def _mean_of(self, worth: Callable[[int, int], int], chances: Chances, now: int) -> float:
        """The mean of a life's worth, where `worth` gives it for k coins at a time without ageing.

        Between two birthdays that mean does not change, so only what each birthday takes must be counted.
        """
        total = [chance * worth(now, k) for k, chance in enumerate(chances)]
        for at, before, _ in self._birthdays(chances, now):
            going = self.ageing.coins if self.ageing else 0
            total += [chance * (worth(at, max(0, k - going)) - worth(at, k)) for k, chance in enumerate(before)]
        return fsum(total)

    def _mean_from(self, chances: Chances, now: int = 0) -> float:
        """The mean of the seconds to live from then on, for a fighter alive with these chances of coins."""
        return self._mean_of(lambda at, k: at + expected(k), chances, now) - now


def _alive(chances: Chances) -> float:
    return min(1.0, fsum(chances[1:]))


def _reached(chances: Chances, share: float) -> bool:
    """Whether this share is dead, decided on the smaller side, which is more accurate."""
    return chances[0] >= share if share <= 0.5 else _alive(chances) <= 1 - share


def live_on(coins: int, seconds: int, dice: Dice) -> tuple[int, int]:
    """Live for so many seconds, or until death: returns the coins left and the seconds lived."""
    now = 0
    while coins:
        now += _wait(dice, coins)
        if now > seconds:
            return coins, seconds
        coins -= 1
    return 0, now


def _wait(dice: Dice, coins: int) -> int:
    """The seconds until all of these coins are Tails: one number from 0 to below 1, inverted."""
    number = 0
    for _ in range(7):
        number = number << 8 | pick(dice, 256)
    return 1 + int(log1p(-(number >> 3) / 2**53) / log1p(-(2.0**-coins)))
