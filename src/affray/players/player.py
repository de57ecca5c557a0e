"""Players: whatever decides for a fighter, given only what the fighter may know and dice of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from affray.kernel.chance import Dice, Seeded
from affray.system.setup import Setup


@dataclass(frozen=True)
class Thought:
    """A player's decision: the move, how likely each move was chosen, what it is worth, and why."""

    code: int
    policy: Mapping[int, Fraction | float] = field(default_factory=dict)
    """How likely the player makes each move; only the chosen one if it did not mix."""
    value: Fraction | float | None = None
    """What the fighter may expect, by the system's own values; None if the player does not know."""
    why: tuple[str, ...] = ()
    """What the player considered, line by line."""
    problem: str = ""
    """Why a tactic decided in the player's place; empty if the player did."""


class Player(Protocol):
    """Decides for a fighter. The state is the fighter's view: what it may not know is not in it."""

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Seeded) -> Thought:
        """The fighter's move."""


Chooses = Callable[[Setup[Any], Any, int, Seeded], int | Thought]
"""A player as a function: set-up, view, the fighter's place and dice give a move code or a thought."""


@dataclass(frozen=True)
class ByFunction:
    """A player that is a function."""

    function: Chooses

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Seeded) -> Thought:
        """The move that the function returns."""
        return thought(self.function(setup, view_state, who, dice))


@dataclass(frozen=True)
class ByTactic:
    """A player that follows one of the system's tactics; without a name, the one that the sheet comes with."""

    tactic: str = ""

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Dice) -> Thought:
        """The move that the tactic chooses."""
        name = self.tactic or setup.system.usual_tactic(setup.sheets[who])
        return thought(setup.system.tactics[name](view_state, who, dice))


def thought(found: int | Thought) -> Thought:
    """A thought, also of a move code alone."""
    return found if isinstance(found, Thought) else Thought(int(found), {int(found): 1.0})
