"""`affray recover`: lets fighters in a file rest and heal between fights, and keeps the results of a fight."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Any

from affray.errors import Invalid, listing, unknown
from affray.fight import saving
from affray.kernel.chance import Seeded
from affray.system.contract import System
from affray.system.registry import find, names
from affray.system.schema import slug
from affray.system.sheet_files import change_sheet
from affray.system.specs import changes, read_sheets
from affray.terminal.arguments import add_json
from affray.terminal.screen.output import print_json, say

KEEP = "keep"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray recover` understands."""
    for_how = "rest, heal or care; or keep, to write the results of a saved fight to the sheet"
    parser.add_argument("how", metavar="HOW", help=for_how)
    parser.add_argument("sheet", metavar="FILE.toml#ID", help="the sheet to change")
    parser.add_argument("--fight", metavar="FILE", help="the saved fight, for keep")
    parser.add_argument("--fighter", metavar="NAME", help="the fighter's name in that fight, if it is not the ID")
    parser.add_argument("--system", help="the system of the sheet, if it fits several")
    parser.add_argument("--seed", type=int, help="the seed of the dice")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Change one sheet of a file, and print what has changed."""
    path, _, id = args.sheet.partition("#")
    if ".toml" not in path or ":" in id:
        raise Invalid(f"{args.sheet} is not of the form FILE.toml#ID", given=args.sheet, allowed=["FILE.toml#ID"])
    if args.how == KEEP:
        system, before, after, told = _kept(args, path, id)
        id = id or slug(after.name)
    else:
        system = _system(args.system, args.how, args.sheet)
        sheet = system.enlist(args.sheet)
        id, before = id or next(iter(read_sheets(path))), system.as_table(sheet)
        seed = secrets.randbelow(2**63) if args.seed is None else args.seed
        after, told = system.recoveries[args.how](sheet, Seeded(seed))
    changed = {key: value for key, value in changes(before, system.as_table(after)).items() if key != "id"}
    change_sheet(path, id, changed)
    if args.json:
        print_json({"file": path, "id": id, "changed": changed, "told": told})
    else:
        for line in told:
            say(line)
        say(f"Written to {path}, {id}: {listing(changed)}." if changed else f"{path} is unchanged.")
    return 0


def _system(id: str | None, how: str, spec: str) -> System[Any, Any]:
    """The named system, or the only one in which such a sheet can recover that way."""
    if id is not None:
        return _able(find(id), how)
    every = {name: find(name) for name in names()}
    able = {name: system for name, system in every.items() if how in system.recoveries}
    if not able:
        known = [*dict.fromkeys(word for system in every.values() for word in system.recoveries), KEEP]
        raise Invalid(unknown("way to recover", how, known), given=how, allowed=known)
    problems = {name: _problem(system, spec) for name, system in able.items()}
    fitting = [name for name in able if problems[name] is None]
    if len(fitting) == 1:
        return able[fitting[0]]
    for problem in problems.values():
        if problem is not None and len({str(other) for other in problems.values()}) == 1:
            raise problem  # of the file, whatever the system
    raise Invalid(f"choose the system with --system: {', '.join(fitting or able)}", allowed=list(able))


def _able(system: System[Any, Any], how: str) -> System[Any, Any]:
    """The system, if its fighters recover that way."""
    if how in system.recoveries:
        return system
    if not system.recoveries and system.after_fight is not None:
        problem = f"fighters of {system.id} do not recover between fights; `{KEEP}` only writes the results of a fight"
        raise Invalid(problem, given=system.id, allowed=[KEEP])
    if not system.recoveries:
        raise Invalid(f"fighters of {system.id} do not recover", given=system.id)
    known = [*system.recoveries, KEEP]
    raise Invalid(unknown("way to recover", how, known), given=how, allowed=known)


def _problem(system: System[Any, Any], spec: str) -> Invalid | None:
    """Why the sheet does not belong to the system."""
    try:
        system.enlist(spec)
    except Invalid as problem:
        return problem
    return None


def _kept(args: argparse.Namespace, path: str, id: str) -> tuple[System[Any, Any], dict[str, object], Any, list[str]]:
    """The fighter's sheet after a saved fight, and the sheet that the file has now."""
    if args.fight is None:
        raise Invalid("keep needs a saved fight: --fight FILE", given=args.how)
    fight = saving.load(args.fight)
    if fight.system.after_fight is None:
        raise Invalid(f"a fight of {fight.system.id} changes nothing on a sheet", given=args.fight)
    wanted = args.fighter or id
    found = [name for name in fight.names if wanted and slug(name) == slug(wanted)]
    if not found:
        raise Invalid(unknown("fighter", wanted, fight.names), given=wanted, allowed=fight.names)
    who = fight.index(found[0])
    after = fight.system.after_fight(fight.state, who, fight.sheets[who])
    return fight.system, _present(fight.system, path, id), after, [f"{found[0]} has the results of the fight."]


def _present(system: System[Any, Any], path: str, id: str) -> dict[str, object]:
    """The sheet that a file has under an id, as a table; empty if there is none."""
    if not Path(path).exists() or id not in read_sheets(path):
        return {}
    return system.as_table(system.enlist(f"{path}#{id}"))
