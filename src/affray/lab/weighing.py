"""Weighs moves by play-outs: every move gets a first share, the better half of them the next, and so on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import Any

from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.playing import player_out

FINALISTS = 4  # moves that share the last part of the time: a person chooses between a few
OWN_DICE = 0x2545F4914F6CDD1D  # seeds of play-outs begin where no fight's seed is drawn from

Run = Callable[[Sequence[int], int, int], None]
"""Plays some of the moves out, from one number of play-out on and so many times each, and counts the endings."""


def count_endings(
    fight: Fight,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    values: Sequence[int],
    *,
    most: int,
    seconds: float,
    compiled: bool,
    seed: int,
) -> list[list[int]]:
    """How often each ending came about after each of the moves, everybody going on by their tactics.

    What the mover may not know is cut away before. Play-out number n has the same dice after every move, so that
    moves differ by what they are worth and less by luck.
    """
    prepare = _native_run if compiled else _interpreted_run
    state = fight.system.cut(fight.state, index)
    run, counts = prepare(fight, state, index, codes, tactics, (OWN_DICE + seed) % 2**63)

    def worth(place: int) -> float:
        return float(sum(value * count for value, count in zip(values, counts[place], strict=True)))

    halve(run, len(codes), worth, most, seconds)
    return [[int(count) for count in row] for row in counts]


def halve(run: Run, moves: int, worth: Callable[[int], float], most: int, seconds: float) -> None:
    """Share the time out in rounds of equal length; after each, the better half of the moves stays."""
    deadline = time.monotonic() + seconds
    staying = list(range(moves))
    done, batch = 0, 1
    for rounds_left in range(1 + max(0, ceil(log2(moves / FINALISTS))), 0, -1):
        now = time.monotonic()
        end = now + (deadline - now) / rounds_left
        while done == 0 or now < end:
            batch = min(batch, most - done)
            run(staying, done, batch)
            done += batch
            begun, now = now, time.monotonic()
            if done >= most:
                return
            fitting = int(batch * (end - now) / max(1e-9, now - begun))
            if fitting < 1:
                break
            batch = min(2 * batch, fitting)
        staying = sorted(staying, key=worth, reverse=True)[: max(FINALISTS, ceil(len(staying) / 2))]


def _native_run(
    fight: Fight, state: Any, index: int, codes: Sequence[int], tactics: tuple[int, ...], seed: int
) -> tuple[Run, Any]:
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import sampler

    start = native.to_native(state, len(tactics))
    streams = np.zeros(1, native.STREAM)
    moves = np.asarray(codes, np.int64)
    counts = np.zeros((len(codes), len(fight.endings)), np.int64)
    sample = sampler(fight.system)

    def run(places: Sequence[int], first: int, count: int) -> None:
        chosen = np.asarray(places, np.int64)
        sample(start, index, moves, chosen, tactics, seed, first, count, streams, counts)

    run((), 0, 0)  # a first call may wait for the compiler, and that is no time for play-outs
    return run, counts


def _interpreted_run(
    fight: Fight, state: Any, index: int, codes: Sequence[int], tactics: tuple[int, ...], seed: int
) -> tuple[Run, list[list[int]]]:
    system = fight.system
    play_out = player_out(system)
    counts = [[0] * len(fight.endings) for _ in codes]

    def run(places: Sequence[int], first: int, count: int) -> None:
        for place in places:
            for number in range(first, first + count):
                played = records.copy(state)
                dice, whim = Seeded(seed, number), Seeded(seed, number, WHIM)
                system.apply(played, index, codes[place], dice, None)
                play_out(played, tactics, dice, whim, None)
                counts[place][system.outcome(played)] += 1

    return run, counts
