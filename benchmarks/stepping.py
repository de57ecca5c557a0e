"""Decisions a second of bare stepping, copying included, and of a fight with its log: interpreted rules in both."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import affray
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.kernel.state import RUNNING

TEAMS = "heroes=player monsters=fire-slime"
FIGHTS = 2_000


def bare(setup: affray.Setup[Any]) -> int:
    """Play fights by the first legal move, each made in a copy of the state; how many decisions that took."""
    start = setup.opened(Seeded(7))
    made = 0
    for number in range(FIGHTS):
        dice = Seeded(7, number)
        state = start
        while state.ending == RUNNING:
            state = records.copy(state)
            who = (state.due & -state.due).bit_length() - 1
            setup.step(state, who, setup.codes(state, who)[0], dice)
            made += 1
    return made


def told(setup: affray.Setup[Any]) -> int:
    """Play a few of the same fights with story and log; how many decisions that took."""
    made = 0
    for number in range(FIGHTS // 10):
        fight = affray.Fight(setup.system.id, TEAMS, seed=number)
        while not fight.over:
            who = fight.to_act[0]
            fight.play(who, fight.legal(who)[0])
            made += 1
    return made


def rates() -> tuple[float, float]:
    """Decisions a second of processor time: bare, and with story and log; the best of several turns of each."""
    setup = affray.Setup.of("bgo", TEAMS)
    turns = [(_rate(bare, setup), _rate(told, setup)) for _ in range(5)]
    return max(rate for rate, _ in turns), max(rate for _, rate in turns)


def _rate(play: Callable[[affray.Setup[Any]], int], setup: affray.Setup[Any]) -> float:
    begun = time.process_time()
    made = play(setup)
    return made / (time.process_time() - begun)


if __name__ == "__main__":
    print(*rates())
