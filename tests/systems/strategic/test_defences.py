"""Every defence alone: its coins, whom it helps against what, and what it does to the next round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Scenery = Callable[..., Any]
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
MISSED = {"attack": 0, "defence": 1}
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}


@pytest.mark.parametrize(("defence", "coins"), [("parry", 8), ("dodge", 9), ("brace", 6)])
def test_every_defence_flips_its_own_coins(duel: Scenery, defence: str, coins: int) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", defence, **MISSED)
    assert scene.coins("defence") == [coins]


def test_the_defence_is_chosen_before_any_coin_falls_and_after_the_attack_is_announced(duel: Scenery) -> None:
    scene = duel()
    told = scene.move("ada", "power cripple")
    assert told == ["Ada swings with full power at Bob to cripple."]
    assert scene.flips == []
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["parry", "dodge", "brace"]


@pytest.mark.parametrize("defence", ["parry", "dodge", "brace"])
def test_defence_coins_never_go_below_nothing(duel: Scenery, defence: str) -> None:
    scene = duel()
    scene["bob"].incapacitation = 20
    scene.blow("ada", "strike pain", "bob", defence, attack=1, defence=0, **NOTHING)
    assert scene.coins("defence") == [0]


# Parry


@pytest.mark.parametrize("margin", [1, 2, 3, 8])
def test_a_parry_that_wins_by_2_or_more_gives_2_initiative_in_the_next_round_only(duel: Scenery, margin: int) -> None:
    scene = duel()
    told = scene.blow("ada", "strike pain", "bob", "parry", attack=0, defence=margin)
    assert scene.coins("initiative") == [8, 10 if margin >= 2 else 8]
    assert ("Bob has parried so well that the next move may be theirs." in told) == (margin >= 2)
    scene.blow("ada", "strike pain", "bob", "brace", **MISSED)
    assert scene.coins("initiative") == [8, 8]


def test_a_parry_that_wins_by_flip_off_gives_nothing(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "parry", attack=3, defence=3, flip_off=[0, 1])
    assert scene.coins("initiative") == [8, 8]


def test_a_parry_that_loses_gives_nothing(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "parry", attack=5, defence=0, control=4, **NOTHING)
    assert scene.coins("initiative") == [8, 8]


@pytest.mark.parametrize("defence", ["dodge", "brace"])
def test_only_a_parry_wins_initiative(duel: Scenery, defence: str) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", defence, attack=0, defence=6)
    assert scene.coins("initiative")[1] <= 8


def test_arrows_cannot_be_parried(duel: Scenery) -> None:
    scene = duel({"weapon": "longbow"})
    scene.move("ada", "strike pain")
    assert scene.legal("bob") == ["dodge", "brace"]
    assert scene.closed("bob") == {"parry": "arrows cannot be parried"}
    assert scene.refused("bob", "parry") == "parry: arrows cannot be parried"


def test_an_archers_fists_can_be_parried(duel: Scenery) -> None:
    scene = duel({"weapon": "longbow"}, start_range="near")
    scene.move("ada", "stand down", then="bob")
    scene.blow("bob", "disarm", "ada", "brace", attack=3, defence=0, then="ada")
    scene.move("ada", "strike pain")
    assert "parry" in scene.legal("bob")


# Dodge


def test_a_dodge_costs_a_coin_of_initiative_in_the_next_round_only(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "dodge", **MISSED)
    assert scene.coins("initiative") == [8, 7]
    scene.blow("ada", "strike pain", "bob", "brace", **MISSED)
    assert scene.coins("initiative") == [8, 8]


def test_a_dodge_costs_it_too_where_it_fails(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "dodge", **TIED, **NOTHING)
    assert scene.coins("initiative") == [8, 7]


@pytest.mark.parametrize(("armour", "able"), [("none", True), ("leather", True), ("chain", True), ("plate", False)])
def test_one_dodges_in_armour_of_a_penalty_up_to_2(duel: Scenery, armour: str, able: bool) -> None:
    scene = duel(bob={"armour": armour})
    scene.move("ada", "strike pain")
    assert ("dodge" in scene.legal("bob")) == able
    if not able:
        assert scene.closed("bob") == {"dodge": "too heavily armoured to dodge"}
        assert scene.refused("bob", "dodge") == "dodge: too heavily armoured to dodge"


def test_whoever_wears_plate_can_only_brace_against_arrows(duel: Scenery) -> None:
    scene = duel({"weapon": "longbow"}, {"armour": "plate"})
    scene.move("ada", "strike pain")
    assert scene.legal("bob") == ["brace"]


# Brace


def test_bracing_adds_3_coins_of_soak(duel: Scenery) -> None:
    for defence, coins in (("parry", 2), ("dodge", 2), ("brace", 5)):
        scene = duel()
        scene.blow("ada", "strike pain", "bob", defence, **TIED, **NOTHING)
        assert scene.coins("soak") == [coins]


def test_bracing_helps_against_a_gap_as_well(duel: Scenery) -> None:
    scene = duel(bob={"armour": "plate"})
    scene.blow("ada", "gap pain", "bob", "brace", **TIED, **NOTHING)
    assert scene.coins("soak") == [5]


def test_bracing_leaves_initiative_alone(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "brace", attack=0, defence=6)
    assert scene.coins("initiative") == [8, 8]


# A defence is over with the blow it was for


@pytest.mark.parametrize("before", ["parry", "dodge", "brace"])
@pytest.mark.parametrize("hit", [True, False])
def test_a_defence_against_an_earlier_blow_means_nothing_to_somebody_without_any(
    duel: Scenery, before: str, hit: bool
) -> None:
    scene = duel(parry_margin=0)
    scene.blow("ada", "strike pain", "bob", before, attack=0, defence=0, flip_off=[1, 0], **NOTHING, then="bob")
    scene.move("bob", "yield")
    scene.move("ada", "refuse", then="ada")
    fell = {**TIED, **NOTHING} if hit else {"attack": 0, "defence": 0, "flip_off": [0, 1]}
    scene.move("ada", "strike pain", **fell)
    assert scene.coins("soak") == ([2] if hit else []), "no bracing"
    assert scene.coins("initiative") == [8, 8], "no dodge, and no parry that has won"


# With other modifiers


def test_defences_add_to_guard_and_penalties(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "guarded pain", "bob", "parry", then="bob", **MISSED)
    scene["ada"].incapacitation = scene["ada"].crippling = 2
    scene.blow("bob", "strike pain", "ada", "dodge", **MISSED)
    assert scene.coins("defence") == [8 + 2 + 1 - 4]


@pytest.mark.parametrize(("defence", "coins"), [("parry", 12), ("dodge", 13), ("brace", 9)])
def test_standing_down_makes_every_defence_half_as_much_again(duel: Scenery, defence: str, coins: int) -> None:
    scene = duel()
    scene.move("ada", "stand down", then="bob")
    scene.blow("bob", "strike pain", "ada", defence, **MISSED)
    assert scene.coins("defence") == [coins]


def test_an_attack_that_fails_for_pain_needs_no_defence_coins_but_a_dodge_was_made(duel: Scenery) -> None:
    scene = duel()
    scene["ada"].pain = 9
    scene.blow("ada", "strike pain", "bob", "dodge", penalty=9)
    assert scene.coins("defence") == []
    assert scene.coins("initiative") == [8, 7]
