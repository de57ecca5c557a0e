"""Where answers come from: a person at a terminal, or lines out of a pipe."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from affray.schema import cut

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled off it, and back to the top


Words = Sequence[str] | Callable[[], Sequence[str]]
"""What can be completed; where looking it up takes time, a function that does it when somebody wants to."""


class Leave(Exception):
    """Somebody has asked to go."""


class Keyboard(Protocol):
    """Asks questions, one line at a time. At its end `ask` raises EOFError."""

    screen: bool
    """Whether a person looks at a screen here."""
    heard: int
    """How many lines have come so far."""

    def ask(
        self,
        question: str,
        words: Words = (),
        meanwhile: Callable[[], None] | None = None,
        remember: bool = True,
    ) -> str:
        """The answer to a question.

        `words` can be completed, `meanwhile` is started once the question stands, `remember` puts the answer among
        those that can be called back.
        """

    def echo(self, line: str) -> None:
        """Write down what was answered, where the answering itself left no trace."""

    def hand_over(self, to: str) -> None:
        """Let somebody else sit down, who must not read what stands there now."""

    def keep_private(self) -> None:
        """From now on do not remember what is typed: several people share this keyboard."""


class Plain:
    """Lines from standard input with plain questions: a pipe, a file, or a terminal whose output goes elsewhere."""

    screen = False

    def __init__(self, echoes: bool = True) -> None:
        self.echoes = echoes
        self.heard = 0

    def ask(
        self,
        question: str,
        words: Words = (),
        meanwhile: Callable[[], None] | None = None,
        remember: bool = True,
    ) -> str:
        print(question, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        self.heard += 1
        return line.strip()

    def echo(self, line: str) -> None:
        if self.echoes:
            print(cut("".join(sign if sign.isprintable() else "?" for sign in line), 34))

    def hand_over(self, to: str) -> None:
        print(f"(The keyboard goes to {to}.)")

    def keep_private(self) -> None:
        pass


class Console:
    """A person at a terminal."""

    screen = True

    def __init__(self) -> None:
        self.heard = 0
        self.private = False

    def ask(
        self,
        question: str,
        words: Words = (),
        meanwhile: Callable[[], None] | None = None,
        remember: bool = True,
    ) -> str:
        # Only now, when the first screen stands: the person reads it while the line editor is loaded.
        sys.stdout.flush()
        from affray.terminal.console import read_line

        line = read_line(question, words, meanwhile, remember and not self.private)
        self.heard += 1
        return line.strip()

    def echo(self, line: str) -> None:
        pass

    def hand_over(self, to: str) -> None:
        print("\n" * 100 if os.environ.get("TERM") == "dumb" else CLEAR, end="", flush=True)
        print(f"Hand the keyboard to {to}.")
        self.ask("Enter when you sit there> ", remember=False)

    def keep_private(self) -> None:
        self.private = True


def open_keyboard() -> Keyboard | None:
    """The keyboard there is; None when nobody will ever answer."""
    if sys.stdin is None or sys.stdin.closed:
        return None
    if not sys.stdin.isatty():
        return None if _ended() else Plain()
    if not sys.stdout.isatty():
        return Plain(echoes=False)
    return Console()


def _ended() -> bool:
    """Whether the input ends before its first line; one that may still come is not waited for."""
    try:
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        return bool(ready) and not sys.stdin.buffer.peek(1)  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):  # not a real file, or a system that cannot tell
        return False
