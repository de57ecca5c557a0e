"""`affray print`: writes the rules of a system and a character sheet as a page for the printer."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from affray import printing
from affray.errors import Invalid, listing
from affray.kernel.system import find
from affray.schema import shown
from affray.terminal.arguments import options, the_system
from affray.terminal.rules import split_id
from affray.terminal.text import say

SCREEN = "-"
_HEAD = 500  # bytes within which a page of ours shows its mark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray print` understands."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM SHEET",
        help="the system, and the fighters whose sheets to fill in; without any the sheet is blank",
    )
    parser.add_argument("--to", metavar="FILE", help="the file to write (SYSTEM.html here); - prints the page")
    parser.add_argument("--force", action="store_true", help="write over any file, not only a page made before")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the rules, which the page then says; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Write the page, and say where it is."""
    id, specs = split_id(args.words)
    system = find(the_system(id))
    sheets = [system.enlist(spec) for spec in specs]
    page = printing.page(system, sheets, options(args))
    if args.to == SCREEN:
        print(page.encode("ascii", "xmlcharrefreplace").decode(), end="")  # whatever the screen or pipe can spell
        return 0
    file = Path(args.to or f"{system.id}.html")
    _write(file, page, args.force)
    whose = (
        f"the sheet{'s' * (len(sheets) > 1)} of {listing(sheet.name for sheet in sheets)}"
        if sheets
        else "a blank sheet"
    )
    say(f"Written to {file}: the rules of {system.title}, and {whose}. Open it in a browser to print it.")
    return 0


def _write(file: Path, page: str, force: bool) -> None:
    """Write the page to a file that is not there yet, or was written here. The old one stays whole until it is."""
    try:
        if not force and file.exists() and not _is_ours(file):
            problem = f"{file} exists and was not written by affray print; name another file, or add --force"
            raise Invalid(problem, given=str(file), allowed=["--to FILE", "--force"])
        beside = file.with_name(file.name + ".part")
        beside.write_text(page, encoding="utf-8", errors="xmlcharrefreplace")
        os.replace(beside, file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise Invalid(f"{shown(str(file))} cannot be written: {reason}", given=str(file)) from None


def _is_ours(file: Path) -> bool:
    with file.open("rb") as stream:
        return printing.MARK.encode() in stream.read(_HEAD)
