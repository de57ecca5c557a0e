"""Running away, and first aid and medicine, as the document has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.systems.mythos import terms
from affray.systems.mythos.sheets import after_fight

Scenery = Callable[..., Any]
HIT, MISS = 50, 99
FIRST_AID, MEDICINE = 0, 1
# What a Constitution roll with CON 50 does to MOV.
PACES = {1: +1, 10: +1, 11: 0, 25: 0, 26: 0, 50: 0, 51: -1, 99: -1, 100: -1}


# Flight


@pytest.mark.parametrize(("mine", "theirs"), list(product(PACES, PACES)))
@pytest.mark.parametrize("gap", [-2, -1, 0, 1, 2])
def test_flight_with_every_constitution_result_for_each_side(duel: Scenery, mine: int, theirs: int, gap: int) -> None:
    scene = duel({"mov": 8 + gap}, {"mov": 8})
    told = scene.move("ada", "flee", mine, theirs)
    escapes = 8 + gap + PACES[mine] >= 8 + PACES[theirs]
    assert (scene.ending == "escaped") == escapes
    assert scene.to_act == ([] if escapes else ["bob"])
    assert scene["ada"].mov == 8 + gap  # for this attempt only
    assert scene["bob"].mov == 8
    assert told


@pytest.mark.parametrize("gap", [-3, -2, -1, 0, 1, 2])
@pytest.mark.parametrize(("mine", "theirs"), [(50, 50), (20, 80), (99, 5), (1, 100)])
def test_exact_odds_of_flight(duel: Scenery, d100: Scenery, odds_of: Scenery, gap: int, mine: int, theirs: int) -> None:
    def paces(constitution: int) -> dict[int, Fraction]:
        chances = {change: Fraction(0) for change in (1, 0, -1)}
        for number, share in d100(0).items():
            well = number == 1 or (number <= constitution // 5 and number < 100)
            fails = number == 100 or (number > constitution and number > 1)
            chances[1 if well else -1 if fails else 0] += share
        return chances

    scene = duel({"mov": 8 + gap, "constitution": mine}, {"mov": 8, "constitution": theirs})
    away = sum(
        (
            share * other
            for (change, share), (theirs_by, other) in product(paces(mine).items(), paces(theirs).items())
            if gap + change >= theirs_by
        ),
        Fraction(0),
    )
    odds = odds_of(scene, "ada", "flee", lambda fight: fight.ending)
    assert odds.get(3, Fraction(0)) == away  # the ending after two teams and the draw
    assert odds.get(-1, Fraction(0)) == 1 - away


def test_whoever_flees_rolls_first_and_then_everybody_who_stands_in_the_order_of_the_list(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob", "dan"])
    scene["dan"].state = terms.DEAD
    told = scene.move("ada", "flee", 10, 99, 50)
    assert [line.split(" rolls ")[0] for line in told if " rolls " in line] == ["Ada", "Cal", "Bob"]


def test_one_must_be_as_fast_as_every_enemy(brawl: Scenery) -> None:
    for fastest, escapes in ((7, True), (8, False)):
        scene = brawl(["ada"], {"bob": {"mov": 5}, "dan": {"mov": fastest}})
        scene.move("ada", "flee", HIT, HIT, HIT)
        assert (scene.ending == "escaped") == escapes


def test_an_ally_who_is_faster_holds_nobody_up(brawl: Scenery) -> None:
    scene = brawl({"ada": {}, "cal": {"mov": 12}}, ["bob"])
    scene.move("ada", "flee", HIT, HIT, HIT)
    assert scene["ada"].state == terms.ESCAPED
    assert scene.ending is None


def test_everybody_flees_alone_and_the_fight_goes_on_without_them(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob"])
    scene.move("ada", "flee", HIT, HIT, HIT)
    assert scene.to_act == ["cal"]
    scene.move("cal", "wait")
    scene.move("bob", "fight")  # there is only one to strike
    assert scene.to_act == ["cal"]
    scene.move("cal", "dodge", MISS, MISS)
    assert scene.to_act == ["cal"]  # Ada has no turn any more
    scene.move("cal", "flee", HIT, HIT)
    assert scene.ending == "escaped"


def test_if_the_rest_of_the_side_wins_it_has_won(brawl: Scenery) -> None:
    scene = brawl({"ada": {}, "cal": {"natural": "9"}}, {"bob": {"hp": 1}})
    scene.move("ada", "flee", HIT, HIT, HIT)
    scene.move("cal", "fight", HIT, MISS)
    assert scene.ending == "heroes"


def test_if_the_rest_of_the_side_dies_the_fight_ends_as_escaped(brawl: Scenery) -> None:
    scene = brawl({"ada": {}, "cal": {"hp": 1}}, {"bob": {"natural": "9"}})
    scene.move("ada", "flee", HIT, HIT, HIT)
    scene.move("cal", "fight", MISS, HIT)
    assert scene.ending == "escaped"


def test_a_failure_ends_the_turn(duel: Scenery) -> None:
    scene = duel({"mov": 5})
    scene.move("ada", "flee", HIT, HIT)
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back"]


def test_enemies_never_flee(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, "hp": 1, "mov": 12})
    assert "flee" not in scene.legal("bob")
    assert "option enemy_ai" in scene.refused("bob", "flee")


def test_free_enemies_may(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70}, enemy_ai="free")
    scene.move("bob", "flee", HIT, HIT)
    assert scene.ending == "escaped"
    assert scene["bob"].state == terms.ESCAPED


# Items


@pytest.mark.parametrize(("hp", "after"), [(1, 2), (18, 19), (19, 20), (20, 20)])
def test_first_aid_is_1_hp_and_never_above_the_maximum(duel: Scenery, hp: int, after: int) -> None:
    scene = duel({"hp": hp, "items": {"first-aid": 2}})
    scene.move("ada", "first aid")
    assert scene["ada"].hp == after
    assert scene["ada"].items[FIRST_AID] == 1  # used up, whether it helped or not
    assert scene.to_act == ["bob"]
    assert scene.rolls == []
    assert scene.fight.figures["ada"]["items used"] == 1


@pytest.mark.parametrize("face", [1, 2, 3])
@pytest.mark.parametrize("hp", [1, 17, 18, 19, 20])
def test_medicine_is_1d3_hp_and_never_above_the_maximum(duel: Scenery, hp: int, face: int) -> None:
    scene = duel({"hp": hp, "items": {"medicine": 1}})
    scene.move("ada", "medicine", [face])
    assert scene["ada"].hp == min(20, hp + face)
    assert scene["ada"].items[MEDICINE] == 0
    assert scene.to_act == ["bob"]


def test_after_an_item_it_is_the_enemys_turn_and_the_player_reacts(duel: Scenery) -> None:
    scene = duel({"hp": 5, "items": {"first-aid": 1}})
    scene.move("ada", "first aid")
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back"]


def test_an_item_may_be_used_on_an_ally(brawl: Scenery) -> None:
    scene = brawl({"ada": {"items": {"first-aid": 1, "medicine": 1}}, "cal": {"hp": 4}}, ["bob"])
    items = [text for text in scene.legal("ada") if text.startswith(("first aid", "medicine"))]
    assert items == ["first aid ada", "medicine ada", "first aid cal", "medicine cal"]
    scene.move("ada", "medicine cal", [3])
    assert scene["cal"].hp == 7
    assert scene["ada"].items[MEDICINE] == 0
    assert not [text for text in scene.legal("cal") if text.startswith(("first aid", "medicine"))]


def test_an_item_helps_neither_foes_nor_the_dead_nor_those_who_have_left(brawl: Scenery) -> None:
    scene = brawl({"ada": {"items": {"first-aid": 1}}, "cal": {}, "eve": {}}, ["bob"])
    scene["cal"].state, scene["eve"].state = terms.DEAD, terms.ESCAPED
    assert [text for text in scene.legal("ada") if text.startswith("first aid")] == ["first aid ada"]
    for name in ("bob", "cal", "eve"):
        scene.refused("ada", f"first aid {name}")


@pytest.mark.parametrize("item", ["first aid", "medicine"])
def test_what_is_used_up_is_gone(duel: Scenery, item: str) -> None:
    scene = duel()
    assert item not in scene.legal("ada")
    assert scene.closed("ada")[item] == "none left"
    assert "none left" in scene.refused("ada", item)


def test_wounds_ammunition_items_and_luck_last_beyond_the_fight(duel: Scenery) -> None:
    ada: Mapping[str, object] = {
        "hp": 15,
        "luck": 30,
        "weapons": ["38-revolver"],
        "loaded": {"38-revolver": 4},
        "ammunition": {"38-revolver": 9},
        "items": {"first-aid": 2, "medicine": 1},
    }
    scene = duel(ada, {"natural": "1D4"})
    scene.move("ada", "shoot twice with .38 revolver", f"{MISS}+1", f"{MISS}+1")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, MISS, [3])
    scene.move("ada", "first aid")
    scene["ada"].luck -= 10
    sheet = after_fight(scene.fight.state, 0, scene.fight.sheets[0])
    assert (sheet.hp, sheet.luck, sheet.dead, sheet.major_wound) == (13, 20, False, False)
    assert (sheet.loaded, sheet.ammunition) == ({"38-revolver": 2}, {"38-revolver": 9})
    assert sheet.items == {"first-aid": 1, "medicine": 1}


def test_the_dead_stay_dead(duel: Scenery) -> None:
    scene = duel({"hp": 1})
    scene.move("ada", "fight", MISS, HIT, [1])
    assert after_fight(scene.fight.state, 0, scene.fight.sheets[0]).dead
