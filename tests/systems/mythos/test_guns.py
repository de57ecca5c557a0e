"""Firearms: one roll that nobody can fight back against, bonus and penalty dice, several shots, cover, ammunition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.systems.mythos.rules import HANDS
from affray.systems.mythos.weapons import WEAPONS

Scenery = Callable[..., Any]
D100 = Callable[[int], Mapping[int, Fraction]]
HIT, HARD, EXTREME, CRITICAL, MISS = 50, 25, 10, 1, 99
REVOLVER = {"weapons": ["38-revolver"]}
SHOOT = "shoot with .38 revolver"
GUNS = [id for id, weapon in WEAPONS.items() if weapon.kind == "gun"]
THROWN = [id for id, weapon in WEAPONS.items() if weapon.kind == "thrown"]


def parts(damage: str) -> tuple[int, int, int]:
    dice, _, plus = damage.partition("+")
    count, _, sides = dice.partition("D")
    return int(count), int(sides), int(plus or 0)


def rounds(scene: Any, who: str = "ada", slot: int = 1) -> tuple[int, int]:
    """What is loaded, and what is carried beside."""
    return scene[who].loaded[slot], scene[who].spare[slot]


def armed(id: str, **changes: object) -> dict[str, object]:
    return {"weapons": [id], "skills": {WEAPONS[id].skill: 50}, **changes}


# One roll


def test_nobody_fights_back_against_a_gun(duel: Scenery) -> None:
    scene = duel(REVOLVER)
    scene.move("ada", SHOOT, HIT, [7])
    assert (scene.lost("bob"), scene.lost("ada")) == (7, 0)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("ada", SHOOT, MISS)
    assert (scene.lost("bob"), scene.lost("ada")) == (7, 0)


def test_a_player_who_is_shot_at_stands_or_dives_before_any_die_has_fallen(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, **REVOLVER})
    scene.move("bob", SHOOT)
    assert scene.rolls == []
    assert scene.to_act == ["ada"]
    assert scene.legal("ada") == ["stand", "dive"]
    scene.move("ada", "stand", HIT, [4])
    assert scene.lost("ada") == 4
    assert scene.to_act == ["ada"]


@pytest.mark.parametrize("id", [*GUNS, *THROWN])
def test_every_gun_deals_its_dice_and_spends_a_round(duel: Scenery, id: str) -> None:
    gun = WEAPONS[id]
    count, sides, plus = parts(gun.damage)
    for rolled in (HIT, HARD):
        scene = duel(armed(id), {"max_hp": 60})
        scene.move("ada", f"shoot with {gun.name}", rolled, [sides] * count)
        assert scene.lost("bob") == count * sides + plus
        assert rounds(scene)[0] == gun.magazine - 1


@pytest.mark.parametrize("id", [*GUNS, *THROWN])
@pytest.mark.parametrize("rolled", [EXTREME, CRITICAL])
def test_bullets_impale_at_an_extreme_success_and_shotguns_do_not(duel: Scenery, id: str, rolled: int) -> None:
    gun = WEAPONS[id]
    count, sides, plus = parts(gun.damage)
    most = count * sides + plus
    scene = duel(armed(id), {"max_hp": 90})
    if id.endswith("gauge") or id == "rock":
        scene.move("ada", f"shoot with {gun.name}", rolled)
        assert scene.lost("bob") == most
    else:
        scene.move("ada", f"shoot with {gun.name}", rolled, [2] * count)
        assert scene.lost("bob") == most + 2 * count + plus


@pytest.mark.parametrize("id", GUNS)
@pytest.mark.parametrize("strength", [20, 180])
def test_guns_never_add_the_damage_bonus(duel: Scenery, id: str, strength: int) -> None:
    gun = WEAPONS[id]
    count, sides, plus = parts(gun.damage)
    strong = {"strength": strength, "size": strength}
    scene = duel(armed(id, **strong), {"max_hp": 90})
    scene.move("ada", f"shoot with {gun.name}", HIT, [1] * count)
    assert scene.lost("bob") == count + plus
    scene = duel(armed(id, **strong), {"max_hp": 90})
    scene.move("ada", f"shoot with {gun.name}", EXTREME, *([[1] * count] if gun.impales else []))
    assert scene.lost("bob") == count * sides + plus + (count + plus if gun.impales else 0)


@pytest.mark.parametrize("id", THROWN)
def test_what_is_thrown_adds_half_the_damage_bonus_and_counts_as_a_shot(duel: Scenery, id: str) -> None:
    strong = armed(id, strength=90, size=90)
    scene = duel(strong, {"max_hp": 60})
    scene.move("ada", f"shoot with {WEAPONS[id].name}", HIT, [3], [5])
    assert scene.lost("bob") == 3 + 2
    scene = duel(bob={"dexterity": 70, **strong})
    scene.move("bob", f"shoot with {WEAPONS[id].name}")
    assert scene.legal("ada") == ["stand", "dive"]


# Bonus and penalty dice


@pytest.mark.parametrize(
    ("body", "net"),
    [
        ({"mov": 7}, 0),
        ({"mov": 8}, -1),
        ({"mov": 16}, -1),
        ({"strength": 32, "size": 32}, -1),  # Build -2
        ({"strength": 33, "size": 32}, 0),  # Build -1
        ({"strength": 142, "size": 142}, 0),  # Build 3
        ({"strength": 143, "size": 142}, 1),  # Build 4
        ({"strength": 220, "size": 220}, 1),  # Build 5
        ({"strength": 220, "size": 220, "mov": 8}, 0),
        ({"strength": 10, "size": 5, "mov": 9}, -2),
    ],
)
def test_fast_and_small_targets_are_hard_to_hit_and_large_ones_easy(
    duel: Scenery, d100: D100, odds_of: Scenery, body: Mapping[str, object], net: int
) -> None:
    scene = duel(REVOLVER, body)
    hit = sum(share for number, share in d100(net).items() if number <= 50)
    assert odds_of(scene, "ada", SHOOT, lambda fight: fight.fighters[1].hp < 20)[True] == hit


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("mov", [7, 8])
@pytest.mark.parametrize("size", [5, 60, 200])
@pytest.mark.parametrize("skill", [1, 35, 60, 100])
def test_exact_odds_of_one_or_two_shots(
    duel: Scenery, d100: D100, odds_of: Scenery, skill: int, size: int, mov: int, twice: bool
) -> None:
    """The net dice added up by hand; how often two independent shots hit."""
    net = -(mov == 8) - (size == 5) + (size == 200) - twice
    body = {"strength": size, "size": size, "mov": mov}
    scene = duel({"weapons": ["38-revolver"], "skills": {"handgun": skill}}, {**body, "max_hp": 99})
    hit = sum(share for number, share in d100(max(-2, net)).items() if number <= min(99, skill))
    assert {5: -2, 60: 0, 200: 5}[size] == scene["bob"].build

    def wounded(fight: Any) -> int:
        return bool(fight.fighters[1].hp < 99)

    text = "shoot twice with .38 revolver" if twice else SHOOT
    expected = Counter({True: 1 - (1 - hit) ** (2 if twice else 1), False: (1 - hit) ** (2 if twice else 1)})
    assert odds_of(scene, "ada", text, wounded) == {key: share for key, share in expected.items() if share}


@pytest.mark.parametrize(("fast_target", "net"), [("static", -1), ("moving", 0), ("off", 0)])
def test_when_a_fast_target_that_stands_still_is_hard_to_hit(duel: Scenery, fast_target: str, net: int) -> None:
    scene = duel(REVOLVER, {"mov": 8}, fast_target=fast_target)
    scene.move("ada", SHOOT, f"{HIT}+{-net}", [3])
    assert scene.lost("bob") == 3


@pytest.mark.parametrize(("fast_target", "net"), [("static", -1), ("moving", -1), ("off", 0)])
def test_when_a_fast_target_that_has_run_is_hard_to_hit(duel: Scenery, fast_target: str, net: int) -> None:
    """Ada runs and is caught, so she has moved when Bob shoots; in her next turn that is over."""
    scene = duel({"mov": 8}, {"mov": 12, **REVOLVER}, fast_target=fast_target)
    scene.move("ada", "flee", MISS, MISS)
    scene.move("bob", SHOOT)
    scene.move("ada", "stand", f"{HIT}+{-net}", [3])
    assert scene.lost("ada") == 3
    scene.move("ada", "wait")
    scene.move("bob", SHOOT)
    scene.move("ada", "stand", f"{HIT}+{int(fast_target == 'static')}", [3])
    assert scene.lost("ada") == 6


def test_whoever_dives_is_moving(duel: Scenery) -> None:
    """One penalty die for a fast target, and a second one if the Dodge roll succeeds."""
    for dodged, net in ((MISS, -1), (HIT, -2)):
        scene = duel({"mov": 8}, {"dexterity": 70, **REVOLVER}, fast_target="moving")
        scene.move("bob", SHOOT)
        scene.move("ada", "dive", dodged, f"{HIT}+{-net}", [3])
        assert scene.lost("ada") == 3


# Several shots


@pytest.mark.parametrize(("text", "shots"), [("shoot", 1), ("shoot twice", 2), ("shoot three times", 3)])
def test_each_shot_of_a_handgun_is_rolled_damaged_and_charged_by_itself(duel: Scenery, text: str, shots: int) -> None:
    scene = duel(REVOLVER, {"max_hp": 60})
    more = int(shots > 1)  # one penalty die each
    fell: list[object] = [f"{HIT}+{more}", [7]]
    if shots > 1:
        fell += [f"{MISS}+{more}"]
    if shots > 2:
        fell += [f"{EXTREME}+{more}", [2]]
    scene.move("ada", f"{text} with .38 revolver", *fell)
    assert scene.lost("bob") == {1: 7, 2: 7, 3: 7 + 10 + 2}[shots]
    assert rounds(scene) == (6 - shots, 12)
    assert scene.fight.figures["ada"]["shots fired"] == shots
    assert scene.to_act == ["bob"]


def test_the_penalty_die_takes_the_worse_reading(duel: Scenery) -> None:
    scene = duel(REVOLVER)
    scene.move("ada", "shoot twice with .38 revolver", (4, 1, 6), (4, 6, 1))
    assert scene.lost("bob") == 0


def test_shots_behind_a_death_are_not_fired(brawl: Scenery) -> None:
    scene = brawl({"ada": REVOLVER}, {"bob": {"hp": 5}, "dan": {}})
    scene.move("ada", "shoot bob three times with .38 revolver", f"{HIT}+1", [5])
    assert scene["bob"].hp == 0
    assert rounds(scene) == (5, 12)
    assert scene.to_act == ["dan"]


def test_the_fight_ends_with_the_shot_that_kills(duel: Scenery) -> None:
    scene = duel(REVOLVER, {"hp": 5})
    scene.move("ada", "shoot three times with .38 revolver", f"{MISS}+1", f"{HIT}+1", [5])
    assert scene.ending == "heroes"
    assert rounds(scene) == (4, 12)


@pytest.mark.parametrize("id", ["elephant-gun", "20-gauge", "12-gauge", "sawn-off-12-gauge"])
def test_two_shots_of_a_long_gun_have_no_penalty_die(duel: Scenery, id: str) -> None:
    scene = duel(armed(id))
    scene.move("ada", f"shoot twice with {WEAPONS[id].name}", MISS, MISS)
    assert rounds(scene) == (0, 4)


@pytest.mark.parametrize("id", GUNS)
def test_no_more_shots_than_the_gun_can_fire_or_has_loaded(duel: Scenery, id: str) -> None:
    gun = WEAPONS[id]
    words = ("shoot", "shoot twice", "shoot three times")
    for loaded in range(gun.magazine + 1):
        scene = duel({"weapons": [id], "loaded": {id: loaded}})
        shots = min(gun.shots, loaded)
        assert [text for text in scene.legal("ada") if text.startswith("shoot")] == [
            f"{word} with {gun.name}" for word in words[:shots]
        ]
        closed = scene.closed("ada")
        for word in words[shots : gun.shots]:
            reason = closed[f"{word} with {gun.name}"]
            assert reason == (f"only {loaded} loaded" if loaded else "empty: reload it first")
            assert reason in scene.refused("ada", f"{word} with {gun.name}")


# Cover


def test_a_dive_that_succeeds_gives_every_shot_a_penalty_die(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, **REVOLVER})
    scene.move("bob", "shoot twice with .38 revolver")
    scene.move("ada", "dive", HIT, f"{HIT}+2", [3], (0, 5, 5, 6))
    assert scene.lost("ada") == 3


@pytest.mark.parametrize("dodged", [51, MISS, 100])
def test_a_dive_that_fails_changes_nothing(duel: Scenery, dodged: int) -> None:
    scene = duel(bob={"dexterity": 70, **REVOLVER})
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", dodged, HIT, [3])
    assert scene.lost("ada") == 3


@pytest.mark.parametrize(("shooting", "dodging"), [(50, 50), (70, 20), (33, 90)])
def test_exact_odds_of_standing_and_diving(
    duel: Scenery, d100: D100, odds_of: Scenery, shooting: int, dodging: int
) -> None:
    scene = duel(
        {"skills": {"dodge": dodging}}, {"dexterity": 70, "weapons": ["38-revolver"], "skills": {"handgun": shooting}}
    )
    scene.move("bob", SHOOT)

    def at_most(net: int, skill: int) -> Fraction:
        return sum((share for number, share in d100(net).items() if number <= skill), Fraction(0))

    def is_hit(fight: Any) -> bool:
        return bool(fight.fighters[0].hp < 20)

    dodged = at_most(0, dodging)
    assert odds_of(scene, "ada", "stand", is_hit)[True] == at_most(0, shooting)
    expected = dodged * at_most(-1, shooting) + (1 - dodged) * at_most(0, shooting)
    assert odds_of(scene, "ada", "dive", is_hit)[True] == expected


def test_diving_costs_the_attack_of_the_next_turn_and_nothing_else(duel: Scenery) -> None:
    ada = {**REVOLVER, "loaded": {"38-revolver": 3}, "items": {"first-aid": 1}}
    scene = duel(ada, {"dexterity": 70, **REVOLVER})
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", MISS, MISS)
    assert scene.legal("ada") == ["flee", "first aid", "reload .38 revolver", "wait"]
    closed = scene.closed("ada")
    for text in ("fight with hands", SHOOT, "trip", "disarm", "hold"):
        assert closed[text] == "getting up from the dive: no attack in this turn"
        assert closed[text] in scene.refused("ada", text)
    scene.move("ada", "wait")
    scene.move("bob", SHOOT)
    scene.move("ada", "stand", MISS)
    assert "fight with hands" in scene.legal("ada")


def test_a_dive_in_the_round_after_ones_turn_costs_the_next_one(duel: Scenery) -> None:
    scene = duel(bob=REVOLVER)
    scene.move("ada", "fight", MISS, MISS)
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", MISS, MISS)
    assert scene.legal("ada") == ["flee", "wait"]


def test_diving_may_cost_nothing(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, **REVOLVER}, dive_cost="none")
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", MISS, MISS)
    assert "fight" in scene.legal("ada")


def test_one_who_has_dived_still_reacts_to_blows(duel: Scenery) -> None:
    scene = duel({"dexterity": 40}, {"dexterity": 70, **REVOLVER}, enemy_ai="free")
    scene.move("bob", SHOOT)
    scene.move("ada", "dive", MISS, MISS)
    scene.move("ada", "wait")
    scene.move("bob", "fight with hands")
    assert scene.legal("ada") == ["dodge", "fight back"]


# Ammunition


def test_reloading_is_a_turn_and_fills_the_gun_from_what_is_carried(duel: Scenery) -> None:
    scene = duel({**REVOLVER, "loaded": {"38-revolver": 1}, "ammunition": {"38-revolver": 7}})
    scene.move("ada", "reload .38 revolver")
    assert rounds(scene) == (6, 2)
    assert scene.to_act == ["bob"]


@pytest.mark.parametrize(
    ("loaded", "spare", "after"), [(0, 12, (6, 6)), (0, 6, (6, 0)), (0, 4, (4, 0)), (5, 4, (6, 3)), (2, 1, (3, 0))]
)
def test_how_many_rounds_a_reload_takes(duel: Scenery, loaded: int, spare: int, after: tuple[int, int]) -> None:
    scene = duel({**REVOLVER, "loaded": {"38-revolver": loaded}, "ammunition": {"38-revolver": spare}})
    scene.move("ada", "reload .38 revolver")
    assert rounds(scene) == after


@pytest.mark.parametrize(
    ("loaded", "spare", "reason"),
    [(6, 12, "loaded already"), (2, 0, "no ammunition left"), (0, 0, "no ammunition left")],
)
def test_when_there_is_nothing_to_reload(duel: Scenery, loaded: int, spare: int, reason: str) -> None:
    scene = duel({**REVOLVER, "loaded": {"38-revolver": loaded}, "ammunition": {"38-revolver": spare}})
    assert "reload .38 revolver" not in scene.legal("ada")
    assert scene.closed("ada")["reload .38 revolver"] == reason
    assert reason in scene.refused("ada", "reload .38 revolver")


def test_a_full_gun_and_two_magazines_are_carried_unless_the_sheet_says_otherwise(duel: Scenery) -> None:
    for id in GUNS:
        magazine = WEAPONS[id].magazine
        assert rounds(duel({"weapons": [id]})) == (magazine, 2 * magazine)


def test_shotguns_are_loaded_with_two_shells(duel: Scenery) -> None:
    scene = duel({"weapons": ["12-gauge"], "loaded": {"12-gauge": 0}})
    scene.move("ada", "reload 12-gauge")
    assert rounds(scene) == (2, 2)


def test_what_is_thrown_is_gone_and_cannot_be_reloaded(duel: Scenery) -> None:
    scene = duel({"weapons": ["rock"], "loaded": {"rock": 1}})
    scene.move("ada", "shoot with rock", MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert not [text for text in scene.legal("ada") if "rock" in text]


def test_guns_do_not_jam_in_the_document(duel: Scenery) -> None:
    scene = duel({"weapons": ["submachine-gun"]})
    scene.move("ada", "shoot with submachine gun", 100)
    assert scene["ada"].jammed == 0
    assert rounds(scene) == (19, 40)


def test_an_enemy_with_a_gun_shoots_fights_back_by_hand_and_never_reloads_while_it_can_fight(duel: Scenery) -> None:
    scene = duel({"dexterity": 40}, {"base": "armed-cultist"})
    (name,) = scene.to_act
    assert scene.legal(name)[:2] == ["fight with hands", "shoot with .32 revolver"]
    scene[name].loaded[1] = 0
    assert scene.legal(name) == ["fight with hands"]


def test_distance_does_not_matter_in_the_document(duel: Scenery) -> None:
    scene = duel({"weapons": ["derringer"]}, distance=200)
    assert "shoot with derringer" in scene.legal("ada")
    assert "fight with hands" in scene.legal("ada")
    assert not [text for text in scene.legal("ada") if text.startswith(("close", "fall"))]


def test_whoever_has_thrown_the_last_piece_has_nothing_in_hand() -> None:
    hunter = "hunter:dexterity=99:wields=throwing-knife:loaded=throwing-knife 1"
    fight = Fight("mythos", {"investigators": [hunter], "enemies": ["zombie"]}, seed=1)
    fight.play("hunter", "shoot with throwing knife")
    assert fight.state.fighters[0].wielded == HANDS
    assert fight.state.fighters[0].loaded[3] == 0


def test_pieces_to_throw_are_loaded_and_never_ammunition() -> None:
    with pytest.raises(Invalid, match="throwing-knife takes no ammunition"):
        Fight("mythos", {"a": ["hunter:ammunition=throwing-knife 5"], "b": ["zombie"]}, seed=1)
