"""The picture of a fight to share, with the course of its chances from the luck audit."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from affray.errors import Refused
from affray.fight import Fight
from affray.fight.sharing import Course, Picture, Step, shared
from affray.lab.luck import luck_table


def picture(fight: Fight, *, called: Mapping[str, str] | None = None, dark: bool = False) -> Picture:
    """The picture of a fight that is over: the winners' chances, or how all stood where those cannot be told."""
    course = None
    if fight.over and not fight.concluded:
        with suppress(Refused):  # a fight that is too large to be measured
            luck = luck_table(fight, fight.ending if fight.ending in fight.teams else None)
            course = Course(luck["team"], [Step(*(step[name] for name in Step._fields)) for step in luck["steps"]])
    return shared(fight, course, called=called, dark=dark)


def picture_table(fight: Fight, called: Mapping[str, str], dark: bool) -> dict[str, Any]:
    """The same as plain JSON values."""
    return picture(fight, called=called, dark=dark)._asdict()
