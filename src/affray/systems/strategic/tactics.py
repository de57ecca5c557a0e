"""Named ways to fight, as rules: they decide from the record and their own whim."""

from __future__ import annotations

from affray.kernel.chance import Dice
from affray.kernel.rules import apart, row, rule
from affray.kernel.state import is_foe
from affray.systems.strategic import abilities, stakes, state
from affray.systems.strategic.abilities import attack_coins, can_reach, defence_coins, initiative_ability, sees
from affray.systems.strategic.rules import legal_defences, move_code
from affray.systems.strategic.stakes import beats, fights_back, net_worth, promise, usual_defence
from affray.systems.strategic.state import Fight, Fighter

LOST_CAUSE = 150  # a chance to win, in thousandths, below which even a duelist gives up
SURE_HAND = 650  # a chance to hit, in thousandths, above which a duelist goes for the weapon


# What a blow is worth


@apart
def gain(fight: Fight, who: int, target: int, move: int, intent: int, to_win: int) -> int:
    """What a blow adds to the sum, in thousandths of a year, where a foe who is down adds so much."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    defence = usual_defence(fight, target)
    hit = stakes.hit_chance(fight, fighter, foe, move, defence)
    return to_win * promise(fight, fighter, foe, move, intent, defence) // 1000 * hit // 1000


@rule
def harm(fight: Fight, fighter: Fighter, foe: Fighter, move: int, intent: int, defence: int, to_lose: int) -> int:
    """What a hit of the foe takes off the sum, in thousandths of a year, where being down takes so much."""
    points = stakes.lethal_points(fight, foe, fighter, move, intent, defence)
    years = fighter.caution * stakes.price_of_wound(fight, fighter, points) // 100
    return years + to_lose * promise(fight, foe, fighter, move, intent, defence) // 1000


@apart
def risk(fight: Fight, who: int, guard: int, quick: int, to_lose: int) -> int:
    """What the foes take off the sum before one acts again, in thousandths of a year, at their worst.

    Until then one has so many more coins for defence and for initiative.
    """
    fighter = fight.fighters[who]
    defence = usual_defence(fight, who)
    coins = max(0, defence_coins(fight, fighter, defence) + guard)
    total = 0
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if is_foe(fight, who, other) and fights_back(foe):
            acts = beats(initiative_ability(fight, foe), initiative_ability(fight, fighter) + quick)
            hits = beats(attack_coins(fight, foe, state.STRIKE) - (foe.pain + 1) // 2, coins)
            hit = harm(fight, fighter, foe, state.STRIKE, state.CRIPPLE, defence, to_lose)
            total += hit * hits // 1000 * acts // max(1, 1000 - acts)  # they may act more than once
    return total


@apart
def best_blow(fight: Fight, who: int, least: int, most: int, going_on: int, heedless: bool) -> int:
    """The blow that brings most, with an intent from `least` to `most`; -1 if no foe can be reached.

    It brings what it does towards winning the stake, less what it lets the foes do, which is the same to the heedless.
    """
    fighter = fight.fighters[who]
    to_win, to_lose = max(1000, 1000 * fighter.stake - going_on), max(0, going_on)
    usual = 0 if heedless else risk(fight, who, 0, 0, to_lose)
    best = -1
    highest = -1_000_000_000_000_000
    for move in range(state.GUARDED + 1):
        if move in (state.THREATEN, state.DISARM) or not sees(fighter, move):
            continue
        risked = usual
        if not heedless and move in (state.GUARDED, state.POWER):
            guard = fight.guarded_defence if move == state.GUARDED else fight.power_defence
            risked = risk(fight, who, guard, 0, to_lose)
        elif not heedless and move == state.JAB:
            risked = risk(fight, who, 0, fight.jab_initiative, to_lose)
        for target in range(len(fight.fighters)):
            if not is_foe(fight, who, target) or not can_reach(fight, who, target, move):
                continue
            for intent in range(least, 1 + (min(most, state.INCAPACITATE) if move == state.PULL else most)):
                worth = gain(fight, who, target, move, intent, to_win) - risked
                if worth > highest:
                    best, highest = move_code(move, intent, target), worth
    return best


@rule
def prepare(fight: Fight, who: int) -> int:
    """Pick up the weapon, or close in; -1 if there is nothing to prepare."""
    fighter = fight.fighters[who]
    if fighter.weapon != fighter.owned:
        return state.PICK_UP
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target) and (fighter.near >> target & 1 or can_reach(fight, who, target, state.STRIKE)):
            return -1
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target):
            return move_code(state.CLOSE_IN, 0, target)
    return -1


@rule
def yielding_foe(fight: Fight, who: int) -> int:
    """A foe whose offer to yield is open; -1 if there is none."""
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other) and fight.fighters[other].yielding:
            return other
    return -1


@rule
def is_left_alone(fight: Fight, who: int) -> bool:
    """Whether no foe fights any longer."""
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other) and fights_back(fight.fighters[other]):
            return False
    return True


# Defences and answers


@apart
def best_defence(fight: Fight, who: int) -> int:
    """The defence that takes least off the sum."""
    fighter, foe = fight.fighters[who], fight.fighters[fight.actor]
    coming = attack_coins(fight, foe, fight.move) - (foe.pain + 1) // 2
    to_lose = max(0, net_worth(fight, who))
    moves = row(3)
    best = state.BRACE
    least = 1_000_000_000
    for place in range(legal_defences(fight, who, moves)):
        defence = moves[place]
        hit = harm(fight, fighter, foe, fight.move, fight.intent, defence, to_lose)
        lost = hit * beats(coming, defence_coins(fight, fighter, defence)) // 1000
        if lost < least:
            best, least = defence, lost
    return best


@rule
def escape_chance(fight: Fight, who: int) -> int:
    """In how many of a thousand attempts a flight succeeds."""
    fighter = fight.fighters[who]
    chance = 1000
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if not is_foe(fight, who, other) or not fights_back(foe) or not fighter.near >> other & 1:
            continue
        if abilities.fixed_penalty(fighter) == abilities.fixed_penalty(foe):
            chance //= 2
        elif abilities.fixed_penalty(fighter) > abilities.fixed_penalty(foe):
            chance = chance * beats(initiative_ability(fight, fighter), initiative_ability(fight, foe)) // 1000
    return chance


@apart
def way_out(fight: Fight, who: int) -> int:
    """The cheapest end: peace where no foe fights, a flight where it costs less than yielding, or yielding.

    -1 if there is none: a flight would cost more than the fight, and no foe wants the offer to yield.
    """
    fighter = fight.fighters[who]
    if is_left_alone(fight, who):
        return state.WAIT if fighter.yielding else state.STAND_DOWN
    escape = escape_chance(fight, who)
    going_on = min(0, net_worth(fight, who))
    caught = going_on
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other):
            points = stakes.lethal_points(
                fight, fight.fighters[other], fighter, state.STRIKE, state.CRIPPLE, state.BRACE
            )
            caught -= fighter.caution * stakes.price_of_wound(fight, fighter, points) // 100
    flight = (1000 - escape) * caught // 1000
    if flight >= (going_on if fighter.spurned else going_on // 4):
        return state.FLEE
    return -1 if fighter.spurned or fighter.yielding else state.YIELD


@rule
def answer(fight: Fight, who: int, merciful: bool, steadfast: bool) -> int:
    """What a fighter answers when asked in between."""
    phase = fight.phase
    if phase == state.DEFEND:
        return best_defence(fight, who)
    if phase == state.THREATENED:
        return state.FIGHT_ON if steadfast or net_worth(fight, who) >= 0 else state.GIVE_IN
    if phase == state.OFFERED:
        return move_code(state.ACCEPT if merciful else state.REFUSE, 0, fight.target)
    return state.LET_GO if merciful else move_code(state.STOP, state.CRIPPLE, fight.target)


# The tactics


@apart
def rational(fight: Fight, who: int, whim: Dice) -> int:
    """Fight as long as the stake is worth the years it may cost; threaten a foe who should give up; else get out."""
    if fight.phase != state.ACT:
        return answer(fight, who, True, False)
    offered = yielding_foe(fight, who)
    if offered >= 0:
        return move_code(state.ACCEPT, 0, offered)
    going_on = net_worth(fight, who)
    if going_on < 0:
        out = way_out(fight, who)
        if out >= 0:
            return out
    ready = prepare(fight, who)
    if ready >= 0:
        return ready
    if sees(fight.fighters[who], state.THREATEN):
        for other in range(len(fight.fighters)):
            foe = fight.fighters[other]
            if is_foe(fight, who, other) and fights_back(foe) and foe.shaken == 0 and net_worth(fight, other) < 0:
                return move_code(state.THREATEN, 0, other)
    blow = best_blow(fight, who, state.PAIN, state.CRIPPLE, going_on, False)
    return blow if blow >= 0 else state.STAND_DOWN


@apart
def duelist(fight: Fight, who: int, whim: Dice) -> int:
    """The best blow at every opening, to incapacitate; disarm heavier weapons; yield only in a lost cause."""
    if fight.phase != state.ACT:
        return answer(fight, who, True, stakes.chance_to_win(fight, who) >= LOST_CAUSE)
    offered = yielding_foe(fight, who)
    if offered >= 0:
        return move_code(state.ACCEPT, 0, offered)
    fighter = fight.fighters[who]
    if stakes.chance_to_win(fight, who) < LOST_CAUSE and not fighter.yielding and not fighter.spurned:
        return state.YIELD
    ready = prepare(fight, who)
    if ready >= 0:
        return ready
    blow = best_blow(fight, who, state.INCAPACITATE, state.INCAPACITATE, net_worth(fight, who), False)
    if sees(fighter, state.DISARM) and blow >= 0:
        target = blow >> 7
        foe = fight.fighters[target]
        near = fighter.near >> target & 1
        heavy = abilities.weight_in_hand(foe) > abilities.weight_in_hand(fighter)
        if (
            near
            and heavy
            and stakes.hit_chance(fight, fighter, foe, state.DISARM, usual_defence(fight, target)) > SURE_HAND
        ):
            return move_code(state.DISARM, 0, target)
    return blow if blow >= 0 else state.STAND_DOWN


@apart
def brute(fight: Fight, who: int, whim: Dice) -> int:
    """Cripple any foe in reach as hard as can be; no mercy, no yielding."""
    if fight.phase != state.ACT:
        return answer(fight, who, False, True)
    ready = prepare(fight, who)
    if ready >= 0:
        return ready
    blow = best_blow(fight, who, state.CRIPPLE, state.CRIPPLE, 0, True)
    return blow if blow >= 0 else state.STAND_DOWN


@apart
def pacifist(fight: Fight, who: int, whim: Dice) -> int:
    """Stand down; when hurt all the same, pull blows until the others have had enough."""
    if fight.phase != state.ACT:
        return answer(fight, who, True, False)
    offered = yielding_foe(fight, who)
    if offered >= 0:
        return move_code(state.ACCEPT, 0, offered)
    fighter = fight.fighters[who]
    if fighter.pain == 0 or is_left_alone(fight, who):
        return state.WAIT if fighter.yielding else state.STAND_DOWN
    for target in range(len(fight.fighters)):
        if (
            is_foe(fight, who, target)
            and fights_back(fight.fighters[target])
            and can_reach(fight, who, target, state.PULL)
        ):
            return move_code(state.PULL if sees(fighter, state.PULL) else state.GUARDED, state.PAIN, target)
    return state.WAIT if fighter.yielding else state.STAND_DOWN


@apart
def survivor(fight: Fight, who: int, whim: Dice) -> int:
    """Guarded blows as long as the fight goes well; away, or yielding, as soon as it does not."""
    if fight.phase != state.ACT:
        return answer(fight, who, True, False)
    offered = yielding_foe(fight, who)
    if offered >= 0:
        return move_code(state.ACCEPT, 0, offered)
    fighter = fight.fighters[who]
    if stakes.chance_to_win(fight, who) < 500 or fighter.crippling > 0:
        out = state.FLEE if escape_chance(fight, who) >= 500 else way_out(fight, who)
        if out >= 0:
            return out
    ready = prepare(fight, who)
    if ready >= 0:
        return ready
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target) and can_reach(fight, who, target, state.GUARDED):
            return move_code(state.GUARDED, state.INCAPACITATE, target)
    return state.STAND_DOWN


TACTICS = {
    "rational": rational,
    "duelist": duelist,
    "brute": brute,
    "pacifist": pacifist,
    "survivor": survivor,
}
