"""The combat: its record, and every rule of a move, a turn and a round."""

from __future__ import annotations

from typing import Annotated

from affray.kernel import state
from affray.kernel.chance import Dice, pick, successes
from affray.kernel.records import I32, Cell, Cells, PerFighter, cell, record
from affray.kernel.rules import Log, emit, rule, score
from affray.kernel.state import RUNNING, add_move, to_act
from affray.systems.grapple import events

AC, CO, EN, IN, LD, MD, SP, SR, SY, TC, TT, TR = range(12)
DIFFICULTY = (3, 2, 2, 2, 2, 4, 2, 4, 3, 2, 2, 4)
AT_TARGET = (1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1)
"""Which skill actions are directed at another fighter; Tactics too, if `tactics_target` says so."""

RATING = (4, 3, 2)
"""What the skill in each of the three slots is rated."""

EMPTY = -1
CATCH, MANEUVER, STRIKE, SKILL = range(4)

SUCCESS = 3
MOST_EARNED = 5
BONUS = 2
MOST_STRIKE_DICE = 6
BREATH = 3
LEAST_DEFENSE, MOST_DEFENSE = 1, 6
LARGEST_POOL = 20

FIGURES = ("wounds dealt", "wounds taken", "knocked out", "AD left", "SD left")
DEALT, TAKEN, OUT, AD_LEFT, SD_LEFT = range(5)


@record
class Fighter(state.Fighter):
    """One combatant: team, skills with their marks, dice, wounds, and what skill actions have given."""

    skills: Annotated[list[int], Cells("i", 3)] = cell("by slot: rated 4, 3 and 2")
    marked: I32 = cell("slots used in maneuvers, as bits")
    ad: I32
    sd: I32
    ap: I32 = cell("the Action Pool's size as shown")
    pool: I32 = cell("the Action Pool's size that holds")
    defense: I32
    wounds: I32
    max_wounds: I32
    speed: I32 = cell("dice more in every maneuver")
    spirit: I32 = cell("dice more in every strike")


@record
class Combat(state.State):
    """A whole combat: options that rules read, whose turn it is, and the fighters."""

    place: I32 = cell("of the moving team in the order")
    listed: I32 = cell("how many teams move in the order they were given; the others are drawn")
    maneuver_max: I32
    ties: I32
    friendly: I32
    tactics_elsewhere: I32
    strategy_real: I32
    sd_floor: I32
    sd_cap: I32
    round_cap: I32
    order: Annotated[list[int], PerFighter(Cell("i"))] = cell("the teams by place; the rest of the row is unused")
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


# Moves are numbers: the verb, how many dice are spent, which slot, at whom.


@rule
def maneuver_with(slot: int, spent: int) -> int:
    """The code of a maneuver."""
    return MANEUVER | spent << 2 | slot << 5


@rule
def strike_at(target: int, spent: int) -> int:
    """The code of a strike."""
    return STRIKE | spent << 2 | target << 7


@rule
def skill_on(slot: int, target: int, spent: int) -> int:
    """The code of a skill action; one for oneself has oneself as its target."""
    return SKILL | spent << 2 | slot << 5 | target << 7


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return 1 + 3 * 7 + (fighters - 1) * (MOST_STRIKE_DICE + 3 * 7) + 3 * 7


@rule
def is_out(fighter: Fighter) -> bool:
    """Whether the fighter is knocked out."""
    return fighter.wounds >= fighter.max_wounds


@rule
def begin(fight: Combat, dice: Dice, log: Log | None) -> None:
    """Draw the order of the teams that were not listed, and give the first team with a member standing its turn."""
    for team in range(fight.teams):
        fight.order[team] = team
    for place in range(fight.listed, fight.teams - 1):
        drawn = place + pick(dice, fight.teams - place)
        team = fight.order[drawn]
        fight.order[drawn] = fight.order[place]
        fight.order[place] = team
    emit(log, events.STARTS)
    fight.due = members_to_move(fight, fight.order[0])
    judge(fight, log)
    if fight.ending == RUNNING and fight.due == 0:
        pass_turn(fight, 1, log)


@rule
def members_to_move(fight: Combat, team: int) -> int:
    """All members of a team who are not knocked out, as bits."""
    due = 0
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.team == team and not is_out(fighter):
            due |= 1 << who
    return due


# What may be done


@rule
def is_directed(fight: Combat, skill: int) -> bool:
    """Whether a skill action goes at another fighter."""
    return AT_TARGET[skill] == 1 or (skill == TC and fight.tactics_elsewhere == 1)


@rule
def can_target(fight: Combat, who: int, target: int) -> bool:
    """Whether a strike or a directed skill action of one fighter may go at another."""
    return target != who and (fight.friendly == 1 or fight.fighters[target].team != fight.fighters[who].team)


@rule
def breaks_limit(skill: int, recipient: Fighter) -> bool:
    """Whether success would bring a stat beyond its limit; such an action is refused before any roll."""
    if skill == AC:
        return recipient.defense <= LEAST_DEFENSE
    if skill == EN:
        return recipient.defense >= MOST_DEFENSE
    if skill == SY:
        return recipient.ap + 4 > LARGEST_POOL
    if skill == SP:
        return recipient.speed > 0
    if skill == SR:
        return recipient.spirit > 0
    return False


@rule
def add_skill(moves: list[int], count: int, skill: int, slot: int, target: int, recipient: Fighter, most: int) -> int:
    """Append a skill action with up to so many dice, unless it is refused; returns the list's new length."""
    if not breaks_limit(skill, recipient):
        for spent in range(most + 1):
            count = add_move(moves, count, skill_on(slot, target, spent))
    return count


@rule
def legal(fight: Combat, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    if not to_act(fight) >> who & 1:
        return 0
    fighter = fight.fighters[who]
    moves[0] = CATCH
    count = 1
    for slot in range(3):
        if fighter.skills[slot] != EMPTY:
            for spent in range(1, min(fight.maneuver_max, fighter.ad) + 1):
                count = add_move(moves, count, maneuver_with(slot, spent))
    most = min(MOST_STRIKE_DICE, fighter.sd)
    for target in range(len(fight.fighters)):
        if can_target(fight, who, target):
            for spent in range(1, most + 1):
                count = add_move(moves, count, strike_at(target, spent))
    for slot in range(3):
        skill = fighter.skills[slot]
        if skill == EMPTY:
            continue
        if is_directed(fight, skill):
            for target in range(len(fight.fighters)):
                if can_target(fight, who, target):
                    count = add_skill(moves, count, skill, slot, target, fight.fighters[target], most)
        else:
            count = add_skill(moves, count, skill, slot, who, fighter, most)
    return count


# What is done


@rule
def apply(fight: Combat, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Make a move, and pass the turn when all members of the team have moved."""
    verb = move & 3
    spent = move >> 2 & 7
    slot = move >> 5 & 3
    target = move >> 7
    fight.due &= ~(1 << who)
    if verb == MANEUVER:
        maneuver(fight, who, slot, spent, dice, log)
    elif verb == STRIKE:
        strike(fight, who, target, spent, dice, log)
    elif verb == SKILL:
        skill_action(fight, who, slot, target, spent, dice, log)
    else:
        fighter = fight.fighters[who]
        fighter.ad = min(fighter.pool, fighter.ad + BREATH)
        emit(log, events.CATCHES, who, fighter.ad)
    if fight.due == 0 and fight.ending == RUNNING:
        pass_turn(fight, 0, log)


@rule
def maneuver_dice(fighter: Fighter, slot: int, spent: int) -> int:
    """How many dice are thrown for a maneuver."""
    return spent + RATING[slot] + fighter.speed


@rule
def strike_dice(fighter: Fighter, spent: int) -> int:
    """How many dice are thrown for a strike."""
    return spent + fighter.spirit


@rule
def action_dice(slot: int, spent: int) -> int:
    """How many dice are thrown for a skill action; with none or fewer it fails."""
    return spent + RATING[slot] - 2


@rule
def gain_strike_dice(fight: Combat, fighter: Fighter, count: int) -> None:
    """Add SD up to the most that a fighter may gather; who has more already keeps them."""
    fighter.sd = max(fighter.sd, min(fight.sd_cap, fighter.sd + count))


@rule
def maneuver(fight: Combat, who: int, slot: int, spent: int, dice: Dice, log: Log | None) -> None:
    """Turn AD into SD; a failed maneuver spends nothing, marks its skill and earns the bonus all the same."""
    fighter = fight.fighters[who]
    thrown = maneuver_dice(fighter, slot, spent)
    earned = min(MOST_EARNED, successes(dice, thrown, SUCCESS))
    bonus = 0
    if fighter.marked == 7:  # all three were used before; fighters with fewer than three skills never get here
        bonus = BONUS
        fighter.marked = 0
    fighter.marked |= 1 << slot
    gain_strike_dice(fight, fighter, earned + bonus)
    if earned > 0:
        fighter.ad -= spent
        emit(log, events.MANEUVERS, who, slot, earned, thrown, spent, fighter.ad, bonus, fighter.sd)
    else:
        emit(log, events.MANEUVER_FAILS, who, slot, thrown, bonus, fighter.sd)


@rule
def beats(fight: Combat, count: int, needed: int) -> bool:
    """Whether so many successes are enough. They must exceed what they are up against, unless ties count."""
    return count > needed or (fight.ties == 1 and count == needed)


@rule
def strike(fight: Combat, who: int, target: int, spent: int, dice: Dice, log: Log | None) -> None:
    """Turn SD into wounds."""
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    thrown = strike_dice(fighter, spent)
    count = successes(dice, thrown, SUCCESS)
    if not beats(fight, count, foe.defense):
        emit(log, events.STRIKE_FAILS, who, target, count, thrown, foe.defense)
        return
    wounds = count // foe.defense
    fighter.sd -= spent
    emit(log, events.STRIKES, who, target, count, thrown, foe.defense, spent, fighter.sd, wounds)
    suffered = min(wounds, foe.max_wounds - foe.wounds)
    foe.wounds += suffered
    score(log, who, DEALT, suffered)
    score(log, target, TAKEN, suffered)
    if suffered > 0 and is_out(foe):
        fight.due &= ~(1 << target)
        judge(fight, log)


@rule
def skill_action(fight: Combat, who: int, slot: int, target: int, spent: int, dice: Dice, log: Log | None) -> None:
    """Turn SD into a change of stats; a failed action changes nothing but uses the turn."""
    fighter = fight.fighters[who]
    skill = fighter.skills[slot]
    thrown = action_dice(slot, spent)
    count = successes(dice, thrown, SUCCESS) if thrown > 0 else 0
    if not beats(fight, count, DIFFICULTY[skill]):
        emit(log, events.ACTION_FAILS, who, target, skill, count, thrown, DIFFICULTY[skill])
        return
    fighter.sd -= spent
    left = fighter.sd
    now = take_effect(fight, skill, fight.fighters[target])
    emit(log, events.ACTS, who, target, skill, count, thrown, DIFFICULTY[skill], spent, left, now)


@rule
def take_effect(fight: Combat, skill: int, fighter: Fighter) -> int:
    """Change the recipient of a skill action; returns the stat as it is now."""
    if skill == AC:
        fighter.defense -= 1
        return fighter.defense
    if skill == EN:
        fighter.defense += 1
        return fighter.defense
    if skill == CO:
        fighter.ad = min(fighter.pool, fighter.ad + 6)
        return fighter.ad
    if skill == LD:
        fighter.ad = min(fighter.pool, fighter.ad + 3)
        return fighter.ad
    if skill == IN:
        fighter.ad = max(0, fighter.ad - 4)
        return fighter.ad
    if skill == MD:
        fighter.wounds = max(0, fighter.wounds - 1)
        return fighter.wounds
    if skill == SP:
        fighter.speed = 1
        return 1
    if skill == SR:
        fighter.spirit = 1
        return 1
    if skill == SY:
        fighter.ap += 4
        if fight.strategy_real == 1:
            fighter.pool = fighter.ap
        return fighter.ap
    if skill == TC:
        gain_strike_dice(fight, fighter, 2)
    elif skill == TT:
        fighter.sd -= 2
        if fight.sd_floor == 1:
            fighter.sd = max(0, fighter.sd)
    else:
        fighter.sd = 0
    return fighter.sd


# Whose turn it is


@rule
def pass_turn(fight: Combat, skipped: int, log: Log | None) -> None:
    """The next team with a member standing moves; behind the last team a new round begins.

    So many teams were skipped before.
    """
    while fight.due == 0:
        fight.place += 1
        if fight.place == fight.teams:
            fight.place = 0
            if fight.round >= fight.round_cap:
                fight.ending = fight.teams
                emit(log, events.OVER, fight.ending, 1)
                return
            fight.round += 1
            emit(log, events.ROUND, fight.round)
        fight.due = members_to_move(fight, fight.order[fight.place])
        if fight.due == 0:
            skipped += 1
    emit(log, events.TEAM, fight.order[fight.place], skipped)


@rule
def judge(fight: Combat, log: Log | None) -> None:
    """Combat is over when no more than one team has a member standing."""
    winner = fight.teams
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if not is_out(fighter):
            if winner != fight.teams and winner != fighter.team:
                return
            winner = fighter.team
    fight.ending = winner
    emit(log, events.OVER, winner, 0)


@rule
def figures(fight: Combat, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, OUT, 1 if is_out(fighter) else 0)
        score(log, who, AD_LEFT, fighter.ad)
        score(log, who, SD_LEFT, fighter.sd)
