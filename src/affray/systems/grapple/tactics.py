"""Named ways to fight a combat, as rules: they decide from the record and their own whim."""

from __future__ import annotations

from affray.kernel.chance import Dice
from affray.kernel.playing import random_tactic
from affray.kernel.rules import apart, rule
from affray.systems.grapple import rules
from affray.systems.grapple.rules import Combat, Fighter, beats, breaks_limit, can_target, is_directed, is_out

# In how many of a thousand throws so many dice (rows) show so many successes (columns).
# fmt: off
SHARES = (
    1000,    0,    0,    0,    0,    0,    0,    0,    0,    0,
     333,  667,    0,    0,    0,    0,    0,    0,    0,    0,
     111,  444,  444,    0,    0,    0,    0,    0,    0,    0,
      37,  222,  444,  296,    0,    0,    0,    0,    0,    0,
      12,   99,  296,  395,  198,    0,    0,    0,    0,    0,
       4,   41,  165,  329,  329,  132,    0,    0,    0,    0,
       1,   16,   82,  219,  329,  263,   88,    0,    0,    0,
       0,    6,   38,  128,  256,  307,  205,   59,    0,    0,
       0,    2,   17,   68,  171,  273,  273,  156,   39,    0,
       0,    1,    7,   34,  102,  205,  273,  234,  117,   26,
)
# fmt: on
WIDTH = 10
SD_PRICE = 400
AD_PRICE = 330
"""What a strike die and an action die cost in thousandths of a turn: a breath brings 3 AD, a maneuver makes 5 SD."""

FAR_BETTER = 2
"""By how much a foe's Accuracy must be rated above one's own Endurance so that it is never worth while to dig in."""

LONGEST = 14_000
USUAL_DEFENSE = 3
DEFENSES = rules.MOST_DEFENSE + 1  # one more than there are, for what Endurance would lead to


def _turns(ties: int, spirit: int, defense: int) -> int:
    """How long a wound takes at that defense, in thousandths of turns, those that earn the dice included."""
    pace = 1
    for spent in range(1, rules.MOST_STRIKE_DICE + 1):
        row = (spent + spirit) * WIDTH
        enough = range(defense + 1 - ties, spent + spirit + 1)
        made = sum(SHARES[row + count] * min(2, count // defense) for count in enough)
        price = 1000 + SD_PRICE * spent * sum(SHARES[row + count] for count in enough) // 1000
        pace = max(pace, 1000 * made // price)
    return min(LONGEST, 1_000_000 // pace)


TURNS = tuple(_turns(ties, spirit, defense + 1) for ties in (0, 1) for spirit in (0, 1) for defense in range(DEFENSES))


@rule
def chance_to_beat(fight: Combat, dice: int, needed: int) -> int:
    """In how many of a thousand throws the successes are enough."""
    share = 0
    for count in range(dice + 1):
        if beats(fight, count, needed):
            share += SHARES[dice * WIDTH + count]
    return share


@rule
def promise(fight: Combat, fighter: Fighter, foe: Fighter, spent: int) -> int:
    """How much of the way to a knock-out a strike takes on average, in thousandths."""
    dice = spent + fighter.spirit
    needed = foe.max_wounds - foe.wounds
    wounds = 0
    for count in range(dice + 1):
        if beats(fight, count, foe.defense):
            wounds += SHARES[dice * WIDTH + count] * min(needed, count // foe.defense)
    return wounds // needed


@rule
def is_foe(fight: Combat, who: int, other: int) -> bool:
    """Whether a fighter is of another team and still standing."""
    return fight.fighters[other].team != fight.fighters[who].team and not is_out(fight.fighters[other])


@rule
def best_strike(fight: Combat, who: int, most: int) -> int:
    """The strike with up to so many dice that promises most for the turn and the dice it takes; -1 for none."""
    fighter = fight.fighters[who]
    best = -1
    best_value = 0
    for other in range(len(fight.fighters)):
        if not is_foe(fight, who, other):
            continue
        foe = fight.fighters[other]
        for spent in range(1, min(most, fighter.sd) + 1):
            promised = promise(fight, fighter, foe, spent)
            price = 1000 + SD_PRICE * spent * chance_to_beat(fight, spent + fighter.spirit, foe.defense) // 1000
            value = 1_000_000 * promised // price
            if value > best_value:
                best = rules.strike_at(other, spent)
                best_value = value
    return best


@rule
def best_slot(fighter: Fighter, for_bonus: bool) -> int:
    """The slot to maneuver with: the best skill, or the best one not marked yet, so that the bonus comes round."""
    first = rules.EMPTY
    for slot in range(3):
        if fighter.skills[slot] != rules.EMPTY:
            if first == rules.EMPTY:
                first = slot
            if for_bonus and not fighter.marked >> slot & 1:
                return slot
    return first


@rule
def build(fight: Combat, who: int, for_bonus: bool) -> int:
    """Earn strike dice, or catch breath for it."""
    fighter = fight.fighters[who]
    if fighter.ad == 0:
        return rules.CATCH
    return rules.maneuver_with(best_slot(fighter, for_bonus), min(fight.maneuver_max, fighter.ad, 3))


@apart
def striker(fight: Combat, who: int, whim: Dice) -> int:
    """Strike as soon as a strike is more likely to succeed than to fail; otherwise maneuver with the best skill."""
    move = best_strike(fight, who, rules.MOST_STRIKE_DICE)
    if move >= 0:
        fighter = fight.fighters[who]
        dice = (move >> 2 & 7) + fighter.spirit
        if fighter.sd >= rules.MOST_STRIKE_DICE or chance_to_beat(fight, dice, fight.fighters[move >> 7].defense) > 500:
            return move
    return build(fight, who, False)


@apart
def builder(fight: Combat, who: int, whim: Dice) -> int:
    """Gather strike dice for two full strikes, the skills used in turn for the bonus; then strike."""
    fighter = fight.fighters[who]
    ready = 2 * rules.MOST_STRIKE_DICE
    if fighter.sd >= ready or (fighter.sd >= rules.MOST_STRIKE_DICE and fighter.ad == 0):
        move = best_strike(fight, who, rules.MOST_STRIKE_DICE)
        if move >= 0:
            return move
    return build(fight, who, True)


@rule
def turns_to_fell(fight: Combat, spirit: int, defense: int, wounds: int) -> int:
    """How long a fighter needs for so many wounds at that defense, in thousandths of turns."""
    return wounds * TURNS[(2 * fight.ties + spirit) * DEFENSES + defense - 1]


@rule
def worth_of(fight: Combat, who: int, skill: int, target: int) -> int:
    """What the success of a skill action is worth: the turns it saves or costs, in thousandths; 0 for no use."""
    fighter = fight.fighters[who]
    other = fight.fighters[target]
    friend = other.team == fighter.team
    left = other.max_wounds - other.wounds
    now = turns_to_fell(fight, 0, other.defense, left)
    if skill == rules.EN:
        return turns_to_fell(fight, 0, other.defense + 1, left) - now
    if skill == rules.SR:
        return turns_to_fell(fight, 0, USUAL_DEFENSE, 2) - turns_to_fell(fight, 1, USUAL_DEFENSE, 2)
    if skill == rules.CO:
        return AD_PRICE * min(6, fighter.pool - fighter.ad)
    if skill == rules.TC:
        return SD_PRICE * 2 if friend else 0
    if skill == rules.MD:
        return turns_to_fell(fight, 0, other.defense, 1) if friend and other.wounds > 0 else 0
    if skill == rules.LD:
        return AD_PRICE * min(3, other.pool - other.ad) if friend and not is_out(other) else 0
    if friend or is_out(other):
        return 0  # what follows is harm; and Speed and Strategy, for oneself, save next to nothing
    if skill == rules.AC:
        return now - turns_to_fell(fight, 0, max(rules.LEAST_DEFENSE, other.defense - 1), left)
    if skill == rules.IN:
        return AD_PRICE * min(4, other.ad)
    if skill == rules.TT:
        return SD_PRICE * min(2, max(0, other.sd))
    return SD_PRICE * max(0, other.sd)


@rule
def rating_of(fighter: Fighter, skill: int) -> int:
    """What a fighter's skill is rated; 0 without it."""
    for slot in range(3):
        if fighter.skills[slot] == skill:
            return rules.RATING[slot]
    return 0


@rule
def leads_nowhere(fight: Combat, who: int, skill: int) -> bool:
    """Whether digging in only costs both sides their dice: a foe takes the defense away as fast as it grows.

    So it is against a foe whose Accuracy is far better; and against one who can do both, as long as that one has dug in
    no deeper: where both dig in, neither wins.
    """
    if skill != rules.EN:
        return False
    fighter = fight.fighters[who]
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other):
            foe = fight.fighters[other]
            accuracy = rating_of(foe, rules.AC)
            if accuracy >= rating_of(fighter, rules.EN) + FAR_BETTER:
                return True
            if accuracy > 0 and rating_of(foe, rules.EN) > 0 and fighter.defense >= foe.defense:
                return True
    return False


@rule
def best_action(fight: Combat, who: int, least: int) -> int:
    """The skill action that gains most for the turn and the dice it takes, if it gains more than `least`; else -1."""
    fighter = fight.fighters[who]
    best = -1
    best_value = least
    for slot in range(3):
        skill = fighter.skills[slot]
        if skill == rules.EMPTY:
            continue
        for target in range(len(fight.fighters)):
            if not (can_target(fight, who, target) if is_directed(fight, skill) else target == who):
                continue
            worth = worth_of(fight, who, skill, target)
            if worth == 0 or breaks_limit(skill, fight.fighters[target]) or leads_nowhere(fight, who, skill):
                continue
            for spent in range(min(rules.MOST_STRIKE_DICE, fighter.sd) + 1):
                share = chance_to_beat(fight, spent + rules.RATING[slot] - 2, rules.DIFFICULTY[skill])
                value = (worth - SD_PRICE * spent) * share // 1000
                if value > best_value:
                    best = rules.skill_on(slot, target, spent)
                    best_value = value
    return best


@rule
def finishing_strike(fight: Combat, who: int) -> int:
    """The strike that is most likely to knock a foe out, if it does so more often than not; else -1."""
    fighter = fight.fighters[who]
    best = -1
    best_share = 500
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other):
            foe = fight.fighters[other]
            needed = (foe.max_wounds - foe.wounds) * foe.defense
            for spent in range(1, min(rules.MOST_STRIKE_DICE, fighter.sd) + 1):
                dice = spent + fighter.spirit
                share = 0
                for count in range(needed, dice + 1):
                    if beats(fight, count, foe.defense):
                        share += SHARES[dice * WIDTH + count]
                if share > best_share:
                    best = rules.strike_at(other, spent)
                    best_share = share
    return best


@apart
def skill_user(fight: Combat, who: int, whim: Dice) -> int:
    """Knock out a foe if a strike can; otherwise use a skill that saves more turns than it costs, or strike."""
    finish = finishing_strike(fight, who)
    if finish >= 0:
        return finish
    action = best_action(fight, who, 1000)
    if action >= 0:
        return action
    return striker(fight, who, whim)


@apart
def supporter(fight: Combat, who: int, whim: Dice) -> int:
    """Look after the team first: heal, lead, and only then build up a strike."""
    fighter = fight.fighters[who]
    for slot in range(3):
        skill = fighter.skills[slot]
        if skill != rules.MD and skill != rules.LD:
            continue
        for target in range(len(fight.fighters)):
            if not can_target(fight, who, target) or worth_of(fight, who, skill, target) < 900:
                continue
            if skill == rules.LD and rating_of(fight.fighters[target], rules.LD) > 0:
                continue  # two who lead each other gain each other's dice, and neither strikes
            for spent in range(min(rules.MOST_STRIKE_DICE, fighter.sd) + 1):
                if chance_to_beat(fight, spent + rules.RATING[slot] - 2, rules.DIFFICULTY[skill]) >= 600:
                    return rules.skill_on(slot, target, spent)
    return striker(fight, who, whim)


TACTICS = {
    "skill-user": skill_user,
    "striker": striker,
    "builder": builder,
    "supporter": supporter,
    "random": random_tactic(rules.legal, rules.most_moves),
}
