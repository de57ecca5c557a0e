"""Sensitivity: how much each number on a sheet and each option matters, ranked, on the same dice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from affray.errors import Invalid
from affray.lab.design.certainty import Pair, check_certainty, deviations
from affray.lab.design.compare import DIFFERENCE
from affray.lab.design.matches import OPTION, Knob, Match, checked
from affray.lab.design.measures import Measure
from affray.lab.design.sampling import SEATS, Crew, Seats, counted
from affray.lab.figures import Rate
from affray.lab.progress import Progress
from affray.lab.results import frame
from affray.system import gauging, undoing
from affray.system.schema import Flag, Whole, Word, as_text
from affray.system.specs import typed

FIGHTS = 4_000  # of every change, in each seat
STEP = 0.1  # the share of a number that it is changed by, or 1 if that is more
LIMIT = "max_"  # what the key of a limit begins with: the limit of `health` is `max_health`
CHART_ROWS = 20


@dataclass(frozen=True)
class Change:
    """One number, word or switch set a little differently."""

    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what} {self.before} to {self.after}"


@dataclass(frozen=True)
class Effect:
    """What a change does to a measure."""

    change: Change
    measure: Measure
    by: Rate


@dataclass(frozen=True)
class Sensitivity:
    """The effects of all changes; their intervals hold together."""

    measures: tuple[Measure, ...]
    effects: tuple[Effect, ...]
    exact: bool
    fights: int
    certainty: float
    seats: Seats
    seed: int
    left_out: int
    """Changes that the sheet does not allow on their own."""
    interrupted: bool = False

    def ranked(self, measure: Measure) -> list[Effect]:
        """The effects on a measure, the largest first."""
        own = [effect for effect in self.effects if effect.measure == measure]
        return sorted(own, key=lambda effect: -abs(effect.by.value))

    def columns(self) -> dict[str, Sequence[object]]:
        """Every effect, column by column."""
        rows = [effect for measure in self.measures for effect in self.ranked(measure)]
        return {
            "measure": [row.measure.text for row in rows],
            "what": [row.change.what for row in rows],
            "before": [row.change.before for row in rows],
            "after": [row.change.after for row in rows],
            **{part: [getattr(row.by, part) for row in rows] for part in Rate._fields},
        }

    def as_frame(self, library: str | None = None) -> Any:
        """The effects as a data frame of `pandas` or `polars`."""
        return frame(self.columns(), library)

    def as_table(self) -> dict[str, Any]:
        """The effects as plain JSON values."""
        columns = self.columns()
        about = {"exact": self.exact, "fights": self.fights, "certainty": self.certainty, "seats": self.seats}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {**about, "seed": self.seed, "interrupted": self.interrupted, "effects": rows}

    def svg(self) -> str:
        """The largest effects on the first measure as one chart; notebooks show it by themselves."""
        from affray.lab.design.charts import effects

        measure = self.measures[0]
        rows: dict[str, list[Rate]] = {}
        for effect in self.ranked(measure):
            rows.setdefault(effect.change.what, []).append(effect.by)
        top = dict(list(rows.items())[:CHART_ROWS])
        return effects(f"What matters for {measure.text}", top, lambda value: measure.shown(value, True))

    _repr_svg_ = svg


def sensitivity(
    match: Match,
    measures: Sequence[str] = (),
    *,
    fights: int = FIGHTS,
    certainty: float = 0.95,
    seats: Seats = "both",
    seed: int = 0,
    pool: Executor | None = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Change every number on every sheet by a tenth (at least 1) up and down, and every option, one at a time."""
    check_certainty(certainty)
    read = tuple(Measure.read(text, match.setup) for text in measures or match.setup.team_names[:1])
    tried, left_out = _changed(match)
    found: list[Effect] = []
    interrupted, exact = False, True
    try:
        with Crew(read, seats, seed, pool) as crew:
            if not _count(match, tried, read, seats, found):
                exact = False
                found.clear()
                z = deviations(certainty, max(1, len(tried) * len(read)))
                _sample(crew, match, tried, fights, z, found, progress)
    except KeyboardInterrupt:
        interrupted = True
    how = (exact, 0 if exact else fights, certainty, seats, seed, left_out, interrupted)
    return Sensitivity(read, tuple(found), *how)


def _count(
    match: Match, tried: Mapping[Change, Match], measures: Sequence[Measure], seats: Seats, found: list[Effect]
) -> bool:
    """Count all effects; whether that was possible."""
    base = counted(match, measures, seats)
    for change, variant in tried.items() if base else ():
        values = counted(variant, measures, seats)
        if base is None or values is None:
            return False
        for measure, value, before in zip(measures, values, base, strict=True):
            by = value - before
            found.append(Effect(change, measure, Rate(by, by, by)))
    return base is not None


def _sample(
    crew: Crew,
    match: Match,
    tried: Mapping[Change, Match],
    fights: int,
    z: float,
    found: list[Effect],
    progress: Progress | None,
) -> None:
    """Fight the same numbers with every change."""
    done, most = 0, (1 + len(tried)) * fights * (len(SEATS) if crew.seats == "both" else 1)

    def heard(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress(done, most)

    own = crew.fight({"": match}, 0, fights, heard)[""]
    for change, variant in tried.items():
        seen = crew.fight({"": variant}, 0, fights, heard)[""]
        for place, measure in enumerate(crew.measures):
            pair = Pair()
            pair.add(seen.columns[place], own.columns[place])
            by = pair.difference.interval(z, DIFFERENCE if measure.is_chance else None)
            found.append(Effect(change, measure, by))


def _changed(match: Match) -> tuple[dict[Change, Match], int]:
    """Every change that is allowed with its match, and how many are not allowed."""
    found: dict[Change, Match] = {}
    left_out = 0
    for what, before, after in (*_on_sheets(match), *_of_options(match)):
        try:
            found[Change(what, before, after)] = checked(Knob(what, (after,)).turned(match, after))
        except Invalid:
            left_out += 1
    return found, left_out


def _on_sheets(match: Match) -> Iterator[tuple[str, str, str]]:
    setup = match.setup
    for name, sheet in zip(setup.names, setup.sheets, strict=True):
        for part in dataclasses.fields(sheet):
            kind, value = part.metadata["kind"], getattr(sheet, part.name)
            if part.name.startswith(LIMIT):
                continue
            limit = f"{LIMIT}{part.name}+" if hasattr(sheet, LIMIT + part.name) else ""
            if isinstance(kind, Whole) and type(value) is int:
                for near in _near(kind, value):
                    yield f"{name}:{limit}{part.name}", str(value), str(near)
            elif isinstance(value, Mapping):
                for key, number in value.items():
                    if type(number) is int:
                        for near in (number - _step(number), number + _step(number)):
                            yield f"{name}:{part.name}", typed(value), typed({**value, key: near})


def _of_options(match: Match) -> Iterator[tuple[str, str, str]]:
    for option in match.setup.system.options:
        if option.name in (undoing.NAME, gauging.NAME):  # they change nothing about how fights end
            continue
        value = match.setup.options[option.name]
        near: Sequence[object] = ()
        match option.field:
            case Whole():
                near = _near(option.field, int(value))
            case Flag():
                near = (not value,)
            case Word(allowed=words):
                near = [word for word in words if word != value]
        for other in near:
            yield f"{OPTION}:{option.name}", as_text(value), as_text(other)  # type: ignore[arg-type]


def _step(number: int) -> int:
    return max(1, round(STEP * abs(number)))


def _near(kind: Whole, value: int) -> list[int]:
    return [near for near in (value - _step(value), value + _step(value)) if kind.low <= near <= kind.high]
