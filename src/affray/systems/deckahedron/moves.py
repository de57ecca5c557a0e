"""The notation of a fight: what a person types, and the move it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.kernel.state import standing_foes
from affray.system.contract import Impossible
from affray.system.setup import Setup
from affray.systems.deckahedron import rules, tables
from affray.systems.deckahedron.events import WEAPONS
from affray.systems.deckahedron.rules import Fight, can_breathe, weapon

if TYPE_CHECKING:
    from affray.systems.deckahedron.sheets import Sheet

PINNED = "pinned: no moving before the end of this turn"
PLAIN = {
    rules.FALL_BACK: "fall back",
    rules.REARM: "rearm",
    rules.YIELD: "yield",
    rules.RUN: "run",
    rules.WAIT: "wait",
    rules.PAY_STAMINA: "stamina",
    rules.PAY_AFTER_RESHUFFLE: "reshuffle",
    rules.PAY_TOKEN: "token",
    rules.STAY: "stay",
    rules.CHANGE_RANGE: "move",
    rules.SHAKE_OFF: "shake off",
    rules.REGAIN_ANY: "card",
    rules.REGAIN_TOKEN: "token",
    rules.KEEP: "keep",
    rules.RESHUFFLE: "reshuffle",
}
AIMED = {rules.STRIKE: "attack", rules.SHOOT: "shoot", rules.CLOSE_IN: "close"}
SIDES = {
    tables.DEAL_1: "fatigue",
    tables.DEAL_D4: "fatigue",
    tables.DEAL_D4_AND_1: "fatigue",
    tables.DEAL_HARM: "harm",
    tables.DEAL_WOUND: "wound",
    tables.PIN: "pin",
    tables.TAKE_D4: "take",
}
"""The name of each side of a row's choice."""


def write_move(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> str:
    """A move as text; the target is named if there is more than one."""
    kind, about = move & 31, move >> 5
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in AIMED:
        return AIMED[kind] + (f" {setup.names[about]}" if len(standing_foes(fight, who)) > 1 else "")
    if kind == rules.BREAK_AWAY:
        above = [foe for foe in standing_foes(fight, who) if fight.fighters[foe].superior >> who & 1]
        return "break away" + (f" from {setup.names[about]}" if len(above) > 1 else "")
    if kind == rules.BREATHE:
        return f"breathe {'int' if about == rules.INT else 'dex'}"
    if kind == rules.PICK_UP:
        return f"pick up {WEAPONS[about]}"
    if kind == rules.DROP_ITEM:
        return f"drop {WEAPONS[about]}"
    if kind == rules.REGAIN_CARD:
        return f"card {about + 1}"
    return SIDES[fight.either if kind == rules.EITHER else fight.other]


def impossible(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    """What is not open to a fighter now, and why."""
    if not fight.due >> who & 1 or fight.phase not in (rules.ACT, rules.AMBUSH):
        return []
    fighter = fight.fighters[who]
    able = setup.written(fight, who)
    armed = weapon(fighter, rules.RANGED_WEAPON) == rules.HELD
    reasons: dict[str, str] = {}
    foes = standing_foes(fight, who)
    for foe in foes:
        whom = f" {setup.names[foe]}" if len(foes) > 1 else ""
        reasons[f"attack{whom}"] = "too far away: close in first"
        reasons[f"shoot{whom}"] = "no ammo: rearm first" if armed else "no ranged weapon in hand"
        reasons[f"close{whom}"] = "close already" if fighter.near >> foe & 1 else PINNED
    tired = "pinned: no Breather before the end of this turn" if fighter.pinned else "not twice in a row (ruling 22)"
    for stat in ("int", "dex"):
        reasons[f"breathe {stat}"] = "" if can_breathe(fight, fighter) else tired
    beset = any(fighter.near >> foe & 1 for foe in foes)
    reasons["fall back"] = PINNED if beset else "far from all foes already"
    reasons["run"] = PINNED
    reasons["rearm"] = "there is no need to" if armed else "no ranged weapon in hand"
    ambushing = "not before the fight is on" if fight.phase == rules.AMBUSH else ""
    return [
        Impossible(notation, ambushing if ambushing and not notation.startswith(("attack", "shoot")) else reason)
        for notation, reason in reasons.items()
        if notation not in able and (reason or ambushing)
    ]
