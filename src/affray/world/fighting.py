"""The `combat` command: one short function for each subcommand, with its page of help."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Literal

from affray.errors import Forbidden, Illegal, unknown
from affray.schema import cut
from affray.world import attributes, changes, logs
from affray.world.combat import Combat, Told
from affray.world.commands import command
from affray.world.roster import Member, npc_sheet, player_sheet, stats_of
from affray.world.store import Overtaken
from affray.world.tables import Account, fold
from affray.world.visitors import Visitor

Who = Literal["anybody", "players", "owner"]
Words = list[str]
Run = Callable[[Visitor, Words], Awaitable[None]]
ATTEMPTS = 5  # where other processes change the same combat at the same time


@dataclass(frozen=True)
class Subcommand:
    """One subcommand of `combat`; `who` may use it, `fewest` words must follow it."""

    name: str
    usage: str
    page: str
    who: Who
    fewest: int
    most: int | None
    run: Run


SUBCOMMANDS: dict[str, Subcommand] = {}
ALIASES = {"m": "move", "mn": "move_npc", "load": "restore"}


def subcommand(usage: str, who: Who, fewest: int = 0, most: int | None = 0) -> Callable[[Run], None]:
    """Make a function a subcommand: the second word of `usage` is its name, its docstring its page of help."""

    def declare(run: Run) -> None:
        name = usage.split()[1]
        SUBCOMMANDS[name] = Subcommand(name, usage, cleandoc(run.__doc__ or ""), who, fewest, most, run)

    return declare


def page_of(word: str) -> str:
    """The page of help of a subcommand."""
    found = _find(word)
    also = [alias for alias, name in ALIASES.items() if name == found.name]
    extra = f"\nAlso: combat {', '.join(also)}" if also else ""
    who = {"anybody": "everybody", "players": "players and wizards", "owner": "the combat's owner and wizards"}
    return f"{found.usage}\n\n{found.page}{extra}\nFor: {who[found.who]}"


def _find(word: str) -> Subcommand:
    name = ALIASES.get(word.casefold(), word.casefold())
    if name not in SUBCOMMANDS:
        raise Illegal(unknown("combat command", word, SUBCOMMANDS), given=cut(word), allowed=list(SUBCOMMANDS))
    return SUBCOMMANDS[name]


@command("combat ...", "c")
async def combat(visitor: Visitor, rest: str) -> None:
    """Fight: set up a combat, move in it, watch it.

    combat init NAME         make one here; you are its owner
    combat add me TEAM       join it
    combat add_npc NAME STATS TEAM
    combat start [TEAM ...]  begin; teams move in the order listed
    combat status            see it
    combat move MOVE         make a move (c m MOVE)
    combat move_npc NAME MOVE  (c mn NAME MOVE)
    combat end               end and remove it

    More: remove, remove_npc, save, restore, auto, manual, offer, take, odds, undo,
    log, watch, unwatch. help combat COMMAND shows a page of each.
    """
    words = rest.split()
    if not words:
        raise Illegal(f"combat needs a command: {', '.join(SUBCOMMANDS)}", allowed=list(SUBCOMMANDS))
    await obey(visitor, words[0], words[1:])


async def obey(visitor: Visitor, word: str, words: Words) -> None:
    """Do what a subcommand says."""
    found = _find(word)
    if len(words) < found.fewest or (found.most is not None and len(words) > found.most):
        if found.who == "anybody" or visitor.role != "guest":
            raise Illegal(f"this is written  {found.usage}", given=" ".join(words), allowed=[found.usage])
    await take_part(visitor, found.name, found.who, lambda: found.run(visitor, words))


async def take_part(visitor: Visitor, what: str, who: Who, run: Callable[[], Awaitable[None]]) -> None:
    """Do something to the combat where somebody is, if they may: one after the other, and then computers move."""
    world = visitor.world
    if who != "anybody" and visitor.role == "guest":
        raise Forbidden(f"guests may only look on; combat {what} is for players", given=what)
    place = visitor.here()
    async with world.locks[place.key]:
        # While this line waited, another connection of the same account may have walked.
        if visitor.here().key != place.key:
            raise Illegal(f"you have left {place.name} meanwhile", given=place.name)
        for remaining in reversed(range(ATTEMPTS)):
            await world.make_certain(place.key)
            if who == "owner":
                await check_owner(visitor, f"use {what}")
            try:
                await run()
                break
            except Overtaken:  # by another process; what is asked for may still be possible
                if not remaining:
                    raise
        present = world.combats.get(place.key)
        if present is not None and await world.autoplay(present):
            world.go_on(present)


def _here(visitor: Visitor) -> Combat:
    place, world = visitor.here(), visitor.world
    if place.key in world.combats:
        return world.combats[place.key]
    elsewhere = [combat for combat in world.combats.values() if visitor.key in combat.players]
    if elsewhere:
        where = " and ".join(f"{combat.name} is at {world.places[combat.place].name}" for combat in elsewhere)
        raise Illegal(f"there is no combat at {place.name}; {where}", given=place.name)
    return world.combat_at(place)


async def check_owner(visitor: Visitor, what: str, of: Combat | None = None) -> None:
    """Refuse what only the owner of a combat, or else of the one here, and wizards may do."""
    combat = of or _here(visitor)
    if visitor.key != combat.owner and visitor.role != "wizard":
        owner = await visitor.world.store.account(combat.owner)
        called = owner.name if owner else "who made it"
        raise Forbidden(f"only the owner of {combat.name}, {called}, and wizards may {what}", given=what)


# Setting up


@subcommand("combat init NAME [SYSTEM] [OPTION=VALUE ...]", "players", 1, None)
async def init(visitor: Visitor, words: Words) -> None:
    """Make a combat in this place, and be its owner. There can be one in a place.

    SYSTEM is grapple unless you name another. Options change its rules, for
    example  profile=grounds  in grapple.
    """
    world, place = visitor.world, visitor.here()
    if place.key in world.combats:
        raise Illegal(f"there is a combat at {place.name} already: {world.combats[place.key].name}", given=words[0])
    name, system = words[0], "grapple"
    rest = words[1:]
    if rest and "=" not in rest[0]:
        system, rest = rest[0].casefold(), rest[1:]
    options = {}
    for word in rest:
        key, sign, value = word.partition("=")
        if not sign:
            raise Illegal(f"{cut(word)!r} is not of the form  option=value", given=word)
        options[key] = value
    if len(name) > 40 or not name.isprintable():
        raise Illegal(f"{cut(name)!r} cannot be the name of a combat; allowed are up to 40 signs", given=name)
    made = Combat.create(0, name, place.key, visitor.key, system, options)
    await world.found(made)
    visitor.tell(f"Created combat {name} at {place.name}. Add players to teams, and then start combat.")
    world.tell_place(place.key, f"{visitor.name} has created combat {name} here.", but=visitor)


def _means_oneself(visitor: Visitor, name: str) -> bool:
    return fold(name) in ("me", visitor.key)


async def _account(visitor: Visitor, combat: Combat, name: str) -> Account:
    """The account that a name means; only the owner may mean somebody else."""
    assert visitor.account is not None
    if _means_oneself(visitor, name):
        return visitor.account
    await check_owner(visitor, "add or remove others")
    account = await visitor.world.store.account(name)
    if account is None or (combat.exact_names and account.name != name):
        raise Illegal(f"there is no player called {cut(name)!r}", given=name)
    return account


@subcommand("combat add NAME TEAM", "players", 2, 2)
async def add(visitor: Visitor, words: Words) -> None:
    """Put a player on a team, yourself as me; the owner can add others who are here.

    Your stats come from your attributes. Grapple needs
    grapple_skill4, _skill3 and _skill2 of type STRING, and
    grapple_apMaxSize, _ad, _sd, _defense and _maxWounds of type INTEGER.
    Other systems need SYSTEM_sheet of type STRING, such as bgo_sheet.
    """
    combat = _here(visitor)
    account = await _account(visitor, combat, words[0])
    combat.check_setup()
    if account.place != combat.place:
        raise Illegal(f"{account.name} is not here", given=words[0])
    stats = stats_of(combat.system, await visitor.world.store.attributes(account.key))
    member = Member(account.name, player_sheet(combat.system, account.name, stats), account.key)
    combat.add(member, words[1])
    await visitor.world.keep(combat, anew=True)
    visitor.world.spread(combat, Told(news=f"+ {account.name} is added to team {words[1]}"), visitor)


@subcommand("combat remove NAME [TEAM]", "players", 1, 2)
async def remove(visitor: Visitor, words: Words) -> None:
    """Take a player off their team, yourself as me; the owner can remove others."""
    combat = _here(visitor)
    if _means_oneself(visitor, words[0]):
        member = combat.roster.of_player(visitor.key)
    else:
        await check_owner(visitor, "add or remove others")
        member = combat.member(words[0])  # not by account: that may be gone
    combat.check_setup()
    if member is None:
        raise Illegal(f"{visitor.name} is on no team", given=words[0])
    if member.player is None:
        raise Illegal(f"{member.name} is an NPC: combat remove_npc {member.name}", given=words[0])
    removed = visitor.world.connected(member.player)
    team = combat.remove(member, words[1] if len(words) > 1 else None)
    await visitor.world.keep(combat, anew=True)
    news = f"+ {member.name} is removed from team {team}"
    visitor.world.tell_audience(combat, news, visitor)
    for connection in removed:
        if connection is not visitor and connection not in visitor.world.audience(combat):
            connection.tell(news, "news")


def _stats(words: Words) -> str:
    """The stats of an NPC out of the words between its name and its team: there may be spaces around the colons."""
    return re.sub(r"\s*:\s*", ":", " ".join(words)).strip('" ')


@subcommand("combat add_npc NAME STATS TEAM", "owner", 3, None)
async def add_npc(visitor: Visitor, words: Words) -> None:
    """Put an NPC on a team.

    In grapple STATS are skill4:skill3:skill2:AP size:defense:max wounds:AD:SD,
    such as ::en:6:1:2:3:2, with nothing for an empty slot. In every system a
    ready-made fighter will do, such as goblin in grapple or fire-slime in bgo.
    """
    combat = _here(visitor)
    name, stats, team = words[0], _stats(words[1:-1]), words[-1]
    if " " in stats:
        form = SUBCOMMANDS["add_npc"].usage
        raise Illegal(f"this is written  {form}", given=" ".join(words), allowed=[form])
    combat.check_setup()
    combat.add(Member(name, npc_sheet(combat.system, name, stats)), team)
    await visitor.world.keep(combat, anew=True)
    told = Told(f"Added {name} to team {team}", f"+ {name} is added to team {team}", spared=True)
    visitor.world.spread(combat, told, visitor)


@subcommand("combat remove_npc NAME [TEAM]", "owner", 1, 2)
async def remove_npc(visitor: Visitor, words: Words) -> None:
    """Take an NPC off its team."""
    combat = _here(visitor)
    combat.check_setup()
    member = combat.member(words[0])
    if member.player is not None:
        raise Illegal(f"{member.name} is a player: combat remove {member.name}", given=words[0])
    team = combat.remove(member, words[1] if len(words) > 1 else None)
    await visitor.world.keep(combat, anew=True)
    told = Told(f"Removed {member.name} from team {team}", f"+ {member.name} is removed from team {team}", spared=True)
    visitor.world.spread(combat, told, visitor)


@subcommand("combat start [TEAM ...]", "owner", 0, None)
async def start(visitor: Visitor, words: Words) -> None:
    """Begin. Teams that you list move first, in that order.

    Where the order of teams matters, that of the others is drawn. The dice of a
    server are fair: the hash of their secret is told now, the secret itself when
    combat ends, and  affray verify  checks the log against both.
    """
    combat = _here(visitor)
    told = combat.start(words, visitor.world.dice)
    await visitor.world.keep(combat, anew=True)
    visitor.world.spread(combat, told, visitor)
    if combat.commitment is not None:
        fair = f"The dice are fair. The SHA-256 of their secret is\n  {combat.commitment}"
        visitor.world.tell_audience(combat, fair, visitor)


# Fighting


@subcommand("combat status", "anybody")
async def status(visitor: Visitor, words: Words) -> None:
    """See the teams, or the state of the fight.

    In grapple an arrow points to whoever still needs to move.
    """
    combat = _here(visitor)
    visitor.tell(combat.status(visitor.key))


@subcommand("combat move MOVE", "players", 1, None)
async def move(visitor: Visitor, words: Words) -> None:
    """Make a move. In grapple:

    maneuver AD SKILL          m    1 to 3 AD become SD
    strike SD TARGET           a    1 to 6 SD become wounds
    skill SD SKILL [TARGET]    s    0 to 6 SD become a change of stats
    catch breath               c    3 AD more

    So  combat move maneuver 3 co  is  c m m 3 co  for short.
    """
    combat = _here(visitor)
    combat.running()
    member = combat.roster.of_player(visitor.key)
    if member is None:
        raise Illegal(f"{visitor.name} takes no part in {combat.name}", given=visitor.name)
    await _make_move(visitor, combat, member, words)


@subcommand("combat move_npc NAME MOVE", "owner", 2, None)
async def move_npc(visitor: Visitor, words: Words) -> None:
    """Move an NPC, or a player who is away.

    The move is written as for combat move:  combat move_npc goblin1 maneuver 2 en
    """
    combat = _here(visitor)
    combat.running()
    member = combat.member(words[0])
    await _make_move(visitor, combat, member, words[1:])
    if member.player is not None and member.player != visitor.key:
        for connection in visitor.world.connected(member.player):
            connection.tell(f"* {visitor.name} has moved for you.", "call")


async def answer(visitor: Visitor, number: int, name: str, text: str, decision: int, after: str | None = None) -> None:
    """Make a move for oneself, or as the owner for others, if that decision of that combat is still open.

    `after` is the mark of the story that has led there: a decision that comes again after an undo may be another one.
    """
    combat = _here(visitor)
    if combat.number != number:
        raise Illegal(f"combat {number} has been ended", given=number)
    if after not in (None, combat.led_here) and combat.running().decision == decision:
        raise Illegal("moves have been taken back since you were asked, and the fight has gone another way", given=text)
    member = combat.member(name)
    if member.player != visitor.key:
        await check_owner(visitor, "move others")
    await _make_move(visitor, combat, member, [text], decision)


async def _make_move(
    visitor: Visitor, combat: Combat, member: Member, words: Words, decision: int | None = None
) -> None:
    before = combat.awaited()
    told = combat.move(member, " ".join(words), visitor.key, decision)
    await visitor.world.keep(combat)
    visitor.world.spread(combat, told, visitor, before)


@subcommand("combat auto NAME TACTIC", "owner", 2, 2)
async def auto(visitor: Visitor, words: Words) -> None:
    """Let an NPC move by itself from now on, by a named tactic.

    Grapple has skill-user, striker, builder, supporter and random. Of several moves
    made so, one after the other, the status is shown once.
    """
    combat = _here(visitor)
    member = combat.member(words[0])
    if member.player is not None:
        raise Illegal(f"{member.name} is a player, and players move themselves", given=words[0])
    combat.hand_over(member, words[1].casefold())
    await keep_roster(visitor, combat)
    visitor.world.spread(
        combat, Told(news=f"+ {member.name} moves by itself now: {member.tactic}"), visitor, combat.awaited()
    )


@subcommand("combat manual NAME", "owner", 1, 1)
async def manual(visitor: Visitor, words: Words) -> None:
    """Move an NPC yourself again."""
    combat = _here(visitor)
    member = combat.member(words[0])
    if member.tactic is None:
        raise Illegal(f"{member.name} does not move by itself", given=words[0])
    combat.hand_over(member, None)
    await keep_roster(visitor, combat)
    visitor.world.spread(combat, Told(news=f"+ {member.name} is moved by hand again"), visitor, combat.awaited())


async def keep_roster(visitor: Visitor, combat: Combat) -> None:
    """Make durable who moves whom."""
    await visitor.world.keep(combat, changes.change_combat(combat.number, roster=combat.roster.as_table()))


@subcommand("combat offer NAME", "owner", 1, 1)
async def offer(visitor: Visitor, words: Words) -> None:
    """Offer an NPC to whoever knows the word that you are told.

    They take it by  combat take NAME WORD . Until then you move it.
    """
    combat = _here(visitor)
    member = combat.member(words[0])
    combat.offer(member)
    await keep_roster(visitor, combat)
    visitor.tell(f"Whoever is to play {member.name} says  combat take {member.name} {member.invitation}")


@subcommand("combat take NAME WORD", "players", 2, 2)
async def take(visitor: Visitor, words: Words) -> None:
    """Play somebody whom the owner of the combat offers, from now on."""
    combat = _here(visitor)
    member = combat.member(words[0])
    combat.take(member, words[1], visitor.key)
    await keep_roster(visitor, combat)
    others = [other for other in combat.awaited() if other is not member]
    visitor.world.spread(combat, Told(news=f"+ {visitor.name} plays {member.name} now"), visitor, others)


@subcommand("combat odds [NAME]", "players", 0, 1)
async def odds(visitor: Visitor, words: Words) -> None:
    """See how the fight is likely to end after each of your moves.

    The answer comes a little later. The owner can ask for anybody who is to move.
    """
    combat = _here(visitor)
    fight = combat.running()
    member = combat.member(words[0]) if words else combat.roster.of_player(visitor.key)
    if member is None:
        raise Illegal(f"{visitor.name} takes no part in {combat.name}", given=visitor.name)
    if member.player != visitor.key:
        await check_owner(visitor, "ask for the odds of others")
    if member not in combat.awaited():
        raise Illegal(f"{member.name} has no move to make now", given=member.name)
    team = combat.roster.team_of(member)
    visitor.world.weigher.weigh(fight, combat.fighter(member), team, visitor.tell)


@subcommand("combat undo", "owner")
async def undo(visitor: Visitor, words: Words) -> None:
    """Take back the last move that somebody made, with all that followed from it.

    Everybody is told. The dice come back too: the same throw falls the same way
    again. It is meant for slips, not for better luck.
    """
    combat = _here(visitor)
    told = combat.undo()
    await keep_roster(visitor, combat)
    visitor.world.spread(combat, told, visitor)


# Keeping


@subcommand("combat save", "owner")
async def save(visitor: Visitor, words: Words) -> None:
    """Keep the present state, to come back to it by combat restore.

    Moves are kept in any case, one by one: a failure of the server loses nothing.
    """
    combat = _here(visitor)
    told = combat.save()
    await visitor.world.keep(combat, changes.change_combat(combat.number, saved=combat.saved))
    visitor.world.spread(combat, told, visitor, combat.awaited())


@subcommand("combat restore", "owner")
async def restore(visitor: Visitor, words: Words) -> None:
    """Go back to the saved state.

    Players who are not connected become NPCs, which you move. The dice come back
    as they do with combat undo.
    """
    combat = _here(visitor)
    told = combat.restore(visitor.world.is_active)
    await visitor.world.keep(combat, anew=True)
    visitor.world.spread(combat, told, visitor)


@subcommand("combat end", "owner")
async def end(visitor: Visitor, words: Words) -> None:
    """End the combat and remove it with its NPCs, whether or not it is over.

    In grapple players keep their AD, half of their SD (rounded up) become AD, and
    everything else is forgotten.
    """
    combat = _here(visitor)
    world, place = visitor.world, visitor.here()
    returned = [change for member in combat.roster for change in await _returned(visitor, combat, member)]
    ending = combat.fight.ending if combat.fight else None
    await world.keep(combat, *returned, changes.change_combat(combat.number, phase="ended", ending=ending))
    del world.combats[place.key]
    told = Told(f"Ended and removed combat {combat.name} at {place.name}", "+ Combat has ended.")
    if combat.secret is not None:
        told.news += f"\n  The secret of the dice:\n  {combat.secret}"
        told.news += f"\n  combat log {combat.number} file  gives the log to verify"
    world.tell_audience(combat, told.news, visitor)
    visitor.tell(told.reply)


async def _returned(visitor: Visitor, combat: Combat, member: Member) -> list[changes.Change]:
    """What the end of combat writes back to a player's attributes."""
    residence = combat.system.residence
    if combat.fight is None or residence is None or member.player is None or member.borrowed:
        return []
    if await visitor.world.store.account(member.player) is None:
        return []
    present = await visitor.world.store.attributes(member.player)
    types = {fold(name): type for name, type in residence.attributes.items()}
    # Attributes can be changed in mid-combat: one of another type says nothing, and its type is set right again.
    fitting = {key: a for key, a in present.items() if a.type == types.get(key, a.type)}
    stats = stats_of(combat.system, fitting)
    returned = residence.returns(combat.fight.state, combat.fight.index(combat.fighter(member)), stats)
    return [
        changes.set_attribute(member.player, attributes.parse(f"{name}[{residence.attributes[name]}]={value}", present))
        for name, value in returned.items()
    ]


# Looking on


@subcommand("combat log [NUMBER] [all|file]", "players", 0, 2)
async def log(visitor: Visitor, words: Words) -> None:
    """Read what has happened: the last lines, all of them, or the log as a file.

    A combat that has ended is called by its number. What  file  prints goes into a
    file;  affray verify FILE  then checks every move, and once combat has ended
    every die.
    """
    if not words or not words[0].isdecimal():
        visitor.tell(logs.written(_here(visitor).running(), words, ended=False))
        return
    row = await visitor.world.store.combat(int(words[0][:9]))
    if row is None or row.log is None:
        raise Illegal(f"there is no log of a combat {words[0][:9]}", given=words[0])
    old = await visitor.world.load(row)
    visitor.tell(logs.written(old.running(), words[1:], ended=row.phase == "ended"))


@subcommand("combat watch", "anybody")
async def watch(visitor: Visitor, words: Words) -> None:
    """Be told everything that is told to those who take part.

    That lasts until you leave the place or say combat unwatch.
    """
    combat = _here(visitor)
    combat.watchers.add(visitor.key)
    visitor.tell(f"You are watching {combat.name}.\n{combat.status(visitor.key)}")


@subcommand("combat unwatch", "anybody")
async def unwatch(visitor: Visitor, words: Words) -> None:
    """Look away again."""
    combat = _here(visitor)
    if visitor.key not in combat.watchers:
        raise Illegal(f"you are not watching {combat.name}")
    combat.watchers.discard(visitor.key)
    visitor.tell(f"You are no longer watching {combat.name}.")
