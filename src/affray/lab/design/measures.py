"""Measures: what variants of a fight are judged by, such as how often a team wins, or how long a fight lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, unknown

if TYPE_CHECKING:
    from affray.lab.results import Column, Results
    from affray.system.setup import Setup

ROUNDS = "rounds"


@dataclass(frozen=True)
class Measure:
    """A number that every single fight has; its mean is what counts."""

    text: str
    """As it is typed: an ending such as `heroes` or `draw`, `rounds`, or `heroes:damage dealt`, `knight:net`."""
    ending: str = ""
    who: tuple[str, ...] = ()
    name: str = ""

    @staticmethod
    def read(text: str, setup: Setup[Any]) -> Measure:
        """The measure that a text means in fights of a set-up."""
        if text in setup.endings:
            return Measure(text, ending=text)
        if text == ROUNDS:
            return Measure(text)
        who, colon, name = text.partition(":")
        if not colon:
            raise Invalid(unknown("measure", text, _known(setup)), given=text, allowed=_known(setup))
        if who not in setup.teams and who not in setup.names:
            known = (*setup.teams, *setup.names)
            raise Invalid(unknown("fighter or team", who, known), given=text, allowed=known)
        names = (*setup.system.figure_names, *(cost.name for cost in setup.system.costs))
        if name not in names:
            raise Invalid(unknown("figure", name, names), given=text, allowed=names)
        return Measure(text, who=tuple(setup.teams.get(who, (who,))), name=name)

    @property
    def is_chance(self) -> bool:
        """Whether it is the chance of an ending."""
        return bool(self.ending)

    def of(self, results: Results) -> Column:
        """Its value in each fight; that of a team is the sum over its members."""
        if self.ending:
            return results.ended(self.ending)
        if not self.who:
            return results.rounds
        figures = results.setup.system.figure_names
        columns = [
            results.figure(who, self.name) if self.name in figures else results.cost(who, self.name) for who in self.who
        ]
        return columns[0] if len(columns) == 1 else [sum(row) for row in zip(*columns, strict=True)]

    def exact(self, chances: Mapping[str, Fraction | float]) -> Fraction | float:
        """Its value from the chance of every ending; only for chances."""
        return chances[self.ending]

    def shown(self, value: float, signed: bool = False) -> str:
        """A value in words: chances as percentages."""
        sign = "+" if signed else ""
        return f"{100 * value:{sign}.2f}%" if self.is_chance else f"{value:{sign}.3f}"


def _known(setup: Setup[Any]) -> Sequence[str]:
    first = setup.names[0]
    more = (*setup.system.figure_names, *(cost.name for cost in setup.system.costs))
    return (*setup.endings, ROUNDS, *dict.fromkeys(f"{first}:{name}" for name in more))
