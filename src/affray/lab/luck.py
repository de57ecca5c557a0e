"""The luck audit: how likely a result was at the start, and at which decisions the dice were kind or cruel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from affray.errors import Illegal, MissingExtra
from affray.fight import Fight
from affray.fight.replaying import who_and_what
from affray.kernel.chance import Scripted
from affray.lab import mark_ready
from affray.lab.graph import successors, timeless_key
from affray.lab.odds import QUICK_FRACTIONS, Solved, solve_fight
from affray.lab.weighing import count_endings
from affray.players.tactics import numbered, usual_tactics

AUDIT_SECONDS = 2.0  # for counting the fight's states
PLAYED, PLAYED_SLOWLY = 10_000, 30  # play-outs of each position where no states are counted: by native code, and not
NOBODY = -1


@dataclass(frozen=True)
class Turn:
    """One decision's share of the luck: a team's chance to win before the dice fell, and after."""

    decision: int
    expected: float
    became: float

    @property
    def luck(self) -> float:
        """How much the dice gave (or took)."""
        return self.became - self.expected


@dataclass(frozen=True)
class Luck:
    """A finished fight seen from one team: the chance of what happened, and the luck of every decision."""

    team: str
    ending: str
    chances: Mapping[str, float]
    """Of every ending, at the start."""
    turns: tuple[Turn, ...]
    how: str = ""
    """Where it was not counted: by how many play-outs."""

    @property
    def chance(self) -> float:
        """How likely at the start was what happened."""
        return self.chances[self.ending]

    @property
    def total(self) -> float:
        """All luck of the fight together."""
        return sum(turn.luck for turn in self.turns)

    def as_table(self) -> dict[str, Any]:
        """The audit as plain JSON values."""
        return {
            "team": self.team,
            "ending": self.ending,
            "chance": self.chance,
            "total": self.total,
            "how": self.how or "counted",
            "turns": [{"decision": t.decision, "expected": t.expected, "became": t.became} for t in self.turns],
        }

    def __str__(self) -> str:
        lines = [f"At the start the chance of this ending ({self.ending}) was {self.chance:.1%}."]
        lines.append(f"How the dice moved the chance of {self.team} to win:")
        for turn in self.turns:
            size = round(abs(turn.luck) * 20)
            drawn = ("+" if turn.luck > 0 else "-") * size
            lines.append(f"  decision {turn.decision:>3}  {turn.expected:6.1%} -> {turn.became:6.1%}  {drawn}".rstrip())
        lines.append(f"All together the dice gave {self.team} {self.total:+.1%}.")
        lines += [f"({self.how})"] if self.how else []
        return "\n".join(lines)


def audit(fight: Fight, team: str | None = None) -> Luck:
    """The luck of a finished fight, measured against everybody playing on by their usual tactics."""
    if fight.ending is None:
        raise Illegal("the luck of a fight is audited when it is over")
    team = team or next(iter(fight.teams))
    if fight.system.costs:  # no graph is grown for those
        return _played_out(fight, team)
    tactics = usual_tactics(fight)
    opened = _from_the_opening(fight)
    solved = solve_fight(opened, [], tactics, team, seconds=AUDIT_SECONDS, fractions=QUICK_FRACTIONS)
    if solved is None:
        return _played_out(fight, team)
    chances = solved.odds({0: Fraction(1)}, list(fight.teams)).chances
    start = {ending: float(chance) for ending, chance in chances.items()}
    return Luck(team, fight.ending, start, tuple(_turns(opened, fight, solved, team)))


def luck_table(fight: Fight, team: str | None = None) -> dict[str, Any]:
    """The luck of a finished fight for a page to draw, as plain JSON values.

    `expected` has the chance of every ending at the start; a step is a decision for which dice fell, with the team's
    chance to win `before` they did and `after`.
    """
    luck = audit(fight, team)
    revealed = fight.revealed
    return {
        "team": luck.team,
        "text": str(luck).splitlines(),
        "expected": dict(luck.chances),
        "steps": [
            {
                "decision": turn.decision,
                **who_and_what(revealed[turn.decision]),
                "before": turn.expected,
                "after": turn.became,
            }
            for turn in luck.turns
        ],
    }


def _from_the_opening(fight: Fight) -> Fight:
    """The fight before its first decision, with all that will fall in it: its own dice may be those of a log."""
    fallen = [*fight.opening, *(result for answer in fight.answers for result in answer.fell)]
    return Fight(fight.setup, dice=Scripted(fallen))


def _played_out(fight: Fight, team: str) -> Luck:
    """The luck by play-outs, native where that can be had."""
    try:
        return _luck_of_playouts(fight, team, PLAYED, True)
    except MissingExtra:
        return _luck_of_playouts(fight, team, PLAYED_SLOWLY, False)


def _luck_of_playouts(fight: Fight, team: str, most: int, compiled: bool) -> Luck:
    """All positions are played out with the same dice, so what tactics would have chosen anyhow changes nothing."""
    replayed = _from_the_opening(fight)
    codes = numbered(fight.system, usual_tactics(fight))
    values = [int(ending == team) for ending in fight.endings]

    def shares(index: int, code: int) -> list[float]:
        if replayed.over:
            return [float(ending == replayed.ending) for ending in fight.endings]
        (tally,) = count_endings(
            replayed, index, [code], codes, values, most=most, seconds=600.0, compiled=compiled, seed=0
        )
        return [count / sum(tally.endings) for count in tally.endings]

    start = dict(zip(fight.endings, shares(NOBODY, 0), strict=True))
    place = fight.endings.index(team)
    turns = []
    for answer in fight.answers:
        index = replayed.index(answer.who)
        code = replayed.setup.read(replayed.state, index, answer.move).code
        expected = shares(index, code)[place] if answer.fell else 0.0
        replayed.play(answer.who, answer.move)
        if answer.fell:
            turns.append(Turn(answer.decision, expected, shares(NOBODY, 0)[place]))
    if compiled:
        mark_ready(fight)
    how = f"sampled, {most:,} {'compiled' if compiled else 'interpreted'} play-outs of each position"
    return Luck(team, str(fight.ending), start, tuple(turns), how)


def _turns(replayed: Fight, fight: Fight, solved: Solved, team: str) -> list[Turn]:
    """Replay the answers; whenever dice fell, compare what was to be expected with what became of it."""
    codes = numbered(fight.system, usual_tactics(fight))
    turns = []
    for answer in fight.answers:
        before, index = replayed.state, replayed.index(answer.who)
        code = replayed.setup.read(before, index, answer.move).code
        if answer.fell:
            reached = list(successors(fight.system, before, index, code, -1, codes))
            expected = sum(num / den * _chance(solved, replayed, state, team) for state, num, den in reached)
        replayed.play(answer.who, answer.move)
        if answer.fell:
            turns.append(Turn(answer.decision, expected, _chance(solved, replayed, replayed.state, team)))
    return turns


def _chance(solved: Solved, fight: Fight, state: Any, team: str) -> float:
    """A team's chance to win from a state; positions that the tactics never reach are solved anew."""
    ending = state.ending
    if ending >= 0:
        return float(fight.endings[ending] == team)
    node = solved.graph.find(timeless_key(fight.system, state))
    if node is None:
        elsewhere = fight.at_opening()
        elsewhere.state = state
        found = solve_fight(elsewhere, [], usual_tactics(fight), team, fractions=QUICK_FRACTIONS)
        assert found is not None
        return float(found.odds({0: Fraction(1)}, list(fight.teams)).chances[team])
    return float(solved.odds({node: Fraction(1)}, list(fight.teams)).chances[team])
