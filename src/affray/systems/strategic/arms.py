"""Weapons and armour as the rules read them: one row of numbers for each fact of the tables in `data/`."""

from __future__ import annotations

from dataclasses import dataclass

from affray.system.schema import Flag, Names, Whole, Word
from affray.system.sheets import Sheet, field, things_of
from affray.systems.strategic.state import ATTACKS, DEFENCES, LEARNED

BLUDGEON, EDGED, RANGED = range(3)
KINDS = {"bludgeon": BLUDGEON, "edged": EDGED, "ranged": RANGED}


CODES = {word: move for move, word in (ATTACKS | DEFENCES).items()}
COINS, BURDEN = Whole(0, 20), Whole(0, 10)


class Weapon(Sheet):
    """One weapon: coins of damage, of which so many are lethal, its weight, and the moves that it allows."""

    damage: int = field(COINS)
    lethality: int = field(COINS)
    weight: int = field(BURDEN)
    kind: str = field(Word(tuple(KINDS)))
    attacks: tuple[str, ...] = field(Names(tuple(ATTACKS.values()), of="attack move"))
    defences: tuple[str, ...] = field(Names(tuple(DEFENCES.values()), of="defence"))
    held: bool = field(Flag(), True)

    @property
    def to_learn(self) -> tuple[str, ...]:
        """The attack moves that have to be learned, in the order in which they are."""
        return tuple(move for move in self.attacks if CODES[move] < LEARNED)


@dataclass(frozen=True)
class Arm(Word):
    """A weapon by its id; unarmed is a weapon too."""

    def take(self, value: object, label: str) -> str:
        return super().take("fists" if value == "unarmed" else value, label)


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
ATTACKS_WITH = tuple(sum(1 << CODES[move] for move in weapon.attacks) for weapon in WEAPONS.values())
DEFENCES_WITH = tuple(sum(1 << CODES[defence] for defence in weapon.defences) for weapon in WEAPONS.values())
KIND = tuple(KINDS[weapon.kind] for weapon in WEAPONS.values())
