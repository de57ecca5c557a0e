"""`affray solve`: the value, the mixes, the states as text, JSON and CSV, and messages for what cannot be solved."""

import csv
import io
import json

DUEL = ("bgo", "left=rust-knight", "right=ogre-champion")


def test_the_value_and_the_mix_at_the_start(affray):
    ran = affray("solve", *DUEL)
    assert ran.code == 0
    assert "Solving up to 262,144 states, in at most " in ran.out
    assert "Value: -0.381321 to left, +0.381321 to right." in ran.out
    assert "16 states, 4 of them with a mix; no deviation gains more than" in ran.out
    assert "  rust-knight    attack  56.83%\n                 defend  43.17%\n" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_the_states_can_be_listed_and_searched(affray):
    every = affray("solve", *DUEL, "--states").out
    assert every.count("  ogre-champion: ") == 16
    found = affray("solve", *DUEL, "--find", "poised 4/8 attack").out
    assert 0 < found.count("  ogre-champion: ") < 16
    assert "There is none." in affray("solve", *DUEL, "--find", "dragon").out


def test_json_and_csv_have_every_state(affray):
    table = json.loads(affray("solve", *DUEL, "--json", "--states", "--tactic", "left=random").out)
    assert table["states"] == len(table["table"]) == 16
    assert table["exploitability"]["left"]["by"] == "random"
    assert table["exploitability"]["left"]["loses"] > 0.01
    rows = list(csv.DictReader(io.StringIO(affray("solve", *DUEL, "--csv").out)))
    assert {int(row["state"]) for row in rows} == set(range(16))
    chances = [float(row["chance"]) for row in rows if row["state"] == "0" and row["fighter"] == "rust-knight"]
    assert abs(sum(chances) - 1) < 1e-12


def test_what_cannot_be_solved_gets_a_message(affray):
    for words, problem in (
        ((*DUEL, "--tactic", "left=brave"), "there is no tactic 'brave'"),
        ((*DUEL, "--memory", "1"), "the memory must be 6 MB or more for this fight, not 1"),
        ((*DUEL, "--csv", "--json"), "--csv and --json exclude each other"),
        (("strategic",), "it is not zero-sum and cannot be solved"),
        (("bgo", "a=player:health=30", "b=player:health=30", "--memory", "8"), "this fight is too large to solve"),
        (("bgo", "a=player", "b=player", "c=player"), "only a fight of two sides can be solved"),
    ):
        ran = affray("solve", *words)
        assert ran.code == 2
        assert problem in ran.err
        assert len(ran.err.strip().splitlines()) == 1
