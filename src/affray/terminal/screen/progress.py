"""The progress of something that a person waits for: one line, drawn over and erased at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from affray.lab.bars import bar
from affray.lab.figures import percent

BAR = 20
WIDE = 79


def draw(done: int, asked: int, what: str, out: TextIO) -> None:
    """Draw how much of what was asked for is done."""
    share = min(1.0, done / asked)
    print(f"\r{bar(share, BAR):.<{BAR}} {percent(share, 0):>4}  {what}", end="", file=out, flush=True)


class Watch:
    """Shows how many fights are done, how fast they go, and how long the rest will take."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._begun = clock()

    def __call__(self, done: int, asked: int) -> None:
        rate = done / max(1e-9, self._clock() - self._begun)
        what = f"{done:,} fights, {rate:,.0f} a second, {lasting((asked - done) / max(rate, 1e-9))} left"
        draw(done, asked, f"{what:<{WIDE - BAR - 8}}", self._out)


def lasting(seconds: float) -> str:
    """A time as people say it, in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


def wipe(out: TextIO) -> None:
    """Leave an empty line behind."""
    print("\r" + " " * WIDE + "\r", end="", file=out, flush=True)


class Progress:
    """Watches over play-outs by interpreted rules, on a screen if there is one, until native code overtakes them."""

    class Overtaken(Exception):
        """Native code has become ready meanwhile, and is faster from here on."""

    def __init__(self, asked: int, screen: bool, ready: Callable[[], bool]) -> None:
        self.asked, self.screen, self.ready = asked, screen, ready
        self.begun_ready = ready()

    def __call__(self, done: int) -> None:
        if self.begun_ready:
            return
        if self.ready():
            raise Progress.Overtaken
        if self.screen:
            draw(done, self.asked, "weighed; Ctrl-C stops", sys.stdout)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *ended: object) -> None:
        if self.screen and not self.begun_ready:
            wipe(sys.stdout)
