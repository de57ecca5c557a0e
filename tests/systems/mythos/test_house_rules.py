"""Options for the house rules: each reading beside the usual one; and perks that can do nothing under the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from affray.players.tactics import decide
from affray.system.creation import Question
from affray.system.registry import find
from affray.system.schema import settle
from affray.systems.mythos import creation, sheets
from affray.systems.mythos.sheets import OPTIONS, SHEETS, after_fight, idle_perks
from affray.systems.mythos.terms import PERKS

Scenery = Callable[..., Any]
MYTHOS = find("mythos")
EXTREME, HARD, HIT, MISS = 10, 25, 50, 99  # with a skill of 50
REVOLVER = {"weapons": ["38-revolver"]}


def test_every_house_rule_has_an_option() -> None:
    house_rules = [ruling for ruling in MYTHOS.rulings().values() if ruling.source == "house rule"]
    assert [ruling.id for ruling in house_rules if not ruling.options] == []


@pytest.mark.parametrize(("flight_ends", "ending"), [("escaped", "escaped"), ("won", "horrors")])
def test_how_a_fight_ends_that_a_loser_got_away_from(duel: Scenery, flight_ends: str, ending: str) -> None:
    scene = duel(flight_ends=flight_ends)
    scene.move("ada", "flee", HIT, HIT)
    assert scene.ending == ending


@pytest.mark.parametrize(
    ("table", "build", "dice"),
    [("manoeuvres", -1, 0), ("manoeuvres", -2, 1), ("shots", -1, 1), ("shots", -2, 2), ("both", -2, 2), ("both", 0, 0)],
)
def test_the_table_of_builds_at_a_target_to_shoot(duel: Scenery, table: str, build: int, dice: int) -> None:
    bulk = {0: (50, 50), -1: (40, 40), -2: (30, 30)}[build]
    scene = duel(REVOLVER, {"strength": bulk[0], "size": bulk[1]}, build_table=table)
    assert scene["bob"].build == build
    scene.move("ada", "shoot", f"{HIT}+{dice}", [5])


def test_by_the_table_of_builds_the_smallest_cannot_be_shot_and_manoeuvres_do_not_mind(duel: Scenery) -> None:
    scene = duel(REVOLVER, build_table="shots")
    scene["bob"].build = -3
    assert not any(move.startswith("shoot") for move in scene.legal("ada"))
    assert scene.closed("ada")["shoot with .38 revolver"] == "too small to be shot"
    scene["bob"].build = 5
    assert "trip" in scene.legal("ada")
    scene = duel(REVOLVER, build_table="both")
    scene["bob"].build = 5
    assert "trip" not in scene.legal("ada")


@pytest.mark.parametrize(("left", "loaded"), [("kept", 5), ("spent", 3)])
def test_what_becomes_of_shots_that_are_left(duel: Scenery, left: str, loaded: int) -> None:
    scene = duel(REVOLVER, {"hp": 1}, volley_left=left)
    told = scene.move("ada", "shoot three times", f"{HIT}+1", [5])
    assert scene["ada"].loaded[1] == loaded
    assert any("fires the rest all the same: 2" in line for line in told) == (left == "spent")


@pytest.mark.parametrize(("tie", "hurt"), [("attacker", "bob"), ("defender", "ada")])
def test_who_hits_where_both_succeed_alike(duel: Scenery, tie: str, hurt: str) -> None:
    scene = duel(fight_back_tie=tie)
    scene.move("ada", "fight", HIT, HIT, [3])
    assert {who: scene.lost(who) for who in ("ada", "bob")} == {"ada": 0, "bob": 0, hurt: 3}


@pytest.mark.parametrize(("tie", "lost"), [("defender", 0), ("attacker", 2)])
def test_who_has_the_better_of_a_tie_at_a_dodge(duel: Scenery, tie: str, lost: int) -> None:
    scene = duel(dodge_tie=tie).wait("ada")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, HIT, *([[2]] if lost else []))
    assert scene.lost("ada") == lost


@pytest.mark.parametrize(("great", "dice", "lost"), [(False, [[1]], 1), (True, [], 3)])
def test_a_great_reaction(duel: Scenery, great: bool, dice: list[list[int]], lost: int) -> None:
    scene = duel(great_reaction=great)
    told = scene.move("ada", "fight", HIT, EXTREME, *dice)
    assert scene.lost("ada") == lost
    assert any("as hard as can be" in line for line in told) == great


@pytest.mark.parametrize(("first", "lost"), [(False, 1), (True, 2)])
def test_when_armour_is_taken_off(duel: Scenery, first: bool, lost: int) -> None:
    scene = duel(REVOLVER, {"armour": 3, "ward": "guns-half"}, armour_first=first)
    scene.move("ada", "shoot", HIT, [8])  # 8 / 2 - 3, or (8 - 3) / 2
    assert scene.lost("bob") == lost


@pytest.mark.parametrize(("using", "ways"), [("hand", ["hands"]), ("any", ["large club", "small knife", "hands"])])
def test_what_one_may_fight_back_with(duel: Scenery, using: str, ways: list[str]) -> None:
    armed = {"weapons": ["38-revolver", "large-club", "small-knife"]}
    scene = duel(armed, fight_back_with=using).wait("ada")
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", *(f"fight back with {weapon}" for weapon in ways)]
    scene.move("ada", f"fight back with {ways[0]}", MISS, MISS)


@pytest.mark.parametrize(("lasts", "mov"), [(False, 7), (True, 6)])
def test_the_pace_of_a_flight(duel: Scenery, lasts: bool, mov: int) -> None:
    scene = duel(pace_lasts=lasts)
    scene.move("ada", "flee", MISS, HIT)
    assert (scene["ada"].mov, scene["bob"].mov) == (mov, 7)


@pytest.mark.parametrize("allies", [True, False])
def test_items_for_allies(brawl: Scenery, allies: bool) -> None:
    scene = brawl({"ada": {"items": {"first-aid": 1}}, "amy": {"hp": 5}}, ["bob"], treat_allies=allies)
    treats = [move for move in scene.legal("ada") if move.startswith("first aid")]
    assert treats == ["first aid ada", *["first aid amy"] * allies]


@pytest.mark.parametrize("price", [10, 25, 0])
def test_what_a_perk_costs(duel: Scenery, price: int) -> None:
    scene = duel({"perks": ["heavy-hitter"], "luck": 20}, perk_price=price)
    scene.move("ada", "fight", HIT, MISS, *([[2]] if price > 20 else []))
    if price > 20:
        assert scene.lost("bob") == 2
        return
    assert f"({price} Luck)" in scene.fight.status()
    scene.move("ada", "use", [2], [3])
    assert (scene.lost("bob"), scene["ada"].luck) == (5, 20 - price)


@pytest.mark.parametrize(("untrained", "chance"), [("base", 25), ("half", 12), ("none", 1)])
def test_a_skill_that_is_missing(duel: Scenery, untrained: str, chance: int) -> None:
    scene = duel({"skills": {"dodge": 40}}, untrained=untrained)
    assert scene["ada"].skills[0] == chance
    assert scene["bob"].skills[0] == 50


def test_waiting_where_there_is_something_else_to_do(duel: Scenery) -> None:
    assert "wait" in duel().legal("ada")
    scene = duel(waiting=False)
    assert "wait" not in scene.legal("ada")
    assert scene.closed("ada")["wait"] == "there is something else to do (option waiting)"


@pytest.mark.parametrize(("regaining", "hp"), [(True, 12), (False, 10)])
def test_bodies_that_mend_by_themselves(duel: Scenery, regaining: bool, hp: int) -> None:
    scene = duel(bob={"hp": 10, "regains": 2}, regaining=regaining).wait("ada")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert scene["bob"].hp == hp


@pytest.mark.parametrize(("lasts", "luck"), [(True, 10), (False, 20)])
def test_whether_luck_lasts(duel: Scenery, lasts: bool, luck: int) -> None:
    scene = duel({"perks": ["heavy-hitter"], "luck": 20}, luck_lasts=lasts)
    scene.move("ada", "fight", HIT, MISS)
    scene.move("ada", "use", [1], [1])
    assert after_fight(scene.fight.state, 0, scene.fight.sheets[0]).luck == luck


# Items that give a boost


def test_a_stimulant_gives_a_bonus_die_until_the_end_of_the_next_turn(duel: Scenery) -> None:
    scene = duel({"items": {"stimulant": 2}})
    assert scene.move("ada", "stimulant")[-1] == "Ada takes a stimulant."
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, f"{HIT}+1")  # a reaction
    assert "boosted" in scene.fight.status()
    assert scene.closed("ada")["stimulant"] == "the last one has not worn off"
    scene.move("ada", "fight", f"{HIT}+1", MISS, [2])  # an attack; the enemy rolls as before
    scene.move("bob", "fight")
    scene.move("ada", "dodge", MISS, HIT)
    assert "stimulant" in scene.legal("ada")
    assert after_fight(scene.fight.state, 0, scene.fight.sheets[0]).items == {"stimulant": 1}


def test_a_stimulant_for_an_ally_lasts_for_the_ally_s_next_turn(brawl: Scenery) -> None:
    scene = brawl({"ada": {"items": {"stimulant": 1}}, "amy": {**REVOLVER, "dexterity": 55}}, ["bob"])
    assert scene.move("ada", "stimulant amy")[-1] == "Ada gives Amy a stimulant."
    scene.move("amy", "shoot", f"{HIT}+1", [4])
    scene.move("bob", "fight amy")
    scene.move("amy", "dodge", MISS, HIT)
    assert scene.closed("ada")["stimulant"] == "none left"


@pytest.mark.parametrize("dice", [0, 1, 2])
def test_how_many_dice_a_stimulant_gives(duel: Scenery, dice: int) -> None:
    scene = duel({"items": {"stimulant": 1}}, boost_dice=dice)
    if not dice:
        assert "stimulant" not in scene.legal("ada")
        assert scene.closed("ada")["stimulant"] == "it does nothing here (option boost_dice)"
        return
    scene.move("ada", "stimulant")
    scene.move("bob", "fight")
    scene.move("ada", "fight back", MISS, f"{HIT}+{dice}", [1])


def test_the_healer_gives_a_stimulant_to_the_best_of_the_team(brawl: Scenery) -> None:
    strong = {"dexterity": 40, "skills": {"brawl": 80}}
    scene = brawl({"ada": {"items": {"stimulant": 1}}, "amy": {"dexterity": 45}, "abe": strong}, ["bob"])
    assert str(decide(scene.fight, "ada", "healer")) == "stimulant abe"


# Perks that do nothing

GUNMAN = "detective:weapons=38-revolver:luck=50:perks="
ACTS: Mapping[str, Mapping[str, object]] = {
    "nimble": {},
    "alert": {"surprise": "last"},
    "night-vision": {"darkness": True},
    "fleet-footed": {"outnumbered": True},
}


@pytest.mark.parametrize("perk", PERKS)
def test_a_perk_that_does_nothing_says_so(perk: str) -> None:
    sheet = SHEETS.enlist(GUNMAN + perk)
    usual = idle_perks(sheet, settle(OPTIONS, {}))
    assert bool(usual) == (perk in ("alert", "night-vision", "fleet-footed"))
    assert idle_perks(sheet, settle(OPTIONS, dict(ACTS.get(perk, {})))) == {}
    assert ("idle_perks" in sheets.derived(sheet, settle(OPTIONS, {}))) == bool(usual)


@pytest.mark.parametrize(
    ("spec", "options", "reason"),
    [
        ("perks=nimble", {"dive_cost": "none"}, "diving costs nothing here (option dive_cost)"),
        ("perks=outmaneuver", {"manoeuvres": False}, "there are no manoeuvres here (option manoeuvres)"),
        ("perks=outmaneuver", {"build_table": "shots"}, "Build does not matter for manoeuvres"),
        ("perks=quick-draw", {"readied_gun": True}, "all have it here (option readied_gun)"),
        ("perks=quick-draw:weapons=large-club:wields=large-club", {}, "there is no gun to use it with"),
        ("perks=rapid-fire:weapons=30-06-rifle:wields=30-06-rifle", {}, "no handgun that fires several shots"),
        ("perks=tough-guy:luck=5", {}, "it costs 10 Luck, and there are 5"),
        ("perks=tough-guy:luck=5", {"perk_price": 5}, ""),
    ],
)
def test_why_a_perk_does_nothing(spec: str, options: dict[str, object], reason: str) -> None:
    sheet = SHEETS.enlist(f"detective:loaded=:ammunition=:{spec}")
    found = "; ".join(idle_perks(sheet, settle(OPTIONS, options)).values())
    assert reason in found if reason else not found


def test_idle_perks_are_among_what_is_impossible(duel: Scenery) -> None:
    carried = {"perks": ["night-vision", "heavy-hitter"], "luck": 10}
    scene = duel(carried)
    assert scene.closed("ada")["Night Vision"] == "this perk does nothing: it is not dark here (option darkness)"
    assert "Heavy Hitter" not in scene.closed("ada")
    scene["ada"].luck = 9
    assert "it costs 10 Luck, and there are 9" in scene.closed("ada")["Heavy Hitter"]
    assert "Night Vision" not in duel(carried, darkness=True).closed("ada")


def test_a_player_who_chooses_an_idle_perk_is_told_at_once() -> None:
    interview = creation.interview("Ida", None, lambda purpose: None)  # type: ignore[arg-type]
    question, shown = next(interview), []
    try:
        while True:
            shown.append(question)
            answers = {"characteristics, rolled or typed": "typed", "perks, at most 2": "alert, endurance"}
            question = interview.send(answers.get(question.asks, ""))
    except StopIteration as done:
        made = done.value
    (items,) = (one for one in shown if isinstance(one, Question) and one.asks == "items")
    assert items.shows == ["By the usual options Alert does nothing: nobody is surprised here (option surprise)."]
    assert creation.comments(SHEETS.enlist(made))["perks"] == "up to 2; idle by default: alert"
