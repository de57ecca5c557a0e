"""`why` cites what applied, as the rules knew it when it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Scenery = Callable[..., Any]
EXTREME, HIT, MISS = 10, 50, 99  # with a skill of 50
CLUB, KNIFE = {"weapons": ["large-club"]}, {"weapons": ["small-knife"]}
REVOLVER = {"weapons": ["38-revolver"]}


@pytest.mark.parametrize("great", [False, True])
def test_a_blow_of_the_defender_is_one_that_fought_back(duel: Scenery, great: bool) -> None:
    scene = duel(great_reaction=great)
    scene.move("ada", "fight", MISS, HIT, [1])
    assert scene.cites("HITS") == ["damage", "7"]


def test_a_blow_that_wins_against_one_who_fights_back(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "fight", HIT, HIT, [1])
    assert scene.cites("HITS") == ["damage", "7"], "equal levels favour the attacker"


def test_a_blow_at_one_who_dodges(duel: Scenery) -> None:
    scene = duel().wait("ada")
    scene.move("bob", "fight")
    scene.move("ada", "dodge", HIT, MISS, [1])
    assert scene.cites("HITS") == ["damage"]


@pytest.mark.parametrize(("reaction", "cited"), [("dodge", ["fight"]), ("fight back", ["fight", "fight-back", "7"])])
def test_nobody_is_hurt_by_two_failures(duel: Scenery, reaction: str, cited: list[str]) -> None:
    scene = duel().wait("ada")
    scene.move("bob", "fight")
    scene.move("ada", reaction, MISS, MISS)
    assert scene.cites("NOBODY_HITS") == cited


def test_one_who_is_surprised_does_not_fight_back(duel: Scenery) -> None:
    scene = duel(surprise="first")
    scene.move("ada", "fight", f"{MISS}+1")
    assert scene.cites("NOBODY_HITS") == ["fight"]


def test_a_body_that_defies_what_impales_is_cited_in_place_of_a_very_good_roll(duel: Scenery) -> None:
    for ward, dice, cited in (("none", [[1]], ["damage", "7", "10"]), ("impaling-least", [], ["damage", "7", "11"])):
        scene = duel(KNIFE, {"ward": ward})
        scene.move("ada", "fight with small knife", EXTREME, MISS, *dice)
        assert scene.cites("HITS") == cited


def test_a_fighter_is_outnumbered_from_the_second_attack_on(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob"], outnumbered=True)
    scene.move("ada", "fight", MISS, MISS)
    assert scene.cites("ATTACKS") == ["fight"]
    assert scene.cites("FIGHTS_BACK") == ["fight-back", "9", "12"], "Bob is an enemy"
    scene.move("cal", "fight", f"{MISS}+1", MISS)
    assert scene.cites("ATTACKS") == ["fight", "9"]


def test_a_fighter_of_the_players_fights_back_of_free_will(duel: Scenery) -> None:
    scene = duel(outnumbered=True).wait("ada")
    scene.move("bob", "fight")
    scene.move("ada", "fight back", MISS, MISS)
    assert scene.cites("FIGHTS_BACK") == ["fight-back", "12"]


def test_a_target_is_fast_at_the_mov_that_a_flight_has_left_it(duel: Scenery) -> None:
    for lasts, fast in ((False, True), (True, False)):
        scene = duel({**REVOLVER, "dexterity": 60}, {"mov": 8}, pace_lasts=lasts)
        scene.move("ada", "flee", MISS, MISS)
        scene.move("bob", "fight")
        scene.move("ada", "dodge", MISS, MISS)
        scene.move("ada", "shoot", f"{MISS}+1" if fast else MISS)
        assert ("4" in scene.cites("SHOOTS")) is fast


@pytest.mark.parametrize(
    ("ada", "options", "settled"),
    [({}, {}, False), ({"dexterity": 50}, {}, True), (REVOLVER, {"readied_gun": True}, True), (CLUB, {}, False)],
)
def test_dex_alone_gives_the_order_or_does_not(
    duel: Scenery, ada: dict[str, object], options: dict[str, object], settled: bool
) -> None:
    assert ("1" in duel(ada, **options).cites("OPENS")) is settled
