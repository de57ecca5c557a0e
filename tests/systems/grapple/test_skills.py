"""The twelve skill actions, each alone: success, failure, bounds, and what is refused before any roll."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from affray.systems.grapple import events, sheets

Scenery = Callable[..., Any]
DIFFICULTY = {
    "ac": 3,
    "co": 2,
    "en": 2,
    "in": 2,
    "ld": 2,
    "md": 4,
    "sp": 2,
    "sr": 4,
    "sy": 3,
    "tc": 2,
    "tt": 2,
    "tr": 4,
}
AT_TARGET = ("ac", "in", "ld", "md", "tt", "tr")
FOR_ONESELF = ("co", "en", "sp", "sr", "sy", "tc")
EFFECTS = {
    # skill: whose stat, which one, before, after, how it is told
    "ac": ("Bob", "defense", 3, 2, "Bob DEF-1=2"),
    "co": ("Ada", "ad", 1, 7, "AD+6=7"),
    "en": ("Ada", "defense", 3, 4, "DEF+1=4"),
    "in": ("Bob", "ad", 7, 3, "Bob AD-4=3"),
    "ld": ("Bob", "ad", 2, 5, "Bob AD+3=5"),
    "md": ("Bob", "wounds", 2, 1, "Bob Wounds-1=1"),
    "sp": ("Ada", "speed", 0, 1, "maneuver dice+1"),
    "sr": ("Ada", "spirit", 0, 1, "strike dice+1"),
    "sy": ("Ada", "ap", 10, 14, "AP+4=14"),
    "tc": ("Ada", "sd", None, 4, "SD+2=4"),
    "tt": ("Bob", "sd", 5, 3, "Bob SD-2=3"),
    "tr": ("Bob", "sd", 5, 0, "Bob SD=0"),
}
FILLERS = ("ac", "co", "en", "in")


def rated(skill: str, slot: str = "skill4") -> dict[str, object]:
    """A fighter with the skill in a slot, and others in the rest."""
    others = iter(filler for filler in FILLERS if filler != skill)
    return {name: skill if name == slot else next(others) for name in ("skill4", "skill3", "skill2")}


def meeting(duel: Scenery, skill: str, sd: int = 6, slot: str = "skill4", **options: object) -> Any:
    """Ada with the skill and SD, Bob with something of everything."""
    ada: dict[str, object] = {"sd": sd, **rated(skill, slot)}
    bob: dict[str, object] = {"sd": 5, "wounds": 2}
    whose, stat, before, _, _ = EFFECTS[skill]
    if stat == "ad":
        (ada if whose == "Ada" else bob)["ad"] = before
    return duel(ada, bob, **options)


def call(skill: str, spent: int = 4) -> str:
    return f"skill {spent} {skill}" + (" Bob" if skill in AT_TARGET else "")


def test_these_are_all_skills() -> None:
    assert set(EFFECTS) == set(sheets.SKILLS) == set(AT_TARGET) | set(FOR_ONESELF)


@pytest.mark.parametrize("skill", sheets.SKILLS)
def test_success_changes_the_one_stat_and_spends_the_dice(duel: Scenery, skill: str) -> None:
    scene = meeting(duel, skill)
    before = {name: asdict(scene[name]) for name in ("Ada", "Bob")}
    hits = DIFFICULTY[skill] + 1
    line = scene.move("Ada", call(skill), dice=6, hits=hits)[0]
    whose, stat, was, now, told = EFFECTS[skill]
    assert line == f"+ Ada moves: The skill action succeeds ({hits}/6 vs {DIFFICULTY[skill]}): SD-4=2 {told}"
    expected = before
    expected["Ada"]["sd"] = 2
    assert was in (None, before[whose][stat])
    expected[whose][stat] = now
    if skill == "sy":
        expected["Ada"]["pool"] = 14
    assert {name: asdict(scene[name]) for name in ("Ada", "Bob")} == expected


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("skill", sheets.SKILLS)
def test_failure_changes_nothing_but_uses_the_turn(duel: Scenery, skill: str, profile: str) -> None:
    scene = meeting(duel, skill, profile=profile)
    before = {name: asdict(scene[name]) for name in ("Ada", "Bob")}
    hits = DIFFICULTY[skill] - (profile == "grounds")
    text = call(skill) + (" Bob" if skill == "tc" and profile == "grounds" else "")
    line = scene.move("Ada", text, dice=6, hits=hits)[0]
    assert line == f"+ Ada moves: The skill action fails ({hits}/6 vs {DIFFICULTY[skill]}). No SD were spent."
    assert {name: asdict(scene[name]) for name in ("Ada", "Bob")} == before
    assert scene.to_act == ["Bob"]


@pytest.mark.parametrize(("slot", "rating"), [("skill4", 4), ("skill3", 3), ("skill2", 2)])
@pytest.mark.parametrize("spent", range(7))
def test_a_skill_action_rolls_the_sd_spent_and_the_rating_less_2(
    duel: Scenery, spent: int, slot: str, rating: int
) -> None:
    scene = meeting(duel, "md", slot=slot)
    dice = spent + rating - 2
    line = scene.move("Ada", f"skill {spent} md Bob", dice=dice, hits=0)[0]
    assert line == f"+ Ada moves: The skill action fails (0/{dice} vs 4). No SD were spent."


def test_without_a_single_die_it_fails_and_nothing_is_rolled(duel: Scenery) -> None:
    scene = duel()
    line = scene.move("Ada", "skill 0 en")[0]
    assert line == "+ Ada moves: The skill action fails (0/0 vs 2). No SD were spent."
    assert scene.dice.fallen == []
    assert scene.to_act == ["Bob"]


def test_with_no_sd_the_dice_of_the_rating_alone_may_succeed_where_ties_do(duel: Scenery) -> None:
    scene = duel({**rated("in")}, {"ad": 5}, ties=True)
    assert "(2/2 vs 2): SD-0=0 Bob AD-4=1" in scene.move("Ada", "skill 0 in Bob", dice=2, hits=2)[0]


@pytest.mark.parametrize("spent", [-1, 7, 10])
def test_between_0_and_6_sd_are_spent_on_a_skill_action(duel: Scenery, spent: int) -> None:
    assert duel({"sd": 20}).refused("Ada", f"skill {spent} en") == f"a skill action takes 0 to 6 SD, not {spent}"


def test_no_more_sd_are_spent_than_there_are(duel: Scenery) -> None:
    assert duel({"sd": 2}).refused("Ada", "skill 3 en") == "3 SD cannot be spent: there are only 2"


def test_one_must_have_a_rating_for_a_skill_to_perform_its_action(duel: Scenery) -> None:
    assert "Trickster (tr) is not among this fighter's skills" in duel({"sd": 3}).refused("Ada", "skill 3 tr Bob")
    assert "Speed (sp) is not among this fighter's skills" in duel({"sd": 3}).refused("Ada", "skill 3 sp")


@pytest.mark.parametrize("skill", AT_TARGET)
def test_a_directed_skill_needs_a_target(duel: Scenery, skill: str) -> None:
    said = meeting(duel, skill).refused("Ada", f"skill 2 {skill}")
    assert said == f"{sheets.SKILLS[skill]} needs a target: Bob"


@pytest.mark.parametrize("skill", FOR_ONESELF)
def test_a_skill_for_oneself_takes_no_target(duel: Scenery, skill: str) -> None:
    said = meeting(duel, skill).refused("Ada", f"skill 2 {skill} Bob")
    assert said == f"{sheets.SKILLS[skill]} is for its user and takes no target; 'Bob' was given"


@pytest.mark.parametrize("skill", AT_TARGET)
def test_friends_can_be_targets_of_every_directed_skill(brawl: Scenery, skill: str) -> None:
    scene = brawl(heroes={"Ada": {"sd": 6, **rated(skill)}, "Amy": {"wounds": 1}}, villains=["Bob"])
    assert "succeeds" in scene.move("Ada", f"skill 4 {skill} Amy", dice=6, hits=6)[0]


def test_a_knocked_out_player_can_be_the_target_of_any_skill_action(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 6, **rated("in")}}, villains={"Bob": {"wounds": 3, "ad": 5}, "Ben": {}})
    scene.move("Ada", "skill 2 in Bob", dice=4, hits=4)
    assert scene["Bob"].ad == 1


# Bounds


@pytest.mark.parametrize(("ad", "now"), [(0, 6), (3, 9), (4, 10), (5, 10), (10, 10)])
def test_courage_stops_at_the_ap_size(duel: Scenery, ad: int, now: int) -> None:
    scene = duel({"ad": ad, "sd": 3})
    assert f"AD+6={now}" in scene.move("Ada", "skill 3 co", dice=4, hits=3)[0]
    assert scene["Ada"].ad == now


@pytest.mark.parametrize(("ad", "now"), [(0, 3), (4, 7), (5, 8), (6, 8), (8, 8)])
def test_leadership_stops_at_the_targets_ap_size(duel: Scenery, ad: int, now: int) -> None:
    scene = duel({"sd": 3, **rated("ld")}, {"ad": ad, "ap": 8})
    assert f"Bob AD+3={now}" in scene.move("Ada", "skill 3 ld Bob", dice=5, hits=3)[0]
    assert scene["Bob"].ad == now


@pytest.mark.parametrize(("ad", "now"), [(0, 0), (3, 0), (4, 0), (5, 1), (10, 6)])
def test_intimidation_stops_at_0(duel: Scenery, ad: int, now: int) -> None:
    scene = duel({"sd": 3, **rated("in")}, {"ad": ad})
    assert f"Bob AD-4={now}" in scene.move("Ada", "skill 3 in Bob", dice=5, hits=3)[0]
    assert scene["Bob"].ad == now


@pytest.mark.parametrize(("wounds", "now"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_medical_takes_one_wound_away_and_stops_at_0(brawl: Scenery, wounds: int, now: int) -> None:
    scene = brawl(heroes={"Ada": {"sd": 6, **rated("md")}, "Amy": {"wounds": wounds}}, villains=["Bob"])
    assert f"Amy Wounds-1={now}" in scene.move("Ada", "skill 6 md Amy", dice=8, hits=5)[0]
    assert scene["Amy"].wounds == now


@pytest.mark.parametrize(("sd", "now"), [(0, 0), (1, 0), (2, 0), (3, 1), (9, 7)])
def test_taunting_stops_at_0(duel: Scenery, sd: int, now: int) -> None:
    scene = duel({"sd": 3, **rated("tt")}, {"sd": sd})
    assert f"Bob SD-2={now}" in scene.move("Ada", "skill 3 tt Bob", dice=5, hits=3)[0]
    assert scene["Bob"].sd == now


@pytest.mark.parametrize("options", [{"sd_floor": False}, {"profile": "grounds"}])
def test_taunting_goes_below_0_without_the_floor(duel: Scenery, options: dict[str, object]) -> None:
    scene = duel({"sd": 12, **rated("tt")}, {"sd": 1}, **options)
    assert "Bob SD-2=-1" in scene.move("Ada", "skill 3 tt Bob", dice=5, hits=3)[0]
    assert scene.legal("Bob") == [move for move in scene.legal("Bob") if not move.startswith(("strike", "skill"))]
    assert scene.refused("Bob", "skill 0 en") == "0 SD cannot be spent: there are only -1"
    _, closed = scene.fight.legal("Bob", explain=True)
    assert "-1 SD: not even 0 can be spent" in [impossible.reason for impossible in closed]
    assert " -1 " in scene.rows()["Bob"]
    scene.move("Bob", "maneuver 3 ac", dice=7, hits=5)
    assert scene["Bob"].sd == 4, "what is earned is counted from below"


@pytest.mark.parametrize("sd", [0, 1, 17])
def test_trickster_takes_all_sd(duel: Scenery, sd: int) -> None:
    scene = duel({"sd": 6, **rated("tr")}, {"sd": sd})
    assert "Bob SD=0" in scene.move("Ada", "skill 6 tr Bob", dice=8, hits=5)[0]
    assert scene["Bob"].sd == 0


@pytest.mark.parametrize("floor", [True, False])
def test_trickster_brings_even_a_debt_to_0(duel: Scenery, floor: bool) -> None:
    scene = duel({"sd": 6, **rated("tr")}, {}, sd_floor=floor)
    scene["Bob"].sd = 0 if floor else -3
    scene.move("Ada", "skill 6 tr Bob", dice=8, hits=5)
    assert scene["Bob"].sd == 0


def test_tactics_gives_no_more_sd_than_the_cap(duel: Scenery) -> None:
    scene = duel({"skill4": "tc", "sd": 6}, sd_cap=6)
    scene.move("Ada", "skill 1 tc", dice=3, hits=3)
    assert scene["Ada"].sd == 6


def test_tactics_gives_2_sd_to_oneself_without_a_limit(duel: Scenery) -> None:
    scene = duel({"sd": 40, **rated("tc")})
    assert "SD-1=39 SD+2=41" in scene.move("Ada", "skill 1 tc", dice=3, hits=3)[0]


@pytest.mark.parametrize("options", [{"tactics_target": "other"}, {"profile": "grounds"}])
def test_tactics_gives_2_sd_to_a_member_of_another_team_in_grounds(duel: Scenery, options: dict[str, object]) -> None:
    scene = duel({"sd": 6, **rated("tc")}, {"sd": 1}, **options)
    assert scene.refused("Ada", "skill 1 tc") == "Tactics needs a target: Bob"
    assert "SD-1=5 Bob SD+2=3" in scene.move("Ada", "skill 1 tc Bob", dice=3, hits=3)[0]
    assert (scene["Ada"].sd, scene["Bob"].sd) == (5, 3)


def test_tactics_at_friends_only_where_friends_are_targets(brawl: Scenery) -> None:
    teams = {"heroes": {"Ada": {"sd": 6, **rated("tc")}, "Amy": {}}, "villains": {"Bob": {}}}
    scene = brawl({"tactics_target": "other"}, **teams)
    scene.move("Ada", "skill 1 tc Amy", dice=3, hits=3)
    assert scene["Amy"].sd == 2
    assert "friends are no targets" in brawl({"profile": "grounds"}, **teams).refused("Ada", "skill 1 tc Amy")


# What is refused before any roll


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_accuracy_does_not_bring_defense_below_1(duel: Scenery, profile: str) -> None:
    scene = duel({"sd": 20}, {"defense": 3}, profile=profile)
    for now in (2, 1):
        scene.move("Ada", "skill 4 ac Bob", dice=6, hits=4)
        assert scene["Bob"].defense == now, "it stacks"
        scene.breathe("Bob")
    said = scene.refused("Ada", "skill 4 ac Bob")
    assert said == "Accuracy (ac) would do nothing for Bob: defense is 1 and cannot fall further"
    assert not [move for move in scene.legal("Ada") if " ac Bob" in move]


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_endurance_does_not_bring_defense_above_6(duel: Scenery, profile: str) -> None:
    scene = duel({"sd": 20, "defense": 4}, profile=profile)
    for now in (5, 6):
        scene.move("Ada", "skill 4 en", dice=4, hits=3)
        assert scene["Ada"].defense == now, "it stacks"
        scene.breathe("Bob")
    said = scene.refused("Ada", "skill 4 en")
    assert said == "Endurance (en) would do nothing for Ada: defense is 6 and cannot rise further"


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_strategy_does_not_bring_the_ap_size_above_20(duel: Scenery, profile: str) -> None:
    scene = duel({"sd": 20, **rated("sy")}, profile=profile)
    for now in (14, 18):
        scene.move("Ada", "skill 4 sy", dice=6, hits=4)
        assert scene["Ada"].ap == now, "it stacks"
        scene.breathe("Bob")
    said = scene.refused("Ada", "skill 4 sy")
    assert said == "Strategy (sy) would do nothing for Ada: the AP size is 18, and 20 is the largest"


@pytest.mark.parametrize(("skill", "what"), [("sp", "maneuver"), ("sr", "strike")])
def test_speed_and_spirit_come_only_once(duel: Scenery, skill: str, what: str) -> None:
    scene = duel({"sd": 20, **rated(skill)})
    scene.move("Ada", f"skill 6 {skill}", dice=8, hits=5)
    scene.breathe("Bob")
    said = scene.refused("Ada", f"skill 6 {skill}")
    assert said == f"{sheets.SKILLS[skill]} ({skill}) would do nothing for Ada: the extra {what} die is there already"
    assert not [move for move in scene.legal("Ada") if move.endswith(f" {skill}") and move.startswith("skill")]


def test_a_limit_is_told_among_the_impossible(duel: Scenery) -> None:
    _, closed = duel({"defense": 6, "sd": 2}, {"defense": 1}).fight.legal("Ada", explain=True)
    assert [(impossible.notation, impossible.reason) for impossible in closed] == [
        ("skill <SD> ac", "Accuracy (ac) would do nothing for Bob: defense is 1 and cannot fall further"),
        ("skill <SD> en", "Endurance (en) would do nothing for Ada: defense is 6 and cannot rise further"),
    ]


# What lasts


def test_speed_is_a_die_more_in_every_later_maneuver_and_nothing_else(duel: Scenery) -> None:
    scene = duel({"sd": 20, **rated("sp")})
    scene.move("Ada", "skill 6 sp", dice=8, hits=3)
    scene.breathe("Bob")
    for _ in range(2):
        assert "(1/6)" in scene.move("Ada", "maneuver 1 sp", dice=1 + 4 + 1, hits=1)[0]
        scene.breathe("Bob")
    assert "(0/2 vs. 3)" in scene.move("Ada", "strike 2 Bob", dice=2)[0]
    scene.breathe("Bob")
    assert "(0/3 vs 3)" in scene.move("Ada", "skill 2 ac Bob", dice=2 + 3 - 2)[0]


def test_spirit_is_a_free_die_more_in_every_later_strike_and_nothing_else(duel: Scenery) -> None:
    scene = duel({"sd": 20, **rated("sr")}, {"defense": 1, "max_wounds": 5})
    scene.move("Ada", "skill 6 sr", dice=8, hits=5)
    scene.breathe("Bob")
    for sd in (13, 12):
        told = scene.move("Ada", "strike 1 Bob", dice=1 + 1, hits=2)[0]
        assert told.endswith(f"(2/2 vs. 1): SD-1={sd} Wounds=2"), "the die is free"
        scene.breathe("Bob")
    assert "(1/5)" in scene.move("Ada", "maneuver 1 sr", dice=5, hits=1)[0]
    scene.breathe("Bob")
    assert "(0/2 vs 2)" in scene.move("Ada", "skill 2 co", dice=2 + 2 - 2)[0]


def test_the_free_die_makes_seven(duel: Scenery) -> None:
    scene = duel({"sd": 20, **rated("sr")}, {"defense": 1, "max_wounds": 5})
    scene.move("Ada", "skill 6 sr", dice=8, hits=5)
    scene.breathe("Bob")
    assert "(7/7 vs. 1): SD-6=8 Wounds=7" in scene.move("Ada", "strike 6 Bob", dice=7, hits=7)[0]


def test_strategy_raises_the_real_cap(duel: Scenery) -> None:
    scene = duel({"sd": 6, "ad": 10, **rated("sy")})
    scene.move("Ada", "skill 4 sy", dice=6, hits=4)
    scene.breathe("Bob", "Ada")
    assert (scene["Ada"].ad, scene["Ada"].ap) == (13, 14)
    assert "13/14" in scene.rows()["Ada"]


@pytest.mark.parametrize("options", [{"strategy_cap": False}, {"profile": "grounds"}])
def test_strategy_raises_only_the_shown_number_in_grounds(duel: Scenery, options: dict[str, object]) -> None:
    scene = duel({"sd": 6, "ad": 9, **rated("sy")}, **options)
    scene.move("Ada", "skill 4 sy", dice=6, hits=4)
    scene.breathe("Bob", "Ada")
    assert (scene["Ada"].ad, scene["Ada"].ap, scene["Ada"].pool) == (10, 14, 10)
    assert "10/14" in scene.rows()["Ada"]


def test_endurance_and_accuracy_count_in_the_next_strike(duel: Scenery) -> None:
    scene = duel({"sd": 12}, {"defense": 2, "max_wounds": 5})
    scene.move("Ada", "skill 6 ac Bob", dice=8, hits=4)
    scene.breathe("Bob")
    assert "(4/6 vs. 1): SD-6=0 Wounds=4" in scene.move("Ada", "strike 6 Bob", dice=6, hits=4)[0]


def test_an_effect_is_cited(duel: Scenery) -> None:
    scene = duel({"sd": 4})
    scene.move("Ada", "skill 4 en", dice=4, hits=3)
    number = next(n for n, line in enumerate(scene.fight.lines) if line.event.kind == events.ACTS)
    assert {"skill-action", "effects"} <= {ruling.id for ruling in scene.fight.why(number)}
