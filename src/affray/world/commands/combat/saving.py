"""The subcommands of `combat` that save its state, restore it, and end it with its lasting results for players."""

from __future__ import annotations

from affray.world.actions import creation, fights, places
from affray.world.commands.combat.registry import Words, here, steady_here, subcommand
from affray.world.commands.registry import misused
from affray.world.people.visitor import Visitor


@subcommand("combat save", fights.save)
async def save(visitor: Visitor, words: Words) -> None:
    """Save the current state, to go back to it with combat restore.

    Moves are always saved one by one: if the server fails, nothing is lost.
    """
    await fights.save(visitor, here(visitor))


@subcommand("combat restore", fights.restore)
async def restore(visitor: Visitor, words: Words) -> None:
    """Go back to the saved state, where combat undo would be allowed.

    If all teams must agree, each does so with this command. Players who are not
    connected, or who now fight elsewhere, become NPCs, which the owner moves.
    """
    await fights.restore(visitor, here(visitor))


@subcommand("combat end", fights.end)
async def end(visitor: Visitor, words: Words) -> None:
    """End the combat and remove it with its NPCs, whether or not it is over.

    The lasting results of a fight are written to the players' attributes.
    """
    await fights.end(visitor, here(visitor))


@subcommand("combat fork DECISION NAME", creation.branch, 2, 2)
async def fork(visitor: Visitor, words: Words) -> None:
    """Create a combat that shares the past of this one up to a decision.

    It is at its own table, where you go, and you move all its fighters, except
    those that move by themselves. While the combat is not over this is for its
    owner.
    """
    if not words[0].isdecimal():
        raise misused("combat fork DECISION NAME", " ".join(words))
    async with steady_here(visitor) as combat:
        made = await creation.fork(visitor, combat, combat.phase, int(words[0][:9]), words[1])
    await places.enter(visitor, made.place)
    visitor.tell(f"Created combat {made.name} at {visitor.here().name}.")
