"""The luck audit: chances of a finished fight, and where its dice moved them."""

import json
from itertools import pairwise

import pytest

import affray
from affray.kernel.chance import Scripted
from affray.lab.luck import luck_table
from affray.lab.odds import odds
from affray.players.tactics import replay_simulated


def test_luck_adds_up_from_the_start_to_the_end():
    fight = replay_simulated("bgo", "heroes=squire monsters=ember-bat", seed=1, number=5)
    luck = fight.luck()
    start = odds("bgo", "heroes=squire monsters=ember-bat")
    assert luck.chance == pytest.approx(float(start.chances[fight.ending]))
    # By tactics nothing but dice moves the chance, so all luck together leads from the start to the result.
    assert luck.total == pytest.approx(float(fight.ending == "heroes") - float(start.chances["heroes"]))
    assert len(luck.turns) == fight.round
    assert (luck.ours, luck.theirs) == (pytest.approx(0), pytest.approx(0))


def choosing_badly(system: str, teams: str, seed: int) -> affray.Fight:
    """A fight in which all take the last of their moves in the first rounds, and then the first."""
    fight = affray.Fight(system, teams, seed=seed)
    while not fight.over:
        moves = fight.legal(fight.to_act[0])
        fight.play(fight.to_act[0], moves[-1 if fight.round < 3 and len(moves) < 3 else 0])
    return fight


@pytest.mark.parametrize(
    ("system", "teams"),
    [("bgo", "heroes=squire monsters=ember-bat"), ("deckahedron", "heroes=maren monsters=guard")],
)
def test_dice_and_choices_together_lead_from_the_start_to_the_end(system, teams):
    fight = choosing_badly(system, teams, seed=3)
    luck = fight.luck("monsters")
    result = float(fight.ending == "monsters")
    assert luck.chances["monsters"] + luck.total + luck.ours + luck.theirs == pytest.approx(result)
    for one, next_one in pairwise(luck.turns):
        assert next_one.start == pytest.approx(one.became)
    assert (luck.turns[0].start, luck.turns[-1].became) == (pytest.approx(luck.chances["monsters"]), result)


def test_a_choice_costs_what_its_odds_say():
    fight = affray.Fight("bgo", "heroes=squire monsters=ember-bat", seed=3)
    usual = odds(fight.setup).chances["heroes"]
    weighed = fight.odds("squire", play="tactics")["defend"].chances["heroes"]
    fight.play("squire", "defend")
    fight.play("ember-bat", "attack")
    while not fight.over:
        fight.play(fight.to_act[0], "attack")
    assert fight.luck().turns[0].ours == pytest.approx(float(weighed - usual))
    assert "Compared with the usual tactics, the choices of heroes changed it by -" in str(fight.luck())


def test_a_perfect_first_round_is_good_luck():
    fight = affray.Fight(
        "bgo", "heroes=player monsters=fire-slime", dice=Scripted([(6, 6, 6), (1, 1, 1), (6, 6, 6), (1, 1, 1)])
    )
    while not fight.over:
        fight.play("player", "attack")
        fight.play("fire-slime", "attack")
    luck = fight.luck()
    assert all(turn.luck > 0 for turn in luck.turns)
    assert "heroes" in str(luck)
    assert luck.as_table()["ending"] == "heroes"


def test_luck_of_a_fight_with_unusual_choices():
    fight = affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=8)
    fight.play("player", "defend")
    fight.play("fire-slime", "defend")
    while not fight.over:
        fight.play("player", "attack")
        fight.play("fire-slime", "attack")
    assert fight.luck().turns


def test_a_running_fight_has_no_luck_yet():
    with pytest.raises(affray.Illegal, match="only after the fight is over"):
        affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=8).luck()


def test_luck_is_that_of_the_team_that_is_named():
    fight = replay_simulated("bgo", "heroes=squire monsters=ember-bat", seed=1, number=5)
    chance = float(odds(fight.setup).chances["monsters"])
    assert fight.luck("monsters").total == pytest.approx(float(fight.ending == "monsters") - chance)
    with pytest.raises(affray.Invalid, match="there is no team 'monster'; did you mean monsters"):
        fight.luck("monster")


def test_luck_as_a_table_leads_from_the_start_to_the_end():
    fight = replay_simulated("bgo", "heroes=squire monsters=ember-bat", seed=1, number=5)
    table = luck_table(fight)
    assert json.loads(json.dumps(table)) == table
    assert (table["team"], table["text"]) == ("heroes", str(fight.luck()).splitlines())
    start = odds("bgo", "heroes=squire monsters=ember-bat").chances
    assert table["expected"] == pytest.approx({ending: float(chance) for ending, chance in start.items()})
    steps = table["steps"]
    assert [step["decision"] for step in steps] == list(range(1, fight.round + 1))
    assert {step["who"] for step in steps} == {"squire, ember-bat"}
    assert steps[0]["move"] == ", ".join(answer.move for answer in fight.answers[:2])
    # By tactics nothing but dice moves the chance: every step begins where the last one ended.
    assert steps[0]["before"] == pytest.approx(table["expected"]["heroes"])
    for one, next_one in pairwise(steps):
        assert next_one["before"] == pytest.approx(one["after"])
    assert steps[-1]["after"] == float(fight.ending == "heroes")
