"""Recovery between combats, by the commands that the installed systems have for it."""

from __future__ import annotations

from functools import partial
from typing import Any

from affray.errors import Illegal, unknown
from affray.system.contract import System
from affray.system.registry import find, names
from affray.system.schema import cut
from affray.world.combats.sheets import attributes_of, stats_of, write_back
from affray.world.commands import registry
from affray.world.commands.combat.registry import by_system
from affray.world.commands.registry import Command
from affray.world.people.visitor import Visitor
from affray.world.store.tables import fold


def declare_commands() -> None:
    """Make a command of every word for a recovery that an installed system has, unless it is a command already."""
    words = dict.fromkeys(word for id in names() for word in find(id).recoveries if _able(word))
    for word in words:
        if registry.find(word) is None:
            page = ["Recover between combats.", *by_system(word), "Not while you take part in a combat."]
            run = partial(_recover, word)
            registry.add(Command(word, f"{word} [SYSTEM]", "\n\n".join(page), run, who="players"))


def _able(word: str) -> dict[str, System[Any, Any]]:
    """The systems that have this recovery and can store fighters as attributes of a player."""
    systems = {id: find(id) for id in names()}
    return {
        id: system
        for id, system in systems.items()
        if word in system.recoveries and system.residence is not None and system.residence.writes is not None
    }


async def _recover(word: str, visitor: Visitor, named: str) -> None:
    world = visitor.world
    for place, combat in world.combats.items():
        if visitor.key in combat.players:
            where = world.places[place].name
            problem = f"you cannot {word} while you take part in a combat; yours is at {where} (end it first)"
            raise Illegal(problem, given=word)
    present = await world.store.attributes(visitor.key)
    system = _chosen(word, named, set(present))
    residence = system.residence
    assert residence is not None
    assert residence.writes is not None
    stats = stats_of(system, present)
    sheet, told = system.recoveries[word](residence.player(visitor.name, stats), world.dice())
    await world.store.commit(*write_back(system, visitor.key, present, residence.writes(sheet, stats)))
    visitor.tell("\n".join(told))
    world.people.tell(visitor.here().key, told[0], but=visitor)


def _chosen(word: str, named: str, present: set[str]) -> System[Any, Any]:
    """The system that is meant: the one named, the one whose attributes the player has, or the only one there is."""
    able = _able(word)
    if named:
        if named.casefold() not in able:
            raise Illegal(unknown("system for this", cut(named), able), given=named, allowed=list(able))
        return able[named.casefold()]
    played = [id for id, system in able.items() if present & set(map(fold, attributes_of(system)))] or list(able)
    if len(played) != 1:
        raise Illegal(f"{word} in which system:  {word} {' or '.join(played)}", given=word, allowed=played)
    return able[played[0]]
