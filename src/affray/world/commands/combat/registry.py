"""What can be typed after `combat`: each subcommand with who may use it and its page of help."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from inspect import cleandoc
from textwrap import wrap
from typing import Any

from affray.errors import Illegal, listing, unknown
from affray.players.levels import known_players
from affray.system import registry as systems
from affray.system.adventures import Adventure
from affray.system.contract import System
from affray.system.schema import cut
from affray.system.status import WIDTH
from affray.world.actions.acting import At, check_role_in_fight, combat_at
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.sheets import attributes_of
from affray.world.commands.registry import Command, Does, command, misused
from affray.world.people.visitor import Visitor

Words = list[str]
Run = Callable[[Visitor, Words], Awaitable[None]]
SUBCOMMANDS: dict[str, Command] = {}
ALIASES = {"m": "move", "mn": "move_npc", "load": "restore"}


def subcommand(usage: str, does: Does, fewest: int = 0, most: int | None = 0) -> Callable[[Run], None]:
    """Make a function a subcommand: the second word of `usage` is its name, its docstring its page of help."""

    def declare(run: Run) -> None:
        name = usage.split()[1]
        also = tuple(f"combat {alias}" for alias, of in ALIASES.items() if of == name)
        SUBCOMMANDS[name] = Command(name, usage, cleandoc(run.__doc__ or ""), run, also, does, fewest, most)

    return declare


def find(word: str) -> Command:
    """The subcommand that a word means, in upper or lower case."""
    name = ALIASES.get(word.casefold(), word.casefold())
    if name not in SUBCOMMANDS:
        raise Illegal(
            unknown("combat command", word, sorted(SUBCOMMANDS)), given=cut(word), allowed=sorted(SUBCOMMANDS)
        )
    return SUBCOMMANDS[name]


def page_of(word: str) -> str:
    """The page of help of a subcommand."""
    found = find(word)
    return found.full_page(*by_system(found.name))


def by_system(name: str) -> list[str]:
    """What the installed systems say about a command, a paragraph each."""
    known = {id: _said(systems.find(id), name) for id in systems.names()}
    return [f"In {id}:\n{text}" for id, text in known.items() if text]


def _said(system: System[Any, Any], name: str) -> str:
    listed = {
        "init": [
            system.summary,
            *(f"profile={profile}" for profile in system.profiles),
            *(f"GAME {one.word}: {one.summary}" for one in system.abilities_of(Adventure)),
        ],
        "add": [f"{attribute}[{type}]" for attribute, type in attributes_of(system).items()],
        "add_npc": [id for group in system.catalogue().values() for id in group],
        "auto": [*system.tactics, *known_players(system)],
    }
    own = system.residence.help.get(name, "") if system.residence else ""
    return "\n".join([*wrap(listing(listed.get(name, [])), WIDTH), *[own] * bool(own)])


@command("combat ...", "c")
async def combat(visitor: Visitor, rest: str) -> None:
    """Fight: set up a combat, move in it, watch it.

    combat init NAME         create one here; you are its owner
    combat add me TEAM       join it
    combat add_npc NAME STATS TEAM
    combat start [TEAM ...]  begin; teams move in the order listed
    combat status            see it
    combat move MOVE         make a move (c m MOVE)
    combat move_npc NAME MOVE  (c mn NAME MOVE)
    combat end               end and remove it

    More: keep, use, group, move_group, remove, remove_npc, save, restore, auto,
    manual, offer, withdraw, take, hand, accept, refuse, leave, odds, hint, undo,
    resign, draw, decline, default, rematch, fork, log, why, watch, unwatch,
    intervene, agree, appoint.
    help combat COMMAND explains each of them.
    """
    words = rest.split()
    if not words:
        raise Illegal(f"combat needs a command: {', '.join(sorted(SUBCOMMANDS))}", allowed=sorted(SUBCOMMANDS))
    await obey(visitor, words[0], words[1:])


async def obey(visitor: Visitor, word: str, words: Words) -> None:
    """Carry out a subcommand."""
    found = find(word)
    check_role_in_fight(visitor, found.who, found.name)
    if len(words) < found.fewest or (found.most is not None and len(words) > found.most):
        raise misused(found.usage, " ".join(words))
    await found.run(visitor, words)
    combat = visitor.world.combats.get(visitor.place.key) if visitor.place else None
    if combat is not None and autoplay.is_due(combat):  # computer fighters who could not move before try again
        autoplay.play_on(visitor.world, combat)


def here(visitor: Visitor) -> At:
    """The combat where a visitor is."""
    return At(visitor.here().key)


@asynccontextmanager
async def steady_here(visitor: Visitor) -> AsyncIterator[Combat]:
    """The combat where a visitor is, as it is stored; nothing changes it meanwhile."""
    place, combats = visitor.here().key, visitor.world.combats
    async with combats.locks[place]:
        await combats.refresh(place)
        yield combat_at(visitor, place)
