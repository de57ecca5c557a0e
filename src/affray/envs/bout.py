"""Bouts: one fight at a time that environments step, with interpreted rules."""

from __future__ import annotations

from typing import Any

from affray.envs.ground import Ground, Reward
from affray.envs.needs import np
from affray.errors import Invalid
from affray.fight import Fight, Move
from affray.kernel.chance import WHIM, Quick, Seeded
from affray.kernel.playing import first_of
from affray.kernel.rules import Log
from affray.kernel.state import to_act
from affray.system.setup import Setup


class Bout:
    """The fights of a ground, one after another: fight `number` of a seed."""

    def __init__(self, ground: Ground, reward: Reward = "values") -> None:
        if reward not in ("values", "costs"):
            raise Invalid(f"rewards are values or costs, not {reward!r}", given=reward, allowed=("values", "costs"))
        if reward == "costs" and not ground.system.costs:
            raise Invalid(f"{ground.system.id} has no costs, so rewards must be values", given=reward)
        self.ground, self.reward = ground, reward
        self.setup: Setup[Any] = ground.setups[0]
        self.state: Any = None
        self.begin(0, 0)

    def begin(self, seed: int, number: int) -> None:
        """Open fight `number` of a seed."""
        self.seed, self.number = seed, number
        self.setup = self.ground.setup_of(seed, number)
        self.dice, self.whim = Quick(seed, number), Quick(seed, number, WHIM)
        self._log = Log([[0] * len(self.setup.system.figure_names) for _ in self.setup.names])
        self.state = self.setup.opened(self.dice)
        self._before = self.setup.figures(self.state)
        self.answers: list[tuple[int, int]] = []

    @property
    def over(self) -> bool:
        """Whether the fight has ended."""
        return bool(self.state.ending >= 0)

    @property
    def ending(self) -> str | None:
        """How it has ended."""
        return self.setup.endings[self.state.ending] if self.over else None

    @property
    def due(self) -> int:
        """The place of the fighter who has to act; of several the first. -1 if it is over."""
        return first_of(to_act(self.state))

    def all_due(self) -> list[int]:
        """All who choose now: several where their choices are secret until all are in, otherwise one."""
        first, due = self.due, to_act(self.state)
        if due & (due - 1) == 0 or not self.setup.seals(self.state, first):
            return [first] if first >= 0 else []
        return [who for who in range(len(self.setup.names)) if due >> who & 1]

    def play(self, who: int, code: int) -> None:
        """Make a move."""
        self.answers.append((who, code))
        if self.reward == "costs":
            self.setup.system.apply(self.state, who, code, self.dice, self._log)
            self._log.events.clear()
        else:
            self.setup.step(self.state, who, code, self.dice)

    def play_by(self, tactic: int, who: int) -> None:
        """Make the move that a tactic chooses, given by its number."""
        choose = list(self.setup.system.tactics.values())[tactic]
        self.play(who, choose(self.setup.view(self.state, who), who, self.whim))

    def view(self, who: int) -> Any:
        """All that a fighter may know."""
        return self.setup.view(self.state, who)

    def worth(self, who: int) -> float:
        """What the fight has been worth to a fighter, now that it is over."""
        if self.reward == "values":
            return float(self.ground.worth(who)[self.state.ending])
        name = self.setup.names[who]
        after = self.setup.figures(self.state, self._log)
        return float(self.setup.system.costs[-1].of(self.setup.sheets[who], self._before[name], after[name]))

    def least(self, who: int) -> float:
        """The least that an ending can be worth to a fighter."""
        return float(np.min(self.ground.worth(who)))

    def fight(self) -> Fight:
        """The same fight up to here with its story: to be read, saved, continued."""
        return told(self.setup, self.seed, self.number, self.answers)


def told(setup: Setup[Any], seed: int, number: int, answers: list[tuple[int, int]]) -> Fight:
    """Fight `number` of a seed with its story, given every answer as a place and a move code."""
    fight = Fight(setup, dice=Seeded(seed, number))
    for who, code in answers:
        written = setup.system.write_move(setup, fight.state, who, code)
        fight.play(setup.names[who], Move(setup.names[who], written, code))
    return fight
