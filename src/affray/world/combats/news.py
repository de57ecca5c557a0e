"""Tells everyone in a combat what happens in it, and tells players when it is their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.roster import Member
from affray.world.combats.told import Told
from affray.world.peers import Message

if TYPE_CHECKING:
    from affray.world.people.visitor import Kind, Visitor
    from affray.world.world import World


def audience(world: World, combat: Listed) -> list[Visitor]:
    """The connections that are told about a combat: of those who take part, of its owner, and of those who watch."""
    watchers = sorted(combat.watchers) if isinstance(combat, Combat) else ()
    keys = dict.fromkeys([*sorted(combat.players), combat.owner, *watchers])
    return [visitor for key in keys for visitor in world.people.connected(key)]


def readers(world: World, combat: Combat) -> list[Visitor]:
    """Those of the audience who want the news as text; where all play on the page there are none."""
    reads = world.people.reads_news
    if not (reads(combat.owner) or any(map(reads, combat.players)) or any(map(reads, combat.watchers))):
        return []
    return [visitor for visitor in audience(world, combat) if visitor.reads_news]


def message(combat: Combat, told: Told) -> Message:
    """The message about a combat to other processes."""
    about: Message = {"kind": "combat", "place": combat.place, "number": combat.number, "version": combat.version}
    return about | {"news": told.news, "status": told.status, "notice": told.notice}


class Post:
    """Messages about what is done to a combat: written while it is done, delivered when it is stored."""

    def __init__(self, world: World, combat: Combat) -> None:
        self._world, self._combat = world, combat
        self._letters: list[tuple[Visitor, str, Kind]] = []
        self._told: list[Told] = []
        self._readers: list[Visitor] | None = None
        self.then: list[Callable[[], None]] = []
        """Called after the delivery."""

    def write(self, told: Told, by: Visitor | None, before: Iterable[Member] = ()) -> None:
        """Address the results of an action to the audience; the visitor who gave it always gets the news.

        `before` are the members who had to move before: only others are told that it is their turn.
        """
        combat = self._combat
        self._told.append(told)
        if self._readers is None:
            self._readers = readers(self._world, combat)
        reading = self._readers
        if by is not None and by.reads_news and by not in reading:
            reading = [*reading, by]
        for visitor in reading if reading and told.news else ():
            if visitor is not by or not told.spared:
                self._letters.append((visitor, told.to(combat, visitor.key), "news"))
        if by is not None:
            self._letters.append((by, told.reply, "reply"))
        if not reading:
            return
        self._letters += [(visitor, told.notice, "news") for visitor in reading if told.notice]
        waiting = [id(member) for member in before]
        self._letters += calls(
            self._world, combat, [member for member in combat.awaited() if id(member) not in waiting], by
        )

    def deliver(self) -> None:
        """Tell everyone."""
        for visitor, text, kind in self._letters:
            visitor.tell(text, kind)
        for told in self._told if self._world.peers is not None else ():
            self._world.publish(message(self._combat, told))
        for do in self.then:
            do()


def calls(
    world: World, combat: Combat, members: Iterable[Member], by: Visitor | None = None
) -> list[tuple[Visitor, str, Kind]]:
    """Messages to players that they have to move, and to the owner for all other members."""
    waited_for = [member for member in members if member.tactic is None]
    keys = dict.fromkeys([*(m.player for m in waited_for if m.player is not None), combat.owner])
    called = [visitor for key in keys for visitor in world.people.connected(key)]
    return [
        (visitor, text, "call")
        for visitor in called
        if visitor is not by and visitor.reads_news
        for text in _reminders(visitor, combat, waited_for)
    ]


def remind(visitor: Visitor) -> None:
    """Tell a returning visitor which combats wait for them."""
    for combat in visitor.world.combats.values():
        if visitor.key == combat.owner or combat.roster.of_player(visitor.key) is not None:
            waited_for = [member for member in combat.awaited() if member.tactic is None]
            for text in _reminders(visitor, combat, waited_for):
                visitor.tell(text, "call")


def _reminders(visitor: Visitor, combat: Listed, waited_for: Sequence[Member]) -> Iterator[str]:
    for member in waited_for:
        if member.player == visitor.key:
            yield f"* It is your turn in {combat.name}, {member.name}: {combat.word} move ..."
    if combat.owner == visitor.key:
        is_active = visitor.world.people.is_active
        absent = [m for m in waited_for if m.player is None or not is_active(m.player)]
        moved = [member for member in absent if combat.owner_may_move(member)]
        if moved:
            names = ", ".join(member.name for member in moved)
            yield f"* In {combat.name} you move {names}: {combat.word} move_npc NAME ..."
