"""A toy combat system for the tests of the engine: hidden cards, secret bids, dice at the start, and turns of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from affray.errors import Illegal, unknown
from affray.kernel.chance import Dice, draw, heads, percent, pick, pips, successes
from affray.kernel.records import I32, I64, PerFighter, cell, record
from affray.kernel.rules import Log, emit, event, rule, score
from affray.kernel.state import State, seal
from affray.system import sheets
from affray.system.contract import Impossible, System
from affray.system.pictures import Gauge
from affray.system.schema import Flag, Option, Ruling, Whole
from affray.system.setup import Setup
from affray.system.sheets import Sheets, field

CARDS = 0b11_1111
BID, PRESS = 0, 1
REST, ATTACK = 0, 1
ROUNDS = 12


@record
class Player:
    life: I32
    team: I32
    hand: I64
    deck: I64
    bid: I32 = cell("the card on the table face down, plus one")


@record
class Game(State):
    mover: I32
    harsh: I32
    fighters: Annotated[list[Player], PerFighter(Player)]


OPENS = event("all have {life} more.", rule="cards")
BIDS = event("{who} has bid {card}.", rule="cards")
LEADS = event("{who} leads.", rule="cards")
HITS = event("{who} loses {amount}.", rule="blows")
SLIPS = event("{who} slips.", rule="blows")
RESTS = event("{who} rests.", rule="blows")
FALLS = event("{who} falls.", rule="blows")
ENDS = event("it is over.", "ending", rule="end")


@rule
def deal(player: Player, dice: Dice) -> None:
    """A card from the deck, which is shuffled anew when it is used up."""
    if player.deck == 0:
        player.deck = CARDS & ~player.hand
    card = draw(dice, player.deck)
    player.deck &= ~(1 << card)
    player.hand |= 1 << card


@rule
def begin(game: Game, dice: Dice, log: Log | None) -> None:
    more = pips(dice, 1, 3)
    emit(log, OPENS, more)
    for who in range(len(game.fighters)):
        player = game.fighters[who]
        player.life += more
        player.deck = CARDS
        deal(player, dice)
        deal(player, dice)
    open_round(game, dice)


@rule
def open_round(game: Game, dice: Dice) -> None:
    game.round += 1
    game.phase = BID
    game.due = 0
    for who in range(len(game.fighters)):
        player = game.fighters[who]
        if player.life > 0:
            game.due |= 1 << who
            if player.hand == 0:
                deal(player, dice)


@rule
def legal(game: Game, who: int, moves: list[int]) -> int:
    count = 0
    if not game.due >> who & 1:
        return count
    if game.phase == PRESS:
        moves[0] = REST
        moves[1] = ATTACK
        return 2
    for card in range(6):
        if game.fighters[who].hand >> card & 1:
            moves[count] = card
            count += 1
    return count


@rule
def apply(game: Game, who: int, move: int, dice: Dice, log: Log | None) -> None:
    if game.phase == PRESS:
        game.due = 0
        press(game, who, move, dice, log)
        close_round(game, dice, log)
    else:
        game.fighters[who].bid = move + 1
        game.fighters[who].hand &= ~(1 << move)
        if seal(game, who):
            reveal(game, dice, log)


@rule
def reveal(game: Game, dice: Dice, log: Log | None) -> None:
    """The highest card leads; chance decides among equals."""
    best = 0
    equals = 0
    for who in range(len(game.fighters)):
        player = game.fighters[who]
        if player.bid:
            emit(log, BIDS, who, player.bid - 1)
        if player.bid > best:
            best = player.bid
            equals = 1
        elif player.bid == best and best:
            equals += 1
    chosen = pick(dice, equals)
    for who in range(len(game.fighters)):
        player = game.fighters[who]
        if player.bid == best:
            if chosen == 0:
                game.mover = who
            chosen -= 1
        player.bid = 0
    game.phase = PRESS
    game.due = 1 << game.mover
    emit(log, LEADS, game.mover)


@rule
def press(game: Game, who: int, move: int, dice: Dice, log: Log | None) -> None:
    me = game.fighters[who]
    if move == REST:
        me.life = min(9, me.life + successes(dice, 2, 5))
        emit(log, RESTS, who)
        return
    if percent(dice, 0 if game.harsh else 1) > 60:
        emit(log, SLIPS, who)
        return
    for other in range(len(game.fighters)):
        foe = game.fighters[other]
        if foe.team != me.team and foe.life > 0:
            lost = min(foe.life, heads(dice, 3))
            foe.life -= lost
            score(log, who, 0, lost)
            emit(log, HITS, other, lost)
            if foe.life == 0:
                emit(log, FALLS, other)


@rule
def close_round(game: Game, dice: Dice, log: Log | None) -> None:
    left = -1
    for who in range(len(game.fighters)):
        player = game.fighters[who]
        if player.life > 0:
            if left >= 0 and player.team != left:
                left = game.teams
            elif left < game.teams:
                left = player.team
    if left < game.teams or game.round >= ROUNDS:
        game.ending = left
        emit(log, ENDS, left)
    else:
        open_round(game, dice)


@rule
def figures(game: Game, log: Log | None) -> None:
    for who in range(len(game.fighters)):
        score(log, who, 1, game.fighters[who].life)


@rule
def most_moves(fighters: int) -> int:
    return 6


@rule
def lowest(game: Game, who: int, whim: Dice) -> int:
    """The lowest card, and then the attack."""
    if game.phase == PRESS:
        return ATTACK
    card = 0
    while not game.fighters[who].hand >> card & 1:
        card += 1
    return card


@rule
def whimsical(game: Game, who: int, whim: Dice) -> int:
    """Anything."""
    if game.phase == PRESS:
        return pick(whim, 2)
    return draw(whim, game.fighters[who].hand)


# Words


def write_move(setup: Setup[Sheet], game: Game, who: int, move: int) -> str:
    return ("rest", "attack")[move] if game.phase == PRESS else f"bid {move}"


def read_move(setup: Setup[Sheet], game: Game, who: int, text: str, written: Mapping[str, int]) -> int:
    if text not in written:
        raise Illegal(unknown("move", text[:40], written), given=text, allowed=list(written))
    return written[text]


def impossible(setup: Setup[Sheet], game: Game, who: int) -> list[Impossible]:
    if game.phase == BID:
        return [Impossible(word, "bids come first") for word in ("rest", "attack")]
    return [Impossible("bid 0", "bids are done")]


def status(setup: Setup[Sheet], game: Game) -> str:
    return "\n".join(f"{name} {player.life}" for name, player in zip(setup.names, game.fighters, strict=True))


def gauges(setup: Setup[Sheet], game: Game, who: int) -> list[Gauge]:
    return [Gauge("life", game.fighters[who].life, 9)]


@rule
def hide(seen: Game, viewer: int) -> None:
    for who in range(len(seen.fighters)):
        player = seen.fighters[who]
        if who != viewer:
            player.hand = player.deck = player.bid = 0


# Data


class Sheet(sheets.Sheet):
    life: int = field(Whole(1, 9))


SHEETS = Sheets(
    Sheet,
    {id: {"name": id.capitalize(), "life": life} for id, life in (("ann", 3), ("bob", 4), ("cat", 2), ("dan", 5))},
)
OPTIONS = (
    Option("harsh", Flag(), False, "no second chance for a blow", "blows"),
    Option("extra_life", Whole(0, 3), 0, "more life for everybody", "blows"),
)


def seat(setup: Setup[Sheet], game: Game) -> None:
    game.harsh = int(setup.options["harsh"])
    for player, sheet in zip(game.fighters, setup.sheets, strict=True):
        player.life = sheet.life + int(setup.options["extra_life"])


RULINGS = {
    id: Ruling(id, f"What of {id}?", f"That is what {id} are.", "house rule") for id in ("cards", "blows", "end")
}

system: System[Game, Sheet] = System(
    id="toy",
    title="Toy",
    summary="cards and blows",
    state=Game,
    sheets=SHEETS,
    begin=begin,
    legal=legal,
    apply=apply,
    figures=figures,
    most_moves=most_moves,
    tactics={"lowest": lowest, "whimsical": whimsical},
    read_move=read_move,
    write_move=write_move,
    impossible=impossible,
    status=status,
    gauges=gauges,
    hide=hide,
    options=OPTIONS,
    seat=seat,
    rulings=lambda: RULINGS,
    figure_names=("struck", "life left"),
)
