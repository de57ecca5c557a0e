"""Setting up a combat in one go: in a place or at a table of its own, with everybody's seat, or out of a log."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from affray.errors import Forbidden, Illegal, Invalid
from affray.fight import Fight
from affray.kernel.system import System
from affray.saving import rerun
from affray.schema import cut
from affray.world import changes
from affray.world.combat import Combat
from affray.world.everyday import walk
from affray.world.roster import LONGEST_NAME, Member, player_sheet, stats_of
from affray.world.store import Clash, Overtaken
from affray.world.tables import Place, fold
from affray.world.visitors import Visitor
from affray.world.world import World

OWN = "own"
"""The sheet of a player that is in the attributes of their account."""

ME, OFFERED, STORYTELLER = "me", "open", "storyteller"
MOST_TABLES = 1000
TABLE = "A round table with chairs around it, and room enough for a fight."


@dataclass(frozen=True)
class Seat:
    """Somebody who is to fight: `by` me, an open seat, the storyteller, or else a tactic."""

    team: str
    sheet: str | Mapping[str, object]
    by: str
    name: str | None = None


async def member_for(visitor: Visitor, combat: Combat, seat: Seat) -> Member:
    """The member that a seat asks for; whoever has no name of their own is called as their sheet is."""
    sheet, borrowed = await _sheet(visitor, combat.system, seat)
    called = seat.name or (visitor.name if seat.by == ME else combat.system.called(combat.system.enlist(sheet)))
    member = Member(_free_name(called, (other.name for other in combat.roster)), sheet, borrowed=borrowed)
    if seat.by == ME:
        member.player = visitor.key
    elif seat.by == OFFERED:
        combat.offer(member)
    elif seat.by != STORYTELLER:
        combat.hand_over(member, seat.by)
    return member


async def _sheet(visitor: Visitor, system: System[Any, Any], seat: Seat) -> tuple[dict[str, Any], bool]:
    if seat.name is not None and not 1 <= len(seat.name.strip()) <= LONGEST_NAME:
        raise Invalid(f"{cut(seat.name)!r} is no name; it has 1 to {LONGEST_NAME} signs", given=seat.name)
    if seat.by == ME and seat.sheet == OWN:
        stats = stats_of(system, await visitor.world.store.attributes(visitor.key))
        return player_sheet(system, visitor.name, stats), False
    table = system.as_table(system.enlist(seat.sheet, files=False))
    name = seat.name or (visitor.name if seat.by == ME else None)
    return system.as_table(system.enlist({**table, "name": name}, files=False)) if name else table, True


def _free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where somebody has it already."""
    known = {fold(other) for other in taken}
    numbered = (name if n == 1 else f"{name[: LONGEST_NAME - 3]}-{n}" for n in range(1, len(known) + 2))
    return next(free for free in numbered if fold(free) not in known)


async def host(
    visitor: Visitor,
    name: str,
    system: str,
    options: Mapping[str, object],
    seats: Sequence[Seat],
    place: str | None,
    *,
    startable: bool = False,
) -> Combat:
    """A new combat with its seats, owned by whoever asks; without a place it gets a table of its own.

    With `startable` it is refused where it could not start at once.
    """
    combat = Combat.create(0, checked_name(name), "", visitor.key, system, options)
    for seat in seats:
        combat.add(await member_for(visitor, combat, seat), seat.team)
    if startable:
        combat.check_startable()
    await _open(visitor, combat, place)
    return combat


async def branch(visitor: Visitor, fight: Fight, name: str, roster: Mapping[str, Sequence[Member]] | None) -> Combat:
    """A new combat at a table of its own that goes on from a fight, with dice that nobody knows.

    Its members are those of the roster, who are all moved by its owner, or by the tactics they had.
    """
    onward = fight.fork(seed=secrets.randbits(62))
    combat = Combat(0, checked_name(name), "", onward.system, visitor.key, dict(onward.options))
    members = [member for members in (roster or {}).values() for member in members]
    seats = iter(zip(onward.names, onward.sheets, strict=True))
    for team, fighters in onward.teams.items():
        for place in range(len(fighters)):
            fighter, sheet = next(seats)
            known = members[len(combat.roster)] if members else None
            made = Member(known.name if known else fighter, onward.system.as_table(sheet), borrowed=True)
            made.tactic = known.tactic if known else None
            combat.roster.teams.setdefault(team, []).insert(place, made)
    combat.fight, combat.movers = onward, [visitor.key] * len(onward.answers)
    await _open(visitor, combat, None)
    return combat


def read_log(table: object) -> Fight:
    """The fight of a log or save file that a stranger has handed in: it may name no files of ours."""
    if not isinstance(table, dict) or not isinstance(teams := table.get("teams"), dict):
        raise Invalid("this is no log of a fight: it is not a table with teams")
    for specs in teams.values():
        if not isinstance(specs, list) or not all(isinstance(spec, dict) for spec in specs):
            raise Invalid("this is no log of a fight: its teams are not lists of whole sheets")
    return rerun({**table, "whim": None}, "the log")


def checked_name(name: str) -> str:
    """The name, if a combat may have it."""
    if not 1 <= len(name.strip()) <= 40 or not name.isprintable():
        raise Invalid(f"{cut(name)!r} cannot be the name of a combat; allowed are up to 40 signs", given=name)
    return name.strip()


# Where it is


async def _open(visitor: Visitor, combat: Combat, place: str | None) -> None:
    """Let a combat begin to be somewhere, and its owner be there."""
    if visitor.role == "guest":
        raise Forbidden("guests may only look on; making a combat is for players", given=combat.name)
    world = visitor.world
    while True:
        where = await _table(world) if place is None else _place(world, place)
        async with world.locks[where.key]:
            await world.make_certain(where.key)
            if where.key not in world.combats:
                combat.place = where.key
                try:
                    await world.found(combat)
                    break
                except Overtaken:
                    continue
        if place is not None:
            raise Illegal(f"there is a combat at {where.name} already: {world.combats[where.key].name}", given=place)
    async with world.locks[where.key]:
        if combat.fight is not None:
            await world.keep(combat, anew=True)
    await enter(visitor, combat)
    world.tell_place(where.key, f"{visitor.name} has created combat {combat.name} here.", but=visitor)


def _place(world: World, key: str) -> Place:
    if key not in world.places:
        raise Illegal(f"there is no place {cut(key)!r}", given=key, allowed=list(world.places))
    return world.places[key]


async def _table(world: World) -> Place:
    """A table at which nobody fights; another one is put up if need be."""
    number = 1
    while (key := f"table {number}") in world.places:
        if key not in world.combats and not world.locks[key].locked():
            return world.places[key]
        number += 1
    if number > MOST_TABLES:
        raise Illegal(f"all of the {MOST_TABLES} tables are taken; please come back later")
    beside = world.first_place
    ways = [changes.add_exit(beside, f"table-{number}", key), changes.add_exit(key, "out", beside)] if beside else []
    with suppress(Clash):  # somebody else may have put it up meanwhile
        await world.store.commit(changes.add_place(f"Table {number}", TABLE), *ways)
    await world.survey()
    return world.places[key]


async def enter(visitor: Visitor, combat: Combat) -> None:
    """Be where a combat is."""
    if visitor.place is None or visitor.place.key != combat.place:
        await walk(visitor, combat.place, f"goes to {visitor.world.places[combat.place].name}")


async def numbered(world: World, number: int) -> tuple[Combat, Literal["setup", "running", "over", "ended"]] | None:
    """The combat of a number, and how far it is; one that has ended is read anew."""
    combat = await world.numbered(number)
    if combat is not None:
        if combat.fight is None:
            return combat, "setup"
        return combat, "over" if combat.fight.over else "running"
    row = await world.store.combat(number)
    if row is None or row.phase != "ended":
        return None
    return await world.load(row), "ended"
