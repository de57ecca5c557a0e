"""What a hit does: the weapons, the damage bonus, extreme successes, armour and bodies that defy weapons.

And the tables behind it, against the rulings: weapons, enemies, derived values and base skills.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from affray.fight import Fight
from affray.systems.mythos import terms
from affray.systems.mythos.derived import bonus_and_build, bonus_text, dodge_of, hp_of, mov_of
from affray.systems.mythos.sheets import SHEETS
from affray.systems.mythos.terms import WARDS
from affray.systems.mythos.weapons import BASE_SKILLS, HANDS, WEAPONS, damage_code, weapon_code

Scenery = Callable[..., Any]
HIT, HARD, EXTREME, CRITICAL, MISS = 50, 25, 10, 1, 99
BONUS_D6 = {"strength": 90, "size": 90}
MELEE = [id for id, weapon in WEAPONS.items() if weapon.kind == "melee" and id != "hands"]


def parts(damage: str) -> tuple[int, int, int]:
    """Damage dice taken apart: how many, of how many sides, and what is added."""
    dice, _, plus = damage.partition("+")
    count, _, sides = dice.partition("D")
    return int(count), int(sides), int(plus or 0)


def armed(id: str, **changes: object) -> dict[str, object]:
    weapon = WEAPONS[id]
    return {"weapons": [id], "skills": {weapon.skill: 50}, **changes}


def attack(scene: Any, id: str, *fell: Any) -> int:
    """Ada hits Bob, who misses; what he loses."""
    scene.move("ada", f"fight with {WEAPONS[id].name}", *fell[:1], MISS, *fell[1:])
    return int(scene.lost("bob"))


# Blows


@pytest.mark.parametrize("id", MELEE)
@pytest.mark.parametrize("rolled", [HIT, HARD])
def test_a_success_and_a_hard_success_deal_the_weapons_dice(duel: Scenery, id: str, rolled: int) -> None:
    count, sides, plus = parts(WEAPONS[id].damage)
    for face in (1, sides):
        assert attack(duel(armed(id)), id, rolled, [face] * count) == count * face + plus


@pytest.mark.parametrize("id", MELEE)
@pytest.mark.parametrize("rolled", [EXTREME, CRITICAL])
def test_an_extreme_success_deals_the_most_and_what_impales_rolls_on_top(duel: Scenery, id: str, rolled: int) -> None:
    weapon = WEAPONS[id]
    count, sides, plus = parts(weapon.damage)
    most = count * sides + plus
    scene = duel(armed(id), {"max_hp": 50})
    if weapon.impales:
        assert attack(scene, id, rolled, [1] * count) == most + count + plus
    else:
        assert attack(scene, id, rolled) == most


@pytest.mark.parametrize("id", MELEE)
def test_the_damage_bonus_is_rolled_as_the_weapon_adds_it(duel: Scenery, id: str) -> None:
    count, _, plus = parts(WEAPONS[id].damage)
    added = {"full": 5, "half": 2, "none": 0}[WEAPONS[id].bonus]
    bonus = [] if WEAPONS[id].bonus == "none" else [[5]]
    assert attack(duel(armed(id, **BONUS_D6)), id, HIT, [1] * count, *bonus) == count + plus + added


@pytest.mark.parametrize("id", MELEE)
def test_the_most_of_the_damage_bonus_counts_at_an_extreme_success(duel: Scenery, id: str) -> None:
    weapon = WEAPONS[id]
    count, sides, plus = parts(weapon.damage)
    most = count * sides + plus + {"full": 6, "half": 3, "none": 0}[weapon.bonus]
    scene = duel(armed(id, **BONUS_D6), {"max_hp": 50})
    if weapon.impales:
        assert attack(scene, id, EXTREME, [1] * count) == most + count + plus  # the bonus is not rolled again
    else:
        assert attack(scene, id, EXTREME) == most


@pytest.mark.parametrize(
    ("strength", "size", "dice", "rolled", "most"),
    [
        (32, 32, [], -2, -2),
        (42, 42, [], -1, -1),
        (62, 62, [], 0, 0),
        (82, 82, [3], 3, 4),
        (102, 102, [5], 5, 6),
        (142, 142, [2, 6], 8, 12),
        (182, 182, [1, 1, 4], 6, 18),
        (220, 220, [6, 6, 1, 2], 15, 24),
    ],
)
def test_every_damage_bonus(duel: Scenery, strength: int, size: int, dice: list[int], rolled: int, most: int) -> None:
    """With a large knife, 1D8, which impales; the most of a negative bonus is itself."""
    ada = armed("large-knife", strength=strength, size=size)
    bonus = [dice] if dice else []
    assert attack(duel(ada, {"max_hp": 60}), "large-knife", HIT, [7], *bonus) == 7 + rolled
    assert attack(duel(ada, {"max_hp": 60}), "large-knife", EXTREME, [7]) == 8 + most + 7


@pytest.mark.parametrize(("strength", "half"), [(30, -1), (40, 0), (80, 1), (100, 2)])
def test_half_a_bonus_is_cut_off(duel: Scenery, strength: int, half: int) -> None:
    """-2, -1, 1D4 that shows 3, and 1D6 that shows 5."""
    dice = {80: [[3]], 100: [[5]]}.get(strength, [])
    scene = duel(armed("whip", strength=strength, size=strength))
    assert attack(scene, "whip", HIT, [3], *dice) == 3 + half


def test_damage_is_never_below_0(duel: Scenery) -> None:
    scene = duel({"strength": 20, "size": 20})
    scene.move("ada", "fight", HIT, MISS, [1])
    assert scene["bob"].hp == scene["bob"].max_hp


@pytest.mark.parametrize("rolled", [HIT, HARD, EXTREME, CRITICAL])
def test_a_reaction_deals_ordinary_damage_however_good_it_is(duel: Scenery, rolled: int) -> None:
    scene = duel(bob={"weapons": ["large-knife"], **BONUS_D6})
    scene.move("ada", "fight", MISS, rolled, [2], [3])
    assert scene.lost("ada") == 5
    scene = duel({"weapons": ["large-knife"], **BONUS_D6}, {"dexterity": 70})
    scene.move("bob", "fight")
    scene.move("ada", "fight back with large knife", MISS, rolled, [8], [1])
    assert scene.lost("bob") == 9


@pytest.mark.parametrize("rolled", [EXTREME, CRITICAL])
def test_an_enemys_extreme_success_counts_as_well(duel: Scenery, rolled: int) -> None:
    scene = duel(bob={"dexterity": 70, "natural": "1D6", **BONUS_D6})
    scene.move("bob", "fight")
    scene.move("ada", "dodge", rolled, MISS)
    assert scene.lost("ada") == 6 + 6


# Armour and wards


@pytest.mark.parametrize(("armour", "through"), [(0, 4), (1, 3), (3, 1), (4, 0), (20, 0)])
def test_armour_is_taken_off_every_hit(duel: Scenery, armour: int, through: int) -> None:
    scene = duel(armed("large-club"), {"armour": armour})
    assert attack(scene, "large-club", HIT, [4]) == through
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert attack(scene, "large-club", HIT, [4]) == 2 * through


def test_investigators_wear_armour_too(duel: Scenery) -> None:
    scene = duel({"armour": 2}, {"natural": "1D6"})
    scene.move("ada", "fight", MISS, HIT, [5])
    assert scene.lost("ada") == 3


SHOT = ("38-revolver", "shoot with .38 revolver")
BLOW = ("large-club", "fight with large club")
STAB = ("large-knife", "fight with large knife")
THROW = ("throwing-knife", "shoot with throwing knife")
PELLETS = ("12-gauge", "shoot with 12-gauge")


@pytest.mark.parametrize(
    ("ward", "weapon", "dice", "lost"),
    [
        ("none", SHOT, [[7]], 7),
        ("guns-half", SHOT, [[7]], 3),
        ("guns-half", PELLETS, [[1, 2, 3, 5]], 5),
        ("guns-half", BLOW, [[7]], 7),
        ("guns-half", THROW, [[3]], 3),
        ("guns-one", SHOT, [[10]], 1),
        ("guns-one", PELLETS, [[6, 6, 6, 6]], 1),
        ("guns-one", BLOW, [[7]], 7),
        ("melee-half", BLOW, [[7]], 3),
        ("melee-half", BLOW, [[1]], 0),
        ("melee-half", SHOT, [[7]], 7),
        ("impaling-least", STAB, [], 1),
        ("impaling-least", SHOT, [], 1),
        ("impaling-least", THROW, [], 1),
        ("impaling-least", BLOW, [[7]], 7),
        ("impaling-least", PELLETS, [[1, 2, 3, 4]], 10),
    ],
)
def test_bodies_that_defy_weapons(
    duel: Scenery, ward: str, weapon: tuple[str, str], dice: list[list[int]], lost: int
) -> None:
    id, text = weapon
    scene = duel(armed(id), {"ward": ward, "max_hp": 50})
    answer = [MISS] if text.startswith("fight") else []
    scene.move("ada", text, HIT, *answer, *dice)
    assert scene.lost("bob") == lost


def test_a_ward_comes_before_armour(duel: Scenery) -> None:
    scene = duel(armed("38-revolver"), {"ward": "guns-half", "armour": 2})
    scene.move("ada", "shoot with .38 revolver", HIT, [9])
    assert scene.lost("bob") == 9 // 2 - 2


def test_the_least_of_an_impaling_weapon_even_at_an_extreme_success(duel: Scenery) -> None:
    """Nothing is rolled: 1D6+1 and a bonus of 1D6 are 3."""
    for rolled in (EXTREME, HIT):
        scene = duel(armed("medium-sword", **BONUS_D6), {"ward": "impaling-least"})
        assert attack(scene, "medium-sword", rolled) == 1 + 1 + 1


def test_half_of_the_most_is_what_an_extreme_success_deals_through_a_ward(duel: Scenery) -> None:
    scene = duel(armed("large-club"), {"ward": "melee-half"})
    assert attack(scene, "large-club", EXTREME) == 8 // 2


def test_the_dark_young_deals_its_damage_bonus(brawl: Scenery) -> None:
    """STR 220 and SIZ 220 are 4D6, and five attacks."""
    scene = brawl({"ada": {"max_hp": 90}}, {"young": {"base": "dark-young"}})
    for attack_number in range(5):
        assert scene.to_act == ["young"], attack_number
        scene.move("young", "fight")
        if attack_number == 0:
            scene.move("ada", "dodge", 16, MISS)  # an extreme success of 80: the most, nothing is rolled
        elif attack_number == 1:
            scene.move("ada", "dodge", 80, MISS, [1, 2, 3, 4])
        else:
            scene.move("ada", "dodge", MISS, MISS)
    assert scene.to_act == ["ada"]
    assert scene.lost("ada") == 24 + 10


@pytest.mark.parametrize(("regains", "hp", "after"), [(1, 10, 11), (1, 20, 20), (3, 18, 20), (0, 10, 10)])
def test_a_body_that_regains_hp_does_so_at_the_end_of_every_round(
    duel: Scenery, regains: int, hp: int, after: int
) -> None:
    scene = duel(bob={"regains": regains, "hp": hp})
    scene.move("ada", "wait")
    scene.move("bob", "fight")
    assert scene["bob"].hp == hp
    scene.move("ada", "dodge", MISS, MISS)
    assert scene["bob"].hp == after


def test_the_dead_regain_nothing(brawl: Scenery) -> None:
    scene = brawl(["ada"], {"bob": {"regains": 2, "hp": 1}, "dan": {}})
    scene.move("ada", "fight bob", HIT, MISS, [1])
    scene.move("dan", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert scene["bob"].hp == 0
    assert scene["bob"].state == terms.DEAD


# The tables


def test_derived_values_at_every_border() -> None:
    """STR + SIZ, and the two ends of each line of the table."""
    lines = {
        (2, 64): ("-2", -2),
        (65, 84): ("-1", -1),
        (85, 124): ("none", 0),
        (125, 164): ("1D4", 1),
        (165, 204): ("1D6", 2),
        (205, 284): ("2D6", 3),
        (285, 364): ("3D6", 4),
        (365, 444): ("4D6", 5),
        (445, 524): ("5D6", 6),
        (525, 604): ("6D6", 7),
    }
    assert all(second[0] == first[1] + 1 for first, second in pairwise(lines))
    for (least, most), expected in lines.items():
        for total in (least, most):
            bonus, build = bonus_and_build(total)
            assert (bonus_text(bonus), build) == expected, total


@pytest.mark.parametrize(
    ("strength", "dexterity", "size", "mov"),
    [
        (49, 49, 50, 7),
        (50, 49, 50, 8),
        (49, 50, 50, 8),
        (50, 50, 50, 8),
        (51, 50, 50, 8),
        (51, 51, 50, 9),
        (90, 10, 50, 8),
    ],
)
def test_mov_follows_from_str_and_dex_against_siz(strength: int, dexterity: int, size: int, mov: int) -> None:
    assert mov_of(strength, dexterity, size) == mov


@pytest.mark.parametrize(("constitution", "size", "hp"), [(50, 50, 10), (50, 59, 10), (55, 55, 11), (35, 5, 4)])
def test_hp_are_a_tenth_of_con_and_siz(constitution: int, size: int, hp: int) -> None:
    assert hp_of(constitution, size) == hp


@pytest.mark.parametrize(("dexterity", "dodge"), [(50, 25), (51, 25), (99, 49)])
def test_dodge_is_half_of_dex(dexterity: int, dodge: int) -> None:
    assert dodge_of(dexterity) == dodge


def test_a_sheet_that_says_nothing_else_has_the_derived_values(duel: Scenery) -> None:
    teams = {"a": [{"name": "A", "strength": 70, "size": 60, "constitution": 45, "dexterity": 61}], "b": ["thug"]}
    fighter = Fight("mythos", teams, seed=1).state.fighters[0]
    assert (fighter.hp, fighter.max_hp, fighter.mov, fighter.dodge, fighter.build) == (10, 10, 9, 30, 1)
    assert (fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat) == (1, 4, 0)


@pytest.fixture(scope="module")
def rulings(shared: Path) -> dict[str, str]:
    """The sections of the rulings by their titles."""
    text = (shared / "rules" / "mythos.md").read_text(encoding="utf-8")
    sections = (section.partition("\n") for section in text.split("\n## ")[1:])
    return {title.partition(" (")[0].partition(":")[0]: body for title, _, body in sections}


def test_base_skills_are_those_of_the_rulings(rulings: dict[str, str]) -> None:
    (line,) = re.findall(r"Base skills: (.*)\.", rulings["Derived values"])
    listed = dict(entry.rsplit(" ", 1) for entry in line.split(", "))
    assert {name.lower().replace("/", "-"): int(chance) for name, chance in listed.items()} == BASE_SKILLS


@pytest.mark.parametrize("id", WEAPONS)
def test_a_missing_skill_is_its_base_chance(duel: Scenery, id: str) -> None:
    if id == "hands":
        assert duel({"skills": {}})["ada"].skills[0] == BASE_SKILLS["brawl"]
    else:
        assert duel({"skills": {}, "weapons": [id]})["ada"].skills[1] == BASE_SKILLS[WEAPONS[id].skill]


def test_melee_and_thrown_weapons_are_those_of_the_rulings(rulings: dict[str, str]) -> None:
    prose, _, _ = rulings["Weapons"].partition("\n\n")
    found = {}
    for sentence in re.findall(r"[A-Z][^.]*\.", " ".join(prose.split())):
        group, _, entries = sentence.rstrip(".").rpartition(": ")
        for entry in entries.split(", "):
            match = re.fullmatch(r"(.+?) (\d+D\d+(?:\+\d+)?)(\+?)( i)?(?: \(half bonus\))?", entry)
            assert match, entry
            name, damage, full, impales = match.groups()
            name = {"fists": "hands"}.get(name, name.lower())
            if group in ("Sword", "Thrown") and name != "rock":
                name = f"{name} sword" if group == "Sword" else f"throwing {name}"
            bonus = "half" if group == "Thrown" or name == "whip" else "full" if full else "none"
            skill = {"Thrown": "throw", "": name}.get(group, group.lower())
            found[name] = (damage, bonus, bool(impales), skill)
    listed = {
        weapon.name: (weapon.damage, weapon.bonus, weapon.impales, weapon.skill)
        for weapon in WEAPONS.values()
        if weapon.kind != "gun"
    }
    assert len(found) == 21
    assert listed == found


def test_guns_are_those_of_the_rulings(rulings: dict[str, str]) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in rulings["Weapons"].splitlines()
        if line.startswith("|")
    ]
    guns = {weapon.name: weapon for weapon in WEAPONS.values() if weapon.kind == "gun"}
    for name, skill, damage, yards, shots, magazine, malfunction in rows[2:]:
        gun = guns.pop(name.removesuffix(" .25") if name.startswith("derringer") else name)
        damages, ranges = damage.split(" / "), yards.split("/")
        assert [gun.damage, gun.farther, gun.farthest][: len(damages)] == damages
        assert [gun.base_range, gun.second_range, gun.third_range][: len(ranges)] == [int(far) for far in ranges]
        assert gun.shots == int(shots[-1])
        assert (gun.magazine, gun.malfunction) == (int(magazine), int(malfunction))
        assert gun.skill == ("rifle-shotgun" if skill in ("rifle", "shotgun") else skill)
        assert gun.handgun == (skill == "handgun")
        assert gun.impales == (skill != "shotgun")
        assert gun.bonus == "none"
    assert not guns


def test_enemies_are_those_of_the_rulings(rulings: dict[str, str]) -> None:
    (section,) = (body for title, body in rulings.items() if title.startswith("Enemies"))
    listed = [entry.strip().rstrip(".") for entry in " ".join(section.split()).split("—")]
    enemies = {sheet.name for sheet in SHEETS.fighters().values() if sheet.kind == "enemy"}
    for entry in filter(None, listed):
        who, attacks, mov, defence = (part.strip() for part in entry.split(" | "))
        match = re.fullmatch(r"([a-z -]+?)((?: \d+){5})", who)
        assert match, who
        name = match[1]
        enemies.remove(name)
        strength, con, size, dex, power = map(int, match[2].split())
        sheet = SHEETS.enlist(name.replace(" ", "-"))
        fighter = Fight("mythos", {"a": ["detective"], "b": [sheet.id]}, seed=1).state.fighters[1]
        assert fighter.enemy == 1
        assert (sheet.strength, sheet.size, sheet.power) == (strength, size, power)
        assert (fighter.constitution, fighter.dexterity) == (con, dex)
        assert (fighter.hp, fighter.max_hp) == ((con + size) // 10,) * 2
        assert fighter.mov == int(mov), name
        assert fighter.build == bonus_and_build(strength + size)[1]
        assert_attacks(attacks, sheet, fighter)
        assert_defence(defence, sheet, fighter)
    assert not enemies


def assert_attacks(attacks: str, sheet: Any, fighter: Any) -> None:
    """`3x40 1D6+`, `1x40 small knife`, `1x35 .32 revolver, brawl 40` or `5x80 damage bonus`."""
    first, *further = attacks.split(", ")
    times, skill, what = re.fullmatch(r"(\d)x(\d+) (.+)", first).groups()  # type: ignore[union-attr]
    assert fighter.attacks == int(times)
    carried = {weapon.name: (id, weapon) for id, weapon in WEAPONS.items()}
    if what in carried:
        id, weapon = carried[what]
        assert sheet.weapons == (id,)
        assert fighter.weapons[fighter.wielded] == weapon_code(WEAPONS[id])
        assert fighter.skills[fighter.wielded] == int(skill)
        assert sheet.skills[weapon.skill] == int(skill)
    else:
        assert sheet.weapons == ()
        assert fighter.skills[0] == int(skill)
        assert fighter.damage[HANDS] == damage_code("0" if what == "damage bonus" else what.removesuffix("+"))
    for entry in further:
        skilled, chance = entry.split()
        assert sheet.skills[skilled] == int(chance)


def assert_defence(defence: str, sheet: Any, fighter: Any) -> None:
    """A number for armour, or what the body does to weapons, or both it and what it regains."""
    words = {
        "guns half": "guns-half",
        "guns do 1": "guns-one",
        "melee half": "melee-half",
        "impaling weapons minimum": "impaling-least",
    }
    armour, _, regains = defence.partition(", regains ")
    assert fighter.regains == int(regains.split()[0] if regains else 0)
    assert fighter.armour == (0 if armour in words else int(armour))
    assert fighter.ward == list(WARDS).index(words.get(armour, "none"))
