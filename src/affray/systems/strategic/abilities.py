"""How many coins somebody flips, for everything that is flipped for. Ids in comments are rulings."""

from __future__ import annotations

from affray.kernel.rules import rule
from affray.systems.strategic.arms import BLUDGEON, DAMAGE, EDGED, HELD, KIND, LETHALITY, RANGED, WEIGHT
from affray.systems.strategic.state import (
    AGILITY_DEFENCE,
    AGILITY_EDGED,
    AGILITY_INITIATIVE,
    AGILITY_RANGED,
    BRACE_DEFENCE,
    BRACE_SOAK,
    CRIPPLE,
    CRIPPLING_SOAK,
    DISARM,
    DISARM_ATTACK,
    DODGE,
    DODGE_DEFENCE,
    GAP,
    GAP_ATTACK,
    GUARDED,
    GUARDED_ATTACK,
    INCAPACITATE,
    INCAPACITATION_SOAK,
    INITIATIVE_BASE,
    JAB,
    JAB_ATTACK,
    JAB_POOLS,
    LEARNED,
    LEAST_INITIATIVE,
    MAIM,
    MAIM_ATTACK,
    MAIM_CRIPPLE,
    MAIM_OTHERS,
    MARGIN_DAMAGE,
    PAIN,
    PAIN_SOAK,
    PARRY,
    PARRY_DEFENCE,
    POWER,
    POWER_ATTACK,
    POWER_POOLS,
    PULL,
    PULL_ATTACK,
    PULL_LETHALITY,
    STAND_DOWN_DEFENCE,
    STANDING,
    STRENGTH_BLUDGEON,
    STRENGTH_MELEE,
    STRENGTH_THREAT,
    STRENGTH_WEIGHT,
    STRIKE_ATTACK,
    THREATEN,
    TRAINING_NERVE,
    Fight,
    Fighter,
)

A_COIN = 2520  # parts of a coin, a multiple of 1 to 10
A_POINT = (0, *(A_COIN // points for points in range(1, 11)))
"""The parts of a coin that a point of an attribute gives of which so many make one: nothing where that is 0."""


# What is carried


@rule
def damage_in_hand(fighter: Fighter) -> int:
    """The damage of one's own weapon, or of the fists once it is dropped. arms."""
    return fighter.damage if fighter.weapon == fighter.owned else DAMAGE[fighter.weapon]


@rule
def lethality_in_hand(fighter: Fighter) -> int:
    """The lethality of one's own weapon, or of the fists once it is dropped. arms."""
    return fighter.lethality if fighter.weapon == fighter.owned else LETHALITY[fighter.weapon]


@rule
def weight_in_hand(fighter: Fighter) -> int:
    """The weight of one's own weapon, or of the fists once it is dropped. arms."""
    return fighter.weight if fighter.weapon == fighter.owned else WEIGHT[fighter.weapon]


# What the attributes give


@rule
def parts(points: int, for_a_coin: int) -> int:
    """What an attribute gives of which so many points make a coin, in parts of it."""
    return points * A_POINT[for_a_coin]


@rule
def rounded(parts: int) -> int:
    """Parts of coins as whole coins, halves up."""
    return (2 * parts + A_COIN) // (2 * A_COIN)


@rule
def effective_agility(fighter: Fighter) -> int:
    """Agility less what the armour takes."""
    return max(0, fighter.agility - fighter.armour_penalty)


@rule
def combat_parts(fight: Fight, fighter: Fighter) -> int:
    """Combat points with the weapon in hand, in parts of a coin. abilities."""
    kind = KIND[fighter.weapon]
    points = A_COIN * fighter.training
    if kind != RANGED:
        points += parts(fighter.strength, fight.numbers[STRENGTH_MELEE])
    if kind == BLUDGEON:
        points += parts(fighter.strength, fight.numbers[STRENGTH_BLUDGEON])
    elif kind == EDGED:
        points += parts(effective_agility(fighter), fight.numbers[AGILITY_EDGED])
    else:
        points += parts(effective_agility(fighter), fight.numbers[AGILITY_RANGED])
    return points


@rule
def attack_ability(fight: Fight, fighter: Fighter) -> int:
    """Attack before any penalty."""
    return rounded(combat_parts(fight, fighter))


@rule
def defence_ability(fight: Fight, fighter: Fighter) -> int:
    """Defence before any penalty."""
    nimble = parts(effective_agility(fighter), fight.numbers[AGILITY_DEFENCE])
    return rounded(combat_parts(fight, fighter) + nimble)


@rule
def initiative_ability(fight: Fight, fighter: Fighter) -> int:
    """Coins for initiative, stances included."""
    carried = parts(fighter.strength, fight.numbers[STRENGTH_WEIGHT]) // A_COIN
    nimble = rounded(parts(effective_agility(fighter), fight.numbers[AGILITY_INITIATIVE]))
    burden = max(0, weight_in_hand(fighter) - carried)
    base = fight.numbers[INITIATIVE_BASE] + fighter.training + nimble - burden
    return max(fight.numbers[LEAST_INITIATIVE], base + fighter.quick + fighter.hurried)


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
    return fight.numbers[DISARM_ATTACK] if move == DISARM else fight.numbers[STRIKE_ATTACK]


@rule
def attack_coins(fight: Fight, fighter: Fighter, move: int) -> int:
    """Attack coins before the Pain Penalty."""
    return attack_ability(fight, fighter) - fixed_penalty(fighter) + move_bonus(fight, move) - fighter.shaken


@rule
def defence_coins(fight: Fight, fighter: Fighter, defence: int) -> int:
    """Defence coins with a defence, never below 0."""
    coins = defence_ability(fight, fighter) - fixed_penalty(fighter) + fighter.guard
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
    damage, lethality = damage_in_hand(fighter), lethality_in_hand(fighter)
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
            coins += lethality * fight.numbers[PULL_LETHALITY] // 100
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
        coins += fighter.armour_value
    return coins + (fight.numbers[BRACE_SOAK] if bracing else 0)


@rule
def soaked_off(fight: Fight, intent: int, soaked: int) -> int:
    """How much of what was soaked comes off one type of damage. soak."""
    if intent == PAIN:
        return soaked * fight.numbers[PAIN_SOAK] // 100
    if intent == INCAPACITATE:
        return soaked * fight.numbers[INCAPACITATION_SOAK] // 100
    return soaked * fight.numbers[CRIPPLING_SOAK] // 100


@rule
def margin_points(fight: Fight, margin: int) -> int:
    """The points of damage that a margin is worth. damage."""
    return margin * fight.numbers[MARGIN_DAMAGE] // 100


@rule
def threat_coins(fight: Fight, fighter: Fighter) -> int:
    """Coins to frighten somebody with."""
    return rounded(A_COIN * fighter.training + parts(fighter.strength, fight.numbers[STRENGTH_THREAT]))


@rule
def nerve_coins(fight: Fight, fighter: Fighter) -> int:
    """Coins to stand up to a threat."""
    return rounded(A_COIN * fighter.discipline + parts(fighter.training, fight.numbers[TRAINING_NERVE]))


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
