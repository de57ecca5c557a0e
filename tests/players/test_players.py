"""A player of one's own is a function or a few lines; one that fails costs its move to the tactic, and says so."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import affray
from affray.kernel.chance import Seeded
from affray.players.deciding import decided
from affray.players.levels import read_player
from affray.players.player import ByFunction, ByTactic, Thought
from affray.players.program import Program
from affray.players.tactics import decide

ANSWERS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"move": asked["moves"][-1], "why": [f"I am {asked['who']}"], "value": 0.5}), flush=True)
"""


@pytest.fixture
def fight() -> affray.Fight:
    return affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=7)


def program(folder: Path, text: str, seconds: float = 30.0) -> Program:
    file = folder / "player.py"
    file.write_text(text, encoding="utf-8")
    return Program(f"{sys.executable} {file}", seconds=seconds)


def test_a_function_is_a_player(fight: affray.Fight) -> None:
    def last(setup: Any, view: Any, who: int, dice: Seeded) -> int:
        return int(setup.codes(view, who)[-1])

    move, thought = decided(fight, "player", ByFunction(last))
    assert str(move) == "flee"
    assert thought == Thought(move.code, {move.code: 1.0})


def test_a_tactic_is_a_player(fight: affray.Fight) -> None:
    assert decided(fight, "fire-slime", ByTactic())[0] == decide(fight, "fire-slime", "policy")


def test_a_player_gets_a_view_and_never_the_state(fight: affray.Fight) -> None:
    fight.play("fire-slime", "attack")
    seen = []

    def look(setup: Any, view: Any, who: int, dice: Seeded) -> int:
        seen.append(view.fighters[1].choice)
        return int(setup.codes(view, who)[0])

    decided(fight, "player", ByFunction(look))
    assert fight.state.fighters[1].choice != 0
    assert seen == [0]


@pytest.mark.parametrize("name", ["perfect", "equilibrium"])
def test_a_player_solves_the_fight_where_that_can_be_done(name: str) -> None:
    duel = affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=1)
    move, found = decided(duel, "player", read_player(duel.system, name))
    assert found.value == affray.solve("bgo", "heroes=player monsters=fire-slime").value
    assert found.policy[move.code] > 0
    brawl = affray.Fight("strategic", affray.get_system("strategic").demonstration, seed=1)
    _, found = decided(brawl, brawl.to_act[0], read_player(brawl.system, name))
    assert "not zero-sum" in found.problem


def test_a_program_plays_over_json_lines(fight: affray.Fight, tmp_path: Path) -> None:
    player = program(tmp_path, ANSWERS)
    try:
        move, thought = decided(fight, "player", player)
        fight.play("player", move)
        assert (str(move), thought.value, thought.why) == ("flee", 0.5, ("I am player",))
        assert str(decided(fight, "fire-slime", player)[0]) == fight.legal("fire-slime")[-1].notation
    finally:
        player.close()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has ended"),
        ("print('rubbish', flush=True); input()", "which is no JSON object"),
        ("print('[1]', flush=True); input()", "which is no JSON object"),
        ("""print('{"move": "dance"}', flush=True); input()""", "which is none of the moves"),
        ("input(); import time; time.sleep(60)", "has not answered within 0.5 seconds"),
    ],
)
def test_a_program_that_fails_leaves_the_move_to_the_tactic(
    fight: affray.Fight, tmp_path: Path, text: str, problem: str
) -> None:
    player = program(tmp_path, text, seconds=0.5 if "sleep" in text else 30.0)
    move, thought = decided(fight, "player", player)
    assert problem in thought.why[0]
    assert "moves by the tactic" in thought.why[0]
    assert fight.play("player", move) is not None
    player.close()


def test_a_program_that_does_not_exist_and_one_that_raises_cost_nothing_but_the_move(fight: affray.Fight) -> None:
    for player in (Program("no-such-program-anywhere"), ByFunction(lambda *given: 1 // 0)):
        _, thought = decided(fight, "player", player)
        assert "moves by the tactic" in thought.why[0]


def test_an_illegal_code_is_not_played(fight: affray.Fight) -> None:
    move, thought = decided(fight, "player", ByFunction(lambda *given: 999))
    assert move.code != 999
    assert "no legal move" in thought.why[0]
