"""The turns of one account over all combats: those first whose time runs out first."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affray.world.combats.listing import Listed

if TYPE_CHECKING:
    from affray.world.world import World

UNITS = (("day", 24 * 3600), ("hour", 3600), ("minute", 60))


@dataclass(frozen=True)
class Turn:
    """A combat that waits for an account: for its own fighter, or for those whom it moves as the owner."""

    combat: Listed
    fighters: list[str]
    left: float | None
    """The seconds that are left by correspondence."""


def turns_of(world: World, account: str) -> list[Turn]:
    """The combats that wait for an account."""
    found = [turn for combat in world.combats.values() if (turn := turn_in(combat, account)) is not None]
    return sorted(found, key=lambda turn: (math.inf if turn.left is None else turn.left, turn.combat.number))


def turn_in(combat: Listed, account: str) -> Turn | None:
    """The turn of an account in a combat, if that waits for it."""
    if not account or combat.phase != "running" or (account != combat.owner and account not in combat.players):
        return None
    waiting = [one for one in combat.awaited() if not one.tactic and account == (one.player or combat.owner)]
    moments = [one.until for one in waiting if one.until is not None]
    left = max(0.0, min(moments) - time.time()) if moments else None
    return Turn(combat, [one.name for one in waiting], left) if waiting else None


def in_words(left: float) -> str:
    """Seconds that are left, as people say them: `2 days 3 hours`."""
    said = []
    for unit, size in UNITS:
        number, left = divmod(int(left), size)
        said += [f"{number} {unit}{'s' if number > 1 else ''}"] if number else []
    return " ".join(said[:2]) or "less than a minute"
