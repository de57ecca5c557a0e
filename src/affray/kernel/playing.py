"""One decision after another: the loop that every way of running a fight shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from affray.kernel.chance import Dice, Tape, asked, pick
from affray.kernel.rules import Log, row, rule
from affray.kernel.state import forget_clock, to_act

if TYPE_CHECKING:
    from affray.system.contract import System

QUIET_STEPS = 32
"""Decisions without chance after which a state becomes a node anyway: two fighters might only defend for ever."""

Tactic = Callable[[Any, int, Dice], int]
Step = Callable[[Any, Sequence[int], Dice, Dice, Log | None], None]


@rule
def first_of(due: int) -> int:
    """The lowest fighter in a bitmask of those who have to decide; -1 if there is none."""
    if due == 0:
        return -1
    who = 0
    while not due >> who & 1:
        who += 1
    return who


def random_tactic(legal: Callable[[Any, int, list[int]], int], most_moves: Callable[[int], int]) -> Tactic:
    """A tactic that chooses a random legal move, all equally likely."""

    @rule
    def random(fight: Any, who: int, whim: Dice) -> int:
        """A random legal move, all equally likely."""
        moves = row(most_moves(len(fight.fighters)))
        return moves[pick(whim, legal(fight, who, moves))]

    return random


def chooser(first: Tactic, *others: Tactic) -> Callable[[int, Any, int, Dice], int]:
    """A rule that decides by the tactic of a given number."""
    if not others:

        def choose(tactic: int, fight: Any, who: int, whim: Dice) -> int:
            return first(fight, who, whim)

    else:
        rest = chooser(*others)

        def choose(tactic: int, fight: Any, who: int, whim: Dice) -> int:
            if tactic == 0:
                return first(fight, who, whim)
            return rest(tactic - 1, fight, who, whim)

    return rule(choose)


@cache
def unfolder(system: System[Any, Any]) -> Callable[[Any, int, int, int, Sequence[int], Tape], None]:
    """A rule that takes a fight from one node of its graph to the next.

    Fighter `who` makes a move (none does if `who` is below 0); then the tactics decide until chance has been
    asked, or one of the fighters in `best` has to choose, or it is over.
    """
    apply = system.apply
    choose = chooser(*system.tactics.values())

    @rule
    def unfold(fight: Any, who: int, move: int, best: int, tactics: Sequence[int], tape: Tape) -> None:
        if who >= 0:
            apply(fight, who, move, tape, None)
        steps = 0
        while fight.ending < 0 and not asked(tape) and not to_act(fight) & best and steps < QUIET_STEPS:
            other = first_of(to_act(fight))
            apply(fight, other, choose(tactics[other], fight, other, tape), tape, None)
            steps += 1
        forget_clock(fight)

    return unfold


@cache
def player_out(system: System[Any, Any]) -> Step:
    """A rule that plays a fight from its current state to its end, and counts its figures."""
    apply, figures = system.apply, system.figures
    choose = chooser(*system.tactics.values())

    @rule
    def play_out(fight: Any, tactics: Sequence[int], dice: Dice, whim: Dice, log: Log | None) -> None:
        while fight.ending < 0:
            for who in range(len(fight.fighters)):
                if to_act(fight) >> who & 1:
                    apply(fight, who, choose(tactics[who], fight, who, whim), dice, log)
        figures(fight, log)

    return play_out
