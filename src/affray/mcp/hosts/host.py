"""What tools ask of the place where fights live, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from affray.fight import Spec
from affray.lab.odds import Aim, Play

STORYTELLER, SEAT, SIDE, USUAL = "storyteller", "seat", "side", "usual"
MOVERS = f"{STORYTELLER}, {SEAT}, {SIDE}, {USUAL} or the name of a tactic"
"""Who may move a fighter: the storyteller, a player of its own, a player for its whole team, or a tactic."""

Role = Literal["storyteller", "player", "spectator"]


@dataclass(frozen=True)
class NewFight:
    """A fight to set up; `by` says of fighters or teams who moves them, by default the storyteller."""

    system: str
    teams: Mapping[str, Sequence[Spec]]
    name: str = ""
    by: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None


@dataclass(frozen=True)
class Closed:
    """A move that is not open now, and why."""

    move: str
    reason: str


@dataclass(frozen=True)
class Ask:
    """A decision that the caller may take; `mark` stands for the story before it, and goes into the answer."""

    fighter: str
    question: str
    decision: int
    moves: list[str]
    closed: list[Closed]
    answered: str | None
    at_stake: str | None
    mark: str


@dataclass(frozen=True)
class Told:
    """A line of the story: its number from 1 on, the sentence, and the ids of the rulings that it cites."""

    line: int
    text: str
    decision: int
    why: list[str]


@dataclass(frozen=True)
class Seen:
    """A fight as the caller may see it."""

    fight: str
    system: str
    phase: Literal["setup", "running", "over", "ended"]
    you: Role
    your_fighters: list[str]
    teams: dict[str, list[str]]
    moved_by: dict[str, str]
    round: int
    decision: int
    ending: str | None
    to_move: list[str]
    asks: list[Ask]
    status: str
    lines: int
    """How many lines the story has."""
    last_lines: list[str]
    undo: str
    commitment: str | None
    aftermath: list[str]
    said: str = ""
    """What the caller alone is told about the last call."""
    wings: dict[str, str] = field(default_factory=dict)
    """Fighters in the wings whom the caller knows of, each with the team it will join."""

    def as_table(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        return asdict(self)


class Host(Protocol):
    """A place where fights live. Everything that cannot be done raises `Refused`, and nothing has changed."""

    async def fights(self) -> list[dict[str, Any]]:
        """Every fight in a line."""

    async def create(self, asked: NewFight, token: str) -> dict[str, Any]:
        """Set up a fight and start it; returns its name, and the tokens of its seats."""

    async def see(self, fight: str, token: str, fighter: str | None = None) -> Seen:
        """The fight as the caller may see it, through the eyes of one of the caller's fighters."""

    async def play(self, fight: str, token: str, answer: Answer) -> Seen:
        """Make a move; computer fighters answer."""

    async def undo(self, fight: str, token: str) -> Seen:
        """Take back the last move that a person made, or agree to that."""

    async def hand_over(self, fight: str, token: str, fighter: str, by: str) -> dict[str, Any]:
        """Change who moves a fighter; returns the token of a new seat."""

    async def join(self, fight: str, token: str, invitation: str) -> Seen:
        """Take the seat of an invitation, where seats are taken that way."""

    async def go_on(self, fight: str, token: str) -> Seen:
        """Let computer fighters make more moves, if they have stopped after very many."""

    async def end(self, fight: str, token: str) -> Seen:
        """End a fight for good, so that its dice may be checked by everyone."""

    async def touchable(self, fight: str, token: str) -> dict[str, Any]:
        """All that the storyteller may change now, as `affray.world.combats.storytelling` has it."""

    async def intervene(self, fight: str, token: str, text: str, decision: int | None) -> Seen:
        """Overrule the fight by the storyteller's word; computer fighters answer."""

    async def odds(self, fight: str, token: str, fighter: str, play: Play, aim: Aim) -> dict[str, Any]:
        """How the fight is likely to end after each move of a fighter, as `affray.world.combats.odds` has it."""

    async def story(self, fight: str, token: str) -> list[Told]:
        """Every line of the story."""

    async def log(self, fight: str, token: str) -> dict[str, Any]:
        """The sealed log: for the storyteller the whole save file, for others what everyone may have."""

    async def close(self) -> None:
        """Let go of everything."""


@dataclass(frozen=True)
class Answer:
    """A move of a fighter; with the number and the mark of the decision it is meant for."""

    fighter: str
    move: str
    decision: int | None = None
    mark: str | None = None
