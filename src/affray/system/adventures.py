"""Games around the fights of a system, such as a journey: what a world needs to host one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from affray.errors import Invalid, unknown
from affray.kernel.chance import Physical, Seeded

if TYPE_CHECKING:
    from affray.fight import Fight
    from affray.fight.viewing import StoryLine
    from affray.system.contract import Impossible, System
    from affray.system.pictures import Board, Widget
    from affray.system.schema import Option, Ruling, Value


class HostedLine(Protocol):
    """One line of the story, and the decision it belongs to."""

    @property
    def text(self) -> str: ...
    @property
    def decision(self) -> int: ...


class HostedAnswer(Protocol):
    """One decision as it was taken, and the whim's position before it."""

    @property
    def decision(self) -> int: ...
    @property
    def who(self) -> str: ...
    @property
    def move(self) -> str: ...
    @property
    def whim(self) -> int: ...


class Hosted(Protocol):
    """A running game. The world decides who answers for a player; creatures of the game answer by themselves.

    Names that it shares with `Fight` mean the same there. `to_act` may also list creatures.
    """

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def lines(self) -> Sequence[HostedLine]: ...
    @property
    def answers(self) -> Sequence[HostedAnswer]: ...
    @property
    def decision(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def over(self) -> bool: ...
    @property
    def ending(self) -> str | None: ...
    @property
    def endings(self) -> tuple[str, ...]: ...
    @property
    def to_act(self) -> list[str]: ...
    @property
    def dice(self) -> Physical: ...
    @property
    def whim(self) -> Seeded: ...
    def index(self, who: str) -> int: ...
    def legal(self, who: str, explain: Literal[True]) -> tuple[Sequence[object], Sequence[Impossible]]: ...
    def why(self, line: int) -> list[Ruling]: ...
    def play(self, who: str, move: str, decision: int | None = None) -> Sequence[HostedLine]: ...

    def play_by(self, who: str, tactic: str) -> None:
        """Let a tactic of the system answer for a player."""

    @property
    def asked(self) -> str:
        """What is to be decided, as a sentence; empty when the game is over."""

    @property
    def fight(self) -> Fight | None:
        """The current fight, in which the fighters have the players' names."""

    def status(self) -> str:
        """How all players stand, as text."""

    def glance(self) -> str:
        """What to show after every answer: the question with its answers, and the status of a fight."""

    def told_from(self, first: int) -> list[StoryLine]:
        """The lines of the story from a number on, with all that a page shows of them."""

    def scene(self, who: str) -> list[Widget]:
        """What to draw of a player."""

    @property
    def board(self) -> Board:
        """The positions of all players, and their foes."""

    def as_table(self) -> dict[str, Any]:
        """Its log, with `answers` in a separate list and `whim` as in the log of a fight."""

    def entry(self, place: int) -> dict[str, Any]:
        """One answer as the log has it."""

    def public_table(self, *, secret_is_out: bool) -> dict[str, Any]:
        """The log that everyone may have."""


class Playing(Protocol):
    """The module of an adventure."""

    OPTIONS: tuple[Option, ...]

    def settle(self, options: Mapping[str, object]) -> dict[str, Value]:
        """Every option with its value."""

    def enlist(self, spec: str | Mapping[str, object], name: str | None) -> dict[str, Any]:
        """The sheet of a player as plain values, under another name if one is given; it names no file."""

    def begin(self, players: Sequence[Mapping[str, Any]], options: Mapping[str, object], dice: Physical) -> Hosted:
        """A new game for players, each with `name` and `sheet`."""

    def resume(self, table: Mapping[str, Any], where: str) -> Hosted:
        """The game that `Hosted.as_table` wrote; errors say `where`."""


@dataclass(frozen=True)
class Adventure:
    """The ability for a game around the fights of a system, which a world hosts like a combat."""

    word: str
    """Its name, such as `journey`."""
    summary: str
    side: str
    """The name of its players as a group, such as `travellers`."""
    sheet: str
    """The sheet of a player who has none."""
    tactic: str
    """The tactic that answers for a player who has left."""
    module: str
    """The dotted path of a module, imported when it is needed: see `Playing`."""

    @property
    def playing(self) -> Playing:
        """The module."""
        return cast(Playing, import_module(self.module))


def adventure(system: System[Any, Any], word: str) -> Adventure:
    """The adventure of a system with that name."""
    known = {one.word: one for one in system.abilities_of(Adventure)}
    if word not in known:
        has = unknown(f"game of {system.id}", word, known) if known else f"{system.id} has no game around its fights"
        raise Invalid(has, given=word, allowed=list(known))
    return known[word]
