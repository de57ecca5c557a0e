"""One decision after another: the loop that every way of running a fight shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from affray.kernel.chance import Dice
from affray.kernel.rules import Log, rule

if TYPE_CHECKING:
    from affray.kernel.system import System

Tactic = Callable[[Any, int, Dice], int]
Step = Callable[[Any, Sequence[int], Dice, Dice, Log | None], None]


@rule
def first_of(due: int) -> int:
    """The lowest fighter in a bitmask of those who owe a decision; -1 when nobody does."""
    if due == 0:
        return -1
    who = 0
    while not due >> who & 1:
        who += 1
    return who


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


def player_out(system: System[Any, Any]) -> Step:
    """A rule that plays a fight on from where it stands to its end, and counts its figures."""
    to_act, apply, outcome, figures = system.to_act, system.apply, system.outcome, system.figures
    choose = chooser(*system.tactics.values())

    @rule
    def play_out(fight: Any, tactics: Sequence[int], dice: Dice, whim: Dice, log: Log | None) -> None:
        while outcome(fight) < 0:
            for who in range(len(tactics)):
                if to_act(fight) >> who & 1:
                    apply(fight, who, choose(tactics[who], fight, who, whim), dice, log)
        figures(fight, log)

    return play_out
