"""Actions that make a fight: with all its seats at once, or from a log, in a place or at its own table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from affray.errors import Illegal, Invalid, unknown
from affray.fight import Fight
from affray.fight.saving import keeps_numbers, rerun
from affray.kernel.chance import Seeded
from affray.system import undoing
from affray.system.registry import find
from affray.system.schema import cut
from affray.world.actions.acting import action, check_owner
from affray.world.combats import parties
from affray.world.combats.combat import Combat, check_length
from affray.world.combats.results import mark_rated
from affray.world.combats.roster import LONGEST_NAME, Member, check_name
from affray.world.combats.sheets import enlisted, player_sheet, stats_of
from affray.world.people import guests
from affray.world.people.visitor import Visitor
from affray.world.store import Clash, Overtaken
from affray.world.store.tables import Place, fold

if TYPE_CHECKING:
    from affray.world.world import World

OWN = "own"
"""Stands for the sheet in the attributes of a player's account."""

ME, OFFERED, ANYONE, STORYTELLER = "me", "open", "anyone", "storyteller"
MOST_TABLES = 1000
MOST_OWNED = 50
"""How many combats an account may own that have not been ended."""
TABLE = "A round table with chairs around it, and room enough for a fight."


@dataclass(frozen=True)
class Seat:
    """A seat for a fighter, who is moved `by` me, an invited player, anyone, the storyteller, or else a tactic."""

    team: str
    sheet: str | Mapping[str, object]
    by: str
    name: str | None = None
    party: str = ""
    """The party of the actor from which the fighter of that name comes, with the sheet that it has there."""
    group: str = ""
    """The group of NPCs with which it acts together."""


async def member_for(actor: Visitor, combat: Combat, seat: Seat) -> Member:
    """The member for a seat; without a name it gets its sheet's name."""
    sheet, borrowed = await _sheet(actor, combat, seat)
    called = seat.name or (actor.name if seat.by == ME else _called(combat, sheet))
    member = Member(_free_name(called, (other.name for other in combat.roster)), sheet, borrowed=borrowed)
    if seat.group and seat.by == STORYTELLER:
        member.group = check_name(seat.group, "a group")
    if seat.party:
        member.party = [actor.key, seat.party]
    if seat.by == ME:
        member.player = actor.key
    elif seat.by in (OFFERED, ANYONE):
        combat.offer(member, public=seat.by == ANYONE)
    elif seat.by != STORYTELLER:
        combat.hand_over(member, seat.by)
    return member


def _called(combat: Combat, sheet: dict[str, Any]) -> str:
    return str(sheet["name"]) if combat.game else combat.system.called(combat.system.enlist(sheet))


async def _sheet(actor: Visitor, combat: Combat, seat: Seat) -> tuple[dict[str, Any], bool]:
    if seat.name is not None and not (1 <= len(seat.name.strip()) <= LONGEST_NAME and seat.name.isprintable()):
        raise Invalid(f"the name {cut(seat.name)!r} must be 1 to {LONGEST_NAME} printable characters", given=seat.name)
    if seat.party:
        return await _sheet_of_party(actor, combat, seat), True
    if seat.by == ME and seat.sheet == OWN:
        stats = stats_of(combat.system, await actor.world.store.attributes(actor.key))
        return player_sheet(combat, actor.name, stats), bool(combat.game)
    return enlisted(combat, seat.sheet, seat.name or (actor.name if seat.by == ME else None)), True


async def _sheet_of_party(actor: Visitor, combat: Combat, seat: Seat) -> dict[str, Any]:
    kept = await parties.find(actor.world.store, actor.key, "party", seat.party)
    if kept.system != combat.system.id:
        raise Illegal(f"{kept.name} is of {kept.system}, and not of {combat.system.id}", given=seat.party)
    sheets = {fold(one["name"]): one["sheet"] for one in kept.seats}
    if fold(seat.name or "") not in sheets:
        known = [one["name"] for one in kept.seats]
        raise Illegal(unknown(f"fighter of {kept.name}", cut(seat.name or ""), known), given=seat.name, allowed=known)
    return enlisted(combat, sheets[fold(seat.name or "")], seat.name)


def check_idle(actor: Visitor, parties: Iterable[str], but: Combat | None = None) -> None:
    """Refuse parties that fight elsewhere: what lasts of one fight must not be overwritten by another."""
    for party in parties:
        for combat in actor.world.combats.values():
            if combat is not but and any(member.party == [actor.key, party] for member in combat.roster):
                raise Illegal(f"{party} fights in {combat.name}, and that combat must be ended first", given=party)


def seats_of(teams: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Seat]:
    """The seats of teams that are kept, as far as they are well-formed."""
    seats = []
    for team, members in teams.items():
        for one in members:
            name, sheet = one.get("name"), one.get("sheet", "")
            by, party = one.get("by", STORYTELLER), one.get("party", "")
            if not isinstance(name, str | None) or not isinstance(sheet, str | dict):
                raise Invalid("a fighter must have a sheet, as text or as a table, and may have a name", given=None)
            group = one.get("group", "")
            if not all(isinstance(word, str) for word in (by, party, group)):
                raise Invalid("who moves a fighter, its party and its group must be text", given=name)
            seats.append(Seat(str(team), sheet, by, name, party, group))
    return seats


async def dry_run(
    actor: Visitor, name: str, system: str, options: Mapping[str, object], seats: Sequence[Seat]
) -> Combat:
    """A combat that is stored nowhere, to see whether it could be made; its parties may fight elsewhere."""
    combat = Combat.create(name, "", actor.key, system, options)
    taken = False
    for seat in seats:
        is_second = seat.by == ME and taken
        taken |= seat.by == ME
        combat.add(await member_for(actor, combat, replace(seat, by=STORYTELLER) if is_second else seat), seat.team)
    return combat


def _free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if another member has it already."""
    known = {fold(other) for other in taken}
    numbered = (name if n == 1 else f"{name[: LONGEST_NAME - 3]}-{n}" for n in range(1, len(known) + 2))
    return next(free for free in numbered if fold(free) not in known)


@action("players")
async def create(
    actor: Visitor,
    name: str,
    system: str,
    options: Mapping[str, object],
    seats: Sequence[Seat] = (),
    place: str | None = None,
    *,
    game: str = "",
    startable: bool = False,
) -> Combat:
    """A new combat with its seats, owned by the actor; without a place it gets its own table.

    With `startable` it is refused if it could not start at once.
    """
    combat = Combat.create(name, "", actor.key, system, _fair(system, options, seats, game), game)
    check_idle(actor, {seat.party for seat in seats if seat.party})
    for seat in seats:
        combat.add(await member_for(actor, combat, seat), seat.team)
    if startable:
        combat.opened(combat.ordered([]), 0, Seeded(0))
    await _place_in_world(actor, combat, place)
    return combat


def _fair(system: str, options: Mapping[str, object], seats: Sequence[Seat], game: str) -> Mapping[str, object]:
    """The options of a fight between its owner and people who are invited: by consent, where nothing else is chosen."""
    movers = {seat.by for seat in seats}
    is_duel = ME in movers and bool(movers & {OFFERED, ANYONE}) and not game
    return {undoing.NAME: "agreed", **options} if is_duel and find(system).undo == "free" else options


@action("players")
async def branch(actor: Visitor, fight: Fight, name: str, members: Sequence[Member] | None) -> Combat:
    """A new combat at its own table that continues a fight with new dice of this world, fair ones where it has them.

    Its `members`, in the order of the fight, are all moved by its owner, or by the tactics they had.
    """
    onward = fight.fork(dice=actor.world.dice())
    combat = Combat.create(name, "", actor.key, onward.system.id, onward.options)
    made = [
        Member(name, onward.system.as_table(sheet), borrowed=True)
        for name, sheet in zip(onward.names, onward.sheets, strict=True)
    ]
    for one, known in zip(made, members or (), strict=False):  # some may have joined later
        one.name, one.tactic = known.name, known.tactic
    combat.roster.teams = {team: [] for team in onward.teams}
    combat.roster.seated(made, [onward.team_of[name] for name in onward.names])
    combat.fight, combat.movers = onward, [actor.key] * len(onward.answers)
    await _place_in_world(actor, combat, None)
    return combat


async def again(actor: Visitor, combat: Combat, swapped: bool) -> Combat:
    """The same fight anew at its own table, with the same people; swapped, each side has the seats of the other."""
    teams = combat.roster.teams
    if any(member.player and not member.borrowed for member in combat.roster):
        raise Illegal("a fighter who brings a sheet of their own sets up a new fight for that", given=combat.name)
    made = Combat.create(combat.name, "", combat.owner, combat.system.id, combat.options)
    for team, other in zip(teams, reversed(teams) if swapped else teams, strict=True):
        people = [member.player for member in teams[other] if member.player]
        if len(people) > len(teams[team]):
            raise Illegal(f"team {team} has no seats for {len(people)} people, so sides cannot be swapped", given=team)
        for member, player in zip(teams[team], [*people, *[None] * len(teams[team])], strict=False):
            seat = Member(member.name, member.sheet, player, borrowed=True)
            if player is None:
                system = combat.system
                seat.tactic = member.tactic or system.usual_tactic(system.enlist(member.sheet, files=False))
            made.roster.seat(seat, team)
    made.start([], actor.world.dice)
    await mark_rated(actor.world.store, made)
    await _place_in_world(actor, made, None)
    return made


async def fork(actor: Visitor, combat: Combat, phase: str, at: int, name: str) -> Combat:
    """A new combat that shares the past of another up to a decision; while that is not over, only for its owner."""
    if phase == "running":
        await check_owner(actor, combat, "fork a combat that is not over")
        if actor.key in combat.players and keeps_numbers(combat.fought()):
            raise Illegal("a fight that keeps numbers from you can be forked when it is over", given=combat.name)
    return await branch(actor, combat.fought().fork(at=at), name, list(combat.roster))


def seats_again(actor: Visitor, combat: Combat, *, swap: bool) -> list[Seat]:
    """The seats of a combat for once more, as the actor sets it up: seats of other players wait for them.

    With `swap` the player of each fighter moves the one in the same place on the next team.
    """
    teams = list(combat.roster.teams.items())
    movers = [[_by(actor, member) for member in members] for _, members in teams]
    seats: list[Seat] = []
    for number, (team, members) in enumerate(teams):
        others = movers[(number + 1) % len(teams)] if swap else movers[number]
        for place, member in enumerate(members):
            by = others[place] if place < len(others) else movers[number][place]
            seats.append(Seat(team, _unnamed(combat, member), by if by != ME or not _taken(seats) else STORYTELLER))
    return seats


def _by(actor: Visitor, member: Member) -> str:
    if member.player:
        return ME if member.player == actor.key else OFFERED
    return member.tactic or STORYTELLER


def _taken(seats: Sequence[Seat]) -> bool:
    return any(seat.by == ME for seat in seats)


def _unnamed(combat: Combat, member: Member) -> dict[str, object]:
    """The sheet of a member as it was set up, under the name that it comes with and not its player's."""
    known = {id: sheet for own in combat.system.catalogue().values() for id, sheet in own.items()}
    sheet = dict(member.sheet)
    base = known.get(str(sheet.get("id", "")))
    return {**sheet, "name": base.name} if base is not None else sheet


def read_log(table: object) -> Fight:
    """The fight of a log or save file from outside, which must not name files of the server."""
    if not isinstance(table, dict) or not isinstance(teams := table.get("teams"), dict):
        raise Invalid("this is not the log of a fight: it is not a table with teams")
    for specs in teams.values():
        if not isinstance(specs, list) or not all(isinstance(spec, dict) for spec in specs):
            raise Invalid("this is not the log of a fight: its teams are not lists of full sheets")
    check_length(table)
    return rerun({**table, "whim": None}, "the log")


# Where it is


async def _place_in_world(actor: Visitor, combat: Combat, place: str | None) -> None:
    """Store a new combat in its place."""
    _check_owned(actor)
    world = actor.world
    if place is not None and place not in world.places:
        raise Illegal(f"there is no place {cut(place)!r}", given=place, allowed=list(world.places))
    while True:
        where = await _table(world) if place is None else world.places[place]
        async with world.combats.locks[where.key]:
            await world.combats.refresh(where.key)
            if where.key not in world.combats:
                combat.place = where.key
                _check_owned(actor)  # others of theirs may have been made meanwhile
                try:
                    await world.combats.add(combat)
                    break
                except Overtaken:
                    continue
        if place is not None:
            there = world.combats[where.key]
            raise Illegal(f"there is already a {there.word} at {where.name}: {there.name}", given=place)
    async with world.combats.locks[where.key]:
        if combat.fight is not None:
            await world.combats.store(combat, anew=True)
    world.people.tell(where.key, f"{actor.name} has created {combat.word} {combat.name} here.", but=actor)


def _check_owned(actor: Visitor) -> None:
    owned = actor.world.combats.owned_by(actor.key)
    most = guests.MOST_OWNED if guests.is_guest(actor.account) else MOST_OWNED
    if owned >= most and actor.role != "wizard":
        raise Illegal(f"you own {owned} combats already, and {most} is the most; end one of them first")


async def _table(world: World) -> Place:
    """A table without a combat; a new one is made if all are taken."""
    async with world.places.furnishing:
        return await _free_table(world)


def is_table(place: Place) -> bool:
    """Whether a place is a table that was made for a fight, and not a part of the world."""
    return re.fullmatch(r"table \d+", place.key) is not None


async def _free_table(world: World) -> Place:
    number = 1
    while (key := f"table {number}") in world.places:
        if key not in world.combats and not world.combats.locks[key].locked():
            return world.places[key]
        number += 1
    if number > MOST_TABLES:
        raise Illegal(f"all {MOST_TABLES} tables are taken; please come back later")
    try:
        await world.places.furnish(f"Table {number}", TABLE, f"table-{number}", "out")
    except Clash:  # another process has made it meanwhile
        await world.places.have_changed()
    return world.places[key]
