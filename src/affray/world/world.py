"""A world: places with people in them, and at most one combat in each place."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from affray.errors import Illegal, Refused
from affray.kernel.chance import Fair, Physical
from affray.kernel.system import find
from affray.world import changes, everyday, fighting, recovering, wizardry
from affray.world.combat import Combat, Told
from affray.world.entrance import WORDS, Attempts
from affray.world.roster import Member, Roster
from affray.world.store import DEFAULT, Store
from affray.world.tables import CombatRow, Place
from affray.world.visitors import Tell, Visitor
from affray.world.weighing import Weigher

log = logging.getLogger(__name__)
Dice = Callable[[], Physical]
AUTO_MOVES = 20
"""Moves that computer fighters make before anybody else is heard again."""

FIRST_PLACES = {
    "Tavern": "Low beams, long tables, and in the middle a floor that has seen better days.",
    "Courtyard": "Cobblestones between high walls. Somebody has chalked a ring on them.",
    "Arena": "Sand, a wooden fence, and benches for those who would rather watch.",
}
FIRST_PLACE = "tavern"
FIRST_EXITS = (
    ("tavern", "out", "courtyard"),
    ("courtyard", "in", "tavern"),
    ("courtyard", "north", "arena"),
    ("arena", "south", "courtyard"),
)
PAGES = (everyday, fighting, recovering, wizardry)
"""The modules whose commands can be typed here."""


def fair_dice() -> Fair:
    """Dice for one fight, with a secret of their own."""
    return Fair(secrets.token_bytes(32))


class World:
    """Everybody who is connected, everything that goes on; what must not be forgotten is in the store."""

    greeting = f"Welcome to Affray.\n\n{WORDS}"

    def __init__(self, store: Store, places: dict[str, Place], dice: Dice) -> None:
        """Used by `World.open`."""
        self.store = store
        self.places = places
        self.dice = dice
        self.visitors: list[Visitor] = []
        self.combats: dict[str, Combat] = {}
        self.attempts = Attempts()
        self.weigher = Weigher()
        self.last_combat = 0
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._kept: dict[int, int] = {}
        self._doubtful: set[int] = set()
        self._autoplay: set[asyncio.Task[None]] = set()

    # --- opening and closing ---------------------------------------------------------------------------------

    @classmethod
    async def open(cls, url: str = DEFAULT, dice: Dice = fair_dice) -> World:
        """The world of a store, with every combat where it stood; an empty store gets its first places."""
        store = await Store.open(url)
        try:
            if not await store.places():
                places = [changes.add_place(name, description) for name, description in FIRST_PLACES.items()]
                await store.commit(*places, *(changes.add_exit(*way) for way in FIRST_EXITS))
            world = cls(store, await store.places(), dice)
            world.last_combat = await store.last_combat()
            for row in await store.open_combats():
                try:
                    await world.take_up(row)
                except Refused as problem:  # one log that cannot be run must not keep all others from going on
                    log.error("combat %s (%s) stays closed: %s", row.number, row.name, problem)
        except BaseException:
            await store.close()
            raise
        for combat in world.combats.values():
            world.go_on(combat)
        return world

    async def close(self) -> None:
        """Let go of the store; whatever was told is in it."""
        for task in self._autoplay:
            task.cancel()
        await asyncio.gather(*self._autoplay, return_exceptions=True)
        self.weigher.close()
        await self.store.close()

    async def load(self, row: CombatRow) -> Combat:
        """A combat as it is stored: its log is run."""
        combat = Combat(row.number, row.name, row.place, find(row.system), row.owner, row.options)
        combat.roster = Roster.of_table(row.roster)
        combat.saved = row.saved
        if row.log is not None:
            combat.resume(row.log, await self.store.answers(row.number))
        return combat

    async def take_up(self, row: CombatRow) -> Combat:
        """A stored combat that goes on here."""
        combat = self.combats[row.place] = await self.load(row)
        self._kept[row.number] = len(combat.fight.answers) if combat.fight else 0
        return combat

    @property
    def first_place(self) -> str | None:
        """Where people begin."""
        return FIRST_PLACE if FIRST_PLACE in self.places else min(self.places, default=None)

    # --- people ----------------------------------------------------------------------------------------------

    def arrive(self, tell: Tell, address: str) -> Visitor:
        """Let somebody in who has come from an address."""
        visitor = Visitor(self, tell, address)
        self.visitors.append(visitor)
        return visitor

    def part(self, visitor: Visitor) -> None:
        """Somebody's connection has ended."""
        if visitor not in self.visitors:
            return
        self.visitors.remove(visitor)
        if visitor.account is None or self.connected(visitor.key):
            return
        for combat in self.combats.values():
            combat.watchers.discard(visitor.key)
        if visitor.place is not None:
            self.tell_place(visitor.place.key, f"{visitor.name} has gone.")

    def connected(self, key: str) -> list[Visitor]:
        """The connections of an account."""
        return [visitor for visitor in self.visitors if visitor.known and visitor.key == key]

    def is_active(self, key: str) -> bool:
        """Whether somebody is connected to the account."""
        return bool(self.connected(key))

    def in_place(self, place: str) -> list[Visitor]:
        """Everybody connected who is in a place."""
        return [visitor for visitor in self.visitors if visitor.place is not None and visitor.place.key == place]

    def tell_place(self, place: str, text: str, but: Visitor | None = None) -> None:
        """Tell everybody in a place."""
        for visitor in self.in_place(place):
            if visitor is not but:
                visitor.tell(text)

    def who(self) -> str:
        """Who is connected, and where."""
        seen = {visitor.key: visitor for visitor in self.visitors if visitor.known}
        if not seen:
            return "Nobody is here."
        wide = max(len(visitor.name) for visitor in seen.values())
        present = [visitor for _, visitor in sorted(seen.items())]
        return "\n".join(f"{v.name:{wide}}  {v.role:8} {v.place.name if v.place else 'nowhere'}" for v in present)

    def look(self, visitor: Visitor) -> str:
        """What somebody sees where they are."""
        place = visitor.place
        if place is None:
            return "You are nowhere."
        others = sorted({other.name for other in self.in_place(place.key) if other.key != visitor.key})
        lines = [place.name, place.description]
        lines += [f"Ways: {', '.join(place.exits)}"] if place.exits else []
        lines += [f"Here: {', '.join(others)}"] if others else []
        combat = self.combats.get(place.key)
        lines += [f"Combat: {combat.name} ({combat.system.id}); `combat status` shows it"] if combat else []
        return "\n".join(line for line in lines if line)

    # --- combats ---------------------------------------------------------------------------------------------

    def combat_at(self, place: Place) -> Combat:
        """The combat in a place."""
        if place.key not in self.combats:
            raise Illegal(f"there is no combat at {place.name}; `combat init NAME` makes one", given=place.name)
        return self.combats[place.key]

    async def keep(self, combat: Combat, *more: changes.Change, anew: bool = False) -> None:
        """Make durable what has changed in a combat; with `anew` its roster and all of its log.

        When that fails whoever asked is told, and before anybody uses the combat again it goes back to what is stored.
        """
        statements: list[changes.Change] = list(more)
        if anew:
            phase: Any = "setup" if combat.fight is None else "running"
            columns = {"roster": combat.roster.as_table(), "log": combat.head(), "phase": phase}
            statements += [changes.change_combat(combat.number, **columns), changes.cut_answers(combat.number, 0)]
        answers = len(combat.fight.answers) if combat.fight else 0
        kept = 0 if anew else self._kept.get(combat.number, 0)
        if answers < kept:
            statements.append(changes.cut_answers(combat.number, answers))
        statements += [changes.add_answer(combat.number, at, combat.entry(at)) for at in range(kept, answers)]
        try:
            await self.store.commit(*statements)
        except BaseException:
            self._doubtful.add(combat.number)  # a store that has just failed may not even be read now
            raise
        self._kept[combat.number] = answers

    async def make_certain(self, place: str) -> None:
        """Take the combat in a place back to what is stored of it, if it may be ahead. The place must be locked."""
        combat = self.combats.get(place)
        if combat is None or combat.number not in self._doubtful:
            return
        row = await self.store.combat(combat.number)
        if row is None or row.phase == "ended":
            del self.combats[place]
        else:
            (await self.take_up(row)).watchers = combat.watchers
        self._doubtful.discard(combat.number)

    def recover(self, visitor: Visitor) -> None:
        """After a mistake of our own: what is in memory may be half changed, what is stored is not."""
        combat = self.combats.get(visitor.place.key) if visitor.place else None
        if combat is not None:
            self._doubtful.add(combat.number)

    def audience(self, combat: Combat) -> Iterable[Visitor]:
        """Whoever is told about a combat: those who take part, its owner, and those who watch."""
        keys = {*combat.players, combat.owner, *combat.watchers}
        return [visitor for visitor in self.visitors if visitor.known and visitor.key in keys]

    def spread(self, combat: Combat, told: Told, by: Visitor | None, before: Iterable[Member] = ()) -> None:
        """Tell everybody what a command has brought about; whoever gave it gets the news in any case.

        `before` are those who had to move already: only whoever has to move now as well is called.
        """
        if told.news:
            hearers = list(self.audience(combat))
            for visitor in hearers if by is None or by in hearers else [*hearers, by]:
                if visitor is not by or not told.spared:
                    visitor.tell(told.to(combat, visitor.key))
        if by is not None:
            by.tell(told.reply)
        waiting = [id(member) for member in before]
        self.call(combat, [member for member in combat.awaited() if id(member) not in waiting], by)

    def call(self, combat: Combat, members: Iterable[Member], by: Visitor | None = None) -> None:
        """Let those know who have to move: the players themselves, and the owner for everybody else."""
        waited_for = [member for member in members if member.tactic is None]
        for visitor in self.visitors:
            if visitor.known and visitor is not by:
                self._remind(visitor, combat, waited_for)

    def remind(self, visitor: Visitor) -> None:
        """Let somebody who has come back know where they are waited for."""
        for combat in self.combats.values():
            self._remind(visitor, combat, [member for member in combat.awaited() if member.tactic is None])

    def _remind(self, visitor: Visitor, combat: Combat, waited_for: Sequence[Member]) -> None:
        for member in waited_for:
            if member.player == visitor.key:
                visitor.tell(f"* It is your turn in {combat.name}, {member.name}: combat move ...")
        if combat.owner == visitor.key:
            absent = [m.name for m in waited_for if m.player is None or not self.is_active(m.player)]
            if absent:
                visitor.tell(f"* In {combat.name} you move {', '.join(absent)}: combat move_npc NAME ...")

    async def autoplay(self, combat: Combat) -> bool:
        """Let computer fighters move for a while; whether they still have to. The place must be locked."""
        if combat.number in self._doubtful or not any(member.tactic for member in combat.awaited()):
            return False
        before = combat.awaited()
        told = combat.move_by_tactic(AUTO_MOVES)
        try:
            await self.keep(combat)
        except Refused as problem:
            stop = f"* In {combat.name} nobody moves by themselves now: {problem}. Any combat command tries again."
            self.spread(combat, Told(news=stop), None, combat.awaited())
            return False
        self.spread(combat, told, None, before)
        return any(member.tactic for member in combat.awaited())

    def go_on(self, combat: Combat) -> None:
        """Let computer fighters move for as long as it is their turn, while everybody else can still be heard."""
        name = f"combat {combat.number}"
        if any(task.get_name() == name and not task.done() for task in self._autoplay):
            return

        async def play() -> None:
            more = True
            while more:
                async with self.locks[combat.place]:
                    present = self.combats.get(combat.place)
                    more = present is not None and present.number == combat.number and await self.autoplay(present)
                if more:
                    await asyncio.sleep(0)

        task = asyncio.create_task(play(), name=name)
        self._autoplay.add(task)
        task.add_done_callback(self._autoplay.discard)
