"""`affray verify`: checks every move and every result of a saved fight or journey."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from affray import saving
from affray.terminal.arguments import add_json
from affray.terminal.text import print_json, say

JOURNEY = "affray-journey"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray verify` understands."""
    parser.add_argument("file", help="a saved fight or journey")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay a log; it either fits in every line, or the first that does not is named."""
    is_journey = saving.format_of(args.file) == JOURNEY
    verdict = _verify_journey(args.file) if is_journey else saving.verify(args.file)
    if args.json:
        print_json({"file": args.file, **asdict(verdict)})
    else:
        say(f"{args.file}: {verdict.sentence}")
        called = "journey" if is_journey else "fight"
        say(f"The {called} ended: {verdict.ending}." if verdict.ending else f"The {called} is not over.")
    return 0


def _verify_journey(file: str) -> saving.Verdict:
    from affray.journey import journal

    return journal.verify(file)
