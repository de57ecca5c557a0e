"""Games around fights in a world: a command for each that an installed system has, made of those of `combat`."""

from __future__ import annotations

from functools import partial

from affray.errors import Illegal
from affray.system.adventures import Adventure
from affray.system.registry import find, names
from affray.world.commands import registry
from affray.world.commands.combat.registry import SUBCOMMANDS, obey
from affray.world.commands.registry import Command
from affray.world.people.visitor import Visitor

PAGE = """{summary}

{word} init NAME [OPTION=VALUE ...]   create one here; you are its owner
{word} join                 take part, before it starts
{word} add_npc NAME SHEET   add a player that you move
{word} auto NAME TACTIC     let the computer move that player
{word} start                begin
{word} move ANSWER          answer the question ({word} m ANSWER)
{word} leave                let a computer player take over for you
{word} end                  end and remove it

The other commands work as in combat: status, log, why, odds, watch, unwatch,
move_npc, manual, offer, take. Every answer is saved at once and cannot be taken
back. Your sheet is your attribute {system}_sheet[STRING], or {sheet}."""


def declare_commands() -> None:
    """Make a command of every game around fights that an installed system has, unless it is a command already."""
    for id in names():
        for adventure in find(id).abilities_of(Adventure):
            if registry.find(adventure.word) is None:
                page = PAGE.format(**vars(adventure), system=id)
                run = partial(_obey, id, adventure)
                registry.add(Command(adventure.word, f"{adventure.word} ...", page, run))


async def _obey(system: str, adventure: Adventure, visitor: Visitor, rest: str) -> None:
    """Do what the subcommand of `combat` does; what goes without saying in this game is filled in."""
    word, *words = rest.split() or [""]
    match word.casefold():
        case "":
            known = sorted({"join", *SUBCOMMANDS})
            raise Illegal(f"{adventure.word} needs a command: {', '.join(known)}", allowed=known)
        case "init":
            words[1:1] = [system, adventure.word] if words else []
        case "join":
            word, words = "add", ["me", adventure.side]
        case "add" if len(words) == 1:
            words.append(adventure.side)
        case "add_npc" if len(words) == 2:
            words.append(adventure.side)
    await obey(visitor, word, words)
