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
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay a log; print what was checked, or the first line that does not fit."""
    verified = verify(content_of(args.file), args.file)
    if args.json:
        print_json({"file": args.file, **asdict(verified.verdict)})
        return 0
    first, *others = verified.text
    for line in (f"{args.file}: {first}", *others):
        say(line)
    return 0
