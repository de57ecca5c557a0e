"""Weapons and armour as the rules read them: one row of numbers for each fact of the tables in `data/`."""

from __future__ import annotations

from affray.system.schema import Flag, Whole, Word
from affray.system.sheets import Sheet, SheetT, data_file, field
from affray.system.specs import read_sheets

BLUDGEON, EDGED, RANGED = range(3)
KINDS = {"bludgeon": BLUDGEON, "edged": EDGED, "ranged": RANGED}


COINS, BURDEN = Whole(0, 20), Whole(0, 10)


class Weapon(Sheet):
    """One weapon: coins of damage, of which so many are lethal, and its weight."""

    damage: int = field(COINS)
    lethality: int = field(COINS)
    weight: int = field(BURDEN)
    kind: str = field(Word(tuple(KINDS)))
    held: bool = field(Flag(), True)


class Armour(Sheet):
    """What a fighter wears: coins of soak, and the penalty to Agility."""

    value: int = field(COINS)
    penalty: int = field(BURDEN)


def _read(thing: type[SheetT], name: str) -> dict[str, SheetT]:
    tables = read_sheets(data_file("affray.systems.strategic", name), name)
    return {id: thing.made(table, f"{name}, {id}") for id, table in tables.items()}


WEAPONS = _read(Weapon, "weapons.toml")
ARMOURS = _read(Armour, "armour.toml")

WEAPON_NUMBERS = {id: number for number, id in enumerate(WEAPONS)}
ARMOUR_NUMBERS = {id: number for number, id in enumerate(ARMOURS)}
FISTS = WEAPON_NUMBERS["fists"]

NAMES = tuple(weapon.name for weapon in WEAPONS.values())
DAMAGE = tuple(weapon.damage for weapon in WEAPONS.values())
LETHALITY = tuple(weapon.lethality for weapon in WEAPONS.values())
WEIGHT = tuple(weapon.weight for weapon in WEAPONS.values())
HELD = tuple(int(weapon.held) for weapon in WEAPONS.values())
KIND = tuple(KINDS[weapon.kind] for weapon in WEAPONS.values())
