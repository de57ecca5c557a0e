"""A world: places with people in them, and at most one combat in each place."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from affray.errors import Illegal, Refused
from affray.kernel.chance import Fair, Physical
from affray.kernel.system import find
from affray.world import changes, everyday, fighting, recovering, wizardry
from affray.world.combat import Combat, Told
from affray.world.entrance import WORDS, Attempts
from affray.world.peers import CHANNEL, Message, Peers, Presence, Present
from affray.world.roster import Member, Roster
from affray.world.store import DEFAULT, Clash, Overtaken, Store
from affray.world.tables import Account, CombatRow, Place
from affray.world.visitors import Tell, Visitor
from affray.world.weighing import Weigher

log = logging.getLogger(__name__)
Dice = Callable[[], Physical]
VisitorT = TypeVar("VisitorT", bound=Visitor)
AUTO_MOVES = 20
"""Moves that computer fighters make before anybody else is heard again."""

KEEP_UP = 5.0
"""Seconds after which it is looked up whether other processes have done what nobody here was told of."""

TAKE_OVER = 2.0
"""Seconds after which computer fighters are moved here whom another process should have moved by then."""

SAID = 100
"""Lines that are remembered of what was said in a place."""

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

    def __init__(self, store: Store, places: dict[str, Place], dice: Dice, peers: Peers | None = None) -> None:
        """Used by `World.open`."""
        self.store = store
        self.places = places
        self.dice = dice
        self.peers = peers
        self.visitors: list[Visitor] = []
        self.combats: dict[str, Combat] = {}
        self.attempts = Attempts()
        self.weigher = Weigher()
        self.last_combat = 0
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.listeners: list[Callable[[str], None]] = []
        """Who wants to know when the combat in a place has changed, or who is there."""
        self.said: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=SAID))
        """What was said and done in each place of late, numbered."""
        self.elsewhere = Presence()
        self._by_key: defaultdict[str, list[Visitor]] = defaultdict(list)
        self._kept: dict[int, int] = {}
        self._doubtful: set[int] = set()
        self._autoplay: set[asyncio.Task[None]] = set()
        self._stirred: set[str] = set()

    # --- opening and closing ---------------------------------------------------------------------------------

    @classmethod
    async def open(cls, url: str = DEFAULT, dice: Dice = fair_dice, peers: Peers | None = None) -> World:
        """The world of a store, with every combat where it stood; an empty store gets its first places.

        With `peers` other processes may have the same world at the same time, if all have them.
        """
        store = await Store.open(url, shared=peers is not None)
        try:
            if not await store.places():
                places = [changes.add_place(name, description) for name, description in FIRST_PLACES.items()]
                try:
                    await store.commit(*places, *(changes.add_exit(*way) for way in FIRST_EXITS))
                except Clash:
                    if peers is None:
                        raise
                    log.info("another process has made the first places at the same moment")
            world = cls(store, await store.places(), dice, peers)
            world.last_combat = await store.last_combat()
            for row in await store.open_combats():
                try:
                    await world.take_up(row)
                except Refused as problem:  # one log that cannot be run must not keep all others from going on
                    log.error("combat %s (%s) stays closed: %s", row.number, row.name, problem)
        except BaseException:
            await store.close()
            raise
        if peers is not None:
            await store.commit(changes.set_setting_once(CHANNEL, secrets.token_hex(8)))
            await peers.listen(await store.setting(CHANNEL) or "", world.hear_peer, world.present)
            world._in_background(world._keep_up(), "keeping up")
        for combat in world.combats.values():
            world.go_on(combat)
        return world

    async def close(self) -> None:
        """Let go of the store; whatever was told is in it."""
        for task in self._autoplay:
            task.cancel()
        await asyncio.gather(*self._autoplay, return_exceptions=True)
        if self.peers is not None:
            await self.peers.close()
        self.weigher.close()
        await self.store.close()

    async def load(self, row: CombatRow) -> Combat:
        """A combat as it is stored: its log is run."""
        combat = Combat(row.number, row.name, row.place, find(row.system), row.owner, row.options)
        combat.version = row.version
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
        return self.welcome(Visitor(self, tell, address))

    def welcome(self, visitor: VisitorT) -> VisitorT:
        """Let somebody in."""
        self.visitors.append(visitor)
        return visitor

    def recognise(self, visitor: Visitor, account: Account) -> None:
        """Somebody has said who they are."""
        visitor.account = account
        self._by_key[account.key].append(visitor)
        self._people_changed(account.place)

    def part(self, visitor: Visitor) -> None:
        """Somebody's connection has ended."""
        if visitor not in self.visitors:
            return
        self.visitors.remove(visitor)
        if visitor.account is None:
            return
        self._by_key[visitor.key].remove(visitor)
        if self.connected(visitor.key):
            return
        del self._by_key[visitor.key]
        for combat in self.combats.values():
            combat.watchers.discard(visitor.key)
        if visitor.place is not None:
            self._people_changed(visitor.place.key)
            if not self.is_active(visitor.key):
                self.tell_place(visitor.place.key, f"{visitor.name} has gone.")

    def connected(self, key: str) -> list[Visitor]:
        """The connections of an account to this process."""
        return list(self._by_key.get(key, ()))

    def is_active(self, key: str) -> bool:
        """Whether somebody is connected to the account."""
        return key in self._by_key or key in self.elsewhere

    def in_place(self, place: str) -> list[Visitor]:
        """Everybody connected who is in a place."""
        return [visitor for visitor in self.visitors if visitor.place is not None and visitor.place.key == place]

    def tell_place(self, place: str, text: str, but: Visitor | None = None, account: str | None = None) -> None:
        """Tell everybody in a place but one connection, or all connections of an account."""
        self.remember_said(place, text)
        for visitor in self.in_place(place):
            if visitor is not but and visitor.key != account:
                visitor.tell(text, "said")
        self.publish({"kind": "said", "place": place, "text": text, "but": account})

    def remember_said(self, place: str, text: str) -> None:
        """Keep what was said of late, for those who come back."""
        last = self.said[place][-1][0] if self.said[place] else 0
        self.said[place].append((last + 1, text))

    def follow(self, account: Account) -> None:
        """Take all connections of somebody who has walked along."""
        for connection in self.connected(account.key):
            left = connection.place
            connection.account = account
            connection.tell(self.look(connection))
            self._people_changed(left.key if left else None)
        self._people_changed(account.place)
        self.publish({"kind": "account", "key": account.key})

    def promote(self, account: Account) -> None:
        """Tell somebody what they are now."""
        for connection in self.connected(account.key):
            connection.account = account
            connection.tell(f"You are a {account.role} now.", "call")
        self.publish({"kind": "account", "key": account.key})

    async def survey(self) -> None:
        """Look at the places anew: there are others, or they look different."""
        self.places = await self.store.places()
        self.publish({"kind": "places"})
        self.stir("")

    def who(self) -> str:
        """Who is connected, and where."""
        seen = self.elsewhere.people() | self.present()
        if not seen:
            return "Nobody is here."
        wide = max(len(person.name) for person in seen.values())
        rows = [(person, self.places.get(person.place or "")) for _, person in sorted(seen.items())]
        return "\n".join(f"{p.name:{wide}}  {p.role:8} {place.name if place else 'nowhere'}" for p, place in rows)

    def present(self) -> dict[str, Present]:
        """Who is connected to this process."""
        firsts = [visitors[0].account for visitors in self._by_key.values() if visitors]
        return {a.key: Present(a.name, a.role, a.place) for a in firsts if a is not None}

    def people_in(self, place: str) -> dict[str, str]:
        """The names of everybody in a place, by their keys."""
        everybody = self.elsewhere.people() | self.present()
        return {key: person.name for key, person in sorted(everybody.items()) if person.place == place}

    def look(self, visitor: Visitor) -> str:
        """What somebody sees where they are."""
        place = visitor.place
        if place is None:
            return "You are nowhere."
        others = sorted(name for key, name in self.people_in(place.key).items() if key != visitor.key)
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

    async def found(self, combat: Combat) -> None:
        """Make a new combat durable, under a number of its own, and let it go on here. Its place must be locked."""
        self.last_combat += 1  # before anything is awaited: others may be made meanwhile
        combat.number = self.last_combat
        made = changes.add_combat(
            combat.number,
            combat.name,
            place=combat.place,
            system=combat.system.id,
            owner=combat.owner,
            options=combat.options,
            roster=combat.roster.as_table(),
        )
        try:
            await self.store.commit(made)
        except Clash:
            stored = await self.store.last_combat()
            self.last_combat = max(self.last_combat, stored)
            taken = stored >= combat.number or await self.store.version_at(combat.place) is not None
            if self.peers is None or not taken:
                raise
            raise Overtaken(f"another combat has been made at {self.places[combat.place].name}") from None
        self.combats[combat.place] = combat
        self._kept[combat.number] = 0
        self.stir(combat.place)
        self.publish(self._news(combat, ""))

    async def keep(self, combat: Combat, *more: changes.Change, anew: bool = False) -> None:
        """Make durable what has changed in a combat; with `anew` its roster and all of its log.

        When that fails whoever asked is told, and before anybody uses the combat again it goes back to what is stored.
        """
        statements: list[changes.Change] = [changes.next_version(combat.number, combat.version), *more]
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
        combat.version += 1
        self.stir(combat.place)

    async def numbered(self, number: int) -> Combat | None:
        """The combat of a number, if it has not been ended, as it is stored."""
        combat = next((combat for combat in self.combats.values() if combat.number == number), None)
        row = await self.store.combat(number) if combat is None and self.peers is not None else None
        if combat is None and row is None:
            return None
        place = combat.place if combat else row.place if row else ""
        async with self.locks[place]:
            await self.make_certain(place)
            present = self.combats.get(place)
            return present if present is not None and present.number == number else None

    @asynccontextmanager
    async def steady(self, place: str) -> AsyncIterator[Combat | None]:
        """The combat in a place, while nothing changes it: all that can be seen of it is stored."""
        async with self.locks[place]:
            await self._dispel_doubt(place)
            yield self.combats.get(place)

    async def _dispel_doubt(self, place: str) -> bool:
        combat = self.combats.get(place)
        if combat is None or combat.number not in self._doubtful:
            return False
        await self._take_up_anew(place)
        self._doubtful.discard(combat.number)
        return True

    async def make_certain(self, place: str) -> None:
        """Take the combat in a place back to what is stored of it, if it may be ahead. The place must be locked."""
        if await self._dispel_doubt(place):
            return
        if self.peers is not None and await self.store.version_at(place) != self._version_at(place):
            await self._take_up_anew(place)

    def _version_at(self, place: str) -> tuple[int, int] | None:
        combat = self.combats.get(place)
        return (combat.number, combat.version) if combat else None

    async def _take_up_anew(self, place: str) -> None:
        row = await self.store.combat_at(place)
        combat = self.combats.get(place)
        if row is None:
            self.combats.pop(place, None)
        else:
            if place not in self.places:
                self.places = await self.store.places()
            taken_up = await self.take_up(row)
            if combat is not None and combat.number == row.number:
                taken_up.watchers = combat.watchers
            if self.peers is not None:
                self._take_over_later(taken_up)
        self.stir(place)

    def _take_over_later(self, combat: Combat) -> None:
        """Move computer fighters whom another process should move, if it does not: it may have been killed."""
        version = combat.version

        async def take_over() -> None:
            await asyncio.sleep(TAKE_OVER)
            if self.combats.get(combat.place) is combat and combat.version == version:
                self.go_on(combat)

        if any(member.tactic for member in combat.awaited()):
            self._in_background(take_over(), f"taking over combat {combat.number}")

    def recover(self, visitor: Visitor) -> None:
        """After a mistake of our own: what is in memory may be half changed, what is stored is not."""
        combat = self.combats.get(visitor.place.key) if visitor.place else None
        if combat is not None:
            self._doubtful.add(combat.number)

    def audience(self, combat: Combat) -> Iterable[Visitor]:
        """Whoever is told about a combat: those who take part, its owner, and those who watch."""
        keys = dict.fromkeys([*sorted(combat.players), combat.owner, *sorted(combat.watchers)])
        return [visitor for key in keys for visitor in self.connected(key)]

    def tell_audience(self, combat: Combat, text: str, by: Visitor | None = None) -> None:
        """Tell everybody in a combat something, and whoever has brought it about."""
        hearers = list(self.audience(combat))
        for visitor in hearers if by is None or by in hearers else [*hearers, by]:
            visitor.tell(text, "news")
        self.publish(self._news(combat, text))

    def _news(self, combat: Combat, news: str, status: str | None = None) -> Message:
        message: Message = {"kind": "combat", "place": combat.place, "number": combat.number}
        return message | {"version": combat.version, "news": news, "status": status}

    def spread(self, combat: Combat, told: Told, by: Visitor | None, before: Iterable[Member] = ()) -> None:
        """Tell everybody what a command has brought about; whoever gave it gets the news in any case.

        `before` are those who had to move already: only whoever has to move now as well is called.
        """
        if told.news:
            hearers = list(self.audience(combat))
            for visitor in hearers if by is None or by in hearers else [*hearers, by]:
                if visitor is not by or not told.spared:
                    visitor.tell(told.to(combat, visitor.key), "news")
        self.publish(self._news(combat, told.news, told.status))
        if by is not None:
            by.tell(told.reply)
        waiting = [id(member) for member in before]
        self.call(combat, [member for member in combat.awaited() if id(member) not in waiting], by)

    def call(self, combat: Combat, members: Iterable[Member], by: Visitor | None = None) -> None:
        """Let those know who have to move: the players themselves, and the owner for everybody else."""
        waited_for = [member for member in members if member.tactic is None]
        keys = dict.fromkeys([*(m.player for m in waited_for if m.player is not None), combat.owner])
        for visitor in [visitor for key in keys for visitor in self.connected(key)]:
            if visitor is not by:
                self._remind(visitor, combat, waited_for)

    def remind(self, visitor: Visitor) -> None:
        """Let somebody who has come back know where they are waited for."""
        for combat in self.combats.values():
            if visitor.key == combat.owner or visitor.key in combat.players:
                self._remind(visitor, combat, [member for member in combat.awaited() if member.tactic is None])

    def _remind(self, visitor: Visitor, combat: Combat, waited_for: Sequence[Member]) -> None:
        for member in waited_for:
            if member.player == visitor.key:
                visitor.tell(f"* It is your turn in {combat.name}, {member.name}: combat move ...", "call")
        if combat.owner == visitor.key:
            absent = [m.name for m in waited_for if m.player is None or not self.is_active(m.player)]
            if absent:
                visitor.tell(f"* In {combat.name} you move {', '.join(absent)}: combat move_npc NAME ...", "call")

    async def autoplay(self, combat: Combat) -> bool:
        """Let computer fighters move for a while; whether they still have to. The place must be locked."""
        if combat.number in self._doubtful or not any(member.tactic for member in combat.awaited()):
            return False
        before = combat.awaited()
        told = combat.move_by_tactic(AUTO_MOVES)
        try:
            await self.keep(combat)
        except Overtaken:  # another process has moved them
            await self.make_certain(combat.place)
            return False
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

        self._in_background(play(), name)

    def _in_background(self, play: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(play, name=name)
        self._autoplay.add(task)
        task.add_done_callback(self._autoplay.discard)

    # --- other processes, and whoever draws what they are told -------------------------------------------------

    def stir(self, place: str) -> None:
        """Let listeners know, once what goes on now is done, that something has changed in a place."""
        if not self._stirred:
            asyncio.get_running_loop().call_soon(self._let_know)
        self._stirred.add(place)

    def _let_know(self) -> None:
        stirred, self._stirred = self._stirred, set()
        for place in stirred:
            for listener in self.listeners:
                listener(place)

    def _people_changed(self, place: str | None) -> None:
        if place is not None:
            self.stir(place)
        if self.peers is not None:
            self.peers.announce()

    def publish(self, message: Message) -> None:
        """Let the other processes of this world know."""
        if self.peers is not None:
            self.peers.publish(message)

    async def hear_peer(self, sender: str, message: Message) -> None:
        """Take in what another process of this world lets us know."""
        match message["kind"]:
            case "present":
                for place in self.elsewhere.update(sender, message["people"]):
                    self.stir(place)
            case "said":
                self.remember_said(message["place"], message["text"])
                for visitor in self.in_place(message["place"]):
                    if visitor.key != message["but"]:
                        visitor.tell(message["text"], "said")
            case "places":
                self.places = await self.store.places()
                self.stir("")
            case "account":
                account = await self.store.account(message["key"])
                for visitor in self.connected(message["key"]) if account else ():
                    self._people_changed(visitor.place.key if visitor.place else None)
                    visitor.account = account
                    self._people_changed(account.place if account else None)
            case "combat":
                await self._hear_of_combat(message)

    async def _keep_up(self) -> None:
        """Find in the store whatever got lost on the way, and notice whose process has been killed."""
        while True:
            await asyncio.sleep(KEEP_UP)
            for place in self.elsewhere.forget():
                self.stir(place)
            try:
                stored = await self.store.versions()
                for place in stored.keys() | self.combats.keys():
                    if stored.get(place) != self._version_at(place):
                        async with self.locks[place]:
                            await self.make_certain(place)
            except Refused as problem:
                log.error("what other processes have done could not be looked up: %s", problem)

    async def _hear_of_combat(self, message: Message) -> None:
        place: str = message["place"]
        async with self.locks[place]:
            before = self.combats.get(place)
            waited_for = {member.name for member in before.awaited()} if before else set()
            told = len(before.fight.lines) if before and before.fight else 0
            await self.make_certain(place)
            combat = self.combats.get(place) or before
            if combat is None or combat.number != message["number"]:
                return
            news = message["news"]
            if news is None:  # too long to be sent, so it is told from the log
                news = "\n".join(line.text for line in combat.fight.lines[told:]) if combat.fight else ""
            spread = Told(news=news, status=message["status"])
            if news:
                for visitor in self.audience(combat):
                    visitor.tell(spread.to(combat, visitor.key), "news")
            self.call(combat, [member for member in combat.awaited() if member.name not in waited_for])
