"""Verifies the log of a fight, or of a game around fights, and reports the result in a few lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from affray.errors import Invalid
from affray.fight import saving
from affray.fight.logfile import Verdict, stated
from affray.system.abilities import LogFormat
from affray.system.registry import find, names


@dataclass(frozen=True)
class Verified:
    """A log in which every line is right: what it records, and what was found."""

    of: str
    verdict: Verdict
    before: tuple[int, Verdict] | None = None
    """How many moves come from an earlier log, and what was found in that."""

    @property
    def text(self) -> list[str]:
        """What was found, line by line."""
        ending, undone = self.verdict.ending, self.verdict.undone
        lines = [self.verdict.sentence]
        if self.before:
            shared, earlier = self.before
            lines.append(f"The first {shared} are those of the earlier log, of which: {earlier.sentence}")
        if undone:
            lines.append(f"{undone} more {'was' if undone == 1 else 'were'} taken back.")
        if rolls := self.verdict.secret_rolls:
            were = "roll was" if rolls == 1 else "rolls were"
            lines.append(f"{rolls} {were} made in secret{', from the same dice' * self.verdict.dice_checked}.")
        if self.verdict.concluded:
            lines.append(f"It was not fought out: {self.verdict.concluded}.")
        return [*lines, f"The {self.of} ended: {ending}." if ending else f"The {self.of} is not over."]


def other_format(content: bytes) -> LogFormat | None:
    """The format of a log that is not a fight's, if the system that it names brings such a format."""
    format, system = stated(content)
    if format == saving.FORMAT or system not in names():
        return None
    return next((known for known in find(system).abilities_of(LogFormat) if known.name == format), None)


def verify(content: bytes, where: str = "the log", before: bytes | None = None) -> Verified:
    """Replay a log as it is written to files; `Invalid` names the first line that does not fit.

    `before` is the log from which it was continued: that one must be right too, and begin with the same moves.
    """
    if other := other_format(content):
        if before is not None:
            raise Invalid(f"only a fight continues an earlier log, and {where} is a {other.of}", given=where)
        return Verified(other.of, import_module(other.module).verify(content, where))
    verdict = saving.LOG.verify(content, where)
    if before is None:
        return Verified(saving.LOG.of, verdict)
    earlier = saving.LOG.verify(before, "the earlier log")
    shared = saving.shared_with(json.loads(content), json.loads(before), where)
    return Verified(saving.LOG.of, verdict, (shared, earlier))


def report(content: bytes, where: str = "the log") -> dict[str, Any]:
    """Whether a log fits, and the lines that say so or what does not fit, as plain JSON values."""
    try:
        return {"fits": True, "text": verify(content, where).text}
    except Invalid as problem:
        return {"fits": False, "text": [str(problem)]}
