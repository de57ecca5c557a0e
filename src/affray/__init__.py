"""Affray: tabletop fights as software. Five combat systems on one engine."""

from __future__ import annotations

from affray.errors import Illegal, Invalid, MissingExtra, Refused

TYPE_CHECKING = False  # as checkers take it by its name: `typing` is a quarter of what a small command imports
if TYPE_CHECKING:
    from typing import Any

    from affray.fight import Fight, Line, Move
    from affray.fight.saving import verify
    from affray.kernel.chance import Fair, Hand, Scripted, Seeded
    from affray.kernel.exact import Exact
    from affray.lab.odds import Odds, odds
    from affray.lab.simulate import Simulation, simulate
    from affray.lab.solving import Solution, solve
    from affray.system.contract import System
    from affray.system.listing import get_system, rules, sheets, systems
    from affray.system.registry import register
    from affray.system.setup import Setup
    from affray.systems.bgo.journey import Journey

__version__ = "0.1.0"

# Loaded when first asked for, so that a small command does not wait for a large part.
_HOMES = {
    "Fight": "affray.fight",
    "Line": "affray.fight",
    "Move": "affray.fight",
    "Seeded": "affray.kernel.chance",
    "Fair": "affray.kernel.chance",
    "Scripted": "affray.kernel.chance",
    "Hand": "affray.kernel.chance",
    "Exact": "affray.kernel.exact",
    "System": "affray.system.contract",
    "Odds": "affray.lab.odds",
    "odds": "affray.lab.odds",
    "Journey": "affray.systems.bgo.journey",
    "verify": "affray.fight.saving",
    "Simulation": "affray.lab.simulate",
    "simulate": "affray.lab.simulate",
    "Solution": "affray.lab.solving",
    "solve": "affray.lab.solving",
    "Setup": "affray.system.setup",
    "get_system": "affray.system.listing",
    "register": "affray.system.registry",
    "rules": "affray.system.listing",
    "sheets": "affray.system.listing",
    "systems": "affray.system.listing",
}

__all__ = [
    "Exact",
    "Fair",
    "Fight",
    "Hand",
    "Illegal",
    "Invalid",
    "Journey",
    "Line",
    "MissingExtra",
    "Move",
    "Odds",
    "Refused",
    "Scripted",
    "Seeded",
    "Setup",
    "Simulation",
    "Solution",
    "System",
    "get_system",
    "odds",
    "register",
    "rules",
    "sheets",
    "simulate",
    "solve",
    "systems",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'affray' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
