"""The subcommands of `combat` for a storyteller: to overrule a fight, to agree to that, to hand the table over."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from affray.system.status import WIDTH
from affray.world.actions import storytelling
from affray.world.actions.acting import check_owner
from affray.world.combats.storytelling import check_impartial, touchable
from affray.world.commands.combat.registry import Words, here, steady_here, subcommand
from affray.world.people.visitor import Visitor

_VERBS = {"deals": "deal", "ways_out": "leave", "endings": "end"}


@subcommand("combat intervene [WORD ...]", storytelling.intervene, 0, None)
async def intervene(visitor: Visitor, words: Words) -> None:
    """Overrule the fight, as its storyteller.

    set NAME QUANTITY VALUE       give NAME QUANTITY [N]    take NAME QUANTITY [N]
    deal NAME WHAT [N]            skip NAME                 turn NAME
    join TEAM SHEET               leave NAME [HOW]          return NAME
    side NAME TEAM                end HOW                   gather NAME NAME ...

    In secret, so that no one else learns of it:
    hide TEAM SHEET               roll DICE                 note [NAME:] TEXT
    veil NAME                     unveil NAME

    hide keeps a fighter in the wings until  reveal NAME . veil tells what falls for
    an NPC without numbers. The rest is a decision like any other: told to all, kept
    in the log, taken back by combat undo. Choices that are still secret are made
    anew. If you fight yourself, every other side must agree with combat agree.
    Without a word you see what may be touched now.
    """
    if words:
        await storytelling.intervene(visitor, here(visitor), " ".join(words))
        return
    async with steady_here(visitor) as combat:
        await check_owner(visitor, combat, "use intervene")
        check_impartial(combat, visitor.key, "")
        visitor.tell("\n".join(_lines(touchable(combat))))


def _lines(open_now: Mapping[str, Any]) -> list[str]:
    """What may be touched, a paragraph for each fighter."""
    lines: list[str] = []
    for one in open_now["fighters"]:
        known = ", ".join(f"{q['name']} {q['value']} ({q['low']} to {q['high']})" for q in one["quantities"])
        lines += wrap(f"{one['name']}: {known}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    for what in ("deals", "ways_out", "endings"):
        named = [one["name"] if isinstance(one, dict) else one for one in open_now[what]]
        lines += wrap(f"{_VERBS[what]}: {', '.join(named)}", WIDTH, subsequent_indent="  ") if named else []
    return [*lines, *_secrets(open_now)]


def _secrets(open_now: Mapping[str, Any]) -> list[str]:
    """What only the storyteller knows: the wings, veiled dice, rolls and notes."""
    wings, fighters = open_now["wings"], open_now["fighters"]
    told = [f"in the wings, to join {one['team']}: {one['name']}" for one in wings]
    told += [f"veiled: {one['name']}" for one in fighters if one["veiled"]]
    told += open_now["rolls"]
    told += [f"note: {note}" for note in open_now["notes"]]
    told += [f"note on {one['name']}: {note}" for one in (*fighters, *wings) for note in one["notes"]]
    return [part for line in told for part in wrap(line, WIDTH, subsequent_indent="  ")]


@subcommand("combat agree", storytelling.agree)
async def agree(visitor: Visitor, words: Words) -> None:
    """Agree to the intervention that the owner, who fights too, asks for."""
    await storytelling.agree(visitor, here(visitor))


@subcommand("combat appoint NAME", storytelling.appoint, 1, 1)
async def appoint(visitor: Visitor, words: Words) -> None:
    """Make another player the owner of the combat, and so its storyteller.

    The player must take part, watch it, or be here.
    """
    await storytelling.appoint(visitor, here(visitor), words[0])
