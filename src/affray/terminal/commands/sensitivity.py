"""`affray sensitivity`: how much each number on a sheet and each option matters, ranked."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.system.schema import cut
from affray.system.telling import counted
from affray.terminal import arguments
from affray.terminal.screen.designing import add_designing, around, crew, finish, match_of, save_picture, watched
from affray.terminal.screen.output import columns, say, versus

if TYPE_CHECKING:
    from affray.lab.design.matches import Match
    from affray.lab.design.sensitivity import Sensitivity

SHOWN = 15
NAME = 34


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray sensitivity` understands."""
    arguments.add_fight(parser)
    parser.add_argument(
        "--of", action="append", default=[], metavar="MEASURE", help=around("look at", "the first team's wins")
    )
    parser.add_argument("--all", action="store_true", help=f"show all changes, not only the {SHOWN} that matter most")
    add_designing(parser, "of each change (4,000)")


def run(args: argparse.Namespace) -> int:
    """Change one number after another, and print what comes of it."""
    from affray.lab.design.sensitivity import FIGHTS, sensitivity

    match = match_of(args)
    with watched(args) as progress, crew(args) as pool:
        found = sensitivity(
            match,
            args.of,
            fights=args.fights or FIGHTS,
            certainty=args.certainty,
            seats=args.seats,
            seed=args.seed,
            pool=pool,
            progress=progress,
        )
    save_picture(args.plot, found.svg)
    return finish(args, found, lambda: _show(match, found, args.all))


def _show(match: Match, found: Sensitivity, every: bool) -> None:
    say(f"{match.setup.system.title}: {versus(match.setup.teams)}.", hang="  ", style="heading")
    if found.interrupted:
        say("Interrupted: these are the changes tried so far.")
    for measure in found.measures:
        print()
        ranked = found.ranked(measure)
        idle = sum(not effect.by.value for effect in ranked)
        say(f"What matters for {measure.text}, the largest effect first:")
        rows = []
        for effect in ranked[: None if every else SHOWN]:
            low, high = measure.shown(effect.by.low, True), measure.shown(effect.by.high, True)
            own = "" if found.exact else f"{low} to {high}"
            change = effect.change
            values = f"{cut(change.before, 12)} to {cut(change.after, 12)}"
            rows.append([cut(change.what, NAME), values, measure.shown(effect.by.value, True), own])
        if rows:
            print("\n".join(f"  {line}".rstrip() for line in columns(rows, right=(2,))))
        say(f"{counted(len(ranked), 'change')}; {idle} without a difference.", style="aside")
    how = "Counted exactly" if found.exact else f"{found.fights:,} fights of each change, all on the same dice"
    sure = "" if found.exact else f"; all intervals hold together with {100 * found.certainty:g}%"
    left = f"; left out, because the sheets do not allow them: {found.left_out}" if found.left_out else ""
    say(f"{how}{sure}{left}; seed {found.seed}.", style="aside")
