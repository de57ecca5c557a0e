"""Equilibrium: the value of every state of a contest and optimal mixes, with loops solved to the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from affray.lab.loops import loops
from affray.lab.progress import Progress
from affray.lab.solving.chains import Step, worths
from affray.lab.solving.contest import Contest
from affray.lab.solving.matrices import Basis, Play, basis_of, play_of
from affray.lab.solving.responses import respond

Mix = Sequence[float]

TREMBLES = (1e-7, 1e-9, 1e-11, 1e-5, 1e-3)
"""Chances, tried in turn, that a loop is never left from here on: they decide between moves that only differ in time.

Where going round once more costs nothing, the side that is ahead must not do so for ever. With a little to lose it
does not; what it then chooses from is kept, and the mix is worked out anew without the tremble.
"""
HAIR = 1e-14
"""The tremble that mixes are made for where no mix is best.

To attack with a small chance in every round may be better the smaller that chance is, and yet never to attack is
bad. The value of such a state is the limit; a mix as near to it as numbers go takes the place of the best one.
"""
VANISHING = 1e-10  # a chance below this has gone with the tremble
PRECISE = 1e-13  # the most that a deviation may gain for a loop to count as solved
GAIN = 1e-14  # what a change of moves must gain at once to be more than rounding
STEPS, SWEEPS = 40, 200  # of Newton's method, and of plain value iteration if that does not settle


@dataclass
class Equilibrium:
    """For every state its value to the first side, the mixes of both sides, and what a deviation may gain at most."""

    value: list[float]
    plays: list[Play[float]]
    basis: list[Basis]
    gap: list[float]
    loops: list[list[int]]
    """The states, loop by loop: each after those it leads to."""


def equilibrium(contest: Contest, progress: Progress | None = None) -> Equilibrium:
    """Solve a contest, one loop of states after another, from the ends of the fight back to its start."""
    size = len(contest)
    parts = loops(range(size), contest.targets)
    found = Equilibrium([0.0] * size, [Play(0.0, (), ())] * size, [((), ())] * size, [0.0] * size, parts)
    done = 0
    for part in parts:
        _solve_loop(Loop(contest, part, found.value), found)
        behind = max((found.gap[t] for state in part for t in contest.targets(state) if t not in part), default=0.0)
        for state in part:
            found.gap[state] += behind
        done += len(part)
        if progress is not None:
            progress(done, size)
    return found


class Loop:
    """States that lead to each other: for every state a matrix of steps, in which all other states have their value."""

    def __init__(self, contest: Contest, states: Sequence[int], value: Sequence[float]) -> None:
        self.states, self.endless = states, float(contest.endless)
        own = set(states)
        self.matrices: dict[int, list[list[Step[float]]]] = {}
        for state in states:
            width = len(contest.columns[state])
            steps = [_step(contest, cell, own, value) for cell in
                     range(contest.first_cell[state], contest.first_cell[state + 1])]  # fmt: skip
            self.matrices[state] = [steps[at : at + width] for at in range(0, len(steps), width)]
        self.is_open = all(not step.inside for matrix in self.matrices.values() for row in matrix for step in row)

    def matrix(self, state: int, value: Mapping[int, float], tremble: float = 0.0) -> list[list[float]]:
        """What every pair of choices is worth at a state."""
        onward, lost = 1.0 - tremble, tremble * self.endless
        return [
            [
                step.worth + sum(chance * (onward * value[target] + lost) for target, chance in step.inside.items())
                for step in row
            ]
            for row in self.matrices[state]
        ]

    def evaluate(self, plays: Mapping[int, Play[float]], tremble: float = 0.0) -> dict[int, float]:
        """What every state is worth if both sides keep to their mixes."""
        steps = {}
        for state, play in plays.items():
            cells = self.matrices[state]
            parts = [
                (x * y, cells[i][j])
                for i, x in enumerate(play.rows) if x
                for j, y in enumerate(play.columns) if y
            ]  # fmt: skip
            steps[state] = trembling(mixed(parts), tremble, self.endless)
        return worths(steps, self.endless)

    def answers_to_rows(self, mixes: Mapping[int, Mix]) -> dict[int, list[Step[float]]]:
        """What each choice of the columns' side does at every state, if the rows' side keeps to its mixes."""
        return {
            state: [
                mixed([(x, row[j]) for x, row in zip(mix, self.matrices[state], strict=True) if x])
                for j in range(len(self.matrices[state][0]))
            ]
            for state, mix in mixes.items()
        }

    def answers_to_columns(self, mixes: Mapping[int, Mix]) -> dict[int, list[Step[float]]]:
        """What each choice of the rows' side does at every state, if the columns' side keeps to its mixes."""
        return {
            state: [mixed([(y, step) for y, step in zip(mix, row, strict=True) if y]) for row in self.matrices[state]]
            for state, mix in mixes.items()
        }

    def gap(self, plays: Mapping[int, Play[float]]) -> dict[int, float]:
        """How much the best deviations of both sides together gain at every state."""
        to_rows = self.answers_to_rows({state: play.rows for state, play in plays.items()})
        to_columns = self.answers_to_columns({state: play.columns for state, play in plays.items()})
        low, high = respond(to_rows, self.endless, -1), respond(to_columns, self.endless, 1)
        return {state: max(0.0, high[state] - low[state]) for state in plays}


def mixed(parts: Sequence[tuple[float, Step[float]]]) -> Step[float]:
    """What happens if one of several steps is taken, each with its chance."""
    if len(parts) == 1:
        return parts[0][1]
    inside: dict[int, float] = {}
    for share, step in parts:
        for target, chance in step.inside.items():
            inside[target] = inside.get(target, 0.0) + share * chance
    worth = sum(share * step.worth for share, step in parts)
    return Step(worth, sum(share * step.leaves for share, step in parts), inside)


def trembling(step: Step[float], tremble: float, endless: float) -> Step[float]:
    """The step with a chance that the loop is never left, each time it goes on."""
    if not tremble or not step.inside:
        return step
    lost = tremble * sum(step.inside.values())
    inside = {target: (1.0 - tremble) * chance for target, chance in step.inside.items()}
    return Step(step.worth + lost * endless, step.leaves + lost, inside)


def _step(contest: Contest, cell: int, own: set[int], value: Sequence[float]) -> Step[float]:
    worth, leaves = contest.pay[cell], contest.ends[cell]
    inside: dict[int, float] = {}
    for target, chance in contest.edges(cell):
        if target in own:
            inside[target] = inside.get(target, 0.0) + chance
        else:
            worth += chance * value[target]
            leaves += chance
    return Step(worth, leaves, inside)


class Candidate(NamedTuple):
    """A way to solve a loop, and what deviations from it gain."""

    worst: float
    value: dict[int, float]
    plays: dict[int, Play[float]]
    bases: dict[int, Basis]
    gap: dict[int, float]


def _solve_loop(loop: Loop, found: Equilibrium) -> None:
    """Solve the states of a loop, and write down what was found."""
    best: Candidate | None = None
    for candidate in _candidates(loop):
        if best is None or candidate.worst < best.worst:
            best = candidate
        if best.worst <= PRECISE:
            break
    assert best is not None
    for state in loop.states:
        found.value[state], found.plays[state] = best.value[state], best.plays[state]
        found.basis[state], found.gap[state] = best.bases[state], best.gap[state]


def _candidates(loop: Loop) -> Iterator[Candidate]:
    """Solutions of a loop, better and better founded: each is checked by the best deviations from it."""
    for tremble in TREMBLES if not loop.is_open else (0.0,):
        value, bases, trembled = _settle(loop, tremble)
        for improve in (False, True):
            if improve:
                bases = _improved(loop, value, bases)
            value, plays = _converge(loop, value, bases)
            yield _checked(loop, value, plays, bases)
            if tremble:
                kept = {state: _kept_alive(play, trembled[state], HAIR / tremble) for state, play in plays.items()}
                yield _checked(loop, value, kept, bases)


def _checked(loop: Loop, value: dict[int, float], plays: dict[int, Play[float]], bases: dict[int, Basis]) -> Candidate:
    gap = loop.gap(plays)
    return Candidate(max(gap.values()), value, plays, bases, gap)


def _settle(loop: Loop, tremble: float) -> tuple[dict[int, float], dict[int, Basis], dict[int, Play[float]]]:
    """The values of a trembling loop, near enough to know from which moves both sides choose, and their mixes.

    Newton's method: the best mixes by the present values, then the values of these mixes to the end of the loop. It
    may go round in circles; value iteration, which never does, then brings it nearer before it tries again.
    """
    value = dict.fromkeys(loop.states, loop.endless)
    bases: dict[int, Basis] = {}
    for attempt in range(4):
        for _ in range(0 if not attempt else SWEEPS * attempt):
            for state in loop.states:
                matrix = loop.matrix(state, value, tremble)
                value[state] = _play(matrix, basis_of(matrix)).value
        for _ in range(STEPS):
            matrices = {state: loop.matrix(state, value, tremble) for state in loop.states}
            before, bases = bases, {state: basis_of(matrix) for state, matrix in matrices.items()}
            plays = {state: _play(matrix, bases[state]) for state, matrix in matrices.items()}
            if loop.is_open:
                return {state: play.value for state, play in plays.items()}, bases, plays
            after = loop.evaluate(plays, tremble)
            moved = max(abs(after[state] - value[state]) for state in loop.states)
            value = after
            if bases == before and moved < 1e-12:
                return value, bases, plays
    return value, bases, plays


def _improved(loop: Loop, value: dict[int, float], bases: Mapping[int, Basis]) -> dict[int, Basis]:
    """Other moves to choose from wherever a side gains by them.

    A tremble has weighed its own size too. Where a side gains nothing without it, it keeps to its moves, of which the
    tremble knows that they do not go round for ever.
    """
    bases = dict(bases)
    for _ in range(STEPS):
        value, plays = _converge(loop, value, bases)
        improved = False
        for state in loop.states:
            matrix = loop.matrix(state, value)
            basis = basis_of(matrix) if _gains(matrix, plays[state]) > GAIN else bases[state]
            if basis != bases[state]:
                bases[state], improved = basis, True
        if not improved:
            break
    return bases


def _converge(
    loop: Loop, value: dict[int, float], bases: Mapping[int, Basis]
) -> tuple[dict[int, float], dict[int, Play[float]]]:
    """Newton's method for the mixes of given bases."""
    for _ in range(STEPS):
        plays = {state: _play(loop.matrix(state, value), bases[state]) for state in loop.states}
        after = loop.evaluate(plays)
        moved = max(abs(after[state] - value[state]) for state in loop.states)
        value = after
        if moved < 1e-15 or all(len(rows) == 1 for rows, _ in bases.values()):
            break
    return value, plays


def _gains(matrix: Sequence[Sequence[float]], play: Play[float]) -> float:
    """What both sides together gain at once by the best single moves against each other's mixes."""
    high = max(_mean(play.columns, row) for row in matrix)
    return high - min(_mean(play.rows, column) for column in zip(*matrix, strict=True))


def _mean(mix: Mix, entries: Sequence[float]) -> float:
    return sum(chance * entry for chance, entry in zip(mix, entries, strict=True))


def _kept_alive(play: Play[float], trembled: Play[float], share: float) -> Play[float]:
    """The mixes with a trace of every move that only the tremble had in them, by its part in that."""

    def alive(mix: Mix, before: Mix) -> tuple[float, ...]:
        traces = [q * share if p < VANISHING and q > 0.0 else p for p, q in zip(mix, before, strict=True)]
        return tuple(p / sum(traces) for p in traces)

    return Play(play.value, alive(play.rows, trembled.rows), alive(play.columns, trembled.columns))


def has_traces(play: Play[float]) -> bool:
    """Whether a mix has traces of moves in it, because none is best."""
    return any(0.0 < chance < VANISHING for mix in (play.rows, play.columns) for chance in mix)


def _play(matrix: Sequence[Sequence[float]], basis: Basis) -> Play[float]:
    """The mixes of a basis; where it determines none, those of the matrix as it is."""
    try:
        return play_of(matrix, basis)
    except ZeroDivisionError:
        rows, columns = basis_of(matrix)
        try:
            return play_of(matrix, (rows, columns))
        except ZeroDivisionError:
            return play_of(matrix, (rows[:1], columns[:1]))
