"""Weapons and armour as the rules read them: one row of numbers for each fact of the tables in `data/`."""

from __future__ import annotations

from affray.system.schema import Flag, Whole, Word
from affray.system.sheets import Sheet, field, things_of

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


WEAPONS = things_of(Weapon, "affray.systems.strategic", "weapons.toml")
ARMOURS = things_of(Armour, "affray.systems.strategic", "armour.toml")

WEAPON_NUMBERS = {id: number for number, id in enumerate(WEAPONS)}
ARMOUR_NUMBERS = {id: number for number, id in enumerate(ARMOURS)}
FISTS = WEAPON_NUMBERS["fists"]

NAMES = tuple(weapon.name for weapon in WEAPONS.values())
DAMAGE = tuple(weapon.damage for weapon in WEAPONS.values())
LETHALITY = tuple(weapon.lethality for weapon in WEAPONS.values())
WEIGHT = tuple(weapon.weight for weapon in WEAPONS.values())
HELD = tuple(int(weapon.held) for weapon in WEAPONS.values())
KIND = tuple(KINDS[weapon.kind] for weapon in WEAPONS.values())
