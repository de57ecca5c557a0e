"""What lasts of a fight, Health and death, and the board rounds that mend both. Numbers are rulings."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Invalid
from affray.kernel.chance import Dice
from affray.system.schema import settle
from affray.system.telling import counted
from affray.systems.bgo.rules import DEAD, Encounter
from affray.systems.bgo.sheets import OPTIONS, Sheet

DEATH_ROUNDS = int(settle(OPTIONS, {})["death_rounds"])
REST = int(settle(OPTIONS, {})["rest_heal"])


def after_fight(fight: Encounter, who: int, sheet: Sheet) -> Sheet:
    """The sheet as the fight has left it: Health, or how long a dead player is dead. 8, 9."""
    fighter = fight.fighters[who]
    if sheet.kind == "creature":  # every creature comes fresh
        return sheet
    if fighter.state == DEAD:
        return replace(sheet, health=sheet.max_health, misses=DEATH_ROUNDS or None)
    return replace(sheet, health=fighter.health)


def board_round(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """One board round without a fight: a dead player is a round nearer to coming back, a living one heals. 8, 10."""
    if sheet.kind == "creature":
        raise Invalid(f"{sheet.name} is a creature, and every creature comes fresh", given=sheet.name)
    if sheet.misses:
        left = sheet.misses - 1
        still = f"is dead for {counted(left, 'more board round')}" if left else f"is back with {sheet.health} Health"
        return replace(sheet, misses=left), [f"{sheet.name} {still}."]
    health = min(sheet.max_health, sheet.health + REST)
    return replace(sheet, health=health), [f"{sheet.name} rests and has {health} of {sheet.max_health} Health."]
