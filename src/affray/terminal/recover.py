"""`affray recover`: fighters of a file between fights, resting, healing, and keeping what a fight left of them."""

from __future__ import annotations

import argparse
import secrets
from typing import Any

from affray import saving
from affray.errors import Invalid, listing, unknown
from affray.kernel.chance import Seeded
from affray.kernel.system import System, find, names
from affray.rewriting import change_sheet
from affray.schema import slug
from affray.specs import read_sheets
from affray.terminal.arguments import add_json
from affray.terminal.text import print_json, say

KEEP = "keep"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray recover` understands."""
    parser.add_argument("how", metavar="HOW", help="rest, heal, or keep: what a saved fight has left of the fighter")
    parser.add_argument("sheet", metavar="FILE.toml#ID", help="the sheet, which is changed in its file")
    parser.add_argument("--fight", metavar="FILE", help="the saved fight, for keep")
    parser.add_argument("--fighter", metavar="NAME", help="who it is in that fight, where the name is not the ID")
    parser.add_argument("--system", help="the system of the sheet, where several know of recovering")
    parser.add_argument("--seed", type=int, help="which cards stay is drawn with this seed")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Change one sheet of a file, and tell what has changed."""
    path, _, id = args.sheet.partition("#")
    if ".toml" not in path or ":" in id:
        raise Invalid(f"{args.sheet} is not of the form FILE.toml#ID", given=args.sheet, allowed=["FILE.toml#ID"])
    if args.how == KEEP:
        system, before, after, told = _kept(args, path, id)
        id = id or slug(after.name)
    else:
        system = _system(args.system)
        if args.how not in system.recoveries:
            known = [*system.recoveries, KEEP]
            raise Invalid(unknown("way to recover", args.how, known), given=args.how, allowed=known)
        sheet = system.enlist(args.sheet)
        id, before = id or next(iter(read_sheets(path))), system.as_table(sheet)
        seed = secrets.randbelow(2**63) if args.seed is None else args.seed
        after, told = system.recoveries[args.how](sheet, Seeded(seed))
    table = system.as_table(after)
    changes = {key: value for key, value in table.items() if key != "id" and before.get(key) != value}
    change_sheet(path, id, changes)
    if args.json:
        print_json({"file": path, "id": id, "changed": changes, "told": told})
    else:
        for sentence in told:
            say(sentence)
        say(f"Written to {path}, {id}: {listing(changes)}." if changes else f"{path} is as it was.")
    return 0


def _system(id: str | None) -> System[Any, Any]:
    """The system that was named, or the only one whose fighters recover."""
    able = [name for name in names() if find(name).recoveries]
    if id is None and len(able) == 1:
        return find(able[0])
    if id is None or not find(id).recoveries:
        given = "" if id is None else f"fighters of {id} do not recover; "
        raise Invalid(f"{given}say which combat system: {', '.join(able) or 'none knows of it'}", allowed=able)
    return find(id)


def _kept(args: argparse.Namespace, path: str, id: str) -> tuple[System[Any, Any], dict[str, object], Any, list[str]]:
    """A fighter as a saved fight has left them, after the sheet that the file has of them so far."""
    if args.fight is None:
        raise Invalid("keep needs a saved fight: --fight FILE", given=args.how)
    fight = saving.load(args.fight)
    if fight.system.after_fight is None:
        raise Invalid(f"a fight of {fight.system.id} leaves nothing on a sheet", given=args.fight)
    wanted = args.fighter or id
    found = [name for name in fight.names if wanted and slug(name) == slug(wanted)]
    if not found:
        raise Invalid(unknown("fighter", wanted, fight.names), given=wanted, allowed=fight.names)
    who = fight.index(found[0])
    after = fight.system.after_fight(fight.state, who, fight.sheets[who])
    return fight.system, _present(fight.system, path, id), after, [f"{found[0]} is kept as the fight has left them."]


def _present(system: System[Any, Any], path: str, id: str) -> dict[str, object]:
    """The sheet that a file has under an id, as a table; nothing where there is none."""
    from pathlib import Path

    if not Path(path).exists() or id not in read_sheets(path):
        return {}
    return system.as_table(system.enlist(f"{path}#{id}"))
