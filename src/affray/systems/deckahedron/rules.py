"""The fight: its record, and every rule of a flip, an action and what it costs. Numbers in comments are rulings."""

from __future__ import annotations

from typing import Annotated

from affray.kernel import state
from affray.kernel.chance import Dice, draw, draw_rest, draw_unseen, pick, pips
from affray.kernel.records import I32, I64, Cell, Cells, PerFighter, cell, record
from affray.kernel.rules import Log, apart, emit, row, rule, score
from affray.kernel.state import RUNNING, STANDING, add_move, ask, is_foe, is_placed, last_team, to_act
from affray.kernel.weights import how_many
from affray.systems.deckahedron import cards, events, tables
from affray.systems.deckahedron.cards import FIRST_WOUND, STAMINA, best_of, worst_of

OUT, YIELDED, GONE = 1, 2, 3
STR, DEX, INT = range(3)
NONE, HELD, DROPPED = range(3)  # a weapon
MELEE_WEAPON, RANGED_WEAPON = range(2)

# What a decision is about.
AMBUSH, ACT, CHOOSE, LOSE, MOVE, REGAIN, RESHUFFLE_OFFER = range(7)

# What happens next by itself.
LOSSES, AFTER_LOSSES, AMBUSHING, ORDERING, REGAINING, ACTION_ENDS, TURN_ENDS, TURN_BEGINS = range(8)
BEFORE_ORDER, BEFORE_TURNS = -2, -1  # places in the order before there is one

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

RUN_AFTERWARDS = 1 << 30  # no effect of a table: a runner who has paid is gone then
MOST_HARM, MOST_WOUNDS = 2, 2
HARM, WOUND, WOUND_FOR_HARM = 1, 2, 3  # tokens that come
POINTS = 10  # and the most cards that lie face down
MOST_REFLIPS = 40  # for the order: exact odds need a limit, which real decks never reach
HARM_TICKS, WOUND_TICKS = 3, 6

FIGURES = ("fatigue dealt", "Stamina lost", "Harm", "Wounds", "incapacitated", "out of the fight")
FATIGUE, LOST, HARMED, WOUNDED, INCAPACITATED, AWAY = range(6)


@record
class Fighter(state.Fighter):
    """One combatant: stats, piles and tokens, equipment, position, and open decisions."""

    state: I32 = cell("0 standing, 1 incapacitated, 2 yielded, 3 gone")
    strength: I32 = cell("rank")
    dexterity: I32 = cell("rank")
    intelligence: I32 = cell("rank")
    speed: I32 = cell("running costs so much less")
    stamina: I32 = cell("points to incapacitation")
    has_deck: I32 = cell("0 or 1")
    ticks: I32 = cell("points lost by one without a deck")
    deck: I32 = cell("cards as bits, card 1 the lowest; with `veil`, the face-down ones are among them")
    discard: I32 = cell("the discard pile")
    exhausted: I32 = cell("the Exhaustion pile, as far as the rules know it; a view shows what everybody knows of it")
    veiled: I32 = cell("how many cards of `deck` lie face down in the Exhaustion pile; which ones is unknown")
    open: I32 = cell("the cards of the Exhaustion pile that everybody knows")
    tokens: I32 = cell("Exhaustion tokens")
    token_slots: I32 = cell("the most Exhaustion tokens it can have")
    harm: I32 = cell("Harm tokens")
    wounds: I32 = cell("Wound tokens")
    harm_slots: I32 = cell("free slots of armour for Harm")
    wound_slots: I32 = cell("free slots of armour for Harm and Wounds")
    weapons: I32 = cell("two bits for the one in hand, two for the ranged one: 0 none, 1 held, 2 dropped")
    ammo: I32
    most_ammo: I32 = cell("the most that rearming leads to")
    pinned: I32 = cell("0 or 1")
    stunned: I32 = cell("turns of its own that must end before it can do fatigue again")
    breathed: I32 = cell("whether its last action was a Breather, 0 or 1")
    unaware: I32 = cell("whether it has not noticed the ambush yet, 0 or 1")
    superior: I64 = cell("over whom it is in a superior position, as bits")
    near: I64 = cell("who is at close range, as bits")
    initiative: I32 = cell("how many are behind it in the order")
    favour: I32 = cell("the net advantage that the Storyteller's word gives its next flip")

    owes: I32 = cell("Stamina points that it must still lose")
    owes_harm: I32 = cell("Harm that it must still take")
    owes_wounds: I32 = cell("Wounds that it must still take")
    token: I32 = cell(
        "what comes when its point is lost: 0 nothing, 1 a Harm token, 2 a Wound token and its card, 3 those for Harm"
    )
    groans: I32 = cell("Wound cards flipped, to be paid for when the attempt is resolved")
    regains: I32 = cell("points that a Breather still brings back")

    lost: Annotated[list[int], Cells("i", POINTS)] = cell(
        "the cards of the Exhaustion pile that lie face down, in the order in which they were lost; no view shows them"
    )
    laid: Annotated[list[int], Cells("i", POINTS)] = cell(
        "for each of them, which cards it may be for all that has been seen, as bits; discarded ones aside"
    )


@record
class Fight(state.State):
    """A whole fight: options that rules read, whose decision it is, the row being resolved, and the fighters."""

    phase: I32 = cell(
        "what is decided: 0 an ambush, 1 an action, 2 a row's choice, 3 how a point is lost, 4 a foe's move, "
        "5 how a point is regained, 6 the offer to reshuffle"
    )
    stage: I32 = cell("what happens next by itself")
    round_cap: I32 = cell("option")
    turn: I32 = cell("place in `order` of whose turn it is; -2 before the flips for it, -1 before the first turn")
    actor: I32 = cell("who acts")
    target: I32 = cell("at whom")
    always: I32 = cell("the row being resolved: what happens in any case, as bits")
    either: I32 = cell("the one side of its choice")
    other: I32 = cell("the other side")
    by_hand: I32 = cell("whether it is a row of the melee table, 0 or 1: fatigue is dealt with the weapon in hand")
    gritty: I32 = cell("option `mode`: 1 for `gritty`")
    veil: I32 = cell("option `face_down`: 1 for `unknown`")
    d4_cards: I32 = cell("option `d4`: 1 for `cards`")
    breather_floor: I32 = cell("option, 0 or 1")
    breather_repeat: I32 = cell("option, 0 or 1")
    gang_up: I32 = cell("option, 0 or 1")
    superior_foes: I32 = cell("option: 1 for `able`")
    dropped_weapon: I32 = cell("option: 1 for `own`")
    strike_back: I32 = cell("option, 0 or 1")
    pinned_net: I32 = cell("option")
    superior_net: I32 = cell("option")
    critical_harm: I32 = cell("option: 1 for `beside`")
    run_cost: I32 = cell("option")
    low_deck: I32 = cell("option")
    ambushers: I32 = cell("option `ambush`: the number of the ambushing team plus 1; 0 for none")
    attacked: I64 = cell("who has been attacked in this round, as bits")
    deck: I32 = cell("the Storyteller's deck, for foes without one, as bits")
    discard: I32 = cell("the Storyteller's discard pile")
    order: Annotated[list[int], PerFighter(Cell("i"))] = cell("the fighters' numbers in the order in which they act")
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]


@rule
def move_code(kind: int, about: int) -> int:
    """The code of a move."""
    return kind | about << 5


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return 3 * fighters + cards.CARDS + 12


# Piles


@rule
def pile_size(fighter: Fighter) -> int:
    """How many cards are in the Exhaustion pile."""
    return how_many(fighter.exhausted) + fighter.veiled


@rule
def face_down(fighter: Fighter) -> int:
    """How many cards of the Exhaustion pile lie there unseen. 14."""
    return how_many(fighter.exhausted & ~fighter.open) + fighter.veiled


@rule
def unseen(fighter: Fighter) -> int:
    """The cards of the deck together with those that lie face down."""
    return fighter.deck | fighter.exhausted & ~fighter.open


@rule
def deck_size(fighter: Fighter) -> int:
    """How many cards are left in the deck."""
    return how_many(fighter.deck) - fighter.veiled


@rule
def points_lost(fight: Fight, fighter: Fighter) -> int:
    """Stamina points that are lost: ticks, or cards of the Exhaustion pile, in Gritty mode those with a symbol."""
    if not fighter.has_deck:
        return fighter.ticks
    return how_many(fighter.exhausted & STAMINA) if fight.gritty else pile_size(fighter)


@rule
def points_left(fight: Fight, fighter: Fighter) -> int:
    """Stamina points to go before incapacitation, tokens not counted."""
    if not fighter.has_deck:
        return fighter.stamina - fighter.ticks
    return min(POINTS, fighter.stamina) - points_lost(fight, fighter)


@apart
def reshuffle(fight: Fight, who: int, log: Log | None) -> None:
    """Put the discard pile back into the deck."""
    fighter = fight.fighters[who]
    for place in range(face_down(fighter)):  # 14: a card that all players see return does not lie face down
        fighter.laid[place] &= ~fighter.discard
    fighter.deck |= fighter.discard
    fighter.discard = 0
    emit(log, events.RESHUFFLES, who)


@rule
def top_card(fighter: Fighter, deck: int, dice: Dice) -> int:
    """The top card of a fighter's deck, or of the Storyteller's for one who has none."""
    if fighter.veiled:
        return draw_rest(dice, deck, fighter.laid, fighter.veiled)
    return draw(dice, deck)


@rule
def turn_over(fighter: Fighter, deck: int, most: int, dice: Dice) -> int:
    """Flip some cards, fewer if a Wound card comes up or the deck ends; returns them as bits."""
    turned = 0
    while most > 0 and deck & ~turned:
        card = top_card(fighter, deck & ~turned, dice)
        turned |= 1 << card
        most -= 1
        if card >= FIRST_WOUND:
            most = 0
    return turned


@apart
def flip(fight: Fight, who: int, stat: int, net: int, dice: Dice, log: Log | None) -> int:
    """Flip for a stat with a net advantage; returns the score, 1 to 4. Forced reshuffles come first."""
    fighter = fight.fighters[who]
    net = max(-2, min(2, net + fighter.favour))
    fighter.favour = 0
    wanted = 1 + abs(net)
    if fighter.has_deck:
        if deck_size(fighter) < wanted:
            reshuffle(fight, who, log)
        emit(log, events.AWAITS, who, stat, net, 1)
        turned = turn_over(fighter, fighter.deck, min(wanted, deck_size(fighter)), dice)
        fighter.deck &= ~turned
        fighter.discard |= turned
        if turned & cards.WOUND_CARDS:  # 17
            fighter.groans += 1
    else:  # 24
        if how_many(fight.deck) < wanted:
            fight.deck |= fight.discard
            fight.discard = 0
            emit(log, events.REFILLS, who)
        emit(log, events.AWAITS, who, stat, net, 0)
        turned = turn_over(fighter, fight.deck, wanted, dice)
        fight.deck &= ~turned
        fight.discard |= turned
    rank = rank_of(fighter, stat)
    result = best_of(turned, rank) if net >= 0 else worst_of(turned, rank)
    emit(log, events.FLIPS, who, stat, net, turned, result)
    return result


@rule
def rank_of(fighter: Fighter, stat: int) -> int:
    """The rank of a stat."""
    if stat == STR:
        return fighter.strength
    return fighter.dexterity if stat == DEX else fighter.intelligence


@apart
def roll_d4(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """A d4: a die, or the pips of cards flipped from one's own deck, blanks flipped again.

    A Wound card stops the flipping as ever, and there it counts 1.
    """
    fighter = fight.fighters[who]
    if not fight.d4_cards or not fighter.has_deck:
        emit(log, events.AWAITS, who, events.D4_DIE, 0, 1)
        return pips(dice, 1, 4)
    rolled = 0
    while rolled == 0:
        if deck_size(fighter) == 0:
            reshuffle(fight, who, log)
        emit(log, events.AWAITS, who, events.D4_CARD, 0, 1)
        card = top_card(fighter, fighter.deck, dice)
        fighter.deck &= ~(1 << card)
        fighter.discard |= 1 << card
        rolled = cards.D4_PIPS[card]
        emit(log, events.READS_PIPS, who, card, rolled)
        if card >= FIRST_WOUND:  # 17
            fighter.groans += 1
            rolled = 1
    return rolled


# The opening


@rule
def begin(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Open the fight: an ambush first, if there is one, then all flip for the order. 1."""
    fight.turn = BEFORE_ORDER
    fight.deck = cards.WHOLE_DECK
    fight.actor = -1
    fight.stage = ORDERING
    emit(log, events.OPENS, fight.gritty)
    if fight.gritty:
        for who in range(len(fight.fighters)):
            turn_up(fight, who, dice, log)
    elif not fight.veil:
        imagine(fight, -1, dice)
    if fight.ambushers:
        for who in range(len(fight.fighters)):
            fight.fighters[who].unaware = 1 if fight.fighters[who].team != fight.ambushers - 1 else 0
        fight.stage = AMBUSHING
    proceed(fight, dice, log)


@rule
def hide(seen: Fight, viewer: int) -> None:
    """Put the face-down cards of Heroic mode back among the deck's, as no player has seen them, their owner included.

    What each of them may be is known to all, and stays. 14.
    """
    if not seen.gritty:
        seen.veil = 1
        for who in range(len(seen.fighters)):
            fighter = seen.fighters[who]
            fighter.veiled = face_down(fighter)
            fighter.deck = unseen(fighter)
            fighter.exhausted &= fighter.open
            for place in range(POINTS):
                fighter.lost[place] = 0


@rule
def imagine(fight: Fight, viewer: int, dice: Dice) -> None:
    """Decide which cards lie face down if that is unknown: all that fit what was seen are equally likely. 14.

    What an earlier card may be, a later one may be as well; so it is enough to draw them in the order of their loss.
    """
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        for place in range(fighter.veiled):
            card = draw_unseen(dice, fighter.laid[place] & fighter.deck)
            fighter.lost[place] = card
            fighter.deck &= ~(1 << card)
            fighter.exhausted |= 1 << card
        fighter.veiled = 0
    fight.veil = 0


@rule
def turn_up(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """In Gritty mode the Exhaustion pile lies face up: what comes face down from a Heroic fight is turned over. 33."""
    fighter = fight.fighters[who]
    turned = 0
    for place in range(fighter.veiled):
        emit(log, events.AWAITS, who, events.CARD_TURNED_UP, 0, 1)
        turned |= 1 << draw(dice, fighter.laid[place] & fighter.deck & ~turned)
        fighter.laid[place] = 0
    fighter.veiled = 0
    fighter.deck &= ~turned
    fighter.exhausted |= turned
    fighter.open |= turned
    if turned:
        emit(log, events.TURNS_UP, who, turned)


@rule
def next_ambusher(fight: Fight) -> None:
    """The next ambusher decides; behind the last the fight is on, and the foes know it."""
    fight.actor += 1
    while fight.actor < len(fight.fighters):
        fighter = fight.fighters[fight.actor]
        if fighter.team == fight.ambushers - 1 and fighter.state == STANDING:
            ask(fight, fight.actor, AMBUSH)
            return
        fight.actor += 1
    for who in range(len(fight.fighters)):
        fight.fighters[who].unaware = 0
    fight.stage = ORDERING


@rule
def flip_for_order(fight: Fight, dice: Dice, log: Log | None) -> None:
    """All flip Dex: the better goes first, and those who are even flip again until they are not. 1."""
    even = (1 << len(fight.fighters)) - 1
    flips = 0
    while even and flips < MOST_REFLIPS:
        for who in range(len(fight.fighters)):
            fighter = fight.fighters[who]
            fighter.initiative *= 5
            if even >> who & 1 and fighter.state == STANDING:
                fighter.initiative += flip(fight, who, DEX, 0, dice, log)
        rank_initiative(fight)
        even = those_even(fight)
        flips += 1
    for place in range(len(fight.fighters)):
        best = -1
        for who in range(len(fight.fighters)):
            if not is_placed(fight, who, place):
                if best < 0 or fight.fighters[who].initiative > fight.fighters[best].initiative:
                    best = who
        fight.order[place] = best
    emit(log, events.ORDER, fight.order[0])
    fight.turn = BEFORE_TURNS
    fight.stage = LOSSES


@rule
def rank_initiative(fight: Fight) -> None:
    """Set every fighter's initiative to the number of fighters behind: it stays small, however often they flip."""
    behind = row(len(fight.fighters))
    for who in range(len(fight.fighters)):
        behind[who] = 0
        for other in range(len(fight.fighters)):
            behind[who] += fight.fighters[other].initiative < fight.fighters[who].initiative
    for who in range(len(fight.fighters)):
        fight.fighters[who].initiative = behind[who]


@rule
def those_even(fight: Fight) -> int:
    """The standing fighters who are tied with another, as bits."""
    even = 0
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        for other in range(len(fight.fighters)):
            rival = fight.fighters[other]
            if other != who and rival.initiative == fighter.initiative and rival.state == fighter.state == STANDING:
                even |= 1 << who
    return even


# What may be done


@rule
def weapon(fighter: Fighter, which: int) -> int:
    """NONE, HELD or DROPPED."""
    return fighter.weapons >> (2 * which) & 3


@rule
def holds(fighter: Fighter, which: int) -> bool:
    """Whether a weapon is at hand."""
    return weapon(fighter, which) == HELD


@rule
def can_shoot(fighter: Fighter) -> bool:
    """Whether there is a ranged weapon at hand, and something to shoot. 10."""
    return holds(fighter, RANGED_WEAPON) and fighter.ammo > 0


@rule
def can_breathe(fight: Fight, fighter: Fighter) -> bool:
    """Whether a Breather is possible. 6, 22."""
    return not fighter.pinned and (fight.breather_repeat == 1 or not fighter.breathed)


@rule
def regainable(fight: Fight, fighter: Fighter) -> int:
    """How many cards of the Exhaustion pile, or ticks, a Breather could restore. 22."""
    floor = fighter.harm + fighter.wounds if fight.breather_floor else 0
    return max(0, points_lost(fight, fighter) - floor)


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
        if fight.other != tables.DROP:
            moves[1] = OTHER
            return 2
        count = 1
        for which in range(2):
            if holds(fighter, which):
                count = add_move(moves, count, move_code(DROP_ITEM, which))
    elif phase == LOSE:
        moves[0] = PAY_STAMINA
        count = 1
        if fight.gritty and fighter.has_deck and fighter.discard:
            count = add_move(moves, count, PAY_AFTER_RESHUFFLE)
        if fighter.tokens < fighter.token_slots:
            count = add_move(moves, count, PAY_TOKEN)
    elif phase == MOVE:
        moves[0] = STAY
        moves[1] = SHAKE_OFF if fighter.pinned else CHANGE_RANGE  # 6, 7
        count = 2
        for foe in range(len(fight.fighters)):
            if fight.fighters[foe].superior >> who & 1 and is_foe(fight, who, foe):
                count = add_move(moves, count, move_code(BREAK_AWAY, foe))
    elif phase == RESHUFFLE_OFFER:
        moves[0] = KEEP
        moves[1] = RESHUFFLE
        count = 2
    return count


@rule
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What a fighter may do in their turn."""
    fighter = fight.fighters[who]
    count = 0
    beset = False
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        near = fighter.near >> target & 1
        if near:
            beset = True
            count = add_move(moves, count, move_code(STRIKE, target))
        if can_shoot(fighter):
            count = add_move(moves, count, move_code(SHOOT, target))
        if not near and not fighter.pinned:
            count = add_move(moves, count, move_code(CLOSE_IN, target))
    if can_breathe(fight, fighter):
        moves[count] = move_code(BREATHE, INT)
        moves[count + 1] = move_code(BREATHE, DEX)
        count += 2
    if beset and not fighter.pinned:
        count = add_move(moves, count, FALL_BACK)
    if holds(fighter, RANGED_WEAPON) and fighter.ammo < fighter.most_ammo:
        count = add_move(moves, count, REARM)
    for which in range(2):
        if weapon(fighter, which) == DROPPED:
            count = add_move(moves, count, move_code(PICK_UP, which))
    if not fighter.pinned:
        count = add_move(moves, count, RUN)
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
            count = add_move(moves, count, move_code(STRIKE, target))
        if can_shoot(fighter):
            count = add_move(moves, count, move_code(SHOOT, target))
    return count


@rule
def legal_regains(fight: Fight, who: int, moves: list[int]) -> int:
    """What a Breather may restore: in Gritty mode chosen cards, in Heroic mode random ones; or a token."""
    fighter = fight.fighters[who]
    count = 0
    if regainable(fight, fighter) > 0:
        if fight.gritty and fighter.has_deck:
            for card in range(cards.CARDS):
                if fighter.exhausted & STAMINA & 1 << card:
                    count = add_move(moves, count, move_code(REGAIN_CARD, card))
        else:
            count = add_move(moves, count, REGAIN_ANY)
    if fighter.tokens > 0:
        count = add_move(moves, count, REGAIN_TOKEN)
    return count


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Carry out a decision, and continue to the next one."""
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
        move_away(fight, who, kind, about, log)
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
    """Do what happens by itself, until a fighter has to decide or the fight is over."""
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
    """A fighter's action in their turn."""
    fighter = fight.fighters[who]
    fight.always = 0
    fight.target = about
    fighter.breathed = 0
    if kind == STRIKE:
        emit(log, events.ATTACKS, who, about, holds(fight.fighters[about], MELEE_WEAPON))
        attack(fight, who, about, STR, dice, log)
    elif kind == SHOOT:
        emit(log, events.SHOOTS, who, about, holds(fight.fighters[about], RANGED_WEAPON), fighter.near >> about & 1)
        attack(fight, who, about, DEX, dice, log)
    elif kind == BREATHE:
        fighter.breathed = 1
        breathe(fight, who, about, dice, log)
    elif kind == WAIT:
        emit(log, events.WAITS, who)
    elif kind == CLOSE_IN:
        emit(log, events.CLOSES, who, about)
        change_range(fight, who, about)
        leave_position(fight, who)
    elif kind == FALL_BACK:
        emit(log, events.FALLS_BACK, who)
        for other in range(len(fight.fighters)):
            if fighter.near >> other & 1:
                change_range(fight, who, other)
        leave_position(fight, who)
    elif kind == REARM:
        fighter.ammo += 1
        emit(log, events.REARMS, who, fighter.ammo)
    elif kind == PICK_UP:
        fighter.weapons += (HELD - DROPPED) << (2 * about)
        emit(log, events.PICKS_UP, who, about)
    elif kind == YIELD:
        fighter.state = YIELDED
        emit(log, events.YIELDS, who)
    elif kind == RUN:
        fighter.owes += cost_of_running(fight, fighter)
        fight.always = RUN_AFTERWARDS


@rule
def cost_of_running(fight: Fight, fighter: Fighter) -> int:
    """How many Stamina points it costs to run away. 26."""
    return max(0, fight.run_cost - fighter.speed)


@rule
def advantage(fight: Fight, who: int, against: int) -> int:
    """What position gives a fighter on a flip against another. 8."""
    return fight.superior_net if fight.fighters[who].superior >> against & 1 else 0


@rule
def closeness(fight: Fight, who: int, target: int, stat: int) -> int:
    """What the range gives an attacker. 9."""
    return -1 if stat == DEX and fight.fighters[who].near >> target & 1 else 0


@rule
def net_of_attack(fight: Fight, who: int, target: int, stat: int) -> int:
    """The net advantage on an attacker's flip. 6, 8, 9, 25."""
    net = advantage(fight, who, target) + closeness(fight, who, target, stat)
    if stat == DEX and fight.fighters[who].pinned:
        net -= fight.pinned_net
    if fight.gang_up and fight.attacked >> target & 1:
        net += 1
    return net


@rule
def attack(fight: Fight, who: int, target: int, stat: int, dice: Dice, log: Log | None) -> None:
    """Both flip the stat of the attacker's weapon, and the row of its table is resolved. 27."""
    net = net_of_attack(fight, who, target, stat)
    fight.attacked |= 1 << target
    mine = flip(fight, who, stat, net, dice, log)
    theirs = flip(fight, target, stat, advantage(fight, target, who), dice, log)
    fight.by_hand = 1 if stat == STR else 0
    at = 3 * (4 * (mine - 1) + theirs - 1)
    if stat == STR:
        open_row(fight, tables.ON_MELEE[at], tables.ON_MELEE[at + 1], tables.ON_MELEE[at + 2], dice, log)
    else:
        open_row(fight, tables.ON_RANGED[at], tables.ON_RANGED[at + 1], tables.ON_RANGED[at + 2], dice, log)


@rule
def ambush(fight: Fight, who: int, kind: int, target: int, dice: Dice, log: Log | None) -> None:
    """One unopposed attack; the foes are unaware until every ambusher has made theirs. 1."""
    fight.always = 0
    if kind == WAIT:
        emit(log, events.WAITS, who)
        return
    emit(log, events.AMBUSHES, who)
    fight.target = target
    stat = STR if kind == STRIKE else DEX
    fight.by_hand = 1 if stat == STR else 0
    result = flip(fight, who, stat, closeness(fight, who, target, stat), dice, log)
    at = 3 * (result - 1)
    open_row(fight, tables.ON_UNAWARE[at], tables.ON_UNAWARE[at + 1], tables.ON_UNAWARE[at + 2], dice, log)


@rule
def open_row(fight: Fight, always: int, either: int, other: int, dice: Dice, log: Log | None) -> None:
    """Apply the effects of a row; if it leaves a choice, the attacker is asked. 2."""
    fight.always = always
    fight.either = either
    fight.other = other
    if other == tables.DROP and not holds_anything(fight.fighters[fight.actor]):  # 13
        fight.always = either
        other = 0
    if other:
        ask(fight, fight.actor, CHOOSE)
    else:
        resolve(fight, dice, log)


@rule
def holds_anything(fighter: Fighter) -> bool:
    """Whether there is a piece of equipment to drop."""
    return holds(fighter, MELEE_WEAPON) or holds(fighter, RANGED_WEAPON)


@rule
def choose(fight: Fight, who: int, kind: int, about: int, dice: Dice, log: Log | None) -> None:
    """One side of a row's choice."""
    if kind == EITHER:
        fight.always = fight.either
    elif kind == OTHER:
        fight.always = fight.other
    else:
        fight.always = tables.DROP
        fight.fighters[who].weapons += (DROPPED - HELD) << (2 * about)
        emit(log, events.DROPS, who, about)
    resolve(fight, dice, log)


@rule
def has_no_die(fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter has dropped a weapon and deals 1 for every 1d4. 13."""
    for which in range(2):
        its_own = which == (MELEE_WEAPON if fight.by_hand else RANGED_WEAPON)
        if weapon(fighter, which) == DROPPED and (its_own or not fight.dropped_weapon):
            return True
    return False


@rule
def deal(fight: Fight, who: int, target: int, amount: int, no_die: int, log: Log | None) -> None:
    """Let a fighter deal fatigue."""
    fight.fighters[target].owes += amount
    score(log, who, FATIGUE, amount)
    emit(log, events.DEALS, who, target, amount, no_die)


@rule
def deal_d4(fight: Fight, who: int, target: int, more: int, dice: Dice, log: Log | None) -> None:
    """Let a fighter deal 1d4 fatigue, and more."""
    if has_no_die(fight, fight.fighters[who]):
        deal(fight, who, target, 1 + more, 1, log)
    else:
        deal(fight, who, target, roll_d4(fight, who, dice, log) + more, 0, log)


@apart
def resolve(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Apply a row to both sides at once. 3."""
    who = fight.actor
    target = fight.target
    effects = fight.always
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    if effects & (
        tables.DEAL_1 | tables.DEAL_D4 | tables.DEAL_D4_AND_1 | tables.DEAL_HARM | tables.DEAL_WOUND | tables.CRITICAL
    ):
        if fighter.stunned:  # 4
            emit(log, events.CANCELED, who)
        elif effects & tables.DEAL_1:
            deal(fight, who, target, 1, 0, log)
        elif effects & tables.DEAL_D4:
            deal_d4(fight, who, target, 0, dice, log)
        elif effects & tables.DEAL_D4_AND_1:
            deal_d4(fight, who, target, 1, dice, log)
        elif effects & tables.CRITICAL:  # 11
            deal_d4(fight, who, target, 0, dice, log)
            if not fight.critical_harm:
                foe.owes -= 1
            foe.owes_harm += 1
        elif effects & tables.DEAL_HARM:
            foe.owes_harm += 1
        else:
            foe.owes_wounds += 1
    if effects & (tables.TAKE_1 | tables.TAKE_D4):
        if foe.stunned and not fight.strike_back:  # 4
            emit(log, events.CANCELED, target)
        elif effects & tables.TAKE_1:
            deal(fight, target, who, 1, 0, log)
        else:
            deal_d4(fight, target, who, 0, dice, log)
    hamper(fight, effects, log)


@rule
def hamper(fight: Fight, effects: int, log: Log | None) -> None:
    """What a row does besides fatigue."""
    who = fight.actor
    target = fight.target
    fighter = fight.fighters[who]
    foe = fight.fighters[target]
    if effects & tables.PIN:
        foe.pinned = 1
        foe.superior = 0  # 8
        emit(log, events.PINNED, target)
    if effects & tables.FOE_STUNNED:
        foe.stunned = max(foe.stunned, 1)
        emit(log, events.STUNNED, target)
    if effects & tables.FOE_DOWN:
        foe.stunned = max(foe.stunned, 1)
        foe.superior = 0
        emit(log, events.GROUNDED, target)
    if effects & tables.DOWN:
        fighter.stunned = 2  # the turn that is ending does not count
        fighter.superior = 0
        emit(log, events.GROUNDED, who)
    if effects & tables.LOSE_AMMO:
        fighter.ammo = max(0, fighter.ammo - 1)
        emit(log, events.SPENDS_AMMO, who, fighter.ammo)
    if effects & tables.LOSE_STAMINA:
        fighter.owes += 1
    if effects & tables.CLASH:
        emit(log, events.CLASHES, who, target)
    if effects == 0:
        emit(log, events.MISSES, who, target)


# Losing Stamina


@apart
def pay_losses(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Lose what is owed, point by point, asking fighters who have a choice; last what flipped Wound cards cost. 17."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        while owes_anything(fighter):
            if fighter.token and fighter.owes == 0:
                place_token(fight, who, log)
            elif fighter.owes == 0:
                take_harm(fight, who, log)
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
            emit(log, events.GROANS, who)
        fighter.groans = 0


@rule
def has_choice_of_loss(fight: Fight, fighter: Fighter) -> bool:
    """Whether a point can be paid in more than one way. 15, 23."""
    if fighter.tokens < fighter.token_slots:
        return True
    return fight.gritty == 1 and fighter.has_deck == 1 and fighter.discard != 0 and fighter.deck & STAMINA != 0


@rule
def owes_anything(fighter: Fighter) -> bool:
    """Whether there is something to be paid; of one who has fallen, the token of the last point."""
    if fighter.state != STANDING:
        return fighter.token != 0
    return fighter.owes + fighter.owes_harm + fighter.owes_wounds + fighter.token > 0


@rule
def take_harm(fight: Fight, who: int, log: Log | None) -> None:
    """Begin with a Wound or Harm that is owed: its point is lost first, and then its token comes. 18, 19, 24."""
    fighter = fight.fighters[who]
    if fighter.owes_wounds > 0:
        fighter.owes_wounds -= 1
        take_wound(fight, who, 0, log)
        return
    fighter.owes_harm -= 1
    if not fighter.has_deck:
        fighter.owes += HARM_TICKS
        score(log, who, HARMED, 1)
    elif fighter.harm >= MOST_HARM:
        take_wound(fight, who, 1, log)
    else:
        fighter.owes += 1
        fighter.token = HARM


@rule
def take_wound(fight: Fight, who: int, for_harm: int, log: Log | None) -> None:
    """A Wound, or one in place of Harm: the third is the end. 18, 19, 24, 28."""
    fighter = fight.fighters[who]
    score(log, who, WOUNDED, 1)
    if not fighter.has_deck:
        fighter.owes += WOUND_TICKS
    elif fighter.wounds >= MOST_WOUNDS and fighter.wound_slots == 0:
        incapacitate(fight, who, 1, for_harm, log)
    else:
        fighter.owes += 1
        fighter.token = WOUND_FOR_HARM if for_harm else WOUND


@rule
def place_token(fight: Fight, who: int, log: Log | None) -> None:
    """After its point, a Harm or Wound leaves its token, unless armour takes that, and a Wound its card. 28."""
    fighter = fight.fighters[who]
    wounded = fighter.token != HARM
    for_harm = fighter.token == WOUND_FOR_HARM
    fighter.token = 0
    if not wounded and fighter.harm_slots > 0:
        fighter.harm_slots -= 1
        emit(log, events.ABSORBS, who)
    elif fighter.wound_slots > 0:  # these are for either
        fighter.wound_slots -= 1
        emit(log, events.ABSORBS, who)
    elif wounded:
        fighter.wounds += 1
        fighter.discard |= 1 << next_wound_card(fighter)
        emit(log, events.WOUNDS, who, fighter.wounds, for_harm)
    else:
        fighter.harm += 1
        score(log, who, HARMED, 1)
        emit(log, events.HARMS, who, fighter.harm)


@rule
def next_wound_card(fighter: Fighter) -> int:
    """The first Wound card that the fighter does not have yet."""
    card = FIRST_WOUND
    while (fighter.deck | fighter.discard | fighter.exhausted) >> card & 1:
        card += 1
    return card


@rule
def incapacitate(fight: Fight, who: int, wounded: int, for_harm: int, log: Log | None) -> None:
    """Nothing more can be done by this one, for want of Stamina or by a Wound. 16, 19."""
    fighter = fight.fighters[who]
    fighter.state = OUT
    fighter.owes = 0
    fighter.owes_harm = 0
    fighter.owes_wounds = 0
    emit(log, events.FALLS, who, wounded, for_harm)


@apart
def pay(fight: Fight, who: int, kind: int, dice: Dice, log: Log | None) -> None:
    """Lose one Stamina point, or take an Exhaustion token instead."""
    fighter = fight.fighters[who]
    fighter.owes -= 1
    if kind == PAY_TOKEN:
        fighter.tokens += 1
        emit(log, events.PAYS_TOKEN, who, fighter.tokens)
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
    emit(log, events.LOSES, who, points_left(fight, fighter), revealed, down)
    if points_left(fight, fighter) <= 0:
        incapacitate(fight, who, 0, 0, log)


@rule
def lose_heroic(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The top card goes to the Exhaustion pile, face down. 14."""
    fighter = fight.fighters[who]
    if deck_size(fighter) == 0:
        reshuffle(fight, who, log)
    place = face_down(fighter)
    fighter.laid[place] = unseen(fighter)
    if fight.veil:
        fighter.veiled += 1
    else:
        card = draw_unseen(dice, fighter.deck)
        fighter.lost[place] = card
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
    emit(log, events.AWAITS, who, events.STAMINA_SEARCH, 0, 1)
    while revealed & STAMINA == 0 and fighter.deck & STAMINA != 0:
        card = 1 << draw(dice, fighter.deck)
        revealed |= card
        fighter.deck &= ~card
        if card & STAMINA:
            fighter.exhausted |= card
            fighter.open |= card
        else:
            fighter.discard |= card
    return revealed


@rule
def after_losses(fight: Fight, log: Log | None) -> None:
    """When all is paid: the end, or the foe's move, a Breather's gain, or the end of the action."""
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
        emit(log, events.RUNS, fight.actor)
        judge(fight, log)
    elif (
        fight.always & tables.FOE_MOVES and fight.fighters[fight.target].state == STANDING and fighter.state == STANDING
    ):
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
    """A fighter who moves is no longer below a superior position. 8."""
    for other in range(len(fight.fighters)):
        fight.fighters[other].superior &= ~(1 << who)


@rule
def move_away(fight: Fight, who: int, kind: int, about: int, log: Log | None) -> None:
    """What a foe makes of the chance to move. 7."""
    fighter = fight.fighters[who]
    if kind == CHANGE_RANGE:
        change_range(fight, who, fight.actor)
        leave_position(fight, who)
        emit(log, events.MOVES_AWAY, who, fight.actor, fighter.near >> fight.actor & 1)
    elif kind == SHAKE_OFF:
        fighter.pinned = 0
        emit(log, events.SHAKES_OFF, who)
    elif kind == BREAK_AWAY:
        fight.fighters[about].superior &= ~(1 << who)
        emit(log, events.BREAKS_AWAY, who, about)


# Breathers


@rule
def breathe(fight: Fight, who: int, stat: int, dice: Dice, log: Log | None) -> None:
    """Take a Breather by wits or by nimbleness."""
    emit(log, events.BREATHES, who, stat)
    result = flip(fight, who, stat, 0, dice, log)
    effects = tables.ON_BREATHER[3 * (result - 1)]
    fighter = fight.fighters[who]
    if effects & tables.REGAIN_D4:
        fighter.regains = roll_d4(fight, who, dice, log)
    elif effects & tables.REGAIN_1:
        fighter.regains = 1
    if effects & tables.FOE_SUPERIOR:
        several = count_foes(fight, who) > 1
        for foe in range(len(fight.fighters)):
            other = fight.fighters[foe]
            if is_foe(fight, who, foe) and not other.pinned and not (other.stunned and fight.superior_foes):  # 30
                other.superior |= 1 << who
                emit(log, events.SUPERIOR, foe, who, several)


@rule
def count_foes(fight: Fight, who: int) -> int:
    """How many foes stand against a fighter."""
    count = 0
    for foe in range(len(fight.fighters)):
        count += is_foe(fight, who, foe)
    return count


@rule
def regain_all(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Regain what a Breather gave, one by one, asking whenever there is a choice."""
    who = fight.actor
    fighter = fight.fighters[who]
    while fighter.regains > 0:
        points = regainable(fight, fighter)
        lost = points_lost(fight, fighter)
        picks = fight.gritty == 1 and fighter.has_deck == 1 and min(points, fighter.regains) < lost
        if points == 0 and fighter.tokens == 0:
            fighter.regains = 0
        elif points > 0 and (fighter.tokens > 0 or picks):
            ask(fight, who, REGAIN)
            return
        else:
            regain(fight, who, REGAIN_ANY if points > 0 else REGAIN_TOKEN, 0, dice, log)
    fight.stage = LOSSES


@apart
def regain(fight: Fight, who: int, kind: int, card: int, dice: Dice, log: Log | None) -> None:
    """Restore one point: move a card to the discard pile, or remove a tick or a token."""
    fighter = fight.fighters[who]
    fighter.regains -= 1
    if kind == REGAIN_TOKEN:
        fighter.tokens -= 1
        emit(log, events.DISCARDS_TOKEN, who, fighter.tokens)
        return
    if not fighter.has_deck:
        fighter.ticks -= 1
        card = -1
    else:
        if kind == REGAIN_ANY:
            card = take_any(fight, who, dice, log)
        fighter.exhausted &= ~(1 << card)
        fighter.open &= ~(1 << card)
        fighter.discard |= 1 << card
    emit(log, events.REGAINS, who, points_left(fight, fighter), card)


@rule
def take_any(fight: Fight, who: int, dice: Dice, log: Log | None) -> int:
    """A random card from the Exhaustion pile; all players see which place it had there. 22."""
    fighter = fight.fighters[who]
    hidden = face_down(fighter)
    place = 0
    if hidden > 0 and pile_size(fighter) > 1:
        emit(log, events.AWAITS, who, events.CARD_BACK, 0, 1)
        place = pick(dice, pile_size(fighter))
    emit(log, events.AWAITS, who, events.CARD_SHOWN, 0, 1)
    if place >= hidden:
        return draw(dice, fighter.open & STAMINA if fight.gritty else fighter.open)
    if fighter.veiled:
        card = draw_rest(dice, fighter.laid[place] & fighter.deck, fighter.laid, place)
        fighter.deck &= ~(1 << card)
        fighter.veiled -= 1
    else:
        card = draw(dice, 1 << fighter.lost[place])
    for later in range(place, hidden):
        last = later == hidden - 1
        fighter.lost[later] = 0 if last else fighter.lost[later + 1]
        fighter.laid[later] = 0 if last else fighter.laid[later + 1]
    return card


# Turns


@rule
def offer_reshuffle(fight: Fight) -> None:
    """After one's own action one may reshuffle; with a low deck one must, at the end of the turn."""
    fighter = fight.fighters[fight.actor]
    fight.stage = TURN_ENDS
    if fighter.state == STANDING and fighter.has_deck and fighter.discard and deck_size(fighter) > fight.low_deck:
        ask(fight, fight.actor, RESHUFFLE_OFFER)


@rule
def end_turn(fight: Fight, log: Log | None) -> None:
    """What wears off with a turn, and whose turn comes next."""
    fighter = fight.fighters[fight.actor]
    fighter.pinned = 0  # 6
    fighter.stunned = max(0, fighter.stunned - 1)
    if fighter.state == STANDING and fighter.has_deck and fighter.discard and deck_size(fighter) <= fight.low_deck:
        reshuffle(fight, fight.actor, log)
    fight.turn += 1
    fight.stage = TURN_BEGINS


@rule
def begin_turn(fight: Fight, log: Log | None) -> None:
    """The next in the order who can act is asked for an action; behind the last a new round begins."""
    if fight.turn == len(fight.fighters):
        if fight.round >= fight.round_cap:
            fight.ending = fight.teams
            emit(log, events.STALLED, fight.round)
            emit(log, events.ENDS, fight.ending)
            return
        fight.turn = 0
        fight.round += 1
        fight.attacked = 0
        emit(log, events.ROUND, fight.round)
    who = fight.order[fight.turn]
    if fight.fighters[who].state == STANDING:
        fight.actor = who
        emit(log, events.TURN, who)
        ask(fight, who, ACT)
    else:
        fight.turn += 1


@rule
def judge(fight: Fight, log: Log | None) -> bool:
    """Whether the fight is over: no more than one team has a fighter standing."""
    fight.ending = last_team(fight)
    if fight.ending == RUNNING:
        return False
    fight.due = 0
    emit(log, events.ENDS, fight.ending)
    return True


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        score(log, who, INCAPACITATED, 1 if fighter.state == OUT else 0)
        score(log, who, AWAY, 1 if fighter.state == YIELDED or fighter.state == GONE else 0)
