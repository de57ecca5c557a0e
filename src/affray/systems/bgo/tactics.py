"""Named ways to fight an encounter, as rules: they decide from the record and their own whim."""

from __future__ import annotations

from affray.kernel.chance import Dice, reaches
from affray.kernel.playing import random_tactic
from affray.kernel.rules import rule
from affray.kernel.state import STANDING
from affray.systems.bgo.abilities import BEWILDER, FIRST_STRIKE
from affray.systems.bgo.rules import DEFEND, FLEE, Encounter, Fighter, attack_on, legal, most_moves, suffered

# In how many of 216 throws 3d6 reach 0, 1, 2, ... 19.
REACHED = (216, 216, 216, 216, 215, 212, 206, 196, 181, 160, 135, 108, 81, 56, 35, 20, 10, 4, 1, 0)


@rule
def weakest_foe(fight: Encounter, who: int) -> int:
    """The standing foe with the least Health; of equals the first."""
    weakest = -1
    least = 0
    team = fight.fighters[who].team
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if foe.team != team and foe.state == STANDING and (weakest < 0 or foe.health < least):
            weakest = other
            least = foe.health
    return weakest


@rule
def policy(fight: Encounter, who: int, whim: Dice) -> int:
    """What the creature's data says: attack, or defend as often as it says. 7."""
    fighter = fight.fighters[who]
    if fighter.defends and not fighter.afflicted & BEWILDER and reaches(whim, 1, 100, 101 - fighter.defends):
        return DEFEND
    return attack_on(weakest_foe(fight, who))


@rule
def always_attack(fight: Encounter, who: int, whim: Dice) -> int:
    """Attack the weakest foe, every round."""
    return attack_on(weakest_foe(fight, who))


@rule
def defend_then_attack(fight: Encounter, who: int, whim: Dice) -> int:
    """Defend until poised, then attack."""
    fighter = fight.fighters[who]
    if fighter.poised or fighter.afflicted & BEWILDER:
        return attack_on(weakest_foe(fight, who))
    return DEFEND


@rule
def rounds_to_defeat(fight: Encounter, attacker: Fighter, defender: Fighter) -> int:
    """About how many thousandths of a round the attacker needs to bring the defender down."""
    damage = 0
    for place in range(attacker.components):
        damage += suffered(defender, attacker.kinds[place], attacker.damage[place])
    needed = fight.armor_base + defender.defense - attacker.attack
    chance = REACHED[min(19, max(0, needed))]
    if damage <= 0 or chance == 0:
        return 10_000_000
    hits = (defender.health + damage - 1) // damage
    return 1000 * 216 * hits // chance


@rule
def cautious(fight: Encounter, who: int, whim: Dice) -> int:
    """Attack while it would win the race of blows against every foe together, otherwise get away."""
    fighter = fight.fighters[who]
    needed = 0
    threat = 0  # shares of this fighter's life lost a round, in millionths
    swift = False
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if foe.team != fighter.team and foe.state == STANDING:
            needed += rounds_to_defeat(fight, fighter, foe)
            threat += 1_000_000_000 // rounds_to_defeat(fight, foe, fighter)
            if foe.abilities & FIRST_STRIKE and not fighter.abilities & FIRST_STRIKE:
                swift = True
    race = needed * threat
    losing = race >= 1_000_000_000 if swift else race > 1_000_000_000
    if losing and fighter.can_flee:
        return FLEE
    if losing and not fighter.poised and not fighter.afflicted & BEWILDER:
        return DEFEND
    return attack_on(weakest_foe(fight, who))


TACTICS = {
    "policy": policy,
    "always-attack": always_attack,
    "defend-then-attack": defend_then_attack,
    "cautious": cautious,
    "random": random_tactic(legal, most_moves),
}
