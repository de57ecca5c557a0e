"""Solution: a solved fight, with the value and the mixes of every state, to ask, to list and to play by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from affray.errors import Illegal
from affray.lab.graph import slots_key, timeless_key
from affray.lab.solving.contest import Answers, Contest, unpacked
from affray.lab.solving.exploiting import Exploit, Mixed, Policy, exploit
from affray.system.pictures import Widget
from affray.system.setup import Setup

Number = Fraction | float
Mixes = Mapping[str, Mapping[str, Number]]


@dataclass(frozen=True)
class Solved:
    """One state of a solved fight: its value to the first team, and how every fighter who is asked should choose."""

    number: int
    text: str
    value: Number
    mixes: Mixes
    """For every fighter who is asked, the chance of each move."""
    gain: float
    """The most that a deviation of one side or of both gains."""

    def as_table(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        table: dict[str, Any] = {"state": self.number, "text": self.text, "value": float(self.value)}
        if isinstance(self.value, Fraction):
            table["fraction"] = str(self.value)
        table["mixes"] = {who: {move: float(p) for move, p in mix.items()} for who, mix in self.mixes.items()}
        return {**table, "gain": self.gain}


@dataclass
class Solution:
    """A solved fight. Values are those to the first team; to the other they are the same with the other sign."""

    setup: Setup[Any]
    contest: Contest
    values: list[Number]
    plays: list[Mixed]
    gains: list[float]
    start: dict[int, Fraction]
    """The states that the fight may open with, and their chances."""
    _known: dict[bytes, int] = field(default_factory=dict)

    @cached_property
    def value(self) -> Number:
        """What the fight is worth to the first team, if both sides play their best."""
        return sum((chance * self.values[state] for state, chance in self.start.items()), Fraction(0))

    @property
    def exact(self) -> bool:
        """Whether the value is a true fraction."""
        return isinstance(self.value, Fraction)

    @property
    def gain(self) -> float:
        """The most that any deviation gains at any state."""
        return max(self.gains)

    @property
    def mixing(self) -> int:
        """At how many states a side has to mix."""
        return sum(any(sum(p > 0 for p in mix) > 1 for mix in play) for play in self.plays)

    def __len__(self) -> int:
        return len(self.contest)

    def find(self, state: Any) -> int | None:
        """The number of a state, if the solution has it."""
        if not self._known:
            self._known = {key: number for number, key in enumerate(self.contest.keys)}
        return self._known.get(slots_key(state) if self.contest.is_compiled else timeless_key(state))

    def policy(self, number: int, who: int) -> dict[int, Number]:
        """The chance of each move code of a fighter at a state.

        Where fighters of one team choose together, these are the chances of each alone: see `is_independent`.
        """
        side, mix = self._side(number, who)
        chances: dict[int, Number] = {}
        for answers, chance in zip(side, mix, strict=True):
            code = dict(answers)[who]
            chances[code] = chances.get(code, 0) + chance
        return chances

    def is_independent(self, number: int, who: int) -> bool:
        """Whether each fighter of a team can draw its own move at a state, without common dice."""
        side, mix = self._side(number, who)
        fighters = [fighter for fighter, _ in side[0]]
        if len(fighters) == 1:
            return True
        alone = {fighter: self.policy(number, fighter) for fighter in fighters}
        for answers, chance in zip(side, mix, strict=True):
            product = 1.0
            for fighter, code in answers:
                product *= float(alone[fighter][code])
            if abs(product - float(chance)) > 1e-12:
                return False
        return True

    def _side(self, number: int, who: int) -> tuple[tuple[Answers, ...], Sequence[Number]]:
        for side, mix in zip((self.contest.rows, self.contest.columns), self.plays[number], strict=True):
            if any(fighter == who for fighter, _ in side[number][0]):
                return side[number], mix
        raise Illegal(f"{self.setup.names[who]} has no decision to make now", given=self.setup.names[who])

    def state(self, number: int) -> Any:
        """The record of a state; its round is always the first."""
        return unpacked(self.setup, self.contest.keys[number], self.contest.is_compiled)

    def at(self, number: int) -> Solved:
        """What is known about a state, in words."""
        setup, state = self.setup, self.state(number)
        mixes = {}
        for who in self.contest.asked(number):
            chances = self.policy(number, who)
            mixes[setup.names[who]] = {
                setup.system.write_move(setup, state, who, code): chance for code, chance in chances.items()
            }
        return Solved(number, described(setup, state), self.values[number], mixes, self.gains[number])

    def states(self, words: str = "") -> Iterator[Solved]:
        """Every state, or those with all these words in their text or among the moves to choose."""
        wanted = words.lower().split()
        for number in range(len(self)):
            found = self.at(number)
            chosen = (move for mix in found.mixes.values() for move, chance in mix.items() if chance)
            text = " ".join([found.text, *chosen]).lower()
            if all(word in text for word in wanted):
                yield found

    def exploitability(self, policies: Mapping[str, Policy]) -> dict[str, Exploit]:
        """What teams keep against the best answers if they go by a tactic or a player instead, and what that loses.

        Also what they get from a side that keeps to the solution.

        `policies` gives one for each team, or for fighters; their team mates then follow their usual tactics.
        """
        return exploit(self.setup, self.contest, self.start, self.value, self.plays, policies)

    def as_table(self) -> dict[str, Any]:
        """The solution as plain JSON values, without the states."""
        table: dict[str, Any] = {"system": self.setup.system.id, "teams": self.setup.teams, "states": len(self)}
        table |= {"mixing": self.mixing, "gain": self.gain, "exact": self.exact, "value": float(self.value)}
        if isinstance(self.value, Fraction):
            table["fraction"] = str(self.value)
        table["start"] = [{"chance": float(p), **self.at(number).as_table()} for number, p in self.start.items()]
        return table


def described(setup: Setup[Any], state: Any) -> str:
    """A state in one line: what a picture would draw of every fighter, as far as it can change."""
    lines = []
    for who, name in enumerate(setup.names):
        drawn = [text for widget in setup.system.scene(setup, state, who) if (text := _drawn(widget))]
        lines.append(" ".join([name, *drawn]))
    asked = setup.system.question(setup, state)
    return "; ".join([*lines, *([asked] if asked else [])])


def _drawn(widget: Widget) -> str:
    if widget.kind in ("numbers", "tokens"):
        return ""
    if widget.kind == "tags":
        return ", ".join(widget.names)
    amount = f"{widget.value}/{widget.most}" if widget.most else str(widget.value)
    return f"{widget.label} {amount}"
