"""Life Coins: how long a fighter lives who flips all coins every second and loses one when all come up Tails."""

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
FOREVER = 2**50  # seconds: the chance that even 40 coins last so long is too small for a float

Chances = Sequence[float]
"""The chance to have 0, 1, 2... coins; with none the fighter is dead."""


# Without ageing, all in closed form


def expected(coins: int) -> int:
    """The mean of the seconds that these coins last: 2 + 4 + 8... for one coin after another."""
    return (2 << coins) - 2


def _mean_square(coins: int) -> int:
    """The mean of the squared seconds; waiting for 1 chance in 2**k has the variance 4**k - 2**k."""
    return expected(coins) ** 2 + sum((1 << 2 * k) - (1 << k) for k in range(1, coins + 1))


def in_words(seconds: float) -> str:
    """A time as one would say it: in the largest unit of which there are two."""
    for unit, size in (("years", YEAR), ("days", 24 * HOUR), ("hours", HOUR), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} second{'' if round(seconds) == 1 else 's'}"


YEARS = tuple(round(1000 * expected(coins) / YEAR) for coins in range(MOST_COINS + 1))
"""The mean life with 0 to 40 coins, in thousandths of a year."""


@lru_cache(256)
def perish_table(hours: float) -> tuple[int, ...]:
    """The chance to die within these hours with 0 to 40 coins, in millionths: a table, for rules to look up."""
    seconds = round(min(_from_0(hours, "hours") * HOUR, FOREVER))
    return tuple(round(1_000_000 * Life(coins).death(seconds)) for coins in range(MOST_COINS + 1))


# The coins as time goes by


@cache
def _span(power: int) -> tuple[tuple[float, ...], ...]:
    """What 2**power seconds do: in place j, the chances to come down to j coins from j, j + 1... 40 of them.

    Each span is the one before it twice. All terms are positive, and the chances to lose nothing are taken from
    their formula, so the error grows with the number of doublings and not with the number of seconds: the
    smallest chance has as many good digits as the largest.
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
        raise refusal(label, amount, "a number from 0 on")
    return amount


def _whole_seconds(seconds: float) -> int:
    """The last second that is over by then: coins fall at whole seconds only."""
    return int(min(_from_0(seconds, "seconds"), FOREVER))


# A life


@dataclass(frozen=True)
class Ageing:
    """Old age: every whole year of life past the birthday `since`, so many coins go by themselves."""

    since: int = 100
    coins: int = 1

    def __post_init__(self) -> None:
        Whole(0, OLDEST).take(self.since, "ageing: since")
        Whole(1, MOST_COINS).take(self.coins, "ageing: coins")


class Arrival(NamedTuple):
    """Who comes to a healer: the chance to be alive then, and the mean of the coins of those who are."""

    alive: float
    coins: float


class Change(NamedTuple):
    """What some coins more or fewer change: the mean of the seconds to live, the chance to live through a time."""

    mean: float
    survival: float


class Lived(NamedTuple):
    """One life as it went: the second at which each coin was lost, and how many of them went by ageing."""

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
    """A fighter with so many coins, at an age in years; `year` is how many seconds such a year has.

    All times are seconds from now on. Without `ageing` the age changes nothing.
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
        """How many seconds there are to live on average."""
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
        """The chance to live longer than that."""
        return _alive(self.after(seconds))

    def death(self, seconds: float) -> float:
        """The chance to die within that time, with all its digits even where it is tiny."""
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
        """Points of the survival curve, evenly spread from now on; to the second by which 99 in 100 are dead."""
        end = self.quantile(0.99) if until is None else until
        steps = min(max(1, points - 1), max(1, end))
        moments = [end * step // steps for step in range(steps + 1)]
        return [(moment, self.survival(moment)) for moment in moments]

    # Wounds, treatment, and the way to a healer

    def after(self, seconds: float) -> tuple[float, ...]:
        """The chance of each number of coins at that time, from 0, which is to be dead, to all."""
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
        """How one comes to a healer who is so far away."""
        found = self.coins_after(seconds)
        return Arrival(self.survival(seconds), fsum(coins * chance for coins, chance in found.items()))

    def with_coins(self, more: int) -> Life:
        """The same life with so many coins more, or fewer: treated, or hurt; there are never fewer than none."""
        return replace(self, coins=max(0, self.coins + more))

    def change(self, more: int, seconds: float = 0) -> Change:
        """What so many coins more change, or fewer: in the mean, and in the chance to live through that time."""
        other = self.with_coins(more)
        return Change(other.mean - self.mean, other.survival(seconds) - self.survival(seconds))

    def mean_after_care(self, seconds: float, treated: int) -> float:
        """How long those live on average, from then on, who reach a healer at that time and get so many coins."""
        self.with_coins(treated)  # refuses more coins than there can be
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
        """The mean of what a life comes to, where `worth` says what it would with k coins at a time but for ageing.

        Between two birthdays the mean of that does not change, so only what each birthday takes must be counted.
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
    """Whether this share is dead; asked of the smaller side, which has more digits."""
    return chances[0] >= share if share <= 0.5 else _alive(chances) <= 1 - share


def live_on(coins: int, seconds: int, dice: Dice) -> tuple[int, int]:
    """Live for so many seconds, or until death: the coins that are left, and the seconds that were lived."""
    now = 0
    while coins:
        now += _wait(dice, coins)
        if now > seconds:
            return coins, seconds
        coins -= 1
    return 0, now


def _wait(dice: Dice, coins: int) -> int:
    """How many seconds until all of these coins are Tails: one number from 0 to below 1, looked up from behind."""
    number = 0
    for _ in range(7):
        number = number << 8 | pick(dice, 256)
    return 1 + int(log1p(-(number >> 3) / 2**53) / log1p(-(2.0**-coins)))
