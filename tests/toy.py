"""A toy combat system for the tests of the engine: hidden cards, secret bids, dice at the start, and turns of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from affray.errors import Illegal, Invalid, unknown
from affray.kernel import records
from affray.kernel.chance import Dice, draw, heads, percent, pick, pips, successes
from affray.kernel.records import I32, I64, PerFighter, record
from affray.kernel.rules import Event, Log, emit, kinds, rule, score
from affray.kernel.system import Gauge, Impossible, System
from affray.schema import Flag, Option, Ruling, Value, Whole

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
    bid: I32  # the card on the table face down, plus one


@record
class Game:
    due: I64
    phase: I32
    mover: I32
    round: I32
    teams: I32
    ending: I32
    harsh: I32
    players: Annotated[list[Player], PerFighter(Player)]


OPENS, BIDS, LEADS, HITS, SLIPS, RESTS, FALLS, ENDS = kinds(
    OPENS="life | cards",
    BIDS="who card | cards",
    LEADS="who | cards",
    HITS="who amount | blows",
    SLIPS="who | blows",
    RESTS="who | blows",
    FALLS="who | blows",
    ENDS="ending | end",
)


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
    game.ending = -1
    more = pips(dice, 1, 3)
    emit(log, OPENS, more)
    for who in range(len(game.players)):
        player = game.players[who]
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
    for who in range(len(game.players)):
        player = game.players[who]
        if player.life > 0:
            game.due |= 1 << who
            if player.hand == 0:
                deal(player, dice)


@rule
def to_act(game: Game) -> int:
    return game.due


@rule
def outcome(game: Game) -> int:
    return game.ending


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
        if game.players[who].hand >> card & 1:
            moves[count] = card
            count += 1
    return count


@rule
def apply(game: Game, who: int, move: int, dice: Dice, log: Log | None) -> None:
    game.due &= ~(1 << who)
    if game.phase == PRESS:
        press(game, who, move, dice, log)
        close_round(game, dice, log)
    else:
        game.players[who].bid = move + 1
        game.players[who].hand &= ~(1 << move)
        if game.due == 0:
            reveal(game, dice, log)


@rule
def reveal(game: Game, dice: Dice, log: Log | None) -> None:
    """The highest card leads; chance decides among equals."""
    best = 0
    equals = 0
    for who in range(len(game.players)):
        player = game.players[who]
        if player.bid:
            emit(log, BIDS, who, player.bid - 1)
        if player.bid > best:
            best = player.bid
            equals = 1
        elif player.bid == best and best:
            equals += 1
    chosen = pick(dice, equals)
    for who in range(len(game.players)):
        player = game.players[who]
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
    me = game.players[who]
    if move == REST:
        me.life = min(9, me.life + successes(dice, 2, 5))
        emit(log, RESTS, who)
        return
    if percent(dice, 0 if game.harsh else 1) > 60:
        emit(log, SLIPS, who)
        return
    for other in range(len(game.players)):
        foe = game.players[other]
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
    for who in range(len(game.players)):
        player = game.players[who]
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
def timeless(game: Game) -> None:
    game.round = 1


@rule
def figures(game: Game, log: Log | None) -> None:
    for who in range(len(game.players)):
        score(log, who, 1, game.players[who].life)


@rule
def most_moves(fighters: int) -> int:
    return 6


@rule
def clock(game: Game) -> int:
    return game.round


@rule
def lowest(game: Game, who: int, whim: Dice) -> int:
    """The lowest card, and then the attack."""
    if game.phase == PRESS:
        return ATTACK
    card = 0
    while not game.players[who].hand >> card & 1:
        card += 1
    return card


@rule
def whimsical(game: Game, who: int, whim: Dice) -> int:
    """Anything."""
    if game.phase == PRESS:
        return pick(whim, 2)
    return draw(whim, game.players[who].hand)


# Words


def write_move(game: Game, who: int, move: int, names: Sequence[str]) -> str:
    return ("rest", "attack")[move] if game.phase == PRESS else f"bid {move}"


def read_move(game: Game, who: int, text: str, names: Sequence[str]) -> int:
    moves = [0] * 6
    known = {write_move(game, who, move, names): move for move in moves[: legal(game, who, moves)]}
    if text not in known:
        raise Illegal(unknown("move", text[:40], known), given=text, allowed=list(known))
    return known[text]


def impossible(game: Game, who: int, names: Sequence[str]) -> list[Impossible]:
    if game.phase == BID:
        return [Impossible(word, "bids come first") for word in ("rest", "attack")]
    return [Impossible("bid 0", "bids are done")]


def tell(event: Event, game: Game, sheets: Sequence[Any], names: Sequence[str], teams: Sequence[str]) -> str:
    match event.kind.name:
        case "OPENS":
            return f"Everybody has {event.life} more."
        case "BIDS":
            return f"{names[event.who].capitalize()} has bid {event.card}."
        case "HITS":
            return f"{names[event.who].capitalize()} loses {event.amount}."
        case "ENDS":
            return "It is over."
        case other:
            return f"{names[event.who].capitalize()} {other.lower()}."


def status(game: Game, sheets: Sequence[Any], names: Sequence[str], teams: Sequence[str]) -> str:
    return "\n".join(f"{name} {player.life}" for name, player in zip(names, game.players, strict=True))


def gauges(game: Game, who: int) -> list[Gauge]:
    return [Gauge("life", game.players[who].life, 9)]


def cut(game: Game, viewer: int | None) -> Game:
    seen = records.copy(game)
    for who, player in enumerate(seen.players):
        if who != viewer:
            player.hand = player.deck = player.bid = 0
            if game.phase == BID and game.ending < 0 and player.life > 0:
                seen.due |= 1 << who
    return seen


# Data


@dataclass(frozen=True)
class Sheet:
    id: str
    name: str
    life: int


SHEETS = {id: Sheet(id, id.capitalize(), life) for id, life in (("ann", 3), ("bob", 4), ("cat", 2), ("dan", 5))}
OPTIONS = (
    Option("harsh", Flag(), False, "no second chance for a blow", "blows"),
    Option("extra_life", Whole(0, 3), 0, "more life for everybody", "blows"),
)


def enlist(spec: str | Mapping[str, object], *, files: bool = True) -> Sheet:
    if isinstance(spec, str):
        if spec not in SHEETS:
            raise Invalid(unknown("card player", spec, SHEETS), given=spec)
        return SHEETS[spec]
    return Sheet(str(spec["id"]), str(spec["name"]), int(str(spec["life"])))


def muster(teams: Sequence[Sequence[Sheet]], options: Mapping[str, Value]) -> Game:
    seats = [(team, sheet) for team, members in enumerate(teams) for sheet in members]
    game = records.blank(Game, len(seats))
    game.teams = len(teams)
    game.harsh = int(options["harsh"])
    for player, (team, sheet) in zip(game.players, seats, strict=True):
        player.team, player.life = team, sheet.life + int(options["extra_life"])
    return game


RULINGS = {
    id: Ruling(id, f"What of {id}?", f"That is what {id} are.", "house rule") for id in ("cards", "blows", "end")
}

system: System[Game, Sheet] = System(
    id="toy",
    title="Toy",
    summary="cards and blows",
    state=Game,
    begin=begin,
    to_act=to_act,
    legal=legal,
    apply=apply,
    outcome=outcome,
    timeless=timeless,
    figures=figures,
    most_moves=most_moves,
    clock=clock,
    tactics={"lowest": lowest, "whimsical": whimsical},
    read_move=read_move,
    write_move=write_move,
    impossible=impossible,
    tell=tell,
    status=status,
    gauges=gauges,
    cut=cut,
    options=OPTIONS,
    enlist=enlist,
    as_table=asdict,
    muster=muster,
    usual_tactic=lambda sheet: "lowest",
    catalogue=lambda: {"players": SHEETS},
    check_file=lambda path: [],
    rulings=lambda: RULINGS,
    figure_names=("struck", "life left"),
    values={"win": 1, "lose": -1, "draw": 0},
    demonstration={"one": ["ann"], "two": ["bob"]},
)
