"""What can be typed after `combat`: each subcommand with who may use it and its page of help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from inspect import cleandoc
from textwrap import wrap
from typing import Any

from affray.errors import Forbidden, Illegal, listing, unknown
from affray.system import registry as systems
from affray.system.adventures import Adventure
from affray.system.contract import System
from affray.system.schema import cut
from affray.world.combats import autoplay, news
from affray.world.combats.combat import WIDTH, Combat, Told
from affray.world.combats.roster import Member
from affray.world.combats.sheets import attributes_of
from affray.world.commands.registry import Command, Who, command, misused
from affray.world.people.visitor import Visitor
from affray.world.store import Overtaken
from affray.world.store.statements import Change

Words = list[str]
Run = Callable[[Visitor, Words], Awaitable[None]]
ATTEMPTS = 5  # if other processes change the same combat at the same time


SUBCOMMANDS: dict[str, Command] = {}
ALIASES = {"m": "move", "mn": "move_npc", "load": "restore"}


def subcommand(usage: str, who: Who, fewest: int = 0, most: int | None = 0) -> Callable[[Run], None]:
    """Make a function a subcommand: the second word of `usage` is its name, its docstring its page of help."""

    def declare(run: Run) -> None:
        name = usage.split()[1]
        also = tuple(f"combat {alias}" for alias, of in ALIASES.items() if of == name)
        SUBCOMMANDS[name] = Command(name, usage, cleandoc(run.__doc__ or ""), run, also, who, fewest, most)

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
        "auto": list(system.tactics),
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

    More: remove, remove_npc, save, restore, auto, manual, offer, take, leave, odds,
    undo, log, why, watch, unwatch. help combat COMMAND explains each of them.
    """
    words = rest.split()
    if not words:
        raise Illegal(f"combat needs a command: {', '.join(sorted(SUBCOMMANDS))}", allowed=sorted(SUBCOMMANDS))
    await obey(visitor, words[0], words[1:])


async def obey(visitor: Visitor, word: str, words: Words) -> None:
    """Carry out a subcommand."""
    found = find(word)
    if len(words) < found.fewest or (found.most is not None and len(words) > found.most):
        if found.who == "everybody" or visitor.role != "guest":
            raise misused(found.usage, " ".join(words))
    await take_part(visitor, found.name, found.who, lambda: found.run(visitor, words))


async def take_part(visitor: Visitor, what: str, who: Who, run: Callable[[], Awaitable[None]]) -> None:
    """Run a subcommand on the combat at a visitor's place, if they may: one at a time; then computer fighters move."""
    combats = visitor.world.combats
    if who != "everybody" and visitor.role == "guest":
        raise Forbidden(f"guests can only watch; combat {what} is for players", given=what)
    place = visitor.here()
    async with combats.locks[place.key]:
        # While this line waited, another connection of the same account may have walked.
        if visitor.here().key != place.key:
            raise Illegal(f"you have left {place.name} in the meantime", given=place.name)
        for remaining in reversed(range(ATTEMPTS)):
            await combats.refresh(place.key)
            if who == "owner":
                await check_owner(visitor, f"use {what}")
            try:
                await run()
                break
            except Overtaken:  # by another process; what is asked for may still be possible
                if not remaining:
                    raise
        present = combats.get(place.key)
        if present is not None and await autoplay.play(visitor.world, present):
            autoplay.play_on(visitor.world, present)


async def carry_out(
    visitor: Visitor, combat: Combat, told: Told, *changes: Change, before: Iterable[Member] = (), **parts: bool
) -> None:
    """Store what a subcommand has changed (`parts` as `Combats.store` takes them), and then tell everyone."""
    await visitor.world.combats.store(combat, *changes, **parts)
    news.spread(visitor.world, combat, told, visitor, before)


def combat_here(visitor: Visitor) -> Combat:
    """The combat where a visitor is; if there is none, the error says where theirs are."""
    place, world = visitor.here(), visitor.world
    if place.key in world.combats:
        return world.combats[place.key]
    elsewhere = [combat for combat in world.combats.values() if visitor.key in combat.players]
    where = " and ".join(f"{combat.name} is at {world.places[combat.place].name}" for combat in elsewhere)
    hint = where or "`combat init NAME` creates one"
    raise Illegal(f"there is no combat at {place.name}; {hint}", given=place.name)


async def check_owner(visitor: Visitor, what: str, of: Combat | None = None) -> None:
    """Refuse visitors who are neither wizards nor the owner of a combat, by default the one here."""
    combat = of or combat_here(visitor)
    if visitor.key != combat.owner and visitor.role != "wizard":
        owner = await visitor.world.store.account(combat.owner)
        called = owner.name if owner else combat.owner
        raise Forbidden(f"only the owner of {combat.name}, {called}, and wizards may {what}", given=what)
