"""A fighter's view of the fight: a quick estimate of the chance of winning and of the years at risk.

Exact figures take thousands of play-outs. These are instant and use the same sum: the value of the stake times the
chance of winning it, less the years that it may cost.
"""

from __future__ import annotations

from math import comb

from affray.kernel.rules import apart, rule
from affray.kernel.state import STANDING, is_foe
from affray.systems.strategic import abilities, state
from affray.systems.strategic.abilities import attack_coins, defence_coins, initiative_ability, soak_coins, soaked_off
from affray.systems.strategic.healing import YEAR_IN_BED
from affray.systems.strategic.state import Fight, Fighter

PAIN_OF_A_POINT = 3  # points of Pain hinder about as much as one point of Incapacitation
WIDE = 31  # the tables are for 0 to 30 coins


def _share(ways: int, coins: int) -> int:
    return 1000 * ways >> coins


def _beats(coins: int, against: int) -> int:
    """The Heads of one side less those of the other are distributed like the Heads of all coins together, shifted."""
    both = coins + against
    more = sum(comb(both, k) for k in range(against + 1, both + 1))
    return _share(2 * more + comb(both, against), both + 1)


def _over(coins: int, number: int) -> int:
    return _share(sum((k - number) * comb(coins, k) for k in range(number + 1, coins + 1)), coins)


def _excess(coins: int, less: int) -> int:
    return _over(coins + less, less)


BEATS = tuple(_beats(coins, against) for coins in range(WIDE) for against in range(WIDE))
"""The chance that so many coins beat so many others, in thousandths, Flip-Offs included."""

TAIL = tuple(_share(sum(comb(n, k) for k in range(least, n + 1)), n) for n in range(WIDE) for least in range(WIDE))
"""The chance of at least so many Heads with so many coins, in thousandths."""

OVER = tuple(_over(n, number) for n in range(WIDE) for number in range(WIDE))
"""The mean number of Heads of so many coins in excess of a number, in thousandths."""

EXCESS = tuple(_excess(coins, less) for coins in range(WIDE) for less in range(WIDE))
"""The mean number of Heads of so many coins in excess of those of so many others, in thousandths."""


@apart
def beats(coins: int, against: int) -> int:
    """The chance that so many coins beat others, in thousandths."""
    return BEATS[max(0, min(WIDE - 1, coins)) * WIDE + max(0, min(WIDE - 1, against))]


@rule
def hit_chance(fight: Fight, fighter: Fighter, foe: Fighter, move: int, defence: int) -> int:
    """The chance that a move hits, in thousandths, with the Pain Penalty at its mean."""
    coins = attack_coins(fight, fighter, move) - (fighter.pain + 1) // 2
    if coins <= 0:
        return 0
    return beats(coins, fight.helpless_defence if foe.yielding else defence_coins(fight, foe, defence))


@rule
def likely_margin(fight: Fight, fighter: Fighter, foe: Fighter, move: int, defence: int) -> int:
    """The likely margin of a hit, as far as the fighter controls it."""
    ahead = attack_coins(fight, fighter, move) - (fighter.pain + 1) // 2 - defence_coins(fight, foe, defence)
    return min(abilities.margin_points(fight, max(0, ahead // 2) + 2), fight.control_base + fighter.discipline // 2)


@apart
def at_least(coins: int, heads: int) -> int:
    """The chance of at least so many Heads with so many coins, in thousandths."""
    return TAIL[min(WIDE - 1, coins) * WIDE + max(0, min(WIDE - 1, heads))]


@apart
def more_than(coins: int, number: int) -> int:
    """The mean number of Heads of so many coins in excess of a number, in thousandths."""
    return OVER[min(WIDE - 1, coins) * WIDE + min(WIDE - 1, number)]


@apart
def promise(fight: Fight, fighter: Fighter, foe: Fighter, move: int, intent: int, defence: int) -> int:
    """How far a hit brings the foe towards defeat, in thousandths, a knock-out at once included. highwaters."""
    margin = 2 * likely_margin(fight, fighter, foe, move, defence)  # as coins, half of which show Heads
    hurting = abilities.pool(fight, fighter, move, state.PAIN) + (margin if intent == state.PAIN else 0)
    incapacitating = abilities.pool(fight, fighter, move, state.INCAPACITATE) + (
        margin if intent == state.INCAPACITATE else 0
    )
    crippling = abilities.pool(fight, fighter, move, state.CRIPPLE) + (margin if intent == state.CRIPPLE else 0)
    soaked = soak_coins(fight, foe, move, defence == state.BRACE)
    less = soaked_off(fight, state.INCAPACITATE, soaked) // 2
    less_crippling = soaked_off(fight, state.CRIPPLE, soaked) // 2
    ability = abilities.attack_ability(fight, foe)
    down = max(
        at_least(incapacitating + crippling, ability + min(incapacitating, less) + min(crippling, less_crippling)),
        at_least(incapacitating, ability - foe.crippling + less),
        at_least(crippling, ability - foe.incapacitation + less_crippling),
    )
    worn = more_than(incapacitating, foe.incapacitation + less)
    worn += more_than(crippling, foe.crippling + less_crippling)
    worn += more_than(hurting, foe.pain + soaked_off(fight, state.PAIN, soaked) // 2) // PAIN_OF_A_POINT
    left = max(1, ability - abilities.fixed_penalty(foe))
    return down + (1000 - down) * min(1000, worn // left) // 1000


@rule
def lethal_points(fight: Fight, fighter: Fighter, foe: Fighter, move: int, intent: int, defence: int) -> int:
    """The mean number of Life Coins that a hit costs, in thousandths."""
    crippling = abilities.pool(fight, fighter, move, state.CRIPPLE)
    if intent == state.CRIPPLE:
        crippling += 2 * likely_margin(fight, fighter, foe, move, defence)
    soaked = soaked_off(fight, state.CRIPPLE, soak_coins(fight, foe, move, defence == state.BRACE))
    return excess(crippling, soaked)


@apart
def excess(coins: int, soaked: int) -> int:
    """The mean number of Heads of so many coins in excess of those that soak them up, in thousandths."""
    return EXCESS[min(WIDE - 1, coins) * WIDE + min(WIDE - 1, soaked)]


@rule
def usual_defence(fight: Fight, who: int) -> int:
    """The defence that opponents expect from a fighter."""
    fighter = fight.fighters[who]
    if not abilities.defends(fight, fighter, state.PARRY):
        return state.DODGE if abilities.can_dodge(fight, fighter) else state.BRACE
    return (
        state.DODGE
        if defence_coins(fight, fighter, state.DODGE) > defence_coins(fight, fighter, state.PARRY) + 1
        else state.PARRY
    )


@rule
def fights_back(fighter: Fighter) -> bool:
    """Whether a fighter is a danger now."""
    return fighter.state == STANDING and not fighter.yielding and not fighter.standing_down


@rule
def acting_weight(fight: Fight, who: int) -> int:
    """How likely a fighter is to win the initiative, as a weight relative to the others."""
    weight = 1000
    mine = initiative_ability(fight, fight.fighters[who])
    for other in range(len(fight.fighters)):
        if other != who and fight.fighters[other].state == STANDING:
            weight = weight * beats(mine, initiative_ability(fight, fight.fighters[other])) // 1000
    return max(1, weight)


@apart
def pressure(fight: Fight, who: int, target: int) -> int:
    """How fast a fighter would down another: 1,000,000 is certain within one action."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    defence = usual_defence(fight, target)
    hit = hit_chance(fight, fighter, foe, state.STRIKE, defence)
    return hit * promise(fight, fighter, foe, state.STRIKE, state.INCAPACITATE, defence)


@apart
def side_pressure(fight: Fight, who: int, theirs: bool) -> int:
    """How fast one side wears the other down: the fighter's own, or the foes'."""
    total = 0
    victims = 0
    for target in range(len(fight.fighters)):
        if (
            fight.fighters[target].state == STANDING
            and (fight.fighters[target].team == fight.fighters[who].team) == theirs
        ):
            victims += 1
    for one in range(len(fight.fighters)):
        fighter = fight.fighters[one]
        if (fighter.team != fight.fighters[who].team) != theirs or fighter.state != STANDING:
            continue
        if fighter.yielding and one != who:
            continue
        weight = acting_weight(fight, one)
        for target in range(len(fight.fighters)):
            if is_foe(fight, one, target):
                total += weight * pressure(fight, one, target) // 1000 // (victims * victims)
    return total


@apart
def chance_to_win(fight: Fight, who: int) -> int:
    """The chance that a fighter's side wins, in thousandths, as far as the fighter can see."""
    return share(side_pressure(fight, who, False), side_pressure(fight, who, True))


@rule
def share(ours: int, theirs: int) -> int:
    """The share of one pressure in the sum of both, in thousandths."""
    if ours + theirs == 0:
        return 500
    return 1000 * ours // (ours + theirs)


@rule
def years_at_risk(fight: Fight, who: int) -> int:
    """The years that fighting on will cost a fighter, as far as the fighter can see, in thousandths."""
    return years_until(fight, who, side_pressure(fight, who, False), side_pressure(fight, who, True))


@apart
def years_until(fight: Fight, who: int, ours: int, theirs: int) -> int:
    """The same, given how fast the fight ends. The foes' intents are unknown: the fighter expects the worst."""
    fighter = fight.fighters[who]
    defence = usual_defence(fight, who)
    points = 0
    crippled = 0
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other) and not fight.fighters[other].yielding:
            foe = fight.fighters[other]
            hits = acting_weight(fight, other) * hit_chance(fight, foe, fighter, state.STRIKE, defence)
            expected = min(6000, 1000 * hits // max(1, ours + theirs))  # before it is over, in thousandths
            lethal = lethal_points(fight, foe, fighter, state.STRIKE, state.CRIPPLE, defence)
            points += expected * lethal // 1000
            crippled = max(crippled, min(1000, expected) * price_of_crippling(fight, fighter, lethal) // 1000)
    return price_of(fighter, points) + crippled


@rule
def price_of(fighter: Fighter, points: int) -> int:
    """The price of losing so many thousandths of a Life Coin, in thousandths of a year."""
    points = min(points, 1000 * fighter.coins)
    left = fighter.coins - points // 1000
    below = fighter.price[max(0, left - 1)]
    return fighter.price[left] + (below - fighter.price[left]) * (points % 1000) // 1000 - fighter.price[fighter.coins]


@rule
def price_of_crippling(fight: Fight, fighter: Fighter, points: int) -> int:
    """The price of a wound of so many thousandths of a point, in bed and for good, in thousandths of a year."""
    level = min(state.MOST_COINS, (points + 500) // 1000)
    before = min(state.MOST_COINS, fighter.crippling)
    if level <= before:
        return 0
    in_bed = 1000 * (fight.bed[level] - fight.bed[before]) // YEAR_IN_BED
    return in_bed + fighter.lame_years * (fight.lame[level] - fight.lame[before])


@rule
def price_of_wound(fight: Fight, fighter: Fighter, points: int) -> int:
    """The price of one hit that takes so many thousandths of a Life Coin, in thousandths of a year."""
    return price_of(fighter, points) + price_of_crippling(fight, fighter, points)


@apart
def net_worth(fight: Fight, who: int) -> int:
    """What fighting on is worth to a fighter: the stake times its chance, less the years, in thousandths. stakes."""
    fighter = fight.fighters[who]
    ours, theirs = side_pressure(fight, who, False), side_pressure(fight, who, True)
    return fighter.stake * share(ours, theirs) - fighter.caution * years_until(fight, who, ours, theirs) // 100
