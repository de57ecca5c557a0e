"""The sheets that players and NPCs bring into a combat, and the attributes that keep what lasts of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid
from affray.system.contract import System
from affray.system.schema import cut
from affray.world.combats.roster import LONGEST_NAME
from affray.world.store.attributes import Attribute, parse
from affray.world.store.statements import Change, set_attribute
from affray.world.store.tables import fold

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat


def attributes_of(system: System[Any, Any]) -> Mapping[str, str]:
    """The attributes that a player needs for a system, with their types.

    A system that says nothing about attributes takes one, `SYSTEM_sheet`: any sheet that its fights take.
    """
    return system.residence.attributes if system.residence else {f"{system.id}_sheet": "STRING"}


def stats_of(system: System[Any, Any], present: Mapping[str, Attribute]) -> dict[str, object]:
    """The values of a player's attributes, under the system's own spelling of their names."""
    spelling = {fold(name): name for name in attributes_of(system)}
    return {spelling.get(key, attribute.name): attribute.value for key, attribute in present.items()}


def enlisted(combat: Combat, spec: str | Mapping[str, object], name: str | None = None) -> dict[str, Any]:
    """The sheet that a spec asks for as plain values, under a name of its own if it is given one."""
    if combat.adventure is not None:
        return combat.adventure.playing.enlist(spec, name)
    system = combat.system
    table = system.as_table(system.enlist(spec, files=False))
    return system.as_table(system.enlist({**table, "name": name}, files=False)) if name else table


def player_sheet(combat: Combat, name: str, stats: Mapping[str, object]) -> dict[str, Any]:
    """The sheet in a player's attributes; a game around fights has a default for players without one."""
    system, adventure = combat.system, combat.adventure
    if adventure is not None and system.residence is None and not set(attributes_of(system)) & set(stats):
        return enlisted(combat, adventure.sheet, name)
    own = own_sheet(system, name, stats)
    return own if isinstance(own, dict) and adventure is None else enlisted(combat, own, name)


def own_sheet(system: System[Any, Any], name: str, stats: Mapping[str, object]) -> dict[str, Any] | str:
    """What a player's attributes say about their sheet: its table, or a spec that a fight takes."""
    if system.residence is not None:
        return system.as_table(system.residence.player(name, stats))
    (attribute,) = attributes_of(system)
    if attribute not in stats:
        example = next(iter(next(iter(system.demonstration.values()))))
        raise Invalid(
            f"{name} has no attribute {attribute}[STRING]; it takes a sheet such as {example}", given=attribute
        )
    return str(stats[attribute])


def npc_sheet(combat: Combat, name: str, stats: str) -> dict[str, Any]:
    """The sheet of an NPC: from the system's own string of stats, or any sheet that its fights accept."""
    if fold(name) == "me":
        raise Invalid(f"an NPC cannot be called {name!r}: players refer to themselves that way", given=name)
    if len(name) > LONGEST_NAME:
        raise Invalid(f"the name {cut(name)!r} is too long; it must be 1 to {LONGEST_NAME} characters", given=name)
    residence = combat.system.residence
    if residence is not None and combat.adventure is None and ":" in stats and "=" not in stats:
        return combat.system.as_table(residence.npc(name, stats))
    return enlisted(combat, stats, name)


def write_back(
    system: System[Any, Any], account: str, present: Mapping[str, Attribute], values: Mapping[str, object]
) -> list[Change]:
    """The statements that give attributes of an account their new values, in the types that the system wants."""
    types = attributes_of(system)
    return [set_attribute(account, parse(f"{name}[{types[name]}]={value}", present)) for name, value in values.items()]
