"""What others are not told while a fight runs: the numbers of veiled dice, and of foes who are seen in words."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from affray.kernel.rules import Kind, kinds_of
from affray.system import gauging
from affray.system.telling import FIGHTERS, without_numbers

if TYPE_CHECKING:
    from affray.fight.fight import Line
    from affray.system.contract import System
    from affray.system.setup import Setup

_ASIDE = re.compile(r" ?\([^()]*\d[^()]*\)")


def cut(setup: Setup[Any], line: Line, veiled: set[str]) -> Line:
    """A line as others are told of it; it keeps the whole sentence if that has more."""
    if veiled and any(setup.names[who] in veiled for who in _throwers(line)):
        return replace(line, text=without_numbers(setup, _ASIDE.sub("", line.text)), whole=line.text)
    if gauging.in_words(setup.options) and tells_amounts(setup.system, line.event.kind):
        return replace(line, text=without_numbers(setup, line.text), whole=line.text)
    return line


def _throwers(line: Line) -> set[int]:
    """The fighters for whom something fell before a line: those who were announced, or else the one it is about."""
    events = (*line.announced, line.event)
    if not any(event.fell for event in events):
        return set()
    announced = {event.who for event in line.announced if "who" in event.kind.fields}
    return announced or ({line.event.who} if "who" in line.event.kind.fields else set())


def tells_amounts(system: System[Any, Any], kind: Kind) -> bool:
    """Whether lines of a kind tell how much a fighter has lost or has left.

    A system marks such kinds. Of one that marks none, all lines about a fighter may tell it.
    """
    return kind.amounts or (not _marks_amounts(system) and any(name in kind.fields for name in FIGHTERS))


@cache
def _marks_amounts(system: System[Any, Any]) -> bool:
    return any(kind.amounts for kind in kinds_of(system.begin, system.apply))
