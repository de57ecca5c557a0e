"""Clocks of a combat: a bank of time as in chess, a limit for each move, or days for each move by correspondence."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.system.schema import cut
from affray.world.combats import games

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat
    from affray.world.combats.listing import Listed
    from affray.world.combats.roster import Member

NAME = "clock"
"""The option of a combat.

`300+5` is a bank of 300 seconds and 5 more for each move, `60/move` a limit for each, `3d/move` and `12h/move` days or
hours for each by correspondence.
"""
WRITTEN = re.compile(r"(\d{1,7})(?:\+(\d{1,5})|([hd]?)(/move))?")
UNITS = {"h": 3600, "d": 24 * 3600}
LONGEST = 30 * 24 * 3600
GRACE = 3600.0
"""Seconds after the start of a server in which no one is late by correspondence: meanwhile no one could move."""


@dataclass
class Clock:
    """The time that players have, and since when those who are to move use it.

    By correspondence the calendar counts, whether or not a server runs: members keep the moment until which they have
    to move, and nothing is kept here.
    """

    bank: int
    increment: int
    per_move: bool
    by_mail: bool = False
    since: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, written: object) -> Clock | None:
        """The clock of an option; None for a combat without one."""
        if written in (None, "", "off"):
            return None
        found = WRITTEN.fullmatch(str(written))
        seconds = int(found[1]) * UNITS.get(found[3] or "", 1) if found else 0
        if found is None or not 1 <= seconds <= LONGEST:
            rule = (
                "must be like 300+5 (seconds, and more for each move), 60/move (seconds for each move), "
                "3d/move or 12h/move (days or hours by correspondence, at most 30 days), or off"
            )
            raise Invalid(f"the clock {cut(str(written))!r} {rule}", given=str(written))
        return cls(seconds, int(found[2] or 0), found[4] is not None, bool(found[3]))

    def now(self) -> float:
        """The present moment, by the calendar or as this process counts."""
        return time.time() if self.by_mail else time.monotonic()

    def left(self, member: Member, now: float) -> float:
        """The seconds that a player still has."""
        if self.by_mail:
            return float(self.bank) if member.until is None else max(0.0, member.until - now)
        whole = self.bank if self.per_move or member.time is None else member.time
        return max(0.0, whole - (now - self.since[member.name] if member.name in self.since else 0.0))

    def running(self, combat: Combat) -> list[str]:
        """The players whose time runs, as everyone may know: by correspondence a secret choice does not stop it."""
        return (
            sorted(one.name for one in combat.roster if one.until is not None) if self.by_mail else sorted(self.since)
        )

    def run(self, combat: Combat, now: float) -> bool:
        """Start the clocks of those who have to move, and stop those of the others; whether a member has changed."""
        if self.by_mail:
            return self._write_to(combat, now)
        due = {member.name: member for member in combat.awaited() if member.player is not None}
        stopped = [member for member in combat.roster if member.name in self.since and member.name not in due]
        for member in stopped:
            member.time = None if self.per_move else self.left(member, now) + self.increment
            del self.since[member.name]
        for name in due:
            self.since.setdefault(name, now)
        return bool(stopped) and not self.per_move

    def _write_to(self, combat: Combat, now: float) -> bool:
        """Give those who have to move, as everyone may know, their moment; one who has moved since gets another."""
        fight, changed = combat.fight, False
        due = games.due(fight, games.seen(fight, None)) if fight is not None and not fight.over else []
        answered = [answer.who for answer in fight.answers if answer.decision < fight.decision] if fight else []
        for place, member in enumerate(combat.roster):
            before = member.until, member.asked
            if place < len(due) and due[place] and member.player is not None:
                asked = 1 + answered.count(combat.fighter(member))
                if member.asked != asked:
                    member.until, member.asked = round(now) + self.bank, asked
            else:
                member.until, member.asked = None, 0
            changed |= before != (member.until, member.asked)
        return changed

    def overdue(self, combat: Combat, now: float) -> Member | None:
        """The first player whose time is up."""
        if self.by_mail:
            return next(iter(late_by_mail(combat, now)), None)
        late = (one for one in combat.awaited() if one.name in self.since and self.left(one, now) <= 0)
        return next(late, None)


def late_by_mail(combat: Listed, now: float) -> list[Member]:
    """The players of a combat by correspondence whose moment has passed; its log need not be run for that."""
    passed = (one.until is not None and one.until <= now for ones in combat.roster.teams.values() for one in ones)
    if not any(passed) or combat.phase != "running":
        return []
    return [one for one in combat.awaited() if one.until is not None and one.until <= now]
