"""Fights of two sides solved: the value of every state and optimal mixes, for choices made in turn or at once."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from affray.lab.odds import MOST_FRACTIONS, TooManyStates, openings_of
from affray.lab.progress import Progress
from affray.lab.solving import cache
from affray.lab.solving.contest import Unsolvable, check, contest_of
from affray.lab.solving.equilibrium import equilibrium, has_traces
from affray.lab.solving.exploiting import Exploit, Mixed
from affray.lab.solving.fractions import exact_plays
from affray.lab.solving.growing import MEMORY, Bound, bound, grown
from affray.lab.solving.solution import Number, Solution, Solved
from affray.system.contract import System
from affray.system.setup import Setup, Teams

__all__ = ["Bound", "Exploit", "Solution", "Solved", "Unsolvable", "bound", "solve", "solve_from"]

Openings = list[tuple[Any, Fraction]]


def solve(
    system: str | System[Any, Any] | Setup[Any],
    teams: Teams | str = "",
    *,
    options: Mapping[str, object] | None = None,
    memory: int = MEMORY,
    seconds: float = 600.0,
    compiled: bool | None = None,
    fractions: bool = True,
    cached: bool = True,
    progress: Progress | None = None,
) -> Solution:
    """The value of a fight of two sides and optimal play at every state that it can come to.

    `Unsolvable` says why a fight has no solution here: more than two sides, endings that one side's gain does not make
    the other's loss, something hidden, or more states than fit into `memory` megabytes or can be counted in `seconds`.
    A solution is kept on disk and read again, unless `cached` is false. `progress` is told how many states are solved.
    """
    setup = Setup.of(system, teams, options)
    check(setup)
    try:
        openings = openings_of(setup, None)
    except TooManyStates as problem:
        raise Unsolvable(f"this fight is too large to solve: {problem}", given=str(setup.teams)) from None
    return solve_from(
        setup,
        openings,
        memory=memory,
        seconds=seconds,
        compiled=compiled,
        fractions=fractions,
        cached=cached,
        progress=progress,
    )


def solve_from(
    setup: Setup[Any],
    openings: Openings,
    *,
    memory: int = MEMORY,
    seconds: float = 600.0,
    compiled: bool | None = None,
    fractions: bool = True,
    cached: bool = True,
    progress: Progress | None = None,
) -> Solution:
    """The same from given states on, each with its chance; they must differ in more than their clock."""
    check(setup)
    starts = [state for state, _ in openings]
    path = cache.path_of(setup, starts) if cached else None
    kept = cache.read(path, setup) if path is not None else None
    if kept is not None:
        return kept
    contest = contest_of(setup, grown(setup, starts, bound(setup, memory), compiled, seconds))
    found = equilibrium(contest, progress)
    exact = exact_plays(contest, found) if fractions and len(contest) <= MOST_FRACTIONS else {}
    contest.fractions = None  # they hold on to the whole graph
    values: list[Number] = [exact[s].value if s in exact else value for s, value in enumerate(found.value)]
    mixes: list[Mixed] = [(play.rows, play.columns) for play in found.plays]
    for state, play in exact.items():
        if not has_traces(found.plays[state]):
            mixes[state] = play.rows, play.columns
    solution = Solution(setup, contest, values, mixes, found.gap, {})
    for state, chance in openings:
        number = solution.find(state)
        assert number is not None
        solution.start[number] = chance
    if path is not None:
        cache.write(path, solution)
    return solution
