"""The board games of the benchmarks are those that everyone knows: move by move as OpenSpiel has them."""

from __future__ import annotations

import random
from typing import Any

import pytest

import affray
from affray.kernel.chance import Quick
from affray.kernel.state import to_act
from benchmarks import boards

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the bench extra)")


@pytest.mark.parametrize(
    ("system", "name"), [(boards.tic_tac_toe, "tic_tac_toe"), (boards.connect_four, "connect_four")]
)
def test_a_game_is_that_of_openspiel(system: Any, name: str) -> None:
    setup, game, chance = affray.Setup.of(system, boards.TEAMS), pyspiel.load_game(name), random.Random(1)
    endings = set()
    for _ in range(60):
        state, theirs, dice = setup.opened(Quick(0, 0)), game.new_initial_state(), Quick(0, 0)
        while not theirs.is_terminal():
            who = theirs.current_player()
            assert to_act(state) == 1 << who
            assert sorted(setup.codes(state, who)) == theirs.legal_actions()
            move = chance.choice(theirs.legal_actions())
            setup.step(state, who, move, dice)
            theirs.apply_action(move)
        assert state.ending == {1.0: 0, -1.0: 1, 0.0: 2}[theirs.returns()[0]]
        endings.add(state.ending)
    assert {0, 1} <= endings
