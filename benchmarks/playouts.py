"""Play-outs: random ones of Grapple counted in moves, and those behind the odds and costs of a decision."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from affray.fight import Fight
from affray.kernel import native
from affray.kernel.native import assign, on_stack, open_streams
from affray.kernel.state import to_act
from affray.lab.odds import odds_of_moves
from affray.players.tactics import decide, usual_tactics
from affray.systems.grapple import rules, tactics

TWO_A_SIDE = "heroes=ahalish,rehtaoh monsters=duelist,bandit"
DECISIONS = {
    "a duel": "heroes=ahalish monsters=duelist",
    "one against two": "heroes=ahalish monsters=goblin,goblin",
    "3 against 3": "heroes=ahalish,mirela,fenn monsters=duelist,shaman,ogre",
}
STAKES = {
    "a duel": "order=knight raiders=brute",
    "three sides": "order=knight raiders=brute city=guard",
}

begin, apply, choose = rules.begin, rules.apply, tactics.TACTICS["random"]


def play_outs(start, seed, first, count, streams):
    """Play so many fights at random; returns how many moves they had."""
    fight, dice, whim = on_stack(start[0]), on_stack(streams[0]), on_stack(streams[0])
    moves = 0
    for number in range(first, first + count):
        assign(fight, start[0])
        open_streams(dice, whim, seed, number)
        begin(fight, dice, None)
        while fight.ending < 0:
            for who in range(len(fight.fighters)):
                if to_act(fight) >> who & 1:
                    apply(fight, who, choose(fight, who, whim), dice, None)
                    moves += 1
    return moves


def grapple(teams: str = TWO_A_SIDE) -> Callable[[float], float]:
    """What plays for so many seconds and says how many moves a second that was."""
    fight = Fight("grapple", teams, seed=1)
    start = native.to_native(fight.state)
    streams = np.zeros(1, native.STREAM)
    compiled = native.jit(play_outs, begin, to_act, apply, choose)
    compiled(start, 7, 0, 1, streams)

    def moves_per_second(seconds: float) -> float:
        begun = time.perf_counter()
        moves = fights = 0
        while (passed := time.perf_counter() - begun) < seconds:
            moves += compiled(start, 7, fights, 100, streams)
            fights += 100
        return moves / passed

    return moves_per_second


class Weighed(NamedTuple):
    """A decision: milliseconds for the odds of all moves, how many those are, how far the best may be off, play-outs.

    Off is the chance to win of the best move, or what the system judges moves by.
    """

    ms: float
    moves: int
    off: float
    played: int


def odds_at_decisions(system: str, teams: str, decisions: int = 20) -> list[Weighed]:
    """The first decisions of a fight, weighed one after the other."""
    fight = Fight(system, teams, seed=3)
    odds_of_moves(fight.setup, fight.state, fight.to_act[0], compiled=True)
    usual = usual_tactics(fight)
    measured = []
    while not fight.over and len(measured) < decisions:
        who = fight.to_act[0]
        begun = time.perf_counter()
        odds = odds_of_moves(fight.setup, fight.state, who, compiled=True)
        taken = 1000 * (time.perf_counter() - begun)
        best = max(odds.values(), key=lambda found: found.at_least)
        low, high = best.interval(fight.team_of[who])
        off = best.value - best.at_least if best.costs else (high - low) / 2
        measured.append(Weighed(taken, len(odds), float(off), sum(found.fights or 0 for found in odds.values())))
        fight.play(who, decide(fight, who, usual[who]))
    return measured
