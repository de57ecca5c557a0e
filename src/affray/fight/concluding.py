"""Ends that people make of a fight before its rules do: a side resigns, all agree on a draw, time runs out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affray.errors import Illegal, Invalid
from affray.system.schema import cut

if TYPE_CHECKING:
    from affray.fight.fight import Fight

REASONS = {
    "resigned": "{team} resigned",
    "agreed": "a draw was agreed",
    "time": "the time of {team} ran out",
}
"""Each reason in words."""


@dataclass(frozen=True)
class Concluded:
    """Why a fight is over though its rules would let it go on, how it ended, and the team whose doing it was."""

    reason: str
    ending: str
    team: str = ""

    @property
    def text(self) -> str:
        """The reason in words."""
        return REASONS[self.reason].format(team=self.team)

    def as_table(self) -> dict[str, str]:
        """The entry of a log, as plain JSON values."""
        return {"reason": self.reason, "ending": self.ending, "team": self.team}


def conclude(fight: Fight, reason: str, ending: str, team: str = "") -> Concluded:
    """End a fight that still runs; nothing in it can be taken back then."""
    if fight.over:
        raise Illegal(f"the fight is over: {fight.ending}", given=reason)
    if reason not in REASONS:
        raise Invalid(f"a fight is concluded because of {' or '.join(REASONS)}, not {cut(reason)!r}", given=reason)
    if ending not in fight.endings:
        raise Invalid(f"the fight cannot end as {cut(ending)!r}", given=ending, allowed=list(fight.endings))
    if reason != "agreed" and (team not in fight.teams or team == ending):
        raise Invalid(f"{cut(team)!r} must be a team that does not win", given=team, allowed=list(fight.teams))
    fight.concluded = Concluded(reason, ending, team)
    fight.open_lines()
    return fight.concluded


def concluded_by(fight: Fight, written: Mapping[str, Any] | None) -> None:
    """Conclude a fight as its log says, if it does."""
    if written is not None:
        conclude(fight, written["reason"], written["ending"], written["team"])
