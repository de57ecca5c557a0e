"""The named ways to fight: what each of them means, and that none ever wants what is not allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.kernel.exact import Exact
from affray.players.tactics import decide, numbered, play_on, usual_tactics
from affray.systems.bgo import rules, sheets
from affray.systems.bgo.abilities import BEWILDER
from affray.systems.bgo.tactics import REACHED, TACTICS

Meet = Callable[..., Any]
HIT, MISS = 18, 3


def wants(fight: Fight, who: str, tactic: str) -> str:
    return str(decide(fight, who, tactic))


def duel(hero: str, foe: str, **options: object) -> Fight:
    return Fight("bgo", {"heroes": [hero], "monsters": [foe]}, seed=1, options=options)


# always-attack


def test_always_attack_attacks_the_weakest_foe(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}}, foes={"bob": {"health": 5}, "cat": {"health": 3}, "dan": {"health": 3}})
    assert wants(scene.fight, "ann", "always-attack") == "attack cat", "of equals the first"
    scene.round("attack cat", "defend", "attack", "defend", rolls=[HIT, MISS])
    scene.round("attack cat", "defend", "attack", "defend", rolls=[HIT, MISS])
    assert wants(scene.fight, "ann", "always-attack") == "attack dan", "cat is dead"


def test_always_attack_attacks_even_when_all_is_lost(meet: Meet) -> None:
    assert wants(duel("player:health=1", "elder-wyrm"), "player", "always-attack") == "attack"


# defend-then-attack


def test_defend_then_attack_takes_turns(meet: Meet) -> None:
    scene = meet()
    seen = []
    for _ in range(4):
        move = wants(scene.fight, "hero", "defend-then-attack")
        seen.append(move)
        scene.round(move, "attack", rolls=[MISS] * (1 + (move == "attack")))
    assert seen == ["defend", "attack", "defend", "attack"]


def test_defend_then_attack_attacks_when_it_may_not_defend(meet: Meet) -> None:
    scene = meet(foe={"damage": {"mental": 1}, "abilities": {"bewilder": 1}})
    scene.round("attack", "attack", rolls=[MISS, HIT])
    assert wants(scene.fight, "hero", "defend-then-attack") == "attack"


# policy


def test_a_creature_without_a_policy_attacks_and_does_not_think_about_it() -> None:
    fight = duel("player", "fire-slime")
    for _ in range(20):
        assert wants(fight, "fire-slime", "policy") == "attack"
    assert fight.whim.position == 0


@pytest.mark.parametrize("id", ["mud-slime", "rock-crab", "rust-knight", "mountain-titan"])
def test_a_creature_defends_as_often_as_its_policy_says(id: str) -> None:
    share = sheets.creatures()[id].policy.defend
    fight = duel("player", id)
    exact = {move: n for move, n, _ in Exact().outcomes(lambda whim: TACTICS["policy"](fight.state, 1, whim))}
    assert exact == {rules.DEFEND: share, rules.attack_on(0): 100 - share}


def test_a_policy_is_followed_in_the_long_run() -> None:
    fight = duel("player", "mud-slime")
    seen = Counter(wants(fight, "mud-slime", "policy") for _ in range(4000))
    assert 900 < seen["defend"] < 1100


def test_a_bewildered_creature_attacks_whatever_its_policy() -> None:
    fight = duel("player", "mud-slime:policy=defend 100")
    assert wants(fight, "mud-slime", "policy") == "defend"
    fight.state.fighters[1].afflicted = BEWILDER
    assert wants(fight, "mud-slime", "policy") == "attack"


def test_creatures_go_by_their_policy_and_players_attack_unless_told_otherwise() -> None:
    fight = Fight("bgo", {"heroes": ["player", "squire"], "monsters": ["mud-slime"]}, seed=1)
    assert usual_tactics(fight) == {"player": "always-attack", "squire": "always-attack", "mud-slime": "policy"}
    told = usual_tactics(fight, {"heroes": "cautious", "squire": "random"})
    assert told == {"player": "cautious", "squire": "random", "mud-slime": "policy"}
    assert numbered(fight.system, told) == (3, 4, 0)


def test_a_tactic_or_a_name_nobody_knows_is_refused() -> None:
    fight = duel("player", "mud-slime")
    with pytest.raises(Invalid, match="did you mean cautious"):
        usual_tactics(fight, {"player": "cautios"})
    with pytest.raises(Invalid, match="did you mean player"):
        usual_tactics(fight, {"plaier": "cautious"})


# cautious


def test_four_health_flee_from_the_fast_slime_as_the_rulings_advise() -> None:
    assert wants(duel("player:health=4", "fast-slime"), "player", "cautious") == "flee"


def test_four_health_stay_when_the_slime_is_not_fast() -> None:
    assert wants(duel("player:health=4", "common-slime:health=4"), "player", "cautious") == "attack"


def test_the_unhurt_player_stays_for_both_slimes_of_the_document() -> None:
    assert wants(duel("player", "fire-slime"), "player", "cautious") == "attack"
    assert wants(duel("player", "fast-slime"), "player", "cautious") == "attack"


def test_the_cautious_reckon_with_all_foes_together(gather: Meet) -> None:
    alone = gather(heroes={"ann": {"health": 9}}, foes={"bob": {"health": 5}})
    assert wants(alone.fight, "ann", "cautious") == "attack"
    many = gather(
        heroes={"ann": {"health": 9}}, foes={"bob": {"health": 5}, "cat": {"health": 5}, "dan": {"health": 5}}
    )
    assert wants(many.fight, "ann", "cautious") == "flee"


def test_the_cautious_reckon_with_the_blows_of_every_foe(gather: Meet) -> None:
    killer, target = {"health": 1, "damage": {"physical": 4}}, {"health": 20, "damage": {}}
    scene = gather(heroes={"ann": {"health": 4}}, foes={"bob": killer, "cat": target})
    assert wants(scene.fight, "ann", "cautious") == "flee", "the last foe alone would be harmless"


def test_the_cautious_reckon_with_the_health_of_every_foe(gather: Meet) -> None:
    tough, frail = {"health": 20, "damage": {"physical": 1}}, {"health": 1, "damage": {"physical": 1}}
    scene = gather(heroes={"ann": {}}, foes={"bob": tough, "cat": frail})
    assert wants(scene.fight, "ann", "cautious") == "flee", "the last foe alone would be done with at once"


def test_the_cautious_know_what_cannot_be_hurt() -> None:
    fire = "player:damage=fire 5:name=Ann"
    assert wants(duel(fire, "phoenix"), "ann", "cautious") == "flee", "nul-fire: the blows come to nothing"
    assert wants(duel("player:defense=20", "elder-wyrm"), "player", "cautious") == "attack", "it can never hit"


def test_the_cautious_who_cannot_flee_defend_and_then_strike(meet: Meet) -> None:
    scene = meet({"health": 2, "can_flee": False}, {"health": 50})
    assert wants(scene.fight, "hero", "cautious") == "defend"
    scene.round("defend", "defend")
    assert wants(scene.fight, "hero", "cautious") == "attack"


def test_the_table_of_three_dice_is_right() -> None:
    for target, ways in enumerate(REACHED):
        faces = range(1, 7)
        assert ways == sum(a + b + c >= target for a in faces for b in faces for c in faces)


# random


def test_random_takes_every_legal_move_alike(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}}, foes={"bob": {}, "cat": {}})
    fight = scene.fight
    exact = {move: n for move, n, d in Exact().outcomes(lambda whim: TACTICS["random"](fight.state, 0, whim))}
    assert exact == dict.fromkeys(fight.codes(0), 1)
    assert len(exact) == 4


# All of them


@pytest.mark.parametrize("tactic", TACTICS)
def test_a_tactic_brings_a_fight_to_its_end(tactic: str) -> None:
    for number in range(12):
        teams = {"heroes": ["squire", "player"], "monsters": ["giggle-imp", "mud-slime"], "others": ["kite-harpy"]}
        fight = Fight("bgo", teams, dice=Seeded(3, number))
        play_on(fight, dict.fromkeys(fight.names, tactic))
        assert fight.over


@pytest.mark.parametrize("tactic", TACTICS)
def test_a_tactic_says_what_it_does(tactic: str) -> None:
    assert TACTICS[tactic].__doc__


def test_two_of_defend_then_attack_are_two_fighters_for_ever_poised() -> None:
    fight = duel("player", "player")
    play_on(fight, dict.fromkeys(fight.names, "defend-then-attack"))
    assert fight.over
    assert fight.ending != "fled"
