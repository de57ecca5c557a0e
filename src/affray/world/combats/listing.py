"""A combat as it is listed: who fights in it and how it stands, without the log of its fight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from affray.system.adventures import Adventure, adventure
from affray.system.contract import System
from affray.system.registry import find
from affray.world.combats.roster import Member, Roster
from affray.world.store.tables import Listing

Phase = Literal["setup", "running", "over"]


class Standing(NamedTuple):
    """How a combat stands; it is stored with every move."""

    phase: Phase
    round: int
    """0 before the start."""
    ending: str | None
    """None while the fight goes on."""
    awaited: list[int]
    """The seats that have to move."""


@dataclass
class Listed(ABC):
    """What is known of every combat that has not been ended."""

    number: int
    name: str
    place: str
    system: System[Any, Any]
    owner: str
    roster: Roster = field(default_factory=Roster, kw_only=True)
    version: int = field(default=0, kw_only=True)
    """How often it has been stored."""
    game: str = field(default="", kw_only=True)
    """The word for a game around fights, such as `journey`."""

    @property
    @abstractmethod
    def standing(self) -> Standing:
        """How it stands."""

    @property
    def phase(self) -> Phase:
        """Whether it is being set up, runs, or is over."""
        return self.standing.phase

    def awaited(self) -> list[Member]:
        """The members who have to move now."""
        members = list(self.roster)
        return [members[seat] for seat in self.standing.awaited]

    @property
    def adventure(self) -> Adventure | None:
        """The game around fights that is played, if it is not simply a fight."""
        return adventure(self.system, self.game) if self.game else None

    @property
    def word(self) -> str:
        """What it is: a combat, or another game."""
        return self.game or "combat"

    @property
    def subject(self) -> str:
        """The same as the subject of a sentence."""
        return f"the {self.game}" if self.game else "combat"

    @property
    def players(self) -> set[str]:
        """The accounts that take part."""
        return {member.player for member in self.roster.members if member.player is not None}

    @property
    def is_rated(self) -> bool:
        """Whether it counts for the ratings of its players, unless something comes in between."""
        members = [member for members in self.roster.teams.values() for member in members]
        return bool(members) and all(member.rated for member in members)

    @property
    def owner_fights(self) -> bool:
        """Whether the owner takes part, instead of only running the combat."""
        return self.roster.of_player(self.owner) is not None

    def is_overseen_by(self, account: str, role: str = "player") -> bool:
        """Whether an account runs the combat without a side in it: its owner, or a wizard, who does not fight."""
        return (account == self.owner or role == "wizard") and account not in self.players

    def owner_may_move(self, member: Member) -> bool:
        """Whether the owner may decide for a member: for NPCs, and for players only if the owner does not fight."""
        return member.player is None or not self.owner_fights

    def binds(self, account: str) -> bool:
        """Whether the end of this combat writes lasting results to an account."""
        member = self.roster.of_player(account)
        return member is not None and member.lasts(self.system)


@dataclass
class Asleep(Listed):
    """A combat that no one uses at the moment: its log and its sheets are only in the store."""

    stood: Standing = field(kw_only=True)

    @classmethod
    def of(cls, row: Listing) -> Asleep:
        """The combat of a row of the store."""
        known = (row.number, row.name, row.place, find(row.system), row.owner)
        phase: Phase = "setup" if row.phase == "setup" else "running" if row.ending is None else "over"
        stood = Standing(phase, row.round or 0, row.ending, row.awaited or [])
        roster = Roster.of_table(row.roster, sheets=False)
        return cls(*known, roster=roster, version=row.version, game=row.game, stood=stood)

    @property
    def standing(self) -> Standing:
        """How it stood when it was last stored."""
        return self.stood
