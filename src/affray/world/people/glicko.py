"""Ratings of people by Mark Glickman's Glicko system: a number for the strength, and how uncertain it still is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

Q = log(10) / 400


class Rating(NamedTuple):
    """A strength, and its deviation: the true strength is within two deviations of it in 95 of 100 cases."""

    value: float = 1500.0
    deviation: float = 350.0


NEW = Rating()
SUREST = 30.0
"""No rating is more certain than this, so that it can always change."""

GROWTH = sqrt((NEW.deviation**2 - 50**2) / (2 * 365))
"""How uncertainty grows with days: from 50, of someone who plays much, to that of a newcomer in two years."""


class Met(NamedTuple):
    """An opponent, and the score against them: 1 for a win, 0 for a defeat, 1/2 for neither."""

    opponent: Rating
    score: float


def rated(before: Rating, met: Sequence[Met]) -> Rating:
    """The rating after a period in which these opponents were met, all as they were rated before it."""
    if not met:
        return before
    expected = [_expected(before, one.opponent) for one in met]
    weights = [_weight(one.opponent) for one in met]
    information = Q**2 * sum(weight**2 * e * (1 - e) for weight, e in zip(weights, expected, strict=True))
    variance = 1 / (1 / before.deviation**2 + information)
    surplus = sum(weight * (one.score - e) for one, weight, e in zip(met, weights, expected, strict=True))
    return Rating(before.value + Q * variance * surplus, max(SUREST, sqrt(variance)))


def idle(before: Rating, days: int) -> Rating:
    """The rating after this many days without a duel: as high, but less certain."""
    return before._replace(deviation=min(NEW.deviation, sqrt(before.deviation**2 + GROWTH**2 * days)))


def _weight(opponent: Rating) -> float:
    """How much a result against an opponent says, the less the more uncertain their rating is."""
    return 1 / sqrt(1 + 3 * (Q * opponent.deviation / pi) ** 2)


def _expected(own: Rating, opponent: Rating) -> float:
    """The score that is expected against an opponent."""
    return 1 / (1 + exp(-Q * _weight(opponent) * (own.value - opponent.value)))


class Pairing(NamedTuple):
    """A fight on a day, seen by one of its two players."""

    day: int
    player: str
    opponent: str
    score: float


def ratings(fights: Iterable[Pairing], today: int) -> dict[str, Rating]:
    """The ratings of all players today, from all their fights in the order of the days.

    A day is a period: all of its fights count together, by the ratings at its beginning.
    """
    found: dict[str, tuple[Rating, int]] = {}

    def at(player: str, day: int) -> Rating:
        rating, last = found.get(player, (NEW, day))
        return idle(rating, day - last)

    def close(day: int, met: dict[str, list[Met]]) -> None:
        found.update({player: (rated(at(player, day), theirs), day) for player, theirs in met.items()})

    day, met = 0, dict[str, list[Met]]()
    for fight in fights:
        if fight.day != day:
            close(day, met)
            day, met = fight.day, {}
        met.setdefault(fight.player, []).append(Met(at(fight.opponent, day), fight.score))
    close(day, met)
    return {player: at(player, max(today, day)) for player in found}
