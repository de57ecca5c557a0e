"""How many coins a fighter flips, for everything that is flipped for. Ids in comments are rulings."""

from __future__ import annotations

from affray.kernel.rules import rule
from affray.systems.strategic import state
from affray.systems.strategic.arms import (
    ATTACKS_WITH,
    BLUDGEON,
    DAMAGE,
    DEFENCES_WITH,
    EDGED,
    HELD,
    KIND,
    LETHALITY,
    RANGED,
    WEIGHT,
)
from affray.systems.strategic.state import Fight, Fighter

A_COIN = 2520  # parts of a coin, a multiple of 1 to 10
A_POINT = (0, *(A_COIN // points for points in range(1, 11)))
"""The parts of a coin that a point of an attribute gives of which so many make one: nothing where that is 0."""


# What is carried


@rule
def damage_in_hand(fighter: Fighter) -> int:
    """The damage of the fighter's own weapon, or of the fists once it is dropped. arms."""
    return fighter.damage if fighter.weapon == fighter.owned else DAMAGE[fighter.weapon]


@rule
def lethality_in_hand(fighter: Fighter) -> int:
    """The lethality of the fighter's own weapon, or of the fists once it is dropped. arms."""
    return fighter.lethality if fighter.weapon == fighter.owned else LETHALITY[fighter.weapon]


@rule
def weight_in_hand(fighter: Fighter) -> int:
    """The weight of the fighter's own weapon, or of the fists once it is dropped. arms."""
    return fighter.weight if fighter.weapon == fighter.owned else WEIGHT[fighter.weapon]


@rule
def attacks(fight: Fight, fighter: Fighter, move: int) -> bool:
    """Whether the weapon in hand allows an attack move. weapons."""
    return not fight.weapon_moves or ATTACKS_WITH[fighter.weapon] >> move & 1 == 1


@rule
def defends(fight: Fight, fighter: Fighter, defence: int) -> bool:
    """Whether the weapon in hand allows a defence. weapons."""
    return not fight.weapon_moves or DEFENCES_WITH[fighter.weapon] >> defence & 1 == 1


@rule
def can_dodge(fight: Fight, fighter: Fighter) -> bool:
    """Whether armour and weapon let a fighter dodge. defences, weapons."""
    return fighter.armour_penalty <= fight.dodge_penalty and defends(fight, fighter, state.DODGE)


@rule
def skill_in_hand(fighter: Fighter) -> int:
    """The skill with the weapon in hand, or with fists once it is dropped. openings."""
    return fighter.skill if fighter.weapon == fighter.owned else fighter.unarmed_skill


@rule
def known_in_hand(fighter: Fighter) -> int:
    """The attack moves that are known with the weapon in hand, or with fists once it is dropped, as bits. openings."""
    return fighter.known if fighter.weapon == fighter.owned else fighter.known_unarmed


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
def up(hundredths: int) -> int:
    """Hundredths of a coin as whole coins, any part of one counted as one."""
    return (hundredths + 99) // 100


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
        points += parts(fighter.strength, fight.strength_melee)
    if kind == BLUDGEON:
        points += parts(fighter.strength, fight.strength_bludgeon)
    elif kind == EDGED:
        points += parts(effective_agility(fighter), fight.agility_edged)
    else:
        points += parts(effective_agility(fighter), fight.agility_ranged)
    return points


@rule
def attack_ability(fight: Fight, fighter: Fighter) -> int:
    """Attack before any penalty."""
    return rounded(combat_parts(fight, fighter))


@rule
def defence_ability(fight: Fight, fighter: Fighter) -> int:
    """Defence before any penalty."""
    nimble = parts(effective_agility(fighter), fight.agility_defence)
    return rounded(combat_parts(fight, fighter) + nimble)


@rule
def initiative_ability(fight: Fight, fighter: Fighter) -> int:
    """Coins for initiative, stances included. initiative."""
    strong = parts(fighter.strength, fight.strength_weight)
    if fight.burden == state.BORNE:
        nimble = rounded(parts(effective_agility(fighter), fight.agility_initiative))
        burden = max(0, weight_in_hand(fighter) - strong // A_COIN)
    else:
        nimble = rounded(parts(fighter.agility, fight.agility_initiative) + strong)
        burden = up(weight_in_hand(fighter) * fight.weight_initiative)
        burden += up(fighter.armour_penalty * fight.armour_initiative)
    base = fight.initiative_base + fighter.training + nimble - burden
    return max(fight.least_initiative, base + fighter.quick + fighter.hurried)


@rule
def fixed_penalty(fighter: Fighter) -> int:
    """What Incapacitation and Crippling take off attack and defence, and how badly they hamper a flight."""
    return fighter.incapacitation + fighter.crippling


@rule
def move_bonus(fight: Fight, move: int) -> int:
    """The attack coins that a move gives or takes. moves."""
    if move == state.JAB:
        return fight.jab_attack
    if move == state.POWER:
        return fight.power_attack
    if move == state.PULL:
        return fight.pull_attack
    if move == state.MAIM:
        return fight.maim_attack
    if move == state.GAP:
        return fight.gap_attack
    if move == state.GUARDED:
        return fight.guarded_attack
    return fight.disarm_attack if move == state.DISARM else fight.strike_attack


@rule
def attack_coins(fight: Fight, fighter: Fighter, move: int) -> int:
    """Attack coins before the Pain Penalty."""
    return attack_ability(fight, fighter) - fixed_penalty(fighter) + move_bonus(fight, move) - fighter.shaken


@rule
def defence_coins(fight: Fight, fighter: Fighter, defence: int) -> int:
    """Defence coins with a defence, never below 0."""
    coins = defence_ability(fight, fighter) - fixed_penalty(fighter) + fighter.guard
    if defence == state.PARRY:
        coins += fight.parry_defence
    elif defence == state.DODGE:
        coins += fight.dodge_defence
    else:
        coins += fight.brace_defence
    if fighter.standing_down:
        coins = coins * fight.stand_down_defence // 100
    return max(0, coins)


@rule
def pool(fight: Fight, fighter: Fighter, move: int, intent: int) -> int:
    """How many coins of one type of damage a hit with a move is worth. damage, moves."""
    damage, lethality = damage_in_hand(fighter), lethality_in_hand(fighter)
    coins = damage
    if intent == state.INCAPACITATE:
        coins = max(0, damage - lethality)
    elif intent == state.CRIPPLE:
        coins = lethality
    if move == state.JAB:
        coins = coins * fight.jab_pools // 100
    elif move == state.POWER:
        coins += fight.power_pools
    elif move == state.PULL:
        if intent == state.INCAPACITATE:
            coins += lethality * fight.pull_lethality // 100
        elif intent == state.CRIPPLE:
            coins = 0
    elif move == state.MAIM:
        coins += fight.maim_cripple if intent == state.CRIPPLE else fight.maim_others
    return max(0, coins)


@rule
def soak_coins(fight: Fight, fighter: Fighter, move: int, bracing: bool) -> int:
    """How many coins a body and its armour flip against a hit. soak."""
    coins = fighter.hardiness
    if move != state.GAP:
        coins += fighter.armour_value
    return coins + (fight.brace_soak if bracing else 0)


@rule
def soaked_off(fight: Fight, intent: int, soaked: int) -> int:
    """How much of what was soaked comes off one type of damage. soak."""
    if intent == state.PAIN:
        return soaked * fight.pain_soak // 100
    if intent == state.INCAPACITATE:
        return soaked * fight.incapacitation_soak // 100
    return soaked * fight.crippling_soak // 100


@rule
def margin_points(fight: Fight, margin: int) -> int:
    """The points of damage that a margin is worth. damage."""
    return margin * fight.margin_damage // 100


@rule
def threat_coins(fight: Fight, fighter: Fighter) -> int:
    """Coins to threaten a foe with."""
    return rounded(A_COIN * fighter.training + parts(fighter.strength, fight.strength_threat))


@rule
def nerve_coins(fight: Fight, fighter: Fighter) -> int:
    """Coins to stand up to a threat."""
    return rounded(A_COIN * fighter.discipline + parts(fighter.training, fight.training_nerve))


@rule
def can_reach(fight: Fight, who: int, other: int, move: int) -> bool:
    """Whether a move reaches another fighter: arrows and threats do at any range. range."""
    fighter = fight.fighters[who]
    if fighter.near >> other & 1 or move == state.THREATEN:
        return True
    return KIND[fighter.weapon] == RANGED and move != state.DISARM


@rule
def sees(fighter: Fighter, move: int) -> bool:
    """Whether a move can be made now: always, or through an opening."""
    return move >= state.LEARNED or fighter.openings >> move & 1 == 1


@rule
def is_armed(fighter: Fighter) -> bool:
    """Whether there is anything to be knocked out of the hand."""
    return HELD[fighter.weapon] == 1
