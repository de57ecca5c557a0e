"""Clocks of a combat: a bank of time with an increment, as in chess, or a limit for each move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.system.schema import cut

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat
    from affray.world.combats.roster import Member

NAME = "clock"
"""The option of a combat: `300+5` is a bank of 300 seconds and 5 more for each move, `60/move` a limit for each."""
WRITTEN = re.compile(r"(\d{1,7})(?:\+(\d{1,5})|(/move))?")
LONGEST = 30 * 24 * 3600


@dataclass
class Clock:
    """The time that players have, and since when those who are to move use it."""

    bank: int
    increment: int
    per_move: bool
    since: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, written: object) -> Clock | None:
        """The clock of an option; None for a combat without one."""
        if written in (None, "", "off"):
            return None
        found = WRITTEN.fullmatch(str(written))
        if found is None or not 1 <= int(found[1]) <= LONGEST:
            rule = "must be like 300+5 (seconds, and more for each move), 60/move (seconds for each move), or off"
            raise Invalid(f"the clock {cut(str(written))!r} {rule}", given=str(written))
        return cls(int(found[1]), int(found[2] or 0), found[3] is not None)

    def left(self, member: Member, now: float) -> float:
        """The seconds that a player still has."""
        whole = self.bank if self.per_move or member.time is None else member.time
        return max(0.0, whole - (now - self.since[member.name] if member.name in self.since else 0.0))

    def run(self, combat: Combat, now: float) -> bool:
        """Start the clocks of those who have to move, and stop those of the others; whether a bank has changed."""
        due = {member.name: member for member in combat.awaited() if member.player is not None}
        stopped = [member for member in combat.roster if member.name in self.since and member.name not in due]
        for member in stopped:
            member.time = None if self.per_move else self.left(member, now) + self.increment
            del self.since[member.name]
        for name in due:
            self.since.setdefault(name, now)
        return bool(stopped) and not self.per_move

    def overdue(self, combat: Combat, now: float) -> Member | None:
        """The first player whose time is up."""
        late = (one for one in combat.awaited() if one.name in self.since and self.left(one, now) <= 0)
        return next(late, None)
