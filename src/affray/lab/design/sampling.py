"""Samples of matches on common random numbers: fight number n of every variant has the same dice, in both seats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from affray.kernel.chance import Seeded
from affray.lab import has_threads
from affray.lab.design.matches import Match
from affray.lab.design.measures import Measure
from affray.lab.fighting import part_of
from affray.lab.odds import TooManyStates, odds
from affray.lab.results import Column, Results

CHUNK = 20_000  # fights that are fought in one go: what is interrupted waits for no more
COUNTING_SECONDS = 2.0  # for the states of one match; one that takes longer is sampled

Seats = Literal["both", "given"]
SEATS: tuple[Seats, ...] = ("both", "given")


Part = tuple[str, int]
"""Some fights of a match: its name, and the number of the first of them."""


@dataclass(frozen=True)
class Seen:
    """What some fights of a match were like: a column for every measure."""

    columns: tuple[Column, ...]
    first_seat: Column
    """For each fight, how often the team in the first seat won less how often the last did; empty without a swap."""


def fight(match: Match, measures: Sequence[Measure], seats: Seats, seed: int, first: int, count: int) -> Seen:
    """Fight some numbers of a match; with both seats every number twice, and each measure is the mean of the two."""
    given = _fought(match, 0, seed, first, count)
    if seats == "given":
        return Seen(tuple(measure.of(given) for measure in measures), ())
    swapped = _fought(match, 1, seed, first, count)
    columns = (
        [(a + b) / 2 for a, b in zip(measure.of(given), measure.of(swapped), strict=True)] for measure in measures
    )
    return Seen(tuple(columns), _first_seat(given, swapped))


def _fought(match: Match, seat: int, seed: int, first: int, count: int) -> Results:
    setup = match.swapped if seat else match.setup
    part, _ = part_of(setup, match.codes[seat], Seeded(seed).seed, each=True)
    return Results.of(setup, match.chosen, seed, part(first, count).each)


def _first_seat(given: Results, swapped: Results) -> Column:
    """By the endings, whose first numbers are those of the teams: 1 if the first seat won, -1 if the last did."""
    last = len(given.setup.teams) - 1
    worth = {0: 0.5, last: -0.5}
    return [worth.get(a, 0.0) + worth.get(b, 0.0) for a, b in zip(given.endings, swapped.endings, strict=True)]


def counted(match: Match, measures: Sequence[Measure], seats: Seats) -> tuple[float, ...] | None:
    """The exact means of measures, if all of them are chances and the states of the match can be counted."""
    if not all(measure.is_chance for measure in measures):
        return None
    setups = (match.setup, match.swapped) if seats == "both" else (match.setup,)
    try:
        found = [odds(setup, tactics=match.tactics, seconds=COUNTING_SECONDS).chances for setup in setups]
    except TooManyStates:
        return None
    return tuple(sum(float(measure.exact(chances)) for chances in found) / len(found) for measure in measures)


@dataclass
class Crew:
    """Fights several matches at once, on all cores or wherever its pool works."""

    measures: Sequence[Measure]
    seats: Seats
    seed: int
    pool: Executor | None = None
    _own: Executor | None = field(default=None, repr=False)

    def __enter__(self) -> Crew:
        if self.pool is None and has_threads():
            self._own = ThreadPoolExecutor(os.cpu_count())
        return self

    def __exit__(self, *ended: object) -> None:
        if self._own is not None:
            self._own.shutdown(cancel_futures=True)

    def fight(
        self, matches: Mapping[str, Match], first: int, upto: int, heard: Callable[[int], None] = lambda done: None
    ) -> dict[str, Seen]:
        """Fight the same numbers of every match; `heard` is told of fights as they are done."""
        parts = {
            (name, at): (match, self.measures, self.seats, self.seed, at, min(CHUNK, upto - at))
            for name, match in matches.items()
            for at in range(first, upto, CHUNK)
        }
        found: dict[tuple[str, int], Seen] = {}
        for part, seen in self._fought(parts):
            found[part] = seen
            heard(parts[part][-1] * (len(SEATS) if self.seats == "both" else 1))
        return {name: _joined([found[name, at] for at in range(first, upto, CHUNK)]) for name in matches}

    def _fought(self, parts: Mapping[Part, tuple[Any, ...]]) -> Iterator[tuple[Part, Seen]]:
        """Every part with what was seen of it, in the order in which they are done."""
        pool = self.pool or self._own
        if pool is None:
            yield from ((part, fight(*given)) for part, given in parts.items())
            return
        running = {pool.submit(fight, *given): part for part, given in parts.items()}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            for future in running:
                future.cancel()


def _joined(parts: Sequence[Seen]) -> Seen:
    """Fights that follow one another, as if they had been fought in one."""
    columns = zip(*(part.columns for part in parts), strict=True)
    return Seen(tuple([*chain(*column)] for column in columns), [*chain(*(part.first_seat for part in parts))])
