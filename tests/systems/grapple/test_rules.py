"""The rules of a combat, as the document and the rulings have them: given, dice, then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Illegal, Invalid
from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Scripted, Seeded
from affray.kernel.exact import Exact
from affray.players.tactics import play_on, usual_tactics
from affray.system.registry import find
from affray.systems.grapple import rules, sheets

Scenery = Callable[..., Any]
GROUNDS = {"profile": "grounds"}


# Dice


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_is_a_success_if_it_comes_up_3_or_higher(duel: Scenery, face: int) -> None:
    scene = duel()
    scene.dice.results.append((face, 1, 1, 1, 1))
    scene.fight.play("Ada", "maneuver 1 ac")
    scene.dice.finish()
    assert scene["Ada"].sd == (1 if face >= 3 else 0)


# Maneuver


@pytest.mark.parametrize(("skill", "rating"), [("ac", 4), ("co", 3), ("en", 2)])
@pytest.mark.parametrize("spent", [1, 2, 3])
def test_a_maneuver_rolls_the_ad_spent_and_the_rating(duel: Scenery, spent: int, skill: str, rating: int) -> None:
    scene = duel({"ad": 6})
    (line, _) = scene.move("Ada", f"maneuver {spent} {skill}", dice=spent + rating, hits=2)
    assert line == (
        f"+ Ada moves: The maneuver succeeds (2/{spent + rating}): AD-{spent}={6 - spent} SD+2+0=2"
    )  # fmt: skip
    assert (scene["Ada"].ad, scene["Ada"].sd) == (6 - spent, 2)


@pytest.mark.parametrize("hits", range(1, 8))
def test_no_more_than_5_sd_are_earned_and_the_printed_count_is_the_capped_one(duel: Scenery, hits: int) -> None:
    scene = duel({"sd": 10})
    line = scene.move("Ada", "maneuver 3 ac", dice=7, hits=hits)[0]
    earned = min(5, hits)
    assert f"({earned}/7): AD-3=2 SD+{earned}+0={10 + earned}" in line
    assert scene["Ada"].sd == 10 + earned


def test_a_maneuver_without_success_fails_and_spends_no_ad(duel: Scenery) -> None:
    scene = duel()
    line = scene.move("Ada", "maneuver 3 ac", dice=7, hits=0)[0]
    assert line == "+ Ada moves: The maneuver fails (0/7). No AD were spent."
    assert (scene["Ada"].ad, scene["Ada"].sd) == (5, 0)
    assert scene.to_act == ["Bob"], "the turn is used"


@pytest.mark.parametrize("spent", [0, 4, 5, -1, 7])
def test_between_1_and_3_ad_are_spent_on_a_maneuver(duel: Scenery, spent: int) -> None:
    assert duel().refused("Ada", f"maneuver {spent} ac") == f"a maneuver takes 1 to 3 AD, not {spent}"


def test_no_more_ad_are_spent_than_there_are(duel: Scenery) -> None:
    scene = duel({"ad": 2})
    assert scene.refused("Ada", "maneuver 3 ac") == "3 AD cannot be spent: there are only 2"
    assert [move for move in scene.legal("Ada") if move.startswith("maneuver 3")] == []


def test_a_maneuver_uses_a_skill_that_the_fighter_has(duel: Scenery) -> None:
    said = duel().refused("Ada", "maneuver 1 tr")
    assert said == "Trickster (tr) is not among this fighter's skills: Accuracy (ac), Courage (co), Endurance (en)"


# Marks and the bonus


def marked(scene: Any, name: str = "Ada") -> int:
    mask: int = scene[name].marked
    return mask


@pytest.mark.parametrize("hits", [0, 3])
def test_a_maneuver_marks_its_skill_whether_it_succeeds_or_not(duel: Scenery, hits: int) -> None:
    scene = duel()
    scene.move("Ada", "maneuver 1 co", dice=4, hits=hits)
    assert marked(scene) == 0b010
    assert " ac CO en " in scene.fight.status()


def maneuvers(scene: Any, *skills: str, hits: int = 1) -> list[str]:
    """Maneuvers of Ada with 1 AD each, Bob catching his breath in between; what was told of each."""
    told = []
    for skill in skills:
        dice = 1 + {"ac": 4, "co": 3, "en": 2}[skill]
        told.append(scene.move("Ada", f"maneuver 1 {skill}", dice=dice, hits=hits)[0].partition(": ")[2])
        scene.breathe("Bob")
    return told


def test_the_fourth_maneuver_is_the_earliest_with_the_bonus_and_leaves_one_mark(duel: Scenery) -> None:
    scene = duel({"ad": 10})
    told = maneuvers(scene, "ac", "co", "en", "co")
    assert [line.partition(" SD")[2] for line in told] == ["+1+0=1", "+1+0=2", "+1+0=3", "+1+2=6"]
    assert marked(scene) == 0b010
    assert maneuvers(scene, "co")[0].endswith("SD+1+0=7"), "all marks but that one are gone"


def test_the_bonus_waits_until_all_three_are_marked(duel: Scenery) -> None:
    scene = duel({"ad": 10})
    told = maneuvers(scene, "ac", "ac", "co", "co", "en", "en")
    assert [line.partition("+1+")[2][0] for line in told] == list("000002")


def test_the_bonus_comes_above_the_cap_of_5(duel: Scenery) -> None:
    scene = duel({"ad": 10})
    maneuvers(scene, "ac", "co", "en")
    assert "SD+5+2=10" in scene.move("Ada", "maneuver 3 ac", dice=7, hits=7)[0]


def test_the_bonus_is_awarded_even_if_the_maneuver_fails(duel: Scenery) -> None:
    scene = duel({"ad": 10})
    maneuvers(scene, "ac", "co", "en")
    line = scene.move("Ada", "maneuver 1 en", dice=3, hits=0)[0]
    assert line == "+ Ada moves: The maneuver fails (0/3). No AD were spent. SD+0+2=5"
    assert (scene["Ada"].ad, scene["Ada"].sd, marked(scene)) == (7, 5, 0b100)


def test_failed_maneuvers_mark_and_so_lead_to_the_bonus(duel: Scenery) -> None:
    scene = duel()
    told = maneuvers(scene, "ac", "co", "en", "ac", hits=0)
    assert scene["Ada"].sd == 2
    assert "SD" not in "".join(told[:3])


@pytest.mark.parametrize("held", [("skill4", "skill3"), ("skill3", "skill2"), ("skill4", "skill2"), ("skill2",)])
def test_an_npc_with_fewer_than_three_skills_never_gets_the_bonus(duel: Scenery, held: tuple[str, ...]) -> None:
    names = {"skill4": "ac", "skill3": "co", "skill2": "en"}
    scene = duel({"kind": "npc", "ad": 10, **{slot: names[slot] for slot in held}})
    told = maneuvers(scene, *([names[slot] for slot in held] * 4)[:8])
    assert all("+0=" in line for line in told)


def test_an_npc_with_three_skills_gets_the_bonus(duel: Scenery) -> None:
    scene = duel({"kind": "npc", "ad": 10, "skill4": "ac", "skill3": "co", "skill2": "en"})
    assert maneuvers(scene, "ac", "co", "en", "ac")[3].endswith("SD+1+2=6")


@pytest.mark.parametrize(("held", "left"), [(3, 6), (6, 6), (9, 9)])
def test_no_more_sd_are_gathered_than_the_cap_and_none_held_are_lost(duel: Scenery, held: int, left: int) -> None:
    scene = duel({"sd": held}, sd_cap=6)
    assert scene.move("Ada", "maneuver 1 ac", dice=5, hits=4)[0].endswith(f"AD-1=4 SD+4+0={left}")
    assert scene["Ada"].sd == left


def test_only_maneuvers_mark(duel: Scenery) -> None:
    scene = duel({"sd": 6})
    scene.move("Ada", "skill 2 co", dice=3, hits=3)
    scene.breathe("Bob")
    scene.move("Ada", "strike 1 Bob", dice=1, hits=0)
    scene.breathe("Bob", "Ada")
    assert marked(scene) == 0


# Strike


def strike_outcomes() -> list[tuple[int, int, bool]]:
    return [(defense, hits, ties) for defense in range(1, 7) for hits in range(7) for ties in (False, True)]


@pytest.mark.parametrize(("defense", "hits", "ties"), strike_outcomes())
def test_wounds_are_successes_divided_by_defense_rounded_down(
    duel: Scenery, defense: int, hits: int, ties: bool
) -> None:
    scene = duel({"sd": 8}, {"defense": defense, "max_wounds": 5}, ties=ties)
    line = scene.move("Ada", "strike 6 Bob", dice=6, hits=hits)[0]
    if hits > defense or (ties and hits == defense):
        wounds = hits // defense
        assert line == f"+ Ada moves: The strike succeeds ({hits}/6 vs. {defense}): SD-6=2 Wounds={wounds}"
        assert (scene["Ada"].sd, scene["Bob"].wounds) == (2, min(5, wounds))
    else:
        assert line == f"+ Ada moves: The strike fails ({hits}/6 vs. {defense}). No SD were spent."
        assert (scene["Ada"].sd, scene["Bob"].wounds) == (8, 0)


@pytest.mark.parametrize("spent", range(1, 7))
def test_a_strike_rolls_the_sd_spent(duel: Scenery, spent: int) -> None:
    scene = duel({"sd": 6}, {"defense": 6})
    assert f"(0/{spent} vs. 6)" in scene.move("Ada", f"strike {spent} Bob", dice=spent)[0]


@pytest.mark.parametrize("spent", [0, 7, 12, -2])
def test_between_1_and_6_sd_are_spent_on_a_strike(duel: Scenery, spent: int) -> None:
    assert duel({"sd": 20}).refused("Ada", f"strike {spent} Bob") == f"a strike takes 1 to 6 SD, not {spent}"


def test_no_more_sd_are_spent_than_there_are(duel: Scenery) -> None:
    assert duel({"sd": 3}).refused("Ada", "strike 4 Bob") == "4 SD cannot be spent: there are only 3"
    assert duel().refused("Ada", "strike 1 Bob") == "1 SD cannot be spent: there are only 0"


def test_a_failed_strike_uses_the_turn_and_nothing_else(duel: Scenery) -> None:
    scene = duel({"sd": 6})
    scene.move("Ada", "strike 3 Bob", dice=3, hits=3)
    assert (scene["Ada"].sd, scene["Bob"].wounds) == (6, 0), "3 does not exceed 3"
    assert scene.to_act == ["Bob"]


def test_wounds_are_clamped_to_the_limit_but_the_printed_number_is_not(duel: Scenery) -> None:
    scene = duel({"sd": 6}, {"defense": 1, "max_wounds": 2})
    assert "Wounds=6" in scene.move("Ada", "strike 6 Bob", dice=6, hits=6)[0]
    assert scene["Bob"].wounds == 2
    assert scene.fight.figures["Ada"]["wounds dealt"] == scene.fight.figures["Bob"]["wounds taken"] == 2


def test_whoever_has_as_many_wounds_as_the_limit_is_knocked_out_and_cannot_move(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 4}}, villains={"Bob": {"defense": 1, "max_wounds": 2}, "Cid": {}})
    scene.move("Ada", "strike 2 Bob", dice=2, hits=2)
    assert scene.to_act == ["Cid"]
    assert scene.refused("Bob", "catch breath") == "a fighter who is knocked out cannot move"
    assert scene.legal("Bob") == []


def test_a_knocked_out_target_is_allowed_and_nothing_more_happens_to_it(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 5}}, villains={"Bob": {"defense": 1, "max_wounds": 2, "wounds": 2}, "Cid": {}})
    line = scene.move("Ada", "strike 3 Bob", dice=3, hits=3)[0]
    assert line.endswith("(3/3 vs. 1): SD-3=2 Wounds=3")
    assert (scene["Ada"].sd, scene["Bob"].wounds) == (2, 2)
    assert scene.fight.figures["Bob"]["wounds taken"] == 0
    assert not scene.fight.over


def test_nothing_stops_a_player_from_attacking_their_own_team(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 4}, "Amy": {"defense": 1}}, villains=["Bob"])
    scene.move("Ada", "strike 2 Amy", dice=2, hits=2)
    assert scene["Amy"].wounds == 2


def test_friends_are_no_targets_in_grounds(brawl: Scenery) -> None:
    scene = brawl(GROUNDS, heroes={"Ada": {"sd": 4}, "Amy": {}}, villains=["Bob"])
    said = "Amy is on the same team, and friends are no targets here"
    assert scene.refused("Ada", "strike 2 Amy") == said
    assert scene.refused("Ada", "skill 2 ac Amy") == said
    assert not [move for move in scene.legal("Ada") if "Amy" in move]


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("move", ["strike 1 Ada", "skill 1 ac Ada"])
def test_nobody_is_their_own_target(duel: Scenery, move: str, profile: str) -> None:
    assert duel({"sd": 4}, profile=profile).refused("Ada", move) == "Ada cannot be their own target"


# Catch breath


@pytest.mark.parametrize("ad", range(11))
def test_catching_breath_adds_3_ad_up_to_the_ap_size_and_prints_3(duel: Scenery, ad: int) -> None:
    scene = duel({"ad": ad})
    line = scene.move("Ada", "catch breath")[0]
    assert line == f"+ Ada moves: Catching breath succeeds: AD+3={min(10, ad + 3)}"
    assert scene["Ada"].ad == min(10, ad + 3)
    assert scene.to_act == ["Bob"], "the turn is used even at full AD"


def test_catching_breath_needs_neither_ad_nor_sd(duel: Scenery) -> None:
    assert duel({"ad": 0}).legal("Ada") == ["catch breath", "skill 0 ac Bob", "skill 0 co", "skill 0 en"]


# Turns and rounds


def test_players_of_a_team_move_in_any_order_and_each_once(brawl: Scenery) -> None:
    for order in permutations(("Ada", "Amy", "Abe")):
        scene = brawl(heroes=["Ada", "Amy", "Abe"], villains=["Bob"])
        for place, name in enumerate(order):
            assert set(scene.to_act) == set(order[place:])
            scene.breathe(name)
            if place < 2:
                said = "each member of a team moves once a round, and this one has moved or just stood up"
                assert scene.refused(name, "catch breath") == said
        assert scene.to_act == ["Bob"]


def test_nobody_moves_in_another_teams_turn(duel: Scenery) -> None:
    scene = duel()
    assert scene.refused("Bob", "catch breath") == "it is another team's turn to move"
    scene.breathe("Ada")
    assert scene.refused("Ada", "catch breath") == "it is another team's turn to move"


def test_teams_move_one_after_another_and_behind_the_last_a_new_round_begins(brawl: Scenery) -> None:
    scene = brawl(a=["Ada"], b=["Bob"], c=["Cid"])
    seen = []
    for _ in range(3):
        for name in ("Ada", "Bob", "Cid"):
            seen.append((scene.fight.round, scene.moving, scene.to_act))
            lines = scene.move(name, "catch breath")[1:]
            follows = {"Ada": "b", "Bob": "c", "Cid": "a"}[name]
            new_round = [f"  New round:       {scene.fight.round}"] if name == "Cid" else []
            assert lines == [*new_round, f"  New team moving: {follows}"]
    assert seen == [(r, t, [n]) for r in (1, 2, 3) for t, n in (("a", "Ada"), ("b", "Bob"), ("c", "Cid"))]


def test_no_new_team_is_told_while_members_have_still_to_move(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada", "Amy"], villains=["Bob"])
    assert len(scene.move("Ada", "catch breath")) == 1


OUT = {"wounds": 3}


def test_a_team_with_nobody_standing_is_skipped_in_the_middle_of_the_order(brawl: Scenery) -> None:
    scene = brawl(a=["Ada"], b={"Bob": OUT}, c=["Cid"])
    assert scene.move("Ada", "catch breath")[1:] == ["  New team moving: c"]
    assert scene.move("Cid", "catch breath")[1:] == ["  New round:       2", "  New team moving: a"]


def test_a_team_with_nobody_standing_is_skipped_as_the_first_team(brawl: Scenery) -> None:
    scene = brawl(a={"Ada": {}}, b={"Bob": {"sd": 6}}, c=["Cid"])
    scene.breathe("Ada")
    scene["Ada"].defense = 1
    scene.move("Bob", "strike 6 Ada", dice=6, hits=6)
    assert scene.move("Cid", "catch breath")[1:] == ["  New round:       2", "  New team moving: b"]


def test_a_team_that_enters_with_nobody_standing_is_skipped_at_the_start(brawl: Scenery) -> None:
    scene = brawl(a={"Ada": OUT}, b=["Bob"], c=["Cid"])
    assert (scene.moving, scene.to_act, scene.fight.round) == ("b", ["Bob"], 1)


def test_a_team_with_nobody_standing_is_skipped_at_the_end_of_the_order(brawl: Scenery) -> None:
    scene = brawl(a=["Ada"], b=["Bob"], c={"Cid": OUT})
    scene.breathe("Ada")
    assert scene.move("Bob", "catch breath")[1:] == ["  New round:       2", "  New team moving: a"]


def test_knocked_out_members_are_not_waited_for(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {}, "Amy": OUT}, villains=["Bob"])
    assert scene.to_act == ["Ada"]
    assert scene.move("Ada", "catch breath")[1:] == ["  New team moving: villains"]


def test_a_friend_knocked_out_before_moving_is_no_longer_waited_for(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 6}, "Amy": {"defense": 1}}, villains=["Bob"])
    assert scene.move("Ada", "strike 6 Amy", dice=6, hits=6)[1:] == ["  New team moving: villains"]
    assert scene.to_act == ["Bob"]
    scene = brawl(heroes={"Ada": {"sd": 6}, "Amy": {"defense": 1}, "Abe": {}}, villains=["Bob"])
    scene.move("Ada", "strike 6 Amy", dice=6, hits=6)
    assert scene.to_act == ["Abe"]


MEDIC = {"skill4": "md", "sd": 12}


def heal(scene: Any, who: str, whom: str) -> None:
    scene.move(who, f"skill 6 md {whom}", dice=8, hits=5)


def test_who_is_revived_in_the_own_teams_turn_moves_from_the_next_turn_on(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": MEDIC, "Amy": OUT, "Abe": {}}, villains=["Bob"])
    heal(scene, "Ada", "Amy")
    assert scene["Amy"].wounds == 2
    assert scene.to_act == ["Abe"]
    assert "just stood up" in scene.refused("Amy", "catch breath")
    scene.breathe("Abe", "Bob")
    assert scene.to_act == ["Ada", "Amy", "Abe"]


def test_who_is_revived_in_another_teams_turn_moves_in_the_next_turn_of_the_own(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": MEDIC}, villains={"Bob": OUT, "Ben": {}})
    heal(scene, "Ada", "Bob")
    assert scene.to_act == ["Bob", "Ben"]


def test_a_skipped_team_takes_part_again_when_somebody_of_it_is_revived(brawl: Scenery) -> None:
    scene = brawl(a={"Ada": MEDIC}, b={"Bob": OUT}, c=["Cid"])
    heal(scene, "Ada", "Bob")
    assert (scene.moving, scene.to_act) == ("b", ["Bob"])
    scene.breathe("Bob", "Cid")
    assert scene.moving == "a"


def test_one_wound_less_is_not_enough_to_be_knocked_out_again_by_nothing(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": MEDIC}, villains={"Bob": OUT, "Ben": {"sd": 6}})
    heal(scene, "Ada", "Bob")
    assert "**" in scene.rows()["Bob"]
    scene.breathe("Bob")
    scene["Bob"].defense = 1
    scene.move("Ben", "strike 2 Bob", dice=2, hits=2)
    assert "XXX" in scene.rows()["Bob"]


# The order of the teams


def orders(listed: int, teams: int) -> dict[tuple[int, ...], Fraction]:
    roster = {f"t{number}": [{"base": "goblin", "name": f"G{number}"}] for number in range(teams)}
    fight = Fight("grapple", roster, dice=Seeded(1), options={"listed_teams": listed})
    fresh = fight.setup.seated()

    def begun(dice: Exact) -> tuple[int, ...]:
        state = records.copy(fresh)
        rules.begin(state, dice, None)
        assert state.due == 1 << state.order[0]
        return tuple(state.order[:teams])

    chances: Counter[tuple[int, ...]] = Counter()
    for order, numerator, denominator in Exact().outcomes(begun):
        chances[order] += Fraction(numerator, denominator)
    return dict(chances)


@pytest.mark.parametrize("teams", [2, 3, 4, 5])
@pytest.mark.parametrize("listed", [0, 1, 2, 3])
def test_unlisted_teams_follow_in_random_order_all_orders_equally_likely(listed: int, teams: int) -> None:
    first = tuple(range(min(listed, teams)))
    rest = range(len(first), teams)
    expected = {first + order: Fraction(1, factorial(len(rest))) for order in permutations(rest)}
    assert orders(listed, teams) == expected


def test_a_drawn_order_is_in_the_log_so_replays_agree() -> None:
    roster = {f"t{number}": [{"base": "goblin", "name": f"G{number}"}] for number in range(5)}
    seen = set()
    for seed in range(20):
        fight = Fight("grapple", roster, seed=seed, options={"listed_teams": 1})
        again = Fight("grapple", roster, dice=Scripted(fight.dice.fallen), options={"listed_teams": 1})
        assert again.state == fight.state
        assert again.status() == fight.status()
        seen.add(tuple(fight.state.order))
    assert len(seen) > 5


def test_by_itself_a_fight_takes_its_teams_in_the_order_given(brawl: Scenery) -> None:
    scene = brawl(z=["Ada"], y=["Bob"], x=["Cid"])
    assert list(scene.fight.state.order) == [0, 1, 2]
    assert scene.dice.fallen == []


# The end


def test_combat_is_over_when_no_more_than_one_team_stands_and_that_team_wins(duel: Scenery) -> None:
    scene = duel({"sd": 6}, {"defense": 1, "max_wounds": 1})
    assert scene.move("Ada", "strike 2 Bob", dice=2, hits=2)[1:] == ["  COMBAT IS OVER! Winning team: heroes"]
    assert scene.fight.ending == "heroes"
    assert scene.to_act == []
    with pytest.raises(Illegal, match="over"):
        scene.fight.play("Ada", "catch breath")


def test_with_three_teams_combat_goes_on_until_one_is_left(brawl: Scenery) -> None:
    weak = {"defense": 1, "max_wounds": 1}
    scene = brawl(a={"Ada": {"sd": 6}}, b={"Bob": weak}, c={"Cid": weak})
    scene.move("Ada", "strike 2 Bob", dice=2, hits=2)
    assert not scene.fight.over
    scene.breathe("Cid")
    scene.move("Ada", "strike 2 Cid", dice=2, hits=2)
    assert scene.fight.ending == "a"


def test_members_who_had_not_moved_keep_their_arrow_in_the_final_status(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 6}, "Amy": {}}, villains={"Bob": {"defense": 1, "max_wounds": 1}})
    scene.move("Ada", "strike 2 Bob", dice=2, hits=2)
    rows = scene.rows()
    assert rows["heroes"].startswith("heroes <- ")
    assert rows["Amy"].startswith("Amy <- ")
    assert rows["Ada"].startswith("Ada  ")
    assert "COMBAT IS OVER! Winning team: heroes" in scene.fight.status()


def test_the_last_of_two_teams_may_lose_to_their_own_hand(brawl: Scenery) -> None:
    scene = brawl(a={"Ada": {"sd": 6}, "Amy": {"defense": 1}}, b={"Bob": {"wounds": 3}, "Ben": {}})
    scene.move("Ada", "strike 6 Amy", dice=6, hits=6)
    assert not scene.fight.over, "Ada still stands"


def test_nobody_wins_where_nobody_stands(duel: Scenery) -> None:
    scene = duel({"wounds": 3}, {"wounds": 3})
    assert scene.fight.over
    assert scene.fight.ending == "draw"
    assert scene.fight.story.splitlines() == ["+ Combat has started!", "  COMBAT IS OVER! Winning team: none!"]
    assert scene.fight.status().splitlines()[1] == "COMBAT IS OVER! Winning team: none!"


def test_combat_is_over_at_once_where_only_one_team_stands(brawl: Scenery) -> None:
    scene = brawl(a=["Ada"], b={"Bob": OUT}, c={"Cid": OUT})
    assert scene.fight.ending == "a"


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_after_the_round_cap_combat_is_over_without_a_winner(duel: Scenery, cap: int) -> None:
    scene = duel(round_cap=cap)
    for number in range(1, cap + 1):
        assert scene.fight.round == number
        scene.breathe("Ada", "Bob")
    assert scene.fight.ending == "draw"
    assert scene.fight.round == cap
    assert scene.fight.lines[-1].text == "  COMBAT IS OVER! Winning team: none!"


def test_two_teams_are_the_least() -> None:
    with pytest.raises(Invalid, match="two or more teams"):
        Fight("grapple", {"heroes": ["ahalish"]}, seed=1)


def test_forty_fighters_fight_one_combat_to_its_end() -> None:
    ids = list(sheets.SHEETS.fighters())
    teams = {f"t{t}": [ids[(t + 3 * n) % len(ids)] for n in range(10)] for t in range(4)}
    fight = Fight("grapple", teams, seed=4)
    assert len(fight.names) == 40
    play_on(fight, usual_tactics(fight))
    assert fight.over
    assert fight.ending in teams
    standing = {fight.team_of[n] for n, f in zip(fight.names, fight.state.fighters, strict=True) if not rules.is_out(f)}
    assert standing == {fight.ending}


# Profiles, each option of the table by itself


def test_document_is_the_default_and_the_profiles_are_those_of_the_table() -> None:
    usual = {option.name: option.default for option in find("grapple").options}
    assert Fight("grapple", "a=goblin b=goblin", seed=1).options == usual
    assert Fight("grapple", "a=goblin b=goblin", seed=1, options={"profile": "document"}).options == usual
    document = {
        "maneuver_max": 3,
        "ties": False,
        "friendly_targets": True,
        "tactics_target": "self",
        "strategy_cap": True,
        "sd_floor": True,
        "names": "any",
    }
    grounds = {
        "maneuver_max": 4,
        "ties": True,
        "friendly_targets": False,
        "tactics_target": "other",
        "strategy_cap": False,
        "sd_floor": False,
        "names": "exact",
    }
    assert usual.items() >= document.items()
    assert Fight("grapple", "a=goblin b=goblin", seed=1, options=GROUNDS).options.items() >= grounds.items()


def test_a_profile_can_be_taken_with_one_option_changed() -> None:
    fight = Fight("grapple", "a=goblin b=goblin", seed=1, options={"profile": "grounds", "ties": False})
    assert (fight.options["ties"], fight.options["maneuver_max"]) == (False, 4)


@pytest.mark.parametrize("options", [{"maneuver_max": 4}, GROUNDS])
def test_maneuver_max_4(duel: Scenery, options: dict[str, object]) -> None:
    scene = duel(**options)
    assert "(2/8): AD-4=1" in scene.move("Ada", "maneuver 4 ac", dice=8, hits=2)[0]
    assert duel(**options).refused("Ada", "maneuver 5 ac") == "a maneuver takes 1 to 4 AD, not 5"


@pytest.mark.parametrize("options", [{"ties": True}, GROUNDS])
def test_ties_let_a_skill_action_succeed_at_its_difficulty(duel: Scenery, options: dict[str, object]) -> None:
    scene = duel({"sd": 2}, **options)
    assert "succeeds (2/2 vs 2)" in scene.move("Ada", "skill 2 en", dice=2, hits=2)[0]
    scene = duel({"sd": 2})
    assert "fails (2/2 vs 2)" in scene.move("Ada", "skill 2 en", dice=2, hits=2)[0]


def test_ties_do_not_let_one_below_succeed(duel: Scenery) -> None:
    scene = duel({"sd": 3}, ties=True)
    assert "fails (2/3 vs. 3)" in scene.move("Ada", "strike 3 Bob", dice=3, hits=2)[0]


def test_names_ignore_case_unless_exact(duel: Scenery) -> None:
    scene = duel({"sd": 2})
    assert "fails" in scene.move("Ada", "strike 1 bOB", dice=1)[0]
    for options in ({"names": "exact"}, GROUNDS):
        assert "no target 'bOB'" in duel({"sd": 2}, **options).refused("Ada", "strike 1 bOB")


def test_words_ignore_case_unless_exact(duel: Scenery) -> None:
    assert "succeeds" in duel().move("Ada", "MANEUVER 1 AC", dice=5, hits=1)[0]
    for options in ({"words": "exact"}, GROUNDS):
        assert "no move 'MANEUVER'" in duel(**options).refused("Ada", "MANEUVER 1 ac")
        assert "succeeds" in duel(**options).move("Ada", "maneuver 1 AcCuracy", dice=5, hits=1)[0]


# What the document itself says, beside this checkout


def test_the_skill_table_is_the_documents(shared: Path) -> None:
    import re

    document = (shared / "sources" / "grapple.md").read_text(encoding="utf-8")
    found = re.findall(r"<td>(\w+)</td><td>(\w\w)</td><td>(.*?)</td><td>(\d)</td>", document)
    assert len(found) == 12
    for name, abbreviation, action, difficulty in found:
        assert sheets.SKILLS[abbreviation] == name
        number = sheets.ABBREVIATIONS.index(abbreviation)
        assert rules.DIFFICULTY[number] == int(difficulty)
        assert rules.AT_TARGET[number] == ("target" in action)


def test_the_attributes_and_their_recommended_values_are_the_documents(shared: Path) -> None:
    import re

    document = (shared / "sources" / "grapple.md").read_text(encoding="utf-8")
    found = re.findall(r"<td>(grapple_\w+)</td><td>(\w+)</td><td>([\w/]+)</td>", document)
    assert {name: kind for name, kind, _ in found} == sheets.ATTRIBUTES
    plain = sheets.Sheet(id="player", name="Ada", **{"skill4": "ac", "skill3": "co", "skill2": "en"})
    values = {"apMaxSize": plain.ap, "ad": plain.ad, "sd": plain.sd, "defense": plain.defense}
    values["maxWounds"] = plain.max_wounds
    assert {name.removeprefix("grapple_"): int(value) for name, _, value in found if value != "n/a"} == values
