"""Comparisons: variants of a fight on the same dice, with intervals of their differences that hold all together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from affray.errors import Invalid
from affray.lab.design.certainty import Pair, Sums, check_certainty, deviations, looks
from affray.lab.design.matches import Match
from affray.lab.design.measures import Measure
from affray.lab.design.sampling import SEATS, Crew, Seats, counted
from affray.lab.figures import Rate
from affray.lab.progress import Progress
from affray.lab.results import frame

FIGHTS = 100_000  # of each variant in each seat, at most
MOST_VARIANTS = 64
SAME = 0.01  # the width of an interval around 0 from which on two chances are as good as equal
CHANCE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)
"""The bounds of a chance, and of the difference of two."""


@dataclass(frozen=True)
class Difference:
    """How much more of a measure one variant has than another, in one setting."""

    setting: str
    one: str
    other: str
    measure: Measure
    by: Rate
    narrower: float | None = None
    """How many times narrower the interval is than that of independent runs; None if it was counted."""

    @property
    def better(self) -> str:
        """The variant that surely has more; empty if that is open, or if both have the same."""
        return self.one if self.by.low > 0 else self.other if self.by.high < 0 else ""


@dataclass(frozen=True)
class Comparison:
    """Variants compared in one or more settings; all intervals hold together with the certainty."""

    variants: tuple[str, ...]
    settings: tuple[str, ...]
    measures: tuple[Measure, ...]
    means: Mapping[tuple[str, str, str], Rate]
    """By setting, variant and measure."""
    differences: tuple[Difference, ...]
    exact: Mapping[str, bool]
    """Whether the odds of a setting were counted."""
    fights: Mapping[str, int]
    """How many fights of each variant a setting has had in each seat."""
    first_seat: Mapping[str, Rate]
    """How much more often the first seat won than the last, over all variants of a setting that was sampled."""
    certainty: float
    seats: Seats
    seed: int
    interrupted: bool = False
    matches: Mapping[tuple[str, str], Match] = field(default_factory=dict, repr=False)

    def between(self, one: str, other: str, measure: Measure) -> list[Difference]:
        """The differences of two variants, setting by setting."""
        of = (one, other)
        return [each for each in self.differences if each.measure == measure and (each.one, each.other) == of]

    def spread(self, one: str, other: str, measure: Measure) -> tuple[Difference, Difference]:
        """The settings in which a variant has least and most more than another."""
        own = sorted(self.between(one, other, measure), key=lambda each: each.by.value)
        return own[0], own[-1]

    def average(self, one: str, other: str, measure: Measure) -> Rate:
        """How much more of a measure a variant has than another on average over all settings, each of like weight.

        The intervals of the settings hold together, so the mean of their bounds holds too.
        """
        own = [each.by for each in self.between(one, other, measure)]
        return Rate(*(sum(part) / len(own) for part in zip(*own, strict=True)))

    def dominated(self, measure: Measure) -> dict[str, list[str]]:
        """Variants with others that surely have more of a measure somewhere, and surely less nowhere."""
        found: dict[str, list[str]] = {}
        for one, other in combinations(self.variants, 2):
            ahead = {each.better for each in self.between(one, other, measure)} - {""}
            if len(ahead) == 1:
                (better,) = ahead
                found.setdefault(other if better == one else one, []).append(better)
        return found

    def as_table(self) -> dict[str, Any]:
        """The comparison as plain JSON values."""
        return {
            "variants": list(self.variants),
            "settings": {
                name: {"exact": self.exact[name], "fights": self.fights[name]}
                | ({"first_seat": self.first_seat[name]._asdict()} if name in self.first_seat else {})
                for name in self.settings
            },
            "measures": [measure.text for measure in self.measures],
            "means": list(_rows(self.columns())),
            "differences": [
                {
                    "setting": each.setting,
                    "measure": each.measure.text,
                    "one": each.one,
                    "other": each.other,
                    **each.by._asdict(),
                    "narrower": each.narrower if each.narrower != float("inf") else None,
                    "better": each.better,
                }
                for each in self.differences
            ],
            "averages": [
                {"measure": measure.text, "one": one, "other": other, **self.average(one, other, measure)._asdict()}
                for measure in self.measures
                for one, other in dict.fromkeys((each.one, each.other) for each in self.differences)
            ],
            "dominated": {measure.text: self.dominated(measure) for measure in self.measures},
            "certainty": self.certainty,
            "seats": self.seats,
            "seed": self.seed,
            "interrupted": self.interrupted,
        }

    def columns(self) -> dict[str, Sequence[object]]:
        """The mean of every measure of every variant in every setting, column by column."""
        keys = list(self.means)
        named = {name: [key[place] for key in keys] for place, name in enumerate(("setting", "variant", "measure"))}
        return {**named, **{part: [getattr(self.means[key], part) for key in keys] for part in Rate._fields}}

    def as_frame(self, library: str | None = None) -> Any:
        """The means as a data frame of `pandas` or `polars`."""
        return frame(self.columns(), library)

    def svg(self) -> str:
        """The means of the first measure as a picture; notebooks show it by themselves."""
        from affray.lab.design.charts import ranges

        measure = self.measures[0]
        rows = {
            (f"{variant}, {setting}" if setting else variant): self.means[setting, variant, measure.text]
            for setting in self.settings
            for variant in self.variants
        }
        return ranges(f"{measure.text}, {len(self.variants)} variants", rows, measure.shown)

    _repr_svg_ = svg


def _rows(columns: Mapping[str, Sequence[object]]) -> Iterator[dict[str, object]]:
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def compare(
    settings: Mapping[str, Mapping[str, Match]],
    measures: Sequence[str] = (),
    *,
    fights: int = FIGHTS,
    width: float | None = None,
    certainty: float = 0.95,
    seats: Seats = "both",
    seed: int = 0,
    exact: bool = True,
    pool: Executor | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare variants (matches by name) in every setting, by default by how often the first team wins.

    Fight n of every variant has the same dice, and with `seats="both"` is fought in both orders of the teams. Where all
    odds can be counted they are, unless `exact` is False. Otherwise the results are looked at after 1,000 fights, 2,000
    and so on, until every difference in a setting is decided or surely smaller than half a percent; with a `width`
    until every interval is that narrow; and at most until `fights` have been fought. The intervals hold for all
    differences together and at any look, with the `certainty`.
    """
    names = _check(settings, fights, width, certainty, seats)
    some = next(iter(next(iter(settings.values())).values())).setup
    read = tuple(Measure.read(text, some) for text in measures or some.team_names[:1])
    together = len(settings) * len(read) * max(1, len(names) * (len(names) - 1) // 2)
    found = Comparison(
        names, tuple(settings), read, {}, (), {}, {}, {}, certainty, seats, seed,
        matches={(setting, name): match for setting, own in settings.items() for name, match in own.items()},
    )  # fmt: skip
    most = len(settings) * len(names) * fights * (2 if seats == "both" else 1)
    done = 0

    def heard(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress(done, most)

    with Crew(read, seats, seed, pool) as crew:
        for setting, own in settings.items():
            try:
                studied = _Studied(setting, own, read, certainty, together)
                exact = exact and studied.count(seats)  # where one cannot be counted, the others hardly can
                if not exact:
                    studied.sample(crew, fights, width, heard)
            except KeyboardInterrupt:
                studied.interrupted = True
            if studied.fights or studied.exact:
                found = studied.added_to(found)
            if studied.interrupted:
                return replace(found, settings=tuple(found.exact), interrupted=True)
    return found


def _check(
    settings: Mapping[str, Mapping[str, Match]], fights: int, width: float | None, certainty: float, seats: Seats
) -> tuple[str, ...]:
    check_certainty(certainty)
    if seats not in SEATS:
        raise Invalid(f"the seats must be {' or '.join(SEATS)}, not {seats!r}", given=seats, allowed=SEATS)
    if not 1 <= fights <= 10**9:
        raise Invalid(f"the number of fights must be 1 to {10**9:,}, not {fights!r}", given=fights)
    if width is not None and not width > 0:
        raise Invalid(f"the width must be more than 0, not {width}", given=width)
    names = tuple(next(iter(settings.values()), ()))
    if not 1 <= len(names) <= MOST_VARIANTS or any(tuple(own) != names for own in settings.values()):
        raise Invalid(f"the number of variants must be 1 to {MOST_VARIANTS}, the same in all settings")
    return names


class _Studied:
    """What is known of the variants in one setting."""

    def __init__(
        self,
        setting: str,
        matches: Mapping[str, Match],
        measures: Sequence[Measure],
        certainty: float,
        together: int,
    ) -> None:
        self.setting, self.matches, self.measures, self.certainty = setting, matches, measures, certainty
        self.together, self.interrupted, self.exact, self.fights = together, False, False, 0
        self.alone = {(name, place): Sums() for name in matches for place in range(len(measures))}
        self.pairs = {(*two, place): Pair() for two in combinations(matches, 2) for place in range(len(measures))}
        self.first_seat = Sums()
        self.z = 0.0
        self.values: dict[str, tuple[float, ...]] = {}

    def count(self, seats: Seats) -> bool:
        """Count the odds of all variants, if that is possible."""
        for name, match in self.matches.items():
            found = counted(match, self.measures, seats)
            if found is None:
                return False
            self.values[name] = found
        self.exact = True
        return True

    def sample(self, crew: Crew, fights: int, width: float | None, heard: Callable[[int], None]) -> None:
        """Fight until all differences are decided or narrow enough, or all fights are fought."""
        for look, done, upto in looks(fights):
            seen = crew.fight(self.matches, done, upto, heard)
            for (name, place), sums in self.alone.items():
                sums.add(seen[name].columns[place])
            for (one, other, place), pair in self.pairs.items():
                pair.add(seen[one].columns[place], seen[other].columns[place])
            # All variants have the same dice, so only the mean of a fight over them counts as one observation.
            seated = zip(*(each.first_seat for each in seen.values()), strict=True)
            self.first_seat.add([sum(row) / len(row) for row in seated])
            self.fights, self.z = upto, deviations(self.certainty, self.together, look)
            differences = self.differences()
            if differences and all(_settled(each, width) for each in differences):
                return

    def differences(self) -> list[Difference]:
        """Every two variants, by every measure."""
        found = []
        for one, other, place in self.pairs:
            measure = self.measures[place]
            if self.exact:
                by = self.values[one][place] - self.values[other][place]
                found.append(Difference(self.setting, one, other, measure, Rate(by, by, by)))
                continue
            pair = self.pairs[one, other, place]
            by_samples = pair.difference.interval(self.z, DIFFERENCE if measure.is_chance else None)
            found.append(Difference(self.setting, one, other, measure, by_samples, pair.narrower))
        return found

    def added_to(self, found: Comparison) -> Comparison:
        """The comparison with this setting."""
        usual = deviations(self.certainty)
        means = {}
        for (name, place), sums in self.alone.items():
            measure = self.measures[place]
            value = self.values.get(name, (0.0,) * len(self.measures))[place]
            exact = Rate(value, value, value)
            sampled = sums.interval(usual, CHANCE if measure.is_chance else None)
            means[self.setting, name, measure.text] = exact if self.exact else sampled
        swapped = self.first_seat.count
        return replace(
            found,
            means={**found.means, **means},
            differences=(*found.differences, *self.differences()),
            exact={**found.exact, self.setting: self.exact},
            fights={**found.fights, self.setting: self.fights},
            first_seat={**found.first_seat}
            | ({self.setting: self.first_seat.interval(usual, DIFFERENCE)} if swapped else {}),
        )


def _settled(each: Difference, width: float | None) -> bool:
    wide = each.by.high - each.by.low
    if width is not None:
        return wide <= width
    return bool(each.better) or (each.measure.is_chance and wide <= SAME)
