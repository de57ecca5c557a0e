"""Weapons and armour as the rules read them: one row of numbers for each fact of the tables in `data/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from affray.schema import Flag, Schema, Text, Whole, Word, read_tables
from affray.specs import data_file

BLUDGEON, EDGED, RANGED = range(3)
KINDS = {"bludgeon": BLUDGEON, "edged": EDGED, "ranged": RANGED}


@dataclass(frozen=True, kw_only=True)
class Weapon:
    """One weapon: coins of damage, of which so many are lethal, and its weight."""

    name: str
    damage: int
    lethality: int
    weight: int
    kind: str
    held: bool = True


@dataclass(frozen=True, kw_only=True)
class Armour:
    """What one wears: coins of soak, and the penalty to Agility."""

    name: str
    value: int
    penalty: int


WEAPON: Schema = {
    "name": Text(40),
    "damage": Whole(0, 20),
    "lethality": Whole(0, 20),
    "weight": Whole(0, 10),
    "kind": Word(tuple(KINDS)),
    "held": Flag(),
}
ARMOUR: Schema = {"name": Text(40), "value": Whole(0, 20), "penalty": Whole(0, 10)}


def _read(name: str, schema: Schema) -> Mapping[str, dict[str, object]]:
    return read_tables(data_file("affray.systems.strategic", name), schema, ("name",), name)


WEAPONS = {id: Weapon(**table) for id, table in _read("weapons.toml", WEAPON).items()}  # type: ignore[arg-type]
ARMOURS = {id: Armour(**table) for id, table in _read("armour.toml", ARMOUR).items()}  # type: ignore[arg-type]

WEAPON_NUMBERS = {id: number for number, id in enumerate(WEAPONS)}
ARMOUR_NUMBERS = {id: number for number, id in enumerate(ARMOURS)}
FISTS = WEAPON_NUMBERS["fists"]

NAMES = tuple(weapon.name for weapon in WEAPONS.values())
DAMAGE = tuple(weapon.damage for weapon in WEAPONS.values())
LETHALITY = tuple(weapon.lethality for weapon in WEAPONS.values())
WEIGHT = tuple(weapon.weight for weapon in WEAPONS.values())
HELD = tuple(int(weapon.held) for weapon in WEAPONS.values())
KIND = tuple(KINDS[weapon.kind] for weapon in WEAPONS.values())
