"""The subcommands of `combat` that set one up: making it, filling its teams, and starting it."""

from __future__ import annotations

import re

from affray.errors import Illegal
from affray.system.schema import cut
from affray.world.actions import creation, fights, parties, seats
from affray.world.commands.combat.registry import Words, here, subcommand
from affray.world.commands.registry import misused
from affray.world.people.visitor import Visitor


@subcommand("combat init NAME [SYSTEM [GAME]] [OPTION=VALUE ...]", creation.create, 1, None)
async def init(visitor: Visitor, words: Words) -> None:
    """Create a combat in this place and own it. A place has at most one combat.

    Without SYSTEM it uses the default system of this world. GAME is the word for a
    game around fights, if the system has one. Options change the rules; some
    systems have profiles, which set several options at once.
    """
    world, place = visitor.world, visitor.here()
    name, *rest = words
    system = rest.pop(0).casefold() if rest and "=" not in rest[0] else world.default_system
    game = rest.pop(0).casefold() if rest and "=" not in rest[0] else ""
    options = {}
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals:
            raise Illegal(f"{cut(word)!r} is not of the form  option=value", given=word)
        options[key] = value
    made = await creation.create(visitor, name, system, options, place=place.key, game=game)
    to_teams = "" if game else " to teams"
    visitor.tell(f"Created {made.word} {name} at {place.name}. Add players{to_teams}, and then start {made.subject}.")


@subcommand("combat add NAME TEAM", seats.add, 2, 2)
async def add(visitor: Visitor, words: Words) -> None:
    """Add a player to a team: me, or for the owner another player who is here.

    Your stats come from your attributes (see set_attr). The lasting results of the
    combat are written back when it is ended; until then you cannot join another
    combat of the same system.
    """
    await seats.add(visitor, here(visitor), words[0], words[1])


@subcommand("combat remove NAME [TEAM]", seats.remove, 1, 2)
async def remove(visitor: Visitor, words: Words) -> None:
    """Remove a player from their team: me, or for the owner another player."""
    await seats.remove(visitor, here(visitor), *words)


@subcommand("combat add_npc NAME STATS TEAM", seats.add_npc, 3, None)
async def add_npc(visitor: Visitor, words: Words) -> None:
    """Add an NPC to a team.

    STATS names a ready-made fighter of the system, with or without changes, such as
    FIGHTER  or  FIGHTER:KEY=VALUE .
    """
    name, team = words[0], words[-1]
    stats = re.sub(r"\s*:\s*", ":", " ".join(words[1:-1])).strip('" ')  # there may be spaces around the colons
    if " " in stats:
        raise misused("combat add_npc NAME STATS TEAM", " ".join(words))
    await seats.add_npc(visitor, here(visitor), name, stats, team)


@subcommand("combat remove_npc NAME [TEAM]", seats.remove_npc, 1, 2)
async def remove_npc(visitor: Visitor, words: Words) -> None:
    """Remove an NPC from its team."""
    await seats.remove_npc(visitor, here(visitor), *words)


@subcommand("combat start [TEAM ...]", fights.start, 0, None)
async def start(visitor: Visitor, words: Words) -> None:
    """Start the combat. Teams that you list move first, in that order.

    If the order of teams matters, the order of the others is drawn. Upper and lower
    case do not matter in names of teams, unless the system's options say so. The
    dice of a server are fair: it shows the hash of their secret now and the secret
    itself when combat ends, and  affray verify  checks the log against both.
    """
    await fights.start(visitor, here(visitor), words)


@subcommand("combat keep KIND NAME [TEAM]", parties.keep_here, 2, 3)
async def keep(visitor: Visitor, words: Words) -> None:
    """Keep a team of this combat as a party, or all of it as an encounter.

    For example:  combat keep party fellowship heroes,  combat keep encounter ambush
    They are kept with the sheets that they brought. What lasts of a fight, such as
    wounds, is written to its parties at combat end. kept lists them, and
    combat use brings them into another combat.
    """
    await parties.keep_here(visitor, here(visitor), *words)


@subcommand("combat use KIND NAME [TEAM]", parties.use, 2, 3)
async def use(visitor: Visitor, words: Words) -> None:
    """Bring a party that you keep into a team, or all seats of an encounter.

    For example:  combat use party fellowship heroes,  combat use encounter ambush
    help combat keep says how to keep them.
    """
    await parties.use(visitor, here(visitor), *words)
