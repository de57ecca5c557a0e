"""Classic games as small combat systems: two fighters who choose at the same moment, with known values."""

from typing import Annotated

from affray.system import (
    I32,
    Fighter,
    PerFighter,
    Sheet,
    Sheets,
    State,
    System,
    Whole,
    emit,
    event,
    field,
    pick,
    record,
    rule,
    seal,
    to_act,
)

FIRST, SECOND, DRAW = 0, 1, 2
END = event("It ends.")


class Gambler(Sheet):
    lead: int = field(Whole(0, 3), 0, "points to begin with")


@record
class Body(Fighter):
    choice: I32
    lead: I32


@record
class Game(State):
    fighters: Annotated[list[Body], PerFighter(Body)]


@rule
def begin(game, dice, log):
    game.due = 3


@rule
def hide(game, viewer):
    for who in range(len(game.fighters)):
        if who != viewer:
            game.fighters[who].choice = 0


def simultaneous(name, words, decide):
    """A system in which both choose one of the words, and `decide` says what two choices lead to."""
    count = len(words)

    @rule
    def legal(game, who, moves):
        for move in range(count):
            moves[move] = move + 1
        return count * (to_act(game) >> who & 1)

    @rule
    def apply(game, who, move, dice, log):
        game.fighters[who].choice = move
        if seal(game, who):
            one, other = game.fighters[0].choice, game.fighters[1].choice
            game.fighters[0].choice = 0
            game.fighters[1].choice = 0
            game.due = 3
            game.round += 1
            decide(game, one, other, dice)
            if game.ending >= 0:
                emit(log, END)

    sheets = Sheets(Gambler, {"ann": {"name": "Ann"}, "bob": {"name": "Bob"}})
    return System(
        id=name,
        title=name,
        state=Game,
        sheets=sheets,
        begin=begin,
        legal=legal,
        apply=apply,
        hide=hide,
        moves={at + 1: word for at, word in enumerate(words)},
    )


@rule
def match(game, one, other, dice):
    game.ending = FIRST if one == other else SECOND


@rule
def throw_hands(game, one, other, dice):
    """Rock, paper, scissors to two points; a tie is played again."""
    if one != other:
        winner = 0 if (one - other) % 3 == 1 else 1
        game.fighters[winner].lead += 1
        if game.fighters[winner].lead == 2:
            game.ending = winner


@rule
def bet(game, one, other, dice):
    """The first bets or checks while the other calls or folds; a bet that is called may be raised on a bluff.

    Worth 3/7: the raise is the matrix ((-1, 1), (1, 0)), worth 1/3, and the bet ((1/3, 1), (1/2, 0)).
    """
    if game.phase == 0:
        if one == 1 and other == 1:
            game.phase = 1
        elif one == 1:
            game.ending = FIRST
        elif other == 1:
            game.ending = FIRST if pick(dice, 2) else DRAW
        else:
            game.ending = DRAW
    elif one == 1:
        game.ending = SECOND if other == 1 else FIRST
    else:
        game.ending = FIRST if other == 1 else DRAW


@rule
def run_or_hide(game, one, other, dice):
    """Everett's snowball: run past while the other waits. To run with a small chance is better the smaller it is."""
    if one == 1:
        game.ending = SECOND if other == 1 else FIRST
    elif other == 1:
        game.ending = FIRST


pennies = simultaneous("pennies", ("heads", "tails"), match)
hands = simultaneous("hands", ("rock", "paper", "scissors"), throw_hands)
bluff = simultaneous("bluff", ("bet", "fold"), bet)
snowball = simultaneous("snowball", ("go", "wait"), run_or_hide)
