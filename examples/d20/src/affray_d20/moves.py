"""The notation: what a player types. The start of a move is enough where only one begins so."""

from typing import Any

from affray.system import Impossible, Setup, standing_foes
from affray_d20.rules import ATTACK, DODGE, FEINT, RECKLESS, Skirmish

WORDS = {ATTACK: "attack", RECKLESS: "reckless", DODGE: "dodge", FEINT: "feint"}


def write_move(setup: Setup[Any], skirmish: Skirmish, who: int, move: int) -> str:
    """A move as text; the target is named where there are several."""
    aimed = move & 3 in (ATTACK, RECKLESS) and len(standing_foes(skirmish, who)) > 1
    return WORDS[move & 3] + (f" {setup.names[move >> 2]}" if aimed else "")


def impossible(setup: Setup[Any], skirmish: Skirmish, who: int) -> list[Impossible]:
    """What is not open to a creature now, and why."""
    feinted = skirmish.due >> who & 1 and skirmish.fighters[who].feinted
    return [Impossible("feint", "the last feint has not been used yet")] if feinted else []
