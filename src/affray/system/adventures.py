"""Games around the fights of a system, such as a journey: what a world needs of one in order to host it."""

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
    """One decision as it was taken, and where the whim stood before it."""

    @property
    def decision(self) -> int: ...
    @property
    def who(self) -> str: ...
    @property
    def move(self) -> str: ...
    @property
    def whim(self) -> int: ...


class Hosted(Protocol):
    """A game under way. Who decides for a player is the world's business; creatures of the game answer by themselves.

    What it has in common with a `Fight` has the same name there, and means the same. `to_act` may list creatures, too.
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
        """The fight that is on, in which its fighters are called as the players are."""

    def status(self) -> str:
        """How all players stand, as text."""

    def glance(self) -> str:
        """What to show after every answer: the question with its answers, and how a fight stands."""

    def told_from(self, first: int) -> list[StoryLine]:
        """The lines of the story from a number on, with all that a page shows of them."""

    def scene(self, who: str) -> list[Widget]:
        """What to draw of a player."""

    @property
    def board(self) -> Board:
        """Where all players stand, and whom they fight."""

    def as_table(self) -> dict[str, Any]:
        """Its log, with `answers` in a list of their own and `whim` as in the log of a fight."""

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
        """The sheet of a player as plain values, under a name of its own if it is given one; it names no file."""

    def begin(self, players: Sequence[Mapping[str, Any]], options: Mapping[str, object], dice: Physical) -> Hosted:
        """A new game for players, each with `name` and `sheet`."""

    def resume(self, table: Mapping[str, Any], where: str) -> Hosted:
        """The game that `Hosted.as_table` wrote down; errors say `where`."""


@dataclass(frozen=True)
class Adventure:
    """A game around the fights of a system, which a world hosts in the place of a combat. It is an ability."""

    word: str
    """What it is called, such as `journey`."""
    summary: str
    side: str
    """What its players are called together, such as `travellers`."""
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
    """The adventure of a system that is called so."""
    known = {one.word: one for one in system.abilities_of(Adventure)}
    if word not in known:
        has = unknown(f"game of {system.id}", word, known) if known else f"{system.id} has no game around its fights"
        raise Invalid(has, given=word, allowed=list(known))
    return known[word]
