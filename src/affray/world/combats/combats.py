"""The combats of a world that have not ended, kept in step with the store."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import UserDict, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from affray.errors import Illegal, Refused
from affray.fight import saving
from affray.system.registry import find
from affray.world.combats import autoplay, news, results
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Asleep, Listed
from affray.world.combats.roster import Member, Roster
from affray.world.combats.told import Told
from affray.world.store import Clash, Overtaken, Store, statements
from affray.world.store.tables import CombatRow

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)


async def load(store: Store, row: CombatRow) -> Combat:
    """A combat as it is stored: its log is run. Of one that cannot be run only the damage is known."""
    known = (row.number, row.name, row.place, find(row.system), row.owner, row.options)
    combat = Combat(*known, roster=Roster.of_table(row.roster), version=row.version, game=row.game, saved=row.saved)
    if row.log is not None:
        entries = await store.answers(row.number)
        try:
            with saving.reading(f"the stored log of combat {row.name} cannot be run"):
                await store.run_log(partial(combat.resume, row.log, entries), len(entries))
        except Refused as problem:
            combat.damage = str(problem)
            log.error("combat %s: %s", row.number, problem)
        combat.stored = len(combat.movers)
        combat.is_recorded = row.ending is not None
    return combat


class Combats(UserDict[str, Listed]):
    """The combats by the keys of their places, at most one in each; those that no one uses are asleep."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self.last_number = 0
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """For each place: hold its lock to read or change its combat over an await."""
        self._coming: list[Combat] = []
        """Combats that are being stored for the first time."""
        self._places: dict[int, str] = {}
        """Where the combat of a number is."""
        self.thinking = asyncio.Lock()
        """Held while computer fighters move by themselves: one combat at a time, so that people need not wait long."""

    def __setitem__(self, place: str, combat: Listed) -> None:
        super().__setitem__(place, combat)
        self._places[combat.number] = place

    def __delitem__(self, place: str) -> None:
        self._places.pop(self[place].number, None)
        super().__delitem__(place)

    async def read(self) -> None:
        """List what is stored. Logs are run only of combats that an earlier version of Affray has stored."""
        self.last_number = await self._world.store.last_combat()
        for row in await self._world.store.listings():
            self[row.place] = Asleep.of(row)
            if row.phase == "running" and row.awaited is None:
                await self._read_again(row.place, by_others=False)

    def awake(self, place: str) -> Combat | None:
        """The combat in a place whose log has been run."""
        combat = self.data.get(place)
        return combat if isinstance(combat, Combat) else None

    async def woken(self, place: str) -> Combat | None:
        """The combat in a place, whose log is run if it was asleep. The place must be locked."""
        if isinstance(self.get(place), Asleep):
            await self._read_again(place, by_others=False)
        return self.awake(place)

    def forget_watcher(self, key: str) -> None:
        """An account that is gone watches no combat any more."""
        for combat in self.values():
            if isinstance(combat, Combat):
                combat.watchers.discard(key)

    def lull(self, idle: float) -> None:
        """Let combats sleep that no one is looking at, and that no one has used for this many seconds."""
        until = time.monotonic() - idle
        for place, combat in list(self.items()):
            if not isinstance(combat, Combat) or combat.used > until or combat.watchers:
                continue
            if self._is_busy(combat) or self._world.people.in_place(place):
                continue
            self[place] = combat.asleep()

    def _is_busy(self, combat: Combat) -> bool:
        has_clock = combat.clock is not None and not combat.clock.by_mail and combat.phase == "running"
        return has_clock or combat.is_doubtful or self.locks[combat.place].locked() or autoplay.is_due(combat)

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
        world.places.changed(combat.place)
        world.publish(news.message(combat, Told()))

    async def store(
        self, combat: Combat, *more: statements.Change, roster: bool = False, anew: bool = False, padding: int = 0
    ) -> None:
        """Store the changes of a combat; with `roster` also who moves whom, with `anew` that and the whole log.

        `padding` is how often it counts as changed beyond once; that goes only with `anew`.
        If that fails the caller gets the error, and the combat returns to its stored state before it is used again.
        """
        if combat.clock is not None and combat.clock.run(combat, combat.clock.now()):
            roster = True
        roster, combat.orders_changed = roster or combat.orders_changed, False
        answers = len(combat.fight.answers) if combat.fight else 0
        stored = 0 if anew else combat.stored
        standing = {key: value for key, value in combat.standing._asdict().items() if key != "phase"}
        columns: dict[str, Any] = {"roster": combat.roster.as_table()} if roster or anew else {}
        if anew:
            columns |= {"log": combat.head_as_json(), "phase": "setup" if combat.fight is None else "running"}
        entries = [combat.entry(at) for at in range(stored, answers)]
        changes: list[statements.Change]
        if anew or answers < stored:
            changes = [
                *(statements.next_version(combat.number, combat.version + times) for times in range(1 + padding)),
                statements.change_combat(combat.number, **columns, **standing),
                statements.cut_answers(combat.number, min(answers, stored)),
                *(statements.add_answer(combat.number, stored + at, entry) for at, entry in enumerate(entries)),
            ]
        else:
            changes = [statements.append(combat.number, combat.version, stored, entries, standing)]
            changes += [statements.change_combat(combat.number, **columns)] if columns else []
        is_over = standing["ending"] is not None
        if is_over != combat.is_recorded:
            changes += results.of(combat) if is_over else [statements.forget_results(combat.number)]
        try:
            await self._world.store.commit(*changes, *more)
        except BaseException:
            combat.is_doubtful = True  # a store that has just failed may not even be read now
            raise
        combat.stored, combat.is_recorded = answers, is_over
        combat.version += 1 + padding
        combat.note_question()
        self._world.notifications.notice(combat)
        self._world.places.changed(combat.place)

    # --- one combat at a time --------------------------------------------------------------------------------

    def owned_by(self, account: str) -> int:
        """How many combats an account owns, those included that are just being stored."""
        return sum(combat.owner == account for combat in (*self.data.values(), *self._coming))

    def binding(self, account: str, but: Listed) -> Listed | None:
        """Another combat of the same system whose end will write to an account's attributes."""
        if but.system.residence is None:
            return None
        others = (combat for combat in (*self.data.values(), *self._coming) if combat.system is but.system)
        return next((combat for combat in others if combat is not but and combat.binds(account)), None)

    async def check_free(self, combat: Combat, members: Iterable[Member]) -> None:
        """Refuse players who are in another such combat: two that write to the same attributes would lose one result.

        Nothing is awaited after the last check, so the caller can add them before another task does.
        """
        wanted = {member.player: member.name for member in members if member.player and member.lasts(combat.system)}
        if wanted and self._world.peers is not None:
            for row in await self._world.store.listings():
                if row.number != combat.number and row.system == combat.system.id:
                    self._refuse(Asleep.of(row), wanted)
        for account in wanted:
            other = self.binding(account, combat)
            if other is not None:
                self._refuse(other, wanted)

    def _refuse(self, other: Listed, wanted: Mapping[str, str]) -> None:
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
                present = self.awake(place)
                if present is not None and present.number == number:
                    return present, present.phase
        store = self._world.store
        row = await store.combat(number)
        return (await load(store, row), "ended") if row is not None and row.phase == "ended" else None

    def settled(self, place: str) -> Combat | None:
        """The combat in a place if all its visible state is stored just now; None if one may have to wait for that."""
        combat = self.data.get(place)
        if not isinstance(combat, Combat) or combat.is_doubtful or self.locks[place].locked():
            return None
        combat.used = time.monotonic()
        return combat

    @asynccontextmanager
    async def steady(self, place: str) -> AsyncIterator[Combat | None]:
        """The combat in a place, at a moment when all its visible state is stored."""
        async with self.locks[place]:
            await self._settle(place)
            yield self.awake(place)

    # --- in step with the store ------------------------------------------------------------------------------

    def version_at(self, place: str) -> tuple[int, int] | None:
        """The number of the combat in a place, and how often it has changed, as far as this process knows."""
        combat = self.get(place)
        return (combat.number, combat.version) if combat else None

    async def refresh(self, place: str) -> None:
        """Have the combat in a place as it is stored, awake. The place must be locked."""
        if not await self._settle(place) and self._world.peers is not None:
            await self.compare(place)

    async def compare(self, place: str) -> None:
        """Read the combat in a place again if another process has changed it. The place must be locked."""
        if await self._world.store.version_at(place) != self.version_at(place):
            await self._read_again(place, by_others=True)

    async def _settle(self, place: str) -> bool:
        """Wake the combat in a place, or read it again if it may differ from what is stored; whether it was read."""
        combat = self.data.get(place)
        if combat is None:
            return False
        if isinstance(combat, Combat):
            combat.used = time.monotonic()
            if not combat.is_doubtful:
                return False
        await self._read_again(place, by_others=self._world.peers is not None)
        return True

    async def relist(self, place: str) -> None:
        """List the combat in a place as another process has stored it; one that is in use here is read again."""
        if self.awake(place) is not None:
            await self.compare(place)
            return
        row = await self._world.store.listing_at(place)
        if row is None:
            self.pop(place, None)
        else:
            if place not in self._world.places:
                await self._world.places.read()
            listed = self[place] = Asleep.of(row)
            autoplay.take_over_later(self._world, listed)
        self._world.places.changed(place)

    async def _read_again(self, place: str, by_others: bool) -> None:
        """Run the stored log of the combat in a place, in which there may be another one now, or none."""
        world = self._world
        row, before = await world.store.combat_at(place), self.awake(place)
        if row is None:
            self.pop(place, None)
        else:
            if place not in world.places:
                await world.places.read()
            combat = self[place] = await load(world.store, row)
            if before is not None and before.number == row.number:
                combat.watchers, combat.next, combat.asked = before.watchers, before.next, before.asked
                combat.note_question()  # it was asked by another process just now, if it is a new one
                if combat.clock is not None and before.clock is not None:
                    combat.clock.since = dict(before.clock.since)
            if combat.clock is not None and not combat.clock.by_mail:
                combat.clock.run(combat, combat.clock.now())
            if by_others:
                autoplay.take_over_later(world, combat)
        world.places.changed(place)
