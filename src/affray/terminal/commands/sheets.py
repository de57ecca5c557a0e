"""`affray sheets`: lists and searches the sheets of a system, checks your own, and makes new ones."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Any

from affray.errors import Invalid
from affray.system.abilities import Things
from affray.system.contract import System
from affray.system.listing import UNSHOWN, Entry, entries, in_words
from affray.system.registry import find, names
from affray.system.schema import settle
from affray.system.sheets import Sheet
from affray.system.specs import read_sheets
from affray.terminal.arguments import add_json, the_system
from affray.terminal.commands import sheets_new
from affray.terminal.commands.rules import split_id
from affray.terminal.screen.output import print_json, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray sheets` understands."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM ID | check FILE | new SYSTEM",
        help="the system, and one fighter; or `check` and a file of sheets; or `new` and a system, to make your own",
    )
    parser.add_argument("--system", help="the system of the sheets in the file")
    parser.add_argument("--find", metavar="WORDS", help="only entries with all these words in id, name or description")
    sheets_new.add_arguments(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print all sheets of a system or one of them, check a file, or make a new sheet."""
    if args.words[:1] == ["new"]:
        return sheets_new.run(args)
    sheets_new.check_unused(args)
    if args.words[:1] == ["check"]:
        return _check(args)
    id, rest = split_id(args.words)
    system = find(the_system(args.system or id))
    if len(rest) > 1:
        raise Invalid(f"`sheets` takes one sheet, not {len(rest)}", given=rest)
    if rest:
        _show_one(system, rest[0], args.json)
    elif args.json:
        print_json({kind: {e.id: e.table for e in known} for kind, known in _found(system, args.find).items()})
    else:
        _show_all(system, args.find)
    return 0


def _found(system: System[Any, Any], words: str | None) -> dict[str, list[Entry]]:
    """The entries that have all the words; Invalid if there are none."""
    # A word may be the beginning of one; a number must match in full.
    wanted = [rf"(?<!\w){re.escape(word)}(?!\d)" for word in (words or "").lower().split()]

    def fits(kind: str, entry: Entry) -> bool:
        text = f"{kind} {entry.id} {entry.name} {entry.line}".lower()
        return all(re.search(word, text) for word in wanted)

    found = {kind: [entry for entry in known if fits(kind, entry)] for kind, known in entries(system).items()}
    if not any(found.values()):
        raise Invalid(f"nothing in {system.id} has {words!r} in its id, name or description", given=words)
    return {kind: known for kind, known in found.items() if known}


def _check(args: argparse.Namespace) -> int:
    if len(args.words) != 2:
        raise Invalid(f"`check` takes one file, not {len(args.words) - 1}", given=args.words[1:])
    file = args.words[1]
    system, ids = _whose(file) if args.system is None else (args.system, find(args.system).check_file(file))
    if args.json:
        print_json({"file": file, "system": system, "sheets": ids})
    else:
        found = f" of {system}" if args.system is None else ""
        say(f"{file} has {len(ids)} valid sheet{'s' * (len(ids) != 1)}{found}: {', '.join(ids)}.")
    return 0


def _whose(file: str) -> tuple[str, list[str]]:
    """The system that a file of sheets belongs to, if only one fits, and the ids in it."""
    tables = read_sheets(file)
    good, problems = dict[str, list[str]](), dict[str, Invalid]()
    for system in map(find, names()):
        try:
            good[system.id] = system.check_file(file)
        except Invalid as problem:
            problems[system.id] = problem
    bases = {str(table["base"]) for table in tables.values() if "base" in table}
    known = {s: {id for own in find(s).catalogue().values() for id in own} for s in names()}
    meant = list(good) or [system for system in names() if bases & known[system]]
    if len(meant) != 1:
        which = f"it may be of {' or '.join(meant)}" if good else "it fits no system for certain"
        raise Invalid(f"{file}: {which}; choose one with --system", given=file, allowed=names())
    if not good:
        raise problems[meant[0]]
    return meant[0], good[meant[0]]


def _show_one(system: System[Any, Any], spec: str, as_json: bool) -> None:
    things = system.ability(Things)
    for kind in (things.known() if things else {}).values():
        if spec in kind:
            assert things is not None
            return _show_thing(kind[spec], things.described(kind[spec]), as_json)
    sheet = system.enlist(spec)
    table = system.as_table(sheet)
    if as_json:
        print_json(table)
        return
    say(f"{sheet.name} ({sheet.id})", style="heading")
    known = system.derived(sheet, settle(system.options, {}))
    follows = {key: value for key, value in known.items() if key not in table}
    wide = max(12, *(len(key) for key in (*table, *follows)))
    _show_keys(system, {key: value for key, value in table.items() if key not in UNSHOWN}, wide)
    if follows:
        print()
        _show_keys(system, follows, wide)


def _show_thing(thing: Sheet, described: str, as_json: bool) -> None:
    if as_json:
        print_json(thing.as_table())
        return
    say(f"{thing.name} ({thing.id})", style="heading")
    say(described, indent="  ")
    if getattr(thing, "note", ""):
        say(str(getattr(thing, "note", "")), indent="  ")


def _show_keys(system: System[Any, Any], table: Mapping[str, object], wide: int) -> None:
    for key, value in table.items():
        if value not in ({}, []):
            words = system.signed(in_words(value))
            say(f"{key.replace('_', ' '):<{wide}} {words}", indent="  ", hang=" " * (wide + 3))


def _show_all(system: System[Any, Any], words: str | None) -> None:
    for kind, known in _found(system, words).items():
        say(kind, style="heading")
        wide = max(len(entry.id) for entry in known)
        for entry in known:
            say(f"{entry.id:{wide}}  {entry.line}", indent="  ", hang=" " * (wide + 4))
    print()
    say(f"To see one in full: affray sheets {system.id} ID. To search: --find WORDS.")
