"""The subcommands of `combat` for spectators, and for reading about it afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import wrap

from affray.errors import Illegal
from affray.fight import Line
from affray.system.schema import cut
from affray.system.status import WIDTH
from affray.world.actions import fights
from affray.world.combats.combats import load
from affray.world.combats.games import Game, exported
from affray.world.commands.combat.registry import Words, here, steady_here, subcommand
from affray.world.people.visitor import Visitor

LAST_LINES = 20


@subcommand("combat log [NUMBER] [all|file]", "players", 0, 2)
async def log(visitor: Visitor, words: Words) -> None:
    """Read what has happened: the last lines, all of them, or the log as a file.

    Give the number of a combat that has ended. Put what  file  prints into a file:
    affray verify FILE  then checks every move, and once combat has ended every die.
    """
    if not words or not words[0].isdecimal():
        async with steady_here(visitor) as combat:
            full = combat.is_overseen_by(visitor.key, visitor.role)
            visitor.tell(log_text(combat.running(), words, ended=False, full=full))
        return
    row = await visitor.world.store.combat(int(words[0][:9]))
    if row is None or row.log is None:
        raise Illegal(f"there is no combat {words[0][:9]} with a log", given=words[0])
    old = await load(visitor.world.store, row)
    visitor.tell(log_text(old.running(), words[1:], ended=row.phase == "ended"))


def log_text(fight: Game, words: Sequence[str], *, ended: bool, full: bool = False) -> str:
    """The last lines of a fight's story, all of them, or its log as one line of JSON; `full` with all numbers."""
    wanted = words[0].casefold() if words else ""
    lines = [line.full if full and isinstance(line, Line) else line.text for line in fight.lines]
    match wanted:
        case "":
            skipped = len(lines) - LAST_LINES
            return "\n".join([f"({skipped} lines before)"] * (skipped > 0) + lines[-LAST_LINES:])
        case "all":
            return "\n".join(lines)
        case "file":
            return json.dumps(exported(fight, ended=ended), separators=(",", ":"))
    raise Illegal(f"combat log takes  all  or  file , not {words[0][:40]!r}", allowed=["all", "file"])


@subcommand("combat why [LINE]", "everybody", 0, 1)
async def why(visitor: Visitor, words: Words) -> None:
    """See the rules behind what happened last, or behind a line of the log."""
    async with steady_here(visitor) as combat:
        game = combat.running()
    last = len(game.lines)
    if words and not (words[0].isdecimal() and len(words[0]) < 10 and 1 <= int(words[0]) <= last):
        raise Illegal(f"the line must be 1 to {last}, not {cut(words[0])!r}", given=words[0])
    asked = [n for n in range(last) if game.lines[n].decision == game.lines[-1].decision]
    told: dict[str, str] = {}
    for n in [int(words[0]) - 1] if words else asked:
        new = [ruling for ruling in game.why(n) if ruling.id not in told]
        told |= {ruling.id: f"{ruling.id}: {ruling.text} ({ruling.source})" for ruling in new}
        visitor.tell("\n".join([game.lines[n].text, *(_indented(told[ruling.id]) for ruling in new)]))


def _indented(text: str) -> str:
    return "\n".join(wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      "))


@subcommand("combat watch", fights.watch)
async def watch(visitor: Visitor, words: Words) -> None:
    """Watch the combat: you see what its players see.

    You watch until you leave the place or type combat unwatch.
    """
    await fights.watch(visitor, here(visitor))


@subcommand("combat unwatch", fights.unwatch)
async def unwatch(visitor: Visitor, words: Words) -> None:
    """Stop watching."""
    await fights.unwatch(visitor, here(visitor))
