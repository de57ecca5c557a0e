"""`affray simulate` beyond the counts: fights worth telling, the results of single fights, and costs."""

import json
import re
import shlex
from pathlib import Path

DUEL = ("bgo", "heroes=player", "monsters=fire-slime")


def test_the_command_for_a_fight_worth_telling_replays_that_fight(affray):
    changed = ("--option", "defend_attack=4", "--tactic", "heroes=defend-then-attack")
    ran = affray("simulate", *DUEL, *changed, "--fights", "3000", "--seed", "7", "--find", "longest")
    (command,) = re.findall(r"^  (affray replay .*)$", ran.out, re.M)
    told = affray(*shlex.split(command)[1:])
    rounds = re.search(r"the longest of 3,000 fights: (\d+) rounds", ran.unfolded)[1]
    assert told.out.count(f"in round {rounds}.") == 1


def test_what_cannot_be_found_is_refused_before_the_fights_and_what_never_happened_is_said(affray):
    ran = affray("simulate", *DUEL, "--fights", "1e12", "--find", "strangest")
    assert ran.code == 2
    assert "there is no kind of fight 'strangest'; did you mean longest?" in ran.err
    ran = affray("simulate", *DUEL, "--fights", "100", "--find", "fled")
    assert ran.code == 0
    assert "None of 100 fights ended so: fled; there were: heroes" in ran.out


def test_results_are_written_and_named(affray):
    ran = affray("simulate", *DUEL, "--fights", "100", "--seed", "7", "--results", "each.csv")
    assert "Written: each.csv." in ran.out
    first, *rows = Path("each.csv").read_text().splitlines()
    assert first.startswith("fight,ending,rounds,player: Health left")
    assert len(rows) == 100
    assert "must end in .csv or .parquet" in affray("simulate", *DUEL, "--results", "each.txt").err


def test_costs_stand_among_the_figures(affray):
    words = ("simulate", "strategic", "order=knight", "raiders=brute", "--fights", "200")
    assert re.search(r"^ +net +[+-]?\d", affray(*words).out, re.M)
    assert list(json.loads(affray(*words, "--json").out)["costs"]["knight"])[-1] == "net"
