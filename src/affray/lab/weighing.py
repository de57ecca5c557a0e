"""Weighs moves by play-outs: every move gets a first share, the better half of them the next, and so on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log2
from typing import Any

from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.rules import Log
from affray.kernel.state import to_act
from affray.lab.figures import TOO_FEW, Rate, mean, rate
from affray.system.contract import System
from affray.system.setup import Setup

FINALISTS = 4  # moves that share the last part of the time: a person chooses between a few
OWN_DICE = 0x2545F4914F6CDD1D  # seeds of play-outs begin where no fight's seed is drawn from

Run = Callable[[int, int, int, float], int]
"""Plays a move out, from one number of play-out on and so many times, and counts the endings.

Says how many these were: it may break off when a time has come, in the middle of one that goes on another time.
"""
Progress = Callable[[int], None]
"""Is told, after each move and its play-outs, how many play-outs there have been; may raise to stop them."""


@dataclass
class Tally:
    """What came of play-outs after one move: how often each ending, and the sums of the mover's figures.

    Play-outs are numbered, and the next one goes by how many there have been: those that are added later are the ones
    that a longer run would have made.
    """

    endings: list[int]
    sums: list[int]
    squares: list[float]
    ways: set[str] = field(default_factory=set)  # compiled, interpreted
    underway: Iterator[None] | None = None  # the next play-out, decision by decision, where it was broken off

    @property
    def fights(self) -> int:
        """How many play-outs there have been."""
        return sum(self.endings)

    def figures(self, system: System[Any, Any]) -> dict[str, Rate]:
        """The mean of each of the mover's figures, where the system has costs."""
        return means(system, self.sums, self.squares, self.fights)


Tallies = dict[int, Tally]
"""By the codes of moves."""


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
    least: int = 0,
    so_far: Tallies | None = None,
    progress: Progress | None = None,
) -> list[Tally]:
    """What came about after each of the moves, everybody going on by their tactics; it is added to what was `so_far`.

    Every move has been played out `least` times in the end, however long that takes; `progress` hears of it.

    What the mover may not know is cut away before, and imagined for every play-out anew. Play-out number n has the
    same dice after every move, and imagines the same, so that moves differ by what they are worth and less by luck.
    Figures are counted only where the system has costs.
    Of nobody, who is below 0, no move is made: the fight goes on from where it really stands.
    """
    prepare = _native_run if compiled else _interpreted_run
    system, seen = setup.system, setup.view(state, index) if index >= 0 else state
    kept, width = {} if so_far is None else so_far, len(system.figure_names)
    tallies = [kept.setdefault(code, Tally([0] * len(setup.endings), [0] * width, [0.0] * width)) for code in codes]
    run = prepare(setup, seen, index, codes, tactics, (OWN_DICE + seed) % 2**63, tallies)

    def worth(place: int) -> float:
        tally = tallies[place]
        if system.costs and index >= 0:
            return costs_of(setup, state, index, tally.figures(system), tally.fights)[system.costs[-1].name].value
        return sum(value * count for value, count in zip(values, tally.endings, strict=True)) / max(1, tally.fights)

    done, finalists = [tally.fights for tally in tallies], _finalists(system, len(codes), compiled)
    halve(run, done, worth, most, seconds, finalists, least, progress)
    return tallies


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
    done: list[int],
    worth: Callable[[int], float],
    most: int,
    seconds: float,
    finalists: int = FINALISTS,
    least: int = 0,
    progress: Progress | None = None,
) -> None:
    """Share the time out in rounds of equal length; after each, the better half of the moves stays.

    So do those that were played out too seldom for anybody to tell.

    `done` says of each move how many play-outs it has had; up to `most` are added. First those with fewer than the
    `least` get these, even if the time is up by then.
    """
    deadline = time.monotonic() + seconds
    before = done.copy()

    def add(place: int, count: int, until: float = inf) -> None:
        done[place] += run(place, done[place], count, until)
        if progress:
            progress(sum(done) - sum(before))

    batch = 1
    while behind := [place for place, played in enumerate(done) if played < least]:
        for place in behind:
            add(place, min(batch, least - done[place]))
        batch *= 2
    staying, batch = list(range(len(done))), max(1, batch // 2)
    for rounds_left in range(1 + max(0, ceil(log2(len(done) / finalists))), 0, -1):
        now = time.monotonic()
        end = now + (deadline - now) / rounds_left
        while now < end or done == before:
            begun = now
            for place in sorted(staying, key=done.__getitem__):  # where time is short, each has its turn at last
                is_first = done[place] == before[place]  # beyond it all share alike
                add(place, max(0, min(batch, before[place] + most - done[place])), deadline if is_first else inf)
                now = time.monotonic()
                if is_first and now >= deadline:
                    return
            if all(done[place] - before[place] >= most for place in staying):
                return
            fitting = int(batch * (end - now) / max(1e-9, now - begun))
            if fitting < 1:
                break
            batch = min(2 * batch, fitting)
        ranked, half = sorted(staying, key=worth, reverse=True), max(finalists, ceil(len(staying) / 2))
        staying = ranked[:half] + [place for place in ranked[half:] if done[place] < TOO_FEW]


def _native_run(
    setup: Setup[Any],
    state: Any,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    seed: int,
    tallies: Sequence[Tally],
) -> Run:
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import reckoner, sampler

    start = native.to_native(state, len(tactics))
    streams = np.zeros(1, native.STREAM)
    moves = np.asarray(codes, np.int64)
    counts = np.asarray([tally.endings for tally in tallies], np.int64)
    sums = np.asarray([tally.sums for tally in tallies], np.int64)
    squares = np.asarray([tally.squares for tally in tallies], np.float64)
    log = np.zeros(1, native.figures_dtype(len(tactics), sums.shape[1]))

    def play(places: Sequence[int], first: int, count: int) -> None:
        chosen = np.asarray(places, np.int64)
        if setup.system.costs:
            reckon = reckoner(setup.system)
            reckon(start, index, moves, chosen, tactics, seed, first, count, streams, log, counts, sums, squares)
        else:
            sampler(setup.system)(start, index, moves, chosen, tactics, seed, first, count, streams, counts)

    def run(place: int, first: int, count: int, until: float) -> int:
        play([place], first, count)
        tally = tallies[place]
        tally.endings, tally.sums = counts[place].tolist(), sums[place].tolist()
        tally.squares, tally.underway = squares[place].tolist(), None
        tally.ways.add("compiled")
        return count

    play((), 0, 0)  # a first call may wait for the compiler, and that is no time for play-outs
    return run


def _interpreted_run(
    setup: Setup[Any],
    state: Any,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    seed: int,
    tallies: Sequence[Tally],
) -> Run:
    system, known = setup.system, list(setup.system.tactics.values())

    def play_out(tally: Tally, code: int, number: int) -> Iterator[None]:
        played = records.copy(state)
        dice, whim = Seeded(seed, number), Seeded(seed, number, WHIM)
        log = Log([[0] * len(system.figure_names) for _ in tactics]) if system.costs else None
        system.imagine(played, index, dice)
        if index >= 0:
            system.apply(played, index, code, dice, log)
        while played.ending < 0:
            for who, tactic in enumerate(tactics):
                if to_act(played) >> who & 1:
                    system.apply(played, who, known[tactic](played, who, whim), dice, log)
                    yield
        system.figures(played, log)
        tally.endings[played.ending] += 1
        for figure, own in enumerate(log.figures[index] if log else ()):
            tally.sums[figure] += own
            tally.squares[figure] += own * own

    def run(place: int, first: int, count: int, until: float) -> int:
        tally = tallies[place]
        tally.ways.add("interpreted")
        for number in range(first, first + count):
            going, tally.underway = tally.underway or play_out(tally, codes[place], number), None
            for _ in going:
                if until < inf and time.monotonic() >= until:
                    tally.underway = going
                    return number - first
        return count

    return run
