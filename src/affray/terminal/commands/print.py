"""`affray print`: writes the rules of a system and a character sheet as a page to print."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path

from affray.errors import Invalid, listing
from affray.handouts import printing
from affray.system.files import write_whole
from affray.system.registry import find
from affray.terminal.arguments import add_options, options, the_system
from affray.terminal.commands.rules import split_id
from affray.terminal.screen.output import say

SCREEN = "-"
_HEAD = 500  # bytes within which our pages have their mark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray print` understands."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM SHEET",
        help="the system, and the fighters whose sheets to fill in; without fighters the sheet is blank",
    )
    parser.add_argument("--to", metavar="FILE", help="the file to write (SYSTEM.html here); - prints the page")
    parser.add_argument("--force", action="store_true", help="replace any file, not only a page that affray print made")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page, and say where it is."""
    id, specs = split_id(args.words)
    system = find(the_system(id))
    sheets = [system.enlist(spec) for spec in specs]
    page = printing.page(system, sheets, options(args))
    if args.to == SCREEN:
        print(page.encode("ascii", "xmlcharrefreplace").decode(), end="")  # whatever the encoding of the screen or pipe
        return 0
    file = Path(args.to or f"{system.id}.html")
    if not args.force:
        _check_ours(file)
    write_whole(file, page)
    of = listing(sheet.name for sheet in sheets)
    whose = f"the sheet{'s' * (len(sheets) > 1)} of {of}" if sheets else "a blank sheet"
    say(f"Written to {file}: the rules of {system.title}, and {whose}. Open it in a browser to print it.")
    return 0


def _check_ours(file: Path) -> None:
    """Refuse to overwrite a file that affray print did not write."""
    with suppress(OSError, ValueError):  # there is no file, or writing will explain what is wrong
        with file.open("rb") as stream:
            if printing.MARK.encode() in stream.read(_HEAD):
                return
        problem = f"{file} exists and was not written by affray print; choose another file, or add --force"
        raise Invalid(problem, given=str(file), allowed=["--to FILE", "--force"])
