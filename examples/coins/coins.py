"""A two-coin duel, the smallest whole combat system: a jab takes 1 with any head, a lunge takes 3 with two."""

from typing import Annotated

from affray.system import I32, Fighter, Invalid, PerFighter, Ruling, Sheet, Sheets, State, System, Whole
from affray.system import ask, emit, event, field, heads, record, rule, to_act

JAB, LUNGE = 1, 2


class Duellist(Sheet):
    lives: int = field(Whole(1, 20), 5, "hits it can take")


@record
class Body(Fighter):
    lives: I32


@record
class Duel(State):
    fighters: Annotated[list[Body], PerFighter(Body)]


FLIPS = event("{who} tries a {move}: {heads} of 2 heads.", rule="coins")
TAKES = event("{who} leaves {target} with {left}.", rule="coins")


@rule
def begin(duel, dice, log):
    ask(duel, 0, 0)


@rule
def legal(duel, who, moves):
    moves[0], moves[1] = JAB, LUNGE
    return 2 * (to_act(duel) >> who & 1)


@rule
def apply(duel, who, move, dice, log):
    foe, shown = duel.fighters[1 - who], heads(dice, 2)
    emit(log, FLIPS, who, move, shown)
    foe.lives = max(0, foe.lives - (min(shown, 1) if move == JAB else 3 * (shown // 2)))
    emit(log, TAKES, who, 1 - who, foe.lives)
    duel.round += 1
    ask(duel, 1 - who, 0)
    if foe.lives == 0:
        duel.ending = duel.fighters[who].team


@rule
def careful(duel, who, whim):
    return JAB


def one_against_one(setup, duel):
    if len(setup.names) != 2:
        raise Invalid("a two-coin duel is one against one", given=len(setup.names))
    for body, sheet in zip(duel.fighters, setup.sheets):
        body.lives = sheet.lives


COINS = Ruling("coins", "What does a turn do?", "A jab takes 1 with any head, a lunge 3 with both.", "house rule")
system = System(
    id="coins",
    title="Two-coin duel",
    state=Duel,
    sheets=Sheets(Duellist, {"anna": {"name": "Anna", "lives": 5}, "bert": {"name": "Bert", "lives": 6}}),
    begin=begin,
    legal=legal,
    apply=apply,
    moves={JAB: "jab", LUNGE: "lunge"},
    seat=one_against_one,
    tactics={"careful": careful},
    rulings=lambda: {"coins": COINS},
)
