"""Weapons, items and perks of a fighter's own: every figure has its effect, and a bad one gets its sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel import records
from affray.system.registry import find
from affray.system.schema import settle
from affray.system.setup import Setup
from affray.system.sheet_files import change_sheet
from affray.systems.mythos.gear import EFFECTS, ITEMS, KNOWN_PERKS
from affray.systems.mythos.sheets import OPTIONS, SHEETS, Sheet, after_fight, idle_perks
from affray.systems.mythos.terms import PERKS
from affray.systems.mythos.weapons import WEAPONS

Scenery = Callable[..., Any]
Made = Mapping[str, object]
ALL_WEAPONS = [id for id in WEAPONS if id != "hands"]
HANDS_DOWN = {"max_hp": 60}
"""A fighter who stands whatever hits."""


def packed(**sheet: object) -> bytes:
    """The record of a duel of a fighter with such a sheet, before it begins."""
    setup = Setup.of("mythos", {"heroes": [{"name": "Ida", **sheet}], "horrors": ["zombie"]})
    return records.pack(setup.seated())


def copy(thing: Any) -> dict[str, object]:
    """All figures of something that comes with the rules, without its name."""
    return {key: value for key, value in thing.as_table().items() if key not in ("id", "name")}


# What is copied from the rules is the same


@pytest.mark.parametrize("id", ALL_WEAPONS)
def test_a_copy_of_a_weapon_is_that_weapon(id: str) -> None:
    theirs = packed(weapons=[id, "torch" if id != "torch" else "rock"], wields=id)
    for table in (copy(WEAPONS[id]), {"base": id}):
        mine = packed(own_weapons={"mine": table}, weapons=["torch" if id != "torch" else "rock"], wields="mine")
        assert mine == theirs


@pytest.mark.parametrize("id", ITEMS)
def test_a_copy_of_an_item_does_as_much(id: str) -> None:
    place, mine, theirs = (
        list(ITEMS).index(id),
        *(
            Setup.of("mythos", {"a": [{"name": "Ida", **sheet}], "b": ["zombie"]}).seated().fighters[0]
            for sheet in ({"own_items": {"mine": copy(ITEMS[id])}}, {"items": {id: 1}})
        ),
    )
    for row in ("items", "heals", "boosts"):
        assert getattr(mine, row)[len(ITEMS)] == getattr(theirs, row)[place]


@pytest.mark.parametrize("id", PERKS)
def test_a_copy_of_a_perk_is_that_perk(id: str) -> None:
    assert packed(own_perks={"mine": copy(KNOWN_PERKS[id])}, luck=50) == packed(perks=[id], luck=50)
    assert list(KNOWN_PERKS[id].effects) == [PERKS.index(id)]


def test_odds_and_stories_are_those_of_what_was_copied() -> None:
    own = {"weapons": ["blackjack"], "wields": "six-gun", "perks": ["quick-draw"]}
    own |= {"own_weapons": {"six-gun": copy(WEAPONS["38-revolver"])}, "own_perks": {"ironclad": {"tough_guy": 5}}}
    told = []
    for changes, names in (({}, (".38 revolver", "Tough Guy")), (own, ("six gun", "ironclad"))):
        teams = {"a": [{"base": "detective", **changes}], "b": ["ghoul"]}
        fight = Fight("mythos", teams, seed=1, options={"profile": "classic"})
        odds = fight.odds("detective", playouts=20, seed=3)
        fight.play_on()
        story = "\n".join(map(str, fight.lines))
        assert all(name in story for name in names)
        for name, neutral in zip(names, ("GUN", "PERK"), strict=True):
            story = story.replace(name, neutral)
        told.append((story, [of.chances for of in odds.values()], records.pack(fight.state)))
    assert told[0] == told[1]


# Every figure of a weapon

CLUB = {"kind": "melee", "skill": "sword", "damage": "1D6+1", "bonus": "full"}
GUN = {"kind": "gun", "skill": "rifle-shotgun", "damage": "1D8", "base_range": 10, "magazine": 4}
STRONG = {"strength": 90, "size": 60}  # a damage bonus of 1D4


def armed(weapon: Made, **changes: object) -> dict[str, object]:
    """A fighter with bare hands and a weapon of their own."""
    return {"kind": "investigator", "dexterity": 60, "mov": 7, "max_hp": 60, "own_weapons": {"mine": weapon}, **changes}


def hurt(
    duel: Scenery, weapon: Made, *dice: Any, ada: Any = None, move: str = "fight with mine", **options: Any
) -> int:
    """What a blow with such a weapon takes, when these dice have fallen; all of them must."""
    scene = duel(armed(weapon, **(ada or {})), HANDS_DOWN, **options)
    scene.move("ada", move, *dice)
    return int(scene.lost("bob"))


def test_the_skill_is_the_one_that_is_named(duel: Scenery) -> None:
    skills = {"sword": 70, "brawl": 10}
    for skill, rolled in skills.items():
        scene = duel(armed({**CLUB, "skill": skill}, skills=skills), HANDS_DOWN)
        assert f"({rolled} or less)" in scene.move("ada", "fight with mine", 99, 99)[1]


def test_its_dice_are_rolled_and_what_it_adds_is_added(duel: Scenery) -> None:
    bob = 99  # fights back in vain
    skilled = {"skills": {"sword": 60}}
    assert hurt(duel, CLUB, 40, bob, [4], ada=skilled) == 5
    assert hurt(duel, {**CLUB, "damage": "3D10+20"}, 40, bob, [4, 10, 1], ada=skilled) == 35
    assert hurt(duel, {**CLUB, "damage": "7"}, 40, bob, ada=skilled) == 7


@pytest.mark.parametrize(("bonus", "dice", "dealt"), [("none", [], 4), ("half", [[3]], 5), ("full", [[3]], 7)])
def test_the_damage_bonus_is_added_as_far_as_it_says(duel: Scenery, bonus: str, dice: list[Any], dealt: int) -> None:
    strong = {**STRONG, "skills": {"sword": 60}}
    assert hurt(duel, {**CLUB, "bonus": bonus}, 40, 99, [3], *dice, ada=strong) == dealt


def test_what_impales_rolls_on_top_of_the_most(duel: Scenery) -> None:
    skilled = {"skills": {"sword": 60}}
    assert hurt(duel, CLUB, 5, 99, ada=skilled) == 7
    assert hurt(duel, {**CLUB, "impales": True}, 5, 99, [2], ada=skilled) == 7 + 3


def test_a_gun_fires_as_often_as_it_says_and_a_handgun_less_surely(duel: Scenery) -> None:
    shooter = {"skills": {"rifle-shotgun": 60}}
    for shots in (1, 2, 3):
        legal = duel(armed({**GUN, "shots": shots}, **shooter), HANDS_DOWN).legal("ada")
        assert [move for move in legal if move.startswith("shoot")] == [
            f"shoot{times} with mine" for times in ("", " twice", " three times")[:shots]
        ]
    twice = {"move": "shoot twice with mine", "ada": shooter}
    assert hurt(duel, {**GUN, "shots": 2}, 40, [3], 40, [5], **twice) == 8
    assert hurt(duel, {**GUN, "shots": 2, "handgun": True}, "40+1", [3], "40+1", [5], **twice) == 8


def test_a_gun_holds_and_reloads_what_its_magazine_says(duel: Scenery) -> None:
    scene = duel(armed({**GUN, "magazine": 5}, loaded={"mine": 1}, ammunition={"mine": 9}), HANDS_DOWN)
    scene.move("ada", "reload mine")
    assert (scene["ada"].loaded[1], scene["ada"].spare[1]) == (5, 5)
    fresh = duel(armed({**GUN, "magazine": 5}), HANDS_DOWN)["ada"]
    assert (fresh.loaded[1], fresh.spare[1]) == (5, 10)


@pytest.mark.parametrize(("malfunction", "jams"), [(None, False), (97, False), (95, True), (90, True)])
def test_a_gun_jams_from_its_number_on(duel: Scenery, malfunction: int | None, jams: bool) -> None:
    weapon = {**GUN, **({"malfunction": malfunction} if malfunction else {})}
    scene = duel(armed(weapon), HANDS_DOWN, malfunction=True)
    assert ("The mine of Ada jams." in scene.move("ada", "shoot with mine", 96)) == jams


BANDS = {"farther": "1D6", "second_range": 20, "farthest": "1D3", "third_range": 40}


@pytest.mark.parametrize(
    ("weapon", "yards", "dealt"),
    [
        ({}, 10, 8),  # skill 60: 25 is a hard success, the most at an extreme one is another matter
        ({}, 20, 8),
        ({}, 21, None),
        ({"base_range": 11}, 21, 8),
        (BANDS, 10, 8),
        (BANDS, 20, 6),
        (BANDS, 40, 3),
        ({**BANDS, "second_range": 19}, 20, 3),
        ({**BANDS, "third_range": 50}, 50, 3),
    ],
)
def test_ranges_and_the_dice_of_every_band(duel: Scenery, weapon: Made, yards: int, dealt: int | None) -> None:
    dice = [] if dealt is None else [[dealt]]
    options = {"range": True, "distance": yards, "move": "shoot with mine", "ada": {"skills": {"rifle-shotgun": 60}}}
    assert hurt(duel, {**GUN, **weapon}, 25, *dice, **options) == (dealt or 0)


def test_beyond_its_bands_a_gun_is_not_fired(duel: Scenery) -> None:
    scene = duel(armed({**GUN, **BANDS}), HANDS_DOWN, range=True, distance=41)
    assert scene.closed("ada")["shoot with mine"] == "out of range"


def test_what_is_thrown_is_gone(duel: Scenery) -> None:
    flask = {"kind": "thrown", "skill": "throw", "damage": "2D6", "base_range": 15, "magazine": 1}
    scene = duel(armed({"name": "acid flask", **flask}, skills={"throw": 60}), HANDS_DOWN)
    assert scene.move("ada", "shoot with acid flask", 40, [3, 4])[0] == "Ada throws the acid flask at Bob."
    assert "shoot with acid flask" not in scene.legal("ada")


def test_what_is_one_s_own_is_in_hand_unless_the_sheet_says_otherwise() -> None:
    ida = SHEETS.enlist({"name": "Ida", "weapons": ["torch"], "own_weapons": {"cane": CLUB}})
    assert ida.carried == ("cane", "torch")
    placed = SHEETS.enlist({"name": "Ida", "weapons": ["torch", "cane"], "own_weapons": {"cane": CLUB}})
    assert placed.carried == ("torch", "cane")
    for sheet, wielded in ((ida, 1), (placed, 1)):
        assert Setup.of("mythos", {"a": [sheet.as_table()], "b": ["zombie"]}).seated().fighters[0].wielded == wielded


# Every figure of an item


def with_item(item: Made, **changes: object) -> dict[str, object]:
    return armed(CLUB, own_items={"tonic": item}, skills={"sword": 60, "dodge": 50}, **changes)


def test_an_item_mends_what_its_dice_say_and_there_are_as_many_as_the_sheet_says(duel: Scenery) -> None:
    scene = duel(with_item({"heals": "2D4+1"}, hp=9, items={"tonic": 2}), HANDS_DOWN)
    assert scene.move("ada", "use tonic", [1, 3])[0] == "Ada uses tonic on themselves: +5 HP, now 14."
    assert scene["ada"].items[len(ITEMS)] == 1
    once = duel(with_item({"heals": "3"}, hp=59), HANDS_DOWN)
    once.move("ada", "use tonic")
    assert (once["ada"].hp, once["ada"].items[len(ITEMS)]) == (60, 0)
    assert duel(with_item({"heals": "3"}, items={"tonic": 0}), HANDS_DOWN).closed("ada")["use tonic"] == "none left"


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("boosts", ["attacks", "reactions", "constitution"])
def test_bonus_dice_fall_on_the_rolls_that_are_named_and_no_others(duel: Scenery, boosts: str, dice: int) -> None:
    more = {roll: f"+{dice}" if roll == boosts else "" for roll in ("attacks", "reactions", "constitution")}
    scene = duel(with_item({"boosts": [boosts], "dice": dice, "turns": 2}), HANDS_DOWN)
    scene.move("ada", "use tonic")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", 99, f"98{more['reactions']}")
    scene.move("ada", "fight with mine", f"98{more['attacks']}", 99)
    scene.move("bob", "fight")
    scene.move("ada", "fight back with hands", 99, f"98{more['reactions']}")
    scene.move("ada", "flee", f"98{more['constitution']}", 20)


@pytest.mark.parametrize("turns", [1, 3])
def test_bonus_dice_wear_off_after_so_many_turns(duel: Scenery, turns: int) -> None:
    scene = duel(with_item({"boosts": ["attacks"], "dice": 1, "turns": turns}, items={"tonic": 9}), HANDS_DOWN)
    scene.move("ada", "use tonic")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", 99, 98)
    for turn in range(4):
        lasts = turn < turns
        assert ("use tonic" in scene.legal("ada")) != lasts
        assert scene.closed("ada").get("use tonic") == ("the last one has not worn off" if lasts else None)
        scene.move("ada", "fight with mine", "98+1" if lasts else 98, 99)
        scene.move("bob", "fight")
        scene.move("ada", "dodge", 99, 98)


def test_an_item_that_says_no_dice_gives_as_many_as_the_option(duel: Scenery) -> None:
    for dice in (1, 2):
        scene = duel(with_item({"boosts": ["attacks"]}), HANDS_DOWN, boost_dice=dice)
        scene.move("ada", "use tonic")
        assert scene["ada"].boost == dice
    assert duel(with_item({"boosts": ["attacks"]}), boost_dice=0).closed("ada")["use tonic"] == (
        "it does nothing here (option boost_dice)"
    )
    assert "use tonic" in duel(with_item({"boosts": ["attacks"], "dice": 1}), boost_dice=0).legal("ada")


def test_an_item_may_mend_and_boost_an_ally(brawl: Scenery) -> None:
    item = {"name": "smelling salts", "heals": "1", "boosts": ["reactions"], "dice": 2}
    ada = {"dexterity": 90, "own_items": {"salts": item}, "items": {"salts": 1}}
    scene = brawl({"ada": ada, "cleo": {"dexterity": 80, "hp": 3}}, ["bob"])
    assert scene.move("ada", "use smelling salts cleo") == [
        "Ada uses smelling salts on Cleo: +1 HP, now 4.",
        "Ada gives Cleo the smelling salts.",
    ]
    assert (scene["cleo"].hp, scene["cleo"].boost) == (4, 2 << 2)


# How much there is of an effect


def test_more_of_a_passive_effect(duel: Scenery) -> None:
    scene = duel({"own_perks": {"lungs": {"endurance": 2}}, "mov": 5})
    scene.move("ada", "flee", "98+2", 20)
    small, huge = {"strength": 40, "size": 40}, {"strength": 150, "size": 150}
    assert "trip" not in duel(small, huge).legal("ada")
    assert "trip" in duel({**small, "own_perks": {"judo": {"outmaneuver": 4}}}, huge).legal("ada")
    for dexterity, first in ((71, "bob"), (69, "ada")):
        draws = {"weapons": ["bow"], "own_perks": {"quick": {"quick_draw": 10}}}
        assert duel(draws, {"dexterity": dexterity}).to_act == [first]


def test_more_of_an_active_effect_and_its_price(duel: Scenery) -> None:
    driven = {"rapid_attack": 2, "heavy_hitter": 2, "tough_guy": 8, "price": 3}
    scene = duel({"own_perks": {"driven": {"name": "Driven", **driven}}, "luck": 20}, HANDS_DOWN)
    scene.move("ada", "fight", 40, 99)
    assert "use Driven for 2 more damage dice (3 Luck)?" in scene.fight.status()
    assert scene.move("ada", "use", [2], [3, 3])[0] == "Ada uses Driven, Luck is now 17."
    assert scene.lost("bob") == 8
    for luck in (14, 11):
        assert "may attack once more: use Driven (3 Luck)?" in scene.fight.status()
        scene.move("ada", "use")
        scene.move("ada", "fight", 98, 99)
        assert scene["ada"].luck == luck
    scene.move("bob", "fight")
    scene.move("ada", "dodge", 40, 99, [3])
    assert "use Driven to ignore up to 8 (3 Luck)?" in scene.fight.status()
    scene.move("ada", "use")
    assert (scene.lost("ada"), scene["ada"].luck) == (0, 8)


# Perks that do nothing


@pytest.mark.parametrize(
    ("perk", "options", "reason"),
    [
        ({"alert": True}, {}, "nobody is surprised here (option surprise)"),
        ({"alert": True}, {"surprise": "first"}, ""),
        ({"alert": True, "endurance": 1}, {}, ""),
        ({"alert": True, "night_vision": True}, {}, "nobody is surprised here (option surprise); it is not dark here"),
        ({"tough_guy": 9}, {}, "it costs 10 Luck, and there are 4"),
        ({"tough_guy": 9, "price": 5}, {}, "it costs 5 Luck, and there are 4"),
        ({"tough_guy": 9, "price": 4}, {}, ""),
        ({"quick_draw": 50}, {"readied_gun": True}, "all have it here (option readied_gun)"),
        ({"quick_draw": 51}, {"readied_gun": True}, ""),
        ({"beady_eye": True}, {}, ""),
    ],
)
def test_perks_that_do_nothing_say_so(duel: Scenery, perk: Made, options: dict[str, Any], reason: str) -> None:
    table = armed(GUN, own_perks={"mine": {"name": "Mine", **perk}}, luck=4)
    idle = idle_perks(SHEETS.enlist({"name": "Ada", **table}), settle(OPTIONS, options))
    assert idle.get("mine", "").startswith(reason)
    assert bool(idle) == bool(reason)
    closed = duel(table, **options).closed("ada").get("Mine", "")
    assert closed.startswith(f"this perk does nothing: {reason}" if reason else "")


# What does not fit


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"own_weapons": {"cane": {"kind": "melee", "damage": "1D6"}}}, "own_weapons.cane: skill is missing; it must"),
        ({"own_weapons": {"cane": {**CLUB, "damage": "1D21"}}}, "own_weapons.cane: damage must be dice such as"),
        ({"own_weapons": {"cane": {**CLUB, "skill": "fencing"}}}, "own_weapons.cane: skill: there is no choice 'fenc"),
        ({"own_weapons": {"cane": {**CLUB, "reach": 2}}}, "own_weapons.cane: there is no key 'reach'"),
        ({"own_weapons": {"cane": {**CLUB, "magazine": 6}}}, "cane: magazine must be 0 for a melee weapon, not 6"),
        ({"own_weapons": {"cane": {**CLUB, "shots": 2}}}, "cane: shots must be left out for a melee weapon, not 2"),
        ({"own_weapons": {"gun": {**GUN, "shots": 4}}}, "own_weapons.gun: shots must be 1 to 3, not 4"),
        ({"own_weapons": {"gun": {**GUN, "magazine": 0}}}, "gun: magazine must be 1 or more for a gun, not 0"),
        ({"own_weapons": {"gun": {**GUN, "base_range": 501}}}, "gun: base_range must be 0 to 500, not 501"),
        ({"own_weapons": {"gun": {**GUN, "malfunction": 89}}}, "gun: malfunction must be 90 to 100, not 89"),
        (
            {"own_weapons": {"gun": {**GUN, "second_range": 5, "farther": "1D6"}}},
            "second_range must be more than the 10",
        ),
        (
            {"own_weapons": {"gun": {**GUN, "second_range": 15}}},
            "farther must be the dice up to second_range, and both",
        ),
        ({"own_weapons": {"torch": CLUB}}, "own_weapons.torch: the system already has such a weapon"),
        ({"own_weapons": {"cane": {**CLUB, "name": "Torch"}}}, "cane: name must be unlike that of torch, not 'Torch'"),
        ({"own_weapons": {"cane": {**CLUB, "name": "a;b"}}}, "cane: name must be text without : ; , ( ), not 'a;b'"),
        ({"own_weapons": {"Cane": CLUB}}, "own_weapons: id must be an id of lowercase letters, digits and dashes"),
        (
            {"own_weapons": {"cane": {"base": "trch"}}},
            "own_weapons.cane: there is no weapon 'trch'; did you mean torch",
        ),
        ({"own_weapons": {"cane": 7}}, "own_weapons.cane must be a table with the keys id, name, kind"),
        ({"own_weapons": ["cane"]}, "own_weapons must be a table of at most 4 { weapon = { its values } }, not"),
        ({"own_weapons": {f"w{n}": CLUB for n in range(5)}}, "own_weapons must be a table of at most 4"),
        (
            {"own_weapons": {"cane": CLUB}, "weapons": ["torch", "rock", "whip", "bow"]},
            "own_weapons must be so few that at most 4 are carried with torch, rock, whip, bow, not ['cane']",
        ),
        ({"own_weapons": {"cane": CLUB}, "weapons": ["cain"]}, "there is no weapon 'cain'; did you mean cane?"),
        ({"own_weapons": {"cane": CLUB}, "ammunition": {"cane": 1}}, "ammunition: cane takes no ammunition"),
        ({"own_items": {"tonic": {}}}, "tonic: heals must be more than 0 for an item that boosts nothing, not '0'"),
        ({"own_items": {"tonic": {"heals": "1", "turns": 2}}}, "tonic: boosts must be some of attacks, reactions"),
        ({"own_items": {"tonic": {"boosts": ["luck"]}}}, "own_items.tonic: boosts: there is no roll 'luck'"),
        ({"own_items": {"tonic": {"boosts": ["attacks"], "dice": 3}}}, "own_items.tonic: dice must be 1 to 2, not 3"),
        ({"own_items": {"tonic": {"boosts": ["attacks"], "turns": 0}}}, "own_items.tonic: turns must be 1 to 9, not 0"),
        ({"own_items": {"tonic": {"heals": "1"}}, "items": {"tonic": 100}}, "items.tonic must be 0 to 99, not 100"),
        ({"own_perks": {"mine": {}}}, "own_perks.mine: effects must be one or more of beady_eye, rapid_fire"),
        ({"own_perks": {"mine": {"endurance": 3}}}, "own_perks.mine: endurance must be 0 to 2, not 3"),
        ({"own_perks": {"mine": {"alert": True, "price": 5}}}, "mine: price must be left out where there is none of"),
        (
            {"own_perks": {"mine": {"tough_guy": 9}}, "perks": ["tough-guy"]},
            "own_perks: tough-guy and mine both have tough_guy; only one perk may",
        ),
    ],
)
def test_a_bad_thing_gets_a_sentence_that_names_what_is_allowed(changes: Made, sentence: str) -> None:
    with pytest.raises(Invalid, match=re.escape(sentence)):
        SHEETS.enlist({"name": "Ida", **changes})


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("own_weapons=cane", "'cane' must be typed as  id (key value; key value)"),
        ("own_weapons=cane (damge 1D6)", "cane: there is no key 'damge'; did you mean damage"),
        ("own_weapons=cane (damage 1D6; damage 1D8)", "cane: damage is given twice"),
        ("own_weapons=cane (base torch)+cane (base torch)", "names cane twice"),
        ("own_weapons=cane (base torch) (base rock)", "must be typed as  id (key value; key value)"),
    ],
)
def test_a_badly_typed_thing_gets_one_too(typed: str, sentence: str) -> None:
    with pytest.raises(Invalid, match=re.escape(sentence)):
        SHEETS.enlist(f"detective:{typed}")


def test_without_own_gear_only_what_the_tables_have_may_be_brought(duel: Scenery) -> None:
    assert duel(own_gear=False).to_act == ["ada"]
    for own in ({"own_weapons": {"cane": CLUB}}, {"own_items": {"cane": {"heals": "1"}}}):
        with pytest.raises(Invalid, match=r"^Ada may bring nothing of their own here \(option own_gear\): cane$"):
            duel(own, own_gear=False)


def test_things_are_typed_behind_a_fighter() -> None:
    spec = "boxer:own_weapons=pick (base large-club; impales; name ice pick)+sling (base rock; damage 1D6+1)"
    sheet = SHEETS.enlist(f"{spec}:wields=pick:own_items=tonic (heals 1D6; boosts attacks+reactions):items=tonic 2")
    assert (sheet.own_weapons["pick"].name, sheet.own_weapons["pick"].impales) == ("ice pick", True)
    assert (sheet.own_weapons["sling"].damage, sheet.own_weapons["sling"].kind) == ("1D6+1", "thrown")
    assert (sheet.own_items["tonic"].boosts, sheet.counts["tonic"]) == (("attacks", "reactions"), 2)


# There and back


@st.composite
def own_sheets(draw: st.DrawFn) -> Sheet:
    """A fighter with things of their own, made of all that the rules have."""
    weapons = {
        f"weapon-{n}": {
            **draw(st.sampled_from([{"base": id} for id in ALL_WEAPONS])),
            "damage": draw(st.sampled_from(["1D6", "3D8+2", "4"])),
            "impales": draw(st.booleans()),
            "bonus": draw(st.sampled_from(["none", "half", "full"])),
        }
        for n in range(draw(st.integers(0, 3)))
    }
    effects = draw(st.lists(st.sampled_from(EFFECTS), unique=True, max_size=4))
    flags = ("beady_eye", "rapid_fire", "nimble", "alert", "night_vision", "fleet_footed")
    perks = {f"perk-{n}": {effect: True if effect in flags else 2} for n, effect in enumerate(effects)}
    rolls = st.lists(st.sampled_from(["attacks", "reactions", "constitution"]), unique=True)
    items = {
        f"item-{n}": {
            "name": f"Dr O'Hara's no. {n}",
            "heals": draw(st.sampled_from(["1", "2D4"])),
            "boosts": draw(rolls),
        }
        for n in range(draw(st.integers(0, 4)))
    }
    counts = {id: draw(st.integers(0, 9)) for id in items if draw(st.booleans())}
    own = {"own_weapons": weapons, "own_items": items, "own_perks": perks}
    return SHEETS.enlist({"id": "ida", "name": "Ida", "luck": 30, "wields": "hands", "items": counts, **own})


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sheet=own_sheets())
def test_a_sheet_with_things_of_its_own_goes_there_and_back(sheet: Sheet, tmp_path: Path) -> None:
    table = sheet.as_table()
    assert SHEETS.enlist(json.loads(json.dumps(table))) == sheet
    file = tmp_path / "ida.toml"
    file.write_text(tomlkit.dumps({"ida": {key: value for key, value in table.items() if key != "id"}}))
    assert SHEETS.check_file(file) == ["ida"]
    assert SHEETS.enlist(f"{file}#ida") == sheet
    again = SHEETS.enlist(SHEETS.spec_of(sheet, "nurse"), files=False)
    assert (again.own_weapons, again.own_items, again.own_perks) == (
        sheet.own_weapons,
        sheet.own_items,
        sheet.own_perks,
    )
    assert SHEETS.altered("boxer", SHEETS.as_typed(sheet)).own_weapons == sheet.own_weapons, (
        "as the form in the page has it"
    )


def test_a_saved_fight_goes_on_and_what_lasts_is_written_to_the_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    lines = [
        "[ida]  # me",
        'base = "detective"',
        'name = "Ida"',
        'wields = "six-gun"',
        "",
        "[ida.own_weapons.six-gun]",
        'base = "38-revolver"',
        'damage = "1D10+1"  # hand loads',
        "",
        "[ida.own_items.tonic]",
        'heals = "1D4"',
        "",
    ]
    mine.write_text("\n".join(lines))
    fight = Fight("mythos", {"a": [f"{mine}#ida"], "b": ["zombie"]}, seed=5)
    fight.play("ida", "shoot twice with six gun")
    fight.save(tmp_path / "fight.json")
    loaded = Fight.load(tmp_path / "fight.json")
    for one in (fight, loaded):
        while not one.over:
            who, legal = one.to_act[0], [str(move) for move in one.legal(one.to_act[0])]
            one.play(who, "use tonic" if "use tonic" in legal else legal[0])
    assert loaded.story == fight.story
    left = after_fight(fight.state, 0, SHEETS.enlist(f"{mine}#ida"))
    assert left.loaded["six-gun"] == 4
    assert (left.ammunition["six-gun"], left.items["tonic"]) == (12, 0)
    change_sheet(mine, "ida", {"loaded": dict(left.loaded), "items": dict(left.items)})
    assert [line for line in lines if line not in mine.read_text().splitlines()] == []
    assert SHEETS.enlist(f"{mine}#ida").counts["tonic"] == 0


def test_a_world_keeps_things_of_one_s_own_in_the_attribute() -> None:
    residence = find("mythos").residence
    assert residence is not None
    attributes = {"mythos_sheet": "detective:own_weapons=six-gun (base 38-revolver; damage 1D12):wields=six-gun"}
    sheet = residence.player("Ada", attributes)
    fight = Setup.of("mythos", {"a": [sheet.as_table()], "b": ["zombie"]}).seated()
    fight.fighters[0].loaded[1] = 2
    again = residence.player("Ada", residence.returns(fight, 0, attributes))
    assert (again.own_weapons, again.loaded["six-gun"]) == (sheet.own_weapons, 2)
