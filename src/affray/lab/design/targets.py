"""Targets: what a fight should be like, and whether it surely is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from affray.errors import Invalid
from affray.lab.design.measures import Measure

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.system.setup import Setup

NEAR_CHANCE, NEAR_MEAN = 0.02, 0.05  # how far a chance may be off, and the share by which a mean may be
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?%?"
_WANTED = re.compile(rf"(?P<one>{_NUMBER})(?:\.\.(?P<to>{_NUMBER})|(?:\+-|±)(?P<off>{_NUMBER}))?")
EXAMPLES = ("heroes=0.6", "heroes=0.55..0.65", "rounds=5+-0.5", "heroes>=0.5", "heroes:net>=0")

Verdict = Literal["met", "open", "missed"]


@dataclass(frozen=True)
class Target:
    """A measure, and the bounds that its mean should lie in."""

    measure: Measure
    low: float
    high: float

    @staticmethod
    def read(text: str, setup: Setup[Any]) -> Target:
        """The target that a text means: `heroes=0.6`, `heroes=55%..65%`, `rounds=5+-0.5`, `heroes:net>=0`."""
        what, sign, wanted = _split(text)
        measure = Measure.read(what, setup)
        match = _WANTED.fullmatch(wanted)
        if match is None or (sign != "=" and (match["to"] or match["off"])):
            raise Invalid(f"{text[:60]!r} is not of the form  {EXAMPLES[0]}", given=text, allowed=EXAMPLES)
        one = _number(match["one"])
        if sign == "=":
            usual = NEAR_CHANCE if measure.is_chance else abs(one) * NEAR_MEAN
            off = _number(match["off"]) if match["off"] else usual
            low, high = (one, _number(match["to"])) if match["to"] else (one - off, one + off)
        else:
            low, high = (one, float("inf")) if sign == ">=" else (float("-inf"), one)
        if low > high or (measure.is_chance and (high < 0 or low > 1 or not 0 <= one <= 1)):
            allowed = "a chance from 0 to 1" if measure.is_chance else "a range from the lower to the higher number"
            raise Invalid(f"{text[:60]!r}: the target must be {allowed}", given=text, allowed=(allowed,))
        return Target(measure, max(0.0, low), min(1.0, high)) if measure.is_chance else Target(measure, low, high)

    def verdict(self, rate: Rate) -> Verdict:
        """Whether a mean with its interval surely lies within the bounds, surely does not, or neither."""
        if self.low <= rate.low and rate.high <= self.high:
            return "met"
        return "missed" if rate.high < self.low or rate.low > self.high else "open"

    def miss(self, value: float) -> float:
        """How far a mean lies outside the bounds; 0 if it lies within."""
        return max(0.0, self.low - value, value - self.high)

    def __str__(self) -> str:
        shown = self.measure.shown
        if self.high == float("inf") or (self.measure.is_chance and self.high == 1):
            return f"{self.measure.text} at least {shown(self.low)}"
        if self.low == float("-inf") or (self.measure.is_chance and self.low == 0):
            return f"{self.measure.text} at most {shown(self.high)}"
        return f"{self.measure.text} {shown(self.low)} to {shown(self.high)}"


def _split(text: str) -> tuple[str, str, str]:
    for sign in (">=", "<=", "="):
        what, found, wanted = text.partition(sign)
        if found and what and wanted:
            return what.strip(), sign, wanted.strip()
    raise Invalid(f"{text[:60]!r} is not of the form  {EXAMPLES[0]}", given=text, allowed=EXAMPLES)


def _number(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)
