"""Numbered fights: fought by native code or by interpreted rules, added up, and each on its own if that is wanted."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from affray.errors import MissingExtra
from affray.kernel import records
from affray.kernel.chance import WHIM, Seeded
from affray.kernel.playing import player_out
from affray.kernel.rows import Rows
from affray.kernel.rules import Log
from affray.lab.programs import program
from affray.system.setup import Setup

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
    each: list[tuple[int, bytes]] = field(default_factory=list)
    """What became of each fight, if that was wanted: rows of 64-bit numbers, with the number of the first fight."""

    def add(self, other: Counts) -> None:
        """Add the counts of another part."""
        self.fights += other.fights
        self.endings = [a + b for a, b in zip(self.endings, other.endings, strict=True)]
        for lasted, count in other.rounds.items():
            self.rounds[lasted] = self.rounds.get(lasted, 0) + count
        self.sums = _added(self.sums, other.sums)
        self.squares = _added(self.squares, other.squares)
        self.each += other.each


def _added(one: list[list[NumberT]], other: list[list[NumberT]]) -> list[list[NumberT]]:
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


Part = Callable[[int, int], Counts]


def part_of(
    setup: Setup[Any],
    tactics: tuple[int, ...],
    seed: int,
    *,
    figures: bool = True,
    each: bool = False,
    compiled: bool | None = None,
) -> tuple[Part, bool]:
    """The function that fights numbers `first` to `first + count - 1`, and whether it is native.

    With `each` it keeps what became of every single fight.
    """
    if compiled is not False:
        try:
            return _native_part(setup, tactics, seed, figures or each, each), True
        except MissingExtra:
            if compiled:
                raise
    return _interpreted_part(setup, tactics, seed, each), False


def _native_part(setup: Setup[Any], tactics: tuple[int, ...], seed: int, figures: bool, each: bool) -> Part:
    loop = NativeLoop(setup, tactics, seed, figures)

    def part(first: int, count: int) -> Counts:
        tally = loop.tally(count if each else 0)
        loop.fight(tally, first, count)
        return tally.counts(first, count)

    return part


class NativeLoop:
    """The compiled loop over numbered fights."""

    def __init__(self, setup: Setup[Any], tactics: tuple[int, ...], seed: int, figures: bool) -> None:
        self._setup, self._seed, self._figures = setup, seed, figures
        self._program = program(setup.system, len(tactics))
        self._tactics = Rows.of("q", tactics)
        self._start = Rows.records(records.pack_slots(setup.seated()))

    def tally(self, each: int = 0) -> _NativeTally:
        """The tally that the loop writes to, with room for `each` fight on its own; every thread needs its own."""
        shape = len(self._setup.names), len(self._setup.system.figure_names)
        return _NativeTally(len(self._start.data), shape, len(self._setup.endings), self._figures, each)

    def fight(self, to: _NativeTally, first: int, count: int) -> None:
        """Fight `count` numbered fights, and add their results to the tally."""
        driver = "simulate_figures" if self._figures else "simulate"
        self._program.run(driver, self._start, self._tactics, self._seed, first, count, *to.arrays)


class _NativeTally:
    """The arrays in which compiled fights add up their results."""

    def __init__(self, record: int, shape: tuple[int, int], endings: int, figures: bool, each: int) -> None:
        self._endings, self._rounds = Rows("q", endings), Rows("q", LONGEST)
        self._sums, self._squares = Rows("q", *shape), Rows("d", *shape)  # squares may overflow 64 bits
        self.last = Rows.records(bytes(record))
        """The final record of the last fight."""
        counted = (self._endings, self._rounds, self.last)
        self._keeps, self._each = bool(each), Rows("q", max(1, each), 2 + shape[0] * shape[1])
        self.arrays = (*counted, self._sums, self._squares, self._each) if figures else counted

    def counts(self, first: int, fights: int) -> Counts:
        """The results of a number of fights, from one number on."""
        rounds = {lasted: count for lasted, count in enumerate(self._rounds.tolist()) if count}
        each = [(first, bytes(self._each.data))] if self._keeps and fights else []
        return Counts(fights, self._endings.tolist(), rounds, self._sums.tolist(), self._squares.tolist(), each)


def _interpreted_part(setup: Setup[Any], tactics: tuple[int, ...], seed: int, each: bool) -> Part:
    shape = len(tactics), len(setup.system.figure_names)

    def part(first: int, count: int) -> Counts:
        none = [[0.0] * shape[1] for _ in range(shape[0])]
        counts = Counts(0, [0] * len(setup.endings), {}, _zeros(*shape), none)
        for number in range(first, first + count):
            log = Log(_zeros(*shape))
            fight = fought(setup, tactics, seed, number, log)
            endings = [0] * len(setup.endings)
            endings[fight.ending] = 1
            squares = [[float(value * value) for value in row] for row in log.figures]
            lasted = min(fight.round, LONGEST - 1)
            row = array("q", [fight.ending, fight.round, *(value for row in log.figures for value in row)])
            kept = [(number, row.tobytes())] if each else []
            counts.add(Counts(1, endings, {lasted: 1}, log.figures, squares, kept))
        return counts

    return part


def fought(setup: Setup[Any], tactics: tuple[int, ...], seed: int, number: int, log: Log | None = None) -> Any:
    """The final state of a numbered fight, by interpreted rules."""
    dice, whim = Seeded(seed, number), Seeded(seed, number, WHIM)
    state = setup.opened(dice)
    player_out(setup.system)(state, tactics, dice, whim, log)
    return state


def _zeros(rows: int, columns: int) -> list[list[int]]:
    return [[0] * columns for _ in range(rows)]
