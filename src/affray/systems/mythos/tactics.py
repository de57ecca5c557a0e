"""Named ways to fight, as rules: they decide from the record and their own whim."""

from __future__ import annotations

from affray.kernel.chance import Dice
from affray.kernel.playing import random_tactic
from affray.kernel.rules import apart, rule
from affray.kernel.state import STANDING, is_foe
from affray.systems.mythos import rules
from affray.systems.mythos.rules import Fight, Fighter, can_fire, in_hand, in_reach, move_code, must_fight, needed_level
from affray.systems.mythos.terms import CRITICAL, DYING, ENDURANCE, EXTREME, FAILURE, HARD, REGULAR
from affray.systems.mythos.weapons import GUN, HANDS, MELEE, SLOTS, adds, impales, kind_of, most_shots

LONG = 100_000
"""More exchanges than any fight lasts, in hundredths."""


@rule
def chance_of(skill: int, level: int) -> int:
    """In how many of a hundred rolls a skill reaches a level."""
    if level <= FAILURE:
        return 100
    if level == REGULAR:
        return max(1, min(99, skill))
    if level == HARD:
        return max(1, skill // 2)
    return max(1, skill // 5) if level == EXTREME else 1


@rule
def with_dice(chance: int, net: int) -> int:
    """A chance in a hundred with bonus or penalty dice, as far as the tens decide it."""
    net = max(-2, min(2, net))
    if net == 0:
        return chance
    missed = 100 - chance
    if net > 0:
        return 100 - (missed * missed // 100 if net == 1 else missed * missed // 100 * missed // 100)
    return chance * chance // 100 if net == -1 else chance * chance // 100 * chance // 100


@rule
def usual_damage(fight: Fight, who: int, slot: int, target: int) -> int:
    """What a hit takes from a target on average, in tenths of an HP."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    damage = rules.damage_of(fight, who, slot, target)
    mean = 5 * (damage & 15) * ((damage >> 4 & 63) + 1) + 10 * (damage >> 10)
    bonus = 5 * fighter.bonus_dice * (fighter.bonus_sides + 1) + 10 * fighter.bonus_flat
    mean = max(0, mean + rules.share(adds(fighter.weapons[slot]), bonus))
    through = rules.past_armour(fight, foe, kind_of(fighter.weapons[slot]), mean // 10)
    return max(1, min(10 * foe.hp, 10 * through + mean % 10))


@rule
def great_damage(fight: Fight, who: int, slot: int, target: int) -> int:
    """What an extreme success takes from a target on average, in tenths of an HP; shots have no damage bonus."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    damage = rules.damage_of(fight, who, slot, target)
    most = 10 * (damage & 15) * (damage >> 4 & 63) + 10 * (damage >> 10)
    if impales(fighter.weapons[slot]):
        most += 5 * (damage & 15) * ((damage >> 4 & 63) + 1) + 10 * (damage >> 10)
    through = rules.past_armour(fight, foe, kind_of(fighter.weapons[slot]), most // 10)
    return max(1, min(10 * foe.hp, 10 * through + most % 10))


@rule
def outdoes(skill: int, against: int, ties: bool) -> int:
    """In how many of a hundred contests a skill succeeds at a higher level, or an equal one if ties count."""
    won = 0
    for level in range(REGULAR, CRITICAL + 1):
        here = chance_of(skill, level) - (chance_of(skill, level + 1) if level < CRITICAL else 0)
        facing = chance_of(against, level + 1) if level < CRITICAL else 0
        if not ties:
            facing = chance_of(against, level)
        won += here * (100 - facing)
    return won // 100


@rule
def reply_slot(fight: Fight, who: int) -> int:
    """What a fighter fights back with: the weapon in hand, unless the hands are better."""
    fighter = fight.fighters[who]
    return fighter.wielded if in_hand(fighter, fighter.wielded, MELEE) else HANDS


@apart
def strike_worth(fight: Fight, who: int, slot: int, target: int) -> int:
    """What a melee attack promises: the damage dealt less what fighting back costs, in hundredths of an HP."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    skill = with_dice(fighter.skills[slot], rules.melee_net(fight, who, target))
    answer = foe.skills[reply_slot(fight, target)]
    if not must_fight(fight, target):
        answer = max(answer, foe.dodge)
    gained = outdoes(skill, answer, True) * usual_damage(fight, who, slot, target)
    lost = outdoes(answer, skill, False) * usual_damage(fight, target, reply_slot(fight, target), who)
    return gained // 10 - lost // 20


@apart
def best_strike(fight: Fight, who: int) -> int:
    """The melee attack that promises most, on the foe it takes the most from; -1 if no foe is in reach."""
    best = -1
    most = 0
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target) or not in_reach(fight, who, target):
            continue
        for slot in range(SLOTS):
            if in_hand(fight.fighters[who], slot, MELEE):
                worth = strike_worth(fight, who, slot, target) * 20 // (10 + fight.fighters[target].hp)
                if best < 0 or worth > most:
                    best = move_code(rules.FIGHT, slot, 0, target)
                    most = worth
    return best


@apart
def shots_worth(fight: Fight, who: int, slot: int, shots: int, target: int) -> int:
    """What a volley promises, in hundredths of an HP."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    net = rules.gun_net(fight, who, slot, target, shots > 1)
    hit = with_dice(chance_of(fighter.skills[slot], needed_level(fight, who, slot, target)), net)
    great = with_dice(chance_of(fighter.skills[slot], EXTREME), net)
    worth = (hit - great) * usual_damage(fight, who, slot, target) + great * great_damage(fight, who, slot, target)
    return min(100 * foe.hp, shots * (worth // 10))


@apart
def best_volley(fight: Fight, who: int) -> int:
    """The shots that promise most, on the foe they take the most from; -1 if none promise anything.

    An enemy who can shoot must, however little it promises. 9.
    """
    fighter = fight.fighters[who]
    best = -1
    most = 0
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        for slot in range(SLOTS):
            if not can_fire(fighter, slot) or needed_level(fight, who, slot, target) > CRITICAL:
                continue
            for shots in range(1, min(most_shots(fighter.weapons[slot]), fighter.loaded[slot]) + 1):
                worth = shots_worth(fight, who, slot, shots, target) * 20 // (10 + fight.fighters[target].hp)
                if worth > most or (best < 0 and must_fight(fight, who)):
                    best = move_code(rules.SHOOT, slot, shots, target)
                    most = worth
    return best


@apart
def approach(fight: Fight, who: int) -> int:
    """Close in on the nearest foe; wait if that is not possible."""
    fighter = fight.fighters[who]
    if not fight.range or fighter.held_by:
        return rules.WAIT
    best = -1
    least = 0
    for target in range(len(fight.fighters)):
        gap = abs(fighter.yards - fight.fighters[target].yards)
        if is_foe(fight, who, target) and gap > 0 and (best < 0 or gap < least):
            best = move_code(rules.CLOSE_IN, 0, 0, target)
            least = gap
    return best if best >= 0 else rules.WAIT


@apart
def answer(fight: Fight, who: int) -> int:
    """What every tactic does in between: the reaction that promises most, and perks while there is Luck."""
    fighter = fight.fighters[who]
    phase = fight.phase
    if phase == rules.REACT:
        return best_reaction(fight, who)
    if phase == rules.UNDER_FIRE:
        return rules.DIVE if fight.dive_cost == 0 or 3 * fighter.hp <= fighter.max_hp else rules.STAND
    if phase == rules.HEAVY:
        return rules.USE if fight.fighters[fight.target].hp > 3 else rules.SAVE
    if phase == rules.TOUGH:
        return rules.USE if fight.hurt >= 3 or fight.hurt >= fighter.hp else rules.SAVE
    if phase == rules.FLEET:
        return rules.USE if 2 * fighter.hp <= fighter.max_hp else rules.SAVE
    return rules.USE


@apart
def best_reaction(fight: Fight, who: int) -> int:
    """Dodge, or fight back if the damage is worth the worse odds of a tie."""
    fighter, foe = fight.fighters[who], fight.fighters[fight.actor]
    slot = reply_slot(fight, who)
    attack = with_dice(foe.skills[fight.slot], rules.melee_net(fight, fight.actor, who))
    harm = usual_damage(fight, fight.actor, fight.slot, who) * 100 // max(1, fighter.hp)
    reply = usual_damage(fight, who, slot, fight.actor) * 100 // max(1, foe.hp)
    dodging = -outdoes(attack, fighter.dodge, False) * harm
    fighting = outdoes(fighter.skills[slot], attack, False) * reply - outdoes(attack, fighter.skills[slot], True) * harm
    return rules.DODGE if dodging > fighting else move_code(rules.FIGHT_BACK, slot, 0, 0)


@apart
def recover_weapon(fight: Fight, who: int) -> int:
    """Pick up what was knocked out of the hand; -1 if nothing was."""
    fighter = fight.fighters[who]
    for slot in range(SLOTS):
        if fighter.dropped >> slot & 1:
            return move_code(rules.PICK_UP, slot, 0, 0)
    return -1


@apart
def come_to_blows(fight: Fight, who: int) -> int:
    """Strike a foe in reach, or get there."""
    if fight.phase == rules.ACT and fight.fighters[who].diving:
        lost = recover_weapon(fight, who)
        return lost if lost >= 0 else rules.WAIT
    best = best_strike(fight, who)
    return best if best >= 0 else approach(fight, who)


@apart
def shoot_it_out(fight: Fight, who: int) -> int:
    """Shoot, load, clear a jam; -1 if there is no gun to do it with."""
    fighter = fight.fighters[who]
    if not fighter.diving:
        best = best_volley(fight, who)
        if best >= 0:
            return best
    for slot in range(SLOTS):
        if not in_hand(fighter, slot, GUN):
            continue
        if fighter.jammed >> slot & 1:
            return move_code(rules.CLEAR, slot, 0, 0)
        if fighter.loaded[slot] == 0 and fighter.spare[slot] > 0:
            return move_code(rules.RELOAD, slot, 0, 0)
    return -1


@apart
def fight_on(fight: Fight, who: int) -> int:
    """The better of shooting and striking."""
    fighter = fight.fighters[who]
    if fight.phase != rules.ACT or fighter.diving:
        return come_to_blows(fight, who)
    shot, blow = best_volley(fight, who), best_strike(fight, who)
    if shot < 0:
        return come_to_blows(fight, who)
    if blow < 0:
        return shot
    target, slot = shot >> 10, shot >> 5 & 7
    promised = shots_worth(fight, who, slot, shot >> 8 & 3, target)
    return shot if promised >= strike_worth(fight, who, blow >> 5 & 7, blow >> 10) else blow


@apart
def brawler(fight: Fight, who: int, whim: Dice) -> int:
    """Close in and strike, whatever there is in hand; shoot only if no foe is in reach."""
    if fight.phase > rules.EXTRA:
        return answer(fight, who)
    if fight.phase == rules.ACT and best_strike(fight, who) < 0 and not fight.fighters[who].diving:
        shot = best_volley(fight, who)
        if shot >= 0:
            return shot
    return come_to_blows(fight, who)


@apart
def gunslinger(fight: Fight, who: int, whim: Dice) -> int:
    """Shoot as often as it pays, reload, and come to blows only when the ammunition is gone."""
    if fight.phase > rules.EXTRA:
        return answer(fight, who)
    if fight.phase == rules.ACT:
        if must_fight(fight, who) and best_volley(fight, who) < 0:
            return fight_on_empty(fight, who)
        shot = shoot_it_out(fight, who)
        if shot >= 0:
            return shot
    return come_to_blows(fight, who)


@rule
def fight_on_empty(fight: Fight, who: int) -> int:
    """What an enemy with an empty gun does, who may not load while a foe is in reach. 9."""
    if best_strike(fight, who) >= 0:
        return come_to_blows(fight, who)
    loading = shoot_it_out(fight, who)
    return loading if loading >= 0 else approach(fight, who)


@apart
def exchanges_to_fell(fight: Fight, who: int, target: int) -> int:
    """How many turns a fighter needs for another, in hundredths."""
    fighter, foe = fight.fighters[who], fight.fighters[target]
    best = 1
    for slot in range(SLOTS):
        if in_hand(fighter, slot, MELEE):
            answered = max(foe.dodge, foe.skills[reply_slot(fight, target)])
            hit = outdoes(fighter.skills[slot], answered, True) * usual_damage(fight, who, slot, target) // 10
            best = max(best, fighter.attacks * hit)
        elif can_fire(fighter, slot):
            best = max(best, shots_worth(fight, who, slot, 1, target))
    return min(LONG, 10_000 * foe.hp // best)


@apart
def escape_chance(fight: Fight, who: int) -> int:
    """In how many of a hundred attempts a flight succeeds."""
    chance = 0
    for mine in range(-1, 2):
        ahead = pace_chance(fight.fighters[who], mine) * 100
        for other in range(len(fight.fighters)):
            if is_foe(fight, who, other):
                foe = fight.fighters[other]
                slow = 0
                for theirs in range(-1, 2):
                    if foe.mov + theirs <= fight.fighters[who].mov + mine:
                        slow += pace_chance(foe, theirs)
                ahead = ahead * slow // 100
        chance += ahead
    return chance // 100


@rule
def pace_chance(fighter: Fighter, change: int) -> int:
    """In how many of a hundred Constitution rolls MOV changes by so much."""
    net = fighter.perks[ENDURANCE] + (fighter.boost >> 4)
    good, best = (
        with_dice(chance_of(fighter.constitution, REGULAR), net),
        with_dice(chance_of(fighter.constitution, EXTREME), net),
    )
    if change > 0:
        return best
    return good - best if change == 0 else 100 - good


@apart
def is_losing(fight: Fight, who: int) -> bool:
    """Whether the foes will have felled a fighter long before the team has felled them."""
    needed = 0
    pressure = 0
    helpers = 0
    for other in range(len(fight.fighters)):
        if fight.fighters[other].team == fight.fighters[who].team and fight.fighters[other].state == STANDING:
            helpers += 1
        if is_foe(fight, who, other):
            needed += exchanges_to_fell(fight, who, other)
            pressure += 1_000_000 // max(1, exchanges_to_fell(fight, other, who))
    return needed // max(1, helpers) > 1_000_000 * helpers // max(1, pressure)


@apart
def best_treatment(fight: Fight, who: int, least: int) -> int:
    """The item for the team member who needs it most, if they have lost at least so many tenths of their HP; -1."""
    fighter = fight.fighters[who]
    best = -1
    worst = 0
    for other in range(len(fight.fighters)):
        patient = fight.fighters[other]
        if not rules.can_treat(fight, who, other):
            continue
        lost = patient.max_hp - patient.hp
        need = 10 * lost // patient.max_hp + (20 if patient.state == DYING else 0)
        if lost == 0 or need < least or need <= worst:
            continue
        item = best_remedy(fighter, lost)
        if item >= 0:
            best = move_code(rules.ITEM, item, 0, other)
            worst = need
    return best


@rule
def best_remedy(fighter: Fighter, lost: int) -> int:
    """The item that mends most of the HP that were lost, on average, and the weakest that does; -1 for none."""
    best = -1
    most = 0
    power = 0
    for item in range(fighter.kinds_of_items):
        mends = fighter.heals[item]
        mean = (mends & 15) * ((mends >> 4 & 63) + 1) + 2 * (mends >> 10)  # in halves
        gain = min(mean, 2 * lost)
        if fighter.items[item] > 0 and gain > 0 and (gain > most or (gain == most and mean < power)):
            best = item
            most = gain
            power = mean
    return best


@apart
def best_boost(fight: Fight, who: int) -> int:
    """An item with bonus dice on attacks for the comrade who is best with what is in hand; -1 for none."""
    fighter = fight.fighters[who]
    best = -1
    most = 0
    for other in range(len(fight.fighters)):
        comrade = fight.fighters[other]
        if other == who or comrade.skills[comrade.wielded] <= most or not rules.can_treat(fight, who, other):
            continue
        dice = 0
        for item in range(fighter.kinds_of_items):
            gives = fighter.boosts[item] & 3
            if gives > dice and fighter.items[item] > 0 and rules.can_boost(fighter, item, comrade):
                dice = gives
                most = comrade.skills[comrade.wielded]
                best = move_code(rules.ITEM, item, 0, other)
    return best


@apart
def survivor(fight: Fight, who: int, whim: Dice) -> int:
    """Flee when the fight is being lost and the legs are good enough; else fight on, and mend when badly hurt."""
    if fight.phase > rules.EXTRA:
        return answer(fight, who)
    fighter = fight.fighters[who]
    if fight.phase == rules.ACT and not must_fight(fight, who):
        if not fighter.held_by and is_losing(fight, who) and escape_chance(fight, who) >= 10:
            return rules.FLEE
        mending = best_treatment(fight, who, 7)
        if mending >= 0 and mending >> 10 == who:
            return mending
    return fight_on(fight, who)


@apart
def healer(fight: Fight, who: int, whim: Dice) -> int:
    """Mend a team member who has lost half their HP; give stimulants to those with the best skills; otherwise fight."""
    if fight.phase > rules.EXTRA:
        return answer(fight, who)
    if fight.phase == rules.ACT and not must_fight(fight, who):
        mending = best_treatment(fight, who, 5)
        if mending < 0:
            mending = best_boost(fight, who)
        if mending >= 0:
            return mending
    return fight_on(fight, who)


TACTICS = {
    "brawler": brawler,
    "gunslinger": gunslinger,
    "survivor": survivor,
    "healer": healer,
    "random": random_tactic(rules.legal, rules.most_moves),
}
