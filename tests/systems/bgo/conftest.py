"""A stage for the rules of an encounter: given fighters, dice as they are to fall, then what has come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel.chance import Scripted
from affray.kernel.rules import Event
from affray.systems.bgo.rules import Fighter


def faces(total: int) -> tuple[int, int, int]:
    """Three dice that show a total."""
    first = min(6, total - 2)
    second = min(6, total - first - 1)
    return first, second, total - first - second


class Scene:
    """An encounter that is played round by round with the dice that the test names."""

    def __init__(self, teams: Mapping[str, Sequence[Any]], options: Mapping[str, object]) -> None:
        self.dice = Scripted([])
        self.fight = Fight("bgo", teams, dice=self.dice, options=options)
        self.told: list[Any] = []

    def round(self, *choices: str, rolls: Sequence[int] = ()) -> Scene:
        """One round: everyone's choice in order, and the totals of 3d6 in the order in which they are rolled."""
        self.dice.results += [faces(total) for total in rolls]
        before = len(self.fight.lines)
        for name, choice in zip(self.fight.to_act, choices, strict=True):
            self.fight.play(name, choice)
        self.told = self.fight.lines[before:]
        self.dice.finish()
        return self

    @property
    def said(self) -> list[str]:
        """The sentences of the last round."""
        return [str(line) for line in self.told]

    @property
    def events(self) -> list[Event]:
        """What happened in the last round."""
        return [line.event for line in self.told]

    def of(self, kind: str) -> list[tuple[int, ...]]:
        """The integers of all events of a kind in the last round."""
        return [event.values for event in self.events if event.kind.name == kind]

    @property
    def needed(self) -> list[int]:
        """What each attack roll of the last round had to reach."""
        return [event.needed for event in self.events if event.kind.name == "ROLLS"]

    @property
    def fighters(self) -> list[Fighter]:
        return list(self.fight.state.fighters)

    @property
    def health(self) -> list[int]:
        return [fighter.health for fighter in self.fighters]

    @property
    def ending(self) -> str | None:
        return self.fight.ending


@pytest.fixture
def meet() -> Callable[..., Scene]:
    """Lets a hero and a foe meet: each is the document's player with the changes given."""
    return lambda hero=None, foe=None, **options: Scene(
        {
            "heroes": [{"base": "player", "name": "Hero", **(hero or {})}],
            "foes": [{"base": "player", "name": "Foe", **(foe or {})}],
        },
        options,
    )


@pytest.fixture
def gather() -> Callable[..., Scene]:
    """Lets teams meet: names of fighters with the changes given, by team."""

    def together(options: Mapping[str, object] | None = None, **teams: Mapping[str, Mapping[str, object]]) -> Scene:
        seated = {
            team: [{"base": "player", "name": name.capitalize(), **changes} for name, changes in members.items()]
            for team, members in teams.items()
        }
        return Scene(seated, options or {})

    return together
