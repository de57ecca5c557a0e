"""A fight that people conclude: what follows from it, and that its log says so and is checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import affray
from affray.fight.concluding import conclude
from affray.fight.saving import as_table, public_table, rerun, seal, verify

TEAMS = {"heroes": ["player"], "monsters": ["fire-slime"]}


def begun(moves: int = 1) -> affray.Fight:
    fight = affray.Fight("bgo", TEAMS, seed=7)
    for _ in range(moves):
        fight.play("player", "defend")
        fight.play("fire-slime", "attack")
    return fight


@pytest.mark.parametrize(
    ("reason", "ending", "team", "told"),
    [
        ("resigned", "monsters", "heroes", "heroes resigned"),
        ("agreed", "draw", "", "a draw was agreed"),
        ("time", "heroes", "monsters", "the time of monsters ran out"),
    ],
)
def test_a_log_says_how_people_ended_a_fight(reason: str, ending: str, team: str, told: str, tmp_path: Path) -> None:
    fight = begun()
    conclude(fight, reason, ending, team)
    assert (fight.over, fight.ending, fight.to_act) == (True, ending, [])
    fight.save(tmp_path / "fight.json")
    verdict = verify(tmp_path / "fight.json")
    assert (verdict.ending, verdict.concluded, verdict.answers) == (ending, told, 2)
    again = affray.Fight.load(tmp_path / "fight.json")
    assert (again.concluded, again.ending) == (fight.concluded, ending)
    assert again.view()["ending"] == ending
    assert rerun(public_table(fight), "the log").concluded == fight.concluded


def test_nothing_follows_a_conclusion() -> None:
    fight = begun()
    conclude(fight, "resigned", "monsters", "heroes")
    with pytest.raises(affray.Illegal, match="the fight is over: monsters"):
        fight.play("player", "attack")
    with pytest.raises(affray.Illegal, match="the fight is over"):
        conclude(fight, "agreed", "draw")
    for take_back in (fight.undo, lambda: fight.keep(0)):
        with pytest.raises(affray.Illegal, match="nothing can be taken back: heroes resigned"):
            take_back()
    assert (len(fight.answers), fight.undone) == (2, [])
    with pytest.raises(affray.Illegal, match="fought out"):
        fight.luck()
    assert not fight.fork().over, "a fork goes on from there"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"reason": "bored", "ending": "draw", "team": ""}, "a fight is concluded because of"),
        ({"reason": "agreed", "ending": "nobody", "team": ""}, "cannot end as 'nobody'"),
        ({"reason": "resigned", "ending": "heroes", "team": "heroes"}, "must be a team that does not win"),
        ({"reason": "resigned", "ending": "heroes", "team": "monsters"}, "the ending"),
        (None, "the ending"),
    ],
)
def test_a_log_that_was_changed_is_refused(change: dict[str, str] | None, problem: str, tmp_path: Path) -> None:
    fight = begun()
    conclude(fight, "resigned", "monsters", "heroes")
    table = as_table(fight) | {"concluded": change}
    if change is None:
        del table["concluded"]
    path = tmp_path / "fight.json"
    path.write_text(json.dumps(table | {"seal": seal(table)}))
    with pytest.raises(affray.Invalid, match=problem):
        verify(path)


def test_a_fight_that_is_over_by_its_rules_cannot_be_concluded(tmp_path: Path) -> None:
    fight = begun(0)
    fight.play_on()
    assert fight.over
    with pytest.raises(affray.Illegal, match="the fight is over"):
        conclude(fight, "agreed", "draw")
