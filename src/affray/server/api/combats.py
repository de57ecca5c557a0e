"""One fight: to see it, to move in it, to change who sits where, to take it back, to keep it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from msgspec import convert

from affray.errors import Forbidden, Illegal, Refused
from affray.fight import Fight, replaying
from affray.fight.saving import public_table, seal
from affray.fight.verifying import report
from affray.lab.luck import luck_table
from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import NotFound, Numbered, Routes
from affray.server.api.views import table_of
from affray.world.combats import creation
from affray.world.combats.combat import Combat, Told
from affray.world.combats.games import exported, fight_of
from affray.world.combats.odds import odds_table
from affray.world.combats.roster import Member
from affray.world.commands.combat import registry
from affray.world.commands.combat.moves import answer, check_odds
from affray.world.people.visitor import Visitor


async def found(caller: Visitor, number: int) -> tuple[Combat, m.Phase]:
    """The fight of a number, and how far it is."""
    known = await caller.world.combats.find(number)
    if known is None:
        raise NotFound(f"there is no fight {number}")
    return known


async def shown(caller: Visitor, number: int) -> m.Table:
    """The fight of a number as the caller may see it, with nothing in it that is not stored yet."""
    combat, phase = await found(caller, number)
    if phase != "ended":
        async with caller.world.combats.steady(combat.place) as present:
            if present is not None and present.number == number:
                return await table_of(caller, present, present.phase)
        combat, phase = await found(caller, number)
    return await table_of(caller, combat, phase)


@asynccontextmanager
async def there(visitor: Visitor, number: int) -> AsyncIterator[Visitor]:
    """The visitor, to act in a fight that has not been ended; they go to where it is, unless they are refused."""
    combat, phase = await found(visitor, number)
    if phase == "ended":
        raise Illegal(f"combat {combat.name} has been ended", given=number)
    if not visitor.known or (visitor.place is not None and visitor.place.key == combat.place):
        actor = visitor
    else:
        actor = Caller(visitor.world, replace(visitor.account, place=combat.place), visitor.address)
    try:
        yield actor
    except Refused:
        raise
    except Exception:
        visitor.world.combats.doubt(actor)
        raise
    if isinstance(actor, Caller) and actor is not visitor:
        await creation.enter(visitor, combat)
        for text in actor.told:
            visitor.tell(text)


async def obey(player: Caller, number: int, word: str, *words: str) -> m.Table:
    """Do what a subcommand of `combat` says; the fight as it then is."""
    async with there(player, number) as actor:
        await registry.obey(actor, word, list(words))
    return await shown(player, number)


async def move(visitor: Visitor, number: int, asked: m.MoveAsked | m.Move) -> None:
    """Make a move, if that decision is open."""
    async with there(visitor, number) as actor:
        await registry.take_part(
            actor,
            "move",
            "players",
            lambda: answer(actor, number, asked.fighter, asked.move, asked.decision, asked.after),
        )


routes = Routes("/api/combats/{number:int}", "fight")


@routes.get()
async def see(caller: Caller, number: Numbered) -> m.Table:
    """The fight as the caller may see it."""
    return await shown(caller, number)


@routes.post("/start", status=200)
async def start(player: Caller, number: Numbered, data: m.Start) -> m.Table:
    """Begin; the teams that are listed move first where the order matters."""
    return await obey(player, number, "start", *data.first)


@routes.post("/undo", status=200)
async def undo(player: Caller, number: Numbered) -> m.Table:
    """Take back the last move that a person made."""
    return await obey(player, number, "undo")


@routes.post("/save", status=200)
async def save(player: Caller, number: Numbered) -> m.Table:
    """Keep the present state, to come back to it."""
    return await obey(player, number, "save")


@routes.post("/restore", status=200)
async def restore(player: Caller, number: Numbered) -> m.Table:
    """Go back to the state that was kept."""
    return await obey(player, number, "restore")


@routes.post("/end", status=200)
async def end(player: Caller, number: Numbered) -> m.Table:
    """End the fight, whether or not it is over."""
    return await obey(player, number, "end")


@routes.post("/moves", status=200)
async def make_move(player: Caller, number: Numbered, data: m.MoveAsked) -> m.Table:
    """Make a move, if that decision is open."""
    await move(player, number, data)
    return await shown(player, number)


# --- seats -----------------------------------------------------------------------------------------------


@routes.post("/seats", status=201)
async def seat(player: Caller, number: Numbered, data: m.SeatAdded) -> m.Table:
    """Add a seat before the start: the owner any, a player their own."""

    async def add() -> None:
        combat = registry.combat_here(actor)
        if data.by != creation.ME:
            await registry.check_owner(actor, "add others")
        combat.check_setup()
        member = await creation.member_for(actor, combat, data.on(data.team))
        combat.add(member, data.team)
        told = Told(news=f"+ {member.name} is added to team {data.team}")
        await registry.carry_out(actor, combat, told, anew=True)

    async with there(player, number) as actor:
        await registry.take_part(actor, "add", "players", add)
    return await shown(player, number)


@routes.put("/seats/{name:str}")
async def hand_over(player: Caller, number: Numbered, name: str, data: m.SeatChanged) -> m.Table:
    """Change who moves an NPC: the storyteller, a tactic, or an invited player."""
    if data.by == creation.OFFERED:
        return await obey(player, number, "offer", name)
    if data.by == creation.STORYTELLER:
        combat, _ = await found(player, number)
        if combat.member(name).tactic is None:
            return await _withdraw(player, number, name)
        return await obey(player, number, "manual", name)
    return await obey(player, number, "auto", name, data.by)


async def _withdraw(player: Caller, number: int, name: str) -> m.Table:
    async def withdraw() -> None:
        combat = registry.combat_here(actor)
        combat.member(name).invitation = None
        await actor.world.combats.store(combat, roster=True)

    async with there(player, number) as actor:
        await registry.take_part(actor, "offer", "owner", withdraw)
    return await shown(player, number)


@routes.delete("/seats/{name:str}", status=200)
async def leave(player: Caller, number: Numbered, name: str) -> m.Table:
    """Remove a seat before the start."""
    combat, _ = await found(player, number)
    is_player = combat.member(name).player is not None
    return await obey(player, number, "remove" if is_player else "remove_npc", name)


@routes.post("/join", status=200)
async def join(player: Caller, number: Numbered, data: m.Invitation) -> m.Table:
    """Take the seat of an invitation."""
    combat, _ = await found(player, number)
    offered = [member for member in combat.roster if member.invitation == data.token]
    if not offered:
        raise Forbidden("this invitation is not open, or no longer open", given=data.token)
    return await obey(player, number, "take", offered[0].name, data.token)


@routes.post("/leave", status=200)
async def leave_game(player: Caller, number: Numbered) -> m.Table:
    """Leave a game around fights; a computer player goes on in your seat."""
    return await obey(player, number, "leave")


# --- odds, and what is left of a fight -------------------------------------------------------------------


@routes.post("/odds", status=200)
async def odds(player: Caller, number: Numbered, data: m.OddsAsked) -> dict[str, Any]:
    """How the fight is likely to end after each move of a fighter."""
    member, fighter, fight, decision = await _to_weigh(player, number, data.fighter)
    tactics = {fighter: data.tactic} if data.tactic else {}
    found_odds = await player.world.worker.ask(odds_table, fight, fighter, tactics, data.play, data.aim)
    return {"fighter": member.name, "decision": decision, **found_odds}


@routes.get("/position")
async def position(player: Caller, number: Numbered, fighter: str) -> m.Position:
    """What a player's own device needs to work out the odds of a fighter: the log that everyone may have."""
    member, who, fight, decision = await _to_weigh(player, number, fighter)
    return m.Position(member.name, decision, who, public_table(fight))


async def _to_weigh(player: Caller, number: int, name: str) -> tuple[Member, str, Fight, int]:
    """A fighter whose odds the player may ask for: the member, the fighter, the fight and its decision."""
    combat, _ = await found(player, number)
    game = combat.running()
    decision = game.decision
    member = combat.member(name)
    await check_odds(player, combat, member)
    fighter = combat.fighter(member)
    return member, fighter, fight_of(game, fighter), decision


@routes.get("/replay")
async def replay(caller: Caller, number: Numbered) -> dict[str, Any]:
    """Every step so far, as a spectator may see it."""
    combat, phase = await found(caller, number)
    async with caller.world.combats.locks[combat.place]:  # no move is made while it is told again
        fight = combat.fought()
        called = dict(zip(fight.names, (member.name for member in combat.roster), strict=True))
        shown = await asyncio.to_thread(replaying.replay, fight, secret_is_out=phase == "ended", called=called)
    return {"number": number, "name": combat.name, **shown}


@routes.get("/luck")
async def luck(caller: Caller, number: Numbered) -> dict[str, Any]:
    """How likely the result was, and where the luck fell."""
    combat, _ = await found(caller, number)
    fight = combat.fought()
    if not fight.over:
        raise Illegal("luck can be measured only after the fight is over", given=number)
    return await caller.world.worker.ask(luck_table, fight)


@routes.post("/fork", status=201)
async def fork(player: Caller, number: Numbered, data: m.ForkAsked) -> m.Table:
    """A new fight that shares the past of this one up to a decision."""
    combat, phase = await found(player, number)
    if phase == "running" and player.key != combat.owner and player.role != "wizard":
        raise Forbidden("only its owner can fork a fight that is not over", given=number)
    past = combat.fought().fork(at=data.at)
    made = await creation.branch(player, past, data.name, combat.roster.teams)
    return await table_of(player, made, made.phase)


@routes.get("/log")
async def log(player: Caller, number: Numbered) -> dict[str, Any]:
    """The sealed log, which `affray verify` takes."""
    combat, phase = await found(player, number)
    return exported(combat.running(), ended=phase == "ended")


logs = Routes("/api", "fight")


@logs.post("/combats/import")
async def import_fight(player: Caller, data: dict[str, Any]) -> m.Table:
    """A new fight that goes on where the one of a log or save file stands."""
    if data.get("seal") != seal(data):
        raise Illegal("the log is damaged or was changed: its seal does not match its content", given=None)
    fight = await asyncio.to_thread(creation.read_log, data)
    made = await creation.branch(player, fight, " against ".join(fight.teams)[:40], None)
    return await table_of(player, made, made.phase)


@logs.post("/verify", status=200)
async def verify(player: Caller, data: dict[str, Any]) -> m.Verified:
    """Whether a log fits its dice."""
    return convert(await asyncio.to_thread(report, json.dumps(data).encode()), m.Verified)
