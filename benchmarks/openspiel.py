"""Random play-outs in OpenSpiel: legal moves, one of them at random, until the game is over; the peer for play-outs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

try:
    import pyspiel
except ImportError:  # the `bench` extra
    pyspiel = None

CPP_GAMES = ("tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "pig")
PYTHON_GAMES = ("python_tic_tac_toe", "python_kuhn_poker")


class Peer(NamedTuple):
    """A game as a user runs it: what it is called, and how many moves some seconds of it make."""

    name: str
    moves_in: Callable[[float], float]
    wanted: float = 1.0


def peers() -> Iterator[Peer]:
    """Every game that is compared with: from Python as users run it, and wholly inside C++ where there is a way."""
    import open_spiel.python.games  # noqa: F401  registers the games written in Python

    for name in PYTHON_GAMES:
        yield Peer(f"{name}, a game written in Python", _through_python(name))
    for name in CPP_GAMES:
        yield Peer(f"{name}, C++ through its Python API", _through_python(name))
    for name in CPP_GAMES:
        # Some are far smaller games than ours, so these are shown without a wish.
        yield Peer(f"{name}, all in C++ (its rollout evaluator)", _inside_cpp(name), wanted=0.0)


def play_once(game: Any, dice: random.Random) -> int:
    """One random game; returns how many moves and chances it had."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(actions, weights)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
        moves += 1
    return moves


def _through_python(name: str) -> Callable[[float], float]:
    game = pyspiel.load_game(name)
    dice = random.Random(7)

    def moves_per_second(seconds: float) -> float:
        begun = time.perf_counter()
        moves = 0
        while (passed := time.perf_counter() - begun) < seconds:
            moves += play_once(game, dice)
        return moves / passed

    return moves_per_second


def _inside_cpp(name: str) -> Callable[[float], float]:
    """One search step of one simulation evaluates the first state: so many rollouts, without a way back to Python."""
    game = pyspiel.load_game(name)
    dice = random.Random(7)
    first = game.new_initial_state()
    while first.is_chance_node():  # a search begins with a decision
        first.apply_action(first.chance_outcomes()[0][0])
    opening = first.move_number()
    length = sum(play_once(game, dice) for _ in range(2000)) / 2000 - opening

    def moves_per_second(seconds: float) -> float:
        rollouts, passed = 64, 0.0
        while passed < seconds:
            rollouts *= 2
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
            bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 7, False)
            begun = time.perf_counter()
            bot.mcts_search(first)
            passed = time.perf_counter() - begun
        return rollouts * length / passed

    return moves_per_second
