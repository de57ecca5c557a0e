"""Lists in words: the installed systems, and the rules, sheets and items of a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from affray.system.abilities import Things
from affray.system.contract import System
from affray.system.registry import find, names
from affray.system.schema import Option, Ruling
from affray.system.sheets import Sheet


@dataclass(frozen=True)
class Rules:
    """A system's rules in words, and the options that change them."""

    system: str
    title: str
    rulings: tuple[Ruling, ...]
    options: tuple[Option, ...]
    profiles: Mapping[str, Mapping[str, object]]


def systems() -> list[str]:
    """The ids of all installed combat systems."""
    return names()


def rules(system: str) -> Rules:
    """The rules, rulings and options of a system."""
    found = find(system)
    return Rules(found.id, found.title, tuple(found.rulings().values()), found.all_options, found.profiles)


def sheets(system: str) -> dict[str, dict[str, Sheet]]:
    """The combatants that come with a system, by kind and id."""
    return {kind: dict(known) for kind, known in find(system).catalogue().items()}


def get_system(id: str) -> System[Any, Any]:
    """The combat system of an id, to fight by its rules, or to make another one of it."""
    return find(id)


UNSHOWN = ("ready", "id", "name", "kind")
"""Keys that a list of sheets leaves out."""


class Entry(NamedTuple):
    """An entry of the list of what comes with a system."""

    id: str
    name: str
    line: str
    table: Mapping[str, object]


def entries(system: System[Any, Any]) -> dict[str, list[Entry]]:
    """All that comes with a system by kind: fighters and items."""
    known: dict[str, list[Entry]] = {}
    for kind, fighters in system.catalogue().items():
        known[kind] = []
        for id, sheet in fighters.items():
            table = system.as_table(sheet)
            known[kind].append(Entry(id, sheet.name, system.signed(summary(table)), table))
    things = system.ability(Things)
    for kind, own in (things.known() if things else {}).items():
        assert things is not None
        known[kind] = [Entry(id, thing.name, things.described(thing), thing.as_table()) for id, thing in own.items()]
    return known


def summary(table: Mapping[str, object]) -> str:
    """A sheet in a line: its values that are not empty, as short as possible."""
    parts = []
    for key, value in table.items():
        if key in UNSHOWN or key.startswith("max_") or not value or value is True:
            continue
        some = {k: v for k, v in value.items() if v} if isinstance(value, Mapping) else value
        parts.append(f"{key.replace('_', ' ')} {in_words(some)}")
    return "; ".join(parts)


def in_words(value: object) -> str:
    """A value of a sheet in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{key.replace('_', ' ')} {_part(part)}" for key, part in value.items()) or "none"
        case list() | tuple():
            return ", ".join(in_words(item) for item in value) or "none"
    return str(value)


def _part(value: object) -> str:
    return f"({in_words(value)})" if isinstance(value, Mapping) else in_words(value)
