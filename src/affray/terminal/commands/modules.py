"""`affray modules`: the WebAssembly of systems' rules, with which compiled play starts at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from affray.kernel.records import SLOTS
from affray.lab.building import build, stale
from affray.system.registry import find, names
from affray.terminal.screen.output import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray modules` understands."""
    parser.add_argument(
        "action", choices=["check", "build"], help="tell whether all modules are fresh, or build those that are not"
    )
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="the systems; all that are installed unless told")


def run(args: argparse.Namespace) -> int:
    """Check or build the modules of some systems."""
    systems = [find(id) for id in args.systems or names()]
    missing = stale(systems)
    if args.action == "build":
        build(systems, _told)
        say(f"All modules are fresh: {len(systems) * len(SLOTS)}, of which {len(missing)} were built.")
        return 0
    for system, slots in missing:
        say(f"{system.id} has no fresh module for {slots} fighters; `affray modules build {system.id}` makes it.")
    if not missing:
        say(f"All {len(systems) * len(SLOTS)} modules are fresh.")
    return int(bool(missing))


def _told(file: Path, done: int, all: int) -> None:
    print(f"{done}/{all}  {file.name}  {file.stat().st_size // 1024} KB", flush=True)
