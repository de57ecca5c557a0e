"""The subcommands of `combat` that keep its state and go back to it."""

from __future__ import annotations

from affray.world.combats import news
from affray.world.commands.combat.registry import Words, combat_here, subcommand
from affray.world.people.visitor import Visitor
from affray.world.store import statements


@subcommand("combat save", "owner")
async def save(visitor: Visitor, words: Words) -> None:
    """Keep the present state, to come back to it by combat restore.

    Moves are kept in any case, one by one: a failure of the server loses nothing.
    """
    combat = combat_here(visitor)
    told = combat.save()
    await visitor.world.combats.store(combat, statements.change_combat(combat.number, saved=combat.saved))
    news.spread(visitor.world, combat, told, visitor, combat.awaited())


@subcommand("combat restore", "owner")
async def restore(visitor: Visitor, words: Words) -> None:
    """Go back to the saved state.

    Players who are not connected become NPCs, which you move. The dice come back
    as they do with combat undo.
    """
    combat = combat_here(visitor)
    told = combat.restore(visitor.world.people.is_active)
    await visitor.world.combats.store(combat, anew=True)
    news.spread(visitor.world, combat, told, visitor)
