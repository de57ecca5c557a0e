"""The combats of a world that have not ended, kept in step with the store."""

from __future__ import annotations

import asyncio
from collections import UserDict, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from affray.errors import Illegal
from affray.system.registry import find
from affray.world.combats import autoplay, news
from affray.world.combats.combat import Combat, Told
from affray.world.combats.roster import Member, Roster
from affray.world.store import Clash, Overtaken, Store, statements
from affray.world.store.tables import CombatRow, Phase

if TYPE_CHECKING:
    from affray.world.world import World


async def load(store: Store, row: CombatRow) -> Combat:
    """A combat as it is stored: its log is run."""
    combat = Combat(row.number, row.name, row.place, find(row.system), row.owner, row.options, game=row.game)
    combat.version = row.version
    combat.roster = Roster.of_table(row.roster)
    combat.saved = row.saved
    if row.log is not None:
        combat.resume(row.log, await store.answers(row.number))
    return combat


class Combats(UserDict[str, Combat]):
    """The combats by the keys of their places, at most one in each."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self.last_number = 0
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """For each place: hold its lock to read or change its combat over an await."""
        self._stored: dict[int, int] = {}
        """By number, how many answers of a combat are in the store."""
        self.doubtful: set[int] = set()
        """Numbers of combats that may differ from what is stored."""
        self._coming: list[Combat] = []
        """Combats that are being stored for the first time."""
        self._places: dict[int, str] = {}
        """Where the combat of a number is."""
        self.thinking = asyncio.Lock()
        """Held while computer fighters move by themselves: one combat at a time, so that people need not wait long."""

    def __setitem__(self, place: str, combat: Combat) -> None:
        super().__setitem__(place, combat)
        self._places[combat.number] = place

    def __delitem__(self, place: str) -> None:
        self._places.pop(self[place].number, None)
        super().__delitem__(place)

    async def take_up(self, row: CombatRow) -> Combat:
        """Continue a stored combat in this process."""
        combat = self[row.place] = await load(self._world.store, row)
        self._stored[row.number] = len(combat.fight.answers) if combat.fight else 0
        return combat

    async def add(self, combat: Combat) -> None:
        """Store a new combat under its own number, and begin it here. Its place must be locked."""
        await self.check_free(combat, combat.roster)
        self._coming.append(combat)
        try:
            await self._store_new(combat)
        finally:
            self._coming.remove(combat)

    async def _store_new(self, combat: Combat) -> None:
        world = self._world
        self.last_number += 1  # before anything is awaited: others may be added meanwhile
        combat.number = self.last_number
        columns = {"place": combat.place, "system": combat.system.id, "game": combat.game, "owner": combat.owner}
        made = {"options": combat.options, "roster": combat.roster.as_table()}
        added = statements.add_combat(combat.number, combat.name, **columns, **made)
        try:
            await world.store.commit(added)
        except Clash:
            stored = await world.store.last_combat()
            self.last_number = max(self.last_number, stored)
            taken = stored >= combat.number or await world.store.version_at(combat.place) is not None
            if world.peers is None or not taken:
                raise
            raise Overtaken(f"another combat has just been created at {world.places[combat.place].name}") from None
        self[combat.place] = combat
        self._stored[combat.number] = 0
        world.places.changed(combat.place)
        world.publish(news.message(combat, Told()))

    async def store(self, combat: Combat, *more: statements.Change, roster: bool = False, anew: bool = False) -> None:
        """Store the changes of a combat; with `roster` also who moves whom, with `anew` that and the whole log.

        If that fails the caller gets the error, and the combat returns to its stored state before it is used again.
        """
        answers = len(combat.fight.answers) if combat.fight else 0
        stored = 0 if anew else self._stored.get(combat.number, 0)
        changes = [*more]
        if roster or anew:
            changes.append(statements.change_combat(combat.number, roster=combat.roster.as_table()))
        if anew:
            phase: Phase = "setup" if combat.fight is None else "running"
            changes.append(statements.change_combat(combat.number, log=combat.head(), phase=phase))
        entries = [combat.entry(at) for at in range(stored, answers)]
        if anew or answers < stored:
            changes.insert(0, statements.next_version(combat.number, combat.version))
            changes.append(statements.cut_answers(combat.number, min(answers, stored)))
            changes += [statements.add_answer(combat.number, stored + at, entry) for at, entry in enumerate(entries)]
        else:
            changes.append(statements.append(combat.number, combat.version, stored, entries))
        try:
            await self._world.store.commit(*changes)
        except BaseException:
            self.doubtful.add(combat.number)  # a store that has just failed may not even be read now
            raise
        self._stored[combat.number] = answers
        combat.version += 1
        self._world.places.changed(combat.place)

    # --- one combat at a time --------------------------------------------------------------------------------

    def binding(self, account: str, but: Combat) -> Combat | None:
        """Another combat of the same system whose end will write to an account's attributes."""
        others = (combat for combat in (*self.data.values(), *self._coming) if combat.system is but.system)
        return next((combat for combat in others if combat is not but and combat.binds(account)), None)

    async def check_free(self, combat: Combat, members: Iterable[Member]) -> None:
        """Refuse players who are in another such combat: two that write to the same attributes would lose one result.

        Nothing is awaited after the last check, so the caller can add them before another task does.
        """
        wanted = {member.player: member.name for member in members if member.player and member.lasts(combat.system)}
        if wanted and self._world.peers is not None:
            for row in await self._world.store.open_combats():
                if row.number != combat.number and row.system == combat.system.id:
                    stored = Combat(row.number, row.name, row.place, combat.system, row.owner)
                    stored.roster = Roster.of_table(row.roster)
                    self._refuse(stored, wanted)
        for account in wanted:
            other = self.binding(account, combat)
            if other is not None:
                self._refuse(other, wanted)

    def _refuse(self, other: Combat, wanted: Mapping[str, str]) -> None:
        for account in filter(other.binds, wanted):
            place = self._world.places.get(other.place)
            where = f"{other.name} at {place.name}" if place else other.name
            problem = f"{wanted[account]} fights in {where}, and that combat must be ended first"
            raise Illegal(problem, given=wanted[account])

    async def place_of(self, number: int) -> str | None:
        """Where the combat of a number is; None if there is none, or if it has been ended."""
        place = self._places.get(number)
        if place is None and (row := await self._world.store.combat(number)) is not None and row.phase != "ended":
            return row.place
        return place

    async def find(self, number: int) -> tuple[Combat, Literal["setup", "running", "over", "ended"]] | None:
        """The stored combat of a number, and its phase; an ended one is run from its log."""
        place = await self.place_of(number)
        if place is not None:
            async with self.locks[place]:
                await self.refresh(place)
                present = self.get(place)
                if present is not None and present.number == number:
                    return present, present.phase
        store = self._world.store
        row = await store.combat(number)
        return (await load(store, row), "ended") if row is not None and row.phase == "ended" else None

    @asynccontextmanager
    async def steady(self, place: str) -> AsyncIterator[Combat | None]:
        """The combat in a place, at a moment when all its visible state is stored."""
        async with self.locks[place]:
            await self._settle_doubt(place)
            yield self.get(place)

    # --- in step with the store ------------------------------------------------------------------------------

    def version_at(self, place: str) -> tuple[int, int] | None:
        """The number of the combat in a place, and how often it has changed, as far as this process knows."""
        combat = self.get(place)
        return (combat.number, combat.version) if combat else None

    async def refresh(self, place: str) -> None:
        """Read the combat in a place again if it may differ from what is stored. The place must be locked."""
        if not await self._settle_doubt(place) and self._world.peers is not None:
            await self.compare(place)

    async def compare(self, place: str) -> None:
        """Read the combat in a place again if another process has changed it. The place must be locked."""
        if await self._world.store.version_at(place) != self.version_at(place):
            await self._read_again(place, by_others=True)

    async def _settle_doubt(self, place: str) -> bool:
        combat = self.get(place)
        if combat is None or combat.number not in self.doubtful:
            return False
        await self._read_again(place, by_others=self._world.peers is not None)
        self.doubtful.discard(combat.number)
        return True

    async def _read_again(self, place: str, by_others: bool) -> None:
        world = self._world
        row = await world.store.combat_at(place)
        combat = self.get(place)
        if row is None:
            self.pop(place, None)
        else:
            if place not in world.places:
                await world.places.read()
            taken_up = await self.take_up(row)
            if combat is not None and combat.number == row.number:
                taken_up.watchers = combat.watchers
            if by_others:
                autoplay.take_over_later(world, taken_up)
        world.places.changed(place)
