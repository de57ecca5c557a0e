"""`affray sheets`: the fighters that come with a system, a check of one's own, and the way to a new one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from affray.errors import Invalid
from affray.handouts.printing import in_words
from affray.system.contract import System
from affray.system.registry import find
from affray.system.schema import settle
from affray.terminal.arguments import add_json, the_system
from affray.terminal.commands import sheets_new
from affray.terminal.commands.rules import split_id
from affray.terminal.screen.output import print_json, say

UNSHOWN = ("ready", "id", "name", "kind")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray sheets` understands."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM ID | check FILE | new SYSTEM",
        help="the system, and one fighter; or `check` and a file of sheets; or `new` and a system, for one of your own",
    )
    parser.add_argument("--system", help="the system whose sheets the file holds")
    sheets_new.add_arguments(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print all sheets of a system, or one, check a file, or make a new one."""
    if args.words[:1] == ["new"]:
        return sheets_new.run(args)
    sheets_new.check_unused(args)
    if args.words[:1] == ["check"]:
        return _check(args)
    id, rest = split_id(args.words)
    system = find(the_system(args.system or id))
    if len(rest) > 1:
        raise Invalid(f"one sheet at a time, not {len(rest)}", given=rest)
    if rest:
        _show_one(system, rest[0], args.json)
    elif args.json:
        kinds = system.catalogue().items()
        print_json({kind: {id: system.as_table(sheet) for id, sheet in known.items()} for kind, known in kinds})
    else:
        _show_all(system)
    return 0


def _check(args: argparse.Namespace) -> int:
    if len(args.words) != 2:
        raise Invalid(f"`check` takes one file, not {len(args.words) - 1}", given=args.words[1:])
    ids = find(the_system(args.system)).check_file(args.words[1])
    if args.json:
        print_json({"file": args.words[1], "sheets": ids})
    else:
        say(f"{args.words[1]} holds {len(ids)} good sheet{'s' * (len(ids) != 1)}: {', '.join(ids)}.")
    return 0


def _show_one(system: System[Any, Any], spec: str, as_json: bool) -> None:
    sheet = system.enlist(spec)
    table = system.as_table(sheet)
    if as_json:
        print_json(table)
        return
    say(f"{sheet.name} ({sheet.id})", style="heading")
    known = system.derived(sheet, settle(system.options, {}))
    follows = {key: value for key, value in known.items() if key not in table}
    wide = max(12, *(len(key) for key in (*table, *follows)))
    _show_keys({key: value for key, value in table.items() if key not in UNSHOWN}, wide)
    if follows:
        print()
        _show_keys(follows, wide)


def _show_keys(table: Mapping[str, object], wide: int) -> None:
    for key, value in table.items():
        if value not in ({}, []):
            say(f"{key.replace('_', ' '):<{wide}} {in_words(value)}", indent="  ", hang=" " * (wide + 3))


def _show_all(system: System[Any, Any]) -> None:
    for kind, known in system.catalogue().items():
        say(kind, style="heading")
        wide = max(len(id) for id in known)
        for id, sheet in known.items():
            say(f"{id:{wide}}  {summary(system.as_table(sheet))}", indent="  ", hang=" " * (wide + 4))
    print()
    say(f"One of them whole: affray sheets {system.id} ID.")


def summary(table: Mapping[str, object]) -> str:
    """A sheet in a line: what is not empty, as short as possible."""
    parts = []
    for key, value in table.items():
        if key in UNSHOWN or key.startswith("max_") or not value or value is True:
            continue
        some = {k: v for k, v in value.items() if v} if isinstance(value, Mapping) else value
        parts.append(f"{key.replace('_', ' ')} {in_words(some)}")
    return "; ".join(parts)
