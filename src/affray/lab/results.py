"""Results of single fights: endings, rounds and figures as columns, in memory, as a frame, or as a file."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from affray.errors import Invalid, MissingExtra, unknown
from affray.kernel.chance import Seeded
from affray.lab.figures import Rate, mean
from affray.system.files import check_writable, write_whole
from affray.system.setup import Setup

MOST_ROOM = 2 << 30  # bytes for the results of all fights
FILES = (".csv", ".parquet")
FRAMES = ("pandas", "polars")

Column = Sequence[float]


def check_room(setup: Setup[Any], fights: int) -> None:
    """Refuse to keep the results of more fights than there is room for."""
    most = MOST_ROOM // (8 * _width(setup))
    if fights > most:
        raise Invalid(
            f"the results of single fights can be kept for 1 to {most:,} fights, not {fights:,}", given=fights
        )


def _width(setup: Setup[Any]) -> int:
    return 2 + len(setup.names) * len(setup.system.figure_names)


@dataclass(frozen=True, eq=False)
class Results:
    """What became of each fight of a simulation: one row for a fight, in the order of their numbers."""

    setup: Setup[Any] = field(repr=False)
    tactics: Mapping[str, str]
    seed: int
    numbers: array[int] = field(repr=False)
    """The number of each fight."""
    table: array[int] = field(repr=False)
    """The rows one after another: ending, rounds, and the figures of one fighter after another, in parts."""

    @staticmethod
    def of(setup: Setup[Any], tactics: Mapping[str, str], seed: int, each: Sequence[tuple[int, bytes]]) -> Results:
        """The results that parts of a simulation have kept."""
        numbers, table, row = array("q"), array("q"), 8 * _width(setup)
        for first, rows in sorted(each):
            table.frombytes(rows)
            numbers.extend(range(first, first + len(rows) // row))
        return Results(setup, tactics, seed, numbers, table)

    def __len__(self) -> int:
        return len(self.numbers)

    def _column(self, place: int) -> array[int]:
        return self.table[place :: _width(self.setup)]

    @cached_property
    def endings(self) -> array[int]:
        """How each fight ended, as a place in `setup.endings`."""
        return self._column(0)

    @cached_property
    def rounds(self) -> array[int]:
        """How long each fight lasted."""
        return self._column(1)

    def ended(self, ending: str) -> Column:
        """1 for each fight that ended this way, 0 for the others."""
        known = self.setup.endings
        if ending not in known:
            raise Invalid(unknown("ending", ending, known), given=ending, allowed=known)
        code = known.index(ending)
        return [int(each == code) for each in self.endings]

    def figure(self, who: str, name: str) -> Column:
        """A figure of a fighter in each fight."""
        names = self.setup.system.figure_names
        if name not in names:
            raise Invalid(unknown("figure", name, names), given=name, allowed=names)
        column = self._column(2 + self.setup.index(who) * len(names) + names.index(name))
        part = self.setup.system.parts.get(name, 1)
        return column if part == 1 else [value / part for value in column]

    def cost(self, who: str, name: str) -> Column:
        """What each fight cost a fighter, or brought it, by one of the system's costs."""
        costs = {cost.name: cost for cost in self.setup.system.costs}
        if name not in costs:
            raise Invalid(unknown("cost", name, costs), given=name, allowed=list(costs))
        index, of = self.setup.index(who), costs[name].of
        sheet, names = self.setup.sheets[index], self.setup.system.figure_names
        now = self.setup.figures(self.setup.view(self.setup.opened(Seeded(self.seed)), index))[who]
        rows = zip(*(self.figure(who, figure) for figure in names), strict=True)
        return [of(sheet, now, dict(zip(names, row, strict=True))) for row in rows]

    def mean(self, column: Column) -> Rate:
        """The mean of a column, with its interval."""
        return mean(sum(column), sum(value * value for value in column), len(column))

    def columns(self) -> dict[str, Sequence[object]]:
        """Every column by its name: the number of the fight, its ending and rounds, figures and costs by fighter."""
        known, system = self.setup.endings, self.setup.system
        found: dict[str, Sequence[object]] = {
            "fight": self.numbers,
            "ending": [known[code] for code in self.endings],
            "rounds": self.rounds,
        }
        extra = [cost.name for cost in system.costs if cost.name not in system.figure_names]
        for who in self.setup.names:
            found |= {f"{who}: {name}": self.figure(who, name) for name in system.figure_names}
            found |= {f"{who}: {name}": self.cost(who, name) for name in extra}
        return found

    def as_frame(self, library: str | None = None) -> Any:
        """The columns as a data frame of `pandas` or `polars`: the one named, or the one that is installed."""
        return frame(self.columns(), library)

    def write(self, path: str | Path) -> None:
        """Write a row for each fight into a .csv or .parquet file."""
        target = checked(path)
        columns = self.columns()
        if target.suffix.lower() == ".parquet":
            write_whole(target, _parquet(columns))
            return
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        write_whole(target, text.getvalue())


def frame(columns: Mapping[str, Sequence[object]], library: str | None = None) -> Any:
    """Columns as a data frame of `pandas` or `polars`: the one named, or the one that is installed."""
    if library is not None and library not in FRAMES:
        raise Invalid(unknown("library of frames", library, FRAMES), given=library, allowed=FRAMES)
    for name in (library,) if library else FRAMES:
        if find_spec(name) is not None:
            return import_module(name).DataFrame({key: list(column) for key, column in columns.items()})
    raise MissingExtra("a data frame", "frames")


def checked(path: str | Path) -> Path:
    """The file for results, checked before the fights: its kind is known, and it can be written."""
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in FILES:
        raise Invalid(f"{target} must end in {' or '.join(FILES)}, not {kind!r}", given=kind, allowed=FILES)
    if kind == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("writing Parquet files", "frames")
    check_writable(target)
    return target


def _parquet(columns: Mapping[str, Sequence[object]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({name: list(column) for name, column in columns.items()}), written)
    return written.getvalue()
