"""The fight: its record, and every rule of rolling, fighting, shooting and fleeing. Numbers in comments are rulings."""

from __future__ import annotations

from typing import Annotated

from affray.kernel.chance import Dice, graded, pips
from affray.kernel.records import I32, I64, Cell, Cells, PerFighter, record
from affray.kernel.rules import Log, apart, emit, kinds, rule, score
from affray.systems.mythos.weapons import (
    ADDS,
    DAMAGE,
    FARTHER,
    FARTHEST,
    FULL_BONUS,
    GUN,
    HALF_BONUS,
    HANDGUN,
    IMPALES,
    KIND,
    MAGAZINE,
    MALFUNCTION,
    MELEE,
    NO_BONUS,
    RANGE,
    SHOTS,
    THROWN,
)

RUNNING = -1
CRITICAL_FAILURE, FAILURE, REGULAR, HARD, EXTREME, CRITICAL = range(6)  # levels of success
STANDING, UNCONSCIOUS, DYING, DEAD, ESCAPED = range(5)
NO_WARD, GUNS_HALF, GUNS_ONE, MELEE_HALF, IMPALING_LEAST = range(5)  # how a body defies weapons
DEX_TIE_ENEMY, DEX_TIE_SKILL = range(2)
FAST_OFF, FAST_STATIC, FAST_MOVING = range(3)

SLOTS = 5  # the bare hands, and four weapons
HANDS = 0

(
    BEADY_EYE,
    RAPID_FIRE,
    QUICK_DRAW,
    NIMBLE,
    ENDURANCE,
    OUTMANEUVER,
    ALERT,
    NIGHT_VISION,
    RAPID_ATTACK,
    HEAVY_HITTER,
    TOUGH_GUY,
    FLEET_FOOTED,
) = range(12)
PERK_PRICE = 10
IGNORED_DAMAGE = 5

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
    FIRST_AID,
    MEDICINE,
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
) = range(20)
NO_REACTION = -1

# What a throw is for.
FOR_ATTACK, FOR_DODGE, FOR_FIGHT_BACK, FOR_CON, FOR_DAMAGE, FOR_BONUS, FOR_HEAVY, FOR_MEDICINE = range(8)

FAST, SMALL, LARGE = 8, -2, 4  # from which MOV and Build on a target is hard or easy to shoot
READIED = 50
YARDS_A_TURN = 5  # for each point of MOV

MEASURED = ("hit", "are hit", "fell", "fall", "get away")
FIGURES = ("damage dealt", "HP left", "dead", "out cold", "escaped", "shots fired", "items used", "Luck spent")
DEALT, HP_LEFT, DIED, OUT_COLD, GOT_AWAY, FIRED, USED, SPENT = range(8)


@record
class Fighter:
    """One combatant: what the sheet says, what is carried slot by slot, and how it stands."""

    team: I32
    enemy: I32
    state: I32
    con: I32
    dex: I32
    dodge: I32
    mov: I32
    build: I32
    bonus_dice: I32  # the damage bonus: dice, or a flat number
    bonus_sides: I32
    bonus_flat: I32
    hp: I32
    max_hp: I32
    armour: I32
    ward: I32
    regains: I32
    attacks: I32
    luck: I32
    perks: I32
    first_aid: I32
    medicine: I32

    wielded: I32
    dropped: I32  # slots on the floor, as bits
    jammed: I32  # slots, as bits
    down: I32
    held_by: I32  # the holder plus one
    surprised: I32
    off_balance: I32
    diving: I32  # no attack before the end of the next turn
    moved: I32
    reacted: I32  # how often in this round
    tough: I32  # damage still ignored; -1 once that is used up
    fleet: I32
    major: I32
    yards: I32

    natural: I32  # the damage of the bare hands, or of claws
    weapons: Annotated[list[int], Cells("i", SLOTS)]
    skills: Annotated[list[int], Cells("i", SLOTS)]
    loaded: Annotated[list[int], Cells("i", SLOTS)]
    spare: Annotated[list[int], Cells("i", SLOTS)]


@record
class Fight:
    """A whole fight: options that rules read, whose decision it is, the attack being resolved, and the fighters."""

    due: I64
    phase: I32
    stage: I32
    round: I32
    round_cap: I32
    turn: I32  # place in the order
    teams: I32
    ending: I32

    actor: I32
    target: I32
    doing: I32  # the kind of the attack
    slot: I32
    shots: I32  # still to be fired
    volley: I32  # whether several shots were declared
    attacks: I32  # of this turn still to come
    rapid: I32  # whether Rapid Attack was used in this turn
    reaction: I32
    with_slot: I32  # what is fought back with
    dived: I32  # whether the target dives well
    struck: I64  # who has been hurt since the last decision, as bits
    asked_fleet: I32
    foe_failed: I32
    striker: I32  # who deals damage, with what, to whom, how well
    blow: I32
    victim: I32
    level: I32
    heavy: I32
    hurt: I32

    dex_tie: I32
    readied_gun: I32
    fast_target: I32
    enemy_free: I32
    outnumbering: I32
    classic_wounds: I32
    malfunctions: I32
    by_range: I32
    point_blank: I32
    wide_fumbles: I32
    fumble_cost: I32
    manoeuvres: I32
    dive_cost: I32
    surprise: I32  # the team that takes the others by surprise, plus one
    darkness: I32

    order: Annotated[list[int], PerFighter(Cell("i"))]
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


(
    OPENS,
    ROUND,
    SURPRISED,
    ATTACKS,
    SHOOTS,
    MANOEUVRES,
    ROLLS,
    DODGES,
    FIGHTS_BACK,
    DIVES,
    AVOIDED,
    NOBODY_HITS,
    MISSES,
    JAMS,
    HITS,
    USES_PERK,
    IGNORES,
    HURT,
    DIES,
    FALLS_UNCONSCIOUS,
    MAJOR_WOUND,
    STAYS_UP,
    IS_DYING,
    HANGS_ON,
    TRIPPED,
    DISARMED,
    HELD,
    LOOSE,
    RUNS,
    PACE,
    ESCAPES,
    CAUGHT,
    TREATS,
    COMES_TO,
    STABLE,
    RELOADS,
    CLEARS,
    PICKS_UP,
    CLOSES,
    FALLS_BACK,
    WAITS,
    REGAINS,
    STALEMATE,
    ENDS,
    AWAITS,
) = kinds(
    OPENS="first | order, 1",
    ROUND="number | 2",
    SURPRISED="who | 22",
    ATTACKS="who target slot | fight, 9",
    SHOOTS="who target slot shots | fight, 5, 6",
    MANOEUVRES="who target kind_of net | 3, 23",
    ROLLS="who what skill net level | levels",
    DODGES="who | dodge, 8",
    FIGHTS_BACK="who slot | fight-back, 7, 12",
    DIVES="who level | 5, 24",
    AVOIDED="who target | dodge, 8",
    NOBODY_HITS="who target | fight-back, 7",
    MISSES="who target | fight, 19",
    JAMS="who slot | 18",
    HITS="who target slot amount level own kept | damage, 10, 11",
    USES_PERK="who perk luck | 16",
    IGNORES="who amount | 16",
    HURT="who hp | damage",
    DIES="who | 15, ends",
    FALLS_UNCONSCIOUS="who | 15",
    MAJOR_WOUND="who | 15",
    STAYS_UP="who level | 15",
    IS_DYING="who | 15",
    HANGS_ON="who level | 15",
    TRIPPED="who target | 23",
    DISARMED="who target slot | 23",
    HELD="who target | 23",
    LOOSE="who | 23",
    RUNS="who | flee, 13",
    PACE="who level mov | flee, 13",
    ESCAPES="who | flee, 13",
    CAUGHT="who | flee, 13",
    TREATS="who target item amount hp | items, 14",
    COMES_TO="who | 15",
    STABLE="who | 15",
    RELOADS="who slot loaded spare | 18",
    CLEARS="who slot | 18",
    PICKS_UP="who slot | 23",
    CLOSES="who target yards | 19",
    FALLS_BACK="who yards | 19",
    WAITS="who | 25",
    REGAINS="who hp | 26",
    STALEMATE="rounds | 21",
    ENDS="ending | ends, 2",
    AWAITS="who what net | levels",
)


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
    fumble = 95 if fight.wide_fumbles and skill < 50 else 99
    success = max(1, min(99, skill, limit))
    bounds = (1, max(1, min(success, skill // 5)), max(1, min(success, skill // 2)), success, fumble, limit)
    within = graded(dice, max(-2, min(2, net)), bounds)
    if within == 0 or (within == 1 and limit < fumble):
        return -1
    return within - 1


@rule
def check(fight: Fight, who: int, what: int, skill: int, net: int, dice: Dice, log: Log | None) -> int:
    """Somebody rolls for a skill; whoever was thrown off balance by the last roll has a penalty die. 27."""
    fighter = fight.fighters[who]
    if fighter.off_balance:
        net -= 1
        fighter.off_balance = 0
    emit(log, AWAITS, who, what, max(-2, min(2, net)))
    level = roll(fight, skill, net, 100, dice)
    emit(log, ROLLS, who, what, skill, max(-2, min(2, net)), level)
    if level == CRITICAL_FAILURE and fight.fumble_cost and what != FOR_CON:
        fighter.off_balance = 1
    return level


@rule
def has_perk(fighter: Fighter, perk: int) -> bool:
    """Whether somebody has a perk."""
    return fighter.perks >> perk & 1 == 1


@rule
def can_pay(fighter: Fighter, perk: int) -> bool:
    """Whether somebody has an active perk and the Luck for it."""
    return has_perk(fighter, perk) and fighter.luck >= PERK_PRICE


@rule
def pay(fight: Fight, who: int, perk: int, log: Log | None) -> None:
    """Use an active perk. 16."""
    fighter = fight.fighters[who]
    fighter.luck -= PERK_PRICE
    score(log, who, SPENT, PERK_PRICE)
    emit(log, USES_PERK, who, perk, fighter.luck)


@rule
def constitution(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """Somebody rolls Constitution."""
    fighter = fight.fighters[who]
    return check(fight, who, FOR_CON, fighter.con, 1 if has_perk(fighter, ENDURANCE) else 0, dice, log)


# The opening


@rule
def begin(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Establish the order by DEX; who is surprised learns of it too late. 1, 22."""
    fight.ending = RUNNING
    fight.round = 0
    for place in range(len(fight.fighters)):
        first = -1
        for who in range(len(fight.fighters)):
            if not is_placed(fight, who, place) and (first < 0 or goes_before(fight, who, first)):
                first = who
        fight.order[place] = first
    emit(log, OPENS, fight.order[0])
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fight.surprise and fighter.team != fight.surprise - 1 and not has_perk(fighter, ALERT):
            fighter.surprised = 1
            emit(log, SURPRISED, who)
    fight.stage = ROUND_BEGINS
    proceed(fight, dice, log)


@rule
def is_placed(fight: Fight, who: int, places: int) -> bool:
    """Whether somebody has one of the first places of the order."""
    for place in range(places):
        if fight.order[place] == who:
            return True
    return False


@rule
def order_dex(fight: Fight, who: int) -> int:
    """The DEX that counts for the order. 1."""
    fighter = fight.fighters[who]
    armed = KIND[fighter.weapons[fighter.wielded]] == GUN and fighter.loaded[fighter.wielded] > 0
    if armed and (fight.readied_gun or has_perk(fighter, QUICK_DRAW)):
        return fighter.dex + READIED
    return fighter.dex


@rule
def goes_before(fight: Fight, who: int, other: int) -> bool:
    """Whether somebody acts earlier in a round than another who is listed before. 1."""
    mine, theirs = order_dex(fight, who), order_dex(fight, other)
    if mine != theirs:
        return mine > theirs
    fighter, rival = fight.fighters[who], fight.fighters[other]
    if fight.dex_tie == DEX_TIE_SKILL:
        skill, facing = fighter.skills[fighter.wielded], rival.skills[rival.wielded]
        if skill != facing:
            return skill > facing
    return fighter.enemy > rival.enemy


# Whose decision it is


@rule
def ask(fight: Fight, who: int, phase: int) -> None:
    """Let somebody decide."""
    fight.phase = phase
    fight.due = 1 << who


@rule
def to_act(fight: Fight) -> int:
    """Who owes a decision, as a bitmask: one at a time."""
    return fight.due if fight.ending == RUNNING else 0


@rule
def outcome(fight: Fight) -> int:
    """-1 while it runs, the winning team's number, `teams` for a stalemate, one more where the losers got away."""
    return fight.ending


# What may be done


@rule
def is_foe(fight: Fight, who: int, other: int) -> bool:
    """Whether somebody fights for another team and still stands."""
    return fight.fighters[other].team != fight.fighters[who].team and fight.fighters[other].state == STANDING


@rule
def must_fight(fight: Fight, who: int) -> bool:
    """Whether somebody is an enemy who only ever attacks and fights back. 9."""
    return fight.fighters[who].enemy == 1 and not fight.enemy_free


@rule
def in_hand(fighter: Fighter, slot: int, kind: int) -> bool:
    """Whether a slot holds something of that kind that does not lie on the floor."""
    return KIND[fighter.weapons[slot]] == kind and not fighter.dropped >> slot & 1


@rule
def distance(fight: Fight, who: int, other: int) -> int:
    """Yards between two; none where the range does not matter. 19."""
    if not fight.by_range:
        return 0
    return abs(fight.fighters[who].yards - fight.fighters[other].yards)


@rule
def in_reach(fight: Fight, who: int, other: int) -> bool:
    """Whether somebody can step up to another and strike; whoever is held steps nowhere. 19, 23."""
    fighter = fight.fighters[who]
    return distance(fight, who, other) <= (0 if fighter.held_by else fighter.mov)


@rule
def base_range(fighter: Fighter, slot: int) -> int:
    """The base range of a weapon in yards: a shotgun's first band."""
    return RANGE[fighter.weapons[slot]] & 1023


@rule
def band(fighter: Fighter, slot: int, yards: int) -> int:
    """In which of a shotgun's bands a distance lies, 0 to 2; 3 beyond them."""
    if yards <= base_range(fighter, slot):
        return 0
    if yards <= RANGE[fighter.weapons[slot]] >> 10 & 1023:
        return 1
    return 2 if yards <= RANGE[fighter.weapons[slot]] >> 20 else 3


@rule
def needed_level(fight: Fight, who: int, slot: int, target: int) -> int:
    """The level that hits at this distance; above CRITICAL where nothing does. 19."""
    fighter = fight.fighters[who]
    yards = distance(fight, who, target)
    base = base_range(fighter, slot)
    if RANGE[fighter.weapons[slot]] >> 10:
        return REGULAR if band(fighter, slot, yards) < 3 else CRITICAL + 1
    if yards <= base:
        return REGULAR
    if yards <= 2 * base:
        return HARD
    return EXTREME if yards <= 4 * base else CRITICAL + 1


@rule
def can_fire(fighter: Fighter, slot: int) -> bool:
    """Whether a slot holds a gun that is ready, or something to throw."""
    ranged = in_hand(fighter, slot, GUN) or in_hand(fighter, slot, THROWN)
    return ranged and fighter.loaded[slot] > 0 and not fighter.jammed >> slot & 1


@rule
def build_gap(fight: Fight, who: int, target: int) -> int:
    """By how much somebody's Build is above another's, for manoeuvres. 3."""
    fighter = fight.fighters[who]
    return fighter.build + (1 if has_perk(fighter, OUTMANEUVER) else 0) - fight.fighters[target].build


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
        moves[0] = DODGE
        moves[1] = move_code(FIGHT_BACK, HANDS, 0, 0)
        wielded = fight.fighters[who].wielded
        if wielded == HANDS or not in_hand(fight.fighters[who], wielded, MELEE):
            return 2
        moves[1] = move_code(FIGHT_BACK, wielded, 0, 0)
        moves[2] = move_code(FIGHT_BACK, HANDS, 0, 0)
        return 3
    if phase == UNDER_FIRE:
        moves[0] = STAND
        moves[1] = DIVE
        return 2
    moves[0] = USE
    moves[1] = SAVE
    return 2


@apart
def legal_strikes(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every melee attack on everybody in reach."""
    fighter = fight.fighters[who]
    for target in range(len(fight.fighters)):
        if is_foe(fight, who, target) and in_reach(fight, who, target):
            for slot in range(SLOTS):
                if in_hand(fighter, slot, MELEE):
                    moves[count] = move_code(FIGHT, slot, 0, target)
                    count += 1
    return count


@apart
def legal_shots(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every number of shots out of every gun at everybody whom they can hit."""
    fighter = fight.fighters[who]
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        for slot in range(SLOTS):
            if can_fire(fighter, slot) and needed_level(fight, who, slot, target) <= CRITICAL:
                for shots in range(1, min(SHOTS[fighter.weapons[slot]], fighter.loaded[slot]) + 1):
                    moves[count] = move_code(SHOOT, slot, shots, target)
                    count += 1
    return count


@apart
def legal_manoeuvres(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """Every manoeuvre that Build allows. 3, 23."""
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target) or not in_reach(fight, who, target) or build_gap(fight, who, target) <= -3:
            continue
        foe = fight.fighters[target]
        if not foe.down:
            moves[count] = move_code(TRIP, 0, 0, target)
            count += 1
        if foe.wielded != HANDS and not foe.dropped >> foe.wielded & 1:
            moves[count] = move_code(DISARM, 0, 0, target)
            count += 1
        if foe.held_by == 0:
            moves[count] = move_code(HOLD, 0, 0, target)
            count += 1
    return count


@apart
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What somebody may do in their turn."""
    fighter = fight.fighters[who]
    count = 0
    if fighter.diving == 0:
        count = legal_shots(fight, who, moves, legal_strikes(fight, who, moves, 0))
    if must_fight(fight, who):
        return count if count > 0 else legal_preparations(fight, who, moves, 0)
    if fighter.diving == 0 and fight.manoeuvres:
        count = legal_manoeuvres(fight, who, moves, count)
    if not fighter.held_by:
        moves[count] = FLEE
        count += 1
    for other in range(len(fight.fighters)):
        if can_treat(fight, who, other):
            if fighter.first_aid > 0:
                moves[count] = move_code(FIRST_AID, 0, 0, other)
                count += 1
            if fighter.medicine > 0:
                moves[count] = move_code(MEDICINE, 0, 0, other)
                count += 1
    return legal_preparations(fight, who, moves, count)


@rule
def can_treat(fight: Fight, who: int, other: int) -> bool:
    """Whether an item may be used on somebody: oneself, or an ally who is still there, and near. 14."""
    patient = fight.fighters[other]
    return patient.team == fight.fighters[who].team and patient.state < DEAD and in_reach(fight, who, other)


@apart
def legal_preparations(fight: Fight, who: int, moves: list[int], count: int) -> int:
    """What makes a later turn better: loading, clearing, picking up, moving about, waiting."""
    fighter = fight.fighters[who]
    for slot in range(SLOTS):
        if (
            in_hand(fighter, slot, GUN)
            and fighter.loaded[slot] < MAGAZINE[fighter.weapons[slot]]
            and fighter.spare[slot] > 0
        ):
            moves[count] = move_code(RELOAD, slot, 0, 0)
            count += 1
        if fighter.jammed >> slot & 1 and not fighter.dropped >> slot & 1:
            moves[count] = move_code(CLEAR, slot, 0, 0)
            count += 1
        if fighter.dropped >> slot & 1:
            moves[count] = move_code(PICK_UP, slot, 0, 0)
            count += 1
    if fight.by_range and not fighter.held_by:
        near = False
        for target in range(len(fight.fighters)):
            if is_foe(fight, who, target):
                near = near or distance(fight, who, target) <= fighter.mov
            elif must_fight(fight, who) or fight.fighters[target].team != fighter.team:
                continue
            if fight.fighters[target].state < DEAD and distance(fight, who, target) > 0:
                moves[count] = move_code(CLOSE_IN, 0, 0, target)
                count += 1
        if near and not must_fight(fight, who):
            moves[count] = FALL_BACK
            count += 1
    if count > 0 and must_fight(fight, who):  # 25
        return count
    moves[count] = WAIT
    return count + 1


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Take a decision, and go on to the next."""
    kind = move & 31
    slot = move >> 5 & 7
    shots = move >> 8 & 3
    target = move >> 10
    phase = fight.phase
    fight.due = 0
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
        fight.heavy = 1 if uses else 0
        if uses:
            pay(fight, who, HEAVY_HITTER, log)
    elif phase == TOUGH:
        fight.stage = SUFFERING
        if uses:
            pay(fight, who, TOUGH_GUY, log)
            fight.fighters[who].tough = IGNORED_DAMAGE
    elif phase == FLEET:
        fight.stage = DECLARED
        if uses:
            pay(fight, who, FLEET_FOOTED, log)
            fight.fighters[who].fleet = 1
    else:
        fight.rapid = 1
        fight.stage = ATTACK_ENDS
        if uses:
            pay(fight, who, RAPID_ATTACK, log)
            ask(fight, who, EXTRA)


@rule
def proceed(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Do whatever happens by itself, until somebody has to decide or the fight is over."""
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
    """Somebody's action in their turn."""
    fighter = fight.fighters[who]
    fight.stage = TURN_ENDS
    if kind != WAIT and (kind > HOLD or fight.fighters[target].held_by != who + 1):
        let_go(fight, who, log)
    if kind <= HOLD:
        declare(fight, who, kind, slot, shots, target, log)
    elif kind == FLEE:
        flee(fight, who, dice, log)
    elif kind in (FIRST_AID, MEDICINE):
        treat(fight, who, kind, target, dice, log)
    elif kind == RELOAD:
        taken = min(MAGAZINE[fighter.weapons[slot]] - fighter.loaded[slot], fighter.spare[slot])
        fighter.loaded[slot] += taken
        fighter.spare[slot] -= taken
        fighter.wielded = slot
        emit(log, RELOADS, who, slot, fighter.loaded[slot], fighter.spare[slot])
    elif kind == CLEAR:
        fighter.jammed &= ~(1 << slot)
        emit(log, CLEARS, who, slot)
    elif kind == PICK_UP:
        fighter.dropped &= ~(1 << slot)
        fighter.wielded = slot
        emit(log, PICKS_UP, who, slot)
    elif kind == CLOSE_IN:
        walk(fight, who, target, 1)
        emit(log, CLOSES, who, target, distance(fight, who, target))
    elif kind == FALL_BACK:
        walk(fight, who, nearest_foe(fight, who), -1)
        emit(log, FALLS_BACK, who, distance(fight, who, nearest_foe(fight, who)))
    else:
        emit(log, WAITS, who)


@rule
def nearest_foe(fight: Fight, who: int) -> int:
    """The foe who is closest, of equals the first; oneself where there is none."""
    nearest = who
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other):
            if nearest == who or distance(fight, who, other) < distance(fight, who, nearest):
                nearest = other
    return nearest


@apart
def walk(fight: Fight, who: int, target: int, towards: int) -> None:
    """Go up to somebody, as far as a turn carries, or away from them. 19."""
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
    """Announce an attack: what follows is the defender's decision, before anything is rolled."""
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
        emit(log, SHOOTS, who, target, slot, shots)
        return
    if distance(fight, who, target) > 0:
        fighter.moved = 1
        fighter.yards = fight.fighters[target].yards
    if kind == FIGHT:
        if slot != HANDS:
            fighter.wielded = slot
        emit(log, ATTACKS, who, target, slot)
    else:
        emit(log, MANOEUVRES, who, target, kind, manoeuvre_net(fight, who, target))


@rule
def manoeuvre_net(fight: Fight, who: int, target: int) -> int:
    """The penalty dice of a manoeuvre on somebody larger. 3."""
    return min(0, build_gap(fight, who, target))


@rule
def is_outnumbered(fight: Fight, who: int) -> bool:
    """Whether somebody has reacted as often in this round as they can. 9."""
    fighter = fight.fighters[who]
    return fight.outnumbering == 1 and not fighter.fleet and fighter.reacted >= fighter.attacks


@rule
def await_reaction(fight: Fight) -> None:
    """Ask the target what they do about the attack, if there is anything they can."""
    target = fight.fighters[fight.target]
    fight.stage = EXCHANGE
    fight.reaction = NO_REACTION
    by_hand = fight.doing != SHOOT
    if by_hand and is_outnumbered(fight, fight.target) and can_pay(target, FLEET_FOOTED) and not fight.asked_fleet:
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
    if fight.darkness and not has_perk(fighter, NIGHT_VISION):
        net -= 1
    if fight.fighters[target].surprised:
        net += 1
    if fighter.held_by or fighter.down:
        net -= 1
    return net


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
    if foe.build <= SMALL and not has_perk(fighter, BEADY_EYE):
        net -= 1
    if foe.build >= LARGE:
        net += 1
    if several and HANDGUN[fighter.weapons[slot]] and not has_perk(fighter, RAPID_FIRE):
        net -= 1
    if fight.by_range and distance(fight, who, target) <= fight.point_blank:
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
    mine = check(fight, who, FOR_ATTACK, fighter.skills[fight.slot], net, dice, log)
    answer = react(fight, dice, log) if fight.reaction != NO_REACTION else FAILURE
    fight.foe_failed = 1 if answer <= FAILURE else 0
    fight.heavy = 0
    dodging = fight.reaction == DODGE
    if mine >= REGULAR and (mine > answer or (mine == answer and not dodging)):
        fight.foe_failed = 1
        land(fight, who, target, fight.slot, mine, log)
        if fight.stage == DAMAGING and can_pay(fighter, HEAVY_HITTER) and weapon_damage(fighter, fight.slot) & 15:
            ask(fight, who, HEAVY)
    elif fight.reaction == FIGHT_BACK and answer >= REGULAR:
        fight.striker, fight.victim, fight.blow, fight.level = target, who, fight.with_slot, REGULAR
        fight.stage = DAMAGING
    else:
        fight.stage = ATTACK_ENDS
        if dodging and answer >= REGULAR:
            emit(log, AVOIDED, target, who)
        else:
            emit(log, NOBODY_HITS, who, target)
    if fight.reaction != NO_REACTION:
        foe.reacted += 1


@rule
def react(fight: Fight, dice: Dice, log: Log | None) -> int:
    """The target's roll; returns its level."""
    foe = fight.fighters[fight.target]
    if fight.reaction == DODGE:
        emit(log, DODGES, fight.target)
        return check(fight, fight.target, FOR_DODGE, foe.dodge, 0, dice, log)
    emit(log, FIGHTS_BACK, fight.target, fight.with_slot)
    if fight.with_slot != HANDS:
        foe.wielded = fight.with_slot
    net = -1 if foe.held_by or foe.down else 0
    return check(fight, fight.target, FOR_FIGHT_BACK, foe.skills[fight.with_slot], net, dice, log)


@rule
def land(fight: Fight, who: int, target: int, slot: int, level: int, log: Log | None) -> None:
    """An attack has won: a manoeuvre does what it does, a blow deals damage."""
    fight.striker, fight.victim, fight.blow, fight.level = who, target, slot, level
    fight.stage = ATTACK_ENDS
    foe = fight.fighters[target]
    if fight.doing == TRIP:
        foe.down = 1
        emit(log, TRIPPED, who, target)
        let_go(fight, target, log)
    elif fight.doing == DISARM:
        foe.dropped |= 1 << foe.wielded
        emit(log, DISARMED, who, target, foe.wielded)
        foe.wielded = HANDS
    elif fight.doing == HOLD:
        foe.held_by = who + 1
        emit(log, HELD, who, target)
        let_go(fight, target, log)
    else:
        fight.stage = DAMAGING


@apart
def take_cover(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Whoever dives rolls Dodge: a success makes every shot of the volley harder. 5, 24."""
    foe = fight.fighters[fight.target]
    fight.stage = NEXT_SHOT
    if fight.reaction != DIVE:
        return
    foe.moved = 1
    if fight.dive_cost and not has_perk(foe, NIMBLE):
        foe.diving = 1
    level = check(fight, fight.target, FOR_DODGE, foe.dodge, 0, dice, log)
    fight.dived = 1 if level >= REGULAR else 0
    emit(log, DIVES, fight.target, level)


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
    limit = MALFUNCTION[fighter.weapons[slot]] - 1 if fight.malfunctions and KIND[fighter.weapons[slot]] == GUN else 100
    emit(log, AWAITS, who, FOR_ATTACK, net)
    level = roll(fight, fighter.skills[slot], net, limit, dice)
    emit(log, ROLLS, who, FOR_ATTACK, fighter.skills[slot], net, level)
    if level < 0:
        fighter.jammed |= 1 << slot
        emit(log, JAMS, who, slot)
        return
    if level == CRITICAL_FAILURE and fight.fumble_cost:
        fighter.off_balance = 1
    fighter.loaded[slot] -= 1
    if KIND[fighter.weapons[slot]] == THROWN and fighter.loaded[slot] == 0:
        fighter.wielded = HANDS
    score(log, who, FIRED, 1)
    if level >= needed_level(fight, who, slot, target):
        fight.striker, fight.victim, fight.blow, fight.level, fight.heavy = who, target, slot, level, 0
        fight.stage = DAMAGING
    else:
        emit(log, MISSES, who, target)


# Damage


@rule
def roll_damage(who: int, damage: int, dice: Dice, log: Log | None) -> int:
    """Roll a weapon's damage."""
    rolled = damage >> 10
    if damage & 15:
        emit(log, AWAITS, who, FOR_DAMAGE, 0)
        rolled += pips(dice, damage & 15, damage >> 4 & 63)
    return rolled


@rule
def share(adds: int, bonus: int) -> int:
    """As much of a damage bonus as a weapon adds; halves are cut off."""
    if adds == FULL_BONUS:
        return bonus
    return int(bonus / 2) if adds == HALF_BONUS else 0


@rule
def highest_bonus(fighter: Fighter) -> int:
    """The most that a damage bonus can be."""
    return fighter.bonus_dice * fighter.bonus_sides + fighter.bonus_flat


@rule
def roll_bonus(fight: Fight, who: int, adds: int, dice: Dice, log: Log | None) -> int:
    """Roll the damage bonus, where the weapon adds it."""
    fighter = fight.fighters[who]
    if adds == NO_BONUS:
        return 0
    bonus = fighter.bonus_flat
    if fighter.bonus_dice:
        emit(log, AWAITS, who, FOR_BONUS, 0)
        bonus += pips(dice, fighter.bonus_dice, fighter.bonus_sides)
    return share(adds, bonus)


@rule
def weapon_damage(fighter: Fighter, slot: int) -> int:
    """The damage dice of a weapon, or of the bare hands."""
    return fighter.natural if slot == HANDS else DAMAGE[fighter.weapons[slot]]


@rule
def damage_of(fight: Fight, who: int, slot: int, target: int) -> int:
    """The damage dice of a weapon at this distance. 19."""
    fighter = fight.fighters[who]
    if RANGE[fighter.weapons[slot]] >> 10 == 0:
        return weapon_damage(fighter, slot)
    lies = band(fighter, slot, distance(fight, who, target))
    if lies == 0:
        return weapon_damage(fighter, slot)
    return FARTHER[fighter.weapons[slot]] if lies == 1 else FARTHEST[fighter.weapons[slot]]


@apart
def strike(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Roll the damage of a hit, and see what is left of it behind armour. 10, 11."""
    who, target, slot = fight.striker, fight.victim, fight.blow
    fighter, foe = fight.fighters[who], fight.fighters[target]
    own = who == fight.actor
    damage = damage_of(fight, who, slot, target)
    adds = ADDS[fighter.weapons[slot]]
    amount = 0
    if foe.ward == IMPALING_LEAST and IMPALES[fighter.weapons[slot]]:
        amount = (damage & 15) + (damage >> 10) + share(adds, fighter.bonus_dice + fighter.bonus_flat)
        amount += fight.heavy  # one more die, and the least of it
        fight.heavy = 0
    elif own and fight.level >= EXTREME:
        amount = (damage & 15) * (damage >> 4 & 63) + (damage >> 10) + share(adds, highest_bonus(fighter))
        if IMPALES[fighter.weapons[slot]]:
            amount += roll_damage(who, damage, dice, log)
    else:
        amount = roll_damage(who, damage, dice, log) + roll_bonus(fight, who, adds, dice, log)
    if fight.heavy:
        emit(log, AWAITS, who, FOR_HEAVY, 0)
        amount += pips(dice, 1, damage >> 4 & 63)
    fight.hurt = past_armour(foe, KIND[fighter.weapons[slot]], max(0, amount))
    emit(log, HITS, who, target, slot, max(0, amount), fight.level, 1 if own else 0, max(0, amount) - fight.hurt)
    fight.stage = SUFFERING
    if fight.hurt > 0 and foe.tough == 0 and can_pay(foe, TOUGH_GUY):
        ask(fight, target, TOUGH)


@rule
def past_armour(foe: Fighter, kind: int, amount: int) -> int:
    """What a body's own defences and its armour let through. 11."""
    if kind == GUN and foe.ward == GUNS_HALF:
        amount //= 2
    elif kind == GUN and foe.ward == GUNS_ONE:
        amount = min(1, amount)
    elif kind == MELEE and foe.ward == MELEE_HALF:
        amount //= 2
    return max(0, amount - foe.armour)


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
        emit(log, IGNORES, who, ignored)
    fight.hurt = 0
    fight.stage = NEXT_SHOT if fight.doing == SHOOT else ATTACK_ENDS
    if amount > 0:
        score(log, fight.striker, DEALT, min(amount, fighter.hp))
        wound(fight, who, amount, dice, log)
        let_go(fight, who, log)
    judge(fight, log)


@apart
def wound(fight: Fight, who: int, amount: int, dice: Dice, log: Log | None) -> None:
    """Lose HP, and whatever goes with it. 15."""
    fighter = fight.fighters[who]
    fighter.hp = max(0, fighter.hp - amount)
    fight.struck |= 1 << who
    emit(log, HURT, who, fighter.hp)
    if not fight.classic_wounds:
        if fighter.hp == 0:
            leave(fight, who, DEAD)
            emit(log, DIES, who)
        return
    fresh = 2 * amount >= fighter.max_hp
    if amount >= fighter.max_hp:
        leave(fight, who, DEAD)
        emit(log, DIES, who)
        return
    if fresh:
        fighter.major = 1
        emit(log, MAJOR_WOUND, who)
    if fighter.hp == 0:
        if fighter.major:
            leave(fight, who, DYING)
            emit(log, IS_DYING, who)
        else:
            leave(fight, who, UNCONSCIOUS)
            emit(log, FALLS_UNCONSCIOUS, who)
    elif fresh:
        level = constitution(fight, who, dice, log)
        if level >= REGULAR:
            emit(log, STAYS_UP, who, level)
        else:
            leave(fight, who, UNCONSCIOUS)
            emit(log, FALLS_UNCONSCIOUS, who)


@rule
def leave(fight: Fight, who: int, state: int) -> None:
    """Somebody no longer takes part; whom they held is free."""
    fighter = fight.fighters[who]
    fighter.state = state
    fighter.held_by = 0
    fighter.down = 0
    for other in range(len(fight.fighters)):
        if fight.fighters[other].held_by == who + 1:
            fight.fighters[other].held_by = 0


@apart
def let_go(fight: Fight, who: int, log: Log | None) -> None:
    """Whoever is hurt, or does something else, holds nobody any longer. 23."""
    for other in range(len(fight.fighters)):
        if fight.fighters[other].held_by == who + 1:
            fight.fighters[other].held_by = 0
            emit(log, LOOSE, other)


# Flight and items


@rule
def pace(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """Somebody's MOV in one chase, by a Constitution roll. 13."""
    level = constitution(fight, who, dice, log)
    mov = fight.fighters[who].mov
    if level >= EXTREME:
        mov += 1
    elif level < REGULAR:
        mov -= 1
    emit(log, PACE, who, level, mov)
    return mov


@apart
def flee(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """Run: away if nobody on the other side is faster. 13."""
    fight.fighters[who].moved = 1
    emit(log, RUNS, who)
    mine = pace(fight, who, dice, log)
    away = True
    for other in range(len(fight.fighters)):
        if other != who and fight.fighters[other].state == STANDING:
            theirs = pace(fight, other, dice, log)
            if is_foe(fight, who, other) and theirs > mine:
                away = False
    if away:
        leave(fight, who, ESCAPED)
        emit(log, ESCAPES, who)
        judge(fight, log)
    else:
        emit(log, CAUGHT, who)


@apart
def treat(fight: Fight, who: int, kind: int, target: int, dice: Dice, log: Log | None) -> None:
    """Use an item on oneself or an ally. 14."""
    fighter, patient = fight.fighters[who], fight.fighters[target]
    amount = 1
    if kind == MEDICINE:
        fighter.medicine -= 1
        emit(log, AWAITS, who, FOR_MEDICINE, 0)
        amount = pips(dice, 1, 3)
    else:
        fighter.first_aid -= 1
    before = patient.hp
    patient.hp = min(patient.max_hp, patient.hp + amount)
    score(log, who, USED, 1)
    emit(log, TREATS, who, target, kind, patient.hp - before, patient.hp)
    if patient.state == DYING:
        patient.state = UNCONSCIOUS
        emit(log, STABLE, target)
    elif patient.state == UNCONSCIOUS and not patient.major:
        patient.state = STANDING
        emit(log, COMES_TO, target)


# Turns and rounds


@rule
def end_attack(fight: Fight) -> None:
    """After an attack: one more by Rapid Attack, the next of several, or the end of the turn. 9, 16."""
    who = fight.actor
    fighter = fight.fighters[who]
    fight.stage = TURN_ENDS
    if fighter.state != STANDING:
        return
    by_hand = fight.doing == FIGHT and reaches_anybody(fight, who)
    if by_hand and fight.foe_failed and not fight.rapid and can_pay(fighter, RAPID_ATTACK):
        ask(fight, who, RAPID)
        return
    fight.attacks -= 1
    if by_hand and fight.attacks > 0:
        ask(fight, who, MORE)


@rule
def reaches_anybody(fight: Fight, who: int) -> bool:
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
        emit(log, STALEMATE, fight.round)
        emit(log, ENDS, fight.ending)
        return
    fight.round += 1
    fight.turn = 0
    fight.stage = TURN_BEGINS
    emit(log, ROUND, fight.round)


@apart
def end_round(fight: Fight, dice: Dice, log: Log | None) -> None:
    """What happens between rounds: surprise is over, some bodies mend, the dying hold on or die. 15, 22, 26."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        fighter.reacted = 0
        fighter.tough = 0
        fighter.surprised = 0
        if fighter.state == STANDING and fighter.regains and fighter.hp < fighter.max_hp:
            fighter.hp = min(fighter.max_hp, fighter.hp + fighter.regains)
            emit(log, REGAINS, who, fighter.hp)
        if fighter.state == DYING:
            level = constitution(fight, who, dice, log)
            if level >= REGULAR:
                emit(log, HANGS_ON, who, level)
            else:
                leave(fight, who, DEAD)
                emit(log, DIES, who)


@rule
def judge(fight: Fight, log: Log | None) -> None:
    """The fight is over when at most one team has anybody left. 2."""
    left = fight.teams
    for who in range(len(fight.fighters)):
        if fight.fighters[who].state == STANDING:
            if left != fight.teams and left != fight.fighters[who].team:
                return
            left = fight.fighters[who].team
    fight.ending = left
    for who in range(len(fight.fighters)):
        if fight.fighters[who].state == ESCAPED and fight.fighters[who].team != left:
            fight.ending = fight.teams + 1
    fight.due = 0
    emit(log, ENDS, fight.ending)


@rule
def timeless(fight: Fight) -> None:
    """Forget the clock, so that the same position in two rounds is one position."""
    fight.round = 1


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, HP_LEFT, fighter.hp)
        score(log, who, DIED, 1 if fighter.state == DEAD else 0)
        score(log, who, OUT_COLD, 1 if fighter.state == UNCONSCIOUS or fighter.state == DYING else 0)
        score(log, who, GOT_AWAY, 1 if fighter.state == ESCAPED else 0)


@rule
def clock(fight: Fight) -> int:
    """How many rounds have been begun."""
    return fight.round


@rule
def measure(before: Fight, after: Fight, who: int, found: list[int]) -> None:
    """What a move has brought: who was hit, by a blow or a manoeuvre, who fell, and who got away.

    Whoever is asked about a perk before the damage is rolled has hit, or been hit, already.
    """
    for place in range(len(MEASURED)):
        found[place] = 0
    for other in range(len(before.fighters)):
        old, new = before.fighters[other], after.fighters[other]
        hit = after.struck >> other & 1 == 1 or (after.due and after.phase in (HEAVY, TOUGH) and after.victim == other)
        hit = hit or new.down > old.down or new.dropped != old.dropped or new.held_by > old.held_by
        fell = old.state == STANDING and new.state in (UNCONSCIOUS, DYING, DEAD)
        if other == who:
            found[1] = 1 if hit else 0
            found[3] = 1 if fell else 0
            found[4] = 1 if new.state == ESCAPED else 0
        elif old.team != before.fighters[who].team:
            found[0] = 1 if hit else found[0]
            found[2] = 1 if fell else found[2]
