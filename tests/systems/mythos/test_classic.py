"""What players of percentile horror games are used to, option by option: range, jams, fumbles, wounds, surprise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.kernel.state import STANDING
from affray.systems.mythos import terms
from affray.systems.mythos.sheets import OPTIONS, PROFILES
from affray.systems.mythos.weapons import WEAPONS

Scenery = Callable[..., Any]
HIT, HARD, EXTREME, MISS = 50, 25, 10, 99
REVOLVER = {"weapons": ["38-revolver"]}
SHOOT = "shoot with .38 revolver"
FARTHEST = 200  # that teams can begin apart
RIFLED = [id for id, weapon in WEAPONS.items() if weapon.base_range and not weapon.second_range]
SHOTGUNS = {  # damage dice by the yards up to which they count
    "20-gauge": {10: (2, 6), 20: (1, 6), 50: (1, 3)},
    "12-gauge": {10: (4, 6), 20: (2, 6), 50: (1, 6)},
    "sawn-off-12-gauge": {5: (4, 6), 10: (1, 6)},
}


def test_the_profile_switches_on_what_these_tests_show() -> None:
    usual = {option.name: option.default for option in OPTIONS}
    assert PROFILES["document"] == {}
    assert PROFILES["classic"] == {
        "readied_gun": True,
        "outnumbered": True,
        "wounds": "classic",
        "malfunction": True,
        "range": True,
        "fumble": "classic",
        "fumble_cost": "balance",
    }
    assert all(usual[name] != value for name, value in PROFILES["classic"].items())


def test_a_whole_fight_with_everything_on(duel: Scenery) -> None:
    scene = duel({**REVOLVER, "dexterity": 30}, profile="classic", distance=20)
    assert scene.to_act == ["ada"]  # the readied gun
    scene.move("ada", "shoot three times with .38 revolver", f"{HARD}+1", [6], f"{HIT}+1", "100+1")
    assert scene.lost("bob") == 6  # at 20 yards it took a hard success; the third shot jams
    assert scene["ada"].jammed
    assert scene["ada"].loaded[1] == 4
    assert scene.legal("bob") == ["close"]


# Range


def out_there(duel: Scenery, id: str, yards: int, **options: object) -> Any:
    """Ada with a weapon, and Bob so many yards away."""
    ada = {"weapons": [id], "skills": {WEAPONS[id].skill: 50}}
    return duel(ada, {"max_hp": 90}, **{"range": True, "distance": yards, "point_blank": 0, **options})


@pytest.mark.parametrize("id", RIFLED)
@pytest.mark.parametrize(("times", "needed"), [(1, HIT), (2, HARD), (4, EXTREME)])
def test_up_to_base_range_a_success_to_twice_a_hard_to_four_times_an_extreme_one(
    duel: Scenery, id: str, times: int, needed: int
) -> None:
    text = f"shoot with {WEAPONS[id].name}"
    count, _, rest = WEAPONS[id].damage.partition("D")
    sides, _, plus = rest.partition("+")
    ordinary = int(count) + int(plus or 0)
    most = int(count) * int(sides) + int(plus or 0)
    for yards in {times * WEAPONS[id].base_range, times // 2 * WEAPONS[id].base_range + 1} - {1}:
        if yards > FARTHEST:
            continue
        for rolled in (HIT, HARD, EXTREME):
            scene = out_there(duel, id, yards)
            impaled = rolled == EXTREME and not WEAPONS[id].impales
            scene.move("ada", text, rolled, *([[1] * int(count)] if rolled <= needed and not impaled else []))
            dealt = ordinary if rolled > EXTREME else most + (ordinary if WEAPONS[id].impales else 0)
            assert scene.lost("bob") == (dealt if rolled <= needed else 0), (yards, rolled)
            assert scene["ada"].loaded[1] == WEAPONS[id].magazine - 1  # a miss costs the round as well


@pytest.mark.parametrize("id", [id for id in RIFLED if 4 * WEAPONS[id].base_range < FARTHEST])
def test_beyond_four_times_the_range_there_is_nothing_to_shoot_at(duel: Scenery, id: str) -> None:
    scene = out_there(duel, id, 4 * WEAPONS[id].base_range + 1)
    text = f"shoot with {WEAPONS[id].name}"
    assert text not in scene.legal("ada")
    assert scene.closed("ada")[text] == "out of range"
    assert "out of range" in scene.refused("ada", text)


@pytest.mark.parametrize(
    ("id", "yards", "dice"),
    [
        (id, yards, dice)
        for id, bands in SHOTGUNS.items()
        for least, (most, dice) in zip([0, *bands], bands.items(), strict=False)
        for yards in (least + 1, most)
    ],
)
def test_a_shotgun_needs_no_better_success_farther_away_but_deals_less(
    duel: Scenery, id: str, yards: int, dice: tuple[int, int]
) -> None:
    count, sides = dice
    text = f"shoot with {WEAPONS[id].name}"
    scene = out_there(duel, id, yards)
    scene.move("ada", text, HIT, [2] * count)
    assert scene.lost("bob") == 2 * count
    scene = out_there(duel, id, yards)
    scene.move("ada", text, EXTREME)
    assert scene.lost("bob") == count * sides


@pytest.mark.parametrize("id", SHOTGUNS)
def test_beyond_its_last_band_a_shotgun_hits_nothing(duel: Scenery, id: str) -> None:
    scene = out_there(duel, id, max(SHOTGUNS[id]) + 1)
    assert scene.closed("ada")[f"shoot with {WEAPONS[id].name}"] == "out of range"


@pytest.mark.parametrize(("yards", "point_blank", "more"), [(3, 3, 1), (4, 3, 0), (1, 0, 0), (10, 10, 1), (11, 10, 0)])
def test_a_shot_at_point_blank_has_a_bonus_die(
    duel: Scenery, d100: Scenery, odds_of: Scenery, yards: int, point_blank: int, more: int
) -> None:
    scene = out_there(duel, "38-revolver", yards, point_blank=point_blank)
    hit = sum((share for number, share in d100(more).items() if number <= 50), Fraction(0))
    assert odds_of(scene, "ada", SHOOT, lambda fight: fight.fighters[1].hp < 90)[True] == hit


@pytest.mark.parametrize(("yards", "most"), [(15, 60), (16, 30), (30, 30), (31, 12), (60, 12)])
def test_exact_odds_of_a_shot_at_a_distance(duel: Scenery, odds_of: Scenery, yards: int, most: int) -> None:
    scene = duel({**REVOLVER, "skills": {"handgun": 60}}, range=True, distance=yards)
    chance = odds_of(scene, "ada", SHOOT, lambda fight: fight.fighters[1].hp < 20)[True]
    assert chance == Fraction(most, 100)


@pytest.mark.parametrize(("yards", "reaches"), [(0, True), (7, True), (8, False), (100, False)])
def test_melee_reaches_as_many_yards_as_mov(duel: Scenery, yards: int, reaches: bool) -> None:
    scene = duel(range=True, distance=yards)
    for text in ("fight", "trip", "hold"):
        assert (text in scene.legal("ada")) == reaches
        if not reaches:
            assert scene.closed("ada")[text] == "too far away: close in first"
            assert "too far away" in scene.refused("ada", text)


def test_whoever_strikes_has_stepped_up(duel: Scenery) -> None:
    scene = duel(range=True, distance=7)
    scene.move("ada", "fight", MISS, MISS)
    assert scene["ada"].yards == scene["bob"].yards == 7


@pytest.mark.parametrize(("mov", "yards", "left"), [(7, 100, 65), (7, 36, 1), (7, 35, 0), (7, 10, 0), (9, 100, 55)])
def test_closing_in_covers_five_times_mov_and_takes_a_turn(duel: Scenery, mov: int, yards: int, left: int) -> None:
    scene = duel({"mov": mov}, range=True, distance=yards)
    scene.move("ada", "close")
    assert scene["bob"].yards - scene["ada"].yards == left
    assert scene.to_act == ["bob"]


def test_the_distance_is_what_lies_between_two_however_they_have_moved(duel: Scenery) -> None:
    """Both close in, 35 yards each: of 100 yards 30 are left, at which a revolver needs a hard success."""
    scene = duel(REVOLVER, range=True, distance=100)
    scene.move("ada", "close")
    scene.move("bob", "close")
    scene.move("ada", SHOOT, HIT)
    assert scene.lost("bob") == 0
    scene.move("bob", "close")
    scene.move("ada", SHOOT, f"{HIT}+1", [4])  # and now at point blank
    assert scene.lost("bob") == 4


def test_an_enemy_that_cannot_reach_anybody_closes_in(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, "mov": 8}, range=True, distance=60)
    assert scene.legal("bob") == ["close"]
    scene.move("bob", "close")
    assert scene["bob"].yards == 20
    scene.move("ada", "wait")
    scene.move("bob", "close")
    scene.move("ada", "wait")
    assert scene.legal("bob") == ["fight"]


def test_falling_back_is_for_whoever_has_a_foe_near(duel: Scenery) -> None:
    scene = duel(range=True, distance=8)
    assert "fall back" not in scene.legal("ada")
    scene = duel(range=True, distance=7)
    scene.move("ada", "fall back")
    assert scene["bob"].yards - scene["ada"].yards == 7 + 5 * 7
    assert scene.legal("bob") == ["close"]


def test_one_falls_back_from_the_nearest_foe(brawl: Scenery) -> None:
    """Bob is 5 yards to one side and Dan 25 to the other: Ada goes 35 yards towards Dan, and beyond."""
    scene = brawl(["ada"], ["bob", "dan"], range=True)
    scene["bob"].yards, scene["ada"].yards, scene["dan"].yards = 0, 5, 30
    scene.move("ada", "fall back")
    assert scene["ada"].yards == 40


def test_whoever_stands_beside_a_foe_falls_back_to_their_own_side(brawl: Scenery) -> None:
    scene = brawl(["ada"], {"bob": {"natural": "1"}}, range=True, distance=7, enemy_ai="free")
    scene.move("ada", "fight")
    scene.move("bob", "dodge", MISS, MISS)
    scene.move("bob", "fall back")
    assert (scene["ada"].yards, scene["bob"].yards) == (7, 7 + 35)
    scene["bob"].yards = 7
    scene.move("ada", "fall back")
    assert (scene["ada"].yards, scene["bob"].yards) == (7 - 35, 7)


def test_a_fast_target_that_has_moved_about_is_hard_to_hit(duel: Scenery) -> None:
    """Ada has MOV 8 and falls back; Bob needs a success within 15 yards and has a penalty die only if she moved."""
    for text, more in (("fall back", 1), ("wait", 0)):
        scene = duel({"mov": 8}, {"weapons": ["303-rifle"]}, range=True, distance=8, fast_target="moving")
        scene.move("ada", text)
        scene.move("bob", "shoot with .303 rifle")
        scene.move("ada", "stand", f"{MISS}+{more}")


# Malfunction


@pytest.mark.parametrize("id", [id for id, weapon in WEAPONS.items() if weapon.kind == "gun"])
def test_a_roll_of_the_malfunction_number_or_more_jams_the_gun(duel: Scenery, id: str) -> None:
    number, name = WEAPONS[id].malfunction, WEAPONS[id].name
    ada = {"weapons": [id], "skills": {WEAPONS[id].skill: 50}}
    for rolled in (number - 1, number, 100):
        scene = duel(ada, malfunction=True)
        scene.move("ada", f"shoot with {name}", rolled)
        jams = rolled >= number
        assert bool(scene["ada"].jammed) == jams
        assert scene["ada"].loaded[1] == WEAPONS[id].magazine - (not jams)  # what jams is not fired


@pytest.mark.parametrize("skill", [98, 99, 100])
def test_a_gun_may_jam_on_what_would_have_been_a_hit(duel: Scenery, skill: int) -> None:
    scene = duel({"weapons": ["submachine-gun"], "skills": {"smg": skill}}, malfunction=True)
    scene.move("ada", "shoot with submachine gun", 96)
    assert scene["ada"].jammed
    assert scene.lost("bob") == 0


def test_a_jam_costs_the_rest_of_the_volley_and_a_turn_to_clear(duel: Scenery) -> None:
    scene = duel({"weapons": ["32-automatic"]}, malfunction=True)
    scene.move("ada", "shoot three times with .32 automatic", f"{HIT}+1", [3], f"{MISS}+1")
    assert scene.to_act == ["bob"]
    assert scene["ada"].loaded[1] == 7
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert not [text for text in scene.legal("ada") if text.startswith("shoot")]
    assert scene.closed("ada")["shoot with .32 automatic"] == "jammed: clear it first"
    assert "jammed" in scene.refused("ada", "shoot with .32 automatic")
    scene.move("ada", "clear .32 automatic")
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert "shoot with .32 automatic" in scene.legal("ada")
    assert "clear .32 automatic" not in scene.legal("ada")


def test_what_is_thrown_does_not_jam(duel: Scenery) -> None:
    scene = duel({"weapons": ["rock"]}, malfunction=True)
    scene.move("ada", "shoot with rock", 100)
    assert not scene["ada"].jammed
    assert scene["ada"].loaded[1] == 2


# Fumbles and what they cost


@pytest.mark.parametrize(
    ("skill", "fumble", "rolled", "fumbles"),
    [
        (49, "classic", 95, False),
        (49, "classic", 96, True),
        (50, "classic", 99, False),
        (50, "classic", 100, True),
        (49, "100", 99, False),
        (49, "100", 100, True),
    ],
)
def test_which_rolls_throw_one_off_balance(duel: Scenery, skill: int, fumble: str, rolled: int, fumbles: bool) -> None:
    scene = duel({"skills": {"brawl": skill, "dodge": 50}}, fumble=fumble, fumble_cost="balance")
    scene.move("ada", "fight", rolled, MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, f"{MISS}+{int(fumbles)}")
    scene.move("ada", "fight", MISS, MISS)  # and only the next roll suffered


@pytest.mark.parametrize("reaction", ["dodge", "fight back"])
def test_a_fumbled_reaction_costs_the_next_roll_a_penalty_die(duel: Scenery, reaction: str) -> None:
    scene = duel(bob={"dexterity": 70}, fumble_cost="balance")
    scene.move("bob", "fight")
    scene.move("ada", reaction, MISS, 100)
    scene.move("ada", "fight", f"{MISS}+1", MISS)


def test_a_fumbled_shot_costs_the_next_roll_a_penalty_die(duel: Scenery) -> None:
    scene = duel(REVOLVER, fumble_cost="balance")
    scene.move("ada", SHOOT, 100)
    assert scene["ada"].loaded[1] == 5
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, f"{MISS}+1")
    scene.move("ada", SHOOT, MISS)
    scene = duel(REVOLVER, fumble_cost="balance")
    scene.move("ada", "shoot three times with .38 revolver", "100+1", f"{MISS}+2", f"{MISS}+1")


def test_an_enemys_fumble_costs_as_much(duel: Scenery) -> None:
    scene = duel(fumble_cost="balance")
    scene.move("ada", "fight", MISS, 100)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", f"{MISS}+1", MISS)


def test_a_fumble_costs_nothing_in_the_document(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "fight", 100, 100)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)


# Outnumbering


def test_a_second_attack_in_a_round_has_a_bonus_die(brawl: Scenery) -> None:
    for outnumbered in (True, False):
        scene = brawl(["ada"], ["bob", "dan"], outnumbered=outnumbered)
        for _ in range(2):  # in the next round it begins anew
            scene.move("ada", "wait")
            scene.move("bob", "fight")
            scene.move("ada", "dodge", MISS, MISS)
            scene.move("dan", "fight")
            scene.move("ada", "fight back", f"{MISS}+{int(outnumbered)}", MISS)


def test_an_enemy_reacts_as_often_as_it_has_attacks_before_it_is_outnumbered(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal", "eve", "fay"], {"bob": {"attacks": 3}}, outnumbered=True)
    for name, more in (("ada", 0), ("cal", 0), ("eve", 0), ("fay", 1)):
        scene.move(name, "fight", f"{MISS}+{more}", MISS)


def test_shots_have_no_bonus_die_for_outnumbering(brawl: Scenery) -> None:
    scene = brawl({"ada": {}, "cal": REVOLVER}, ["bob"], outnumbered=True)
    scene.move("ada", "fight", MISS, MISS)
    scene.move("cal", SHOOT, MISS)


# Wounds


def wounded(brawl: Scenery, damage: int, *fell: object, **ada: object) -> Any:
    """Ada, of 20 HP, is hit by Bob in the first round; what falls beyond the two attack rolls."""
    scene = brawl(
        {"ada": {"dexterity": 40, **ada}, "cal": {"items": {"first-aid": 2, "medicine": 1}, "dexterity": 30}},
        {"bob": {"natural": str(damage), "dexterity": 90}},
        wounds="classic",
    )
    scene.move("bob", "fight ada")
    scene.move("ada", "dodge", HIT, MISS, *fell)
    return scene


def next_round(scene: Any, *fell: object) -> None:
    """Bob misses Cal, who is the only one left to strike at; what falls at the end of that round."""
    scene.move("bob", "fight")
    scene.move("cal", "dodge", MISS, MISS)
    scene.move("cal", "wait", *fell)


def test_less_than_half_the_hp_at_once_is_no_major_wound(brawl: Scenery) -> None:
    scene = wounded(brawl, 9)
    assert (scene["ada"].hp, scene["ada"].major_wound, scene["ada"].state) == (11, 0, STANDING)
    assert scene.to_act == ["ada"]


@pytest.mark.parametrize(("rolled", "stays"), [(1, True), (50, True), (51, False), (100, False)])
def test_a_major_wound_takes_a_constitution_roll_to_stay_conscious(brawl: Scenery, rolled: int, stays: bool) -> None:
    scene = wounded(brawl, 10, rolled)
    assert (scene["ada"].hp, scene["ada"].major_wound) == (10, 1)
    assert scene["ada"].state == (STANDING if stays else terms.UNCONSCIOUS)
    assert scene.to_act == (["ada"] if stays else ["cal"])


def test_half_of_an_odd_maximum_is_rounded_up(brawl: Scenery) -> None:
    assert not wounded(brawl, 5, max_hp=11)["ada"].major_wound
    assert wounded(brawl, 6, HIT, max_hp=11)["ada"].major_wound


@pytest.mark.parametrize("damage", [20, 25])
def test_a_single_hit_of_the_most_hp_kills(brawl: Scenery, damage: int) -> None:
    scene = wounded(brawl, damage)
    assert (scene["ada"].hp, scene["ada"].state) == (0, terms.DEAD)


def test_0_hp_is_unconscious(brawl: Scenery) -> None:
    scene = wounded(brawl, 5, hp=5)
    assert (scene["ada"].hp, scene["ada"].state) == (0, terms.UNCONSCIOUS)
    assert scene.to_act == ["cal"]


@pytest.mark.parametrize("changes", [{"hp": 10}, {"hp": 12}])
def test_0_hp_by_a_major_wound_is_dying(brawl: Scenery, changes: Mapping[str, object]) -> None:
    scene = wounded(brawl, 12, **changes)
    assert (scene["ada"].hp, scene["ada"].major_wound, scene["ada"].state) == (0, 1, terms.DYING)


def test_0_hp_with_an_old_major_wound_is_dying(brawl: Scenery) -> None:
    scene = wounded(brawl, 3, hp=3, major_wound=True)
    assert scene["ada"].state == terms.DYING


def test_the_dying_roll_constitution_at_the_end_of_every_round(brawl: Scenery) -> None:
    scene = wounded(brawl, 12, hp=10)
    scene.move("cal", "wait", HIT)
    assert scene["ada"].state == terms.DYING
    next_round(scene, 50)
    assert scene["ada"].state == terms.DYING
    next_round(scene, 51)
    assert scene["ada"].state == terms.DEAD
    next_round(scene)


def test_an_item_keeps_the_dying_from_dying_but_does_not_bring_them_round(brawl: Scenery) -> None:
    scene = wounded(brawl, 12, hp=10)
    scene.move("cal", "first aid ada")
    assert (scene["ada"].hp, scene["ada"].state) == (1, terms.UNCONSCIOUS)
    scene.move("bob", "fight")
    scene.move("cal", "dodge", MISS, MISS)
    scene.move("cal", "medicine ada", [3])  # no roll at the end of the round any more
    assert (scene["ada"].hp, scene["ada"].state) == (4, terms.UNCONSCIOUS)
    assert scene.to_act == ["bob"]


def test_an_item_brings_round_whoever_is_unconscious_without_a_major_wound(brawl: Scenery) -> None:
    scene = wounded(brawl, 5, hp=5)
    scene.move("cal", "first aid ada")
    assert (scene["ada"].hp, scene["ada"].state) == (1, STANDING)
    scene.move("bob", "fight ada")
    scene.move("ada", "dodge", MISS, MISS)
    assert scene.to_act == ["ada"]


def test_whoever_is_unconscious_is_neither_attacked_nor_acts(brawl: Scenery) -> None:
    scene = wounded(brawl, 10, MISS)
    scene.move("cal", "wait")
    assert scene.legal("bob") == ["fight"]
    scene.move("bob", "fight")
    assert scene.to_act == ["cal"]


def test_endurance_helps_to_stay_conscious_and_alive(brawl: Scenery) -> None:
    scene = wounded(brawl, 10, (1, 9, 4), perks=["endurance"])  # 41, not 91
    assert scene["ada"].state == STANDING
    scene = wounded(brawl, 12, hp=10, perks=["endurance"])
    scene.move("cal", "wait", (1, 9, 4))
    assert scene["ada"].state == terms.DYING


def test_when_the_last_one_falls_the_fight_is_over(duel: Scenery) -> None:
    scene = duel({"natural": "5"}, {"hp": 5}, wounds="classic")
    scene.move("ada", "fight", HIT, MISS)
    assert scene["bob"].state == terms.UNCONSCIOUS
    assert scene.ending == "heroes"


def test_a_major_wound_means_nothing_in_the_document(duel: Scenery) -> None:
    scene = duel({"natural": "19"})
    scene.move("ada", "fight", HIT, MISS)
    assert (scene["bob"].hp, scene["bob"].major_wound, scene["bob"].state) == (1, 0, STANDING)


# Readied guns


@pytest.mark.parametrize(
    ("wields", "loaded", "readied_gun", "first"),
    [
        ("38-revolver", 6, True, "ada"),
        ("38-revolver", 6, False, "bob"),
        ("38-revolver", 0, True, "bob"),
        ("blackjack", 6, True, "bob"),
    ],
)
def test_a_readied_gun_is_worth_50_dex(duel: Scenery, wields: str, loaded: int, readied_gun: bool, first: str) -> None:
    ada = {
        "weapons": ["38-revolver", "blackjack"],
        "wields": wields,
        "loaded": {"38-revolver": loaded},
        "dexterity": 30,
    }
    assert duel(ada, {"dexterity": 79}, readied_gun=readied_gun).to_act == [first]


def test_an_enemys_readied_gun_counts_as_well_and_quick_draw_does_not_count_twice(duel: Scenery) -> None:
    ada = {**REVOLVER, "perks": ["quick-draw"]}
    assert duel(ada, {**REVOLVER, "dexterity": 61}, readied_gun=True).to_act == ["bob"]
    assert duel(ada, {**REVOLVER, "dexterity": 61}).to_act == ["ada"]


# Surprise


def test_whoever_is_surprised_has_no_turn_and_no_reaction_and_is_attacked_with_a_bonus_die(duel: Scenery) -> None:
    scene = duel({"natural": "1", **REVOLVER}, surprise="first")
    scene.move("ada", "fight with hands", f"{HIT}+1")
    assert scene.lost("bob") == 1
    assert scene.to_act == ["ada"]  # Bob's turn is skipped; the second round is as ever
    scene.move("ada", "fight with hands", MISS, MISS)
    assert scene.to_act == ["bob"]
    scene = duel(REVOLVER, surprise="first")
    scene.move("ada", SHOOT, f"{HIT}+1", [2])
    assert scene.to_act == ["ada"]


def test_investigators_are_surprised_too(duel: Scenery) -> None:
    scene = duel(bob={"attacks": 2, "natural": "1", **REVOLVER}, surprise="last")
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight with hands", f"{HIT}+1")
    scene.move("bob", "fight with hands", f"{MISS}+1")
    assert scene.lost("ada") == 1
    assert scene.to_act == ["ada"]
    assert scene.fight.round == 2
    scene = duel(bob=REVOLVER, surprise="last")
    scene.move("bob", SHOOT, f"{MISS}+1")  # no dive
    assert scene.to_act == ["ada"]


def test_nobody_is_surprised_in_the_document(duel: Scenery) -> None:
    scene = duel()
    assert not scene["ada"].surprised
    assert not scene["bob"].surprised


# Darkness


def test_in_the_dark_attacks_have_a_penalty_die_and_reactions_have_none(duel: Scenery) -> None:
    scene = duel(REVOLVER, darkness=True)
    scene.move("ada", "fight with hands", f"{MISS}+1", MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", f"{MISS}+1", MISS)
    scene.move("ada", SHOOT, f"{MISS}+1")
    scene.move("bob", "fight")
    scene.move("ada", "fight back with hands", f"{MISS}+1", MISS)
    scene.move("ada", "trip", f"{MISS}+1", MISS)


def test_what_is_not_human_sees_in_the_dark(brawl: Scenery) -> None:
    scene = brawl({"ada": {"dexterity": 20}}, {"zombie": {"base": "zombie"}}, darkness=True)
    scene.move("zombie", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("ada", "fight", f"{MISS}+1", MISS)
