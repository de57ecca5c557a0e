"""Computer opponents that think, at the keyboard: `--against`, `hint`, and what they considered."""

import json

import pytest

from affray import Fight
from affray.kernel.chance import Seeded
from affray.players.hints import hint
from affray.players.player import ByFunction
from affray.players.search import Search
from affray.terminal.playing.thinkers import Thinkers, told_apart
from tests.stubborn import stubborn

DUEL = ("play", "bgo", "heroes=player", "monsters=fire-slime", "--seed", "7", "--no-odds")


def test_an_opponent_that_thinks_tells_what_it_considered(affray):
    ran = affray(*DUEL, "--against", "search:100", typed="defend\nwhy fire-slime\nquit\n")
    assert ran.code == 0
    assert "100 iterations" in ran.out
    assert "visits" in ran.out


def test_an_opponent_has_considered_nothing_before_its_first_move(affray):
    assert "has not decided anything yet" in affray(*DUEL, "--against", "easy", typed="why fire-slime\n").unfolded


def test_a_policy_plays_at_the_keyboard(affray, tmp_path):
    stubborn(Fight("bgo", "heroes=player monsters=fire-slime", seed=7), "defend").save(tmp_path / "wary.json")
    ran = affray(*DUEL, "--against", f"policy:{tmp_path / 'wary.json'}", typed="attack\nwhy fire-slime\nquit\n")
    assert ran.code == 0
    assert "The fire slime defends." in ran.out
    assert "88% of the time in training" in ran.unfolded  # e**2 against e**0: a slime cannot flee


def test_a_file_that_is_no_policy_is_refused_before_the_fight(affray, tmp_path):
    bad = tmp_path / "bad.json"
    table = stubborn(Fight("bgo", "heroes=player monsters=fire-slime", seed=7), "defend").as_table()
    wrong = {
        "{": "is not a policy",
        json.dumps({**table, "policy": 2}): "its version must be 1, not 2",
        json.dumps({**table, "mean": []}): "do not fit together",
        json.dumps({**table, "gain": [float("nan")] * len(table["gain"])}): "must be finite",
        json.dumps({**table, "system": "mythos"}): "trained for mythos, not for bgo",
    }
    for content, problem in wrong.items():
        bad.write_text(content)
        ran = affray(*DUEL, "--against", f"policy:{bad}", typed="attack\n")
        assert ran.code != 0
        assert problem in ran.err
    assert "cannot be read" in affray(*DUEL, "--against", "policy:nowhere.json", typed="attack\n").err


@pytest.mark.parametrize("player", ["grandmaster", "search:0", "search:0s"])
def test_an_unknown_opponent_is_refused_before_the_fight(affray, player):
    ran = affray(*DUEL, "--against", player, typed="attack\n")
    assert ran.code != 0
    assert "The player attacks" not in ran.out


def test_a_hint_names_a_move_and_its_reason(affray):
    ran = affray(
        "play", "grapple", "one=goblin", "two=goblin", "--seed", "1", "--no-odds", typed="hint search:200\nquit\n"
    )
    assert "Hint: " in ran.out
    assert "is worth" in ran.unfolded
    assert "1 is a fight won" in ran.unfolded
    assert "200 fights looked at" in ran.unfolded


def test_a_hint_needs_a_player_that_searches(affray):
    assert "needs a player that searches" in affray(*DUEL, typed="hint cautious\n").unfolded


def test_a_hint_is_a_table_for_a_page():
    fight = Fight("mythos", "investigators=boxer enemies=zombie", seed=1)
    index = fight.index(fight.to_act[0])
    found = hint(fight.setup, fight.state, index, Seeded(1), Search(iterations=100)).as_table()
    assert found["move"] in [str(move) for move in fight.legal(fight.to_act[0])]
    assert sum(move["visits"] for move in found["moves"]) == 100
    assert found["line"][0]["who"] == fight.to_act[0]


def test_a_program_that_fails_is_told_and_the_fight_goes_on(affray):
    ran = affray(*DUEL, "--against", "program:no-such-program", typed="attack\nattack\n")
    assert "moves by the tactic policy instead" in ran.unfolded
    assert "Victory for the player!" in ran.out


def test_a_thinker_begins_while_a_person_still_chooses_and_is_asked_once():
    asked = []

    def think(setup, view, who, dice):
        asked.append(who)
        return setup.codes(view, who)[0]

    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    thinkers = Thinkers({"fire-slime": ByFunction(think)})
    thinkers.begin(fight)
    thinkers.begin(fight)
    fight.play("player", "defend")
    fight.play("fire-slime", thinkers.decide(fight, "fire-slime"))
    assert asked == [1]
    thinkers.begin(fight)
    fight.undo(to=1)  # another decision: what was begun is not about it
    fight.play("player", "attack")
    fight.play("fire-slime", thinkers.decide(fight, "fire-slime"))
    assert len(asked) >= 2


def test_what_is_said_of_a_fighter_goes_before_what_is_said_of_its_team():
    fight = Fight("bgo", "heroes=player monsters=fire-slime,fast-slime", seed=7)
    tactics, players = told_apart(fight, fight.system, {"monsters": "easy", "fast-slime": "policy"})
    assert (tactics, list(players)) == ({"fast-slime": "policy"}, ["fire-slime"])
