"""The record of a skirmish, and every rule of a turn and a round."""

from typing import Annotated

from affray.system import I32, RUNNING, STANDING, Cell, Dice, Fighter, Log, PerFighter, State, ask, cell, emit
from affray.system import is_foe, keep_highest, keep_lowest, pips, record, rule, score, to_act
from affray_d20.events import ATTACKS, DODGES, ENDS, FALLS, FEINTS, HURTS, ROLLS_INITIATIVE, ROUND

ATTACK, RECKLESS, DODGE, FEINT = range(4)
DOWN = 1
MISS, HIT, CRITICAL = range(3)
FIGURES = ("damage dealt", "hit points left")


@record
class Body(Fighter):
    """One creature."""

    hit_points: I32
    armour_class: I32
    attack: I32 = cell("added to the die")
    damage_dice: I32
    damage_sides: I32
    damage_bonus: I32
    initiative: I32 = cell("added to the die")
    critical: I32 = cell("the lowest natural roll that is a critical hit")
    dodging: I32
    exposed: I32 = cell("after a reckless attack")
    feinted: I32 = cell("an advantage to be used")


@record
class Skirmish(State):
    """Who acts in which order, and the options that rules read."""

    turn: I32 = cell("the place in the order")
    double_dice: I32
    roll_initiative: I32
    round_cap: I32
    order: Annotated[list[int], PerFighter(Cell("i"))] = cell("fighters, the first to act first")
    fighters: Annotated[list[Body], PerFighter(Body)]


@rule
def begin(skirmish: Skirmish, dice: Dice, log: Log | None) -> None:
    """Initiative: the highest total first; of equals the higher bonus, then the fighter named first."""
    size = len(skirmish.fighters)
    for who in range(size):
        body = skirmish.fighters[who]
        total = body.initiative
        if skirmish.roll_initiative:
            total += pips(dice, 1, 20)
            emit(log, ROLLS_INITIATIVE, who, total)
        place = who
        body.feinted = 64 * total + body.initiative  # what to sort by, until all have rolled
        while place > 0 and skirmish.fighters[skirmish.order[place - 1]].feinted < body.feinted:
            skirmish.order[place] = skirmish.order[place - 1]
            place -= 1
        skirmish.order[place] = who
    for who in range(size):
        skirmish.fighters[who].feinted = 0
    emit(log, ROUND, skirmish.round)
    ask(skirmish, skirmish.order[0], 0)


@rule
def most_moves(fighters: int) -> int:
    return 2 * fighters + 2


@rule
def legal(skirmish: Skirmish, who: int, moves: list[int]) -> int:
    count = 0
    if not to_act(skirmish) >> who & 1:
        return 0
    for target in range(len(skirmish.fighters)):
        if is_foe(skirmish, who, target):
            moves[count], moves[count + 1] = ATTACK | target << 2, RECKLESS | target << 2
            count += 2
    moves[count], moves[count + 1] = DODGE, FEINT
    return count + 1 if skirmish.fighters[who].feinted else count + 2


@rule
def apply(skirmish: Skirmish, who: int, move: int, dice: Dice, log: Log | None) -> None:
    body = skirmish.fighters[who]
    kind = move & 3
    body.dodging = kind == DODGE
    body.exposed = kind == RECKLESS
    if kind == DODGE:
        emit(log, DODGES, who)
    elif kind == FEINT:
        body.feinted = 1
        emit(log, FEINTS, who)
    else:
        strike(skirmish, who, move >> 2, dice, log)
    pass_on(skirmish, log)


@rule
def advantage(body: Body, foe: Body) -> int:
    """Any number of advantages is one, and one of each kind is none."""
    helped = body.feinted or body.exposed or foe.exposed
    return int(helped > 0) - int(foe.dodging > 0)


@rule
def result_of(body: Body, foe: Body, rolled: int) -> int:
    """A natural 1 always misses, and a critical always hits."""
    if rolled >= body.critical:
        return CRITICAL
    return HIT if rolled > 1 and rolled + body.attack >= foe.armour_class else MISS


@rule
def strike(skirmish: Skirmish, who: int, target: int, dice: Dice, log: Log | None) -> None:
    body, foe = skirmish.fighters[who], skirmish.fighters[target]
    net = advantage(body, foe)
    body.feinted = 0
    rolled = keep_lowest(dice, 2, 20) if net < 0 else keep_highest(dice, 1 + net, 20)
    result = result_of(body, foe, rolled)
    emit(log, ATTACKS, who, target, net, rolled, body.attack, foe.armour_class, result)
    if result == MISS:
        return
    thrown = body.damage_dice * (2 if result == CRITICAL and skirmish.double_dice else 1)
    amount = min(foe.hit_points, max(1, pips(dice, thrown, body.damage_sides) + body.damage_bonus))
    foe.hit_points -= amount
    score(log, who, 0, amount)
    emit(log, HURTS, target, amount, foe.hit_points)
    if foe.hit_points == 0:
        foe.state = DOWN
        emit(log, FALLS, target)


@rule
def pass_on(skirmish: Skirmish, log: Log | None) -> None:
    """The turn goes to the next in the order who stands; when one team is left, it is over."""
    size = len(skirmish.fighters)
    left = -1
    for who in range(size):
        body = skirmish.fighters[who]
        if body.state == STANDING:
            left = body.team if left < 0 or left == body.team else skirmish.teams
    if left < skirmish.teams:
        skirmish.ending = left
    while skirmish.ending == RUNNING:
        skirmish.turn += 1
        if skirmish.turn == size:
            skirmish.turn = 0
            skirmish.round += 1
            if skirmish.round > skirmish.round_cap:
                skirmish.ending = skirmish.teams
                break
            emit(log, ROUND, skirmish.round)
        if skirmish.fighters[skirmish.order[skirmish.turn]].state == STANDING:
            ask(skirmish, skirmish.order[skirmish.turn], 0)
            return
    emit(log, ENDS, skirmish.ending)


@rule
def figures(skirmish: Skirmish, log: Log | None) -> None:
    for who in range(len(skirmish.fighters)):
        score(log, who, 1, skirmish.fighters[who].hit_points)
