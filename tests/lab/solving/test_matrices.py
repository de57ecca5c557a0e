"""Matrix games beside SciPy, and chains of states beside NumPy."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.lab.solving.chains import Step, worths
from affray.lab.solving.matrices import basis_of, play_of
from affray.lab.solving.responses import respond
from benchmarks.equilibria import programme

entries = st.integers(-6, 6).map(float) | st.floats(-1, 1, width=16)
matrices = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(st.lists(entries, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
)


@settings(max_examples=80)
@given(matrices)
def test_a_matrix_game_has_the_value_of_the_linear_programme(matrix):
    play = play_of(matrix, basis_of(matrix))
    table = np.array(matrix)
    assert play.value == pytest.approx(programme(table), abs=1e-9)
    assert min(*play.rows, *play.columns) >= 0
    assert (table @ np.array(play.columns)).max() <= play.value + 1e-12
    assert (np.array(play.rows) @ table).min() >= play.value - 1e-12


def test_mixes_of_fractions_are_fractions():
    play = play_of([[Fraction(2), Fraction(-1)], [Fraction(-1), Fraction(1)]], ((0, 1), (0, 1)))
    assert play == (Fraction(1, 5), (Fraction(2, 5), Fraction(3, 5)), (Fraction(2, 5), Fraction(3, 5)))


@settings(max_examples=40)
@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_a_chain_has_the_worth_of_its_equations(size, dice):
    chances = np.array([[0.01 + dice.random() for _ in range(size + 1)] for _ in range(size)])
    chances /= chances.sum(axis=1, keepdims=True)
    ends = np.array([dice.uniform(-1, 1) for _ in range(size)])
    steps = {
        i: Step(chances[i, size] * ends[i], chances[i, size], dict(enumerate(chances[i, :size]))) for i in range(size)
    }
    expected = np.linalg.solve(np.eye(size) - chances[:, :size], chances[:, size] * ends)
    assert list(worths(steps, 0.0).values()) == pytest.approx(list(expected), abs=1e-12)


def test_a_loop_without_a_way_out_has_the_worth_of_no_end():
    steps = {0: Step(0.0, 0.0, {1: 1.0}), 1: Step(0.0, 0.0, {0: 1.0}), 2: Step(0.25, 0.5, {0: 0.5})}
    assert worths(steps, -0.5) == {0: -0.5, 1: -0.5, 2: 0.0}


def test_a_side_that_can_go_on_for_ever_does_so_if_all_else_is_worse():
    choices = {0: [Step(-0.5, 1.0, {}), Step(0.0, 0.0, {1: 1.0})], 1: [Step(0.0, 0.0, {0: 1.0})]}
    assert respond(choices, 0.0, 1) == {0: 0.0, 1: 0.0}
    assert respond(choices, 0.0, -1) == {0: -0.5, 1: -0.5}
