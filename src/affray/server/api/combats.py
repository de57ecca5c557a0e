"""One fight: to see it, to move in it, to change who sits where, to take it back, to keep it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from msgspec import convert

from affray.errors import Illegal
from affray.fight import Fight, replaying
from affray.fight.saving import public_table, seal
from affray.fight.verifying import report
from affray.lab.luck import luck_table
from affray.lab.picture import picture_table
from affray.server.api import messages as m
from affray.server.api.callers import Caller, spectator
from affray.server.api.routes import NotFound, Numbered, Routes
from affray.server.api.views import table_of
from affray.world.actions import creation, duel, fights, parties, seats
from affray.world.actions import storytelling as told
from affray.world.actions.acting import At, check_owner
from affray.world.combats import storytelling
from affray.world.combats.combat import Combat, check_length
from affray.world.combats.games import check_odds, exported, fight_of
from affray.world.combats.hints import analysis_table, hint_table
from affray.world.combats.odds import chances_table, odds_table
from affray.world.combats.roster import Member
from affray.world.people.visitor import Visitor

P = ParamSpec("P")
T = TypeVar("T")


async def find_combat(caller: Visitor, number: int) -> tuple[Combat, m.Phase]:
    """The fight of a number, and how far it is."""
    known = await caller.world.combats.find(number)
    if known is None:
        raise NotFound(f"there is no fight {number}")
    return known


async def table_for(caller: Visitor, number: int) -> m.Table:
    """The fight of a number as the caller may see it, with nothing in it that is not stored yet."""
    combat, phase = await find_combat(caller, number)
    if phase != "ended":
        async with caller.world.combats.steady(combat.place) as present:
            if present is not None and present.number == number:
                return await table_of(caller, present, present.phase)
        combat, phase = await find_combat(caller, number)
    return await table_of(caller, combat, phase)


async def at(caller: Visitor, number: int) -> At:
    """Where the fight of a number is, to act in it."""
    place = await caller.world.combats.place_of(number)
    if place is None:
        combat, _ = await find_combat(caller, number)
        raise Illegal(f"combat {combat.name} has been ended", given=number)
    return At(place, number)


async def move(visitor: Visitor, number: int, asked: m.MoveAsked | m.Move) -> None:
    """Make a move, if that decision is open."""
    where = await at(visitor, number)
    await fights.move(visitor, where, asked.fighter, asked.move, asked.decision, asked.after, asked.together)


async def _aside(caller: Visitor, run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function that runs a whole log returns; one at a time, so that moves and other requests hardly wait."""
    async with caller.world.running_a_log:
        return await asyncio.to_thread(run, *args, **kwargs)


routes = Routes("/api/combats/{number:int}", "fight")


@routes.get()
async def see(caller: Caller, number: Numbered, screen: bool = False) -> m.Table:
    """The fight as the caller may see it; with `screen` as a spectator does, to be projected."""
    return await table_for(spectator(caller) if screen else caller, number)


@routes.post("/start", fights.start, status=200)
async def start(player: Caller, number: Numbered, data: m.Start) -> m.Table:
    """Begin; the teams that are listed move first where the order matters."""
    await fights.start(player, await at(player, number), data.first)
    return await table_for(player, number)


@routes.post("/undo", fights.undo, status=200)
async def undo(player: Caller, number: Numbered) -> m.Table:
    """Take back the last move that a person made."""
    await fights.undo(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/save", fights.save, status=200)
async def save(player: Caller, number: Numbered) -> m.Table:
    """Keep the present state, to come back to it."""
    await fights.save(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/restore", fights.restore, status=200)
async def restore(player: Caller, number: Numbered) -> m.Table:
    """Go back to the state that was kept."""
    await fights.restore(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/end", fights.end, status=200)
async def end(player: Caller, number: Numbered) -> m.Table:
    """End the fight, whether or not it is over."""
    await fights.end(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/keep", parties.keep_here, status=200)
async def keep(player: Caller, number: Numbered, data: m.KeepAsked) -> m.Said:
    """Keep a fight as an encounter, or a team of it as a party."""
    await parties.keep_here(player, await at(player, number), data.kind, data.name, data.team or "")
    return m.Said("\n".join(player.told))


@routes.get("/storyteller")
async def touchable(player: Caller, number: Numbered) -> dict[str, Any]:
    """All that the storyteller may touch now: quantities with their ranges, what may be dealt, teams and endings."""
    combat, _ = await find_combat(player, number)
    await check_owner(player, combat, "see what may be touched")
    storytelling.check_impartial(combat, player.key, "")
    return storytelling.touchable(combat)


@routes.post("/interventions", told.intervene, status=200)
async def intervene(player: Caller, number: Numbered, data: m.InterventionAsked) -> m.Table:
    """Overrule the fight by a storyteller's word, if that decision is open."""
    await told.intervene(player, await at(player, number), data.text, data.decision)
    return await table_for(player, number)


@routes.post("/agreement", told.agree, status=200)
async def agree(player: Caller, number: Numbered) -> m.Table:
    """Agree to the intervention that the owner asks for."""
    await told.agree(player, await at(player, number))
    return await table_for(player, number)


@routes.put("/storyteller", told.appoint)
async def appoint(player: Caller, number: Numbered, data: m.Appointed) -> m.Table:
    """Make another player the owner of the fight, and so its storyteller."""
    await told.appoint(player, await at(player, number), data.name)
    return await table_for(player, number)


@routes.post("/moves", fights.move, status=200)
async def make_move(player: Caller, number: Numbered, data: m.MoveAsked) -> m.Table:
    """Make a move, if that decision is open."""
    await move(player, number, data)
    return await table_for(player, number)


# --- between opponents -----------------------------------------------------------------------------------


@routes.post("/resign", duel.resign, status=200)
async def resign(player: Caller, number: Numbered) -> m.Table:
    """Give up: the other team has won."""
    await duel.resign(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/draw", duel.draw, status=200)
async def draw(player: Caller, number: Numbered) -> m.Table:
    """Offer a draw, or accept one that is offered."""
    await duel.draw(player, await at(player, number))
    return await table_for(player, number)


@routes.post("/decline", duel.decline, status=200)
async def decline(player: Caller, number: Numbered) -> m.Table:
    """Decline a draw that is offered, or take back your own offer."""
    await duel.decline(player, await at(player, number))
    return await table_for(player, number)


@routes.put("/fallback", duel.fallback)
async def choose_fallback(player: Caller, number: Numbered, data: m.Fallback) -> m.Table:
    """Choose the tactic that moves in your place when your time for a move is up."""
    await duel.fallback(player, await at(player, number), data.tactic)
    return await table_for(player, number)


@routes.post("/rematch", duel.rematch, status=200)
async def rematch(player: Caller, number: Numbered, data: m.Rematch) -> m.Table:
    """Ask for the same fight again; it begins when all players have asked for the same."""
    await duel.rematch(player, await at(player, number), data.swapped)
    return await table_for(player, number)


# --- seats -----------------------------------------------------------------------------------------------


@routes.post("/seats", seats.seat, status=201)
async def seat(player: Caller, number: Numbered, data: m.SeatAdded) -> m.Table:
    """Add a seat before the start: the owner any, a player their own."""
    await seats.seat(player, await at(player, number), data.on(data.team))
    return await table_for(player, number)


@routes.put("/seats/{name:str}", seats.offer, seats.withdraw, seats.manual, seats.auto)
async def hand_over(player: Caller, number: Numbered, name: str, data: m.SeatChanged) -> m.Table:
    """Change who moves an NPC: the storyteller, a tactic, or an invited player."""
    where = await at(player, number)
    if data.by in (creation.OFFERED, creation.ANYONE):
        await seats.offer(player, where, name, public=data.by == creation.ANYONE)
    elif data.by == creation.STORYTELLER:
        combat, _ = await find_combat(player, number)
        by_hand = seats.withdraw if combat.member(name).invitation else seats.manual
        await by_hand(player, where, name)
    else:
        await seats.auto(player, where, name, data.by)
    return await table_for(player, number)


@routes.delete("/seats/{name:str}", seats.remove, seats.remove_npc, status=200)
async def leave(player: Caller, number: Numbered, name: str) -> m.Table:
    """Remove a seat before the start."""
    combat, _ = await find_combat(player, number)
    member = combat.member(name)
    where = await at(player, number)
    if member.player is None:
        await seats.remove_npc(player, where, name)
    else:
        await seats.remove(player, where, "me" if member.player == player.key else name)
    return await table_for(player, number)


@routes.put("/heir", seats.hand)
async def hand(player: Caller, number: Numbered, data: m.Handed) -> m.Table:
    """Offer your seat to another player, who has to accept it; without a name keep it."""
    await seats.hand(player, await at(player, number), data.name)
    return await table_for(player, number)


@routes.post("/heir", seats.accept, status=200)
async def accept(player: Caller, number: Numbered) -> m.Table:
    """Take over the seat that its player hands over to you."""
    await seats.accept(player, await at(player, number))
    return await table_for(player, number)


@routes.delete("/heir", seats.refuse, status=200)
async def refuse(player: Caller, number: Numbered) -> m.Table:
    """Do not take the seat that is offered to you."""
    await seats.refuse(player, await at(player, number))
    return await table_for(player, number)


@routes.put("/groups", seats.group)
async def group(player: Caller, number: Numbered, data: m.GroupAsked) -> m.Table:
    """Let NPCs of one team act together."""
    await seats.group(player, await at(player, number), data.group or "", data.names)
    return await table_for(player, number)


@routes.post("/join", seats.take, status=200)
async def join(player: Caller, number: Numbered, data: m.Invitation) -> m.Table:
    """Take the seat of an invitation."""
    await seats.take(player, await at(player, number), None, data.token)
    return await table_for(player, number)


@routes.post("/leave", seats.leave, status=200)
async def leave_game(player: Caller, number: Numbered) -> m.Table:
    """Leave a game around fights; a computer player goes on in your seat."""
    await seats.leave(player, await at(player, number))
    return await table_for(player, number)


# --- odds, and what is left of a fight -------------------------------------------------------------------


@routes.post("/odds", status=200)
async def odds(player: Caller, number: Numbered, data: m.OddsAsked) -> dict[str, Any]:
    """How the fight is likely to end after each move of a fighter."""
    member, fighter, fight, decision = await _to_weigh(player, number, data.fighter)
    tactics = {fighter: data.tactic} if data.tactic else {}
    asking = (player.key, number, fighter)
    found_odds = await player.world.worker.ask(asking, odds_table, fight, fighter, tactics, data.play, data.aim)
    return {"fighter": member.name, "decision": decision, **found_odds}


@routes.post("/hint", status=200)
async def hint(player: Caller, number: Numbered, data: m.HintAsked) -> dict[str, Any]:
    """Which move a search would make for a fighter, and why."""
    member, fighter, fight, decision = await _to_weigh(player, number, data.fighter)
    found_hint = await player.world.worker.ask((player.key, number, fighter), hint_table, fight, fighter)
    return {"fighter": member.name, "decision": decision, **found_hint}


@routes.get("/position")
async def position(player: Caller, number: Numbered, fighter: str) -> m.Position:
    """What a player's own device needs to work out the odds of a fighter: the log that everyone may have."""
    member, who, fight, decision = await _to_weigh(player, number, fighter)
    return m.Position(member.name, decision, who, public_table(fight))


async def _to_weigh(player: Caller, number: int, name: str) -> tuple[Member, str, Fight, int]:
    """A fighter whose odds the player may ask for: the member, the fighter, the fight and its decision."""
    combat, _ = await find_combat(player, number)
    game = combat.running()
    decision = game.decision
    member = combat.member(name)
    await fights.check_odds(player, combat, member)
    fighter = combat.fighter(member)
    return member, fighter, fight_of(game, fighter), decision


def called(combat: Combat) -> dict[str, str]:
    """The names of the members of a combat by those of its fighters."""
    return dict(zip(combat.running().names, (member.name for member in combat.roster), strict=True))


async def with_players(caller: Visitor, combat: Combat) -> dict[str, str]:
    """The same, with the names of the people who played them, where those are others."""
    players = await caller.world.people.names(combat.players)
    named = [(member.name, players[member.player] if member.player else "") for member in combat.roster]
    written = (f"{name} ({player})" if player not in ("", name) else name for name, player in named)
    return dict(zip(combat.running().names, written, strict=True))


@routes.get("/replay")
async def replay(caller: Caller, number: Numbered) -> dict[str, Any]:
    """Every step so far, as a spectator may see it."""
    combat, phase = await find_combat(caller, number)
    async with caller.world.combats.locks[combat.place]:  # no move is made while it is told again
        fight = combat.fought()
        names = called(combat)
        shown = await _aside(caller, replaying.replay, fight, secret_is_out=phase == "ended", called=names)
    return {"number": number, "name": combat.name, **shown}


@routes.get("/luck")
async def luck(caller: Caller, number: Numbered) -> dict[str, Any]:
    """How likely the result was, and where the luck fell."""
    combat, _ = await find_combat(caller, number)
    fight = combat.fought()
    if not fight.over or fight.concluded:
        raise Illegal("luck can be measured only after the fight is over", given=number)
    return await caller.world.worker.ask((caller.key or caller.address, number), luck_table, fight)


@routes.get("/picture")
async def picture(caller: Caller, number: Numbered, dark: bool = False) -> m.PictureShown:
    """The picture of a fight that is over, to share, and what it shows in words; `dark` for the night."""
    combat, _ = await find_combat(caller, number)
    fight = combat.fought()
    if not fight.over:
        raise Illegal("there is a picture to share only of a fight that is over", given=number)
    asking = (caller.key or caller.address, number, "picture", dark)
    names = await with_players(caller, combat)
    return convert(await caller.world.worker.ask(asking, picture_table, fight, names, dark), m.PictureShown)


@routes.get("/analysis")
async def analysis(caller: Caller, number: Numbered) -> dict[str, Any]:
    """What every decision of a fight that is over was worth, the best moves, and the blunders."""
    combat, _ = await find_combat(caller, number)
    fight = combat.fought()
    if not fight.over:
        raise Illegal("a fight can be analysed only after it is over", given=number)
    return await caller.world.worker.ask((caller.key or caller.address, number), analysis_table, fight)


@routes.post("/fork", creation.branch, status=201)
async def fork(player: Caller, number: Numbered, data: m.ForkAsked) -> m.Table:
    """A new fight that shares the past of this one up to a decision."""
    combat, phase = await find_combat(player, number)
    made = await creation.fork(player, combat, phase, data.at, data.name)
    return await table_of(player, made, made.phase)


@routes.post("/again", creation.create, fights.start)
async def again(player: Caller, number: Numbered, data: m.AgainAsked) -> m.Table:
    """The same fight once more, perhaps with the sides swapped; it starts unless it waits for other players."""
    combat, phase = await find_combat(player, number)
    if phase not in ("over", "ended") or combat.game:
        raise Illegal("only a fight that is over can be fought again", given=number)
    seats = creation.seats_again(player, combat, swap=data.swap)
    waits = any(seat.by == creation.OFFERED for seat in seats)
    made = await creation.create(
        player, combat.name, combat.system.id, combat.settled_options, seats, startable=not waits
    )
    if not waits:
        await fights.start(player, At(made.place, made.number), [])
    return await table_of(player, made, made.phase)


@routes.get("/chances")
async def chances(caller: Caller, number: Numbered) -> dict[str, Any]:
    """How a fight is likely to end, as far as a spectator may know."""
    combat, _ = await find_combat(caller, number)
    fight = combat.fought()
    check_odds(fight, oversees=combat.is_overseen_by(caller.key, caller.role))
    return await caller.world.worker.ask((caller.key or caller.address, number), chances_table, fight)


@routes.get("/log")
async def log(player: Caller, number: Numbered) -> dict[str, Any]:
    """The sealed log, which `affray verify` takes."""
    combat, phase = await find_combat(player, number)
    return exported(combat.running(), ended=phase == "ended")


logs = Routes("/api", "fight")


@logs.post("/combats/import", creation.branch)
async def import_fight(player: Caller, data: dict[str, Any]) -> m.Table:
    """A new fight that goes on where the one of a log or save file stands."""
    if data.get("seal") != seal(data):
        raise Illegal("the log is damaged or was changed: its seal does not match its content", given=None)
    fight = await _aside(player, creation.read_log, data)
    made = await creation.branch(player, fight, " against ".join(fight.teams)[:40], None)
    return await table_of(player, made, made.phase)


@logs.post("/verify", status=200)
async def verify(player: Caller, data: dict[str, Any]) -> m.Verified:
    """Whether a log fits its dice."""
    check_length(data)
    return convert(await _aside(player, report, json.dumps(data).encode()), m.Verified)
