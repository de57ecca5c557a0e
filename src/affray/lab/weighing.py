"""Weighs moves by play-outs: every move gets a first share, the better half of them the next, and so on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.playing import player_out
from affray.kernel.rules import Log
from affray.lab.figures import Rate, mean, rate
from affray.system.contract import System
from affray.system.setup import Setup

FINALISTS = 4  # moves that share the last part of the time: a person chooses between a few
OWN_DICE = 0x2545F4914F6CDD1D  # seeds of play-outs begin where no fight's seed is drawn from

Run = Callable[[Sequence[int], int, int], None]
"""Plays some of the moves out, from one number of play-out on and so many times each, and counts the endings."""
Progress = Callable[[int], None]
"""Is told, after each move and its play-outs, how many play-outs there have been; may raise to stop them."""


@dataclass
class Tally:
    """What came of play-outs after one move: how often each ending, and the mean of each of the mover's figures."""

    endings: list[int]
    figures: dict[str, Rate]


def count_endings(
    setup: Setup[Any],
    state: Any,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    values: Sequence[int],
    *,
    most: int,
    seconds: float,
    compiled: bool,
    seed: int,
    least: int = 1,
    progress: Progress | None = None,
) -> list[Tally]:
    """What came about after each of the moves, everybody going on by their tactics.

    Every move is played out `least` times, however long that takes; `progress` hears of it.

    What the mover may not know is cut away before, and imagined for every play-out anew. Play-out number n has the
    same dice after every move, and imagines the same, so that moves differ by what they are worth and less by luck.
    Figures are counted only where the system has costs.
    Of nobody, who is below 0, no move is made: the fight goes on from where it really stands.
    """
    prepare = _native_run if compiled else _interpreted_run
    system, seen = setup.system, setup.view(state, index) if index >= 0 else state
    run, counts, sums, squares = prepare(setup, seen, index, codes, tactics, (OWN_DICE + seed) % 2**63)

    def tally(place: int) -> Tally:
        endings = [int(count) for count in counts[place]]
        counted = system.costs and index >= 0
        figures = means(system, sums[place], squares[place], sum(endings)) if counted else {}
        return Tally(endings, figures)

    def worth(place: int) -> float:
        if system.costs and index >= 0:
            found = tally(place)
            return costs_of(setup, state, index, found.figures, sum(found.endings))[system.costs[-1].name].value
        return float(sum(value * count for value, count in zip(values, counts[place], strict=True)))

    told = told_of(run, progress) if progress else run
    halve(told, len(codes), worth, most, seconds, _finalists(system, len(codes), compiled), least)
    return [tally(place) for place in range(len(codes))]


def told_of(run: Run, progress: Progress) -> Run:
    """The same play-outs move by move, with news of them in between."""
    so_far = 0

    def told(places: Sequence[int], first: int, count: int) -> None:
        nonlocal so_far
        for place in places:
            run([place], first, count)
            so_far += count
            progress(so_far)

    return told


def _finalists(system: System[Any, Any], moves: int, compiled: bool) -> int:
    """How many moves share the last part of the time.

    Where every move shows what it costs, half of them: the worst is a choice as well, and worth its figures. The few
    play-outs of interpreted rules cannot even tell which half; there all share alike.
    """
    if not system.costs:
        return FINALISTS
    return max(FINALISTS, ceil(moves / 2)) if compiled else moves


def means(system: System[Any, Any], sums: Sequence[int], squares: Sequence[float], fights: int) -> dict[str, Rate]:
    """The mean of each figure out of sums over so many fights, parts made whole."""
    named = zip(system.figure_names, sums, squares, strict=True)
    parts = {name: (float(total), float(square), system.parts.get(name, 1)) for name, total, square in named}
    return {name: mean(total / part, square / part**2, fights) for name, (total, square, part) in parts.items()}


def costs_of(setup: Setup[Any], state: Any, index: int, figures: Mapping[str, Rate], fights: int) -> dict[str, Rate]:
    """What the figures of so many fights mean for a fighter as the fight stands, by the name of each of the costs.

    A cost is a sum of figures, each with its weight. How they hang together is not counted, so a cost may be off by
    as much as all of its figures together, and is mostly nearer. One that is a chance is a rate like that of an ending:
    what never happened in so many fights may still happen.
    """
    sheet = setup.sheets[index]
    now = setup.figures(setup.view(state, index))[setup.names[index]]
    after = {name: rate.value for name, rate in figures.items()}
    costs = {}
    for cost in setup.system.costs:
        value = cost.of(sheet, now, after)
        if cost.is_chance:
            costs[cost.name] = rate(fights * min(1.0, max(0.0, value)), fights)
            continue
        off = sum(abs(cost.of(sheet, now, {**after, name: rate.high}) - value) for name, rate in figures.items())
        costs[cost.name] = Rate(value, value - off, value + off)
    return costs


def halve(
    run: Run,
    moves: int,
    worth: Callable[[int], float],
    most: int,
    seconds: float,
    finalists: int = FINALISTS,
    least: int = 1,
) -> None:
    """Share the time out in rounds of equal length; after each, the better half of the moves stays.

    All of them get the `least` play-outs before, even if the time is up by then.
    """
    deadline = time.monotonic() + seconds
    staying = list(range(moves))
    done, batch = 0, 1
    for rounds_left in range(1 + max(0, ceil(log2(moves / finalists))), 0, -1):
        now = time.monotonic()
        end = now + (deadline - now) / rounds_left
        while done < least or now < end:
            batch = min(batch, most - done)
            run(staying, done, batch)
            done += batch
            begun, now = now, time.monotonic()
            if done >= most:
                return
            fitting = int(batch * (end - now) / max(1e-9, now - begun))
            if fitting < 1 and done >= least:
                break
            batch = min(2 * batch, max(fitting, least - done))
        staying = sorted(staying, key=worth, reverse=True)[: max(finalists, ceil(len(staying) / 2))]


def _native_run(
    setup: Setup[Any], state: Any, index: int, codes: Sequence[int], tactics: tuple[int, ...], seed: int
) -> tuple[Run, Any, Any, Any]:
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import reckoner, sampler

    start = native.to_native(state, len(tactics))
    streams = np.zeros(1, native.STREAM)
    moves = np.asarray(codes, np.int64)
    counts = np.zeros((len(codes), len(setup.endings)), np.int64)
    shape = len(tactics), len(setup.system.figure_names)
    sums = np.zeros((len(codes), shape[1]), np.int64)
    squares = np.zeros((len(codes), shape[1]))
    log = np.zeros(1, native.figures_dtype(*shape))

    def run(places: Sequence[int], first: int, count: int) -> None:
        chosen = np.asarray(places, np.int64)
        if setup.system.costs:
            reckon = reckoner(setup.system)
            reckon(start, index, moves, chosen, tactics, seed, first, count, streams, log, counts, sums, squares)
        else:
            sampler(setup.system)(start, index, moves, chosen, tactics, seed, first, count, streams, counts)

    run((), 0, 0)  # a first call may wait for the compiler, and that is no time for play-outs
    return run, counts, sums, squares


def _interpreted_run(
    setup: Setup[Any], state: Any, index: int, codes: Sequence[int], tactics: tuple[int, ...], seed: int
) -> tuple[Run, list[list[int]], list[list[int]], list[list[int]]]:
    system = setup.system
    play_out = player_out(system)
    counts = [[0] * len(setup.endings) for _ in codes]
    sums, squares = ([[0] * len(system.figure_names) for _ in codes] for _ in range(2))

    def run(places: Sequence[int], first: int, count: int) -> None:
        for place in places:
            for number in range(first, first + count):
                played = records.copy(state)
                dice, whim = Seeded(seed, number), Seeded(seed, number, WHIM)
                log = Log([[0] * len(system.figure_names) for _ in tactics]) if system.costs else None
                system.imagine(played, index, dice)
                if index >= 0:
                    system.apply(played, index, codes[place], dice, log)
                play_out(played, tactics, dice, whim, log)
                counts[place][played.ending] += 1
                for figure, own in enumerate(log.figures[index] if log else ()):
                    sums[place][figure] += own
                    squares[place][figure] += own * own

    return run, counts, sums, squares
