"""How far something has come that a person waits for: one line that is drawn over and wiped away in the end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from affray.lab.bars import bar
from affray.lab.figures import percent

BAR = 20
WIDE = 60


def draw(done: int, asked: int, what: str, out: TextIO) -> None:
    """Draw how much of what was asked for is done."""
    share = min(1.0, done / asked)
    print(f"\r{bar(share, BAR):.<{BAR}} {percent(share, 0):>4}  {what}", end="", file=out, flush=True)


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
