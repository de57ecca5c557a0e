"""The fight: its record, and every rule of rolling, fighting, shooting and fleeing. Numbers in comments are rulings."""

from __future__ import annotations

from typing import Annotated

from affray.kernel import state
from affray.kernel.chance import Dice, graded, pips
from affray.kernel.records import I32, I64, Cell, Cells, PerFighter, cell, record
from affray.kernel.rules import Log, apart, emit, rule, score
from affray.kernel.state import RUNNING, STANDING, add_move, ask, is_foe, is_placed, last_team, to_act
from affray.systems.mythos import events, terms, weapons
from affray.systems.mythos.gear import ITEM_SLOTS
from affray.systems.mythos.weapons import BAND, GUN, HANDS, MELEE, SLOTS, THROWN, adds, impales, kind_of

DEX_TIE_ENEMY, DEX_TIE_SKILL = range(2)
FAST_STATIC, FAST_MOVING, FAST_OFF = range(3)
STRICT, FREE = range(2)  # what enemies may do
FOR_MANOEUVRES, FOR_SHOTS, FOR_BOTH = range(3)  # what the table of Builds is for
DOCUMENT, CLASSIC = range(2)  # how wounds and fumbles go

# What a decision is about.
ACT, MORE, EXTRA, REACT, UNDER_FIRE, HEAVY, RAPID, TOUGH, FLEET = range(9)

# What happens next by itself.
ROUND_BEGINS, TURN_BEGINS, DECLARED, EXCHANGE, DAMAGING, SUFFERING, NEXT_SHOT, ATTACK_ENDS, TURN_ENDS = range(9)

# Moves: the kind, the slot or item, the shots, and whom it concerns.
(
    FIGHT,
    SHOOT,
    TRIP,
    DISARM,
    HOLD,
    FLEE,
    ITEM,
    RELOAD,
    CLEAR,
    PICK_UP,
    CLOSE_IN,
    FALL_BACK,
    WAIT,
    DODGE,
    FIGHT_BACK,
    DIVE,
    STAND,
    USE,
    SAVE,
) = range(19)
NO_REACTION = -1

FAST, SMALL, LARGE = 8, -2, 4  # from which MOV and Build on a target is hard or easy to shoot
TINY = -3  # a Build that, by the table of Builds, makes an attack impossible
READIED = 50
YARDS_A_TURN = 5  # for each point of MOV

MEASURED = ("hit", "hurt", "are hit", "are hurt", "fell", "fall", "get away")
HIT, HURTS, IS_HIT, IS_HURT, FELLS, FALLS, GETS_AWAY = range(7)
FIGURES = ("damage dealt", "HP left", "dead", "out cold", "escaped", "shots fired", "items used", "Luck spent")
DEALT, HP_LEFT, DIED, OUT_COLD, GOT_AWAY, FIRED, USED, SPENT = range(8)


@record
class Fighter(state.Fighter):
    """One combatant: what the sheet says, what is carried slot by slot, and how it stands."""

    state: I32 = cell("0 standing, 1 unconscious, 2 dying, 3 dead, 4 escaped")
    enemy: I32
    constitution: I32
    dexterity: I32
    dodge: I32 = cell("the Dodge skill")
    mov: I32
    build: I32
    bonus_dice: I32 = cell("dice of the damage bonus")
    bonus_sides: I32 = cell("their sides")
    bonus_flat: I32 = cell("a damage bonus without dice")
    hp: I32
    max_hp: I32
    armour: I32 = cell("what is taken off every hit")
    ward: I32 = cell("0 none, 1 guns do half, 2 guns do 1, 3 melee does half, 4 what impales does least")
    regains: I32 = cell("HP regained a round")
    attacks: I32 = cell("attacks a turn")
    luck: I32
    kinds_of_items: I32 = cell("how many of `items` there can be any of")

    wielded: I32 = cell("the slot in hand; 0 is the bare hands")
    dropped: I32 = cell("slots on the floor, as bits")
    jammed: I32 = cell("slots that are jammed, as bits")
    down: I32
    held_by: I32 = cell("the number of the fighter who holds it plus 1; 0 for none")
    surprised: I32
    off_balance: I32 = cell("a penalty die on the next roll")
    boosted: I32 = cell("ends of its turns until an item's bonus dice wear off")
    boost: I32 = cell("those dice on attacks, 4 times those on reactions, 16 times those on Constitution")
    diving: I32 = cell("no attack before the end of the next turn")
    moved: I32 = cell("since its last turn began")
    reacted: I32 = cell("how often in this round")
    tough: I32 = cell("damage that Tough Guy still ignores; -1 once that is used up")
    fleet: I32 = cell("whether Fleet Footed was used")
    major_wound: I32
    yards: I32 = cell("where it stands, where range is on")

    perks: Annotated[list[int], Cells("b", len(terms.PERKS))] = cell("how much of each effect, in the table's order")
    prices: Annotated[list[int], Cells("b", len(terms.ACTIVE_PERKS))] = cell("Luck that each active one costs")
    weapons: Annotated[list[int], Cells("i", SLOTS)] = cell(
        "what each is: 0 nothing, 1 melee, 2 a gun, 3 thrown; 4 times half the damage bonuses it adds, 16 where it "
        "impales, 32 for a handgun, 64 times its shots, 256 times its magazine, 32768 times the roll that jams it"
    )
    damage: Annotated[list[int], Cells("q", SLOTS)] = cell(
        "of each: dice, 16 times their sides, 1024 times what is added; 2**17 and 2**34 times that of farther bands"
    )
    ranges: Annotated[list[int], Cells("i", SLOTS)] = cell("of each, in yards; 1024 and 1024**2 times farther bands")
    skills: Annotated[list[int], Cells("i", SLOTS)] = cell("the skill with each")
    loaded: Annotated[list[int], Cells("i", SLOTS)] = cell("rounds in each, or how many there are to throw")
    spare: Annotated[list[int], Cells("i", SLOTS)] = cell("rounds carried beside")
    items: Annotated[list[int], Cells("i", ITEM_SLOTS)] = cell("first aid, medicine, stimulants, then those of its own")
    heals: Annotated[list[int], Cells("i", ITEM_SLOTS)] = cell("the dice of each, as of damage")
    boosts: Annotated[list[int], Cells("i", ITEM_SLOTS)] = cell("the dice of each, as in `boost`; 64 times the turns")


@record
class Fight(state.State):
    """A whole fight: whose decision it is, the attack being resolved, options that rules read, and the fighters."""

    phase: I32 = cell(
        "which question they are asked: 0 an action, 1 the next of several attacks, 2 the attack by Rapid Attack, "
        "3 a reaction in melee, 4 one to shots, 5 to 8 whether to use Heavy Hitter, Rapid Attack, Tough Guy or "
        "Fleet Footed"
    )
    landed: I64 = cell("on whom a blow or a manoeuvre has landed since the last decision, as bits")
    struck: I64 = cell("who has been hurt since the last decision, as bits")
    stage: I32 = cell("what happens next by itself")
    turn: I32 = cell("the place in `order` of whose turn it is")

    actor: I32
    target: I32
    doing: I32 = cell("the kind of the attack, as in a move")
    slot: I32 = cell("of the weapon it is made with")
    shots: I32 = cell("still to be fired")
    volley: I32 = cell("whether several shots were declared")
    attacks: I32 = cell("of this turn still to come, this one included")
    rapid: I32 = cell("how often Rapid Attack was offered in this turn")
    reaction: I32 = cell("its kind, as in a move; -1 for none")
    with_slot: I32 = cell("the slot that is fought back with")
    dived: I32 = cell("whether the target has dived well")
    asked_fleet: I32 = cell("whether Fleet Footed was offered against this attack")
    foe_failed: I32 = cell("whether the attack won or the reaction failed")
    striker: I32 = cell("who deals damage")
    blow: I32 = cell("the slot of the weapon that does")
    victim: I32 = cell("to whom")
    level: I32 = cell("of that roll: 0 critical failure, 1 failure, 2 success, 3 hard, 4 extreme, 5 critical")
    heavy: I32 = cell("dice that Heavy Hitter adds")
    hurt: I32 = cell("damage that is about to be taken")

    dex_tie: I32 = cell("option: 0 enemy, 1 skill")
    readied_gun: I32 = cell("option")
    fast_target: I32 = cell("option: 0 static, 1 moving, 2 off")
    enemy_ai: I32 = cell("option: 0 strict, 1 free")
    outnumbered: I32 = cell("option")
    wounds: I32 = cell("option: 0 document, 1 classic")
    malfunction: I32 = cell("option")
    range: I32 = cell("option")
    point_blank: I32 = cell("option")
    fumble: I32 = cell("option: 0 for 100, 1 classic")
    fumble_cost: I32 = cell("option: 0 none, 1 balance")
    manoeuvres: I32 = cell("option")
    dive_cost: I32 = cell("option: 0 none, 1 attack")
    surprise: I32 = cell("option: the number of the surprising team plus 1; 0 for none")
    darkness: I32 = cell("option")
    flight_ends: I32 = cell("option: 0 escaped, 1 won")
    build_table: I32 = cell("option: 0 manoeuvres, 1 shots, 2 both")
    volley_left: I32 = cell("option: 0 kept, 1 spent")
    fight_back_tie: I32 = cell("option: 0 attacker, 1 defender")
    dodge_tie: I32 = cell("option: 0 defender, 1 attacker")
    great_reaction: I32 = cell("option")
    armour_first: I32 = cell("option")
    fight_back_with: I32 = cell("option: 0 hand, 1 any")
    pace_lasts: I32 = cell("option")
    treat_allies: I32 = cell("option")
    waiting: I32 = cell("option")
    regaining: I32 = cell("option")
    luck_lasts: I32 = cell("option")
    round_cap: I32 = cell("option")

    order: Annotated[list[int], PerFighter(Cell("i"))] = cell("the fighters' numbers in the order in which they act")
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


@rule
def move_code(kind: int, slot: int, shots: int, target: int) -> int:
    """The code of a move."""
    return kind | slot << 5 | shots << 8 | target << 10


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return 22 * fighters + 24


# Rolling


@rule
def roll(fight: Fight, skill: int, net: int, limit: int, dice: Dice) -> int:
    """Roll d100 against a skill; returns the level of success, or -1 for a roll above the limit of a gun. 20."""
    fumble = 95 if fight.fumble == CLASSIC and skill < 50 else 99
    success = max(1, min(99, skill, limit))
    bounds = (1, max(1, min(success, skill // 5)), max(1, min(success, skill // 2)), success, fumble, limit)
    within = graded(dice, max(-2, min(2, net)), bounds)
    if within == 0 or (within == 1 and limit < fumble):
        return -1
    return within - 1


@rule
def check(fight: Fight, who: int, what: int, skill: int, net: int, dice: Dice, log: Log | None) -> int:
    """A fighter rolls for a skill, with a penalty die if the last roll threw them off balance. 27."""
    fighter = fight.fighters[who]
    if fighter.off_balance:
        net -= 1
        fighter.off_balance = 0
    emit(log, events.AWAITS, who, what, max(-2, min(2, net)))
    level = roll(fight, skill, net, 100, dice)
    emit(log, events.ROLLS, who, what, skill, max(-2, min(2, net)), level)
    if level == terms.CRITICAL_FAILURE and fight.fumble_cost and what != terms.FOR_CON:
        fighter.off_balance = 1
    return level


@rule
def has_perk(fighter: Fighter, perk: int) -> bool:
    """Whether a fighter has a perk."""
    return fighter.perks[perk] > 0


@rule
def can_pay(fighter: Fighter, perk: int) -> bool:
    """Whether a fighter has an active perk and the Luck for it."""
    return fighter.perks[perk] > 0 and fighter.luck >= fighter.prices[perk - terms.RAPID_ATTACK]


@rule
def pay(fight: Fight, who: int, perk: int, log: Log | None) -> None:
    """Use an active perk. 16."""
    fighter = fight.fighters[who]
    price = fighter.prices[perk - terms.RAPID_ATTACK]
    fighter.luck -= price
    score(log, who, SPENT, price)
    emit(log, events.USES_PERK, who, perk, fighter.luck)


@rule
def constitution(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """A fighter rolls Constitution."""
    fighter = fight.fighters[who]
    net = fighter.perks[terms.ENDURANCE] + (fighter.boost >> 4)
    return check(fight, who, terms.FOR_CON, fighter.constitution, net, dice, log)


# The opening


@rule
def begin(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Establish the order by DEX; who is surprised learns of it too late. 1, 22."""
    fight.round = 0
    for place in range(len(fight.fighters)):
        first = -1
        for who in range(len(fight.fighters)):
            if not is_placed(fight, who, place) and (first < 0 or goes_before(fight, who, first)):
                first = who
        fight.order[place] = first
    emit(log, events.OPENS, fight.order[0], needs_settling(fight))
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fight.surprise and fighter.team != fight.surprise - 1 and not has_perk(fighter, terms.ALERT):
            fighter.surprised = 1
            emit(log, events.SURPRISED, who)
    fight.stage = ROUND_BEGINS
    proceed(fight, dice, log)


@rule
def order_dex(fight: Fight, who: int) -> int:
    """The DEX that counts for the order. 1."""
    fighter = fight.fighters[who]
    if kind_of(fighter.weapons[fighter.wielded]) != GUN or fighter.loaded[fighter.wielded] == 0:
        return fighter.dexterity
    return fighter.dexterity + max(READIED if fight.readied_gun else 0, fighter.perks[terms.QUICK_DRAW])


@rule
def goes_before(fight: Fight, who: int, other: int) -> bool:
    """Whether a fighter acts earlier in a round than another who is listed before. 1."""
    mine, theirs = order_dex(fight, who), order_dex(fight, other)
    if mine != theirs:
        return mine > theirs
    fighter, rival = fight.fighters[who], fight.fighters[other]
    if fight.dex_tie == DEX_TIE_SKILL:
        skill, facing = fighter.skills[fighter.wielded], rival.skills[rival.wielded]
        if skill != facing:
            return skill > facing
    return fighter.enemy > rival.enemy


@rule
def needs_settling(fight: Fight) -> bool:
    """Whether DEX alone does not give the order: a gun in hand counts, or some are even. 1."""
    for who in range(len(fight.fighters)):
        if order_dex(fight, who) != fight.fighters[who].dexterity:
            return True
        for other in range(who):
            if order_dex(fight, who) == order_dex(fight, other):
                return True
    return False


# What may be done


@rule
def must_fight(fight: Fight, who: int) -> bool:
    """Whether a fighter is an enemy who only ever attacks and fights back. 9."""
    return fight.fighters[who].enemy == 1 and fight.enemy_ai == STRICT


@rule
def in_hand(fighter: Fighter, slot: int, kind: int) -> bool:
    """Whether a slot holds something of that kind that does not lie on the floor."""
    return fighter.weapons[slot] & 3 == kind and not fighter.dropped >> slot & 1


@rule
def distance(fight: Fight, who: int, other: int) -> int:
    """Yards between two fighters; 0 if range does not matter. 19."""
    if not fight.range:
        return 0
    return abs(fight.fighters[who].yards - fight.fighters[other].yards)


@rule
def in_reach(fight: Fight, who: int, other: int) -> bool:
    """Whether a fighter can step up to another and strike; one who is held steps nowhere. 19, 23."""
    fighter = fight.fighters[who]
    return distance(fight, who, other) <= (0 if fighter.held_by else fighter.mov)


@rule
def base_range(fighter: Fighter, slot: int) -> int:
    """The base range of a weapon in yards: a shotgun's first band."""
    return fighter.ranges[slot] & 1023


@rule
def band(fighter: Fighter, slot: int, yards: int) -> int:
    """In which of a shotgun's bands a distance lies, 0 to 2; 3 beyond them."""
    if yards <= base_range(fighter, slot):
        return 0
    if yards <= fighter.ranges[slot] >> 10 & 1023:
        return 1
    return 2 if yards <= fighter.ranges[slot] >> 20 else 3


@rule
def needed_level(fight: Fight, who: int, slot: int, target: int) -> int:
    """The level that hits at this distance; above CRITICAL if none does. 19."""
    fighter = fight.fighters[who]
    yards = distance(fight, who, target)
    base = base_range(fighter, slot)
    if fight.build_table >= FOR_SHOTS and fight.fighters[target].build <= TINY:
        return terms.CRITICAL + 1
    if fighter.ranges[slot] >> 10:
        return terms.REGULAR if band(fighter, slot, yards) < 3 else terms.CRITICAL + 1
    if yards <= base:
        return terms.REGULAR
    if yards <= 2 * base:
        return terms.HARD
    return terms.EXTREME if yards <= 4 * base else terms.CRITICAL + 1


@rule
def can_fire(fighter: Fighter, slot: int) -> bool:
    """Whether a slot holds a gun that is ready, or something to throw."""
    ranged = in_hand(fighter, slot, GUN) or in_hand(fighter, slot, THROWN)
    return ranged and fighter.loaded[slot] > 0 and not fighter.jammed >> slot & 1


@rule
def build_gap(fight: Fight, who: int, target: int) -> int:
    """By how much a fighter's Build is above another's, for manoeuvres; 0 if Build does not matter. 3."""
    fighter = fight.fighters[who]
    if fight.build_table == FOR_SHOTS:
        return 0
    return fighter.build + fighter.perks[terms.OUTMANEUVER] - fight.fighters[target].build


@apart
def legal(fight: Fight, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    if not to_act(fight) >> who & 1:
        return 0
    phase = fight.phase
    if phase == ACT:
        return legal_actions(fight, who, moves)
    if phase in (MORE, EXTRA):
        return legal_strikes(fight, who, moves, 0)
    if phase == REACT:
        return legal_reactions(fight, who, moves)
    if phase == UNDER_FIRE:
        moves[0] = STAND
        moves[1] = DIVE
        return 2
    moves[0] = USE
    moves[1] = SAVE
    return 2


@rule
def legal_reactions(fight: Fight, who: int, moves: list[int]) -> int:
    """Dodging, and fighting back: with the melee weapon in hand or bare hands, or with any that is carried. 12."""
    fighter = fight.fighters[who]
    moves[0] = DODGE
    count = 1
    if fighter.wielded != HANDS and in_hand(fighter, fighter.wielded, MELEE):
        count = add_move(moves, count, move_code(FIGHT_BACK, fighter.wielded, 0, 0))
    for slot in range(HANDS + 1, SLOTS):
        if fight.fight_back_with and slot != fighter.wielded and in_hand(fighter, slot, MELEE):
            count = add_move(moves, count, move_code(FIGHT_BACK, slot, 0, 0))
    return add_move(moves, count, move_code(FIGHT_BACK, HANDS, 0, 0))


@apart
def legal_strikes(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every melee attack on every foe in reach."""
    fighter = fight.fighters[who]
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target) and in_reach(fight, who, target):
            for slot in range(SLOTS):
                if in_hand(fighter, slot, MELEE):
                    count = add_move(moves, count, move_code(FIGHT, slot, 0, target))
    return count


@apart
def legal_shots(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every number of shots from every gun at every foe they can hit."""
    fighter = fight.fighters[who]
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        for slot in range(SLOTS):
            if can_fire(fighter, slot) and needed_level(fight, who, slot, target) <= terms.CRITICAL:
                for shots in range(1, min(weapons.most_shots(fighter.weapons[slot]), fighter.loaded[slot]) + 1):
                    count = add_move(moves, count, move_code(SHOOT, slot, shots, target))
    return count


@apart
def legal_manoeuvres(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every manoeuvre that Build allows. 3, 23."""
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target) or not in_reach(fight, who, target) or build_gap(fight, who, target) <= -3:
            continue
        foe = fight.fighters[target]
        if not foe.down:
            count = add_move(moves, count, move_code(TRIP, 0, 0, target))
        if foe.wielded != HANDS and not foe.dropped >> foe.wielded & 1:
            count = add_move(moves, count, move_code(DISARM, 0, 0, target))
        if foe.held_by == 0:
            count = add_move(moves, count, move_code(HOLD, 0, 0, target))
    return count


@apart
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What a fighter may do in their turn."""
    fighter = fight.fighters[who]
    count = 0
    if fighter.diving == 0:
        count = legal_shots(fight, who, moves, legal_strikes(fight, who, moves, 0))
    if must_fight(fight, who):
        return count if count > 0 else legal_preparations(fight, who, moves, 0)
    if fighter.diving == 0 and fight.manoeuvres:
        count = legal_manoeuvres(fight, who, moves, count)
    if not fighter.held_by:
        count = add_move(moves, count, FLEE)
    for other in range(len(fight.fighters)):
        if fighter.kinds_of_items > 0 and can_treat(fight, who, other):
            for item in range(fighter.kinds_of_items):
                if can_use(fighter, item, fight.fighters[other]):
                    count = add_move(moves, count, move_code(ITEM, item, 0, other))
    return legal_preparations(fight, who, moves, count)


@rule
def can_treat(fight: Fight, who: int, other: int) -> bool:
    """Whether an item may be used on a fighter: oneself, or an ally who is still there, and near. 14."""
    patient = fight.fighters[other]
    if other != who and not fight.treat_allies:
        return False
    return patient.team == fight.fighters[who].team and patient.state < terms.DEAD and in_reach(fight, who, other)


@rule
def can_use(fighter: Fighter, item: int, patient: Fighter) -> bool:
    """Whether a fighter has an item that may be used on another: to mend in any case, else only if it boosts. 14."""
    return fighter.items[item] > 0 and (fighter.heals[item] > 0 or can_boost(fighter, item, patient))


@rule
def can_boost(fighter: Fighter, item: int, patient: Fighter) -> bool:
    """Whether an item gives bonus dice to a fighter who may be treated. 30."""
    return fighter.boosts[item] > 0 and patient.state == STANDING and patient.boosted == 0


@apart
def legal_preparations(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """What makes a later turn better: loading, clearing, picking up, moving about, waiting."""
    fighter = fight.fighters[who]
    for slot in range(SLOTS):
        if (
            in_hand(fighter, slot, GUN)
            and fighter.loaded[slot] < weapons.magazine(fighter.weapons[slot])
            and fighter.spare[slot] > 0
        ):
            count = add_move(moves, count, move_code(RELOAD, slot, 0, 0))
        if fighter.jammed >> slot & 1 and not fighter.dropped >> slot & 1:
            count = add_move(moves, count, move_code(CLEAR, slot, 0, 0))
        if fighter.dropped >> slot & 1:
            count = add_move(moves, count, move_code(PICK_UP, slot, 0, 0))
    if fight.range and not fighter.held_by:
        near = False
        for target in range(len(fight.fighters)):
            if is_foe(fight, who, target):
                near = near or distance(fight, who, target) <= fighter.mov
            elif must_fight(fight, who) or fight.fighters[target].team != fighter.team:
                continue
            if fight.fighters[target].state < terms.DEAD and distance(fight, who, target) > 0:
                count = add_move(moves, count, move_code(CLOSE_IN, 0, 0, target))
        if near and not must_fight(fight, who):
            count = add_move(moves, count, FALL_BACK)
    if count > 0 and (must_fight(fight, who) or not fight.waiting):  # 25
        return count
    moves[count] = WAIT
    return count + 1


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Carry out a decision, and continue to the next one."""
    kind = move & 31
    slot = move >> 5 & 7
    shots = move >> 8 & 3
    target = move >> 10
    phase = fight.phase
    fight.due = 0
    fight.landed = 0
    fight.struck = 0
    if phase in (ACT, MORE, EXTRA):
        act(fight, who, kind, slot, shots, target, dice, log)
    elif phase in (REACT, UNDER_FIRE):
        fight.reaction = kind
        fight.with_slot = slot
        fight.stage = EXCHANGE
    else:
        answer_perk(fight, who, kind, phase, log)
    proceed(fight, dice, log)


@rule
def answer_perk(fight: Fight, who: int, kind: int, phase: int, log: Log | None) -> None:
    """Use an active perk in its window, or save the Luck. 16."""
    uses = kind == USE
    if phase == HEAVY:
        fight.stage = DAMAGING
        fight.heavy = fight.fighters[who].perks[terms.HEAVY_HITTER] if uses else 0
        if uses:
            pay(fight, who, terms.HEAVY_HITTER, log)
    elif phase == TOUGH:
        fight.stage = SUFFERING
        if uses:
            pay(fight, who, terms.TOUGH_GUY, log)
            fight.fighters[who].tough = fight.fighters[who].perks[terms.TOUGH_GUY]
    elif phase == FLEET:
        fight.stage = DECLARED
        if uses:
            pay(fight, who, terms.FLEET_FOOTED, log)
            fight.fighters[who].fleet = 1
    else:
        fight.rapid += 1
        fight.stage = ATTACK_ENDS
        if uses:
            pay(fight, who, terms.RAPID_ATTACK, log)
            ask(fight, who, EXTRA)


@rule
def proceed(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Carry out everything that needs no decision, until a fighter has to decide or the fight is over."""
    while fight.due == 0 and fight.ending == RUNNING:
        stage = fight.stage
        if stage == DECLARED:
            await_reaction(fight)
        elif stage == EXCHANGE:
            if fight.doing == SHOOT:
                take_cover(fight, dice, log)
            else:
                exchange(fight, dice, log)
        elif stage == NEXT_SHOT:
            fire(fight, dice, log)
        elif stage == DAMAGING:
            strike(fight, dice, log)
        elif stage == SUFFERING:
            suffer(fight, dice, log)
        elif stage == ATTACK_ENDS:
            end_attack(fight)
        elif stage == TURN_ENDS:
            end_turn(fight, log)
        elif stage == TURN_BEGINS:
            begin_turn(fight, dice, log)
        else:
            begin_round(fight, log)


@apart
def act(fight: Fight, who: int, kind: int, slot: int, shots: int, target: int, dice: Dice, log: Log | None) -> None:
    """A fighter's action in their turn."""
    fighter = fight.fighters[who]
    fight.stage = TURN_ENDS
    if kind != WAIT and (kind > HOLD or fight.fighters[target].held_by != who + 1):
        let_go(fight, who, log)
    if kind <= HOLD:
        declare(fight, who, kind, slot, shots, target, log)
    elif kind == FLEE:
        flee(fight, who, dice, log)
    elif kind == ITEM:
        fighter.items[slot] -= 1
        score(log, who, USED, 1)
        if fighter.heals[slot] > 0:
            treat(fight, who, slot, target, dice, log)
        if can_boost(fighter, slot, fight.fighters[target]):
            stimulate(fight, who, slot, target, log)
    elif kind == RELOAD:
        taken = min(weapons.magazine(fighter.weapons[slot]) - fighter.loaded[slot], fighter.spare[slot])
        fighter.loaded[slot] += taken
        fighter.spare[slot] -= taken
        fighter.wielded = slot
        emit(log, events.RELOADS, who, slot, fighter.loaded[slot], fighter.spare[slot])
    elif kind == CLEAR:
        fighter.jammed &= ~(1 << slot)
        emit(log, events.CLEARS, who, slot)
    elif kind == PICK_UP:
        fighter.dropped &= ~(1 << slot)
        fighter.wielded = slot
        emit(log, events.PICKS_UP, who, slot)
    elif kind == CLOSE_IN:
        walk(fight, who, target, 1)
        emit(log, events.CLOSES, who, target, distance(fight, who, target))
    elif kind == FALL_BACK:
        walk(fight, who, nearest_foe(fight, who), -1)
        emit(log, events.FALLS_BACK, who, distance(fight, who, nearest_foe(fight, who)))
    else:
        emit(log, events.WAITS, who)


@rule
def nearest_foe(fight: Fight, who: int) -> int:
    """The closest foe, the first of equals; the fighter itself if there is none."""
    nearest = who
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other):
            if nearest == who or distance(fight, who, other) < distance(fight, who, nearest):
                nearest = other
    return nearest


@apart
def walk(fight: Fight, who: int, target: int, towards: int) -> None:
    """Go up to another fighter, as far as a turn carries, or away from them. 19."""
    fighter = fight.fighters[who]
    fighter.moved = 1
    gap = fight.fighters[target].yards - fighter.yards
    side = 1 if gap > 0 or (gap == 0 and fighter.team == 0) else -1
    steps = YARDS_A_TURN * fighter.mov
    if towards > 0:
        steps = min(steps, abs(gap))
    fighter.yards += side * towards * steps


@rule
def declare(fight: Fight, who: int, kind: int, slot: int, shots: int, target: int, log: Log | None) -> None:
    """Announce an attack: next comes the defender's decision, before anything is rolled."""
    fighter = fight.fighters[who]
    fight.target = target
    fight.doing = kind
    fight.slot = slot
    fight.shots = shots
    fight.volley = 1 if shots > 1 else 0
    fight.dived = 0
    fight.asked_fleet = 0
    fight.stage = DECLARED
    if kind == SHOOT:
        fighter.wielded = slot
        emit(log, events.SHOOTS, who, target, slot, shots, fight.fighters[target].mov >= FAST)
        return
    if distance(fight, who, target) > 0:
        fighter.moved = 1
        fighter.yards = fight.fighters[target].yards
    if kind == FIGHT:
        if slot != HANDS:
            fighter.wielded = slot
        emit(log, events.ATTACKS, who, target, slot, is_outnumbered(fight, target))
    else:
        emit(log, events.MANOEUVRES, who, target, kind, manoeuvre_net(fight, who, target))


@rule
def manoeuvre_net(fight: Fight, who: int, target: int) -> int:
    """The penalty dice of a manoeuvre on a larger foe. 3."""
    return min(0, build_gap(fight, who, target))


@rule
def is_outnumbered(fight: Fight, who: int) -> bool:
    """Whether a fighter has reacted as often in this round as they can. 9."""
    fighter = fight.fighters[who]
    return fight.outnumbered == 1 and not fighter.fleet and fighter.reacted >= fighter.attacks


@rule
def await_reaction(fight: Fight) -> None:
    """Ask the target what they do about the attack, if there is anything they can."""
    target = fight.fighters[fight.target]
    fight.stage = EXCHANGE
    fight.reaction = NO_REACTION
    by_hand = fight.doing != SHOOT
    if (
        by_hand
        and is_outnumbered(fight, fight.target)
        and can_pay(target, terms.FLEET_FOOTED)
        and not fight.asked_fleet
    ):
        fight.asked_fleet = 1
        ask(fight, fight.target, FLEET)
    elif target.surprised:
        fight.reaction = NO_REACTION
    elif not must_fight(fight, fight.target):
        ask(fight, fight.target, REACT if by_hand else UNDER_FIRE)
    elif by_hand:
        fight.reaction = FIGHT_BACK
        fight.with_slot = target.wielded if in_hand(target, target.wielded, MELEE) else HANDS


@rule
def common_net(fight: Fight, who: int, target: int) -> int:
    """The dice for and against every attack: the dark, surprise, being held or down oneself."""
    fighter = fight.fighters[who]
    net = 0
    if fight.darkness and not has_perk(fighter, terms.NIGHT_VISION):
        net -= 1
    if fight.fighters[target].surprised:
        net += 1
    if fighter.held_by or fighter.down:
        net -= 1
    return net + (fighter.boost & 3)  # 30


@rule
def reaction_net(fighter: Fighter) -> int:
    """The bonus dice of an item for reactions. 30."""
    return fighter.boost >> 2 & 3


@rule
def melee_net(fight: Fight, who: int, target: int) -> int:
    """The net dice of a melee attack."""
    net = common_net(fight, who, target)
    if is_outnumbered(fight, target):
        net += 1
    if fight.fighters[target].down:
        net += 1
    return net


@rule
def is_fast(fight: Fight, target: int) -> bool:
    """Whether a target moves too fast for a clean shot. 4."""
    fighter = fight.fighters[target]
    if fighter.mov < FAST or fight.fast_target == FAST_OFF:
        return False
    return fight.fast_target == FAST_STATIC or fighter.moved == 1


@rule
def gun_net(fight: Fight, who: int, slot: int, target: int, several: bool) -> int:
    """The net dice of a shot. 3, 4, 6, 19."""
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    net = common_net(fight, who, target)
    if is_fast(fight, target):
        net -= 1
    if not has_perk(fighter, terms.BEADY_EYE):
        if fight.build_table >= FOR_SHOTS:
            net += max(-2, min(0, foe.build))
        elif foe.build <= SMALL:
            net -= 1
    if foe.build >= LARGE:
        net += 1
    if several and weapons.is_handgun(fighter.weapons[slot]) and not has_perk(fighter, terms.RAPID_FIRE):
        net -= 1
    if fight.range and distance(fight, who, target) <= fight.point_blank:
        net += 1
    return net


@apart
def exchange(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Both roll, and the levels say who hits whom. 7, 8."""
    who, target = fight.actor, fight.target
    fighter, foe = fight.fighters[who], fight.fighters[target]
    net = melee_net(fight, who, target)
    if fight.doing != FIGHT:
        net += manoeuvre_net(fight, who, target)
    mine = check(fight, who, terms.FOR_ATTACK, fighter.skills[fight.slot], net, dice, log)
    answer = react(fight, dice, log) if fight.reaction != NO_REACTION else terms.FAILURE
    fight.foe_failed = 1 if answer <= terms.FAILURE else 0
    fight.heavy = 0
    dodging = fight.reaction == DODGE
    favoured = fight.dodge_tie == 1 if dodging else fight.fight_back_tie == 0
    if mine >= terms.REGULAR and (mine > answer or (mine == answer and favoured)):
        fight.foe_failed = 1
        land(fight, who, target, fight.slot, mine, log)
        has_dice = fighter.damage[fight.slot] & 15 > 0
        if fight.stage == DAMAGING and has_dice and can_pay(fighter, terms.HEAVY_HITTER):
            ask(fight, who, HEAVY)
    elif fight.reaction == FIGHT_BACK and answer >= terms.REGULAR:
        fight.landed |= 1 << who
        fight.striker, fight.victim, fight.blow = target, who, fight.with_slot
        fight.level = answer if fight.great_reaction else terms.REGULAR
        fight.stage = DAMAGING
    else:
        fight.stage = ATTACK_ENDS
        if dodging and answer >= terms.REGULAR:
            emit(log, events.AVOIDED, target, who)
        else:
            emit(log, events.NOBODY_HITS, who, target, fight.reaction == FIGHT_BACK)
    if fight.reaction != NO_REACTION:
        foe.reacted += 1


@rule
def react(fight: Fight, dice: Dice, log: Log | None) -> int:
    """The target's roll; returns its level."""
    foe = fight.fighters[fight.target]
    if fight.reaction == DODGE:
        emit(log, events.DODGES, fight.target)
        return check(fight, fight.target, terms.FOR_DODGE, foe.dodge, reaction_net(foe), dice, log)
    emit(log, events.FIGHTS_BACK, fight.target, fight.with_slot)
    if fight.with_slot != HANDS:
        foe.wielded = fight.with_slot
    net = reaction_net(foe) - (1 if foe.held_by or foe.down else 0)
    return check(fight, fight.target, terms.FOR_FIGHT_BACK, foe.skills[fight.with_slot], net, dice, log)


@rule
def land(fight: Fight, who: int, target: int, slot: int, level: int, log: Log | None) -> None:
    """An attack has won: a manoeuvre takes effect, a blow deals damage."""
    fight.landed |= 1 << target
    fight.striker, fight.victim, fight.blow, fight.level = who, target, slot, level
    fight.stage = ATTACK_ENDS
    foe = fight.fighters[target]
    if fight.doing == TRIP:
        foe.down = 1
        emit(log, events.TRIPPED, who, target)
        let_go(fight, target, log)
    elif fight.doing == DISARM:
        foe.dropped |= 1 << foe.wielded
        emit(log, events.DISARMED, who, target, foe.wielded)
        foe.wielded = HANDS
    elif fight.doing == HOLD:
        foe.held_by = who + 1
        emit(log, events.HELD, who, target)
        let_go(fight, target, log)
    else:
        fight.stage = DAMAGING


@apart
def take_cover(fight: Fight, dice: Dice, log: Log | None) -> None:
    """A target that dives rolls Dodge: a success makes every shot of the volley harder. 5, 24."""
    foe = fight.fighters[fight.target]
    fight.stage = NEXT_SHOT
    if fight.reaction != DIVE:
        return
    foe.moved = 1
    if fight.dive_cost and not has_perk(foe, terms.NIMBLE):
        foe.diving = 1
    level = check(fight, fight.target, terms.FOR_DODGE, foe.dodge, reaction_net(foe), dice, log)
    fight.dived = 1 if level >= terms.REGULAR else 0
    emit(log, events.DIVES, fight.target, level, not has_perk(foe, terms.NIMBLE))


@apart
def fire(fight: Fight, dice: Dice, log: Log | None) -> None:
    """One shot: a round is spent, rolled and hits or not. 6, 18, 19."""
    who, target, slot = fight.actor, fight.target, fight.slot
    fighter = fight.fighters[who]
    if fight.shots == 0 or fight.fighters[target].state != STANDING or not can_fire(fighter, slot):
        fight.stage = ATTACK_ENDS
        return
    fight.shots -= 1
    net = gun_net(fight, who, slot, target, fight.volley == 1) - fight.dived
    if fighter.off_balance:
        net -= 1
        fighter.off_balance = 0
    net = max(-2, min(2, net))
    limit = (
        weapons.jams_from(fighter.weapons[slot]) - 1
        if fight.malfunction and kind_of(fighter.weapons[slot]) == GUN
        else 100
    )
    emit(log, events.AWAITS, who, terms.FOR_ATTACK, net)
    level = roll(fight, fighter.skills[slot], net, limit, dice)
    emit(log, events.ROLLS, who, terms.FOR_ATTACK, fighter.skills[slot], net, level)
    if level < 0:
        fighter.jammed |= 1 << slot
        emit(log, events.JAMS, who, slot)
        return
    if level == terms.CRITICAL_FAILURE and fight.fumble_cost:
        fighter.off_balance = 1
    fighter.loaded[slot] -= 1
    if kind_of(fighter.weapons[slot]) == THROWN and fighter.loaded[slot] == 0:
        fighter.wielded = HANDS
    score(log, who, FIRED, 1)
    if level >= needed_level(fight, who, slot, target):
        fight.landed |= 1 << target
        fight.striker, fight.victim, fight.blow, fight.level, fight.heavy = who, target, slot, level, 0
        fight.stage = DAMAGING
    else:
        emit(log, events.MISSES, who, target)


# Damage


@rule
def roll_damage(who: int, damage: int, dice: Dice, log: Log | None) -> int:
    """Roll a weapon's damage."""
    rolled = damage >> 10
    if damage & 15:
        emit(log, events.AWAITS, who, terms.FOR_DAMAGE, 0)
        rolled += pips(dice, damage & 15, damage >> 4 & 63)
    return rolled


@rule
def share(part: int, bonus: int) -> int:
    """As much of a damage bonus as a weapon adds; halves are cut off."""
    if part == weapons.FULL_BONUS:
        return bonus
    return int(bonus / 2) if part == weapons.HALF_BONUS else 0


@rule
def highest_bonus(fighter: Fighter) -> int:
    """The most that a damage bonus can be."""
    return fighter.bonus_dice * fighter.bonus_sides + fighter.bonus_flat


@rule
def roll_bonus(fight: Fight, who: int, part: int, dice: Dice, log: Log | None) -> int:
    """Roll the damage bonus, if the weapon adds it."""
    fighter = fight.fighters[who]
    if part == weapons.NO_BONUS:
        return 0
    bonus = fighter.bonus_flat
    if fighter.bonus_dice:
        emit(log, events.AWAITS, who, terms.FOR_BONUS, 0)
        bonus += pips(dice, fighter.bonus_dice, fighter.bonus_sides)
    return share(part, bonus)


@rule
def damage_of(fight: Fight, who: int, slot: int, target: int) -> int:
    """The damage dice of a weapon at this distance. 19."""
    fighter = fight.fighters[who]
    if fighter.ranges[slot] >> 10 == 0:
        return fighter.damage[slot]
    lies = min(2, band(fighter, slot, distance(fight, who, target)))
    return fighter.damage[slot] >> BAND * lies & (1 << BAND) - 1


@apart
def strike(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Roll the damage of a hit, and see what is left of it behind armour. 10, 11."""
    who, target, slot = fight.striker, fight.victim, fight.blow
    fighter, foe = fight.fighters[who], fight.fighters[target]
    damage = damage_of(fight, who, slot, target)
    weapon = fighter.weapons[slot]
    part = adds(weapon)
    amount = 0
    dealt = terms.ROLLED
    if foe.ward == terms.IMPALING_LEAST and impales(weapon):
        amount = (damage & 15) + (damage >> 10) + share(part, fighter.bonus_dice + fighter.bonus_flat)
        amount += fight.heavy  # of more dice the least
        fight.heavy = 0
        dealt = terms.LEAST
    elif fight.level >= terms.EXTREME:  # of a reaction only with great_reaction
        amount = (damage & 15) * (damage >> 4 & 63) + (damage >> 10) + share(part, highest_bonus(fighter))
        if impales(weapon):
            amount += roll_damage(who, damage, dice, log)
        dealt = terms.MOST
    else:
        amount = roll_damage(who, damage, dice, log) + roll_bonus(fight, who, part, dice, log)
    if fight.heavy:
        emit(log, events.AWAITS, who, terms.FOR_HEAVY, 0)
        amount += pips(dice, fight.heavy, damage >> 4 & 63)
    fight.hurt = past_armour(fight, foe, kind_of(weapon), max(0, amount))
    kept, fought_back = max(0, amount) - fight.hurt, fight.reaction == FIGHT_BACK
    emit(log, events.HITS, who, target, slot, max(0, amount), fight.level, kept, fought_back, dealt)
    fight.stage = SUFFERING
    if fight.hurt > 0 and foe.tough == 0 and can_pay(foe, terms.TOUGH_GUY):
        ask(fight, target, TOUGH)


@rule
def past_armour(fight: Fight, foe: Fighter, kind: int, amount: int) -> int:
    """What a body's own defences and its armour let through. 11."""
    if fight.armour_first:
        amount = max(0, amount - foe.armour)
    if kind == GUN and foe.ward == terms.GUNS_HALF:
        amount //= 2
    elif kind == GUN and foe.ward == terms.GUNS_ONE:
        amount = min(1, amount)
    elif kind == MELEE and foe.ward == terms.MELEE_HALF:
        amount //= 2
    return amount if fight.armour_first else max(0, amount - foe.armour)


@apart
def suffer(fight: Fight, dice: Dice, log: Log | None) -> None:
    """The victim takes what has come through. 15."""
    who = fight.victim
    fighter = fight.fighters[who]
    amount = fight.hurt
    if fighter.tough > 0 and amount > 0:
        ignored = min(fighter.tough, amount)
        amount -= ignored
        fighter.tough = fighter.tough - ignored if fighter.tough > ignored else -1
        emit(log, events.IGNORES, who, ignored)
    fight.hurt = 0
    fight.stage = NEXT_SHOT if fight.doing == SHOOT else ATTACK_ENDS
    if amount > 0:
        score(log, fight.striker, DEALT, min(amount, fighter.hp))
        wound(fight, who, amount, dice, log)
        let_go(fight, who, log)
        if fighter.state != STANDING and fight.doing == SHOOT and fight.volley_left:
            spend_rest(fight, log)
    judge(fight, log)


@rule
def spend_rest(fight: Fight, log: Log | None) -> None:
    """Fire the shots that are left at a target that has fallen. 6."""
    fighter = fight.fighters[fight.actor]
    spent = min(fight.shots, fighter.loaded[fight.slot])
    fight.shots = 0
    if spent > 0:
        fighter.loaded[fight.slot] -= spent
        score(log, fight.actor, FIRED, spent)
        emit(log, events.SPENDS, fight.actor, fight.slot, spent)


@apart
def wound(fight: Fight, who: int, amount: int, dice: Dice, log: Log | None) -> None:
    """Lose HP, with all consequences. 15."""
    fighter = fight.fighters[who]
    fighter.hp = max(0, fighter.hp - amount)
    fight.struck |= 1 << who
    emit(log, events.HURT, who, fighter.hp)
    if fight.wounds == DOCUMENT:
        if fighter.hp == 0:
            leave(fight, who, terms.DEAD)
            emit(log, events.DIES, who)
        return
    fresh = 2 * amount >= fighter.max_hp
    if amount >= fighter.max_hp:
        leave(fight, who, terms.DEAD)
        emit(log, events.DIES, who)
        return
    if fresh:
        fighter.major_wound = 1
        emit(log, events.MAJOR_WOUND, who)
    if fighter.hp == 0:
        if fighter.major_wound:
            leave(fight, who, terms.DYING)
            emit(log, events.IS_DYING, who)
        else:
            leave(fight, who, terms.UNCONSCIOUS)
            emit(log, events.FALLS_UNCONSCIOUS, who)
    elif fresh:
        level = constitution(fight, who, dice, log)
        if level >= terms.REGULAR:
            emit(log, events.STAYS_UP, who, level)
        else:
            leave(fight, who, terms.UNCONSCIOUS)
            emit(log, events.FALLS_UNCONSCIOUS, who)


@rule
def leave(fight: Fight, who: int, state: int) -> None:
    """A fighter no longer takes part; whom they held is free."""
    fighter = fight.fighters[who]
    fighter.state = state
    fighter.held_by = 0
    fighter.down = 0
    for other in range(len(fight.fighters)):
        if fight.fighters[other].held_by == who + 1:
            fight.fighters[other].held_by = 0


@apart
def let_go(fight: Fight, who: int, log: Log | None) -> None:
    """A fighter who is hurt, or does something else, holds no foe any longer. 23."""
    for other in range(len(fight.fighters)):
        if fight.fighters[other].held_by == who + 1:
            fight.fighters[other].held_by = 0
            emit(log, events.LOOSE, other)


# Flight and items


@rule
def pace(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """A fighter's MOV in one chase, by a Constitution roll. 13."""
    level = constitution(fight, who, dice, log)
    mov = fight.fighters[who].mov
    if level >= terms.EXTREME:
        mov += 1
    elif level < terms.REGULAR:
        mov -= 1
    emit(log, events.PACE, who, level, mov)
    if fight.pace_lasts:
        fight.fighters[who].mov = max(1, mov)
    return mov


@apart
def flee(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """Run: away if no foe is faster. 13."""
    fight.fighters[who].moved = 1
    emit(log, events.RUNS, who)
    mine = pace(fight, who, dice, log)
    away = True
    for other in range(len(fight.fighters)):
        if other != who and fight.fighters[other].state == STANDING:
            theirs = pace(fight, other, dice, log)
            if is_foe(fight, who, other) and theirs > mine:
                away = False
    if away:
        leave(fight, who, terms.ESCAPED)
        emit(log, events.ESCAPES, who)
        judge(fight, log)
    else:
        emit(log, events.CAUGHT, who)


@apart
def treat(fight: Fight, who: int, item: int, target: int, dice: Dice, log: Log | None) -> None:
    """Mend oneself or an ally with an item. 14."""
    fighter, patient = fight.fighters[who], fight.fighters[target]
    mends = fighter.heals[item]
    amount = mends >> 10
    if mends & 15:
        emit(log, events.AWAITS, who, terms.FOR_ITEM + item, 0)
        amount += pips(dice, mends & 15, mends >> 4 & 63)
    before = patient.hp
    patient.hp = min(patient.max_hp, patient.hp + amount)
    emit(log, events.TREATS, who, target, item, patient.hp - before, patient.hp)
    if patient.state == terms.DYING:
        patient.state = terms.UNCONSCIOUS
        emit(log, events.STABLE, target)
    elif patient.state == terms.UNCONSCIOUS and not patient.major_wound:
        patient.state = STANDING
        emit(log, events.COMES_TO, target)


@rule
def stimulate(fight: Fight, who: int, item: int, target: int, log: Log | None) -> None:
    """Give bonus dice to oneself or an ally by an item. 30."""
    patient, gives = fight.fighters[target], fight.fighters[who].boosts[item]
    patient.boost = gives & 63
    # One's own turn, which ends at once, is not one of those that are meant.
    patient.boosted = (gives >> 6) + (1 if target == who else 0)
    emit(log, events.BOOSTS, who, target, item)


# Turns and rounds


@rule
def end_attack(fight: Fight) -> None:
    """After an attack: one more by Rapid Attack, the next of several, or the end of the turn. 9, 16."""
    who = fight.actor
    fighter = fight.fighters[who]
    fight.stage = TURN_ENDS
    if fighter.state != STANDING:
        return
    by_hand = fight.doing == FIGHT and reaches_foe(fight, who)
    if (
        by_hand
        and fight.foe_failed
        and fight.rapid < fighter.perks[terms.RAPID_ATTACK]
        and can_pay(fighter, terms.RAPID_ATTACK)
    ):
        ask(fight, who, RAPID)
        return
    fight.attacks -= 1
    if by_hand and fight.attacks > 0:
        ask(fight, who, MORE)


@rule
def reaches_foe(fight: Fight, who: int) -> bool:
    """Whether there is a foe to strike."""
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other) and in_reach(fight, who, other):
            return True
    return False


@rule
def end_turn(fight: Fight, log: Log | None) -> None:
    """Get up, if one was down, and pass the turn on."""
    fighter = fight.fighters[fight.actor]
    fighter.down = 0
    fighter.diving = 0
    fighter.boosted = max(0, fighter.boosted - 1)
    if fighter.boosted == 0:
        fighter.boost = 0
    fight.turn += 1
    fight.stage = TURN_BEGINS


@rule
def begin_turn(fight: Fight, dice: Dice, log: Log | None) -> None:
    """The next in the order who can act decides; behind the last the round is over."""
    if fight.turn == len(fight.fighters):
        end_round(fight, dice, log)
        fight.stage = ROUND_BEGINS
        return
    who = fight.order[fight.turn]
    fighter = fight.fighters[who]
    if fighter.state != STANDING or fighter.surprised:
        fight.turn += 1
        return
    fight.actor = who
    fighter.moved = 0
    fight.attacks = fighter.attacks
    fight.rapid = 0
    ask(fight, who, ACT)


@rule
def begin_round(fight: Fight, log: Log | None) -> None:
    """A new round, unless there have been too many. 21."""
    if fight.round >= fight.round_cap:
        fight.ending = fight.teams
        emit(log, events.STALEMATE, fight.round)
        emit(log, events.ENDS, fight.ending)
        return
    fight.round += 1
    fight.turn = 0
    fight.stage = TURN_BEGINS
    emit(log, events.ROUND, fight.round)


@apart
def end_round(fight: Fight, dice: Dice, log: Log | None) -> None:
    """What happens between rounds: surprise is over, some bodies mend, the dying hold on or die. 15, 22, 26."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        fighter.reacted = 0
        fighter.tough = 0
        fighter.surprised = 0
        if fight.regaining and fighter.state == STANDING and fighter.regains and fighter.hp < fighter.max_hp:
            fighter.hp = min(fighter.max_hp, fighter.hp + fighter.regains)
            emit(log, events.REGAINS, who, fighter.hp)
        if fighter.state == terms.DYING:
            level = constitution(fight, who, dice, log)
            if level >= terms.REGULAR:
                emit(log, events.HANGS_ON, who, level)
            else:
                leave(fight, who, terms.DEAD)
                emit(log, events.DIES, who)


@rule
def judge(fight: Fight, log: Log | None) -> None:
    """The fight is over when at most one team has fighters left. 2."""
    left = last_team(fight)
    if left == RUNNING:
        return
    fight.ending = left
    for who in range(len(fight.fighters)):
        if not fight.flight_ends and fight.fighters[who].state == terms.ESCAPED and fight.fighters[who].team != left:
            fight.ending = fight.teams + 1
    fight.due = 0
    emit(log, events.ENDS, fight.ending)


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, HP_LEFT, fighter.hp)
        score(log, who, DIED, 1 if fighter.state == terms.DEAD else 0)
        score(log, who, OUT_COLD, 1 if fighter.state == terms.UNCONSCIOUS or fighter.state == terms.DYING else 0)
        score(log, who, GOT_AWAY, 1 if fighter.state == terms.ESCAPED else 0)


@rule
def least_damage(fight: Fight) -> int:
    """The least that the blow which has landed can do behind armour."""
    fighter, foe = fight.fighters[fight.striker], fight.fighters[fight.victim]
    weapon = fighter.weapons[fight.blow]
    damage, part = damage_of(fight, fight.striker, fight.blow, fight.victim), adds(weapon)
    amount = (damage & 15) + (damage >> 10) + share(part, fighter.bonus_dice + fighter.bonus_flat)
    defied = foe.ward == terms.IMPALING_LEAST and impales(weapon)
    if fight.level >= terms.EXTREME and not defied:
        amount = (damage & 15) * (damage >> 4 & 63) + (damage >> 10) + share(part, highest_bonus(fighter))
    return past_armour(fight, foe, kind_of(weapon), max(0, amount))


@rule
def will_hurt(fight: Fight, who: int) -> bool:
    """Whether a fighter is sure to be hurt by the blow about which a perk is being asked before it takes effect."""
    if fight.due == 0 or fight.victim != who:
        return False
    return (fight.phase == HEAVY and least_damage(fight) > 0) or (fight.phase == TOUGH and fight.hurt > 0)


@rule
def measure(before: Fight, after: Fight, who: int, found: list[int]) -> None:
    """What a move has brought: on whom a blow or a manoeuvre has landed, who was hurt, who fell, and who got away.

    A blow that armour stops has landed all the same. One about which a perk is asked first has landed, and counts as
    hurting where it cannot but hurt.
    """
    for place in range(len(MEASURED)):
        found[place] = 0
    for other in range(len(before.fighters)):
        old, new = before.fighters[other], after.fighters[other]
        hit = after.landed >> other & 1 == 1
        hurt = after.struck >> other & 1 == 1 or will_hurt(after, other)
        fell = old.state == STANDING and new.state in (terms.UNCONSCIOUS, terms.DYING, terms.DEAD)
        if other == who:
            found[IS_HIT] = 1 if hit else 0
            found[IS_HURT] = 1 if hurt else 0
            found[FALLS] = 1 if fell else 0
            found[GETS_AWAY] = 1 if new.state == terms.ESCAPED else 0
        elif old.team != before.fighters[who].team:
            found[HIT] = 1 if hit else found[HIT]
            found[HURTS] = 1 if hurt else found[HURTS]
            found[FELLS] = 1 if fell else found[FELLS]
