"""Policies: trained players out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

import affray
from affray.errors import Invalid
from affray.players.deciding import decided
from affray.players.levels import known_players, read_player
from affray.players.policy import FOLDER, Policy, names_of, observed, read_policy
from affray.system.registry import find, names
from affray.world.combats.npc_players import check_player
from tests.stubborn import stubborn

TEAMS = "heroes=player monsters=fire-slime"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of an operator, with a policy that defends."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "policies"))
    (tmp_path / "policies").mkdir()
    stubborn(affray.Fight("bgo", TEAMS, seed=7), "defend").save(tmp_path / "policies" / "Wary.json")
    return tmp_path / "policies"


def test_a_policy_comes_back_from_its_file_and_says_what_it_chose(tmp_path: Path) -> None:
    fight = affray.Fight("bgo", TEAMS, seed=7)
    policy = stubborn(fight, "defend")
    policy.save(tmp_path / "wary.json")
    again = read_policy(tmp_path / "wary.json")
    assert again == policy
    move, thought = decided(fight, "player", again)
    assert str(move) == "defend"
    assert thought.policy[move.code] == pytest.approx(0.787, abs=0.001)  # e**2 against two of e**0
    assert thought.value == 0.25


def test_it_sees_what_the_environments_show() -> None:
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
    from affray.envs import Ground

    for system in names():
        ground = Ground.of(system, codes=[0])
        setup = ground.setups[0]
        fight = affray.Fight(setup, seed=3)
        who = fight.index(fight.to_act[0])
        view = setup.view(fight.state, who)
        assert names_of(setup) == ground.numbers
        assert observed(setup, view, who) == ground.observed(view, who).tolist()


def test_in_another_fight_the_tactic_moves_and_says_why() -> None:
    policy = stubborn(affray.Fight("bgo", TEAMS, seed=7), "defend")
    larger = affray.Fight("bgo", "heroes=player,squire monsters=fire-slime", seed=7)
    assert "another size" in decided(larger, larger.to_act[0], policy)[1].problem
    other = affray.Fight("grapple", "red=goblin blue=goblin", seed=7)
    assert "trained for bgo, not for grapple" in decided(other, other.to_act[0], policy)[1].problem


def test_a_world_reaches_only_the_policies_of_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bgo = find("bgo")
    stubborn(affray.Fight("bgo", TEAMS, seed=7), "attack").save(folder.parent / "outside.json")
    check_player(bgo, "policy:wary")
    assert "policy:wary" in known_players(bgo)
    assert "policy:wary" not in known_players(find("grapple"))
    for text in ("policy:../outside", "policy:../outside.json", f"policy:{folder.parent / 'outside.json'}", "policy:"):
        with pytest.raises(Invalid, match="there is no policy"):
            check_player(bgo, text)
    monkeypatch.delenv(FOLDER)
    with pytest.raises(Invalid, match="nor any other"):
        check_player(bgo, "policy:wary")


def test_the_arena_names_it_like_any_player(folder: Path) -> None:
    assert isinstance(read_player(find("bgo"), f"policy:{folder / 'Wary.json'}", programs=True), Policy)
    assert isinstance(read_player(find("bgo"), "policy:wary", programs=True), Policy)
