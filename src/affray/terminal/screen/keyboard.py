"""Where answers come from: a person at a terminal, or lines from a pipe."""

from __future__ import annotations

import os
import select
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from affray.system.schema import cut

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled off it, and back to the top


Words = Sequence[str] | Callable[[], Sequence[str]]
"""What can be completed; where looking it up takes time, a function that does it when it is needed."""


class Leave(Exception):
    """The player has asked to leave."""


def drop_typed_ahead() -> None:
    """Forget the keys that were pressed at a terminal before now; lines from a pipe stay."""
    if not sys.stdin.isatty():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


class Keyboard(ABC):
    """Asks questions, one line at a time."""

    screen: bool
    """Whether a person looks at a screen here."""

    def __init__(self) -> None:
        self.heard = 0  # how many lines have come so far
        self.private = False
        """Whether several people share this keyboard, so that what is typed is not remembered."""

    def ask(
        self, question: str, words: Words = (), meanwhile: Callable[[], None] | None = None, remember: bool = True
    ) -> str:
        """The answer to a question; EOFError where there are no more.

        Keys that were pressed before the question stood on the screen are no part of the answer.
        `words` can be completed, `meanwhile` is started once the question stands, `remember` puts the answer among
        those that can be called back.
        """
        line = self._read(question, words, meanwhile, remember)
        self.heard += 1
        return line.strip()

    def agrees(self, question: str) -> bool:
        """Whether the answer to a question is yes; it is no for a person who leaves."""
        try:
            return self.ask(f"{question} [y/N]> ", remember=False).lower() in ("y", "yes")
        except (EOFError, KeyboardInterrupt):
            return False

    @abstractmethod
    def _read(self, question: str, words: Words, meanwhile: Callable[[], None] | None, remember: bool) -> str: ...

    @abstractmethod
    def echo(self, line: str) -> None:
        """Write down what was answered, where the answering itself left no trace."""

    @abstractmethod
    def hand_over(self, to: str) -> None:
        """Clear the screen for another player, who must not read what is on it now."""


class Plain(Keyboard):
    """Lines from standard input with plain questions: a pipe, a file, or a terminal whose output goes elsewhere."""

    screen = False

    def __init__(self, echoes: bool = True) -> None:
        super().__init__()
        self.echoes = echoes

    def _read(self, question: str, words: Words, meanwhile: Callable[[], None] | None, remember: bool) -> str:
        drop_typed_ahead()
        print(question, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        return line

    def echo(self, line: str) -> None:
        if self.echoes:
            print(cut("".join(letter if letter.isprintable() else "?" for letter in line), 34))

    def hand_over(self, to: str) -> None:
        print(f"(The keyboard goes to {to}.)")


class Console(Keyboard):
    """A person at a terminal."""

    screen = True

    def _read(self, question: str, words: Words, meanwhile: Callable[[], None] | None, remember: bool) -> str:
        # Only now, when the first screen stands: the person reads it while the line editor is loaded.
        sys.stdout.flush()
        from affray.terminal.screen.line_editor import read_line

        return read_line(question, words, meanwhile, remember and not self.private)

    def echo(self, line: str) -> None:
        pass

    def hand_over(self, to: str) -> None:
        print("\n" * 100 if os.environ.get("TERM") == "dumb" else CLEAR, end="", flush=True)
        print(f"Hand the keyboard to {to}.")
        self.ask("Press Enter when you are there> ", remember=False)


def open_keyboard() -> Keyboard | None:
    """The keyboard there is; None when no answer will ever come."""
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
