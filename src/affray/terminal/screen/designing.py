"""What the commands for designers share: their arguments, progress, pictures, and where the fights are fought."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from affray.errors import Invalid
from affray.system.files import check_writable, write_whole
from affray.terminal import INTERRUPTED, arguments
from affray.terminal.screen.output import print_json
from affray.terminal.screen.progress import Watch, wipe

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from affray.lab.cluster import Pool
    from affray.lab.design.matches import Match
    from affray.system.setup import Spec


class Found(Protocol):
    """What a command has found; Ctrl-C may have ended it early."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""

    def as_table(self) -> dict[str, Any]:
        """The same as plain values."""


def around(verb: str, usual: str) -> str:
    """The help of an argument that takes a measure."""
    return (
        f"what to {verb}: an ending such as a team's name,  rounds,  or a figure or cost of a fighter or team such as"
        f"  heroes:net;  may be repeated ({usual})"
    )


def add_designing(parser: argparse.ArgumentParser, fights: str) -> None:
    """The arguments that all of them take."""
    add = parser.add_argument
    add("--fights", type=arguments.positive, help=f"how many fights {fights}")
    add("--seed", type=arguments.whole, default=0, help="the seed; the same seed gives the same result (0)")
    add(
        "--seats",
        choices=("both", "given"),
        default="both",
        help="fight in both orders of the teams, or as given (both)",
    )
    add("--certainty", type=float, default=0.95, help="how certain it is that all intervals hold at once (0.95)")
    add("--plot", metavar="FILE", help="draw the result into an .svg file")
    add_cluster(parser)
    add("--progress", action="store_true", help="show progress even if the output is not a terminal")
    arguments.add_json(parser)


def match_of(args: argparse.Namespace) -> Match:
    """The fight that is meant; the file for its picture is checked first."""
    from affray.lab.design.matches import Match

    if args.plot:
        if Path(args.plot).suffix.lower() != ".svg":
            raise Invalid(f"{args.plot} must end in .svg", given=args.plot, allowed=(".svg",))
        check_writable(args.plot)
    system, teams = arguments.read_fight(args.words)
    return Match.of(system, teams, arguments.options(args), arguments.tactics(args))


def party_of(args: argparse.Namespace, more: str = "") -> tuple[str, str, Sequence[Spec]]:
    """The system, and the only team that was typed with its fighters; `more` ends the example in a refusal."""
    system, teams = arguments.split_words(args.words)
    if teams is None or len(teams) != 1:
        raise Invalid(f"give the party alone, such as  bgo heroes=player,squire{more}", given=args.words)
    ((team, party),) = teams.items()
    return arguments.the_system(system), team, party


def finish(args: argparse.Namespace, found: Found, show: Callable[[], None]) -> int:
    """Print what was found, as JSON if that is asked for; returns the exit code."""
    if args.json:
        print_json(found.as_table())
    else:
        show()
    return INTERRUPTED if found.interrupted else 0


def save_picture(path: str | None, svg: Callable[[], str]) -> None:
    """Draw into the file, if one was asked for."""
    if path:
        write_whole(path, svg())


@contextmanager
def watched(args: argparse.Namespace) -> Iterator[Callable[[int, int], None] | None]:
    """Progress on the screen, if there is one."""
    if not (args.progress or sys.stderr.isatty()):
        yield None
        return
    try:
        yield Watch(sys.stderr)
    finally:
        wipe(sys.stderr)


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """The argument for fights on other machines."""
    parser.add_argument(
        "--cluster",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="fight on the Dask cluster at this address, such as tcp://10.0.0.5:8786; without an address, on a "
        "cluster of processes on this machine",
    )


@contextmanager
def elsewhere(args: argparse.Namespace) -> Iterator[Pool | None]:
    """The cluster, if the fights are fought on one."""
    if not args.cluster:
        yield None
        return
    from affray.lab.cluster import joined

    with joined(args.cluster) as pool:
        yield pool


@contextmanager
def crew(args: argparse.Namespace) -> Iterator[Executor | None]:
    """Where the fights are fought: here, or on a cluster."""
    with elsewhere(args) as pool:
        yield pool.executor if pool else None
