"""A stage for the rules of a combat: given fighters, dice as they are to fall, then what has come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel.chance import Scripted
from affray.systems.grapple.rules import Fighter

Roster = Mapping[str, Mapping[str, Mapping[str, object]]]
SKILLS = {"skill4": "ac", "skill3": "co", "skill2": "en"}


class Scene:
    """A combat that is played move by move with as many successes as the test names."""

    def __init__(self, teams: Roster, options: Mapping[str, object]) -> None:
        self.dice = Scripted([])
        seated = {
            team: [{**({} if changes.get("kind") == "npc" else SKILLS), "name": name, **changes} for name, changes in
                   members.items()]
            for team, members in teams.items()
        }  # fmt: skip
        self.fight = Fight("grapple", seated, dice=self.dice, options=options)

    def __getitem__(self, name: str) -> Fighter:
        found: Fighter = self.fight.state.fighters[self.fight.index(name)]
        return found

    def move(self, who: str, text: str, dice: int = 0, hits: int = 0) -> list[str]:
        """Play a move for which so many dice fall, so many of them successes; what was told."""
        if dice:
            self.dice.results.append((3,) * hits + (2,) * (dice - hits))
        lines = [str(line) for line in self.fight.play(who, text)]
        self.dice.finish()
        return lines

    def refused(self, who: str, text: str) -> str:
        """The sentence with which a move is refused; nothing has changed, nothing was rolled, the turn is kept."""
        before = repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act
        with pytest.raises(Illegal) as caught:
            self.fight.play(who, text)
        assert (repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act) == before
        return str(caught.value)

    def breathe(self, *names: str) -> Scene:
        """Let them catch breath one after another."""
        for name in names:
            self.fight.play(name, "catch breath")
        return self

    def legal(self, who: str) -> list[str]:
        return [str(move) for move in self.fight.legal(who)]

    @property
    def to_act(self) -> list[str]:
        return self.fight.to_act

    @property
    def moving(self) -> str:
        state = self.fight.state
        return list(self.fight.teams)[state.order[state.place]]

    def rows(self) -> dict[str, str]:
        """The lines of the status by the first word of each."""
        return {line.split()[0]: line for line in self.fight.status().splitlines()}


@pytest.fixture
def duel() -> Callable[..., Scene]:
    """Ada against Bob, each with Accuracy, Courage and Endurance and the recommended stats unless changed."""

    def meet(ada: Mapping[str, object] | None = None, bob: Mapping[str, object] | None = None, **options: Any) -> Scene:
        return Scene({"heroes": {"Ada": ada or {}}, "villains": {"Bob": bob or {}}}, options)

    return meet


@pytest.fixture
def brawl() -> Callable[..., Scene]:
    """Any teams: names of fighters with their changes, by team; or just names."""

    def together(options: Mapping[str, object] | None = None, **teams: Mapping[str, Any] | Sequence[str]) -> Scene:
        filled = {
            team: members if isinstance(members, Mapping) else {name: {} for name in members}
            for team, members in teams.items()
        }
        return Scene(filled, options or {})

    return together
