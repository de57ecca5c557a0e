"""What the telnet server asks of a world: a visitor arrives, is heard line by line, is told things, and leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Tell = Callable[[str], None]
"""Takes a text of one or more lines to a visitor, at once and without waiting."""


class Visitor(Protocol):
    """A visitor whose connection is open, whether or not they have logged in."""

    @property
    def gone(self) -> bool:
        """Whether they have said goodbye: nothing more is told, and the connection closes."""

    @property
    def known(self) -> bool:
        """Whether they have logged in; a visitor who has not is waited for less long."""

    @property
    def prompt(self) -> str:
        """What stands before the line they may type now."""

    @property
    def secret(self) -> bool:
        """Whether their next line is a password, not to be shown while it is typed."""

    async def hear(self, line: str) -> None:
        """Take one line that was typed; what it brings about has been told when this returns."""

    async def leave(self) -> None:
        """The connection is gone."""


class World(Protocol):
    """A place to visit."""

    @property
    def greeting(self) -> str:
        """What every visitor is shown first."""

    def arrive(self, tell: Tell, address: str) -> Visitor:
        """A new visitor from an address."""
