"""Weapons as the rules read them: one row of numbers for each fact of the table in `data/weapons.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from affray.system import sheets
from affray.system.schema import Field, Flag, Whole, Word, refusal
from affray.system.sheets import field, things_of

SLOTS = 5  # the bare hands, and four weapons
HANDS = 0
EMPTY, MELEE, GUN, THROWN = range(4)  # what a slot holds
NO_BONUS, HALF_BONUS, FULL_BONUS = range(3)
KINDS = {"melee": MELEE, "gun": GUN, "thrown": THROWN}
BONUSES = {"none": NO_BONUS, "half": HALF_BONUS, "full": FULL_BONUS}

BASE_SKILLS = {
    "brawl": 25,
    "sword": 20,
    "axe": 15,
    "spear": 20,
    "whip": 5,
    "garrote": 15,
    "handgun": 20,
    "rifle-shotgun": 25,
    "smg": 15,
    "bow": 15,
    "throw": 20,
    "flamethrower": 10,
}
"""The chance of a fighter who never learned a skill. 17."""

_DICE = re.compile(r"(?:([1-9])[dD]([1-9][0-9]?))?(?:(?:^|\+)([0-9]{1,2}))?")


@dataclass(frozen=True)
class Damage(Field):
    """Damage dice as text, such as 1D8+2."""

    def allows(self) -> str:
        return "damage dice such as 1D8 or 2D6+4, or 0"

    def take(self, value: object, label: str) -> str:
        if not isinstance(value, str) or not value or not _DICE.fullmatch(value) or _parts(value)[1] > 20:
            raise refusal(label, value, self.allows())
        return value.upper()


def _parts(text: str) -> tuple[int, int, int]:
    """How many dice, of how many sides, and what is added."""
    match = _DICE.fullmatch(text)
    assert match is not None
    return int(match[1] or 0), int(match[2] or 0), int(match[3] or 0)


def damage_code(text: str) -> int:
    """Damage dice as one number, as rules take it apart: the dice, their sides, what is added."""
    count, sides, plus = _parts(text)
    return count | sides << 4 | plus << 10


class Weapon(sheets.Sheet):
    """One weapon of the table. Shotguns have up to three bands of range, each with its own damage."""

    kind: str = field(Word(tuple(KINDS)))
    skill: str = field(Word(tuple(BASE_SKILLS)))
    damage: str = field(Damage())
    farther: str = field(Damage(), "0")
    farthest: str = field(Damage(), "0")
    bonus: str = field(Word(tuple(BONUSES)), "none")
    impales: bool = field(Flag(), False)
    handgun: bool = field(Flag(), False)
    base_range: int = field(Whole(1, 500), 0)
    second_range: int = field(Whole(1, 500), 0)
    third_range: int = field(Whole(1, 500), 0)
    shots: int = field(Whole(1, 3), 1)
    magazine: int = field(Whole(1, 99), 0)
    malfunction: int = field(Whole(90, 100), 101)


WEAPONS = things_of(Weapon, "affray.systems.mythos", "weapons.toml")
"""Every weapon by id, the bare hands first."""

NOTHING = Weapon.made({"name": "nothing", "kind": "melee", "skill": "brawl", "damage": "0"}, "nothing")
_ROWS = (NOTHING, *WEAPONS.values())
NUMBERS = {id: number for number, id in enumerate(WEAPONS, start=1)}
"""The number under which rules know a weapon; 0 is nothing."""

BARE_HANDS = NUMBERS["hands"]
NAMES = tuple(row.name for row in _ROWS)
KIND = (EMPTY, *(KINDS[row.kind] for row in WEAPONS.values()))
DAMAGE = tuple(damage_code(row.damage) for row in _ROWS)
FARTHER = tuple(damage_code(row.farther) for row in _ROWS)
FARTHEST = tuple(damage_code(row.farthest) for row in _ROWS)
RANGE = tuple(row.base_range | row.second_range << 10 | row.third_range << 20 for row in _ROWS)
ADDS = tuple(BONUSES[row.bonus] for row in _ROWS)
IMPALES = tuple(int(row.impales) for row in _ROWS)
HANDGUN = tuple(int(row.handgun) for row in _ROWS)
SHOTS = tuple(row.shots for row in _ROWS)
MAGAZINE = tuple(row.magazine for row in _ROWS)
MALFUNCTION = tuple(row.malfunction for row in _ROWS)


def weapon_name(fighter: Any, slot: int) -> str:
    """What a fighter has in a slot."""
    return NAMES[int(fighter.weapons[slot])]
