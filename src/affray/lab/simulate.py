"""Simulation: many numbered fights on all cores, with reliable intervals; each can be replayed with its story."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from affray.errors import Invalid, MissingExtra
from affray.fight import Fight
from affray.fight.drawing import chances_svg
from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.playing import player_out
from affray.kernel.rows import Rows
from affray.kernel.rules import Log
from affray.lab import has_threads
from affray.lab.figures import Rate, mean, rate
from affray.lab.programs import program
from affray.lab.weighing import means
from affray.players.tactics import numbered, play_on, usual_tactics
from affray.system.contract import System
from affray.system.setup import Setup, Teams

Progress = Callable[[int, int], None]
FIGHTS = 100_000  # by default
INTERPRETED_SECONDS = 10.0  # what those may take if the rules cannot be compiled
A_MOMENT = 0.2  # seconds of interpreted fights between two checks for progress and time
LONGEST = 1024  # rounds counted one by one; longer fights fall into the last bin


NumberT = TypeVar("NumberT", int, float)


@dataclass
class Counts:
    """The results of fights, added up."""

    fights: int
    endings: list[int]
    rounds: dict[int, int]
    sums: list[list[int]]
    squares: list[list[float]]

    def add(self, other: Counts) -> None:
        """Add the counts of another part."""
        self.fights += other.fights
        self.endings = [a + b for a, b in zip(self.endings, other.endings, strict=True)]
        for lasted, count in other.rounds.items():
            self.rounds[lasted] = self.rounds.get(lasted, 0) + count
        self.sums = _added(self.sums, other.sums)
        self.squares = _added(self.squares, other.squares)


def _added(one: list[list[NumberT]], other: list[list[NumberT]]) -> list[list[NumberT]]:
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


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
    compiled: bool | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Simulate `fights` numbered fights of a seed, in which every fighter follows its tactic.

    Fight number n is always the same, on however many cores. `figures=False` leaves out the figures of the fighters,
    which is a little faster. Without Numba (`compiled=None` falls back to interpreted rules, True insists on Numba) it
    takes long; `seconds` then limits how many of the fights are fought. By default these are 100,000 fights, or as many
    of them as interpreted rules fight in 10 seconds.
    """
    if fights is None:
        fights, seconds = FIGHTS, INTERPRETED_SECONDS if seconds is None else seconds
    if type(fights) is not int or not 1 <= fights <= 10**12:
        raise Invalid(f"the number of fights must be 1 to {10**12}, not {fights!r}", given=fights)
    if workers is not None and not 1 <= workers <= 1024:
        raise Invalid(f"the number of workers must be 1 to 1024, not {workers!r}", given=workers)
    setup = Setup.of(system, teams, options)
    chosen = usual_tactics(setup, tactics)
    part, native = _part(setup, numbered(setup.system, chosen), Seeded(seed).seed, figures, compiled)
    part(0, 0)  # compiles, if necessary; that does not count as time of the fights
    begun = time.perf_counter()
    until = begun + seconds if seconds is not None and not native else None
    counts, interrupted = _run(part, fights, _workers(workers, native), native, progress, until)
    lasted = time.perf_counter() - begun
    return summed_up(setup, chosen, seed, fights, counts, native, lasted, interrupted=interrupted, figures=figures)


def fight_part(setup: Setup[Any], tactics: Mapping[str, str], seed: int, first: int, count: int) -> tuple[Counts, bool]:
    """The results of some numbered fights of a simulation, and whether native code fought them."""
    part, native = _part(setup, numbered(setup.system, tactics), Seeded(seed).seed, True, None)
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


Part = Callable[[int, int], Counts]


def _run(
    part: Part, fights: int, workers: int, native: bool, progress: Progress | None, until: float | None
) -> tuple[Counts, bool]:
    """Hand out parts until all are done or time is up; an interruption ends it with the counts so far."""
    counts = part(0, 0)
    chunks = _chunks(fights, workers, native)
    pool = ThreadPoolExecutor(workers) if has_threads() else _Here()
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


def _chunks(fights: int, workers: int, native: bool) -> Iterator[tuple[int, int]]:
    """Parts small enough to show progress and to stop at, large enough to be worth handing out."""
    size = max(2_000, min(500_000, fights // (8 * workers))) if native else 1
    first = 0
    while first < fights:
        begun = time.perf_counter()
        yield first, min(size, fights - first)
        first += size
        if not native and time.perf_counter() - begun < A_MOMENT:
            size *= 2


def _part(
    setup: Setup[Any], tactics: tuple[int, ...], seed: int, figures: bool, compiled: bool | None
) -> tuple[Part, bool]:
    """The function that fights numbers `first` to `first + count - 1`, and whether it is native."""
    if compiled is not False:
        try:
            return _native_part(setup, tactics, seed, figures), True
        except MissingExtra:
            if compiled:
                raise
    return _interpreted_part(setup, tactics, seed), False


def _native_part(setup: Setup[Any], tactics: tuple[int, ...], seed: int, figures: bool) -> Part:
    loop = _NativeLoop(setup, tactics, seed, figures)

    def part(first: int, count: int) -> Counts:
        tally = loop.tally()
        loop.fight(tally, first, count)
        return tally.counts(count)

    return part


class _NativeLoop:
    """The compiled loop over numbered fights."""

    def __init__(self, setup: Setup[Any], tactics: tuple[int, ...], seed: int, figures: bool) -> None:
        self._setup, self._seed, self._figures = setup, seed, figures
        self._program = program(setup.system, len(tactics))
        self._tactics = Rows.of("q", tactics)
        self._start = Rows.records(records.pack_slots(setup.seated()))

    def tally(self) -> _NativeTally:
        """The tally that the loop writes to; every thread needs its own."""
        shape = len(self._setup.names), len(self._setup.system.figure_names)
        return _NativeTally(len(self._start.data), shape, len(self._setup.endings), self._figures)

    def fight(self, to: _NativeTally, first: int, count: int) -> None:
        """Fight `count` numbered fights, and add their results to the tally."""
        driver = "simulate_figures" if self._figures else "simulate"
        self._program.run(driver, self._start, self._tactics, self._seed, first, count, *to.arrays)


class _NativeTally:
    """The arrays in which compiled fights add up their results."""

    def __init__(self, record: int, shape: tuple[int, int], endings: int, figures: bool) -> None:
        self._endings, self._rounds = Rows("q", endings), Rows("q", LONGEST)
        self._sums, self._squares = Rows("q", *shape), Rows("d", *shape)  # squares may overflow 64 bits
        self.last = Rows.records(bytes(record))
        """The final record of the last fight."""
        counted = (self._endings, self._rounds, self.last)
        self.arrays = (*counted, self._sums, self._squares) if figures else counted

    def counts(self, fights: int) -> Counts:
        """The results of these fights."""
        rounds = {lasted: count for lasted, count in enumerate(self._rounds.tolist()) if count}
        return Counts(fights, self._endings.tolist(), rounds, self._sums.tolist(), self._squares.tolist())


def _interpreted_part(setup: Setup[Any], tactics: tuple[int, ...], seed: int) -> Part:
    shape = len(tactics), len(setup.system.figure_names)

    def part(first: int, count: int) -> Counts:
        none = [[0.0] * shape[1] for _ in range(shape[0])]
        counts = Counts(0, [0] * len(setup.endings), {}, _zeros(*shape), none)
        for number in range(first, first + count):
            log = Log(_zeros(*shape))
            fight = _fought(setup, tactics, seed, number, log)
            endings = [0] * len(setup.endings)
            endings[fight.ending] = 1
            squares = [[float(value * value) for value in row] for row in log.figures]
            lasted = min(fight.round, LONGEST - 1)
            counts.add(Counts(1, endings, {lasted: 1}, log.figures, squares))
        return counts

    return part


def _fought(setup: Setup[Any], tactics: tuple[int, ...], seed: int, number: int, log: Log | None = None) -> Any:
    """The final state of a numbered fight, by interpreted rules."""
    dice, whim = Seeded(seed, number), Seeded(seed, number, WHIM)
    state = setup.opened(dice)
    player_out(setup.system)(state, tactics, dice, whim, log)
    return state


def _zeros(rows: int, columns: int) -> list[list[int]]:
    return [[0] * columns for _ in range(rows)]


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
        loop = _NativeLoop(setup, codes, seed, figures=True)
        tally = loop.tally()
        ended = []
        for number in numbers:
            loop.fight(tally, number, 1)
            ended.append(records.pack(records.unpack_slots(setup.system.state, len(codes), bytes(tally.last.data))))
        return ended
    return [records.pack(_fought(setup, codes, seed, number)) for number in numbers]
