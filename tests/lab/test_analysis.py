"""The analysis finds what a move gave away, and keeps it apart from luck."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import affray
from affray.lab.analysis import analyse
from affray.players.tactics import play_on, replay_simulated, usual_tactics
from affray.terminal import main

DUEL = "heroes=player monsters=fire-slime"


def test_running_from_a_fight_that_is_won_is_a_blunder() -> None:
    fight = affray.Fight("bgo", DUEL, seed=7)
    fight.play("player", "flee")
    fight.play("fire-slime", "attack")
    first, *_ = analyse(fight, iterations=600).decisions
    assert (first.who, first.move, first.mark) == ("player", "flee", "blunder")
    assert first.best in ("attack", "defend")
    assert first.before - first.after == first.loss > 0.5
    assert first.moves["flee"] == 0.0


@pytest.mark.parametrize("id", ["bgo", "strategic"])
def test_skill_and_luck_add_up_to_what_came_of_it(id: str) -> None:
    fight = affray.Fight(
        id, {team: list(members) for team, members in affray.get_system(id).demonstration.items()}, seed=3
    )
    play_on(fight, usual_tactics(fight))
    found = analyse(fight, iterations=40)
    for who in fight.names:
        own = [one for one in found.decisions if one.who == who]
        change = sum(one.after - one.before + one.luck for one in own)
        assert own[0].before + change == pytest.approx(own[-1].became)


def test_the_command_shows_every_decision_and_the_luck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fight.json"
    replay_simulated("bgo", DUEL, seed=7, number=182).save(file)
    assert main(["replay", str(file), "--analyse", "--iterations", "60"]) == 0
    told = capsys.readouterr().out
    assert "gave away" in told
    assert "In total, the dice gave heroes -96.4%." in told
    assert main(["replay", str(file), "--analyse", "--iterations", "60", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert len(table["decisions"]) == 14
    assert set(table["fighters"]["player"]) == {"lost", "luck", "blunder", "mistake", "inaccuracy"}
