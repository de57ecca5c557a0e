"""The fight: its record, and every rule of a flip, an action and what it costs. Numbers in comments are rulings."""

from __future__ import annotations

from typing import Annotated

from affray.kernel.chance import Dice, draw, draw_unseen, pips
from affray.kernel.records import I32, I64, Cell, PerFighter, record
from affray.kernel.rules import Log, apart, emit, kinds, rule, score
from affray.systems.deckahedron.cards import (
    CARDS,
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    D4_PIPS,
    FIRST_WOUND,
    STAMINA,
    WHOLE_DECK,
    WOUND_CARDS,
    best_of,
    count_of,
    worst_of,
)
from affray.systems.deckahedron.tables import (
    CLASH,
    CRITICAL,
    DEAL_1,
    DEAL_D4,
    DEAL_D4_AND_1,
    DEAL_HARM,
    DEAL_WOUND,
    DOWN,
    DROP,
    FOE_DOWN,
    FOE_MOVES,
    FOE_STUNNED,
    FOE_SUPERIOR,
    LOSE_AMMO,
    LOSE_STAMINA,
    ON_BREATHER,
    ON_MELEE,
    ON_RANGED,
    ON_UNAWARE,
    PIN,
    REGAIN_1,
    REGAIN_D4,
    TAKE_1,
    TAKE_D4,
)

RUNNING = -1
STANDING, OUT, YIELDED, GONE = range(4)
STR, DEX, INT = range(3)
NONE, HELD, DROPPED = range(3)  # a weapon
MELEE_WEAPON, RANGED_WEAPON = range(2)
HEROIC, GRITTY = range(2)

# What a decision is about.
AMBUSH, ACT, CHOOSE, LOSE, MOVE, REGAIN, RESHUFFLE_OFFER = range(7)

# What happens next by itself.
LOSSES, AFTER_LOSSES, AMBUSHING, ORDERING, REGAINING, ACTION_ENDS, TURN_ENDS, TURN_BEGINS = range(8)
BEFORE_ORDER, BEFORE_TURNS = -2, -1  # places in the order while nobody has one

# Moves: the kind, and whom or what it concerns.
(
    STRIKE,
    SHOOT,
    BREATHE,
    CLOSE_IN,
    FALL_BACK,
    REARM,
    PICK_UP,
    YIELD,
    RUN,
    WAIT,
    EITHER,
    OTHER,
    DROP_ITEM,
    PAY_STAMINA,
    PAY_AFTER_RESHUFFLE,
    PAY_TOKEN,
    STAY,
    CHANGE_RANGE,
    SHAKE_OFF,
    BREAK_AWAY,
    REGAIN_CARD,
    REGAIN_ANY,
    REGAIN_TOKEN,
    KEEP,
    RESHUFFLE,
) = range(25)

# What a throw is for, beside the stats that are flipped.
D4_DIE, D4_CARD, STAMINA_SEARCH, CARD_BACK = range(3, 7)

RUN_AFTERWARDS = 1 << 30  # no effect of a table: whoever has paid for running is gone then
MOST_HARM, MOST_WOUNDS = 2, 2
POINTS = 10
LOW_DECK = 5
HARM_TICKS, WOUND_TICKS = 3, 6

FIGURES = ("fatigue dealt", "Stamina lost", "Harm", "Wounds", "incapacitated", "out of the fight")
FATIGUE, LOST, HARMED, WOUNDED, INCAPACITATED, AWAY = range(6)


@record
class Fighter:
    """One combatant: stats, piles and tokens, what is carried, where it stands, and what it still owes."""

    team: I32
    state: I32
    strength: I32
    dexterity: I32
    intelligence: I32
    speed: I32
    stamina: I32  # points to incapacitation
    has_deck: I32
    ticks: I32  # points lost by one without a deck
    deck: I32  # cards as bits; with `veil`, the face-down ones are among them
    discard: I32
    exhausted: I32
    veiled: I32  # how many cards of `deck` lie face-down in the Exhaustion pile, nobody knows which
    tokens: I32
    token_slots: I32
    harm: I32
    wounds: I32
    harm_slots: I32  # free slots of armour
    wound_slots: I32
    weapons: I32  # melee and ranged, two bits each: NONE, HELD, DROPPED
    ammo: I32
    most_ammo: I32
    pinned: I32
    stunned: I32  # turns of its own that must end before it can do fatigue again
    breathed: I32
    unaware: I32
    superior: I64  # over whom, as bits
    near: I64  # who is at close range, as bits
    initiative: I32

    owes: I32  # Stamina points to be lost
    owes_harm: I32
    owes_wounds: I32
    groans: I32  # Wound cards flipped, to be paid when the attempt is resolved
    regains: I32


@record
class Fight:
    """A whole fight: options that rules read, whose decision it is, the row being resolved, and the fighters."""

    due: I64
    phase: I32
    stage: I32
    round: I32
    round_cap: I32
    turn: I32  # place in the order
    actor: I32
    target: I32
    teams: I32
    ending: I32
    always: I32  # the effects of the row being resolved
    either: I32
    other: I32
    by_hand: I32  # whether it is a melee row: fatigue is dealt with the hand-held weapon
    gritty: I32
    veil: I32
    d4_cards: I32
    breather_floor: I32
    breather_repeat: I32
    gang_up: I32
    ambush: I32  # the ambushing team plus one
    attacked: I64  # who has been attacked in this round, as bits
    deck: I32  # the Storyteller's, for foes without one
    discard: I32
    order: Annotated[list[int], PerFighter(Cell("i"))]
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


(
    OPENS,
    AMBUSHES,
    FLIPS,
    ORDER,
    TURN,
    ATTACKS,
    SHOOTS,
    BREATHES,
    CLOSES,
    FALLS_BACK,
    REARMS,
    PICKS_UP,
    YIELDS,
    RUNS,
    WAITS,
    RESHUFFLES,
    REFILLS,
    DEALS,
    CANCELED,
    LOSES,
    PAYS_TOKEN,
    HARMS,
    WOUNDS,
    ABSORBS,
    GROANS,
    FALLS,
    PINNED,
    STUNNED,
    GROUNDED,
    CLASHES,
    MISSES,
    SPENDS_AMMO,
    DROPS,
    SUPERIOR,
    MOVES_AWAY,
    SHAKES_OFF,
    BREAKS_AWAY,
    REGAINS,
    DISCARDS_TOKEN,
    READS_PIPS,
    ROUND,
    STALLED,
    ENDS,
    AWAITS,
) = kinds(
    OPENS="mode | modes",
    AMBUSHES="who | unopposed, 1",
    FLIPS="who stat net cards score | flip",
    ORDER="who | 1",
    TURN="who | 1",
    ATTACKS="who target | melee, 2, 3, 27",
    SHOOTS="who target | ranged, 2, 3, 9, 27",
    BREATHES="who stat | breather, 22",
    CLOSES="who target | 9",
    FALLS_BACK="who | 9",
    REARMS="who ammo | 10",
    PICKS_UP="who weapon | 13",
    YIELDS="who | 26",
    RUNS="who | 26",
    WAITS="who | 29",
    RESHUFFLES="who | reshuffle",
    REFILLS="who | reshuffle, 24",
    DEALS="who target amount | fatigue, 13",
    CANCELED="who | 4",
    LOSES="who left cards down | heroic, gritty, 14, 15",
    PAYS_TOKEN="who tokens | 23",
    HARMS="who harm | harm, 18",
    WOUNDS="who wounds | wounds, 19",
    ABSORBS="who | 28",
    GROANS="who | wounds, 17",
    FALLS="who | 16, 19",
    PINNED="who | 6",
    STUNNED="who | 4",
    GROUNDED="who | melee, 4",
    CLASHES="who target | 5",
    MISSES="who target | ranged",
    SPENDS_AMMO="who ammo | 10",
    DROPS="who weapon | 13",
    SUPERIOR="who target | breather, 8, 30",
    MOVES_AWAY="who target near | 7",
    SHAKES_OFF="who | 6, 7",
    BREAKS_AWAY="who target | 7, 8",
    REGAINS="who left card | breather, 22",
    DISCARDS_TOKEN="who tokens | breather, 23",
    READS_PIPS="who card pips | flip",
    ROUND="number | 1",
    STALLED="rounds | 31",
    ENDS="ending | 26",
    AWAITS="who what net own | flip",
)


@rule
def move_code(kind: int, about: int) -> int:
    """The code of a move."""
    return kind | about << 5


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return 3 * fighters + CARDS + 12


# Piles


@rule
def pile_size(fighter: Fighter) -> int:
    """How many cards are in the Exhaustion pile."""
    return count_of(fighter.exhausted) + fighter.veiled


@rule
def deck_size(fighter: Fighter) -> int:
    """How many cards are left in the deck."""
    return count_of(fighter.deck) - fighter.veiled


@rule
def points_left(fighter: Fighter) -> int:
    """Stamina points to go before incapacitation, tokens not counted."""
    if not fighter.has_deck:
        return fighter.stamina - fighter.ticks
    return min(POINTS, fighter.stamina) - pile_size(fighter)


@apart
def reshuffle(fight: Fight, who: int, log: Log | None) -> None:
    """Put the discard pile back into the deck."""
    fighter = fight.fighters[who]
    fighter.deck |= fighter.discard
    fighter.discard = 0
    emit(log, RESHUFFLES, who)


@rule
def turn_over(dice: Dice, deck: int, most: int) -> int:
    """Flip some cards, fewer where a Wound card comes up or the deck ends; returns them as bits."""
    turned = 0
    while most > 0 and deck & ~turned:
        card = draw(dice, deck & ~turned)
        turned |= 1 << card
        most -= 1
        if card >= FIRST_WOUND:
            most = 0
    return turned


@apart
def flip(fight: Fight, who: int, stat: int, net: int, dice: Dice, log: Log | None) -> int:
    """Flip for a stat with a net advantage; returns the score, 1 to 4. Forced reshuffles come first."""
    fighter = fight.fighters[who]
    net = max(-2, min(2, net))
    wanted = 1 + abs(net)
    if fighter.has_deck:
        if deck_size(fighter) < wanted:
            reshuffle(fight, who, log)
        emit(log, AWAITS, who, stat, net, 1)
        turned = turn_over(dice, fighter.deck, min(wanted, deck_size(fighter)))
        fighter.deck &= ~turned
        fighter.discard |= turned
        if turned & WOUND_CARDS:  # 17
            fighter.groans += 1
    else:  # 24
        if count_of(fight.deck) < wanted:
            fight.deck |= fight.discard
            fight.discard = 0
            emit(log, REFILLS, who)
        emit(log, AWAITS, who, stat, net, 0)
        turned = turn_over(dice, fight.deck, wanted)
        fight.deck &= ~turned
        fight.discard |= turned
    rank = rank_of(fighter, stat)
    result = best_of(turned, rank) if net >= 0 else worst_of(turned, rank)
    emit(log, FLIPS, who, stat, net, turned, result)
    return result


@rule
def rank_of(fighter: Fighter, stat: int) -> int:
    """The rank of a stat."""
    if stat == STR:
        return fighter.strength
    return fighter.dexterity if stat == DEX else fighter.intelligence


@apart
def roll_d4(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """A d4: a die, or the pips of cards flipped from one's own deck, blanks flipped again."""
    fighter = fight.fighters[who]
    if not fight.d4_cards or not fighter.has_deck:
        emit(log, AWAITS, who, D4_DIE, 0, 1)
        return pips(dice, 1, 4)
    rolled = 0
    while rolled == 0:
        if deck_size(fighter) == 0:
            reshuffle(fight, who, log)
        emit(log, AWAITS, who, D4_CARD, 0, 1)
        card = draw(dice, fighter.deck)
        fighter.deck &= ~(1 << card)
        fighter.discard |= 1 << card
        rolled = D4_PIPS[card]
        emit(log, READS_PIPS, who, card, rolled)
    return rolled


# The opening


@rule
def begin(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Open the fight: an ambush first, if there is one, then everybody flips for the order. 1."""
    fight.ending = RUNNING
    fight.round = 1
    fight.turn = BEFORE_ORDER
    fight.deck = WHOLE_DECK
    fight.actor = -1
    fight.stage = ORDERING
    for who in range(len(fight.fighters)):
        lay_face_down(fight, fight.fighters[who], dice)
    emit(log, OPENS, fight.gritty)
    if fight.ambush:
        for who in range(len(fight.fighters)):
            fight.fighters[who].unaware = 1 if fight.fighters[who].team != fight.ambush - 1 else 0
        fight.stage = AMBUSHING
    proceed(fight, dice, log)


@rule
def lay_face_down(fight: Fight, fighter: Fighter, dice: Dice) -> None:
    """Whoever comes with an Exhaustion pile from before does not know which cards are in it."""
    while fighter.veiled > 0 and not fight.veil:
        card = draw_unseen(dice, fighter.deck)
        fighter.deck &= ~(1 << card)
        fighter.exhausted |= 1 << card
        fighter.veiled -= 1


@rule
def next_ambusher(fight: Fight) -> None:
    """The next of the ambushing team who finds somebody unaware decides; behind the last the fight is on."""
    fight.actor += 1
    while fight.actor < len(fight.fighters):
        if fight.fighters[fight.actor].team == fight.ambush - 1 and somebody_unaware(fight):
            ask(fight, fight.actor, AMBUSH)
            return
        fight.actor += 1
    for who in range(len(fight.fighters)):
        fight.fighters[who].unaware = 0
    fight.stage = ORDERING


@rule
def somebody_unaware(fight: Fight) -> bool:
    """Whether anybody in the fight has not noticed it."""
    for who in range(len(fight.fighters)):
        if fight.fighters[who].unaware and fight.fighters[who].state == STANDING:
            return True
    return False


@rule
def flip_for_order(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Everybody flips Dex: the better goes first, and those who are even flip again, up to three times. 1."""
    even = (1 << len(fight.fighters)) - 1
    for _ in range(4):
        for who in range(len(fight.fighters)):
            fighter = fight.fighters[who]
            fighter.initiative *= 5
            if even >> who & 1 and fighter.state == STANDING:
                fighter.initiative += flip(fight, who, DEX, 0, dice, log)
        even = those_even(fight)
    for place in range(len(fight.fighters)):
        best = -1
        for who in range(len(fight.fighters)):
            if not is_placed(fight, who, place):
                if best < 0 or fight.fighters[who].initiative > fight.fighters[best].initiative:
                    best = who
        fight.order[place] = best
    emit(log, ORDER, fight.order[0])
    fight.turn = BEFORE_TURNS
    fight.stage = LOSSES


@rule
def those_even(fight: Fight) -> int:
    """Everybody whose flips for the order were the same as somebody else's, as bits."""
    even = 0
    for who in range(len(fight.fighters)):
        for other in range(len(fight.fighters)):
            if other != who and fight.fighters[other].initiative == fight.fighters[who].initiative:
                even |= 1 << who
    return even


@rule
def is_placed(fight: Fight, who: int, places: int) -> bool:
    """Whether somebody has one of the first places of the order."""
    for place in range(places):
        if fight.order[place] == who:
            return True
    return False


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
    """-1 while it runs, the winning team's number, `teams` for a draw."""
    return fight.ending


# What may be done


@rule
def is_foe(fight: Fight, who: int, other: int) -> bool:
    """Whether somebody fights for another team and is still there."""
    return fight.fighters[other].team != fight.fighters[who].team and fight.fighters[other].state == STANDING


@rule
def weapon(fighter: Fighter, which: int) -> int:
    """NONE, HELD or DROPPED."""
    return fighter.weapons >> (2 * which) & 3


@rule
def can_shoot(fighter: Fighter) -> bool:
    """Whether there is a ranged weapon at hand, and something to shoot. 10."""
    return weapon(fighter, RANGED_WEAPON) == HELD and fighter.ammo > 0


@rule
def can_breathe(fight: Fight, fighter: Fighter) -> bool:
    """Whether a Breather is possible. 6, 22."""
    return not fighter.pinned and (fight.breather_repeat == 1 or not fighter.breathed)


@rule
def regainable(fight: Fight, fighter: Fighter) -> int:
    """How many cards of the Exhaustion pile, or ticks, a Breather could bring back. 22."""
    floor = fighter.harm + fighter.wounds if fight.breather_floor else 0
    return max(0, (pile_size(fighter) if fighter.has_deck else fighter.ticks) - floor)


@apart
def legal(fight: Fight, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    if not to_act(fight) >> who & 1:
        return 0
    phase = fight.phase
    if phase == ACT:
        return legal_actions(fight, who, moves)
    if phase == AMBUSH:
        return legal_ambushes(fight, who, moves)
    if phase == REGAIN:
        return legal_regains(fight, who, moves)
    fighter = fight.fighters[who]
    count = 0
    if phase == CHOOSE:
        moves[0] = EITHER
        if fight.other != DROP:
            moves[1] = OTHER
            return 2
        count = 1
        for which in range(2):
            if weapon(fighter, which) == HELD:
                moves[count] = move_code(DROP_ITEM, which)
                count += 1
    elif phase == LOSE:
        moves[0] = PAY_STAMINA
        count = 1
        if fight.gritty and fighter.has_deck and fighter.discard:
            moves[count] = PAY_AFTER_RESHUFFLE
            count += 1
        if fighter.tokens < fighter.token_slots:
            moves[count] = PAY_TOKEN
            count += 1
    elif phase == MOVE:
        moves[0] = STAY
        moves[1] = SHAKE_OFF if fighter.pinned else CHANGE_RANGE  # 6, 7
        count = 2
        if fight.fighters[fight.actor].superior >> who & 1:
            moves[count] = BREAK_AWAY
            count += 1
    elif phase == RESHUFFLE_OFFER:
        moves[0] = KEEP
        moves[1] = RESHUFFLE
        count = 2
    return count


@rule
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What somebody may do in their turn."""
    fighter = fight.fighters[who]
    count = 0
    beset = False
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        near = fighter.near >> target & 1
        if near:
            beset = True
            moves[count] = move_code(STRIKE, target)
            count += 1
        if can_shoot(fighter):
            moves[count] = move_code(SHOOT, target)
            count += 1
        if not near and not fighter.pinned:
            moves[count] = move_code(CLOSE_IN, target)
            count += 1
    if can_breathe(fight, fighter):
        moves[count] = move_code(BREATHE, INT)
        moves[count + 1] = move_code(BREATHE, DEX)
        count += 2
    if beset and not fighter.pinned:
        moves[count] = FALL_BACK
        count += 1
    if weapon(fighter, RANGED_WEAPON) == HELD and fighter.ammo < fighter.most_ammo:
        moves[count] = REARM
        count += 1
    for which in range(2):
        if weapon(fighter, which) == DROPPED:
            moves[count] = move_code(PICK_UP, which)
            count += 1
    if not fighter.pinned:
        moves[count] = RUN
        count += 1
    moves[count] = WAIT
    moves[count + 1] = YIELD
    return count + 2


@rule
def legal_ambushes(fight: Fight, who: int, moves: list[int]) -> int:
    """Whom an ambusher may attack before they know it."""
    fighter = fight.fighters[who]
    moves[0] = WAIT
    count = 1
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target) or not fight.fighters[target].unaware:
            continue
        if fighter.near >> target & 1:
            moves[count] = move_code(STRIKE, target)
            count += 1
        if can_shoot(fighter):
            moves[count] = move_code(SHOOT, target)
            count += 1
    return count


@rule
def legal_regains(fight: Fight, who: int, moves: list[int]) -> int:
    """What a Breather may bring back: in Gritty mode cards one picks, in Heroic mode whichever; or a token."""
    fighter = fight.fighters[who]
    count = 0
    if regainable(fight, fighter) > 0:
        if fight.gritty and fighter.has_deck:
            for card in range(CARDS):
                if fighter.exhausted >> card & 1:
                    moves[count] = move_code(REGAIN_CARD, card)
                    count += 1
        else:
            moves[count] = REGAIN_ANY
            count += 1
    if fighter.tokens > 0:
        moves[count] = REGAIN_TOKEN
        count += 1
    return count


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Take a decision, and go on to the next."""
    kind = move & 31
    about = move >> 5
    phase = fight.phase
    fight.due = 0
    fight.stage = LOSSES
    if phase == ACT:
        act(fight, who, kind, about, dice, log)
    elif phase == AMBUSH:
        ambush(fight, who, kind, about, dice, log)
    elif phase == CHOOSE:
        choose(fight, who, kind, about, dice, log)
    elif phase == LOSE:
        pay(fight, who, kind, dice, log)
    elif phase == MOVE:
        move_away(fight, who, kind, log)
        fight.stage = ACTION_ENDS
    elif phase == REGAIN:
        regain(fight, who, kind, about, dice, log)
        fight.stage = REGAINING
    else:
        if kind == RESHUFFLE:
            reshuffle(fight, who, log)
        fight.stage = TURN_ENDS
    proceed(fight, dice, log)


@rule
def proceed(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Do whatever happens by itself, until somebody has to decide or the fight is over."""
    while fight.due == 0 and fight.ending == RUNNING:
        stage = fight.stage
        if stage == LOSSES:
            pay_losses(fight, dice, log)
        elif stage == AFTER_LOSSES:
            after_losses(fight, log)
        elif stage == REGAINING:
            regain_all(fight, dice, log)
        elif stage == ACTION_ENDS:
            offer_reshuffle(fight)
        elif stage == TURN_ENDS:
            end_turn(fight, log)
        elif stage == TURN_BEGINS:
            begin_turn(fight, log)
        elif stage == AMBUSHING:
            next_ambusher(fight)
        else:
            flip_for_order(fight, dice, log)


@rule
def act(fight: Fight, who: int, kind: int, about: int, dice: Dice, log: Log | None) -> None:
    """Somebody's action in their turn."""
    fighter = fight.fighters[who]
    fight.always = 0
    fight.target = about
    fighter.breathed = 0
    if kind == STRIKE:
        emit(log, ATTACKS, who, about)
        attack(fight, who, about, STR, dice, log)
    elif kind == SHOOT:
        emit(log, SHOOTS, who, about)
        attack(fight, who, about, DEX, dice, log)
    elif kind == BREATHE:
        fighter.breathed = 1
        breathe(fight, who, about, dice, log)
    elif kind == WAIT:
        emit(log, WAITS, who)
    elif kind == CLOSE_IN:
        emit(log, CLOSES, who, about)
        change_range(fight, who, about)
        leave_position(fight, who)
    elif kind == FALL_BACK:
        emit(log, FALLS_BACK, who)
        for other in range(len(fight.fighters)):
            if fighter.near >> other & 1:
                change_range(fight, who, other)
        leave_position(fight, who)
    elif kind == REARM:
        fighter.ammo += 1
        emit(log, REARMS, who, fighter.ammo)
    elif kind == PICK_UP:
        fighter.weapons += (HELD - DROPPED) << (2 * about)
        emit(log, PICKS_UP, who, about)
    elif kind == YIELD:
        fighter.state = YIELDED
        emit(log, YIELDS, who)
    elif kind == RUN:
        fighter.owes += 4 - fighter.speed
        fight.always = RUN_AFTERWARDS


@rule
def advantage(fight: Fight, who: int, against: int) -> int:
    """What position gives somebody on a flip against another. 8."""
    return 1 if fight.fighters[who].superior >> against & 1 else 0


@rule
def attack(fight: Fight, who: int, target: int, stat: int, dice: Dice, log: Log | None) -> None:
    """Both flip the stat of the attacker's weapon, and the row of its table is resolved. 27."""
    fighter = fight.fighters[who]
    net = advantage(fight, who, target)
    if stat == DEX and fighter.near >> target & 1:  # 9
        net -= 1
    if stat == DEX and fighter.pinned:  # 6
        net -= 1
    if fight.gang_up and fight.attacked >> target & 1:  # 25
        net += 1
    fight.attacked |= 1 << target
    mine = flip(fight, who, stat, net, dice, log)
    theirs = flip(fight, target, stat, advantage(fight, target, who), dice, log)
    fight.by_hand = 1 if stat == STR else 0
    cell = 3 * (4 * (mine - 1) + theirs - 1)
    if stat == STR:
        open_row(fight, ON_MELEE[cell], ON_MELEE[cell + 1], ON_MELEE[cell + 2], dice, log)
    else:
        open_row(fight, ON_RANGED[cell], ON_RANGED[cell + 1], ON_RANGED[cell + 2], dice, log)


@rule
def ambush(fight: Fight, who: int, kind: int, target: int, dice: Dice, log: Log | None) -> None:
    """One unopposed attack on somebody who is unaware, who then is no longer. 1."""
    fight.always = 0
    if kind == WAIT:
        emit(log, WAITS, who)
        return
    emit(log, AMBUSHES, who)
    fight.target = target
    fight.fighters[target].unaware = 0
    stat = STR if kind == STRIKE else DEX
    fight.by_hand = 1 if stat == STR else 0
    result = flip(fight, who, stat, -1 if stat == DEX and fight.fighters[who].near >> target & 1 else 0, dice, log)
    cell = 3 * (result - 1)
    open_row(fight, ON_UNAWARE[cell], ON_UNAWARE[cell + 1], ON_UNAWARE[cell + 2], dice, log)


@rule
def open_row(fight: Fight, always: int, either: int, other: int, dice: Dice, log: Log | None) -> None:
    """Take the effects of a row; where it leaves a choice, the attacker is asked. 2."""
    fight.always = always
    fight.either = either
    fight.other = other
    if other == DROP and not holds_anything(fight.fighters[fight.actor]):  # 13
        fight.always = either
        other = 0
    if other:
        ask(fight, fight.actor, CHOOSE)
    else:
        resolve(fight, dice, log)


@rule
def holds_anything(fighter: Fighter) -> bool:
    """Whether there is a piece of equipment to drop."""
    return weapon(fighter, MELEE_WEAPON) == HELD or weapon(fighter, RANGED_WEAPON) == HELD


@rule
def choose(fight: Fight, who: int, kind: int, about: int, dice: Dice, log: Log | None) -> None:
    """One side of a row's choice."""
    if kind == EITHER:
        fight.always = fight.either
    elif kind == OTHER:
        fight.always = fight.other
    else:
        fight.always = DROP
        fight.fighters[who].weapons += (DROPPED - HELD) << (2 * about)
        emit(log, DROPS, who, about)
    resolve(fight, dice, log)


@rule
def fatigue(fight: Fight, who: int, effect: int, dice: Dice, log: Log | None) -> int:
    """How much fatigue somebody deals by an effect. 13: without the weapon every 1d4 is 1."""
    if effect == 1:
        return 1
    which = MELEE_WEAPON if fight.by_hand else RANGED_WEAPON
    if weapon(fight.fighters[who], which) == DROPPED:
        return 1
    return roll_d4(fight, who, dice, log)


@rule
def deal(fight: Fight, who: int, target: int, amount: int, log: Log | None) -> None:
    """Somebody deals fatigue."""
    fight.fighters[target].owes += amount
    score(log, who, FATIGUE, amount)
    emit(log, DEALS, who, target, amount)


@apart
def resolve(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Apply a row to both sides at once. 3."""
    who = fight.actor
    target = fight.target
    effects = fight.always
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    if effects & (DEAL_1 | DEAL_D4 | DEAL_D4_AND_1 | DEAL_HARM | DEAL_WOUND | CRITICAL):
        if fighter.stunned:  # 4
            emit(log, CANCELED, who)
        elif effects & DEAL_1:
            deal(fight, who, target, 1, log)
        elif effects & DEAL_D4:
            deal(fight, who, target, fatigue(fight, who, 4, dice, log), log)
        elif effects & DEAL_D4_AND_1:
            deal(fight, who, target, fatigue(fight, who, 4, dice, log) + 1, log)
        elif effects & CRITICAL:  # 11
            deal(fight, who, target, fatigue(fight, who, 4, dice, log), log)
            foe.owes -= 1
            foe.owes_harm += 1
        elif effects & DEAL_HARM:
            foe.owes_harm += 1
        else:
            foe.owes_wounds += 1
    if effects & (TAKE_1 | TAKE_D4):
        if foe.stunned:
            emit(log, CANCELED, target)
        else:
            deal(fight, target, who, fatigue(fight, target, 1 if effects & TAKE_1 else 4, dice, log), log)
    hamper(fight, effects, log)


@rule
def hamper(fight: Fight, effects: int, log: Log | None) -> None:
    """What a row does besides fatigue."""
    who = fight.actor
    target = fight.target
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    if effects & PIN:
        foe.pinned = 1
        foe.superior = 0  # 8
        emit(log, PINNED, target)
    if effects & FOE_STUNNED:
        foe.stunned = max(foe.stunned, 1)
        emit(log, STUNNED, target)
    if effects & FOE_DOWN:
        foe.stunned = max(foe.stunned, 1)
        foe.superior = 0
        emit(log, GROUNDED, target)
    if effects & DOWN:
        fighter.stunned = 2  # the turn that is ending does not count
        fighter.superior = 0
        emit(log, GROUNDED, who)
    if effects & LOSE_AMMO:
        fighter.ammo = max(0, fighter.ammo - 1)
        emit(log, SPENDS_AMMO, who, fighter.ammo)
    if effects & LOSE_STAMINA:
        fighter.owes += 1
    if effects & CLASH:
        emit(log, CLASHES, who, target)
    if effects == 0:
        emit(log, MISSES, who, target)


# Losing Stamina


@apart
def pay_losses(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Lose what is owed, point by point, asking whoever has a choice; last what flipped Wound cards cost. 17."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        while fighter.state == STANDING and fighter.owes + fighter.owes_harm + fighter.owes_wounds > 0:
            if fighter.owes == 0:
                take_token(fight, who, log)
            elif has_choice_of_loss(fight, fighter):
                ask(fight, who, LOSE)
                return
            else:
                pay(fight, who, PAY_STAMINA, dice, log)
    fight.stage = AFTER_LOSSES
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.regains > 0:  # a Breather is not resolved before it has given what it gives
            continue
        if fighter.groans and fighter.state == STANDING:
            fighter.owes += fighter.groans
            fight.stage = LOSSES
            emit(log, GROANS, who)
        fighter.groans = 0


@rule
def has_choice_of_loss(fight: Fight, fighter: Fighter) -> bool:
    """Whether a point can be paid in more than one way. 15, 23."""
    if fighter.tokens < fighter.token_slots:
        return True
    return fight.gritty == 1 and fighter.has_deck == 1 and fighter.discard != 0 and fighter.deck & STAMINA != 0


@rule
def take_token(fight: Fight, who: int, log: Log | None) -> None:
    """Turn a Harm or a Wound that is owed into its token and the point that goes with it. 18, 19, 24, 28."""
    fighter = fight.fighters[who]
    if fighter.owes_wounds > 0:
        fighter.owes_wounds -= 1
        take_wound(fight, who, log)
        return
    fighter.owes_harm -= 1
    if not fighter.has_deck:
        fighter.owes += HARM_TICKS
        score(log, who, HARMED, 1)
    elif fighter.harm >= MOST_HARM:
        take_wound(fight, who, log)
    else:
        fighter.owes += 1
        if fighter.harm_slots > 0:
            fighter.harm_slots -= 1
            emit(log, ABSORBS, who)
        elif fighter.wound_slots > 0:  # 28: these are for either
            fighter.wound_slots -= 1
            emit(log, ABSORBS, who)
        else:
            fighter.harm += 1
            score(log, who, HARMED, 1)
            emit(log, HARMS, who, fighter.harm)


@rule
def take_wound(fight: Fight, who: int, log: Log | None) -> None:
    """A Wound: the third is the end, and each brings its card into the discard pile."""
    fighter = fight.fighters[who]
    score(log, who, WOUNDED, 1)
    if not fighter.has_deck:
        fighter.owes += WOUND_TICKS
    elif fighter.wound_slots > 0:
        fighter.wound_slots -= 1
        fighter.owes += 1
        emit(log, ABSORBS, who)
    elif fighter.wounds >= MOST_WOUNDS:
        incapacitate(fight, who, log)
    else:
        fighter.wounds += 1
        fighter.owes += 1
        card = next_wound_card(fighter)
        fighter.discard |= 1 << card
        emit(log, WOUNDS, who, fighter.wounds)


@rule
def next_wound_card(fighter: Fighter) -> int:
    """The first Wound card that the fighter does not have yet."""
    card = FIRST_WOUND
    while (fighter.deck | fighter.discard | fighter.exhausted) >> card & 1:
        card += 1
    return card


@rule
def incapacitate(fight: Fight, who: int, log: Log | None) -> None:
    """Nothing more can be done by this one. 16."""
    fighter = fight.fighters[who]
    fighter.state = OUT
    fighter.owes = 0
    fighter.owes_harm = 0
    fighter.owes_wounds = 0
    emit(log, FALLS, who)


@apart
def pay(fight: Fight, who: int, kind: int, dice: Dice, log: Log | None) -> None:
    """Lose one Stamina point, or take an Exhaustion token instead."""
    fighter = fight.fighters[who]
    fighter.owes -= 1
    if kind == PAY_TOKEN:
        fighter.tokens += 1
        emit(log, PAYS_TOKEN, who, fighter.tokens)
        return
    score(log, who, LOST, 1)
    revealed = 0
    down = 0
    if not fighter.has_deck:
        fighter.ticks += 1
    elif fight.gritty:
        if kind == PAY_AFTER_RESHUFFLE:
            reshuffle(fight, who, log)
        revealed = lose_gritty(fight, who, dice, log)
    else:
        lose_heroic(fight, who, dice, log)
        down = 1
    emit(log, LOSES, who, points_left(fighter), revealed, down)
    if points_left(fighter) <= 0:
        incapacitate(fight, who, log)


@rule
def lose_heroic(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The top card goes to the Exhaustion pile, face down. 14."""
    fighter = fight.fighters[who]
    if deck_size(fighter) == 0:
        reshuffle(fight, who, log)
    if fight.veil:
        fighter.veiled += 1
    else:
        card = draw_unseen(dice, fighter.deck)
        fighter.deck &= ~(1 << card)
        fighter.exhausted |= 1 << card


@rule
def lose_gritty(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """Cards are revealed until one has a Stamina symbol, which is exhausted face up; returns them as bits. 15."""
    fighter = fight.fighters[who]
    if fighter.deck & STAMINA == 0:
        fighter.discard |= fighter.deck
        fighter.deck = 0
        reshuffle(fight, who, log)
    revealed = 0
    emit(log, AWAITS, who, STAMINA_SEARCH, 0, 1)
    while revealed & STAMINA == 0 and fighter.deck & STAMINA != 0:
        card = 1 << draw(dice, fighter.deck)
        revealed |= card
        fighter.deck &= ~card
        if card & STAMINA:
            fighter.exhausted |= card
        else:
            fighter.discard |= card
    return revealed


@rule
def after_losses(fight: Fight, log: Log | None) -> None:
    """When nobody owes anything: the end, or the foe's move, a Breather's gain, or the end of the action."""
    if judge(fight, log):
        return
    if fight.turn == BEFORE_ORDER:
        fight.stage = AMBUSHING
        return
    if fight.turn == BEFORE_TURNS:
        fight.turn = 0
        fight.stage = TURN_BEGINS
        return
    fighter = fight.fighters[fight.actor]
    fight.stage = REGAINING if fighter.regains > 0 else ACTION_ENDS
    if fight.always == RUN_AFTERWARDS and fighter.state == STANDING:
        fighter.state = GONE
        fight.stage = TURN_ENDS
        emit(log, RUNS, fight.actor)
        judge(fight, log)
    elif fight.always & FOE_MOVES and fight.fighters[fight.target].state == STANDING and fighter.state == STANDING:
        ask(fight, fight.target, MOVE)


# Moving about


@rule
def change_range(fight: Fight, who: int, other: int) -> None:
    """Two come close, or are far from each other again; positions between them are lost. 8, 9."""
    fight.fighters[who].near ^= 1 << other
    fight.fighters[other].near ^= 1 << who
    fight.fighters[who].superior &= ~(1 << other)
    fight.fighters[other].superior &= ~(1 << who)


@rule
def leave_position(fight: Fight, who: int) -> None:
    """Whoever moves is no longer below anybody's superior position. 8."""
    for other in range(len(fight.fighters)):
        fight.fighters[other].superior &= ~(1 << who)


@rule
def move_away(fight: Fight, who: int, kind: int, log: Log | None) -> None:
    """What a foe makes of the chance to move. 7."""
    fighter = fight.fighters[who]
    if kind == CHANGE_RANGE:
        change_range(fight, who, fight.actor)
        leave_position(fight, who)
        emit(log, MOVES_AWAY, who, fight.actor, fighter.near >> fight.actor & 1)
    elif kind == SHAKE_OFF:
        fighter.pinned = 0
        emit(log, SHAKES_OFF, who)
    elif kind == BREAK_AWAY:
        fight.fighters[fight.actor].superior &= ~(1 << who)
        emit(log, BREAKS_AWAY, who, fight.actor)


# Breathers


@rule
def breathe(fight: Fight, who: int, stat: int, dice: Dice, log: Log | None) -> None:
    """Take a Breather by wits or by nimbleness."""
    emit(log, BREATHES, who, stat)
    result = flip(fight, who, stat, 0, dice, log)
    effects = ON_BREATHER[3 * (result - 1)]
    fighter = fight.fighters[who]
    if effects & REGAIN_D4:
        fighter.regains = roll_d4(fight, who, dice, log)
    elif effects & REGAIN_1:
        fighter.regains = 1
    if effects & FOE_SUPERIOR:
        for foe in range(len(fight.fighters)):
            other = fight.fighters[foe]
            if is_foe(fight, who, foe) and not other.pinned and not other.stunned:  # 30
                other.superior |= 1 << who
                emit(log, SUPERIOR, foe, who)


@rule
def regain_all(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Regain what a Breather gave, one by one, asking where there is a choice."""
    who = fight.actor
    fighter = fight.fighters[who]
    while fighter.regains > 0:
        cards = regainable(fight, fighter)
        picks = fight.gritty == 1 and fighter.has_deck == 1 and min(cards, fighter.regains) < pile_size(fighter)
        if cards == 0 and fighter.tokens == 0:
            fighter.regains = 0
        elif cards > 0 and (fighter.tokens > 0 or picks):
            ask(fight, who, REGAIN)
            return
        else:
            regain(fight, who, REGAIN_ANY if cards > 0 else REGAIN_TOKEN, 0, dice, log)
    fight.stage = LOSSES


@apart
def regain(fight: Fight, who: int, kind: int, card: int, dice: Dice, log: Log | None) -> None:
    """Bring one point back: a card to the discard pile, a tick, or a token away."""
    fighter = fight.fighters[who]
    fighter.regains -= 1
    if kind == REGAIN_TOKEN:
        fighter.tokens -= 1
        emit(log, DISCARDS_TOKEN, who, fighter.tokens)
        return
    if not fighter.has_deck:
        fighter.ticks -= 1
        card = -1
    else:
        if kind == REGAIN_ANY:
            emit(log, AWAITS, who, CARD_BACK, 0, 1)
        if kind == REGAIN_ANY and fighter.veiled > 0:
            card = draw(dice, fighter.deck)
            fighter.deck &= ~(1 << card)
            fighter.veiled -= 1
        elif kind == REGAIN_ANY:
            card = draw(dice, fighter.exhausted)
        fighter.exhausted &= ~(1 << card)
        fighter.discard |= 1 << card
    emit(log, REGAINS, who, points_left(fighter), card)


# Turns


@rule
def offer_reshuffle(fight: Fight) -> None:
    """After one's own action one may reshuffle; with a low deck one must, at the end of the turn."""
    fighter = fight.fighters[fight.actor]
    fight.stage = TURN_ENDS
    if fighter.state == STANDING and fighter.has_deck and fighter.discard and deck_size(fighter) > LOW_DECK:
        ask(fight, fight.actor, RESHUFFLE_OFFER)


@rule
def end_turn(fight: Fight, log: Log | None) -> None:
    """What wears off with a turn, and whose turn comes next."""
    fighter = fight.fighters[fight.actor]
    fighter.pinned = 0  # 6
    fighter.stunned = max(0, fighter.stunned - 1)
    if fighter.state == STANDING and fighter.has_deck and fighter.discard and deck_size(fighter) <= LOW_DECK:
        reshuffle(fight, fight.actor, log)
    fight.turn += 1
    fight.stage = TURN_BEGINS


@rule
def begin_turn(fight: Fight, log: Log | None) -> None:
    """The next in the order who can act is asked for an action; behind the last a new round begins."""
    if fight.turn == len(fight.fighters):
        if fight.round >= fight.round_cap:
            fight.ending = fight.teams
            emit(log, STALLED, fight.round)
            emit(log, ENDS, fight.ending)
            return
        fight.turn = 0
        fight.round += 1
        fight.attacked = 0
        emit(log, ROUND, fight.round)
    who = fight.order[fight.turn]
    if fight.fighters[who].state == STANDING:
        fight.actor = who
        emit(log, TURN, who)
        ask(fight, who, ACT)
    else:
        fight.turn += 1


@rule
def judge(fight: Fight, log: Log | None) -> bool:
    """Whether the fight is over: no more than one team has anybody who still fights."""
    winner = fight.teams
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state == STANDING:
            if winner != fight.teams and winner != fighter.team:
                return False
            winner = fighter.team
    fight.ending = winner
    fight.due = 0
    emit(log, ENDS, winner)
    return True


@rule
def timeless(fight: Fight) -> None:
    """Forget the clock, so that the same position in two rounds is one position."""
    fight.round = 1


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, INCAPACITATED, 1 if fighter.state == OUT else 0)
        score(log, who, AWAY, 1 if fighter.state == YIELDED or fighter.state == GONE else 0)


@rule
def clock(fight: Fight) -> int:
    """How many rounds have been begun."""
    return fight.round


def is_critical(cards: int) -> str:
    """Which of the two critical cards is among those flipped, in words; they change nothing."""
    if cards >> CRITICAL_FAILURE & 1:
        return "the critical failure card"
    return "the critical success card" if cards >> CRITICAL_SUCCESS & 1 else ""
