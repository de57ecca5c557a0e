"""What tuning has found: the candidates that meet the targets, those that may, and the trade-offs between targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affray.lab.design.matches import Match, Settings, label
from affray.lab.design.sampling import Seats
from affray.lab.design.targets import Target, Verdict
from affray.lab.figures import Rate
from affray.lab.results import frame


@dataclass(frozen=True)
class Candidate:
    """Settings of the knobs, what they cost, and what came of them."""

    settings: Settings
    cost: float
    """How large the change is: for every knob its share of the range, times its price."""
    means: tuple[Rate, ...]
    """By target; the intervals of all candidates hold together."""
    verdicts: tuple[Verdict, ...]
    exact: bool
    fights: int
    match: Match = field(repr=False)

    @property
    def verdict(self) -> Verdict:
        """Whether all targets are surely met, or one is surely missed."""
        if "missed" in self.verdicts:
            return "missed"
        return "met" if set(self.verdicts) == {"met"} else "open"

    def __str__(self) -> str:
        return label(self.settings)


@dataclass(frozen=True)
class Tuned:
    """What was found: candidates that meet the targets, cheapest first, or those that come nearest."""

    targets: tuple[Target, ...]
    candidates: tuple[Candidate, ...]
    """All that were tried."""
    of: int
    """How many combinations there are."""
    certainty: float
    seats: Seats
    seed: int
    interrupted: bool = False

    @property
    def met(self) -> list[Candidate]:
        """Those that surely meet all targets, the smallest change first."""
        return sorted((each for each in self.candidates if each.verdict == "met"), key=_by_cost)

    @property
    def open(self) -> list[Candidate]:
        """Those that may meet all targets, the smallest change first."""
        return sorted((each for each in self.candidates if each.verdict == "open"), key=_by_cost)

    @property
    def best(self) -> Candidate | None:
        """The smallest change that surely meets all targets."""
        return next(iter(self.met), None)

    @property
    def impossible(self) -> bool:
        """Whether every combination was tried and surely misses a target."""
        tried_all = len(self.candidates) == self.of and not self.interrupted
        return tried_all and all(each.verdict == "missed" for each in self.candidates)

    @property
    def pareto(self) -> list[Candidate]:
        """The trade-offs: candidates for which no other comes nearer to one target without missing another by more."""
        misses = {id(each): self._misses(each) for each in self.candidates}
        kept: list[Candidate] = []
        for each in sorted(self.candidates, key=lambda c: (sum(misses[id(c)]), c.cost)):
            own = misses[id(each)]
            if not any(all(a <= b for a, b in zip(misses[id(other)], own, strict=True)) for other in kept):
                kept.append(each)
        return kept

    def _misses(self, each: Candidate) -> tuple[float, ...]:
        pairs = zip(self.targets, each.means, strict=True)
        return tuple(round(target.miss(rate.value), 12) for target, rate in pairs)

    def columns(self) -> dict[str, Sequence[object]]:
        """Every candidate, column by column."""
        knobs = list(self.candidates[0].settings) if self.candidates else []
        found: dict[str, Sequence[object]] = {knob: [each.settings[knob] for each in self.candidates] for knob in knobs}
        for place, target in enumerate(self.targets):
            for part in Rate._fields:
                name = target.measure.text if part == "value" else f"{target.measure.text} {part}"
                found[name] = [getattr(each.means[place], part) for each in self.candidates]
        found["cost"] = [each.cost for each in self.candidates]
        found["verdict"] = [each.verdict for each in self.candidates]
        return found

    def as_frame(self, library: str | None = None) -> Any:
        """The candidates as a data frame of `pandas` or `polars`."""
        return frame(self.columns(), library)

    def as_table(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        rows = {id(each): _row(each) for each in self.candidates}
        return {
            "targets": [str(target) for target in self.targets],
            "tried": len(self.candidates),
            "of": self.of,
            "impossible": self.impossible,
            "interrupted": self.interrupted,
            "certainty": self.certainty,
            "seats": self.seats,
            "seed": self.seed,
            "met": [rows[id(each)] for each in self.met],
            "open": [rows[id(each)] for each in self.open],
            "pareto": [rows[id(each)] for each in self.pareto],
        }

    def svg(self) -> str:
        """The first target's figure of the best candidates as a picture; notebooks show it by themselves."""
        from affray.lab.design.charts import ranges

        shown = (self.met or self.open or self.pareto)[:24]
        rows = {str(each): each.means[0] for each in shown}
        return ranges(f"Wanted: {self.targets[0]}", rows, self.targets[0].measure.shown)

    _repr_svg_ = svg


def _by_cost(each: Candidate) -> tuple[float, str]:
    return each.cost, str(each)


def _row(each: Candidate) -> dict[str, Any]:
    means = [rate._asdict() for rate in each.means]
    verdict = {"verdict": each.verdict, "exact": each.exact, "fights": each.fights}
    return {"settings": each.settings, "cost": each.cost, "means": means, **verdict}
