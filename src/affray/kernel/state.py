"""State: what the engine has to know about every fight, as a record that each system extends."""

from __future__ import annotations

from typing import Any

from affray.kernel.records import I32, I64, cell, record
from affray.kernel.rules import rule

RUNNING = -1
STANDING = 0
SPECTATOR = -1
"""The viewer who is none of the fighters."""


@record
class Fighter:
    """What the engine's own rules need of a combatant."""

    team: I32
    state: I32 = cell("STANDING, or one of the system's own ways to be out of the fight")


@record
class State:
    """Who has to answer, which question, in which round, and how the fight ended.

    This record defines what a decision is: every answer closes the open one, except for a sealed answer,
    which leaves the decision open for the others who are asked at the same time.
    """

    due: I64 = cell("fighters who owe an answer, one bit each")
    sealed: I64 = cell("fighters whose answers stay secret until all who were asked with them have answered")
    phase: I32 = cell("which question they are asked")
    round: I32
    ending: I32 = cell("RUNNING, then the winning team's number, `teams` for a draw, the system's own from there on")
    teams: I32


@rule
def ask(state: State, who: int, phase: int) -> None:
    """Let one fighter decide."""
    state.phase = phase
    state.due = 1 << who


@rule
def seal(state: State, who: int) -> bool:
    """Seal an answer until all who were asked have answered; true if this one was the last."""
    state.due &= ~(1 << who)
    state.sealed |= 1 << who
    if state.due:
        return False
    state.sealed = 0
    return True


@rule
def to_act(state: State) -> int:
    """Who has to answer, one bit for each fighter; none once the fight is over."""
    return state.due if state.ending == RUNNING else 0


@rule
def is_foe(fight: Any, who: int, other: int) -> bool:
    """Whether another fighter is of another team and still standing."""
    foe: Fighter = fight.fighters[other]
    return bool(foe.team != fight.fighters[who].team and foe.state == STANDING)


def standing_foes(fight: Any, who: int) -> list[int]:
    """The fighters of other teams who are still standing."""
    return [other for other in range(len(fight.fighters)) if is_foe(fight, who, other)]


@rule
def last_team(fight: Any) -> int:
    """The only team with a fighter standing; RUNNING if several have one, the number of teams if none has."""
    last: int = fight.teams
    for who in range(len(fight.fighters)):
        fighter: Fighter = fight.fighters[who]
        if fighter.state == STANDING:
            if last != fight.teams and last != fighter.team:
                return RUNNING
            last = fighter.team
    return last


@rule
def is_placed(fight: Any, who: int, places: int) -> bool:
    """Whether a fighter has one of the first places in the order in which the fighters act."""
    for place in range(places):
        if fight.order[place] == who:
            return True
    return False


def add_move(moves: list[int], count: int, move: int) -> int:
    """Append a move to the list; returns its new length."""
    moves[count] = move
    return count + 1


@rule
def forget_clock(state: State) -> None:
    """Forget the round, so that the same position in two rounds is one position."""
    state.round = 1


@rule
def hide_sealed(seen: State, viewer: int) -> None:
    """Let a viewer's copy of the state look as if no other fighter had answered yet."""
    kept = 1 << viewer if viewer != SPECTATOR else 0
    seen.due |= seen.sealed & ~kept
    seen.sealed &= kept
