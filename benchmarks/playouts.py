"""Random play-outs of Grapple, counted in moves: every move out of the full list of what is legal."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from affray.fight import Fight
from affray.kernel import native
from affray.kernel.native import assign, on_stack, open_streams
from affray.lab.odds import odds_of_moves
from affray.players.tactics import decide, usual_tactics
from affray.systems.grapple import rules, tactics

TWO_A_SIDE = "heroes=ahalish,rehtaoh monsters=duelist,bandit"
DECISIONS = {
    "a duel": "heroes=ahalish monsters=duelist",
    "one against two": "heroes=ahalish monsters=goblin,goblin",
    "3 against 3": "heroes=ahalish,mirela,fenn monsters=duelist,shaman,ogre",
}

begin, outcome, to_act, apply, choose = rules.begin, rules.outcome, rules.to_act, rules.apply, tactics.random


def play_outs(start, seed, first, count, streams):
    """Play so many fights at random; returns how many moves they had."""
    fight, dice, whim = on_stack(start[0]), on_stack(streams[0]), on_stack(streams[0])
    moves = 0
    for number in range(first, first + count):
        assign(fight, start[0])
        open_streams(dice, whim, seed, number)
        begin(fight, dice, None)
        while outcome(fight) < 0:
            for who in range(len(fight.fighters)):
                if to_act(fight) >> who & 1:
                    apply(fight, who, choose(fight, who, whim), dice, None)
                    moves += 1
    return moves


def grapple(teams: str = TWO_A_SIDE) -> Callable[[float], float]:
    """What plays for so many seconds and says how many moves a second that was."""
    fight = Fight("grapple", teams, seed=1)
    start = native.to_native(fight.state, len(fight.names))
    streams = np.zeros(1, native.STREAM)
    compiled = native.jit(play_outs, begin, outcome, to_act, apply, choose)
    compiled(start, 7, 0, 1, streams)

    def moves_per_second(seconds: float) -> float:
        begun = time.perf_counter()
        moves = fights = 0
        while (passed := time.perf_counter() - begun) < seconds:
            moves += compiled(start, 7, fights, 100, streams)
            fights += 100
        return moves / passed

    return moves_per_second


def odds_at_decisions(teams: str, decisions: int = 20) -> list[tuple[float, int, float]]:
    """The first decisions of a fight: milliseconds for all odds, number of moves, and how far the best may be off."""
    fight = Fight("grapple", teams, seed=3)
    odds_of_moves(fight, fight.to_act[0], compiled=True)
    usual = usual_tactics(fight)
    measured = []
    while not fight.over and len(measured) < decisions:
        who = fight.to_act[0]
        begun = time.perf_counter()
        odds = odds_of_moves(fight, who, compiled=True)
        taken = 1000 * (time.perf_counter() - begun)
        best = max(odds.values(), key=lambda found: found.at_least)
        low, high = best.interval(fight.team_of[who])
        measured.append((taken, len(odds), (high - low) / 2))
        fight.play(who, decide(fight, who, usual[who]))
    return measured
