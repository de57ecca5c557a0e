"""What a Storyteller may change in a fight: tokens, cards, equipment and position, Stamina and Harm by their rules."""

from __future__ import annotations

from collections.abc import Sequence

from affray.errors import Illegal
from affray.kernel.chance import Dice
from affray.kernel.rules import Log
from affray.kernel.state import STANDING
from affray.system.setup import Setup
from affray.system.storytelling import (
    Deal,
    Storytelling,
    Touch,
    check_acting,
    come_near,
    insert_turn,
    owing,
    skipping,
)
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.rules import GONE, OUT, YIELDED, Fight
from affray.systems.deckahedron.sheets import Sheet

MOST_AMMO = 4
_WEAPON = "0 none, 1 held, 2 dropped"


def touches(setup: Setup[Sheet], fight: Fight, who: int) -> Sequence[Touch]:
    """Ranks, tokens, armour, weapons and ammo, what hampers a fighter, and positions over foes."""
    fighter = fight.fighters[who]
    foes = [place for place, foe in enumerate(fight.fighters) if foe.team != fighter.team and foe.state == STANDING]
    return [
        Touch("ammo", "ammo", 0, MOST_AMMO),
        Touch("melee", "weapons", 0, 2, f"the weapon in hand: {_WEAPON}", bit=0, wide=2),
        Touch("ranged", "weapons", 0, 2, f"the ranged weapon: {_WEAPON}", bit=2, wide=2),
        Touch("harm", "harm", 0, rules.MOST_HARM, "Harm tokens"),
        Touch("tokens", "tokens", 0, fighter.token_slots, "Exhaustion tokens"),
        Touch("harm-slots", "harm_slots", 0, 4, "free slots of armour for Harm"),
        Touch("wound-slots", "wound_slots", 0, 4, "free slots of armour for Harm and Wounds"),
        *(Touch(stat, stat, 1, 4, "rank") for stat in ("strength", "dexterity", "intelligence")),
        Touch("speed", "speed", 0, 4),
        Touch("favour", "favour", -2, 2, "the net advantage of the next flip; below 0 a disadvantage"),
        Touch("pinned", "pinned", 0, 1),
        Touch("stunned", "stunned", 0, 2, "turns of its own that must end before it can do fatigue again"),
        *(Touch(f"superior-to-{setup.names[foe]}".lower(), "superior", 0, 1, bit=foe) for foe in foes),
    ]


def _owed(fight: Fight, who: int, points: int, harm: int, wounds: int, dice: Dice, log: Log | None) -> None:
    """Let a fighter lose something at once; what it owes already is asked for as before."""
    fighter = fight.fighters[who]
    before = fighter.owes, fighter.owes_harm, fighter.owes_wounds, fighter.token
    fighter.owes, fighter.owes_harm, fighter.owes_wounds, fighter.token = points, harm, wounds, 0
    while rules.owes_anything(fighter):
        if fighter.token and fighter.owes == 0:
            rules.place_token(fight, who, log)
        elif fighter.owes == 0:
            rules.take_harm(fight, who, log)
        else:
            rules.pay(fight, who, rules.PAY_STAMINA, dice, log)
    if fighter.state == STANDING:
        fighter.owes, fighter.owes_harm, fighter.owes_wounds, fighter.token = before


def lose_stamina(fight: Fight, who: int, points: int, dice: Dice, log: Log | None) -> None:
    """ "You lose a Stamina point": a card, not a token in its place."""
    _owed(fight, who, points, 0, 0, dice, log)


def take_harm(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """ "Take Harm": a point, and a token unless armour takes it."""
    _owed(fight, who, 0, times, 0, dice, log)


def take_wound(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """ "Take a Wound": a point, a token and a Wound card."""
    _owed(fight, who, 0, 0, times, dice, log)


def regain(fight: Fight, who: int, points: int, dice: Dice, log: Log | None) -> None:
    """Points come back as by a Breather: any cards of the Exhaustion pile, or ticks."""
    fighter = fight.fighters[who]
    if rules.points_lost(fight, fighter) < points:
        lost = rules.points_lost(fight, fighter)
        raise Illegal(f"how many must be at most {lost}, the Stamina points that are lost, not {points}", given=points)
    before, fighter.regains = fighter.regains, points
    while fighter.regains > 0:
        rules.regain(fight, who, rules.REGAIN_ANY, 0, dice, log)
    fighter.regains = before


def reshuffle(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """The discard pile goes back into the deck."""
    if not fight.fighters[who].discard:
        raise Illegal("there is no discard pile to reshuffle")
    rules.reshuffle(fight, who, log)


def _flips(stat: int) -> Deal:
    def do(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
        fighter = fight.fighters[who]
        groans = fighter.groans
        rules.flip(fight, who, stat, 0, dice, log)
        costs = fighter.groans - groans  # a Wound card that comes up costs its point at once
        fighter.groans = groans
        if costs:
            _owed(fight, who, costs, 0, 0, dice, log)

    return Deal(f"a flip of {('Str', 'Dex', 'Int')[stat]}; a disadvantage is the quantity favour, set before", do)


def settle(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The end, if it is one; a question to one who is gone, or about nothing, is dropped."""
    fighter = fight.fighters[who]
    if fighter.state == STANDING and rules.points_left(fight, fighter) <= 0:
        rules.incapacitate(fight, who, 0, 0, log)
    if fighter.state != STANDING:
        fighter.owes = fighter.owes_harm = fighter.owes_wounds = fighter.token = fighter.groans = fighter.regains = 0
    if rules.judge(fight, log):
        return
    moves = [0] * rules.most_moves(len(fight.fighters))
    if all(fight.fighters[place].state == STANDING and rules.legal(fight, place, moves) for place in owing(fight)):
        return
    fight.due = 0
    fight.stage = {
        rules.ACT: rules.TURN_ENDS,
        rules.AMBUSH: rules.AMBUSHING,
        rules.MOVE: rules.ACTION_ENDS,
        rules.REGAIN: rules.REGAINING,
        rules.RESHUFFLE_OFFER: rules.TURN_ENDS,
    }.get(fight.phase, rules.LOSSES)
    if fight.phase == rules.CHOOSE:
        fight.always = 0
    rules.proceed(fight, dice, log)


def turn(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The fighter acts now, and then the one whose turn it was."""
    check_acting(fight, rules.ACT)
    insert_turn(fight, who, lambda: rules.begin_turn(fight, log))
    if fight.turn < 0:  # as if at the end of the round before
        fight.turn = len(fight.fighters) - 1
        fight.round -= 1


def join(fight: Fight, seated: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer acts last; cards that were lost before are turned up or drawn, as at the opening."""
    come_near(fight, seated, who)
    fight.order[who] = who
    if fight.gritty:
        rules.turn_up(fight, who, dice, log)
    elif not fight.veil:
        rules.imagine(fight, -1, dice)


STORYTELLING = Storytelling[Fight, Sheet](
    touches=touches,
    deals={
        "stamina": Deal("Stamina points lost", lose_stamina, 10),
        "harm": Deal("Harm, with its point", take_harm, 3),
        "wound": Deal("a Wound, with its point and its card", take_wound, 3),
        "regain": Deal("Stamina points regained", regain, 10),
        "reshuffle": Deal("the discard pile back into the deck", reshuffle),
        "flip-str": _flips(rules.STR),
        "flip-dex": _flips(rules.DEX),
        "flip-int": _flips(rules.INT),
    },
    settle=settle,
    skip=skipping(rules.ACT, rules.TURN_ENDS, rules.proceed),
    turn=turn,
    ways_out={"gone": GONE, "yielded": YIELDED, "incapacitated": OUT},
    join=join,
)
