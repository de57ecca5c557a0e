"""The encounter: its record, and every rule of a battle round. Numbers in comments are rulings."""

from __future__ import annotations

from typing import Annotated

from affray.kernel import state
from affray.kernel.chance import Dice, reaches
from affray.kernel.records import I32, Cells, PerFighter, cell, record
from affray.kernel.rules import Log, emit, rule, score
from affray.kernel.state import RUNNING, STANDING, add_move, is_foe, last_team, seal, to_act
from affray.systems.bgo import abilities, events

ATTACK, DEFEND, FLEE = 1, 2, 3
DEAD, FLED = 1, 2

FIGURES = ("Health left", "damage dealt", "damage taken", "died", "fled")
HEALTH_LEFT, DEALT, TAKEN, DIED, GOT_AWAY = range(5)

# Whole 32-bit cells: what rules write in narrow cells, native code reads back in wide ones and has to wait for.
PerType = Annotated[list[int], Cells("h", 6)]


@record
class Fighter(state.Fighter):
    """One combatant: what the sheet says, what lasts from round to round, and what this round has done."""

    abilities: I32 = cell("those without a number, the types of nul and weak, and which numbers there are, as bits")
    health: I32
    max_health: I32
    attack: I32
    defense: I32
    components: I32 = cell("how many types of damage it deals")
    kinds: PerType = cell("those types, the largest component first")
    damage: PerType = cell("their amounts, in the same order")
    resist: PerType
    thorns: PerType
    regenerate: I32
    enrage: I32
    can_flee: I32
    defends: I32 = cell("how often, in percent, a creature's policy defends")
    ward: I32 = cell("1 until used")
    undying: I32 = cell("1 until used")
    poised: I32 = cell("whether it defended in the last round")
    burning: I32
    afflicted: I32 = cell("the riders of the last round that count in this one, as bits")

    blow: I32 = cell("this round: the damage of its hit")
    brings: I32 = cell("this round: the riders of its hit, as bits")
    pain: I32 = cell("this round: the damage taken")
    suffers: I32 = cell("this round: the riders taken, as bits")
    choice: I32 = cell("this round: 1 attack, 2 defend, 3 flee, 0 none yet; secret until all are in")
    target: I32 = cell("this round: the fighter it attacks; secret likewise")
    hits: I32 = cell("this round: whether its attack hits")
    canceled: I32 = cell("this round: 1 + the fighter whose first strike undid the choice")


@record
class Encounter(state.State):
    """A whole encounter: options that rules read, the clock, and the fighters."""

    round_cap: I32
    armor_base: I32
    defend_defense: I32
    defend_attack: I32
    flee_defense: I32
    naturals: I32
    poised: I32 = cell("option: 1 for `kept`")
    parting_blow: I32
    drain_revives: I32
    abilities: I32 = cell("the abilities of all fighters together; what none has need not be looked for")
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


@rule
def attack_on(target: int) -> int:
    """The move code of an attack on a fighter; defend and flee are their own codes."""
    return ATTACK | target << 2


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return fighters + 2


@rule
def begin(fight: Encounter, dice: Dice, log: Log | None) -> None:
    """Open the encounter."""
    fight.due = (1 << len(fight.fighters)) - 1
    emit(log, events.ROUND, 1)


@rule
def legal(fight: Encounter, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    count = 0
    if not to_act(fight) >> who & 1:
        return count
    fighter = fight.fighters[who]
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target):
            count = add_move(moves, count, attack_on(target))
    if not fighter.afflicted & abilities.BEWILDER:
        count = add_move(moves, count, DEFEND)
    if fighter.can_flee:
        count = add_move(moves, count, FLEE)
    return count


@rule
def apply(fight: Encounter, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Take a choice; when the last one is in, all are revealed and the round is fought."""
    fighter = fight.fighters[who]
    fighter.choice = move & 3
    fighter.target = move >> 2
    if seal(fight, who):
        reveal(fight, log)
        roll_attacks(fight, dice, log)
        strike_first(fight, log)
        deal_damage(fight, log)
        suffer(fight, log)
        tend_wounds(fight, log)
        close_round(fight, log)


@rule
def hide(seen: Encounter, viewer: int) -> None:
    """Take every choice that is not the viewer's own out of what the viewer sees."""
    for who in range(len(seen.fighters)):
        if who != viewer:
            seen.fighters[who].choice = 0
            seen.fighters[who].target = 0


@rule
def reveal(fight: Encounter, log: Log | None) -> None:
    """Show all choices at once."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.choice == ATTACK:
            emit(log, events.ATTACKS, who, fighter.target)
        elif fighter.choice == DEFEND:
            emit(log, events.DEFENDS, who)
        elif fighter.choice == FLEE:
            emit(log, events.FLEES, who)


@rule
def armour_class(fight: Encounter, fighter: Fighter) -> int:
    """What an attack on the fighter must reach this round. 5: stances count before any roll."""
    armour = fight.armor_base + fighter.defense
    if fighter.afflicted & abilities.QUAKE:
        armour -= 1
    if fighter.choice == DEFEND:
        armour += fight.defend_defense
    elif fighter.choice == FLEE:
        armour += flee_bonus(fight, fighter)
    return armour


@rule
def flee_bonus(fight: Encounter, fighter: Fighter) -> int:
    """The Defense that running gives: more with a light step, none with leaden feet or a snare about."""
    if fighter.abilities & abilities.LEADEN_FEET:
        return 0
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if foe.abilities & abilities.SNARE and foe.team != fighter.team and foe.state == STANDING:
            return 0
    if fighter.abilities & abilities.LIGHT_STEP:
        return fight.flee_defense + 2
    return fight.flee_defense


@rule
def is_enraged(fighter: Fighter) -> bool:
    """Whether wounds make the fighter stronger. 28: asked before any damage of the round comes off."""
    return fighter.enrage > 0 and 2 * fighter.health <= fighter.max_health


@rule
def attack_bonus(fight: Encounter, fighter: Fighter) -> int:
    """What the fighter adds to an attack roll this round. 4: poise is used by an attack."""
    bonus = fighter.attack
    if is_enraged(fighter):
        bonus += 1
    if fighter.afflicted & abilities.DRENCH:
        bonus -= 1
    if fighter.poised:
        bonus += fight.defend_attack
    return bonus


@rule
def needed_to_hit(fight: Encounter, number: int) -> int:
    """The least sum of 3d6 that hits, given the number to reach. 1: equality hits."""
    if fight.naturals:  # 2: a natural 3 always misses, a natural 18 always hits
        return min(18, max(4, number))
    return number


@rule
def roll_attacks(fight: Encounter, dice: Dice, log: Log | None) -> None:
    """Every attack is weighed and rolled; a ward swallows the first hit on its bearer."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.choice != ATTACK:
            continue
        target = fight.fighters[fighter.target]
        if target.choice == FLEE and not fight.parting_blow:
            emit(log, events.PARTS, who, fighter.target)
            continue
        number = armour_class(fight, target) - attack_bonus(fight, fighter)
        needed = needed_to_hit(fight, number)
        fighter.hits = 1 if reaches(dice, 3, 6, needed) else 0
        emit(log, events.ROLLS, who, fighter.target, needed, fighter.hits, number)
        if target.ward and fighter.hits:
            target.ward = 0
            fighter.hits = 0
            emit(log, events.WARDED, who, fighter.target)
        weigh_blow(fighter, target, log)


@rule
def suffered(fighter: Fighter, kind: int, amount: int) -> int:
    """What is left of a damage component after the fighter's nul, resist and weak, in this order. 15, 16."""
    if fighter.abilities >> (abilities.NUL + kind) & 1:
        return 0
    amount = max(0, amount - fighter.resist[kind])
    if fighter.abilities >> (abilities.WEAK + kind) & 1:
        amount = (3 * amount + 1) // 2
    return amount


@rule
def weigh_blow(fighter: Fighter, target: Fighter, log: Log | None) -> None:
    """What an attack does if it hits: its damage over all types, and the riders of the types that hurt."""
    blow = 0
    brings = 0
    for place in range(fighter.components):
        kind = fighter.kinds[place]
        amount = fighter.damage[place]
        if place == 0 and is_enraged(fighter):  # components are sorted, the largest first
            amount += fighter.enrage
        left = suffered(target, kind, amount)
        if left != amount and fighter.hits:
            emit(log, events.CHANGED, fighter.target, kind, amount, left, fighter.components)
        if left > 0:
            blow += left
            brings |= abilities.RIDERS[kind] & fighter.abilities
    fighter.blow = blow if fighter.hits else 0
    fighter.brings = brings if fighter.hits else 0


@rule
def strike_first(fight: Encounter, log: Log | None) -> None:
    """A fighter who is defeated by a first strike loses the action. 17, 24."""
    if not fight.abilities & abilities.FIRST_STRIKE:
        return
    for victim in range(len(fight.fighters)):
        fighter = fight.fighters[victim]
        if not fighter.undying:
            fighter.canceled = defeated_first(fight, victim, fighter.health)


@rule
def defeated_first(fight: Encounter, victim: int, health: int) -> int:
    """Who brings a fighter with that much Health down by a first strike, as a number plus 1; 0 if no fighter does.

    First strike has no effect on a fighter who strikes first too. 17.
    """
    fighter = fight.fighters[victim]
    if fighter.abilities & abilities.FIRST_STRIKE and fighter.choice == ATTACK:
        return 0
    damage = 0
    by = -1
    for who in range(len(fight.fighters)):
        foe = fight.fighters[who]
        if foe.hits and foe.target == victim and foe.abilities & abilities.FIRST_STRIKE:
            damage += foe.blow
            by = who
    return 1 + by if damage >= health else 0


@rule
def deal_damage(fight: Encounter, log: Log | None) -> None:
    """All hits and all thorns of the round land together."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.choice != ATTACK or fighter.canceled:
            continue
        target = fight.fighters[fighter.target]
        target.pain += fighter.blow
        target.suffers |= fighter.brings
        score(log, who, DEALT, fighter.blow)
        score(log, fighter.target, TAKEN, fighter.blow)
        if fighter.hits:
            emit(log, events.DEALS, who, fighter.target, fighter.blow)
        if target.abilities & abilities.THORNS and fighter.hits:
            prick(fighter, who, target, log)


@rule
def prick(attacker: Fighter, who: int, bearer: Fighter, log: Log | None) -> None:
    """Thorns: a fighter who hits the bearer is hurt by them, as typed damage. 23."""
    thorns = 0
    for kind in range(6):
        if bearer.thorns[kind]:
            thorns += suffered(attacker, kind, bearer.thorns[kind])
    if thorns > 0:
        attacker.pain += thorns
        emit(log, events.PRICKS, attacker.target, who, thorns)
        score(log, attacker.target, DEALT, thorns)
        score(log, who, TAKEN, thorns)


@rule
def suffer(fight: Encounter, log: Log | None) -> None:
    """The round's damage comes off, the undying rise, and drains heal."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        fighter.health -= fighter.pain
        if fighter.undying and fighter.health <= 0:
            refuse_death(fighter, who, defeated_first(fight, who, fighter.health + fighter.pain), log)
    if not fight.abilities & abilities.DRAIN:
        return
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.hits and not fighter.canceled and fighter.abilities & abilities.DRAIN:
            drained = min((fighter.blow + 1) // 2, fighter.max_health - fighter.health)
            if drained > 0 and (fighter.health > 0 or fight.drain_revives):  # 25
                fighter.health += drained
                emit(log, events.DRAINS, who, drained)


@rule
def refuse_death(fighter: Fighter, who: int, struck_first: int, log: Log | None) -> None:
    """Undying: once an encounter, 0 Health becomes 1."""
    fighter.health = 1
    fighter.undying = 0
    emit(log, events.RISES, who, struck_first > 0)


@rule
def tend_wounds(fight: Encounter, log: Log | None) -> None:
    """Burning and regeneration of those still alive, as one sum. 26."""
    if not fight.abilities & (abilities.REGENERATE | abilities.IGNITE):
        return
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state != STANDING or fighter.health <= 0:
            continue
        burns = 0
        if fighter.burning and fighter.choice == DEFEND:
            fighter.burning = 0
            emit(log, events.DOUSES, who)
        elif fighter.burning:
            burns = 1
            emit(log, events.BURNS, who)
            score(log, who, TAKEN, 1)
        restored = min(fighter.regenerate, fighter.max_health - fighter.health + burns)
        fighter.health += restored - burns
        if restored > 0:
            emit(log, events.REGENERATES, who, restored)
        if fighter.undying and fighter.health <= 0:
            refuse_death(fighter, who, 0, log)


@rule
def close_round(fight: Encounter, log: Log | None) -> None:
    """Deaths and escapes, what the round leaves for the next one, and the end, if it is one."""
    gone = 0
    due = 0
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state == STANDING:
            if fighter.health <= 0 or fighter.choice == FLEE:
                leave(fighter, who, log)
                gone += 1
            else:
                due |= 1 << who
            carry_over(fight, fighter, who, log)
        fighter.blow = 0
        fighter.brings = 0
        fighter.pain = 0
        fighter.suffers = 0
        fighter.choice = 0
        fighter.target = 0
        fighter.hits = 0
        fighter.canceled = 0
    if gone:
        fight.ending = judge(fight)
    if fight.ending == RUNNING and fight.round >= fight.round_cap:
        stall(fight, log)
    if fight.ending == RUNNING:
        fight.round += 1
        fight.due = due
        emit(log, events.ROUND, fight.round)
    else:
        for who in range(len(fight.fighters)):
            fight.fighters[who].poised = 0  # 4: the end of the encounter ends it
        emit(log, events.ENDS, fight.ending)


@rule
def stall(fight: Encounter, log: Log | None) -> None:
    """Too many rounds: all fighters still standing flee. 20."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state == STANDING:
            fighter.state = FLED
            fighter.burning = 0
            fighter.afflicted = 0
    fight.ending = fight.teams + 1
    emit(log, events.STALLED, fight.round)


@rule
def leave(fighter: Fighter, who: int, log: Log | None) -> None:
    """Death, or the flight of a fighter who lived to run. 6: death cancels the escape."""
    if fighter.health <= 0:
        fighter.health = 0
        fighter.state = DEAD
        emit(log, events.DIES, who)
        if fighter.canceled and fighter.choice == ATTACK:
            emit(log, events.CANCELED, who, fighter.canceled - 1)
    else:
        fighter.state = FLED
        emit(log, events.ESCAPES, who)


@rule
def carry_over(fight: Encounter, fighter: Fighter, who: int, log: Log | None) -> None:
    """Poise and the riders: each for the next round only, burning until put out; nothing clings to the gone."""
    if fighter.choice == DEFEND:
        fighter.poised = 1
    elif not fight.poised or fighter.hits:  # 4
        fighter.poised = 0
    if fighter.state != STANDING:
        fighter.suffers = 0
        fighter.burning = 0
        fighter.poised = 0
    fighter.afflicted = fighter.suffers & (abilities.DRENCH | abilities.QUAKE | abilities.BEWILDER)
    if fighter.suffers:
        if fighter.suffers & abilities.GUST:  # 27
            fighter.poised = 0
        if fighter.suffers & abilities.IGNITE:
            fighter.burning = 1
        emit(log, events.AFFLICTS, who, fighter.suffers)


@rule
def judge(fight: Encounter) -> int:
    """The ending by who is left. 21: a win needs every foe dead; a foe who escaped means fled."""
    left = last_team(fight)
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if left != RUNNING and fighter.state == FLED and fighter.team != left:
            return fight.teams + 1
    return left


@rule
def figures(fight: Encounter, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, HEALTH_LEFT, fighter.health)
        score(log, who, DIED, 1 if fighter.state == DEAD else 0)
        score(log, who, GOT_AWAY, 1 if fighter.state == FLED else 0)
