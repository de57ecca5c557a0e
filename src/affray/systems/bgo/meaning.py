"""What each move of an encounter means: what is rolled for it, and what may come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.kernel import records
from affray.system.meaning import Meaning
from affray.system.setup import Setup
from affray.systems.bgo.rules import (
    ATTACK,
    DEFEND,
    Encounter,
    armour_class,
    attack_bonus,
    flee_bonus,
    needed_to_hit,
)
from affray.systems.bgo.story import damage_text

if TYPE_CHECKING:
    from affray.systems.bgo.sheets import Sheet


def explain(setup: Setup[Sheet], fight: Encounter, who: int, move: int) -> Meaning:
    """A move in plain words."""
    fighter = fight.fighters[who]
    if move & 3 == ATTACK:
        target = move >> 2
        open_, guarded = (_needed(fight, who, target, stance) for stance in (ATTACK, DEFEND))
        hits = f"Roll 3d6: {open_} or more hits {setup.told_as(target)}, {guarded} or more if it defends."
        return Meaning("Attack", f"{hits} A hit deals {damage_text(fighter)}.", target)
    if move & 3 == DEFEND:
        gains = f"{fight.defend_defense:+} Defense in this round, {fight.defend_attack:+} on your next attack"
        return Meaning("Defend", f"No roll and no damage from you: {gains}.")
    blows = "Blows at your back may still hit" if fight.parting_blow else "No blow reaches you"
    return Meaning("Flee", f"You leave the fight. {blows}, with {flee_bonus(fight, fighter):+} Defense.")


def _needed(fight: Encounter, who: int, target: int, stance: int) -> int:
    """The least 3d6 that hit a target in a stance."""
    foe = records.copy(fight.fighters[target])
    foe.choice = stance
    return needed_to_hit(fight, armour_class(fight, foe) - attack_bonus(fight, fight.fighters[who]))
