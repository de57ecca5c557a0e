"""Equilibrium: a player that draws its moves from the optimal mix of the solved fight."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from affray.kernel.chance import Dice, pick
from affray.kernel.exact import TooMuchChance
from affray.lab.figures import percent
from affray.lab.graph import timeless_key
from affray.lab.solving import Solution, Unsolvable, solve, solve_from
from affray.lab.solving.growing import MEMORY
from affray.players.player import Thought
from affray.system.setup import Setup

SECONDS = 20.0  # of counting, as outcomes, before a fight is too large
MOST_KEPT = 16  # solutions in memory
PARTS = 256  # into which one throw divides a chance; a second throw divides the part
THROWS = 6


class Equilibrium:
    """Plays by the solution of the fight, so that no opponent can take more from it than the fight is worth.

    A fight that is too large is tried again from the state it has come to, since it has fewer states from there on.
    """

    def __init__(self, *, memory: int = MEMORY, seconds: float = SECONDS, cached: bool = False) -> None:
        self.memory, self.seconds, self.cached = memory, seconds, cached
        self._solved: dict[tuple[Any, ...], Solution | Unsolvable] = {}

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Dice) -> Thought:
        """A move drawn from the optimal mix; `Unsolvable` says why there is none."""
        solution, number = self._find(setup, view_state)
        if not solution.is_independent(number, who):
            team = setup.team_of[setup.names[who]]
            problem = f"the best mix of {team} needs dice that all of its fighters see"
            raise Unsolvable(problem, given=team)
        policy = solution.policy(number, who)
        value = solution.values[number] * (1 - 2 * setup.team_numbers[who])
        return Thought(drawn(policy, dice), policy, value, self._why(solution, number, who, value))

    def _find(self, setup: Setup[Any], state: Any) -> tuple[Solution, int]:
        question = setup.system, setup.endings, timeless_key(setup.seated())
        whole = self._kept(question, setup, None)
        number = whole.find(state) if isinstance(whole, Solution) else None
        if isinstance(whole, Solution) and number is not None:
            return whole, number
        rest = self._kept((*question, timeless_key(state)), setup, state)
        if isinstance(rest, Unsolvable):
            raise rest
        number = rest.find(state)
        assert number is not None
        return rest, number

    def _kept(self, question: tuple[Any, ...], setup: Setup[Any], state: Any) -> Solution | Unsolvable:
        """The solution from a state on, or from the start for None; what was too large once is not tried again."""
        if question not in self._solved:
            if len(self._solved) >= MOST_KEPT:
                del self._solved[next(iter(self._solved))]
            self._solved[question] = self._solve(setup, state)
        return self._solved[question]

    def _solve(self, setup: Setup[Any], state: Any) -> Solution | Unsolvable:
        try:
            if state is None:
                return solve(setup, memory=self.memory, seconds=self.seconds, cached=self.cached)
            openings = [(state, Fraction(1))]
            return solve_from(setup, openings, memory=self.memory, seconds=self.seconds, cached=self.cached)
        except Unsolvable as problem:
            return problem
        except TooMuchChance:
            return Unsolvable("this fight is too large to solve: one move has too much chance", given=str(setup.teams))

    def _why(self, solution: Solution, number: int, who: int, value: Fraction | float) -> tuple[str, ...]:
        found = solution.at(number)
        mix = {move: chance for move, chance in found.mixes[solution.setup.names[who]].items() if chance}
        moves = ", ".join(f"{move} {percent(float(chance), 1)}" for move, chance in mix.items())
        says = f"the best mix: {moves}" if len(mix) > 1 else f"the best move: {moves.rsplit(' ', 1)[0]}"
        return says, f"worth {float(value):+.4f} against the best play of the other side"


def drawn(policy: Mapping[int, Fraction | float], dice: Dice) -> int:
    """A move by the chances of a policy; certain moves cost no dice."""
    moves = [(code, chance) for code, chance in policy.items() if chance]
    at, width = Fraction(0), Fraction(1)
    for _ in range(THROWS if len(moves) > 1 else 0):
        width /= PARTS
        at += width * pick(dice, PARTS)
    below = Fraction(0)
    for code, chance in moves:
        below += Fraction(chance)
        if at < below:
            return code
    return moves[-1][0]
