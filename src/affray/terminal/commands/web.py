"""`affray web`: builds the page with all of Affray inside it, for any host of static files."""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from affray.edition.build import build
from affray.terminal.screen.output import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray web` understands."""
    parser.add_argument("action", choices=["build"], help="build the web edition")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to; an earlier edition there is replaced")
    parser.add_argument(
        "--pyodide", type=Path, metavar="FOLDER", help="the folder of npm's package pyodide (default: npm fetches it)"
    )


def run(args: argparse.Namespace) -> int:
    """Build the edition, and say how large it is."""
    files = build(args.folder, args.pyodide)
    size = sum(len(gzip.compress(file.read_bytes())) for file in files) / 1_000_000
    say(f"{args.folder} has the web edition: {len(files)} files, {size:.1f} MB to download once.")
    say(f"To try it: python -m http.server --directory {args.folder}")
    return 0
