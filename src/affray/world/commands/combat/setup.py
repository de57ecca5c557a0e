"""The subcommands of `combat` that set one up: making it, filling its teams, and starting it."""

from __future__ import annotations

import re

from affray.errors import Illegal
from affray.system.schema import cut
from affray.world.combats import news
from affray.world.combats.combat import Combat, Told
from affray.world.combats.roster import Member
from affray.world.combats.sheets import npc_sheet, player_sheet, stats_of
from affray.world.commands.combat.registry import Words, carry_out, check_owner, combat_here, subcommand
from affray.world.commands.registry import misused
from affray.world.people.visitor import Visitor
from affray.world.store.tables import Account, fold


@subcommand("combat init NAME [SYSTEM [GAME]] [OPTION=VALUE ...]", "players", 1, None)
async def init(visitor: Visitor, words: Words) -> None:
    """Create a combat in this place and own it. A place has at most one combat.

    Without SYSTEM it uses the default system of this world. GAME is the word for a
    game around fights, if the system has one. Options change the rules; some
    systems have profiles, which set several options at once.
    """
    world, place = visitor.world, visitor.here()
    if place.key in world.combats:
        there = world.combats[place.key]
        raise Illegal(f"there is already a {there.word} at {place.name}: {there.name}", given=words[0])
    name, *rest = words
    system = rest.pop(0).casefold() if rest and "=" not in rest[0] else world.default_system
    game = rest.pop(0).casefold() if rest and "=" not in rest[0] else ""
    options = {}
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals:
            raise Illegal(f"{cut(word)!r} is not of the form  option=value", given=word)
        options[key] = value
    made = Combat.create(name, place.key, visitor.key, system, options, game)
    await world.combats.add(made)
    to_teams = "" if game else " to teams"
    visitor.tell(f"Created {made.word} {name} at {place.name}. Add players{to_teams}, and then start {made.subject}.")
    world.people.tell(place.key, f"{visitor.name} has created {made.word} {name} here.", but=visitor)


def _is_self(visitor: Visitor, name: str) -> bool:
    return fold(name) in ("me", visitor.key)


async def _account(visitor: Visitor, name: str) -> Account:
    """The account that a name means, in upper or lower case; only the owner may name another than their own."""
    if _is_self(visitor, name):
        return visitor.account
    await check_owner(visitor, "add or remove others")
    account = await visitor.world.store.account(name)
    if account is None:
        raise Illegal(f"there is no player called {cut(name)!r}", given=name)
    return account


def _check_here(visitor: Visitor, combat: Combat, account: Account) -> None:
    if account.place != combat.place and not (visitor.role == "wizard" and combat.wizards_reach):
        raise Illegal(f"{account.name} is not here", given=account.name)


@subcommand("combat add NAME TEAM", "players", 2, 2)
async def add(visitor: Visitor, words: Words) -> None:
    """Add a player to a team: me, or for the owner another player who is here.

    Your stats come from your attributes (see set_attr). The lasting results of the
    combat are written back when it is ended; until then you cannot join another
    combat of the same system.
    """
    combat = combat_here(visitor)
    account = await _account(visitor, words[0])
    combat.check_setup()
    _check_here(visitor, combat, account)
    stats = stats_of(combat.system, await visitor.world.store.attributes(account.key))
    member = Member(account.name, player_sheet(combat, account.name, stats), account.key, borrowed=bool(combat.game))
    await visitor.world.combats.check_free(combat, [member])
    team = combat.add(member, words[1])
    await carry_out(visitor, combat, Told(news=f"+ {account.name} is added to team {team}"), anew=True)


@subcommand("combat remove NAME [TEAM]", "players", 1, 2)
async def remove(visitor: Visitor, words: Words) -> None:
    """Remove a player from their team: me, or for the owner another player."""
    combat, world = combat_here(visitor), visitor.world
    if _is_self(visitor, words[0]):
        member = combat.roster.of_player(visitor.key)
    else:
        await check_owner(visitor, "add or remove others")
        member = combat.roster.find(words[0])  # not by account: that may be gone
    combat.check_setup()
    if combat.idle_removal and len(words) > 1 and not combat.is_on(member, words[1]):
        account = await _account(visitor, words[0])
        _check_here(visitor, combat, account)
        await carry_out(visitor, combat, Told(news=f"+ {account.name} is removed from team {words[1]}"))
        return
    if member is None and _is_self(visitor, words[0]):
        raise Illegal(f"{visitor.name} is not on a team", given=words[0])
    if member is None:
        member = combat.member(words[0])
    if member.player is None:
        raise Illegal(f"{member.name} is an NPC: use combat remove_npc {member.name}", given=words[0])
    removed = world.people.connected(member.player)
    team = combat.remove(member, words[1] if len(words) > 1 else None)
    text = f"+ {member.name} is removed from team {team}"
    await carry_out(visitor, combat, Told(news=text), anew=True)
    for connection in removed:
        if connection is not visitor and connection not in news.audience(world, combat):
            connection.tell(text, "news")


@subcommand("combat add_npc NAME STATS TEAM", "owner", 3, None)
async def add_npc(visitor: Visitor, words: Words) -> None:
    """Add an NPC to a team.

    STATS names a ready-made fighter of the system, with or without changes, such as
    FIGHTER  or  FIGHTER:KEY=VALUE .
    """
    combat = combat_here(visitor)
    name, team = words[0], words[-1]
    stats = re.sub(r"\s*:\s*", ":", " ".join(words[1:-1])).strip('" ')  # there may be spaces around the colons
    if " " in stats:
        raise misused("combat add_npc NAME STATS TEAM", " ".join(words))
    combat.check_setup()
    team = combat.add(Member(name, npc_sheet(combat, name, stats)), team)
    told = Told(f"Added {name} to team {team}", f"+ {name} is added to team {team}", spared=True)
    await carry_out(visitor, combat, told, anew=True)


@subcommand("combat remove_npc NAME [TEAM]", "owner", 1, 2)
async def remove_npc(visitor: Visitor, words: Words) -> None:
    """Remove an NPC from its team."""
    combat = combat_here(visitor)
    combat.check_setup()
    name, team = words[0], words[1] if len(words) > 1 else None
    member = combat.roster.find(name, combat.exact_names)
    if not (combat.idle_removal and team is not None and not combat.is_on(member, team)):
        member = combat.member(name)
        if member.player is not None:
            raise Illegal(f"{member.name} is a player: use combat remove {member.name}", given=name)
        name, team = member.name, combat.remove(member, team)
    told = Told(f"Removed {name} from team {team}", f"+ {name} is removed from team {team}", spared=True)
    await carry_out(visitor, combat, told, anew=True)


@subcommand("combat start [TEAM ...]", "owner", 0, None)
async def start(visitor: Visitor, words: Words) -> None:
    """Start the combat. Teams that you list move first, in that order.

    If the order of teams matters, the order of the others is drawn. Upper and lower
    case do not matter in names of teams, unless the system's options say so. The
    dice of a server are fair: it shows the hash of their secret now and the secret
    itself when combat ends, and  affray verify  checks the log against both.
    """
    combat = combat_here(visitor)
    told = combat.start(words, visitor.world.dice)
    if combat.fair is not None:
        told.notice = f"* The dice are fair. The SHA-256 of their secret is\n  {combat.fair.commitment}"
    await carry_out(visitor, combat, told, anew=True)
