"""How many coins somebody flips, for everything that is flipped for. Ids in comments are rulings."""

from __future__ import annotations

from affray.kernel.rules import rule
from affray.systems.strategic.arms import (
    ARMOUR_PENALTY,
    ARMOUR_VALUE,
    BLUDGEON,
    DAMAGE,
    EDGED,
    HELD,
    KIND,
    LETHALITY,
    RANGED,
    WEIGHT,
)
from affray.systems.strategic.state import (
    BRACE_DEFENCE,
    BRACE_SOAK,
    CRIPPLE,
    DISARM,
    DISARM_ATTACK,
    DODGE,
    DODGE_DEFENCE,
    GAP,
    GAP_ATTACK,
    GUARDED,
    GUARDED_ATTACK,
    INCAPACITATE,
    INITIATIVE_BASE,
    JAB,
    JAB_ATTACK,
    JAB_POOLS,
    LEARNED,
    MAIM,
    MAIM_ATTACK,
    MAIM_CRIPPLE,
    MAIM_OTHERS,
    PARRY,
    PARRY_DEFENCE,
    POWER,
    POWER_ATTACK,
    POWER_POOLS,
    PULL,
    PULL_ATTACK,
    STAND_DOWN_DEFENCE,
    STANDING,
    THREATEN,
    Fight,
    Fighter,
)


@rule
def rounded_third(thirds: int) -> int:
    """A number of thirds as a whole number, halves up."""
    return (2 * thirds + 3) // 6


@rule
def effective_agility(fighter: Fighter) -> int:
    """Agility less what the armour takes."""
    return max(0, fighter.agility - ARMOUR_PENALTY[fighter.armour])


@rule
def combat_thirds(fighter: Fighter) -> int:
    """Combat points with the weapon in hand, in thirds. abilities."""
    kind = KIND[fighter.weapon]
    thirds = 3 * fighter.training
    if kind != RANGED:
        thirds += fighter.strength
    if kind == BLUDGEON:
        thirds += fighter.strength
    if kind in (EDGED, RANGED):
        thirds += effective_agility(fighter)
    return thirds


@rule
def attack_ability(fighter: Fighter) -> int:
    """Attack before any penalty."""
    return rounded_third(combat_thirds(fighter))


@rule
def defence_ability(fighter: Fighter) -> int:
    """Defence before any penalty."""
    return rounded_third(combat_thirds(fighter) + effective_agility(fighter))


@rule
def initiative_ability(fight: Fight, fighter: Fighter) -> int:
    """Coins for initiative, stances included."""
    burden = max(0, WEIGHT[fighter.weapon] - fighter.strength // 3)
    base = fight.numbers[INITIATIVE_BASE] + fighter.training + rounded_third(effective_agility(fighter)) - burden
    return max(1, base + fighter.quick + fighter.hurried)


@rule
def fixed_penalty(fighter: Fighter) -> int:
    """What Incapacitation and Crippling take off attack and defence."""
    return fighter.incapacitation + fighter.crippling


@rule
def severity(fighter: Fighter) -> int:
    """How badly somebody is hampered, for a flight."""
    return fighter.incapacitation + fighter.crippling


@rule
def move_bonus(fight: Fight, move: int) -> int:
    """The attack coins that a move gives or takes. moves."""
    if move == JAB:
        return fight.numbers[JAB_ATTACK]
    if move == POWER:
        return fight.numbers[POWER_ATTACK]
    if move == PULL:
        return fight.numbers[PULL_ATTACK]
    if move == MAIM:
        return fight.numbers[MAIM_ATTACK]
    if move == GAP:
        return fight.numbers[GAP_ATTACK]
    if move == GUARDED:
        return fight.numbers[GUARDED_ATTACK]
    return fight.numbers[DISARM_ATTACK] if move == DISARM else 0


@rule
def attack_coins(fight: Fight, fighter: Fighter, move: int) -> int:
    """Attack coins before the Pain Penalty."""
    return attack_ability(fighter) - fixed_penalty(fighter) + move_bonus(fight, move) - fighter.shaken


@rule
def defence_coins(fight: Fight, fighter: Fighter, defence: int) -> int:
    """Defence coins with a defence, never below 0."""
    coins = defence_ability(fighter) - fixed_penalty(fighter) + fighter.guard
    if defence == PARRY:
        coins += fight.numbers[PARRY_DEFENCE]
    elif defence == DODGE:
        coins += fight.numbers[DODGE_DEFENCE]
    else:
        coins += fight.numbers[BRACE_DEFENCE]
    if fighter.standing_down:
        coins = coins * fight.numbers[STAND_DOWN_DEFENCE] // 100
    return max(0, coins)


@rule
def pool(fight: Fight, fighter: Fighter, move: int, intent: int) -> int:
    """How many coins of one type of damage a hit with a move is worth. damage, moves."""
    damage, lethality = DAMAGE[fighter.weapon], LETHALITY[fighter.weapon]
    coins = damage
    if intent == INCAPACITATE:
        coins = max(0, damage - lethality)
    elif intent == CRIPPLE:
        coins = lethality
    if move == JAB:
        coins = coins * fight.numbers[JAB_POOLS] // 100
    elif move == POWER:
        coins += fight.numbers[POWER_POOLS]
    elif move == PULL:
        if intent == INCAPACITATE:
            coins += lethality // 2
        elif intent == CRIPPLE:
            coins = 0
    elif move == MAIM:
        coins += fight.numbers[MAIM_CRIPPLE] if intent == CRIPPLE else fight.numbers[MAIM_OTHERS]
    return max(0, coins)


@rule
def soak_coins(fight: Fight, fighter: Fighter, move: int, bracing: bool) -> int:
    """How many coins a body and its armour flip against a hit. soak."""
    coins = fighter.hardiness
    if move != GAP:
        coins += ARMOUR_VALUE[fighter.armour]
    return coins + (fight.numbers[BRACE_SOAK] if bracing else 0)


@rule
def threat_coins(fighter: Fighter) -> int:
    """Coins to frighten somebody with."""
    return rounded_third(3 * fighter.training + fighter.strength)


@rule
def nerve_coins(fighter: Fighter) -> int:
    """Coins to stand up to a threat."""
    return rounded_third(3 * fighter.discipline + fighter.training)


@rule
def is_foe(fight: Fight, who: int, other: int) -> bool:
    """Whether somebody fights for another team and is still up."""
    return fight.fighters[other].team != fight.fighters[who].team and fight.fighters[other].state == STANDING


@rule
def can_reach(fight: Fight, who: int, other: int, move: int) -> bool:
    """Whether a move gets at somebody: arrows and threats do at any range. range."""
    fighter = fight.fighters[who]
    if fighter.near >> other & 1 or move == THREATEN:
        return True
    return KIND[fighter.weapon] == RANGED and move != DISARM


@rule
def sees(fighter: Fighter, move: int) -> bool:
    """Whether a move can be made now: always, or through an opening."""
    return move >= LEARNED or fighter.openings >> move & 1 == 1


@rule
def is_armed(fighter: Fighter) -> bool:
    """Whether there is anything to be knocked out of the hand."""
    return HELD[fighter.weapon] == 1
