"""Writes what a fight has left of a fighter back to the file that the sheet came from."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from affray.errors import Invalid, Refused, listing
from affray.fight import Fight, Spec
from affray.kernel.chance import Hand, Seeded
from affray.system.abilities import Recovery, Spoils
from affray.system.contract import System
from affray.system.sheet_files import change_sheet
from affray.system.specs import changes, read_sheets
from affray.terminal.screen.keyboard import Keyboard
from affray.terminal.screen.output import complain, say

FORM = "FILE.toml#ID"


class Home(NamedTuple):
    """Where a sheet stands: a file, and the id in it."""

    file: str
    id: str


def home_of(spec: Spec) -> Home | None:
    """The home of a sheet that came from a file unchanged; None for any other sheet."""
    if not isinstance(spec, str) or ".toml" not in spec or ":" in spec.partition(".toml")[2]:
        return None
    file, _, id = spec.partition("#")
    return Home(file, id or next(iter(read_sheets(file))))


def homes(fight: Fight, teams: Mapping[str, Sequence[Spec]]) -> dict[str, Home]:
    """Who in a fight has a home; two who share one have none, for a sheet cannot be left in two ways."""
    found = [home_of(spec) for members in teams.values() for spec in members]
    return {name: home for name, home in zip(fight.names, found, strict=False) if home and found.count(home) == 1}


def marks(fight: Fight, who: str) -> dict[str, object]:
    """What a fight has changed in a fighter's sheet: nothing, unless it has left a mark or its end changes sheets."""
    system, index = fight.system, fight.index(who)
    recovery = system.ability(Recovery)
    if recovery is None:
        return {}
    sheet = fight.sheets[index]
    left = recovery.after_fight(fight.state, index, sheet)
    if not recovery.settles and left == recovery.after_fight(fight.setup.seated(), index, sheet):
        return {}
    return changes(system.as_table(sheet), system.as_table(left))


def _settled(fight: Fight, who: str, home: Home) -> Mapping[str, object]:
    """What a fight changes in a fighter's file; what it has brought is told."""
    spoils = fight.system.ability(Spoils)
    if spoils is None or not fight.over:
        return marks(fight, who)
    # Nobody is left at the table to throw for it.
    dice = Seeded(secrets.randbits(62)) if isinstance(fight.dice, Hand) else fight.dice
    after = import_module(spoils.module).after
    changed, told = after(fight.setup, fight.state, fight.index(who), f"{home.file}#{home.id}", dice)
    for line in told:
        say(line, hang="  ")
    return dict(changed)


def write(system: System[Any, Any], home: Home, changed: Mapping[str, object]) -> None:
    """Change the sheet in its file, unless that would make it one that cannot be read."""
    tables = read_sheets(home.file)
    system.enlist({**tables.get(home.id, {}), **changed})
    change_sheet(home.file, home.id, changed)


def check_can_keep(fight: Fight, homes: Mapping[str, Home], persons: Collection[str]) -> None:
    """Refuse to promise what cannot be kept."""
    if fight.system.after_fight is None:
        raise Invalid(f"--keep has nothing to keep: a fight of {fight.system.id} changes nothing on a sheet")
    if not any(name in homes for name in persons):
        problem = f"--keep is for fighters whom people play and whose sheets are in files, given as {FORM}"
        raise Invalid(problem, allowed=[FORM])


def keep(fight: Fight, homes: Mapping[str, Home], persons: Collection[str], keyboard: Keyboard, sure: bool) -> None:
    """Write what the fight has left of the persons' fighters to their files, each if its player says so."""
    for name, home in homes.items():
        changed = _settled(fight, name, home) if name in persons else {}
        question = f"Write what the fight has left of {name} to {home.file}?"
        if not changed or not (sure or (keyboard.screen and keyboard.agrees(question))):
            continue
        try:
            write(fight.system, home, changed)
        except Refused as problem:
            complain(problem)
        else:
            say(f"Written to {home.file}, {home.id}: {listing(changed)}.")
