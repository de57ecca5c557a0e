"""Verifies a log, whether of a fight or of a journey, and says in a few lines what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from affray import saving
from affray.errors import Invalid

JOURNEY = "affray-journey"


@dataclass(frozen=True)
class Verified:
    """A log that fits in every line: what it is of, and what can be said about it."""

    of: Literal["fight", "journey"]
    verdict: saving.Verdict

    @property
    def text(self) -> list[str]:
        """What was found, a sentence a line."""
        ending = self.verdict.ending
        return [self.verdict.sentence, f"The {self.of} ended: {ending}." if ending else f"The {self.of} is not over."]


def verify(content: bytes, where: str = "the log") -> Verified:
    """Replay a log as it is written to files; `Invalid` names the first line that does not fit."""
    if saving.stated_format(content) != JOURNEY:
        return Verified("fight", saving.verify_log(content, where))
    from affray.journey import journal

    return Verified("journey", journal.verify_log(content, where))


def report(content: bytes, where: str = "the log") -> dict[str, Any]:
    """Whether a log fits, and the lines that say so or what does not fit, as plain JSON values."""
    try:
        return {"fits": True, "text": verify(content, where).text}
    except Invalid as problem:
        return {"fits": False, "text": [str(problem)]}
