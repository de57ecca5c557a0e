"""The analysis of a fight: every decision with its value, the best alternative, and luck and skill apart."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from affray.errors import Refused
from affray.fight import Fight
from affray.lab import native_ready
from affray.lab.progress import Progress
from affray.lab.searching import Arm, final_worth, run_search
from affray.system.setup import Setup

ITERATIONS, SLOW_ITERATIONS = 4_000, 400  # for each decision: compiled, interpreted
MARKS = (("blunder", 0.2), ("mistake", 0.1), ("inaccuracy", 0.05))
"""What a decision is called that gives away more than so much; 1 is a fight won, or all there is to win."""
SURE = 2.0  # standard errors by which it must be worse


@dataclass(frozen=True)
class Judged:
    """One decision: what it was worth before, with the best move, and with the move that was made."""

    decision: int
    who: str
    move: str
    before: float
    """The value of the decision, played as well as the search can."""
    after: float
    """The value once the move was made, before any dice fell for it."""
    best: str
    loss: float
    """What the move gave away; 0 if none was better."""
    mark: str
    """blunder, mistake, inaccuracy, or nothing."""
    became: float
    """The value for the same fighter at its next decision, or at the end: the difference to `after` is luck, and the
    doing of the others."""
    moves: Mapping[str, float] = field(default_factory=dict)
    """The value of every move that the search looked at."""

    @property
    def luck(self) -> float:
        """What dice and others gave or took after the move."""
        return self.became - self.after


@dataclass(frozen=True)
class Analysis:
    """A fight seen by a search: its decisions, and what they add up to for every fighter."""

    decisions: tuple[Judged, ...]
    iterations: int
    luck: Mapping[str, Any] | None
    """The luck audit of the first team, if the fight is over and could be measured."""

    def lost_by(self, who: str) -> float:
        """What a fighter gave away in all."""
        return sum(one.loss for one in self.decisions if one.who == who)

    def marked(self, who: str, mark: str) -> int:
        """How many decisions of a fighter have a mark."""
        return sum(one.who == who and one.mark == mark for one in self.decisions)

    def as_table(self) -> dict[str, Any]:
        """The analysis as plain JSON values, for a page to draw."""
        names = dict.fromkeys(one.who for one in self.decisions)
        return {
            "iterations": self.iterations,
            "decisions": [
                {**{key: getattr(one, key) for key in _SHOWN}, "luck": one.luck, "moves": dict(one.moves)}
                for one in self.decisions
            ],
            "fighters": {
                who: {
                    "lost": self.lost_by(who),
                    "luck": sum(one.luck for one in self.decisions if one.who == who),
                    **{mark: self.marked(who, mark) for mark, _ in MARKS},
                }
                for who in names
            },
            "luck": self.luck,
        }


_SHOWN = ("decision", "who", "move", "before", "after", "best", "loss", "mark", "became")


def analyse(fight: Fight, *, iterations: int | None = None, progress: Progress | None = None) -> Analysis:
    """Search every decision of a fight from what its fighter could know then."""
    setup, compiled = fight.setup, native_ready(fight.setup)
    each = iterations or (ITERATIONS if compiled else SLOW_ITERATIONS)
    states, judged = fight.past_states(), list[Judged]()
    for number, (answer, state) in enumerate(zip(fight.answers, states, strict=True)):
        index = setup.index(answer.who)
        view = setup.view(state, index)
        played = setup.read(state, index, answer.move).code
        found = run_search(setup, view, index, seed=number, iterations=each, compiled=compiled, widening=WIDE)
        judged.append(_judged(setup, view, index, answer.decision, played, found.arms, mixed=found.mixed))
        if progress:
            progress(number + 1, len(fight.answers))
    return Analysis(_linked(fight, judged), each, _audit(fight))


WIDE = 100.0  # every move is looked at, also those that no tactic would make


def _judged(
    setup: Setup[Any], view: Any, index: int, decision: int, played: int, arms: tuple[Arm, ...], *, mixed: bool
) -> Judged:
    seen = {arm.code: arm for arm in arms if arm.visits}
    made = seen.get(played)
    best = max(seen.values(), key=lambda arm: arm.value - arm.error)
    # In a mixture all moves that are made now and then are as good as each other: none of them is a mistake.
    usual = sum(arm.share * arm.value for arm in seen.values()) if mixed else best.value
    after = made.value if made is not None else usual
    loss = max(0.0, usual - after)
    error = SURE * ((best.error**2 + made.error**2) ** 0.5 if made is not None else 0.0)
    mark = next((name for name, least in MARKS if loss > least and loss > error), "")

    def written(code: int) -> str:
        return setup.system.write_move(setup, view, index, code)

    values = {written(arm.code): arm.value for arm in seen.values()}
    return Judged(
        decision, setup.names[index], written(played), usual, after, written(best.code), loss, mark, after, values
    )


def _linked(fight: Fight, judged: list[Judged]) -> tuple[Judged, ...]:
    """The decisions with what became of each: the value of the same fighter's next decision, or the end's."""
    following: dict[str, float] = {}
    if fight.over:
        following = dict(zip(fight.names, final_worth(fight.setup, fight.state, fight.figures), strict=True))
    linked = []
    for one in reversed(judged):
        linked.append(replace(one, became=following.get(one.who, one.after)))
        following[one.who] = one.before
    return tuple(reversed(linked))


def _audit(fight: Fight) -> dict[str, Any] | None:
    if fight.over:
        with suppress(Refused):
            return fight.luck().as_table()
    return None
