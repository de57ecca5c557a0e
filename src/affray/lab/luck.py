"""The luck audit: how likely a result was at the start, and at which decisions the dice were kind or cruel."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from affray.errors import Illegal, MissingExtra
from affray.fight import Answer, Fight
from affray.fight.replaying import who_and_what
from affray.kernel.exact import TooMuchChance
from affray.lab import mark_ready
from affray.lab.graph import successors, timeless_key
from affray.lab.odds import QUICK_FRACTIONS, Solved, TooManyStates, solve_fight
from affray.lab.playouts import count_endings
from affray.players.tactics import numbered, usual_tactics
from affray.system.setup import Setup

AUDIT_SECONDS = 2.0  # for counting the fight's states
MOST_OUTCOMES = 30_000  # of all moves of the fight together, to find what they could be expected to bring
PLAYED, PLAYED_SLOWLY = 10_000, 30  # play-outs of each position if states cannot be counted: native, interpreted
SLOW_SECONDS = 20.0  # for interpreted play-outs of all positions of a fight together
NOBODY = -1
SEEN = 0.0005  # the least change of a chance that is told


@dataclass(frozen=True)
class Turn:
    """One decision's share of a fight: a team's chance of winning before its dice fell, and after.

    Choices are measured against the usual tactics: `ours` is what those of the team changed, `theirs` what those of
    all others did.
    """

    decision: int
    expected: float
    became: float
    ours: float = 0.0
    theirs: float = 0.0
    thrown: bool = True
    """Whether dice fell for it."""

    @property
    def start(self) -> float:
        """The chance before any choice."""
        return self.expected - self.ours - self.theirs

    @property
    def luck(self) -> float:
        """How much the dice gave (or took)."""
        return self.became - self.expected


@dataclass(frozen=True)
class Luck:
    """A finished fight seen from one team: the chance of what happened, and what dice and choices made of it."""

    team: str
    ending: str
    chances: Mapping[str, float]
    """Of every ending, at the start."""
    turns: tuple[Turn, ...]
    how: str = ""
    """How many play-outs it comes from; empty if it was counted."""
    undone: int = 0
    """How many moves were taken back during the fight."""

    @property
    def chance(self) -> float:
        """How likely this ending was at the start."""
        return self.chances[self.ending]

    @property
    def total(self) -> float:
        """The luck of the whole fight."""
        return sum(turn.luck for turn in self.turns)

    @property
    def ours(self) -> float:
        """What all choices of the team changed, against its usual tactics."""
        return sum(turn.ours for turn in self.turns)

    @property
    def theirs(self) -> float:
        """What all choices of the others changed."""
        return sum(turn.theirs for turn in self.turns)

    def as_table(self) -> dict[str, Any]:
        """The audit as plain JSON values."""
        return {
            "team": self.team,
            "ending": self.ending,
            "chance": self.chance,
            "total": self.total,
            "ours": self.ours,
            "theirs": self.theirs,
            "how": self.how or "counted",
            "undone": self.undone,
            "turns": [asdict(turn) for turn in self.turns],
        }

    def __str__(self) -> str:
        lines = [f"At the start, this ending ({self.ending}) had a chance of {self.chance:.1%}."]
        lines.append(f"How the dice changed the chance that {self.team} win:")
        for turn in self.turns:
            if not turn.thrown:
                continue
            size = round(abs(turn.luck) * 20)
            drawn = ("+" if turn.luck > 0 else "-") * size
            lines.append(f"  decision {turn.decision:>3}  {turn.expected:6.1%} -> {turn.became:6.1%}  {drawn}".rstrip())
        lines.append(f"In total, the dice gave {self.team} {self.total:+.1%}.")
        if max(abs(self.ours), abs(self.theirs)) >= SEEN:
            told = (
                f"the choices of {self.team} changed it by {self.ours:+.1%}, those of the others by {self.theirs:+.1%}"
            )
            lines.append(f"Compared with the usual tactics, {told}.")
        if self.undone:
            moves = "1 move was taken back; its" if self.undone == 1 else f"{self.undone} moves were taken back; their"
            lines.append(f"{moves} luck does not count here.")
        lines += [f"({self.how})"] if self.how else []
        return "\n".join(lines)


def audit(
    setup: Setup[Any],
    states: Sequence[Any],
    answers: Sequence[Answer],
    team: str | None = None,
    *,
    undone: int = 0,
    counts: bool = True,
    playouts: int = PLAYED,
) -> Luck:
    """The luck of a finished fight, measured against all fighters following their usual tactics.

    `states` holds the state before each of the `answers`, and then the final one. `undone` is how many more moves were
    taken back. States are counted where that is possible, unless `counts` is False; otherwise each position has so many
    play-outs.
    """
    if states[-1].ending < 0:
        raise Illegal("luck can be measured only after the fight is over")
    past = _Past(setup, states, answers, setup.team(team), undone)
    if counts and not setup.system.costs:  # systems with costs need no graph
        with suppress(TooManyStates, TooMuchChance):
            return _counted(past)
    try:
        return _played_out(past, playouts, compiled=True)
    except MissingExtra:
        if _takes(past) > SLOW_SECONDS:
            raise MissingExtra("measuring the luck of such a large fight", "lab") from None
        return _played_out(past, PLAYED_SLOWLY, compiled=False)


def _takes(past: _Past) -> float:
    """The seconds that interpreted play-outs of all positions would take, estimated from one at the start."""
    begun = time.perf_counter()
    _player_out(past, 1, compiled=False)(past.states[0])
    positions = len(past.states) + sum(bool(answer.fell) for answer in past.answers)
    return (time.perf_counter() - begun) * PLAYED_SLOWLY * positions


def luck_table(fight: Fight, team: str | None = None) -> dict[str, Any]:
    """The luck of a finished fight for the page to draw, as plain JSON values.

    `expected` has the chance of every ending at the start; a step is a decision, with the team's chance of winning at
    its `start`, `before` its dice fell and `after` that, and what the choices of the team (`ours`) and of the others
    (`theirs`) changed between start and dice.
    """
    luck = fight.luck(team)
    revealed = fight.revealed
    return {
        "team": luck.team,
        "text": str(luck).splitlines(),
        "expected": dict(luck.chances),
        "total": luck.total,
        "ours": luck.ours,
        "theirs": luck.theirs,
        "steps": [
            {
                "decision": turn.decision,
                **who_and_what(revealed[turn.decision]),
                "start": turn.start,
                "before": turn.expected,
                "after": turn.became,
                "ours": turn.ours,
                "theirs": turn.theirs,
            }
            for turn in luck.turns
        ],
    }


Chances = dict[str, float]


@dataclass(frozen=True)
class _Past:
    """A finished fight as it was played, and the team whose luck is measured."""

    setup: Setup[Any]
    states: Sequence[Any]
    answers: Sequence[Answer]
    team: str
    undone: int

    def luck(
        self, chances: Callable[[Any], Chances], expected: Callable[[Any, int, int], float], how: str = ""
    ) -> Luck:
        """The luck, given the chances of a state and the expected chance after a fighter's move in it."""
        start = chances(self.states[0])
        now, turns = start[self.team], dict[int, Turn]()
        for answer, before, after in zip(self.answers, self.states[:-1], self.states[1:], strict=True):
            became = chosen = chances(after)[self.team]
            if answer.is_word:  # the storyteller's, neither luck nor a player's choice
                now = became
                continue
            if answer.fell:
                index = self.setup.index(answer.who)
                chosen = expected(before, index, self.setup.read(before, index, answer.move).code)
            is_ours = self.setup.team_of[answer.who] == self.team
            last = turns.get(answer.decision)
            turns[answer.decision] = Turn(
                answer.decision,
                chosen,
                became,
                (last.ours if last else 0.0) + (chosen - now if is_ours else 0.0),
                (last.theirs if last else 0.0) + (0.0 if is_ours else chosen - now),
                bool(answer.fell) or (last is not None and last.thrown),
            )
            now = became
        ending = self.setup.endings[self.states[-1].ending]
        return Luck(self.team, ending, start, tuple(turns.values()), how, self.undone)

    def ended(self, state: Any) -> Chances:
        """The chances of a final state."""
        return {ending: float(place == state.ending) for place, ending in enumerate(self.setup.endings)}


def _counted(past: _Past) -> Luck:
    """The luck from the graph of all states, with more graphs where the fight left what tactics lead to."""
    setup, tactics, graphs = past.setup, usual_tactics(past.setup), list[Solved]()
    codes, known, left = numbered(setup.system, tactics), dict[bytes, Chances](), MOST_OUTCOMES

    def chances(state: Any) -> Chances:
        if state.ending >= 0:
            return past.ended(state)
        key = timeless_key(state)
        if key not in known:
            known[key] = look_up(state)
        return known[key]

    def look_up(state: Any) -> Chances:
        for solved in graphs:
            if (node := solved.find(state)) is not None:
                break
        else:
            seconds = AUDIT_SECONDS - sum(solved.graph.spent for solved in graphs)
            grown = solve_fight(setup, [state], [], tactics, past.team, seconds=seconds)
            if grown is None:
                raise TooManyStates("this fight has too many states to count; its luck is sampled")
            graphs.append(grown)
            solved, node = grown, 0
        found = solved.odds({node: Fraction(1)}, fractions=QUICK_FRACTIONS)
        return {ending: float(chance) for ending, chance in found.chances.items()}

    def expected(before: Any, index: int, code: int) -> float:
        nonlocal left
        mean = 0.0
        for state, num, den in successors(setup.system, before, index, code, -1, codes, left):
            left -= 1
            mean += num / den * chances(state)[past.team]
        return mean

    return past.luck(chances, expected)


def _played_out(past: _Past, most: int, compiled: bool) -> Luck:
    """The luck by play-outs; all positions use the same dice, so a move that tactics would choose changes nothing."""
    chances = _player_out(past, most, compiled)
    how = f"sampled, {most:,} {'compiled' if compiled else 'interpreted'} play-outs of each position"
    luck = past.luck(chances, lambda before, index, code: chances(before, index, code)[past.team], how)
    if compiled:
        mark_ready(past.setup)
    return luck


def _player_out(past: _Past, most: int, compiled: bool) -> Callable[..., Chances]:
    """A function that finds the chances of a state, or of a fighter's move in it, by so many play-outs."""
    setup = past.setup
    codes = numbered(setup.system, usual_tactics(setup))
    values = [int(ending == past.team) for ending in setup.endings]

    def chances(state: Any, index: int = NOBODY, code: int = 0) -> Chances:
        if state.ending >= 0:
            return past.ended(state)
        (tally,) = count_endings(
            setup, state, index, [code], codes, values, most=most, seconds=600.0, compiled=compiled, seed=0
        )
        return {e: count / tally.fights for e, count in zip(setup.endings, tally.endings, strict=True)}

    return chances
