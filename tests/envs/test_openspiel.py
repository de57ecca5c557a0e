"""Fights as OpenSpiel games: its own test for all systems, and its algorithms on games of known value."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

import affray
from affray.kernel.records import copy

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")
pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the bench extra)")

from affray.envs import openspiel  # noqa: E402

SYSTEMS = ("bgo", "deckahedron", "grapple", "mythos", "strategic", "d20")
SECRET = "red=squire:health=2 blue=ranger:health=2"
ONE_ROUND, TWO_ROUNDS = {"round_cap": 1}, {"round_cap": 2}

pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.parametrize("system", SYSTEMS)
def test_openspiel_plays_every_system_at_random(system: str) -> None:
    pyspiel.random_sim_test(openspiel.load(system), num_sims=1, serialize=False, verbose=False)


def test_a_registered_game_is_loaded_by_name_and_out_of_text() -> None:
    game = pyspiel.load_game("python_affray_bgo", openspiel.parameters(SECRET, TWO_ROUNDS))
    assert game.num_players() == 2
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_chance_has_the_probabilities_of_exact_odds() -> None:
    def chances(state: Any) -> dict[str, float]:
        if state.is_terminal():
            return {str(state.record.ending): 1.0}
        found: dict[str, float] = {}
        for outcome, chance in state.chance_outcomes():
            for ending, part in chances(state.child(outcome)).items():
                found[ending] = found.get(ending, 0.0) + chance * part
        return found

    setup = affray.Setup.of("bgo", SECRET, ONE_ROUND)
    state = openspiel.load(setup).new_initial_state()
    state.apply_actions([attack(state, player) for player in range(2)])
    exact = affray.odds(setup, tactics={"red": "always-attack", "blue": "always-attack"}, compiled=False)
    for ending, chance in chances(state).items():
        assert chance == pytest.approx(float(exact.chances[setup.endings[int(ending)]]))


def attack(state: Any, player: int) -> int:
    """The action that is an attack."""
    return next(a for a in state.legal_actions(player) if state.action_to_string(player, a) == "attack")


def value(state: Any) -> float:
    """What the first player gets on average once both have chosen in the only round."""
    if state.is_terminal():
        return float(state.returns()[0])
    return sum(chance * value(state.child(outcome)) for outcome, chance in state.chance_outcomes())


def test_cfr_finds_the_value_of_a_round_that_a_linear_programme_gives() -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="SciPy is not installed (it comes with OpenSpiel)")
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    start = openspiel.load("bgo", SECRET, ONE_ROUND).new_initial_state()
    own, other = start.legal_actions(0), start.legal_actions(1)
    table = np.zeros((len(own), len(other)))
    for row, column in itertools.product(range(len(own)), range(len(other))):
        after = start.clone()
        after.apply_actions([own[row], other[column]])
        table[row, column] = value(after)
    # max v such that every column of the mixture is worth at least v
    best = optimize.linprog(
        [0] * len(own) + [-1],
        A_ub=np.hstack([-table.T, np.ones((len(other), 1))]),
        b_ub=np.zeros(len(other)),
        A_eq=[[1] * len(own) + [0]],
        b_eq=[1],
        bounds=[(0, 1)] * len(own) + [(-1, 1)],
    )
    game = openspiel.load("bgo", SECRET, ONE_ROUND, simultaneous=False)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.nash_conv(game, policy) < 0.01
    found = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert found[0] == pytest.approx(-best.fun, abs=0.01)


def test_its_best_response_is_our_best_play() -> None:
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import best_response

    game = openspiel.load("bgo", SECRET, TWO_ROUNDS, simultaneous=False)

    class AlwaysAttack(policies.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            player = state.current_player() if player_id is None else player_id
            return {attack(state, player): 1.0}

    found = best_response.BestResponsePolicy(game, 0, AlwaysAttack(game, [0, 1]))
    setup = affray.Setup.of("bgo", SECRET, TWO_ROUNDS)
    assert found.value(game.new_initial_state()) == pytest.approx(float(best_against_attack(setup, setup.seated())))


def best_against_attack(setup: affray.Setup[Any], state: Any) -> Fraction:
    """What the first fighter can get on average against one who always attacks: all outcomes of all moves."""

    def outcome(dice: Any, code: int | None) -> Any:
        after = copy(state)
        if code is None:
            setup.system.begin(after, dice, None)
        else:
            setup.step(after, 0, code, dice)
            setup.step(after, 1, 1, dice)
        return after

    if state.ending >= 0:
        return Fraction(setup.worth("red")[state.ending])
    codes = setup.codes(state, 0) or [None]
    return max(
        sum(
            (Fraction(n, d) * best_against_attack(setup, after)
             for after, n, d in affray.Exact().outcomes(lambda dice, code=code: outcome(dice, code))),
            Fraction(0),
        )
        for code in codes
    )  # fmt: skip


def test_its_tree_search_finds_the_better_move() -> None:
    from open_spiel.python.algorithms import mcts

    # Bert has 3 left and Anna 1: a jab cannot win at once, a lunge does in one of four throws.
    game = openspiel.load("coins", "left=anna:lives=1 right=bert:lives=3")
    state = game.new_initial_state()
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.5, 300, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert state.action_to_string(0, bot.step(state)) == "lunge"
    assert affray.odds("coins", "left=anna:lives=1 right=bert:lives=3", play="best").best == ("lunge",)


def test_an_information_state_is_what_was_seen_and_done() -> None:
    game = openspiel.load("bgo", SECRET, TWO_ROUNDS, simultaneous=False)
    twins = [game.new_initial_state(), game.new_initial_state()]
    for state, action in zip(twins, twins[0].legal_actions(0)[:2], strict=True):
        state.apply_action(action)
    assert twins[0].information_state_string(1) == twins[1].information_state_string(1)
    assert twins[0].information_state_string(0) != twins[1].information_state_string(0)
    assert twins[0].observation_tensor(1) == twins[1].observation_tensor(1)
