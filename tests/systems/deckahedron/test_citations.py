"""`why` cites what applied, judged when it did: also where the piles, tokens and weapons have changed since, or not.

Cards show Ada and Bob what `test_rules.py` says of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Scenery = Callable[..., Any]
BOW = {"ranged": "held"}


@pytest.mark.parametrize(("what", "cited"), [("wound", ["wounds"]), ("harm", ["wounds", "18"])])
def test_a_wound_is_one_for_harm_where_harm_was_dealt(duel: Scenery, what: str, cited: list[str]) -> None:
    scene = duel(bob={"harm": 2})
    scene.move("Ada", "attack", 12 if what == "harm" else 11, 1)
    scene.move("Ada", what)
    assert (scene["Bob"].harm, scene["Bob"].wounds) == (2, 1), "the same two Harm either way"
    assert scene.cites("WOUNDS") == cited


def test_a_wound_for_harm_stays_one_while_its_point_is_decided(duel: Scenery) -> None:
    scene = duel(bob={"harm": 2, "tokens": 1})
    scene.move("Ada", "attack", 12, 1)
    scene.move("Ada", "harm")
    assert scene.to_act == ["Bob"]
    scene.move("Bob", "token")
    assert scene.cites("WOUNDS") == ["wounds", "18"]


@pytest.mark.parametrize(("what", "cited"), [("wound", ["19"]), ("harm", ["18", "19"])])
def test_a_fall_by_the_third_wound(duel: Scenery, what: str, cited: list[str]) -> None:
    scene = duel(bob={"wounds": 2, "wound_cards": [21, 22], "harm": 2})
    scene.move("Ada", "attack", 12 if what == "harm" else 11, 1)
    scene.move("Ada", what)
    assert scene.cites("FALLS") == cited


def test_a_fall_by_the_last_point(duel: Scenery) -> None:
    scene = duel(bob={"stamina": 2})
    scene.move("Ada", "attack", 11, 2, "d2")
    assert scene.cites("FALLS") == ["16"]


@pytest.mark.parametrize(("mine", "theirs", "cited"), [(12, 6, ["fatigue"]), (11, 2, ["fatigue", "13"])])
def test_one_point_comes_of_a_dropped_weapon_where_there_would_have_been_a_die(
    duel: Scenery, mine: int, theirs: int, cited: list[str]
) -> None:
    scene = duel({"melee": "dropped"}, {"melee": "dropped"})
    scene.move("Ada", "attack", mine, theirs)
    assert scene.cites("DEALS") == cited


def test_a_dropped_weapon_counts_also_where_more_comes_on_top(duel: Scenery) -> None:
    scene = duel({"melee": "dropped"})
    scene.move("Ada", "attack", 11, 1)
    scene.move("Ada", "fatigue")
    assert scene.lost("Bob") == 2
    assert scene.cites("DEALS") == ["fatigue", "13"]


def test_a_dropped_bow_does_not_count_where_only_its_own_fatigue_would(duel: Scenery) -> None:
    scene = duel({"ranged": "dropped"}, dropped_weapon="own")
    scene.move("Ada", "attack", 11, 2, "d1")
    assert scene.cites("DEALS") == ["fatigue"]


@pytest.mark.parametrize(("theirs", "differ"), [("held", False), ("none", True), ("dropped", True)])
def test_weapons_differ_where_the_target_has_no_such_one_at_hand(duel: Scenery, theirs: str, differ: bool) -> None:
    scene = duel(bob={"melee": theirs})
    scene.move("Ada", "attack", 2, 2)
    assert ("27" in scene.cites("ATTACKS")) is differ


@pytest.mark.parametrize(("where", "flips", "close"), [("close", [12, 6], True), ("far", [12], False)])
def test_a_shot_at_close_range_stays_one_when_the_foe_has_moved(
    duel: Scenery, where: str, flips: list[int], close: bool
) -> None:
    scene = duel(BOW, range=where)
    scene.move("Ada", "shoot", *flips, 4)
    scene.move("Bob", "move")
    assert (scene["Ada"].near != 0) is not close
    assert ("9" in scene.cites("SHOOTS")) is close


def test_of_several_foes_who_can_still_move(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada"], villains=["Bob", "Cid"])
    scene.turn("Ada", "breathe int", 1)
    assert "30" in scene.cites("SUPERIOR")
    scene = brawl(heroes=["Ada"], villains=["Bob", "Cid"])
    scene.turn("Ada", "wait")
    scene.turn("Bob", "wait")
    scene.turn("Cid", "yield")
    scene.turn("Ada", "breathe int", 1)
    assert "30" not in scene.cites("SUPERIOR"), "one of them is left"
