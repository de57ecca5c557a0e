"""Limits on one connection, and on all of them together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Clock = Callable[[], float]
"""A clock in seconds that never goes backward."""


def _limit(default: int, unit: str, meaning: str) -> int:
    value: int = field(default=default, metadata={"unit": unit, "meaning": meaning})
    return value


@dataclass(frozen=True)
class Limits:
    """What a server allows. A client that reaches a limit is told which."""

    line: int = _limit(1000, "CHARACTERS", "the longest line that is read")
    burst: int = _limit(20, "LINES", "how many lines are read at once")
    rate: int = _limit(10, "LINES", "how many lines are read each second after a burst")
    refused: int = _limit(200, "LINES", "close a connection after this many lines in a row came too fast")
    connections: int = _limit(500, "NUMBER", "how many clients may be connected at once")
    per_address: int = _limit(60, "NUMBER", "how many clients may be connected at once from one address")
    idle: int = _limit(30 * 60, "SECONDS", "close a connection after this long without input")
    warning: int = _limit(60, "SECONDS", "warn the client this long before that")
    login_idle: int = _limit(2 * 60, "SECONDS", "close a connection after this long without input before login")
    login: int = _limit(5 * 60, "SECONDS", "close a connection that has not logged in after this long")
    output: int = _limit(256 * 1024, "BYTES", "close a connection that leaves so much unread")


class Pace:
    """The rate limit for lines: a burst at once, and then a number each second."""

    def __init__(self, burst: int, rate: float, clock: Clock) -> None:
        self._burst = burst
        self._rate = rate
        self._clock = clock
        self._room = float(burst)
        self._then = clock()
        self.refused = 0
        """How many lines in a row came too fast."""
        self.scolded = False
        """Whether the client has been warned since a whole burst was last allowed."""

    def takes(self) -> bool:
        """Whether one more line may come now; if so it is counted."""
        self._recover()
        if self._room < 1:
            self.refused += 1
            return False
        self._room -= 1
        self.refused = 0
        return True

    def wait(self) -> float:
        """The seconds to wait until one more line may come."""
        self._recover()
        return max(0.0, (1 - self._room) / self._rate)

    def excuse(self) -> None:
        """Ignore the time spent on the last line: lines that came meanwhile had to wait, and were not too fast."""
        now = self._clock()
        self._room += (now - self._then) * self._rate
        self._then = now

    def _recover(self) -> None:
        now = self._clock()
        self._room = max(self._room, min(float(self._burst), self._room + (now - self._then) * self._rate))
        self._then = now
        if self._room >= self._burst:
            self.scolded = False


def span(seconds: float) -> str:
    """A time in words."""
    number, unit = (seconds / 60, "minute") if seconds >= 60 and seconds % 60 == 0 else (seconds, "second")
    return f"{number:g} {unit}" + ("" if number == 1 else "s")
