"""Iterations and tree nodes a second of `search` on one core, beside OpenSpiel's C++ MCTS in the same run."""

from __future__ import annotations

import time
from typing import NamedTuple

from affray.kernel.chance import Seeded
from affray.kernel.playing import first_of
from affray.kernel.state import to_act
from affray.lab.searching import run_search
from affray.system.registry import find, names
from affray.system.setup import Setup

try:
    import pyspiel
except ImportError:  # the `bench` extra
    pyspiel = None

GAMES = ("tic_tac_toe", "connect_four", "pig")
ITERATIONS = 20_000


class Speed(NamedTuple):
    """What a second of processor time brings: iterations, each with a play-out, and new nodes of the tree."""

    what: str
    iterations: float
    nodes: float | None


def ours(system: str, fighters: int = 1) -> Speed:
    """A search of the first decision of a system's demonstration."""
    sides = list(find(system).demonstration.items())[:2]
    setup = Setup.of(system, {team: [members[0]] * fighters for team, members in sides})
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    view = setup.view(state, who)
    run_search(setup, view, who, iterations=100, trees=1)
    begun = time.process_time()
    found = run_search(setup, view, who, iterations=ITERATIONS, trees=1)
    taken = time.process_time() - begun
    return Speed(f"{system}, {fighters} against {fighters}", found.iterations / taken, found.nodes / taken)


def theirs(name: str) -> Speed:
    """OpenSpiel's own search of the first position of a game, with one random play-out for each iteration."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, ITERATIONS, 1000, False, 1, False)
    state = game.new_initial_state()
    bot.mcts_search(state)
    begun = time.process_time()
    bot.mcts_search(state)
    return Speed(f"OpenSpiel {name}", ITERATIONS / (time.process_time() - begun), None)


if __name__ == "__main__":
    rows = [ours(system) for system in names()]
    if pyspiel is not None:
        rows += [theirs(name) for name in GAMES]
    for row in rows:
        nodes = "" if row.nodes is None else f"{row.nodes / 1000:8.1f} thousand nodes/s"
        print(f"{row.what:32} {row.iterations / 1000:8.1f} thousand iterations/s {nodes}")
