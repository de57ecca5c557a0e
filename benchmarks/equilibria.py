"""Twenty solved bgo duels, checked state by state without the solver: by interpreted rules and SciPy."""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

import affray
from affray.kernel.exact import Exact
from affray.kernel.records import copy
from affray.lab.solving import Solution

DUELS = (
    "a=player b=fire-slime",
    "a=player b=player",
    "a=player:health=4 b=fast-slime",
    "a=wanderer b=dream-slime",
    "a=wanderer b=gust-slime",
    "a=squire b=ember-bat",
    "a=squire b=rust-knight",
    "a=champion b=stone-golem",
    "a=rust-knight b=rust-knight",
    "a=rust-knight b=ogre-champion",
    "a=rust-knight b=river-serpent",
    "a=rust-knight b=mountain-titan",
    "a=rust-knight b=phoenix",
    "a=marsh-lurker b=salamander",
    "a=marsh-lurker b=stone-golem",
    "a=marsh-lurker b=nightmare-king",
    "a=mud-slime b=mountain-titan",
    "a=salamander b=web-matron",
    "a=salamander b=thought-leech",
    "a=dream-eater b=storm-roc",
)
WORTH = {"a": 1.0, "b": -1.0, "draw": 0.0, "fled": 0.0}
TRACE = 1e-9  # what a linear programme cannot tell from 0


class Checked(NamedTuple):
    """The most that a deviation gains in a solved duel, found in three ways."""

    at_once: float
    """By one move against the other side's mix, then on as before."""
    by_programme: float
    """The distance between a state's value and that of its matrix, by SciPy's linear programme."""
    to_the_end: float | None
    """By any moves from there on, by a linear programme over all states; None for mixes with traces of moves."""


class State(NamedTuple):
    """A state's matrix by the interpreted rules: what ends at once is worth, and the chances of the next states."""

    worth: np.ndarray
    onward: np.ndarray


def rebuilt(solution: Solution) -> list[State]:
    """Every state's matrix, made from its record by playing both moves with every outcome of the dice."""
    setup, states = solution.setup, []
    for number in range(len(solution)):
        before = solution.state(number)
        rows, columns = solution.contest.rows[number], solution.contest.columns[number]
        assert [code for ((_, code),) in rows] == setup.codes(before, 0)
        assert [code for ((_, code),) in columns] == setup.codes(before, 1)
        worth = np.zeros((len(rows), len(columns)))
        onward = np.zeros((len(rows), len(columns), len(solution)))
        for i, ((_, mine),) in enumerate(rows):
            for j, ((_, theirs),) in enumerate(columns):

                def run(tape, before=before, mine=mine, theirs=theirs):
                    after = copy(before)
                    setup.step(after, 0, mine, tape)
                    setup.step(after, 1, theirs, tape)
                    return after

                for after, numerator, denominator in Exact().outcomes(run):
                    if after.ending >= 0:
                        worth[i, j] += WORTH[setup.endings[after.ending]] * numerator / denominator
                    else:
                        onward[i, j, solution.find(after)] += numerator / denominator
        states.append(State(worth, onward))
    return states


def programme(matrix: np.ndarray) -> float:
    """The value of a matrix game to the rows' side, by SciPy."""
    height, width = matrix.shape
    # The mix of rows that makes the worst column worth most; the last variable is that worth.
    found = linprog(
        [*[0.0] * height, -1.0],
        A_ub=np.hstack([-matrix.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[[*[1.0] * height, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * height, (None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    mix = np.clip(found.x[:-1], 0.0, None)
    return float((mix / mix.sum() @ matrix).min())


def check(solution: Solution) -> Checked:
    """Look for deviations that gain something, at every state."""
    states = rebuilt(solution)
    values = np.array([float(value) for value in solution.values])
    mixes = [tuple(np.array([float(p) for p in mix]) for mix in play) for play in solution.plays]
    at_once = by_programme = 0.0
    for state, value, (mine, theirs) in zip(states, values, mixes, strict=True):
        matrix = state.worth + state.onward @ values
        at_once = max(at_once, (matrix @ theirs).max() - value, value - (mine @ matrix).min())
        by_programme = max(by_programme, abs(programme(matrix) - value))
    if any(0 < p < TRACE for pair in mixes for mix in pair for p in mix):
        return Checked(at_once, by_programme, None)
    pairs = list(zip(states, mixes, strict=True))
    high = _deviating([(s.worth @ y, np.einsum("ijt,j->it", s.onward, y)) for s, (_, y) in pairs], 1.0)
    low = _deviating([(x @ s.worth, np.einsum("ijt,i->jt", s.onward, x)) for s, (x, _) in pairs], -1.0)
    return Checked(at_once, by_programme, max((high - values).max(), (values - low).max()))


def _deviating(choices: list[tuple[np.ndarray, np.ndarray]], sign: float) -> np.ndarray:
    """What the best deviation makes of every state, by a linear programme over all of them.

    It is the least function that no choice can raise, and that is not below the worth of no end where the side that
    deviates can go on for ever. Value iteration would not do: who waits for the last moment before a horizon gets
    something there, and nothing without one.
    """
    owner = np.repeat(np.arange(len(choices)), [len(worth) for worth, _ in choices])
    worth = sign * np.concatenate([worth for worth, _ in choices])
    onward = np.concatenate([onward for _, onward in choices])
    rows = onward - np.eye(len(choices))[owner]
    lasts = _lasting(onward, owner)
    found = linprog(
        np.ones(len(choices)),
        A_ub=rows,
        b_ub=-worth,
        bounds=[(0.0 if lasts[state] else -1.0, 1.0) for state in range(len(choices))],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return sign * found.x


def _lasting(onward: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """At which states a side can choose so that the fight never ends."""
    kept = onward.sum(axis=1) > 1 - 1e-12
    while True:
        links = np.zeros((onward.shape[1], onward.shape[1]))
        np.add.at(links, owner[kept], onward[kept])
        _, part = connected_components(links, directed=True, connection="strong")
        open_to = np.isin(np.arange(len(links)), owner[kept])
        inside = np.array(
            [
                kept[row] and all(part[t] == part[owner[row]] and open_to[t] for t in np.flatnonzero(onward[row]))
                for row in range(len(owner))
            ]
        )
        if (inside == kept).all():
            return open_to
        kept = inside


def main() -> int:
    print(f"{'duel':34} {'states':>6} {'mixing':>6} {'value':>10} {'at once':>8} {'matrix':>8} {'to end':>8} {'ms':>7}")
    worst = 0.0
    for duel in DUELS:
        begun = time.process_time()
        solution = affray.solve("bgo", duel, cached=False)
        spent = 1000 * (time.process_time() - begun)
        found = check(solution)
        ahead = "traces" if found.to_the_end is None else f"{found.to_the_end:.0e}"
        figures = f"{float(solution.value):+10.6f} {found.at_once:8.0e} {found.by_programme:8.0e} {ahead:>8}"
        print(f"{duel:34} {len(solution):6} {solution.mixing:6} {figures} {spent:7.1f}", flush=True)
        worst = max(worst, found.at_once, found.by_programme, found.to_the_end or 0.0)
    print(f"The most that a deviation gains: {worst:.1e}.")
    return int(worst > 1e-12)


if __name__ == "__main__":
    sys.exit(main())
