"""Solved duels of bgo: no deviation gains anything, checked by interpreted rules and SciPy; what cannot be solved."""

import gzip
from dataclasses import replace
from fractions import Fraction

import pytest

import affray
from affray.errors import Invalid
from affray.lab.solving import Unsolvable, bound, cache
from affray.players.equilibrium import Equilibrium
from affray.players.perfect import Perfect
from affray.system.registry import find
from benchmarks.equilibria import check

DUEL = "a=rust-knight b=mountain-titan"
FIRE_SLIME = "a=player:health=4 b=fire-slime"


@pytest.mark.parametrize("duel", [DUEL, "a=player:health=4 b=fast-slime", "a=rust-knight b=rust-knight"])
def test_no_deviation_gains_anything_at_any_state(duel):
    found = check(affray.solve("bgo", duel, cached=False))
    assert found.at_once < 1e-12
    assert found.by_programme < 1e-12
    assert found.to_the_end < 1e-12


def test_nor_where_no_mix_is_best():
    solution = affray.solve("bgo", "a=rust-knight b=ogre-champion", cached=False)
    found = check(solution)
    assert found.at_once < 1e-12
    assert found.by_programme < 1e-12
    assert solution.gain < 1e-12
    assert any(0 < chance < 1e-9 for play in solution.plays for mix in play for chance in mix)


def test_a_duel_of_grapple_with_a_limit_to_strike_dice_is_worth_what_striking_in_turn_is():
    # Both hold two dice, and two successes knock out; one who fails keeps the dice and waits for the next turn.
    goblin = "goblin:skill2=accuracy"
    solution = affray.solve("grapple", f"a={goblin} b={goblin}", options={"sd_cap": 6}, cached=False)
    hits = Fraction(2, 3) ** 2
    first_wins = hits / (1 - (1 - hits) ** 2)
    assert solution.at(0).mixes["goblin"]["strike 2 goblin-2"] == 1
    assert float(solution.value) == pytest.approx(float(2 * first_wins - 1), abs=1e-12)


def test_interpreted_rules_have_the_same_solution():
    compiled, interpreted = (affray.solve("bgo", FIRE_SLIME, compiled=how, cached=False) for how in (True, False))
    assert compiled.value == interpreted.value
    assert isinstance(compiled.value, Fraction)
    assert len(compiled) == len(interpreted)


def test_a_team_that_only_one_side_leaves_a_choice_gets_its_best_play():
    # What the best answer to the foe's own solution gets is the value, neither more nor less.
    solution = affray.solve("bgo", DUEL, cached=False)
    lost = solution.exploitability({"a": Equilibrium(), "b": Equilibrium()})
    assert lost["a"].loses < 1e-12
    assert lost["b"].loses < 1e-12
    assert lost["a"].gets == pytest.approx(float(solution.value), abs=1e-12)
    random = solution.exploitability({"a": "random"})["a"]
    assert random.loses > 0.01
    assert random.keeps <= random.gets < float(solution.value)  # the solution is no best answer to random play


def test_two_against_one_is_solved_as_a_fight_of_two_sides():
    solution = affray.solve("bgo", "a=rust-knight:health=1,rust-knight:health=1 b=ogre-champion:health=5", cached=False)
    assert solution.gain < 1e-12
    assert set(solution.at(0).mixes) == {"rust-knight", "rust-knight-2", "ogre-champion"}


def test_the_next_start_reads_what_was_solved(tmp_path, monkeypatch):
    monkeypatch.setenv("AFFRAY_CACHE", str(tmp_path))
    solution = affray.solve("bgo", DUEL)
    setup, state = solution.setup, solution.setup.opened(affray.Seeded(1))
    (file,) = (tmp_path / "solved").iterdir()
    monkeypatch.setattr("affray.lab.solving.grown", None)  # nothing may be grown again
    again = affray.solve("bgo", DUEL)
    assert (again.values, again.plays, again.contest.keys) == (solution.values, solution.plays, solution.contest.keys)
    thought = Perfect().choose(setup, setup.view(state, 0), 0, affray.Seeded(2))
    assert thought.policy == solution.policy(0, 0)
    assert thought.value == solution.value
    monkeypatch.undo()
    monkeypatch.setenv("AFFRAY_CACHE", str(tmp_path))
    for damaged in (b"", file.read_bytes()[:50], gzip.compress(b'{"keys": 1}')):
        file.write_bytes(damaged)
        assert affray.solve("bgo", DUEL).value == solution.value


def test_other_rules_options_and_sheets_are_other_files():
    setups = [
        affray.Setup.of("bgo", DUEL),
        affray.Setup.of("bgo", DUEL, {"defend_attack": 1}),
        affray.Setup.of("bgo", "a=rust-knight:health=3 b=mountain-titan"),
        affray.Setup.of(replace(find("bgo"), values={"win": 2, "lose": -2}), DUEL),
    ]
    assert len({cache.path_of(setup, []) for setup in setups}) == len(setups)


def test_a_fight_of_three_sides_is_refused():
    with pytest.raises(Unsolvable, match="only a fight of two sides can be solved, and this one has 3"):
        affray.solve("bgo", "a=player b=player c=player")


def test_a_fight_that_is_not_zero_sum_is_refused():
    with pytest.raises(Unsolvable, match="strategic counts what a fight costs each side, so it is not zero-sum"):
        affray.solve("strategic", find("strategic").demonstration)
    friendly = replace(find("bgo"), values={"win": 1, "lose": -1, "fled": 1})
    with pytest.raises(Unsolvable, match="not zero-sum and cannot be solved: the ending 'fled' is worth 1 to one side"):
        affray.solve(friendly, DUEL)


def test_a_fight_that_is_too_large_is_refused():
    with pytest.raises(Unsolvable, match="this fight is too large to solve: it has more than 1,024 states"):
        affray.solve("bgo", "a=player:health=30 b=player:health=30", memory=8, cached=False)
    with pytest.raises(Unsolvable, match="the memory must be 6 MB or more for this fight, not 1"):
        affray.solve("bgo", DUEL, memory=1, cached=False)
    with pytest.raises(Unsolvable, match="too many openings to count"):
        affray.solve("deckahedron", find("deckahedron").demonstration)


def test_a_fight_with_hidden_cards_is_refused():
    def hide(seen, viewer):
        seen.fighters[1].health = 0

    peeking = replace(find("bgo"), hide=hide)
    with pytest.raises(Unsolvable, match="bgo cannot be solved, because rust-knight does not see all there is"):
        affray.solve(peeking, DUEL, compiled=False, cached=False)


def test_more_memory_has_room_for_more_states():
    setup = affray.Setup.of("bgo", DUEL)
    assert [bound(setup, memory).states for memory in (8, 64, 2048)] == [1_024, 4_096, 262_144]
    assert all(bound(setup, memory).megabytes <= memory for memory in (8, 64, 2048))


def test_a_player_tries_a_large_fight_again_from_where_it_has_come_to():
    setup = affray.Setup.of("bgo", "a=player:health=30 b=player:health=30")
    state = setup.opened(affray.Seeded(1))
    player = Equilibrium(memory=8)
    with pytest.raises(Unsolvable, match="too large"):
        player.choose(setup, setup.view(state, 0), 0, affray.Seeded(1))
    for fighter in state.fighters:
        fighter.health = 4
    assert player.choose(setup, setup.view(state, 0), 0, affray.Seeded(1)).code in setup.codes(state, 0)


@pytest.mark.parametrize(
    ("policies", "problem"),
    [
        ({"c": "random"}, "there is no fighter or team 'c'"),
        ({"a": "brave"}, "there is no tactic 'brave'"),
        ({"a": 7}, "a must follow a tactic or a player, not 7"),
    ],
)
def test_unknown_teams_and_tactics_are_refused(policies, problem):
    solution = affray.solve("bgo", DUEL, cached=False)
    with pytest.raises(Invalid, match=problem):
        solution.exploitability(policies)
