"""The `affray` command: finds the command that is meant, and says in one line why one could not go on."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import affray
from affray import plugins
from affray.errors import Invalid, Refused

TYPE_CHECKING = False  # so that --help need not import `typing`
if TYPE_CHECKING:
    from typing import NoReturn

# Each is the module of its name in `commands`; only the one that runs gets imported. Systems bring others.
COMMANDS = {
    "play": "play a fight here, at the keyboard",
    "odds": "compute how a fight will end",
    "simulate": "fight by the million and count",
    "compare": "compare variants of a fight on the same dice",
    "tune": "find the smallest change that makes a fight meet a target",
    "arena": "let players and tactics fight each other, and rate them",
    "sensitivity": "show how much each number of a fight matters",
    "encounter": "suggest monsters for a party",
    "campaign": "let a party fight several fights in a row",
    "report": "write a page about the fights of a system",
    "solve": "compute the best play of both sides of a fight",
    "replay": "tell a saved or a simulated fight again",
    "verify": "check every move and every die of a saved fight",
    "learn": "show how to play a system, in five minutes",
    "rules": "show the rules, rulings and options of a system",
    "sheets": "show the fighters of a system, check a file of your own, or make a new one",
    "print": "write a page to print: the rules of a system, and a character sheet",
    "recover": "let a fighter of your own rest or heal, or keep the results of a fight",
    "bench": "measure how fast rules run here",
    "modules": "build or check the compiled rules that come with systems",
    "web": "build the page as static files, with all of Affray inside",
    "serve": "open a world to others",
    "connect": "visit a world on a server",
    "mcp": "let language models run and play fights",
    "accounts": "make, list and change the accounts of a world",
}
EXAMPLES = """\
examples:
  affray learn bgo
  affray play
  affray play bgo heroes=player monsters=fire-slime,fire-slime
  affray odds bgo heroes=player monsters=fire-slime --play best
  affray simulate bgo heroes=player monsters=fire-slime --fights 1_000_000
"""
INTERRUPTED = 130
COLLECT_AFTER = 20_000  # new objects; Python would look through all of Numba twice while it is being loaded


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, like all others here."""

    def error(self, message: str) -> NoReturn:
        raise Invalid(f"{message} (`{self.prog} --help` shows what it takes)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (None: this process's own); returns the exit code."""
    if argv is None:
        gc.set_threshold(COLLECT_AFTER)
    _open_streams()
    code = _guarded(list(sys.argv[1:] if argv is None else argv))
    if argv is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: one more Ctrl-C would only show where Python is
        _part_from_compiler(code)
    return code


def _guarded(argv: list[str]) -> int:
    """Run a command; what ends it early becomes an error message and an exit code."""
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
    commands = _commands(asked)
    for name, (help, module) in commands.items():
        subparser = subparsers.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        if name == asked:
            import_module(module).add_arguments(subparser)
    try:
        args = parser.parse_args(argv)
    except SystemExit as ended:  # --help and --version have said all
        return int(ended.code or 0)
    if args.command is None:
        parser.print_help()
        return 0
    _, module = commands[args.command]
    code: int = import_module(module).run(args)
    return code


def _commands(asked: str | None) -> dict[str, tuple[str, str]]:
    """Help and module of the terminal's commands and, unless one of those is asked for, of those of systems."""
    own = {name: (help, f"{__name__}.commands.{name}") for name, help in COMMANDS.items()}
    brought = {} if asked in own else plugins.commands()
    return own | {name: command for name, command in brought.items() if name not in own}


def _part_from_compiler(code: int) -> None:
    """End at once where native code is still being compiled in the background: the user need not wait for that.

    An orderly end would free the memory that the compiler still uses, and it would fail with a long traceback.
    """
    threading = sys.modules.get("threading")  # without it there is no thread
    if threading and any(
        thread.daemon and thread is not threading.current_thread() for thread in threading.enumerate()
    ):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _open_streams() -> None:
    """Let a byte that is not text become a question mark, and a character that the screen lacks a lookalike."""
    from affray.terminal.screen import lookalikes

    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, lookalikes.NAME), (sys.stderr, lookalikes.NAME)):
        with suppress(AttributeError, ValueError):  # replaced by something simpler, or closed
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def _close_output() -> None:
    """The reader of our output has gone: nothing more is written, not even at the very end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
