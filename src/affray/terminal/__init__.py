"""The `affray` command: its table of commands, and what any of them does when it cannot go on."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import NoReturn

import affray
from affray.errors import Invalid, Refused

# Each command is the module of its name in this package, with `add_arguments` and `run`; only the one that is
# asked for gets imported.
COMMANDS = {
    "play": "play a fight here, at the keyboard",
    "journey": "travel the board of a system that has one",
    "odds": "compute how a fight will end",
    "simulate": "fight by the million and count",
    "replay": "tell a saved or a simulated fight again",
    "verify": "check every move and every die of a saved fight",
    "rules": "show the rules, rulings and options of a system",
    "sheets": "show the fighters of a system, check a file of your own, or make somebody new",
    "print": "write a page to print: the rules of a system, and a character sheet",
    "life": "show how long somebody lives with so many Life Coins",
    "recover": "let a fighter of your own rest or heal, or keep what a fight has left of them",
    "serve": "open a world to others",
    "connect": "visit a world that somebody serves",
    "accounts": "make, list and change the accounts of a world",
}
EXAMPLES = """\
examples:
  affray play
  affray play bgo heroes=player monsters=fire-slime,fire-slime
  affray odds bgo heroes=player monsters=fire-slime --play best
  affray simulate bgo heroes=player monsters=fire-slime --fights 1_000_000
"""
# A module `print` would hide the function of that name in this package.
OTHERWISE = {"print": "printed"}
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, like all others here."""

    def error(self, message: str) -> NoReturn:
        raise Invalid(f"{message} (`{self.prog} --help` says what is allowed)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (None: this process's own); returns the exit code."""
    _open_streams()
    code = _guarded(list(sys.argv[1:] if argv is None else argv))
    if argv is None:
        _part_from_compiler(code)
    return code


def _guarded(argv: list[str]) -> int:
    """Run a command; whatever ends it early becomes a sentence and an exit code."""
    try:
        code = _run(argv)
        sys.stdout.flush()
        return code
    except Refused as problem:
        print("affray:", " ".join(str(problem).splitlines()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return 0


def _run(argv: list[str]) -> int:
    parser = Parser(
        prog="affray",
        description="Tabletop fights: to play, to compute and to build on.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"affray {affray.__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    asked = next((word for word in argv if not word.startswith("-")), None)
    for name, help in COMMANDS.items():
        command = subparsers.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        if name == asked:
            _module(name).add_arguments(command)
    try:
        args = parser.parse_args(argv)
    except SystemExit as ended:  # --help and --version have said all
        return int(ended.code or 0)
    if args.command is None:
        parser.print_help()
        return 0
    code: int = _module(args.command).run(args)
    return code


def _module(command: str) -> ModuleType:
    return import_module(f"affray.terminal.{OTHERWISE.get(command, command)}")


def _part_from_compiler(code: int) -> None:
    """End at once where native code is still being compiled in the background: nobody waits for that.

    An orderly end would tear the compiler's memory away under it, and it would complain about that loudly.
    """
    if any(thread.daemon and thread is not threading.current_thread() for thread in threading.enumerate()):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _open_streams() -> None:
    """Let a byte that is no text, or a sign that the screen lacks, become a question mark instead of an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # replaced by something simpler, or closed
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _close_output() -> None:
    """Whoever read our output has gone: nothing more is written, not even at the very end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
