"""The combat systems there are: installed as entry points, named by AFFRAY_SYSTEMS, or registered by a program."""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from affray.errors import Invalid, unknown
from affray.system.contract import System

GROUP = "affray.systems"
NAMED_BY = "AFFRAY_SYSTEMS"  # handed down to worker processes, which a call of `register` need not be
_registered: dict[str, System[Any, Any]] = {}


def register(system: System[Any, Any]) -> System[Any, Any]:
    """Make a system known by its id to everything that looks one up, save files included; returns it."""
    if system.id in _entry_points():
        raise Invalid(f"an installed system is called {system.id!r} already", given=system.id)
    _registered[system.id] = system
    return system


def names() -> list[str]:
    """The ids of all systems."""
    return sorted({*_entry_points(), *_registered})


def find(id: str) -> System[Any, Any]:
    """The system of that id."""
    return _registered.get(id) or _loaded(id)


def is_known(system: System[Any, Any]) -> bool:
    """Whether looking up the system's id gives this very system."""
    return system.id in names() and find(system.id) is system


@cache
def _loaded(id: str) -> System[Any, Any]:
    points = _entry_points()
    if id not in points:
        raise Invalid(unknown("combat system", id, names()), given=id, allowed=names())
    try:
        system = points[id].load()
    except (ImportError, AttributeError) as problem:
        raise Invalid(f"the system {id!r} cannot be loaded from {points[id].value!r}: {problem}", given=id) from problem
    if not isinstance(system, System):
        raise Invalid(f"the entry point {id!r} of {GROUP} is a {type(system).__name__}, not an affray System", given=id)
    return system


@cache
def _entry_points() -> dict[str, EntryPoint]:
    named = (each.partition("=") for each in os.environ.get(NAMED_BY, "").split())
    points = {name: EntryPoint(name, value, GROUP) for name, _, value in named}
    return {**points, **{point.name: point for point in entry_points(group=GROUP)}}
