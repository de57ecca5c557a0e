"""The document's own examples and sentences, one after another: given, coins, then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel.chance import Scripted, flip_off, heads
from affray.kernel.state import STANDING
from affray.systems.strategic import abilities
from affray.systems.strategic.recovery import after_fight
from affray.systems.strategic.sheets import SHEETS
from affray.systems.strategic.state import DEAD, DOWN

Scenery = Callable[..., Any]
ABLE = {"strength": 9, "agility": 0, "training": 7}  # with a broadsword: attack 10, defence 10
HARMLESS = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}


def hurt(scene: Any, **fell: int) -> None:
    """Ada hits Bob by Flip-Off, so that no margin is added."""
    penalty = {"penalty": 0} if scene["ada"].pain else {}
    scene.blow("ada", "strike pain", "bob", "parry", attack=0, defence=0, flip_off=[1, 0], **penalty, **HARMLESS | fell)


# Coins


def test_a_roll_is_the_number_of_heads() -> None:
    dice = Scripted([3])
    assert heads(dice, 5) == 3
    dice.finish()


def test_the_most_heads_win_however_many_coins_there_were(duel: Scenery) -> None:
    scene = duel(ABLE)
    scene.blow("ada", "strike pain", "bob", "parry", attack=4, defence=5)
    assert scene["bob"].pain == 0
    assert scene.coins("attack") == [10]
    assert scene.coins("defence") == [8]
    scene.blow("ada", "strike pain", "bob", "parry", attack=5, defence=4, **HARMLESS)
    assert scene["bob"].pain > 0


# Flip-Offs: the six steps


def flipped_off(among: int, *coins: int) -> int:
    """Who wins a Flip-Off in which exactly these coins fall."""
    dice = Scripted(coins)
    winner = flip_off(dice, among)
    dice.finish()
    return winner


def test_step_2_each_who_tied_flips_one_coin_in_turn() -> None:
    assert flipped_off(2, 1, 0) == 0
    assert flipped_off(2, 0, 1) == 1


def test_step_3_all_tails_is_flipped_again() -> None:
    assert flipped_off(2, 0, 0, 0, 0, 0, 1) == 1


def test_step_4_whoever_shows_tails_is_out_and_does_not_flip_again() -> None:
    assert flipped_off(3, 1, 0, 1, 0, 1) == 2, "the second is out; first and third go on"
    assert flipped_off(3, 0, 1, 1, 1, 0) == 1


def test_step_5_the_only_one_left_wins_at_once() -> None:
    assert flipped_off(3, 0, 1, 0) == 1


def test_step_6_all_heads_eliminates_nobody_and_is_repeated() -> None:
    assert flipped_off(3, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1) == 1


def test_whoever_was_eliminated_stays_out_when_the_others_all_show_tails() -> None:
    assert flipped_off(3, 0, 1, 1, 0, 0, 0, 0, 1, 0) == 1


def test_a_flip_off_of_three_by_its_steps_is_fair() -> None:
    """Every sequence of rounds that ends within three is laid out; by symmetry each wins as often as the others."""
    won = [Fraction(0)] * 3

    def go_on(left: list[int], chance: Fraction, rounds: int) -> None:
        if len(left) == 1:
            won[left[0]] += chance
        elif rounds:
            for coins in product((0, 1), repeat=len(left)):
                shown = [who for who, coin in zip(left, coins, strict=True) if coin]
                go_on(shown or left, chance / 2 ** len(left), rounds - 1)

    go_on([0, 1, 2], Fraction(1), 6)
    assert won[0] == won[1] == won[2]
    assert Fraction(9, 10) < sum(won) < 1


def test_only_those_who_tied_for_the_most_flip_off(brawl: Scenery) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    told = scene.move("ada", "stand down", initiative=[5, 3, 5], flip_off=[0, 1])
    assert "A tie; Cyd wins the Flip-Off." in told
    assert scene.to_act == ["cyd"]


def test_three_who_tie_flip_off_among_three(brawl: Scenery) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    scene.move("ada", "stand down", initiative=[4, 4, 4], flip_off=[0, 0, 0, 1, 1, 0, 0, 1])
    assert scene.to_act == ["bob"]


# Life points


@pytest.mark.parametrize("coins", range(1, 16))
def test_at_15_coins_or_fewer_a_life_check_is_flipped_every_round(duel: Scenery, coins: int) -> None:
    scene = duel({"life_coins": 30, "coins_lost": 30 - coins})
    assert scene.flips[0] == ("ada", "life", coins, 1)
    for _ in range(3):
        scene.move("ada", "stand down")
        assert scene.coins("life") == [coins]


@pytest.mark.parametrize("coins", [16, 17, 30, 40])
def test_with_16_coins_or_more_there_is_none(duel: Scenery, coins: int) -> None:
    scene = duel({"life_coins": coins})
    scene.move("ada", "stand down")
    assert scene.coins("life") == []


def test_all_tails_loses_one_coin_and_any_heads_none(duel: Scenery) -> None:
    scene = duel({"coins_lost": 15})
    scene.move("ada", "stand down", life=1)
    assert scene["ada"].coins == 15
    scene.move("ada", "stand down", life=0)
    assert scene["ada"].coins == 14
    scene.move("ada", "stand down", life=14)
    assert scene["ada"].coins == 14
    assert scene.coins("life") == [14], "what is lost is not flipped again"


def test_whoever_loses_the_last_coin_dies(duel: Scenery) -> None:
    scene = duel({"coins_lost": 28})
    scene.move("ada", "stand down", life=0)
    assert (scene["ada"].coins, scene["ada"].state) == (1, STANDING)
    told = scene.move("ada", "stand down", life=0)
    assert scene["ada"].state == DEAD
    assert "Ada is dead." in told
    assert scene.ending == "raiders"


def test_with_15_coins_one_survives_15_seconds_at_least(duel: Scenery) -> None:
    scene = duel({"coins_lost": 15}, standoff=1000)
    for second in range(14):
        assert scene["ada"].coins == 15 - second
        scene.move("ada", "stand down", life=0)
    assert scene["ada"].state == STANDING
    scene.move("ada", "stand down", life=0)
    assert scene["ada"].state == DEAD


def test_a_life_check_is_due_by_whoever_is_down_as_well(duel: Scenery, brawl: Scenery) -> None:
    scene = brawl(order=["ada"], raiders={"bob": {"coins_lost": 16}, "cyd": {}})
    scene["bob"].incapacitation = 6
    hurt_him = {"attack": 3, "defence": 0, "incapacitation": 4, "control": 4}
    scene.move("ada", "strike bob incapacitate")
    scene.move("bob", "parry", **HARMLESS | hurt_him)
    assert scene["bob"].state == DOWN
    assert scene.coins("life") == [14]
    scene["bob"].coins = 1
    scene.move("ada", "stand down", life=0)
    assert scene["bob"].state == DEAD


# Highwaters


def test_the_documents_pain_4_2_6_gives_4_4_6(duel: Scenery) -> None:
    scene = duel()
    levels = []
    for dealt in (4, 2, 6):
        hurt(scene, pain=dealt)
        levels.append(scene["bob"].pain)
    assert levels == [4, 4, 6]


@pytest.mark.parametrize("kind", ["pain", "incapacitation", "crippling"])
def test_each_type_of_damage_is_its_own_highwater(duel: Scenery, kind: str) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    scene["bob"].pain = scene["bob"].incapacitation = scene["bob"].crippling = 2
    others = {"pain": 2, "incapacitation": 2, "crippling": 2}
    for dealt, level in ((1, 2), (2, 2), (3, 3), (0, 3), (4, 4)):
        hurt(scene, **{kind: dealt})
        assert scene.marks("bob") == tuple((others | {kind: level}).values())


# Pain


def test_ability_10_with_pain_4_that_rolled_3_flips_7(duel: Scenery) -> None:
    scene = duel(ABLE)
    scene["ada"].pain = 4
    scene.move("ada", "strike pain")
    assert scene.flips == [], "the penalty is flipped after the attack has been chosen"
    scene.move("bob", "parry", penalty=3, attack=0, defence=1)
    assert scene.coins("penalty") == [4]
    assert scene.coins("attack") == [7]
    assert [flip.what for flip in scene.flips[:2]] == ["penalty", "attack"]


def test_the_penalty_is_flipped_anew_for_each_attack(duel: Scenery) -> None:
    scene = duel(ABLE)
    scene["ada"].pain = 4
    for lost in (0, 4, 2):
        scene.blow("ada", "strike pain", "bob", "parry", penalty=lost, attack=0, defence=1)
        assert scene.coins("attack") == [10 - lost]


@pytest.mark.parametrize("lost", [7, 8, 9])
def test_a_penalty_as_high_as_the_ability_makes_the_attack_fail(duel: Scenery, lost: int) -> None:
    scene = duel()  # attack 7
    scene["ada"].pain = 9
    told = scene.blow("ada", "strike pain", "bob", "parry", penalty=lost)
    assert "Ada has no coin left for the attack, and it fails." in told
    assert scene.coins("attack") == scene.coins("defence") == []
    assert scene.marks("bob") == (0, 0, 0)


def test_one_coin_that_is_left_is_an_attack(duel: Scenery) -> None:
    scene = duel()
    scene["ada"].pain = 9
    scene.blow("ada", "strike pain", "bob", "parry", penalty=6, attack=1, defence=0, **HARMLESS)
    assert scene.coins("attack") == [1]
    assert scene["bob"].pain > 0


def test_pain_is_no_penalty_to_the_defender(duel: Scenery) -> None:
    scene = duel()
    scene["bob"].pain = 9
    scene.blow("ada", "strike pain", "bob", "parry", attack=0, defence=1)
    assert scene.coins("penalty") == []
    assert scene.coins("defence") == [8]


# Incapacitation and Crippling


def test_ability_10_with_crippling_4_flips_6(duel: Scenery) -> None:
    scene = duel({**ABLE, "crippling": 4})
    scene.blow("ada", "strike pain", "bob", "parry", attack=0, defence=1)
    assert scene.coins("attack") == [6]
    assert scene.coins("penalty") == [], "it is not rolled"


@pytest.mark.parametrize(("incapacitation", "crippling"), [(3, 0), (0, 3), (2, 3)])
def test_both_are_subtracted_from_attack_and_from_defence(duel: Scenery, incapacitation: int, crippling: int) -> None:
    scene = duel(ABLE, ABLE)
    for name in ("ada", "bob"):
        scene[name].incapacitation, scene[name].crippling = incapacitation, crippling
    scene.blow("ada", "strike pain", "bob", "parry", attack=0, defence=1)
    assert scene.coins("attack") == scene.coins("defence") == [10 - incapacitation - crippling]


def test_crippling_is_removed_from_the_life_coins(duel: Scenery) -> None:
    scene = duel()
    hurt(scene, crippling=4)
    assert scene["bob"].coins == 26


def test_whoever_is_left_with_no_life_coins_by_crippling_dies(duel: Scenery) -> None:
    scene = duel(bob={"coins_lost": 26})
    hurt(scene, crippling=4)
    assert (scene["bob"].coins, scene["bob"].state) == (0, DEAD)
    assert scene.ending == "order"


def test_crippling_and_its_coins_go_into_the_next_fight_and_pain_and_incapacitation_do_not(duel: Scenery) -> None:
    scene = duel()
    hurt(scene, pain=5, incapacitation=2, crippling=3)
    assert scene.marks("bob") == (5, 2, 3)
    sheet = after_fight(scene.fight.state, 1, scene.fight.sheets[1])
    again = Fight("strategic", {"order": ["guard"], "raiders": [scene.fight.system.as_table(sheet)]}, seed=1)
    bob = again.state.fighters[1]
    assert (bob.pain, bob.incapacitation, bob.crippling, bob.coins) == (0, 0, 3, 27)


def test_each_fight_begins_without_pain_and_incapacitation() -> None:
    fight = Fight("strategic", {"order": ["guard"], "raiders": ["thug:crippling=2"]}, seed=1)
    assert [(f.pain, f.incapacitation) for f in fight.state.fighters] == [(0, 0), (0, 0)]
    assert fight.state.fighters[1].crippling == 2


# Turns and initiative


def test_every_turn_is_a_fresh_contest_so_that_one_may_act_many_times_running(duel: Scenery) -> None:
    scene = duel()
    for acts in ("ada", "ada", "bob", "ada", "bob", "bob"):
        who = scene.to_act[0]
        scene.blow(who, "guarded pain", "bob" if who == "ada" else "ada", "parry", attack=0, defence=1, then=acts)
        assert [(flip.who, flip.coins) for flip in scene.flips if flip.what == "initiative"] == [("ada", 8), ("bob", 8)]
        assert scene.to_act == [acts]


def test_skill_improves_initiative_and_weight_worsens_it() -> None:
    def coins(**changes: object) -> int:
        fight = Fight("strategic", {"a": [{"name": "Ada", "strength": 3, **changes}], "b": ["guard"]}, seed=1)
        return abilities.initiative_ability(fight.state, fight.state.fighters[0])

    assert coins(training=8) > coins(training=4) > coins(training=0)
    assert coins(agility=9) > coins(agility=3)
    assert coins(weapon="fists") > coins(weapon="broadsword") > coins(weapon="battleaxe")
    assert coins(agility=6, armour="none") > coins(agility=6, armour="plate")


# The whole order of throws, as a script


def test_a_round_asks_for_its_coins_in_the_order_of_the_rulings(numbers: Mapping[str, int]) -> None:
    """A Life check; both initiatives, tied; openings; Pain Penalty, contest, pools, control, slip, soak."""
    opening = [
        4,  # Ada's Life check
        3, 3, 0, 1,  # initiative: a tie, and Bob wins the Flip-Off
        3,  # Bob's openings: 3 and 1 more than he knows
    ]  # fmt: skip
    blow = [
        1,  # Pain Penalty out of 2
        4, 1,  # attack and defence: margin 3
        5, 2, 1,  # Pain, Incapacitation, Crippling
        1, 1,  # control: 2 points stay, 1 slips, to Crippling
        0,  # soak
        8, 0, 5, 3,  # and the next round: Ada's Life check with 2 coins less, initiative, openings
    ]  # fmt: skip
    dice = Scripted(opening)
    sheet = {"name": "Ada", "coins_lost": 18, "strength": 6, "training": 4, "weapon": "broadsword"}
    fight = Fight(
        "strategic", {"a": [sheet], "b": [{**sheet, "name": "Bob", "coins_lost": 0}]}, dice=dice, options=numbers
    )
    dice.finish()
    fight.state.fighters[1].pain = 2
    fight.play("bob", "strike incapacitate")
    dice.results += [(coin,) for coin in blow]
    fight.play("ada", "parry")
    dice.finish()
    ada = fight.state.fighters[0]
    assert (ada.pain, ada.incapacitation, ada.crippling, ada.coins) == (5, 4, 2, 10)
    assert SHEETS.enlist(sheet).coins == 12
