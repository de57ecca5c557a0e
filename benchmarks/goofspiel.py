"""Goofspiel in the open with falling prizes, as a combat system: a game that OpenSpiel can express too."""

from __future__ import annotations

import time
from typing import Annotated

import affray
from affray.lab.solving import Solution
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
    record,
    rule,
    seal,
    to_act,
)
from benchmarks.openspiel import pyspiel

CARDS = 4
END = event("The cards are out.")


class Bidder(Sheet):
    cards: int = field(Whole(1, 8), CARDS, "cards to bid with")


@record
class Hand(Fighter):
    cards: I32
    held: I32
    points: I32
    bid: I32


@record
class Table(State):
    prize: I32
    fighters: Annotated[list[Hand], PerFighter(Hand)]


@rule
def begin(table, dice, log):
    for who in range(2):
        table.fighters[who].held = (1 << table.fighters[who].cards) - 1
    table.prize = table.fighters[0].cards
    table.due = 3


@rule
def legal(table, who, moves):
    count = 0
    if to_act(table) >> who & 1:
        for card in range(table.fighters[who].cards):
            if table.fighters[who].held >> card & 1:
                moves[count] = card + 1
                count += 1
    return count


@rule
def award(table):
    """The higher bid takes the prize, and both cards are gone."""
    one, other = table.fighters[0], table.fighters[1]
    if one.bid > other.bid:
        one.points += table.prize
    elif other.bid > one.bid:
        other.points += table.prize
    for who in range(2):
        hand = table.fighters[who]
        hand.held &= ~(1 << (hand.bid - 1))
        hand.bid = 0
    table.prize -= 1


@rule
def apply(table, who, move, dice, log):
    table.fighters[who].bid = move
    if seal(table, who):
        award(table)
        table.round += 1
        table.due = 3
        if table.prize == 1:  # the last card is no choice
            one, other = table.fighters[0], table.fighters[1]
            for card in range(one.cards):
                if one.held >> card & 1:
                    one.bid = card + 1
                if other.held >> card & 1:
                    other.bid = card + 1
            award(table)
            table.ending = 2 if one.points == other.points else 0 if one.points > other.points else 1
            emit(log, END)


@rule
def hide(table, viewer):
    for who in range(2):
        if who != viewer:
            table.fighters[who].bid = 0


system = System(
    id="goofspiel",
    title="Goofspiel",
    state=Table,
    sheets=Sheets(Bidder, {"ann": {"name": "Ann"}, "bob": {"name": "Bob"}}),
    begin=begin,
    legal=legal,
    apply=apply,
    hide=hide,
    most_moves=rule(lambda fighters: 8),
    moves={card: str(card) for card in range(1, 9)},
)


def ours(compiled: bool | None = None) -> Solution:
    """The game solved, from its set-up on."""
    return affray.solve(system, "first=ann second=bob", compiled=compiled, cached=False)


def theirs() -> dict[str, float]:
    """The values of all states by OpenSpiel's value iteration, with its linear programmes."""
    from open_spiel.python.algorithms import value_iteration

    setting = f"num_cards={CARDS},imp_info=False,points_order=descending,returns_type=win_loss"
    game = pyspiel.load_game(f"goofspiel({setting})")
    return dict(value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9))


def seconds(run) -> float:
    """The processor time of a call."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def as_they_write_it(solution: Solution, number: int) -> str:
    """A state as OpenSpiel prints it."""
    state = solution.state(number)
    hands = [" ".join(str(card + 1) for card in range(CARDS) if hand.held >> card & 1) for hand in state.fighters]
    prizes = " ".join(str(prize) for prize in range(CARDS, state.prize - 1, -1))
    points = " ".join(str(hand.points) for hand in state.fighters)
    lines = (f"P0 hand: {hands[0]} ", f"P1 hand: {hands[1]} ", f"Point card sequence: {prizes} ", f"Points: {points} ")
    return "\n".join((*lines, ""))


def differences(solution: Solution, values: dict[str, float]) -> tuple[int, float]:
    """How many states both have solved, and by how much their values differ at most."""
    written = {as_they_write_it(solution, number): float(value) for number, value in enumerate(solution.values)}
    both = written.keys() & values.keys()
    return len(both), max(abs(written[key] - values[key]) for key in both)


def main() -> int:
    ours(), ours(True)  # compiled once
    values: dict[str, float] = {}
    peer = seconds(lambda: values.update(theirs()))
    print(f"Goofspiel with {CARDS} cards: {len(ours())} states, {len(values)} of OpenSpiel's with those at the end.")
    common, apart = differences(ours(), values)
    print(f"Of {common} states that both have, the values differ by {apart:.0e} at most.")
    print(f"OpenSpiel's value iteration: {1000 * peer:.1f} ms.")
    for name, compiled in (("interpreted rules", False), ("compiled rules", True)):
        mine = min(seconds(lambda compiled=compiled: ours(compiled)) for _ in range(20))
        print(f"Solved exactly, {name}: {1000 * mine:.1f} ms, {peer / mine:.0f} times faster.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
