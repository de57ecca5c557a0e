"""The arena swaps seats under the same dice; its ratings are those of the Bradley-Terry model."""

from __future__ import annotations

import json
from math import log, log10

import pytest

from affray.errors import Invalid
from affray.kernel.chance import Seeded
from affray.lab.arena import SIDES, compare, mirror_rosters, play_bout
from affray.lab.ratings import ratings
from affray.players.player import ByTactic
from affray.system.registry import find, names
from affray.system.setup import Setup
from affray.terminal import main
from benchmarks.evened import gifts

DUEL = {"red": ["player"], "blue": ["player"]}


@pytest.mark.parametrize("id", names())
def test_rosters_are_mirrors_of_duels_and_teams(id: str) -> None:
    rosters = mirror_rosters(find(id))
    assert [len(roster["red"]) for roster in rosters] == [1] * 6 + [2] * 3 + [3]
    assert all(roster["red"] == roster["blue"] for roster in rosters)
    assert all(Setup.of(id, roster) for roster in rosters)


def test_rosters_leave_out_fighters_who_never_have_a_choice() -> None:
    # An enemy of mythos must fight, and a zombie has nothing but its hands; a boxer may dodge, trip and flee.
    rosters = [roster for seed in range(3) for roster in mirror_rosters(find("mythos"), seed=seed)]
    members = {member for roster in rosters for member in roster["red"]}
    assert "boxer" in members
    assert members.isdisjoint({"zombie", "ghoul", "deep-one"})


def test_two_tactics_that_do_the_same_come_out_even() -> None:
    # The player's data says always to attack, so that both are one tactic under two names.
    result = compare("bgo", ["policy", "always-attack"], rosters=[DUEL], fights=5, workers=1)
    (pair,) = result.pairings
    assert pair.fights == 10
    assert pair.value == (0.0, 0.0, 0.0)
    assert pair.wins == pair.losses


def test_a_fight_of_the_arena_can_be_played_again_from_its_moves() -> None:
    setup, player = Setup.of("mythos", {side: ["boxer"] for side in SIDES}), ByTactic("survivor")
    bout, dice = play_bout(setup, (player, player), 3, 5), Seeded(3, 5)
    state = setup.opened(dice)
    for who, code in bout.moves:
        setup.step(state, who, code, dice)
    assert state.ending >= 0
    assert bout.won == (state.ending if state.ending < len(SIDES) else None)


def test_without_what_the_dice_gave_a_fight_of_equals_is_even() -> None:
    setup, player = Setup.of("bgo", DUEL), ByTactic("always-attack")
    bouts = {number: play_bout(setup, (player, player), 3, number) for number in range(3)}
    assert any(bout.won is not None for bout in bouts.values())
    for number, bout in bouts.items():
        given = gifts(setup, bout, 3, number, "always-attack")
        assert given == pytest.approx(bout.worth, abs=0.2)


def test_a_thinker_beats_random_play() -> None:
    result = compare(
        "grapple", ["search:60", "random"], rosters=[{"red": ["goblin"], "blue": ["goblin"]}], fights=4, workers=1
    )
    (pair,) = result.pairings
    assert pair.wins > pair.losses
    assert result.ratings["search:60"].value > 0 > result.ratings["random"].value


def test_ratings_maximise_the_likelihood() -> None:
    scores = {("a", "b"): (3000.0, 1000.0), ("b", "c"): (2500.0, 1500.0), ("a", "c"): (3300.0, 700.0)}

    def likelihood(points: dict[str, float]) -> float:
        total = 0.0
        for (one, other), (won, lost) in scores.items():
            expected = 1 / (1 + 10 ** ((points[other] - points[one]) / 400))
            total += won * log(expected) + lost * log(1 - expected)
        return total

    best = {name: rating.value for name, rating in ratings("abc", scores).items()}
    for name in "abc":
        for off in (-2.0, 2.0):
            assert likelihood({**best, name: best[name] + off}) < likelihood(best)


def test_intervals_shrink_with_the_root_of_the_fights() -> None:
    few, many = (ratings("ab", {("a", "b"): (3.0 * times, 1.0 * times)})["a"] for times in (100, 10_000))
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10, rel=0.02)


def test_two_players_are_apart_by_the_logarithm_of_their_score() -> None:
    found = ratings(("a", "b"), {("a", "b"): (30_000.0, 10_000.0)})
    assert found["a"].value - found["b"].value == pytest.approx(400 * log10(3), abs=0.1)


def test_an_unbeaten_player_has_a_rating() -> None:
    found = ratings(("a", "b"), {("a", "b"): (5.0, 0.0)})
    assert 100 < found["a"].value < 1000


def test_an_arena_refuses_unknown_and_single_players() -> None:
    with pytest.raises(Invalid, match="two or more players"):
        compare("bgo", ["policy"])
    with pytest.raises(Invalid, match="no player"):
        compare("bgo", ["policy", "nobody"])


def test_the_command_prints_values_with_intervals_and_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "bgo", "red=player", "blue=player", "--fights", "2", "--workers", "1"]
    players = ["--player", "always-attack", "--player", "defend-then-attack"]
    assert main([*words, *players]) == 0
    told = capsys.readouterr().out
    assert "4 fights of bgo on 1 roster" in told
    assert "always-attack against defend-then-attack" in told
    assert main([*words, *players, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert set(table["ratings"]) == {"always-attack", "defend-then-attack"}
