"""The known combat systems: installed as entry points, named by AFFRAY_SYSTEMS, or registered by a program."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from affray import plugins
from affray.errors import Invalid, unknown
from affray.system.contract import System

_registered: dict[str, System[Any, Any]] = {}


def register(system: System[Any, Any]) -> System[Any, Any]:
    """Make a system known by its id to everything that looks one up, save files included; returns it."""
    if system.id in plugins.systems():
        raise Invalid(f"there is already an installed system {system.id!r}", given=system.id)
    _registered[system.id] = system
    return system


def names() -> list[str]:
    """The ids of all systems."""
    return sorted({*plugins.systems(), *_registered})


def find(id: str) -> System[Any, Any]:
    """The system of that id."""
    return _registered.get(id) or _loaded(id)


def is_known(system: System[Any, Any]) -> bool:
    """Whether looking up the system's id gives this system itself."""
    return system.id in names() and find(system.id) is system


@cache
def _loaded(id: str) -> System[Any, Any]:
    if id not in plugins.systems():
        raise Invalid(unknown("combat system", id, names()), given=id, allowed=names())
    place = plugins.systems()[id]
    module, _, name = place.partition(":")
    try:
        system = getattr(import_module(module), name)
    except (ImportError, AttributeError) as problem:
        raise Invalid(f"the system {id!r} cannot be loaded from {place!r}: {problem}", given=id) from problem
    if not isinstance(system, System):
        kind = type(system).__name__
        raise Invalid(f"the entry point {id!r} of {plugins.GROUP} is a {kind}, not an affray System", given=id)
    return system
