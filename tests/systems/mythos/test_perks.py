"""Perks, each by itself: the passive ones change exactly their dice, the active ones are offered in their moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

Scenery = Callable[..., Any]
HIT, HARD, EXTREME, MISS = 50, 25, 10, 99
REVOLVER = {"weapons": ["38-revolver"]}
SHOOT = "shoot with .38 revolver"
SMALL = {"strength": 20, "size": 20}
WINDOW = ["use", "save"]


def perk(name: str, luck: int = 0, **changes: object) -> dict[str, object]:
    return {"perks": [name], "luck": luck, **changes}


# Passive


@pytest.mark.parametrize(("perks", "mov", "more"), [([], 7, 1), (["beady-eye"], 7, 0), (["beady-eye"], 8, 1)])
def test_beady_eye_takes_away_the_penalty_die_for_small_targets_and_no_other(
    duel: Scenery, perks: list[str], mov: int, more: int
) -> None:
    scene = duel({**REVOLVER, "perks": perks}, {**SMALL, "mov": mov})
    scene.move("ada", SHOOT, f"{HIT}+{more}", [2])
    assert scene.lost("bob") == 2


@pytest.mark.parametrize(("perks", "mov", "more"), [([], 7, 1), (["rapid-fire"], 7, 0), (["rapid-fire"], 8, 1)])
def test_rapid_fire_takes_away_the_penalty_die_for_several_shots_and_no_other(
    duel: Scenery, perks: list[str], mov: int, more: int
) -> None:
    for text, shots in (("shoot twice", 2), ("shoot three times", 3)):
        scene = duel({**REVOLVER, "perks": perks}, {"mov": mov})
        scene.move("ada", f"{text} with .38 revolver", *[f"{MISS}+{more}"] * shots)
        assert scene["ada"].loaded[1] == 6 - shots


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        ({"wields": "38-revolver"}, "ada"),
        ({"wields": "blackjack"}, "bob"),
        ({"wields": "38-revolver", "loaded": {"38-revolver": 0}}, "bob"),
        ({"wields": "38-revolver", "perks": []}, "bob"),
    ],
)
def test_quick_draw_counts_for_whoever_begins_with_a_loaded_gun_in_hand(
    duel: Scenery, changes: Mapping[str, object], first: str
) -> None:
    ada = {"weapons": ["38-revolver", "blackjack"], "dexterity": 30, "perks": ["quick-draw"], **changes}
    assert duel(ada, {"dexterity": 79}).to_act == [first]


def test_quick_draw_is_worth_50_dex(duel: Scenery) -> None:
    ada = {**REVOLVER, "dexterity": 30, "perks": ["quick-draw"]}
    assert duel(ada, {"dexterity": 79}).to_act == ["ada"]
    assert duel(ada, {"dexterity": 80}).to_act == ["bob"]  # a tie
    assert duel(ada, {"dexterity": 81}).to_act == ["bob"]


@pytest.mark.parametrize(("perks", "attacks"), [([], False), (["nimble"], True)])
def test_nimble_dives_cost_nothing(duel: Scenery, perks: list[str], attacks: bool) -> None:
    scene = duel({"perks": perks}, {"dexterity": 70, **REVOLVER})
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", MISS, MISS)
    assert ("fight" in scene.legal("ada")) == attacks


def test_endurance_is_a_bonus_die_on_constitution(duel: Scenery) -> None:
    scene = duel({"perks": ["endurance"]})
    scene.move("ada", "flee", (1, 9, 4), HIT)  # 41, not 91: MOV 7 against 7
    assert scene.ending == "escaped"
    scene = duel({"mov": 7}, {"perks": ["endurance"], "mov": 7})
    scene.move("ada", "flee", MISS, (1, 0, 9))  # Bob's better die is a critical success: MOV 8 against 6
    assert scene.ending is None


def test_endurance_changes_no_other_roll(duel: Scenery) -> None:
    scene = duel({"perks": ["endurance"]})
    scene.move("ada", "fight", MISS, MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)


@pytest.mark.parametrize(("perks", "more"), [([], 1), (["outmaneuver"], 0)])
def test_outmaneuver_is_a_point_of_build_for_manoeuvres(duel: Scenery, perks: list[str], more: int) -> None:
    scene = duel({"perks": perks}, {"strength": 70, "size": 70})  # Build 0 against 1
    scene.move("ada", "trip", f"{HIT}+{more}", MISS)
    assert scene["bob"].down


def test_outmaneuver_makes_nobody_a_larger_target(duel: Scenery) -> None:
    scene = duel({"perks": ["outmaneuver"], **SMALL}, {"dexterity": 70, **REVOLVER})  # Build -2 is still small
    scene.move("bob", SHOOT)
    scene.move("ada", "stand", f"{MISS}+1")


@pytest.mark.parametrize(("perks", "surprised"), [([], True), (["alert"], False)])
def test_the_alert_are_never_surprised(duel: Scenery, perks: list[str], surprised: bool) -> None:
    scene = duel({"perks": perks}, surprise="last")
    assert scene.to_act == (["bob"] if surprised else ["ada"])
    assert scene["ada"].surprised == surprised


@pytest.mark.parametrize(("perks", "more"), [([], 1), (["night-vision"], 0)])
def test_night_vision_sees_in_the_dark(duel: Scenery, perks: list[str], more: int) -> None:
    scene = duel({"perks": perks, **REVOLVER}, darkness=True)
    scene.move("ada", "fight with hands", f"{MISS}+{more}", MISS)
    scene = duel({"perks": perks, **REVOLVER}, darkness=True)
    scene.move("ada", SHOOT, f"{MISS}+{more}")


# Active: what they have in common


def at_rapid_attack(duel: Scenery, **ada: object) -> Any:
    scene = duel({"natural": "1", **ada})
    scene.move("ada", "fight", HIT, MISS)
    return scene


def at_heavy_hitter(duel: Scenery, **ada: object) -> Any:
    scene = duel({"natural": "1D4", **ada})
    scene.move("ada", "fight", HIT, MISS, *([] if offered(ada) else [[1]]))
    return scene


def at_tough_guy(duel: Scenery, **ada: object) -> Any:
    scene = duel(ada, {"natural": "1D4", "dexterity": 70})
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, MISS, [4])
    return scene


def at_fleet_footed(duel: Scenery, **ada: object) -> Any:
    scene = duel(ada, {"attacks": 2, "dexterity": 70}, outnumbered=True)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("bob", "fight")
    return scene


def offered(ada: Mapping[str, object]) -> bool:
    return bool(ada.get("perks")) and int(str(ada.get("luck", 0))) >= 10


MOMENTS: Mapping[str, Callable[..., Any]] = {
    "rapid-attack": at_rapid_attack,
    "heavy-hitter": at_heavy_hitter,
    "tough-guy": at_tough_guy,
    "fleet-footed": at_fleet_footed,
}
THEN: Mapping[str, list[list[int]]] = {"heavy-hitter": [[2], [3]]}  # the weapon's die and one more


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("luck", [10, 11, 99])
def test_an_active_perk_is_offered_in_its_moment_and_costs_10_luck(duel: Scenery, name: str, luck: int) -> None:
    scene = MOMENTS[name](duel, perks=[name], luck=luck)
    assert scene.to_act == ["ada"]
    assert scene.legal("ada") == WINDOW
    scene.move("ada", "use", *THEN.get(name, []))
    assert scene["ada"].luck == luck - 10
    assert scene.fight.figures["ada"]["Luck spent"] == 10


@pytest.mark.parametrize("name", MOMENTS)
def test_saving_costs_nothing(duel: Scenery, name: str) -> None:
    scene = MOMENTS[name](duel, perks=[name], luck=30)
    scene.move("ada", "save", *THEN.get(name, [])[:1])
    assert scene["ada"].luck == 30
    assert scene.legal(scene.to_act[0]) != WINDOW


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("luck", [0, 9])
def test_an_active_perk_is_not_offered_below_10_luck(duel: Scenery, name: str, luck: int) -> None:
    scene = MOMENTS[name](duel, perks=[name], luck=luck)
    assert scene.legal(scene.to_act[0]) != WINDOW


@pytest.mark.parametrize("name", MOMENTS)
def test_an_active_perk_is_not_offered_to_whoever_does_not_have_it(duel: Scenery, name: str) -> None:
    scene = MOMENTS[name](duel, luck=99)
    assert scene.legal(scene.to_act[0]) != WINDOW


@pytest.mark.parametrize("name", MOMENTS)
def test_in_the_moment_of_a_perk_there_is_nothing_else_to_do(duel: Scenery, name: str) -> None:
    scene = MOMENTS[name](duel, perks=[name], luck=10)
    for text in ("fight", "wait", "dodge", "flee", ""):
        assert scene.refused("ada", text)


# Rapid Attack


@pytest.mark.parametrize(
    ("attack", "answer", "window"),
    [
        (HIT, MISS, True),
        (HIT, HIT, True),
        (HARD, HIT, True),
        (MISS, MISS, True),  # the enemy has failed to fight back
        (MISS, HIT, False),
        (HIT, HARD, False),
    ],
)
def test_rapid_attack_is_offered_when_the_attack_won_or_the_enemy_failed(
    duel: Scenery, attack: int, answer: int, window: bool
) -> None:
    scene = duel(perk("rapid-attack", 50, natural="1"), {"natural": "1"})
    scene.move("ada", "fight", attack, answer)
    assert (scene.legal("ada") == WINDOW) == window
    assert scene.to_act == (["ada"] if window else ["bob"])


def test_rapid_attack_is_one_more_melee_attack_once_a_turn(duel: Scenery) -> None:
    scene = duel(perk("rapid-attack", 50, natural="2", **REVOLVER, items={"first-aid": 1}))
    for number in (1, 2):
        scene.move("ada", "fight with hands", HIT, MISS)
        scene.move("ada", "use")
        assert scene.to_act == ["ada"]
        assert scene.legal("ada") == ["fight with hands"]
        scene.move("ada", "fight with hands", HIT, MISS)
        assert scene.to_act == ["bob"]  # not offered again
        assert scene.lost("bob") == 4 * number
        assert scene["ada"].luck == 50 - 10 * number
        scene.move("bob", "fight")
        scene.move("ada", "dodge", MISS, MISS)


def test_rapid_attack_comes_beside_the_attacks_that_one_has(duel: Scenery) -> None:
    scene = duel(perk("rapid-attack", 50, natural="1", attacks=2))
    scene.move("ada", "fight", HIT, MISS)
    scene.move("ada", "use")
    scene.move("ada", "fight", HIT, MISS)
    assert scene.to_act == ["ada"]
    scene.move("ada", "fight", HIT, MISS)
    assert scene.to_act == ["bob"]
    assert scene.lost("bob") == 3


def test_rapid_attack_may_go_to_another_target_and_needs_one(brawl: Scenery) -> None:
    scene = brawl({"ada": perk("rapid-attack", 50, natural="9")}, {"bob": {"hp": 1}, "dan": {"hp": 1}})
    scene.move("ada", "fight bob", HIT, MISS)
    scene.move("ada", "use")
    scene.move("ada", "fight", HIT, MISS)
    assert scene.ending == "heroes"


@pytest.mark.parametrize("text", ["trip", "hold", SHOOT])
def test_rapid_attack_follows_only_blows(duel: Scenery, text: str) -> None:
    scene = duel(perk("rapid-attack", 50, **REVOLVER))
    scene.move("ada", text, HIT, *([[1]] if text == SHOOT else [MISS]))
    assert scene.to_act == ["bob"]


# Heavy Hitter


@pytest.mark.parametrize(
    ("weapon", "dice", "lost"),
    [
        ("large-club", [[3], [8]], 3 + 8),
        ("sledgehammer", [[1, 2], [6]], 3 + 6),
        ("brass-knuckles", [[1], [3]], 1 + 1 + 3),
    ],
)
def test_heavy_hitter_is_one_more_die_of_the_weapon(
    duel: Scenery, weapon: str, dice: list[list[int]], lost: int
) -> None:
    scene = duel(perk("heavy-hitter", 50, weapons=[weapon]))
    scene.move("ada", f"fight with {weapon.replace('-', ' ')}", HIT, MISS)
    assert scene.rolls[2:] == []  # no damage has been rolled yet
    scene.move("ada", "use", *dice)
    assert scene.lost("bob") == lost


def test_heavy_hitter_is_for_one_blow(duel: Scenery) -> None:
    """Neither the next blow of the foe nor what Ada fights back with has another die."""
    scene = duel(perk("heavy-hitter", 50), {"natural": "1D6"})
    scene.move("ada", "fight", HIT, MISS)
    scene.move("ada", "use", [1], [2])
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, MISS, [4])
    assert scene.lost("ada") == 4
    scene.move("ada", "fight", MISS, HIT, [5])
    assert scene.lost("ada") == 9
    scene.move("bob", "fight")
    scene.move("ada", "fight back", MISS, HIT, [3])
    assert scene.lost("bob") == 1 + 2 + 3


def test_heavy_hitter_rolls_on_top_of_the_most(duel: Scenery) -> None:
    scene = duel(perk("heavy-hitter", 50, weapons=["large-club"]))
    scene.move("ada", "fight with large club", EXTREME, MISS)
    scene.move("ada", "use", [5])
    assert scene.lost("bob") == 8 + 5
    scene = duel(perk("heavy-hitter", 50, weapons=["large-knife"]), {"max_hp": 50})
    scene.move("ada", "fight with large knife", EXTREME, MISS)
    scene.move("ada", "use", [5], [2])
    assert scene.lost("bob") == 8 + 5 + 2


def test_heavy_hitter_adds_the_least_where_a_body_defies_what_impales(duel: Scenery) -> None:
    scene = duel(perk("heavy-hitter", 50, weapons=["large-knife"]), {"ward": "impaling-least"})
    scene.move("ada", "fight with large knife", HIT, MISS)
    scene.move("ada", "use")
    assert scene.lost("bob") == 2


def test_heavy_hitter_is_not_offered_where_there_is_no_die_to_add(duel: Scenery) -> None:
    scene = duel(perk("heavy-hitter", 50, natural="2"))
    scene.move("ada", "fight", HIT, MISS)
    assert scene.to_act == ["bob"]
    assert scene["ada"].luck == 50


def test_heavy_hitter_is_for_ones_own_blows_that_have_won(duel: Scenery) -> None:
    ada = perk("heavy-hitter", 50, **REVOLVER)
    scene = duel(ada, {"dexterity": 70})
    scene.move("bob", "fight")
    scene.move("ada", "fight back with hands", MISS, HIT, [2])  # a reaction
    scene.move("ada", SHOOT, HIT, [3])
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("ada", "trip", HIT, MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", f"{MISS}+1", MISS)
    scene.move("ada", "fight with hands", MISS, MISS)
    assert scene["ada"].luck == 50


# Tough Guy


def hit_by(scene: Any, damage: int, *answer: str) -> None:
    """Bob's blow of so much damage, and what Ada says to it."""
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, MISS, [damage])
    for text in answer:
        scene.move("ada", text)


@pytest.mark.parametrize(("damage", "lost"), [(1, 0), (5, 0), (6, 1), (8, 3)])
def test_tough_guy_ignores_up_to_5_damage(duel: Scenery, damage: int, lost: int) -> None:
    scene = duel(perk("tough-guy", 50), {"natural": "1D8", "dexterity": 70})
    hit_by(scene, damage, "use")
    assert scene.lost("ada") == lost


def test_tough_guy_lasts_for_the_round_until_5_are_ignored(duel: Scenery) -> None:
    scene = duel(perk("tough-guy", 50), {"natural": "1D8", "dexterity": 70, "attacks": 4})
    hit_by(scene, 2, "use")
    hit_by(scene, 2)
    assert scene.lost("ada") == 0
    hit_by(scene, 2)  # of which the last point is ignored
    assert scene.lost("ada") == 1
    hit_by(scene, 2)
    assert scene.lost("ada") == 3
    assert scene["ada"].luck == 40
    scene.move("ada", "wait")
    hit_by(scene, 4, "use")  # a new round, a new offer
    assert scene.lost("ada") == 3
    assert scene["ada"].luck == 30


def test_what_is_left_of_tough_guy_ends_with_the_round(duel: Scenery) -> None:
    scene = duel(perk("tough-guy", 19), {"natural": "1D8", "dexterity": 70})
    hit_by(scene, 1, "use")
    scene.move("ada", "wait")
    hit_by(scene, 3)  # nothing left of it, and 9 Luck are too little
    assert scene.lost("ada") == 3


def test_tough_guy_is_offered_again_in_the_round_in_which_it_was_saved(duel: Scenery) -> None:
    scene = duel(perk("tough-guy", 50), {"natural": "1D8", "dexterity": 70, "attacks": 2})
    hit_by(scene, 2, "save")
    hit_by(scene, 4, "use")
    assert scene.lost("ada") == 2


def test_tough_guy_comes_after_armour_and_is_not_offered_when_nothing_gets_through(duel: Scenery) -> None:
    scene = duel(perk("tough-guy", 50, armour=3), {"natural": "1D8", "dexterity": 70, "attacks": 2})
    hit_by(scene, 3)
    assert scene.to_act == ["bob"]
    hit_by(scene, 8, "use")
    assert scene.lost("ada") == 0


def test_tough_guy_helps_against_shots_and_against_fighting_back(duel: Scenery) -> None:
    scene = duel(perk("tough-guy", 50), {"natural": "1D8", **REVOLVER})
    scene.move("ada", "fight", MISS, HIT, [5])
    scene.move("ada", "use")
    assert scene.lost("ada") == 0
    scene = duel(perk("tough-guy", 50), {"dexterity": 70, **REVOLVER})
    scene.move("bob", "shoot twice with .38 revolver")
    scene.move("ada", "stand", f"{HIT}+1", [4])
    scene.move("ada", "use", f"{HIT}+1", [4])
    assert scene.lost("ada") == 3


# Fleet Footed


def test_fleet_footed_is_immune_to_outnumbering_for_the_fight(duel: Scenery) -> None:
    scene = at_fleet_footed(duel, perks=["fleet-footed"], luck=50)
    scene.move("ada", "use")
    assert scene.legal("ada") == ["dodge", "fight back"]
    scene.move("ada", "dodge", MISS, MISS)  # no bonus die
    scene.move("ada", "wait")
    for _ in range(2):
        scene.move("bob", "fight")
        scene.move("ada", "dodge", MISS, MISS)  # nor in the next round, and nothing more is asked
    assert scene["ada"].luck == 40


def test_whoever_saves_fleet_footed_is_attacked_with_a_bonus_die_and_asked_again(duel: Scenery) -> None:
    scene = duel(perk("fleet-footed", 50), {"attacks": 3, "dexterity": 70}, outnumbered=True)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("bob", "fight")
    scene.move("ada", "save")
    scene.move("ada", "dodge", f"{MISS}+1", MISS)
    scene.move("bob", "fight")
    assert scene.legal("ada") == WINDOW


def test_fleet_footed_is_not_asked_for_without_outnumbering_nor_about_shots(duel: Scenery) -> None:
    scene = duel(perk("fleet-footed", 50), {"attacks": 2, "dexterity": 70})
    for _ in range(2):
        scene.move("bob", "fight")
        scene.move("ada", "dodge", MISS, MISS)
    scene = duel(perk("fleet-footed", 50, dexterity=40), {"dexterity": 70, **REVOLVER}, outnumbered=True)
    scene["ada"].reacted = 3
    scene.move("bob", SHOOT)
    assert scene.legal("ada") == ["stand", "dive"]
