"""Tells everyone in a combat what happens in it, and tells players when it is their turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from affray.world.combats.combat import Combat, Told
from affray.world.combats.roster import Member
from affray.world.peers import Message

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World


def audience(world: World, combat: Combat) -> list[Visitor]:
    """The connections that are told about a combat: of those who take part, of its owner, and of those who watch."""
    keys = dict.fromkeys([*sorted(combat.players), combat.owner, *sorted(combat.watchers)])
    return [visitor for key in keys for visitor in world.people.connected(key)]


def message(combat: Combat, told: Told) -> Message:
    """The message about a combat to other processes."""
    about: Message = {"kind": "combat", "place": combat.place, "number": combat.number, "version": combat.version}
    return about | {"news": told.news, "status": told.status, "notice": told.notice}


def spread(world: World, combat: Combat, told: Told, by: Visitor | None, before: Iterable[Member] = ()) -> None:
    """Tell the audience the results of a command; the visitor who gave it always gets the news.

    `before` are the members who had to move before: only others are told that it is their turn.
    """
    hearers = audience(world, combat)
    if by is not None and by not in hearers:
        hearers.append(by)
    for visitor in hearers if told.news else ():
        if visitor is not by or not told.spared:
            visitor.tell(told.to(combat, visitor.key), "news")
    world.publish(message(combat, told))
    if by is not None:
        by.tell(told.reply)
    for visitor in hearers:
        visitor.tell(told.notice, "news")
    waiting = [id(member) for member in before]
    call(world, combat, [member for member in combat.awaited() if id(member) not in waiting], by)


def call(world: World, combat: Combat, members: Iterable[Member], by: Visitor | None = None) -> None:
    """Tell players that they have to move, and the owner for all other members."""
    waited_for = [member for member in members if member.tactic is None]
    keys = dict.fromkeys([*(m.player for m in waited_for if m.player is not None), combat.owner])
    for visitor in [visitor for key in keys for visitor in world.people.connected(key)]:
        if visitor is not by:
            _remind_of(visitor, combat, waited_for)


def remind(visitor: Visitor) -> None:
    """Tell a returning visitor which combats wait for them."""
    for combat in visitor.world.combats.values():
        if visitor.key == combat.owner or visitor.key in combat.players:
            _remind_of(visitor, combat, [member for member in combat.awaited() if member.tactic is None])


def _remind_of(visitor: Visitor, combat: Combat, waited_for: Sequence[Member]) -> None:
    for member in waited_for:
        if member.player == visitor.key:
            visitor.tell(f"* It is your turn in {combat.name}, {member.name}: {combat.word} move ...", "call")
    if combat.owner == visitor.key:
        is_active = visitor.world.people.is_active
        absent = [m.name for m in waited_for if m.player is None or not is_active(m.player)]
        if absent:
            visitor.tell(f"* In {combat.name} you move {', '.join(absent)}: {combat.word} move_npc NAME ...", "call")
