"""The subcommands of `combat` for those who look on, and for those who read about it afterwards."""

from __future__ import annotations

from affray.errors import Illegal
from affray.world.combats import export
from affray.world.combats.combats import load
from affray.world.commands.combat.registry import Words, combat_here, subcommand
from affray.world.people.visitor import Visitor


@subcommand("combat log [NUMBER] [all|file]", "players", 0, 2)
async def log(visitor: Visitor, words: Words) -> None:
    """Read what has happened: the last lines, all of them, or the log as a file.

    A combat that has ended is called by its number. What  file  prints goes into a
    file;  affray verify FILE  then checks every move, and once combat has ended
    every die.
    """
    if not words or not words[0].isdecimal():
        visitor.tell(export.log_text(combat_here(visitor).running(), words, ended=False))
        return
    row = await visitor.world.store.combat(int(words[0][:9]))
    if row is None or row.log is None:
        raise Illegal(f"there is no log of a combat {words[0][:9]}", given=words[0])
    old = await load(visitor.world.store, row)
    visitor.tell(export.log_text(old.running(), words[1:], ended=row.phase == "ended"))


@subcommand("combat watch", "everybody")
async def watch(visitor: Visitor, words: Words) -> None:
    """Be told everything that is told to those who take part.

    That lasts until you leave the place or type combat unwatch.
    """
    combat = combat_here(visitor)
    combat.watchers.add(visitor.key)
    visitor.tell(f"You are watching {combat.name}.\n{combat.status(visitor.key)}")


@subcommand("combat unwatch", "everybody")
async def unwatch(visitor: Visitor, words: Words) -> None:
    """Look away again."""
    combat = combat_here(visitor)
    if visitor.key not in combat.watchers:
        raise Illegal(f"you are not watching {combat.name}")
    combat.watchers.discard(visitor.key)
    visitor.tell(f"You are no longer watching {combat.name}.")
