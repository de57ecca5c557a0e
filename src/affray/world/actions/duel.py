"""Actions between opponents: resigning, agreeing on a draw, fighting again, and choosing who moves when time is up."""

from __future__ import annotations

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.actions.acting import Effect, in_fight
from affray.world.actions.creation import again
from affray.world.actions.fights import own_member
from affray.world.combats import concluding
from affray.world.combats.combat import Combat
from affray.world.combats.told import Told
from affray.world.people.visitor import Visitor


@in_fight("players")
async def resign(actor: Visitor, combat: Combat) -> Effect:
    """Give up for one's team, once all its people want to: the other team has won."""
    member = own_member(actor, combat)
    concluding.check_open_to_people(combat)
    member.wishes = "resign"
    team = combat.roster.team_of(member)
    others = [one for one in combat.roster.teams[team] if one.player and one.wishes != "resign"]
    if others:
        names = " and ".join(one.name for one in others)
        told = Told(news=f"+ {member.name} wants to resign; {names} must do so too")
        return Effect(told, before=combat.awaited(), roster=True)
    return Effect(concluding.concluded(combat, "resigned", member), anew=True)


@in_fight("players")
async def draw(actor: Visitor, combat: Combat) -> Effect:
    """Offer a draw to all other teams that people move, or accept theirs."""
    member = own_member(actor, combat)
    concluding.check_open_to_people(combat)
    if len(combat.sides()) < 2:
        raise Illegal("there is no other person to agree on a draw with", given=combat.name)
    member.wishes = "draw"
    missing = concluding.not_wishing(combat, "draw")
    if missing:
        told = Told(news=f"+ {member.name} offers a draw; {' and '.join(missing)} can accept or decline it")
        return Effect(told, before=combat.awaited(), roster=True)
    return Effect(concluding.concluded(combat, "agreed", member), anew=True)


@in_fight("players")
async def decline(actor: Visitor, combat: Combat) -> Effect:
    """Decline a draw that another team offers, or withdraw an offer."""
    member = own_member(actor, combat)
    if not combat.roster.forget_wishes("draw"):
        raise Illegal("no draw is offered", given=combat.name)
    return Effect(Told(news=f"+ {member.name} declines the draw"), before=combat.awaited(), roster=True)


@in_fight("players")
async def fallback(actor: Visitor, combat: Combat, tactic: str) -> Effect:
    """Choose the tactic that moves in one's place when the time for a move is up; without one, the usual one does."""
    member = own_member(actor, combat)
    if combat.clock is None or not combat.clock.per_move:
        raise Illegal(f"{combat.name} has no limit for each move, such as clock=3d/move", given=combat.name)
    known = combat.system.tactics
    if tactic and tactic not in known:
        raise Illegal(unknown("tactic", cut(tactic), known), given=tactic, allowed=list(known))
    member.fallback = tactic
    chosen = tactic or "the usual tactic of your sheet"
    told = Told(reply=f"If your time for a move is up, {chosen} moves in your place.")
    return Effect(told, before=combat.awaited(), roster=True)


@in_fight("players")
async def rematch(actor: Visitor, combat: Combat, swapped: bool = True) -> Effect:
    """Ask for the same fight again, with sides swapped or not; it begins when all its players have asked for that."""
    member = own_member(actor, combat)
    if combat.phase != "over":
        raise Illegal("the fight is not over yet", given=combat.name)
    member.wishes = "swap" if swapped else "again"
    others = [one.name for one in combat.roster if one.player and one.wishes != member.wishes]
    if others:
        how = " with sides swapped" if swapped else ""
        told = Told(news=f"+ {member.name} wants to fight again{how}; {' and '.join(others)} can agree")
        return Effect(told, roster=True)
    made = await again(actor, combat, swapped)
    combat.next = made.number
    return Effect(Told(news=f"+ The fight begins anew: combat {made.number}"), roster=True)
