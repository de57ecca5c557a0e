"""Weapons: what the table in `data/weapons.toml` and sheets say of one, and the numbers that rules read of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from affray.kernel.rules import rule
from affray.system import sheets
from affray.system.schema import Field, Flag, Whole, Word, refusal
from affray.system.sheets import Where, field, things_of

SLOTS = 5  # the bare hands, and four weapons
HANDS = 0
EMPTY, MELEE, GUN, THROWN = range(4)  # what a slot holds
NO_BONUS, HALF_BONUS, FULL_BONUS = range(3)
KINDS = {"melee": MELEE, "gun": GUN, "thrown": THROWN}
BONUSES = {"none": NO_BONUS, "half": HALF_BONUS, "full": FULL_BONUS}
NEVER = 101  # the roll from which on a weapon jams that does not
BAND = 17  # bits that the damage dice of a band of range take

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
    """Dice as text, such as 1D8+2: of damage, or of what mends."""

    def allows(self) -> str:
        return "dice such as 1D8 or 2D6+4, up to 9D20+99, or 0"

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
    """A weapon of the table, or of a fighter's own. Shotguns have up to three bands of range, each with its damage."""

    kind: str = field(Word(tuple(KINDS)), says="melee, a gun (bows too), or thrown")
    skill: str = field(Word(tuple(BASE_SKILLS)), says="what is rolled against")
    damage: str = field(Damage(), says="its dice")
    farther: str = field(Damage(), "0", "those in the second band of range")
    farthest: str = field(Damage(), "0", "those in the third")
    bonus: str = field(Word(tuple(BONUSES)), "none", "how much of the damage bonus it adds")
    impales: bool = field(Flag(), False, "an extreme success rolls its dice on top of the most")
    handgun: bool = field(Flag(), False, "a penalty die on each of several shots")
    base_range: int = field(Whole(0, 500), 0, "yards up to which a success hits; the first band")
    second_range: int = field(Whole(0, 500), 0, "yards up to which the second band reaches")
    third_range: int = field(Whole(0, 500), 0, "yards up to which the third does")
    shots: int = field(Whole(1, 3), 1, "up to so many in a turn")
    magazine: int = field(Whole(0, 99), 0, "rounds that it holds; pieces to throw at first")
    malfunction: int | None = field(Whole(90, 100), None, "from which roll on it jams; never, unless given")

    def check(self, where: Where) -> None:
        """A weapon has what its kind needs and nothing that its kind cannot use; bands grow."""
        missile, gun = self.kind != "melee", self.kind == "gun"
        a_kind = f"a {self.kind} weapon" if not gun else "a gun"
        for key in ("base_range", "magazine"):
            if missile != (getattr(self, key) > 0):
                raise refusal(where(key), getattr(self, key), f"{'1 or more' if missile else '0'} for {a_kind}")
        for key, usual in (("shots", 1), ("malfunction", None), ("handgun", False), ("second_range", 0)):
            if not gun and getattr(self, key) != usual:
                raise refusal(where(key), getattr(self, key), f"left out for {a_kind}")
        for key, dice, before in (
            ("second_range", "farther", self.base_range),
            ("third_range", "farthest", self.second_range),
        ):
            yards = getattr(self, key)
            if yards and not (before and before < yards):
                raise refusal(where(key), yards, f"more than the {before} yards of the band before it")
            if bool(yards) != (getattr(self, dice) != "0"):
                raise refusal(where(dice), getattr(self, dice), f"the dice up to {key}, and both or neither given")


WEAPONS = things_of(Weapon, "affray.systems.mythos", "weapons.toml")
"""Every weapon by id, the bare hands first."""

BARE_HANDS = WEAPONS["hands"]

# A weapon in the record: what it is, the damage of its three bands, and how far they reach, each as one number.


def weapon_code(weapon: Weapon) -> int:
    """What a weapon is."""
    code = KINDS[weapon.kind] | BONUSES[weapon.bonus] << 2 | weapon.impales << 4 | weapon.handgun << 5
    return code | weapon.shots << 6 | weapon.magazine << 8 | (weapon.malfunction or NEVER) << 15


def damage_codes(weapon: Weapon) -> int:
    """The damage dice of a weapon in all of its bands."""
    first, second, third = map(damage_code, (weapon.damage, weapon.farther, weapon.farthest))
    return first | second << BAND | third << 2 * BAND


def range_code(weapon: Weapon) -> int:
    """How far the bands of a weapon reach."""
    return weapon.base_range | weapon.second_range << 10 | weapon.third_range << 20


@rule
def kind_of(code: int) -> int:
    """EMPTY, MELEE, GUN or THROWN."""
    return code & 3


@rule
def adds(code: int) -> int:
    """How much of the damage bonus a weapon adds."""
    return code >> 2 & 3


@rule
def impales(code: int) -> bool:
    """Whether a weapon impales."""
    return code >> 4 & 1 == 1


@rule
def is_handgun(code: int) -> bool:
    """Whether several shots of a weapon have a penalty die."""
    return code >> 5 & 1 == 1


@rule
def most_shots(code: int) -> int:
    """How many shots a weapon fires in a turn."""
    return code >> 6 & 3


@rule
def magazine(code: int) -> int:
    """How many rounds a weapon holds."""
    return code >> 8 & 127


@rule
def jams_from(code: int) -> int:
    """The roll from which on a gun jams."""
    return code >> 15
