"""`affray verify`: checks every move and every result of a saved fight or journey."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from affray.fight.logfile import content_of
from affray.fight.verifying import verify
from affray.terminal.arguments import add_json
from affray.terminal.screen.output import print_json, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray verify` understands."""
    parser.add_argument("file", help="a saved fight or journey")
    parser.add_argument("--before", metavar="FILE", help="the log that it continues, to check that part of it too")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay a log; print what was checked, or the first line that does not fit."""
    verified = verify(content_of(args.file), args.file, content_of(args.before) if args.before else None)
    if args.json:
        found = {"file": args.file, **asdict(verified.verdict)}
        if verified.before:
            shared, earlier = verified.before
            found["before"] = {"file": args.before, "shared": shared, **asdict(earlier)}
        print_json(found)
        return 0
    first, *others = verified.text
    for line in (f"{args.file}: {first}", *others):
        say(line)
    return 0
