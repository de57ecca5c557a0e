"""Weighs moves by play-outs: every move gets a first share, the better half of the moves the next, and so on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log2
from typing import Any

from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.rows import Rows
from affray.kernel.rules import Log
from affray.kernel.state import to_act
from affray.lab.figures import TOO_FEW, Rate, mean, rate
from affray.lab.programs import program
from affray.system.contract import System
from affray.system.setup import Setup

FINALISTS = 4  # moves that share the last part of the time: a person chooses between a few
OWN_DICE = 0x2545F4914F6CDD1D  # play-outs are seeded from here, where no fight's seed comes from

Run = Callable[[int, int, int, float], int]
"""Plays out a move (its place, the number of the first play-out, how many, a deadline) and counts the endings.

Returns how many play-outs it finished: at the deadline it may stop in the middle of one and continue it next time.
"""
Tick = Callable[[int], None]
"""Is told, after the play-outs of each move, how many there have been in all; may raise to stop them."""


@dataclass
class Tally:
    """The results of play-outs after one move: how often each ending came up, and the sums of the mover's figures.

    Play-outs are numbered in the order they are made, so those that are added later are the same ones that a longer
    run would have made.
    """

    endings: list[int]
    sums: list[int]
    squares: list[float]
    ways: set[str] = field(default_factory=set)  # compiled, interpreted
    underway: Iterator[None] | None = None  # the next play-out, decision by decision, if it was interrupted

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
    progress: Tick | None = None,
) -> list[Tally]:
    """The endings of play-outs after each of the moves, all fighters following their tactics; added to those `so_far`.

    Every move gets at least `least` play-outs, however long that takes; `progress` is told of them.

    What the mover may not know is removed first, and imagined anew for every play-out. Play-out number n has the same
    dice after every move, and imagines the same, so that moves differ by their worth and less by luck.
    Figures are counted only if the system has costs.
    With an `index` below 0 no move is made: the fight goes on from its true state.
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

    If moves show what they cost, half of them do: bad moves are choices too, and need their figures. The few play-outs
    of interpreted rules cannot even tell which half is better, so there all moves share equally.
    """
    if not system.costs:
        return FINALISTS
    return max(FINALISTS, ceil(moves / 2)) if compiled else moves


def means(system: System[Any, Any], sums: Sequence[int], squares: Sequence[float], fights: int) -> dict[str, Rate]:
    """The mean of each figure from sums over so many fights, with parts converted to wholes."""
    named = zip(system.figure_names, sums, squares, strict=True)
    parts = {name: (float(total), float(square), system.parts.get(name, 1)) for name, total, square in named}
    return {name: mean(total / part, square / part**2, fights) for name, (total, square, part) in parts.items()}


def costs_of(setup: Setup[Any], state: Any, index: int, figures: Mapping[str, Rate], fights: int) -> dict[str, Rate]:
    """Each cost by its name: what the figures of so many fights mean for a fighter in the current state.

    A cost is a weighted sum of figures. Their correlation is not known, so the interval of a cost adds up those of all
    its figures, and is mostly too wide. A cost that is a chance is a rate like that of an ending: what never happened
    in so many fights may still happen.
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
    progress: Tick | None = None,
) -> None:
    """Divide the time into rounds of equal length; after each, the better half of the moves stays.

    So do moves with too few play-outs to judge.

    `done` is how many play-outs each move has had; up to `most` are added. Moves with fewer than `least` get those
    first, even if that takes all the time.
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
            for place in sorted(staying, key=done.__getitem__):  # if time is short, all get a turn in the end
                is_first = done[place] == before[place]  # after that all share equally
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
    system = setup.system
    compiled = program(system, len(tactics))
    driver = "reckon" if system.costs else "sample"
    start, plans = Rows.records(records.pack_slots(state)), Rows.of("q", tactics)
    counted = [_counted(tally, with_figures=bool(system.costs)) for tally in tallies]

    def run(place: int, first: int, count: int, until: float) -> int:
        compiled.run(driver, start, index, codes[place], plans, seed, first, count, *counted[place])
        tally, (endings, *figures) = tallies[place], counted[place]
        tally.endings, tally.underway = endings.tolist(), None
        if figures:
            tally.sums, tally.squares = (each.tolist() for each in figures)
        tally.ways.add("compiled")
        return count

    if tallies:  # the first call may wait for the compiler, which does not count as time for play-outs
        compiled.run(driver, start, index, codes[0], plans, seed, 0, 0, *counted[0])
    return run


def _counted(tally: Tally, *, with_figures: bool) -> tuple[Rows, ...]:
    """What there is of a tally so far, for compiled play-outs to add to."""
    endings = Rows.of("q", tally.endings)
    return (endings, Rows.of("q", tally.sums), Rows.of("d", tally.squares)) if with_figures else (endings,)


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
