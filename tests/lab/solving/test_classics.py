"""Classic games inside a toy system have their known values and mixes, loops and all."""

from fractions import Fraction

import pytest

import affray
from affray.players.equilibrium import Equilibrium
from benchmarks import goofspiel
from tests.lab.solving.classic_games import bluff, hands, pennies, snowball

TEAMS = "ann=ann bob=bob"


def solved(system, teams=TEAMS):
    return affray.solve(system, teams, compiled=False, cached=False)


def test_matching_pennies():
    solution = solved(pennies)
    assert solution.value == 0
    assert solution.exact
    half = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    assert solution.at(0).mixes == {"ann": half, "bob": half}


@pytest.mark.parametrize(
    ("leads", "value"), [((0, 0), Fraction(0)), ((1, 0), Fraction(1, 2)), ((0, 1), Fraction(-1, 2)), ((1, 1), 0)]
)
def test_rock_paper_scissors_to_two_points_with_ties_played_again(leads, value):
    solution = solved(hands, f"ann=ann:lead={leads[0]} bob=bob:lead={leads[1]}")
    assert solution.value == value
    assert solution.exact
    assert set(solution.at(0).mixes["ann"].values()) == {Fraction(1, 3)}


def test_a_bluff_in_two_steps():
    solution = solved(bluff)
    assert solution.value == Fraction(3, 7)
    assert solution.at(0).mixes["ann"] == {"bet": Fraction(3, 7), "fold": Fraction(4, 7)}
    assert solution.at(0).mixes["bob"] == {"bet": Fraction(6, 7), "fold": Fraction(1, 7)}
    called = solution.at(1)
    assert called.value == Fraction(1, 3)
    assert called.mixes["ann"] == {"bet": Fraction(1, 3), "fold": Fraction(2, 3)}


def test_goofspiel_favours_neither_hand():
    """The game that `make bench` solves beside OpenSpiel: with hands and points swapped a state's value is negated."""
    solution = goofspiel.ours(compiled=False)
    assert solution.value == 0
    values = {}
    for number, value in enumerate(solution.values):
        state = solution.state(number)
        values[tuple((hand.held, hand.points) for hand in state.fighters)] = float(value)
    assert any(values.values())
    assert {key: values[key[::-1]] for key in values} == pytest.approx({key: -value for key, value in values.items()})


def test_where_no_mix_is_best_a_trace_of_the_risky_move_remains():
    solution = solved(snowball)
    assert solution.value == 1
    assert solution.gain < 1e-12
    risk = solution.at(0).mixes["ann"]["go"]
    assert 0 < risk < 1e-9


@pytest.mark.parametrize(("system", "loses"), [(pennies, 0), (hands, 0)])
def test_a_fair_chance_for_every_move_cannot_be_exploited(system, loses):
    lost = solved(system).exploitability({"ann": "random"})["ann"]
    assert lost.loses == pytest.approx(loses, abs=1e-14)


def test_what_random_loses_in_the_bluff():
    # Against a fair coin in both steps bob always calls: 1/2 of (-1 + 1)/2 and 1/2 of 1/2; folding would be worth 1/2.
    lost = solved(bluff).exploitability({"ann": "random"})["ann"]
    assert lost.keeps == pytest.approx(1 / 4)
    assert lost.loses == pytest.approx(3 / 7 - 1 / 4)
    assert lost.keeps <= lost.gets <= 3 / 7


def test_the_player_mixes_as_the_solution_says_and_loses_nothing():
    player = Equilibrium()
    solution = solved(hands)
    seen = solution.setup.view(solution.state(0), 1)
    dice, drawn = affray.Seeded(5), [0, 0, 0]
    for _ in range(600):
        thought = player.choose(solution.setup, seen, 1, dice)
        drawn[thought.code - 1] += 1
    assert set(thought.policy.values()) == {Fraction(1, 3)}
    assert all(150 < count < 250 for count in drawn)  # 200 each; the seed is fixed
    assert thought.value == 0
    assert solution.exploitability({"bob": player})["bob"].loses == pytest.approx(0, abs=1e-14)


def test_a_choice_that_is_already_in_is_not_seen():
    setup = affray.Setup.of(pennies, TEAMS)
    thoughts = []
    for code in (1, 2):
        state = setup.opened(affray.Seeded(1))
        setup.step(state, 0, code, affray.Seeded(1))
        thoughts.append(Equilibrium().choose(setup, setup.view(state, 1), 1, affray.Seeded(3)))
    assert thoughts[0] == thoughts[1]
