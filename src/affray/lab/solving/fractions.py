"""Fractions: values and mixes of an equilibrium as exact numbers, where they are rational and small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from affray.lab.solve import LARGEST_LOOP
from affray.lab.solving.chains import Step, worths
from affray.lab.solving.contest import Contest, Fractions
from affray.lab.solving.equilibrium import Equilibrium
from affray.lab.solving.matrices import Play, play_of

MOST_DIGITS = 512  # binary digits of a denominator
GUESSED = 1_000_000  # the largest denominator that is guessed for the value of a mix in a loop

Exact = dict[int, Fraction]


def exact_plays(contest: Contest, found: Equilibrium) -> dict[int, Play[Fraction]]:
    """The states whose value is known as a fraction, with their mixes.

    Each loop gets its values from its equations, if no side mixes, or from a guess next to the computed value. Either
    way they count only if no move of either side gains anything against the mixes, compared without rounding.
    """
    known: Exact = {}
    plays: dict[int, Play[Fraction]] = {}
    if contest.fractions is None:
        return plays
    for part in found.loops:
        own = set(part)
        if len(part) > LARGEST_LOOP or any(t not in known and t not in own for s in part for t in contest.targets(s)):
            continue
        solved = _exact_loop(contest, contest.fractions, part, found, known)
        if solved is not None and all(play.value.denominator.bit_length() <= MOST_DIGITS for play in solved.values()):
            known |= {state: play.value for state, play in solved.items()}
            plays |= solved
    return plays


def _exact_loop(
    contest: Contest, chances: Fractions, part: Sequence[int], found: Equilibrium, known: Exact
) -> dict[int, Play[Fraction]] | None:
    """The exact values and mixes of a loop; None if its values are not rational, or cannot be guessed."""
    matrices = {state: _steps(contest, chances, state, set(part), known) for state in part}
    is_open = not any(step.inside for matrix in matrices.values() for row in matrix for step in row)
    value: Exact
    if is_open:
        value = {}
    elif all(len(found.basis[state][0]) == 1 for state in part):
        chosen = {state: matrices[state][found.basis[state][0][0]][found.basis[state][1][0]] for state in part}
        value = worths(chosen, Fraction(contest.endless))
    else:
        value = {state: Fraction(found.value[state]).limit_denominator(GUESSED) for state in part}
    plays = {}
    for state in part:
        matrix = [[_worth(step, value) for step in row] for row in matrices[state]]
        try:
            play = play_of(matrix, found.basis[state])
        except ZeroDivisionError:
            return None
        if not _is_optimal(matrix, play) or play.value != value.get(state, play.value):
            return None
        plays[state] = play
    return plays


def _steps(contest: Contest, chances: Fractions, state: int, own: set[int], known: Exact) -> list[list[Step[Fraction]]]:
    width, steps = len(contest.columns[state]), []
    for cell in range(contest.first_cell[state], contest.first_cell[state + 1]):
        worth, leaves, onward = chances.cell(cell)
        for target in onward.keys() - own:
            worth += onward[target] * known[target]
            leaves += onward[target]
        steps.append(Step(worth, leaves, {target: onward[target] for target in onward if target in own}))
    return [steps[at : at + width] for at in range(0, len(steps), width)]


def _worth(step: Step[Fraction], value: Mapping[int, Fraction]) -> Fraction:
    return step.worth + sum(chance * value[target] for target, chance in step.inside.items())


def _is_optimal(matrix: Sequence[Sequence[Fraction]], play: Play[Fraction]) -> bool:
    """Whether no move of either side gains anything against the other's mix."""
    return (
        min(*play.rows, *play.columns) >= 0
        and all(sum(x * y for x, y in zip(row, play.columns, strict=True)) <= play.value for row in matrix)
        and all(
            sum(x * y for x, y in zip(play.rows, column, strict=True)) >= play.value
            for column in zip(*matrix, strict=True)
        )
    )
