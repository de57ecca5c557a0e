"""Profiles: when a player joined, the results of their fights, and their ratings if they want them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from affray.world.people import glicko
from affray.world.people.glicko import Pairing, Rating
from affray.world.store import Store
from affray.world.store.tables import OUTCOMES, Account, Duel, Outcome, Result

ON_A_PAGE = 20
DAY = 24 * 3600
SCORES = {"won": 1.0, "lost": 0.0}  # whatever else came of it is half a win for both
PROVISIONAL = 110.0
"""A rating with a larger deviation than this is not to be relied on yet."""


@dataclass(frozen=True)
class Record:
    """How the fights of a system ended for a player."""

    system: str
    outcomes: dict[Outcome, int]

    @property
    def fights(self) -> int:
        """How many there were."""
        return sum(self.outcomes.values())


@dataclass(frozen=True)
class Rated:
    """A player's rating in a system, and from how many fights it comes."""

    system: str
    rating: Rating
    fights: int

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the strength is in 95 of 100 cases."""
        spread = 1.96 * self.rating.deviation
        return self.rating.value - spread, self.rating.value + spread

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few fights to rely on it."""
        return self.rating.deviation > PROVISIONAL


@dataclass(frozen=True)
class Past:
    """A fight of the past: what came of it, whom it was fought against, and whether its replay is still kept."""

    result: Result
    against: list[str]
    is_kept: bool


@dataclass(frozen=True)
class Profile:
    """What there is to know about a player; `ratings` are None where the player wants none."""

    name: str
    since: datetime | None
    record: list[Record]
    ratings: list[Rated] | None
    fights: list[Past]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages of fights there are."""
        return max(1, -(-self.total // ON_A_PAGE))


class Profiles:
    """Reads profiles. Ratings are worked out from all fights that count, and again when one of those has changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[tuple[int, ...], dict[str, Rating], list[Duel]]] = {}

    async def read(self, account: Account, page: int) -> Profile:
        """The profile of an account with a page of its fights, the last ones first."""
        counted = await self._store.record(account.key)
        systems = sorted({system for system, _ in counted})
        record = [
            Record(system, {outcome: counted[system, outcome] for outcome in OUTCOMES if (system, outcome) in counted})
            for system in systems
        ]
        total = sum(one.fights for one in record)
        found = await self._store.results(account.key, ON_A_PAGE, (page - 1) * ON_A_PAGE)
        ratings = await self._ratings(account.key, systems) if account.rated else None
        fights = await self._past(account.key, found)
        return Profile(account.name, account.created, record, ratings, fights, total, page)

    async def _past(self, account: str, found: Sequence[tuple[Result, bool]]) -> list[Past]:
        """Fights with the names of the opponents, except those who keep their profile to themselves."""
        others = [one for one in await self._store.results_in([r.combat for r, _ in found]) if one.account != account]
        keys = list({one.account for one in others})
        hidden = await self._store.private_accounts(keys)
        names = {key: name for key, name in (await self._store.names(keys)).items() if key not in hidden}
        return [
            Past(
                result,
                [
                    names[one.account]
                    for one in others
                    if one.combat == result.combat and one.team != result.team and one.account in names
                ],
                is_kept,
            )
            for result, is_kept in found
        ]

    async def _ratings(self, account: str, systems: Sequence[str]) -> list[Rated]:
        found = []
        for system in systems:
            ratings, duels = await self._all_ratings(system)
            if account in ratings:
                found.append(Rated(system, ratings[account], sum(one.account == account for one in duels)))
        return found

    async def _all_ratings(self, system: str) -> tuple[dict[str, Rating], list[Duel]]:
        today = int(time.time()) // DAY
        mark = (today, *await self._store.mark_of_duels(system))
        if system not in self._known or self._known[system][0] != mark:
            duels = await self._store.duels(system)
            self._known[system] = (mark, await asyncio.to_thread(rated_today, duels, today), duels)
        return self._known[system][1:]


def rated_today(duels: Sequence[Duel], today: int) -> dict[str, Rating]:
    """The ratings of all accounts of a system on a day, from all its duels."""
    fights = (Pairing(one.decided // DAY, one.account, one.opponent, SCORES.get(one.outcome, 0.5)) for one in duels)
    return glicko.ratings(fights, today)
