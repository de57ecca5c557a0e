"""The flow of a combat, section by section of the document: the order, whose turn it is, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight

Scenery = Callable[..., Any]
MISS = 99


def in_order(scene: Any) -> list[str]:
    return [scene.fight.names[who] for who in scene.fight.state.order]


# Establish order of attack


def test_the_investigator_with_the_higher_dex_goes_first(duel: Scenery) -> None:
    scene = duel({"dexterity": 51}, {"dexterity": 50})
    assert scene.to_act == ["ada"]
    assert scene.fight.lines[0].text == "The fight begins; Ada is first."


def test_the_enemy_with_the_higher_dex_goes_first_and_the_investigator_must_react(duel: Scenery) -> None:
    scene = duel({"dexterity": 50}, {"dexterity": 51})
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    assert scene.to_act == ["ada"]
    assert set(scene.legal("ada")) == {"dodge", "fight back"}


def test_a_tie_is_the_enemys(duel: Scenery) -> None:
    assert duel({"dexterity": 50, "skills": {"brawl": 90}}, {"dexterity": 50}).to_act == ["bob"]


@pytest.mark.parametrize(("mine", "theirs", "first"), [(51, 50, "ada"), (49, 50, "bob"), (50, 50, "bob")])
def test_a_tie_may_go_to_whoever_has_more_skill_with_what_is_in_hand(
    duel: Scenery, mine: int, theirs: int, first: str
) -> None:
    skilled = {"dexterity": 50, "weapons": ["medium-sword"], "skills": {"sword": mine, "brawl": 5}}
    scene = duel(skilled, {"dexterity": 50, "skills": {"brawl": theirs}}, dex_tie="skill")
    assert scene.to_act == [first]


def test_nothing_is_rolled_for_the_order(duel: Scenery) -> None:
    assert duel().rolls == []


# Taking turns


def test_player_and_enemy_take_turns(duel: Scenery) -> None:
    scene = duel()
    for number in (1, 2, 3):
        assert (scene.to_act, scene.fight.round) == (["ada"], number)
        scene.move("ada", "fight", MISS, MISS)
        assert (scene.to_act, scene.fight.round) == (["bob"], number)
        scene.move("bob", "fight")
        scene.move("ada", "dodge", MISS, MISS)


def test_everybody_who_stands_acts_once_a_round_in_the_order_of_dex(brawl: Scenery) -> None:
    scene = brawl(
        {"ada": {"dexterity": 40}, "cal": {"dexterity": 70}},
        {"bob": {"dexterity": 55}, "dan": {"dexterity": 40}},
    )
    assert in_order(scene) == ["cal", "bob", "dan", "ada"]  # at 40 each, the enemy before Ada
    for number in (1, 2):
        assert scene.fight.round == number
        scene.move("cal", "wait")
        scene.move("bob", "fight ada")
        scene.move("ada", "dodge", MISS, MISS)
        scene.move("dan", "fight cal")
        scene.move("cal", "fight back", MISS, MISS)
        scene.move("ada", "wait")
    assert scene.fight.round == 3


def test_among_equals_of_a_side_the_list_decides(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], {"bob": {"dexterity": 60}, "dan": {"dexterity": 60}})
    assert in_order(scene) == ["bob", "dan", "ada", "cal"]


def test_the_dead_have_no_turn(brawl: Scenery) -> None:
    scene = brawl(["ada"], {"bob": {"hp": 1}, "dan": {}})
    scene.move("ada", "fight bob", 50, MISS, [2])
    assert scene.to_act == ["dan"]
    scene.move("dan", "fight")
    scene.move("ada", "dodge", MISS, MISS)
    assert scene.to_act == ["ada"]
    assert scene.legal("ada")[0] == "fight"  # there is only one left to name


def test_whoever_falls_before_their_turn_has_none(brawl: Scenery) -> None:
    """Bob, whose turn is next, strikes at nobody any more."""
    scene = brawl(["ada", "cal"], {"bob": {"hp": 3}, "dan": {"dexterity": 20}})
    scene.move("ada", "fight bob", 50, MISS, [3])
    assert scene.to_act == ["cal"]
    scene.move("cal", "wait")
    assert scene.to_act == ["dan"]


# Enemies


def test_an_enemy_only_ever_attacks_and_is_never_asked_how_it_reacts(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, "weapons": ["small-club"], "items": {"first-aid": 1}, "hp": 5})
    assert scene.legal("bob") == ["fight with hands", "fight with small club"]
    scene.move("bob", "fight with small club")
    scene.move("ada", "dodge", MISS, MISS)
    scene.move("ada", "fight", MISS, MISS)
    assert scene.to_act == ["bob"]


def test_an_enemy_with_three_attacks_makes_three_exchanges_with_one_reaction_each(duel: Scenery) -> None:
    scene = duel({"natural": "2"}, {"dexterity": 70, "attacks": 3, "natural": "1"})
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    scene.move("ada", "dodge", 50, 50)  # a tie: avoided
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back"]
    scene.move("ada", "fight back", MISS, 50)
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    scene.move("ada", "fight back", 50, 50)  # a tie: the attacker hits
    assert scene.to_act == ["ada"]
    assert (scene.lost("ada"), scene.lost("bob")) == (1, 2)
    assert scene.move("ada", "wait")
    assert scene.to_act == ["bob"]


def test_several_attacks_may_go_to_several_targets(brawl: Scenery) -> None:
    scene = brawl({"ada": {"hp": 1}, "cal": {}}, {"bob": {"dexterity": 70, "attacks": 3, "natural": "1"}})
    scene.move("bob", "fight ada")
    scene.move("ada", "dodge", 50, MISS)
    scene.move("bob", "fight")  # Ada is dead, so there is only one to strike
    scene.move("cal", "dodge", 50, MISS)
    scene.move("bob", "fight")
    scene.move("cal", "dodge", 50, MISS)
    assert (scene["ada"].hp, scene.lost("cal")) == (0, 2)
    assert scene.to_act == ["cal"]


def test_an_enemy_that_dies_of_a_reaction_makes_no_further_attack(brawl: Scenery) -> None:
    scene = brawl({"ada": {"natural": "9"}}, {"bob": {"dexterity": 70, "attacks": 3, "hp": 9}, "dan": {}})
    scene.move("bob", "fight")
    scene.move("ada", "fight back", MISS, 50)
    assert scene["bob"].hp == 0
    assert scene.to_act == ["ada"]


def test_free_enemies_may_do_what_players_may(duel: Scenery) -> None:
    scene = duel({"weapons": ["38-revolver"]}, {"items": {"first-aid": 1}}, enemy_ai="free")
    scene.move("ada", "fight with hands")
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["dodge", "fight back"]
    scene.move("bob", "dodge", 50, 50)
    assert (scene.lost("ada"), scene.lost("bob")) == (0, 0)
    assert {"fight", "trip", "hold", "disarm", "flee", "first aid", "wait"} <= set(scene.legal("bob"))
    scene.move("bob", "wait")
    scene.move("ada", "shoot with .38 revolver")
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["stand", "dive"]


# Ending


def test_the_fight_ends_when_the_enemy_is_dead(duel: Scenery) -> None:
    scene = duel(bob={"hp": 2})
    scene.move("ada", "fight", 50, MISS, [2])
    assert scene.ending == "heroes"
    assert scene["bob"].hp == 0


def test_the_fight_ends_when_the_player_is_dead(duel: Scenery) -> None:
    scene = duel({"hp": 3})
    scene.move("ada", "fight", MISS, 50, [3])
    assert scene.ending == "horrors"


def test_a_fighter_with_one_hp_left_fights_on(duel: Scenery) -> None:
    scene = duel(bob={"hp": 4})
    scene.move("ada", "fight", 50, MISS, [3])
    assert scene.to_act == ["bob"]


def test_damage_beyond_the_last_hp_is_lost(duel: Scenery) -> None:
    scene = duel({"natural": "9"}, {"hp": 2})
    scene.move("ada", "fight", 50, MISS)
    assert scene["bob"].hp == 0
    assert scene.fight.figures["ada"]["damage dealt"] == 2


def test_with_several_on_a_side_it_ends_with_the_last(brawl: Scenery) -> None:
    scene = brawl({"ada": {"natural": "9"}}, {"bob": {"hp": 1}, "dan": {"hp": 1}})
    scene.move("ada", "fight bob", 50, MISS)
    assert scene.ending is None
    scene.move("dan", "fight")
    scene.move("ada", "fight back", MISS, 50)
    assert scene.ending == "heroes"


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_too_many_rounds_are_a_stalemate(duel: Scenery, cap: int) -> None:
    scene = duel(round_cap=cap, enemy_ai="free")
    for _ in range(cap):
        assert scene.ending is None
        scene.wait("ada", "bob")
    assert scene.ending == "draw"


def test_200_rounds_are_the_rule(duel: Scenery) -> None:
    scene = duel(enemy_ai="free")
    for _ in range(200):
        scene.wait("ada", "bob")
    assert scene.fight.round == 200
    assert scene.ending == "draw"


@pytest.mark.parametrize(("changes", "says"), [({"hp": 0}, "no HP left"), ({"dead": True}, "is dead")])
def test_the_dead_do_not_enter_a_fight(duel: Scenery, changes: dict[str, object], says: str) -> None:
    with pytest.raises(Invalid, match=f"Ada.*{says}"):
        duel(changes)


# What cannot be done


@pytest.mark.parametrize("text", ["", "dodge", "dance", "fight dan", "reload", "stand", "save", "use", "pick up hands"])
def test_what_is_no_move_now_is_refused_with_a_sentence(duel: Scenery, text: str) -> None:
    scene = duel()
    sentence = scene.refused("ada", text)
    assert sentence
    assert text in sentence or "no move was given" in sentence


def test_nobody_moves_out_of_turn(duel: Scenery) -> None:
    scene = duel()
    scene.refused("bob", "fight")
    assert scene.legal("bob") == []
    scene.move("ada", "wait")
    scene.move("bob", "fight")
    scene.refused("bob", "fight")
    for text in ("flee", "wait", "dive", "use"):
        scene.refused("ada", text)


def test_the_beginning_of_a_move_is_enough_when_it_can_mean_only_one(duel: Scenery) -> None:
    scene = duel({"weapons": ["blackjack", "small-knife"]})
    assert "may mean" in scene.refused("ada", "fight with")
    scene.move("ada", "fight with bl", MISS, MISS)
    assert "Ada attacks Bob with the blackjack." in scene.fight.story


def test_an_enemy_that_may_only_attack_is_told_so(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70, "weapons": ["32-revolver"], "loaded": {"32-revolver": 2}})
    closed = scene.closed("bob")
    assert "enemies" in closed["flee"]
    assert "enemies" in closed["trip"]
    assert "enemies" in closed["reload .32 revolver"]
    assert "enemies" in scene.refused("bob", "flee")
    assert "enemies" in scene.refused("bob", "reload .32 revolver")


def test_the_same_seed_is_the_same_fight() -> None:
    def told(seed: int) -> str:
        fight = Fight("mythos", {"heroes": ["boxer"], "horrors": ["ghoul"]}, seed=seed)
        while fight.to_act:
            (who,) = fight.to_act
            fight.play(who, fight.legal(who)[0])
        return fight.story

    assert told(3) == told(3)
    assert told(3) != told(4)
