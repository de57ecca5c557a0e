"""Simulation: many numbered fights on all cores, with reliable intervals; each can be replayed with its story."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from affray.errors import Invalid
from affray.fight import Fight
from affray.fight.drawing import chances_svg
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.lab import has_threads
from affray.lab.cluster import Elsewhere, Pool, largest_chunk
from affray.lab.fighting import Counts, NativeLoop, Part, fought, part_of
from affray.lab.figures import Rate, mean, rate
from affray.lab.playouts import costs_of, means
from affray.lab.progress import Progress
from affray.lab.results import Results, check_room
from affray.players.tactics import numbered, play_on, usual_tactics
from affray.system.contract import System
from affray.system.setup import Setup, Teams

FIGHTS = 100_000  # by default
INTERPRETED_SECONDS = 10.0  # what those may take if the rules cannot be compiled
LARGEST = 500_000  # fights of a part
A_MOMENT = 0.2  # seconds of interpreted fights between two checks for progress and time


@dataclass(frozen=True)
class Simulation:
    """The result of many fights: counts, rates with 95% intervals, rounds, and figures for each fighter."""

    system: str
    teams: Mapping[str, Sequence[str]]
    tactics: Mapping[str, str]
    seed: int
    asked: int
    fights: int
    counts: Mapping[str, int]
    rounds: Mapping[int, int]
    figures: Mapping[str, Mapping[str, Rate]]
    compiled: bool
    seconds: float
    interrupted: bool
    setup: Setup[Any] = field(repr=False, compare=False)
    chances: frozenset[str] = frozenset()
    """The figures that count the fights in which something happened: they are 0 or 1 in each fight."""
    results: Results | None = field(default=None, repr=False, compare=False)
    """What became of each fight, if that was asked for."""

    def fight(self, number: int) -> Fight:
        """Fight `number` of this simulation, replayed with its story."""
        if type(number) is not int or not 0 <= number < self.asked:
            raise Invalid(f"the simulation has fights 0 to {self.asked - 1}, not {number!r}", given=number)
        again = Fight(self.setup, dice=Seeded(self.seed, number))
        play_on(again, self.tactics)
        return again

    @property
    def rates(self) -> dict[str, Rate]:
        """How often each ending came about."""
        return {ending: rate(count, self.fights) for ending, count in self.counts.items()}

    @property
    def mean_rounds(self) -> Rate:
        """How long a fight lasts."""
        total = sum(lasted * count for lasted, count in self.rounds.items())
        return mean(total, sum(lasted**2 * count for lasted, count in self.rounds.items()), self.fights)

    @cached_property
    def costs(self) -> dict[str, dict[str, Rate]]:
        """What the fight costs and brings each fighter, if the system has costs; the last is the sum of all."""
        if not self.setup.system.costs:
            return {}
        state = self.setup.opened(Seeded(self.seed))
        return {
            who: costs_of(self.setup, state, self.setup.index(who), row, self.fights)
            for who, row in self.figures.items()
        }

    def as_table(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {
            "system": self.system,
            "teams": {team: list(members) for team, members in self.teams.items()},
            "tactics": dict(self.tactics),
            "seed": self.seed,
            "fights": self.fights,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "compiled": self.compiled,
            "seconds": round(self.seconds, 6),
            "counts": dict(self.counts),
            "rates": {ending: r._asdict() for ending, r in self.rates.items()},
            "rounds": {str(lasted): count for lasted, count in sorted(self.rounds.items())},
            "mean_rounds": self.mean_rounds._asdict(),
            "figures": {who: {f: r._asdict() for f, r in row.items()} for who, row in self.figures.items()},
            "costs": {who: {cost: r._asdict() for cost, r in row.items()} for who, row in self.costs.items()},
        }

    def plot(self, path: str | Path) -> None:
        """Draw endings, rounds and figures into an .svg, .png or .html file."""
        from affray.lab.plot import plot

        plot(self, path)

    def svg(self) -> str:
        """The rates as a picture; notebooks show it by themselves."""
        chances = {ending: (rate.value, rate.low, rate.high) for ending, rate in self.rates.items()}
        return chances_svg(f"{self.fights:,} fights of {self.system}", chances, f"seed {self.seed}, 95% intervals")

    _repr_svg_ = svg

    def __str__(self) -> str:
        lines = [f"{self.fights:,} fights of {self.system}, seed {self.seed}"]
        lines += [f"{e:<12} {r.value:8.3%}  [{r.low:.3%}, {r.high:.3%}]" for e, r in self.rates.items()]
        return "\n".join(lines)


def simulate(
    system: str | System[Any, Any] | Setup[Any],
    teams: Teams | str = "",
    *,
    fights: int | None = None,
    seed: int = 0,
    tactics: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    workers: int | None = None,
    figures: bool = True,
    each: bool = False,
    compiled: bool | None = None,
    seconds: float | None = None,
    pool: Pool | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Simulate `fights` numbered fights of a seed, in which every fighter follows its tactic.

    Fight number n is always the same, on however many cores. `figures=False` leaves out the figures of the fighters,
    which is a little faster; `each=True` keeps what became of every single fight as `results`. Without Numba
    (`compiled=None` falls back to interpreted rules, True insists on Numba) it takes long; `seconds` then limits how
    many of the fights are fought. By default these are 100,000 fights, or as many of them as interpreted rules fight in
    10 seconds. A `pool` fights them elsewhere (see `affray.lab.cluster`), with the same result.
    """
    if fights is None:
        fights, seconds = FIGHTS, INTERPRETED_SECONDS if seconds is None else seconds
    if type(fights) is not int or not 1 <= fights <= 10**12:
        raise Invalid(f"the number of fights must be 1 to {10**12}, not {fights!r}", given=fights)
    if workers is not None and not 1 <= workers <= 1024:
        raise Invalid(f"the number of workers must be 1 to 1024, not {workers!r}", given=workers)
    setup = Setup.of(system, teams, options)
    chosen = usual_tactics(setup, tactics)
    codes = numbered(setup.system, chosen)
    if each:
        check_room(setup, fights)
    part, native = part_of(setup, codes, Seeded(seed).seed, figures=figures, each=each, compiled=compiled)
    part(0, 0)  # compiles, if necessary; that does not count as time of the fights
    begun = time.perf_counter()
    until = begun + seconds if seconds is not None and not native else None
    if pool is not None:
        elsewhere = Elsewhere.of(setup, codes, Seeded(seed).seed, figures=figures, each=each)
        counts, interrupted = _run(elsewhere, fights, pool.workers, True, progress, None, pool.executor)
    else:
        counts, interrupted = _run(part, fights, _workers(workers, native), native, progress, until)
    lasted = time.perf_counter() - begun
    found = summed_up(setup, chosen, seed, fights, counts, native, lasted, interrupted=interrupted, figures=figures)
    return replace(found, results=Results.of(setup, chosen, seed, counts.each)) if each else found


def fight_part(setup: Setup[Any], tactics: Mapping[str, str], seed: int, first: int, count: int) -> tuple[Counts, bool]:
    """The results of some numbered fights of a simulation, and whether native code fought them."""
    part, native = part_of(setup, numbered(setup.system, tactics), Seeded(seed).seed)
    return part(first, count), native


def summed_up(
    setup: Setup[Any],
    tactics: Mapping[str, str],
    seed: int,
    asked: int,
    counts: Counts,
    native: bool,
    seconds: float,
    *,
    interrupted: bool = False,
    figures: bool = True,
) -> Simulation:
    """The simulation of which these are the results."""
    return Simulation(
        system=setup.system.id,
        teams=setup.teams,
        tactics=tactics,
        seed=seed,
        asked=asked,
        fights=counts.fights,
        counts=dict(zip(setup.endings, counts.endings, strict=True)),
        rounds=counts.rounds,
        figures=_figures(setup, counts) if figures else {},
        compiled=native,
        seconds=seconds,
        interrupted=interrupted,
        setup=setup,
        chances=_chances(setup, counts) if figures else frozenset(),
    )


def _workers(workers: int | None, native: bool) -> int:
    if not native or not has_threads():
        return 1  # interpreted rules hold Python's global lock: more threads would only wait
    return (
        workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or os.cpu_count() or 1
    )


def _figures(setup: Setup[Any], counts: Counts) -> dict[str, dict[str, Rate]]:
    rows = zip(setup.names, counts.sums, counts.squares, strict=True)
    return {who: means(setup.system, sums, squares, counts.fights) for who, sums, squares in rows}


def _chances(setup: Setup[Any], counts: Counts) -> frozenset[str]:
    """The figures that were 0 or 1 in every fight, for every fighter: only their squares add up to the same sum."""
    columns = zip(
        setup.system.figure_names, zip(*counts.sums, strict=True), zip(*counts.squares, strict=True), strict=True
    )
    return frozenset(
        name for name, sums, squares in columns if sums == squares and setup.system.parts.get(name, 1) == 1
    )


def _run(
    part: Part,
    fights: int,
    workers: int,
    native: bool,
    progress: Progress | None,
    until: float | None,
    elsewhere: Executor | None = None,
) -> tuple[Counts, bool]:
    """Hand out parts until all are done or time is up; an interruption ends it with the counts so far."""
    counts = part(0, 0)
    chunks = _chunks(fights, workers, native, largest_chunk(fights) if elsewhere else LARGEST)
    pool = elsewhere or (ThreadPoolExecutor(workers) if has_threads() else _Here())
    running: set[Future[Counts]] = set()
    interrupted = False
    try:
        for first, count in chunks:
            if until is not None and counts.fights and time.perf_counter() >= until:
                break
            running.add(pool.submit(part, first, count))
            if len(running) >= (2 * workers if native else 1):
                running = _collect(running, counts, fights, progress)
        while running:
            running = _collect(running, counts, fights, progress)
    except KeyboardInterrupt:
        interrupted = True
        for future in running:
            if not future.cancel():
                counts.add(future.result())
    finally:
        if elsewhere is None:
            pool.shutdown(cancel_futures=True)
    return counts, interrupted


class _Here(Executor):
    """Does at once what is handed to it."""

    def submit(self, do: Callable[..., Counts], /, *args: Any, **named: Any) -> Future[Counts]:  # type: ignore[override]
        done: Future[Counts] = Future()
        done.set_result(do(*args, **named))
        return done


def _collect(
    running: set[Future[Counts]], counts: Counts, fights: int, progress: Progress | None
) -> set[Future[Counts]]:
    done, rest = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        counts.add(future.result())
    if progress:
        progress(counts.fights, fights)
    return rest


def _chunks(fights: int, workers: int, native: bool, largest: int) -> Iterator[tuple[int, int]]:
    """Parts small enough to show progress and to stop at, large enough to be worth handing out."""
    size = max(2_000, min(largest, fights // (8 * workers))) if native else 1
    first = 0
    while first < fights:
        begun = time.perf_counter()
        yield first, min(size, fights - first)
        first += size
        if not native and time.perf_counter() - begun < A_MOMENT:
            size *= 2


def final_states(
    system: str | System[Any, Any] | Setup[Any],
    teams: Teams | str = "",
    *,
    seed: int,
    numbers: Sequence[int],
    tactics: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    compiled: bool = True,
) -> list[bytes]:
    """The bytes of the final records of numbered fights, by native code or interpreted rules."""
    setup = Setup.of(system, teams, options)
    codes = numbered(setup.system, usual_tactics(setup, tactics))
    if compiled:
        loop = NativeLoop(setup, codes, seed, figures=True)
        tally = loop.tally()
        ended = []
        for number in numbers:
            loop.fight(tally, number, 1)
            ended.append(records.pack(records.unpack_slots(setup.system.state, len(codes), bytes(tally.last.data))))
        return ended
    return [records.pack(fought(setup, codes, seed, number)) for number in numbers]
