"""What is there: the installed systems, the rules of one, the sheets of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
