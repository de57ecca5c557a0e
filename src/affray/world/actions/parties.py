"""Actions on what an account keeps: parties and encounters, made, copied, recovered between fights, and used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from affray.errors import Illegal, Invalid, Refused, unknown
from affray.system.registry import find as system_of
from affray.system.schema import cut
from affray.world.actions.acting import Effect, action, in_fight
from affray.world.actions.creation import ME, STORYTELLER, Seat, check_idle, dry_run, member_for, seats_of
from affray.world.combats import parties
from affray.world.combats.combat import Combat
from affray.world.combats.parties import Kept, Kind
from affray.world.combats.roster import Member
from affray.world.combats.told import Told
from affray.world.people.guests import check_lasting
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import fold


@action("players")
async def keep(actor: Visitor, kind: str, name: str, table: Mapping[str, Any]) -> Kept:
    """Keep a party or an encounter, as a file has it, in place of one of the same name."""
    known = parties.check_kind(kind)
    return await _kept(actor, parties.of_file(known, name, table))


async def _kept(actor: Visitor, wanted: Kept) -> Kept:
    check_lasting(actor, f"a kept {wanted.kind}")
    combat = await dry_run(actor, wanted.name, wanted.system, wanted.options, seats_of(wanted.teams))
    if wanted.kind == "party":
        pairs = zip(wanted.seats, combat.roster, strict=True)
        made = [_fighter(seat, member.name, member.sheet) for seat, member in pairs]
        wanted = replace(wanted, teams={"party": made})
    if not wanted.seats:
        raise Invalid(f"a {wanted.kind} needs one fighter or more", given=wanted.name)
    store = actor.world.store
    others = [one for one in await parties.all_of(store, actor.key) if one.kind == wanted.kind]
    if len(others) >= parties.MOST and fold(wanted.name) not in [fold(one.name) for one in others]:
        raise Illegal(f"you keep {len(others)} of this kind already, and {parties.MOST} is the most", given=wanted.name)
    await store.commit(parties.stored(actor.key, wanted))
    return wanted


def _fighter(seat: Mapping[str, Any], name: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "sheet": dict(sheet), "by": seat.get("by", STORYTELLER)}


@in_fight("owner")
async def keep_here(actor: Visitor, combat: Combat, kind: str, name: str, team: str = "") -> None:
    """Keep a combat as an encounter, or one of its teams as a party, with the sheets that they brought."""
    known = parties.check_kind(kind)
    if combat.game:
        raise Illegal(f"a {combat.game} cannot be kept, only fights", given=combat.name)
    teams = {of: [_seat(actor, one) for one in members] for of, members in combat.roster.teams.items()}
    if known == "party":
        wanted = combat.roster.team(team)
        if wanted is None:
            raise Illegal(unknown("team", cut(team), teams), given=team, allowed=list(teams))
        teams = {"party": teams[wanted]}
    options = {} if known == "party" else combat.options
    made = await _kept(actor, Kept(known, parties.check_name(known, name), combat.system.id, teams, options))
    actor.tell(f"You keep {made.kind} {made.name}.")


def _seat(actor: Visitor, member: Member) -> dict[str, Any]:
    by = member.tactic or (ME if member.player == actor.key else STORYTELLER)
    return {"name": member.name, "sheet": member.sheet, "by": by, "group": member.group}


@action("players")
async def copy(actor: Visitor, kind: str, name: str, new: str) -> Kept:
    """Keep a copy under another name."""
    known = parties.check_kind(kind)
    found = await parties.find(actor.world.store, actor.key, known, name)
    names = [fold(one.name) for one in await parties.all_of(actor.world.store, actor.key) if one.kind == known]
    if fold(new.strip()) in names:
        raise Illegal(f"you already keep a {known} called {cut(new)!r}", given=new)
    return await _kept(actor, replace(found, name=parties.check_name(known, new)))


@action("players")
async def forget(actor: Visitor, kind: str, name: str) -> None:
    """No longer keep it."""
    known = parties.check_kind(kind)
    found = await parties.find(actor.world.store, actor.key, known, name)
    await actor.world.store.commit(statements.forget(actor.key, known, found.name))


@action("players")
async def restore_party(actor: Visitor, name: str, way: str) -> list[str]:
    """Let all fighters of a party recover between fights; returns what happened, line by line."""
    kept = await parties.find(actor.world.store, actor.key, "party", name)
    check_idle(actor, [kept.name])
    system = system_of(kept.system)
    if way not in system.recoveries:
        known = list(system.recoveries)
        problem = unknown("way to recover", cut(way), known) if known else f"fighters of {system.id} do not recover"
        raise Illegal(problem, given=way, allowed=known)
    lines: list[str] = []
    for seat in kept.seats:
        try:
            sheet, told = system.recoveries[way](system.enlist(seat["sheet"], files=False), actor.world.dice())
        except Refused as problem:  # one who cannot does not keep the others from it
            told = [f"{seat['name']}: {problem}."]
        else:
            seat["sheet"] = system.as_table(sheet)
        lines += told
    await actor.world.store.commit(parties.stored(actor.key, kept))
    actor.tell("\n".join(lines))
    return lines


@in_fight("owner")
async def use(actor: Visitor, combat: Combat, kind: str, name: str, team: str = "") -> Effect:
    """Add the fighters of a party to a team of a combat that is being set up, or all seats of an encounter."""
    known: Kind = parties.check_kind(kind)
    combat.check_setup()
    kept = await parties.find(actor.world.store, actor.key, known, name)
    if kept.system != combat.system.id:
        raise Illegal(f"{kept.name} is of {kept.system}, and {combat.name} of {combat.system.id}", given=name)
    if known == "party":
        if not team:
            raise Illegal("a party needs the name of its team", given=name)
        seats: Sequence[Seat] = [Seat(team, "", one["by"], one["name"], party=kept.name) for one in kept.seats]
    else:
        seats = seats_of(kept.teams)
    check_idle(actor, {seat.party for seat in seats if seat.party}, combat)
    for seat in seats:
        combat.add(await member_for(actor, combat, seat), seat.team)
    return Effect(Told(news=f"+ {kept.name} is added: {', '.join(one.name for one in combat.roster)}"), anew=True)
