"""Who takes part in a combat: members on teams, the sheets they bring, and who moves whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from affray.errors import Illegal, Invalid, unknown
from affray.fight import MOST_FIGHTERS
from affray.players.levels import is_player
from affray.system.contract import System
from affray.system.schema import cut
from affray.world.store.tables import fold

TEAM = re.compile(r"[^\W_][\w'-]{0,39}")
LONGEST_NAME = 40
# What is left out of a table if it is empty.
_LEFT_OUT = {"invitation", "public", "borrowed", "agrees", "wishes", "time", "seat"}
_LEFT_OUT |= {"until", "asked", "fallback", "party", "group", "order", "gathers", "retracted", "heir", "rated"}
_SEAT = attrgetter("seat")
TEAM_RULE = "one word of up to 40 letters, digits, - ' and _"


def check_name(name: str, of: str, without: str = "") -> str:
    """The name, if something that people make for a fight may be called so; `without` is a character it must not have.

    `of` says what is named, such as `a combat`.
    """
    if 1 <= len(name.strip()) <= LONGEST_NAME and name.isprintable() and not (without and without in name):
        return name.strip()
    rule = f"1 to {LONGEST_NAME} printable characters{f' without {without}' if without else ''}"
    raise Invalid(f"{cut(name)!r} cannot be the name of {of}; it must be {rule}", given=name)


@dataclass
class Member:
    """One combatant: `player` is the key of the account behind it, None for an NPC; `tactic` moves it by itself."""

    name: str
    sheet: dict[str, Any]
    player: str | None = None
    tactic: str | None = None
    """Its tactic, or the player that thinks for it."""
    invitation: str | None = None
    """The word by which a player can take the seat of an NPC that waits for one."""
    public: bool = False
    """Whether everyone may know that word, so that any player can take the seat."""
    borrowed: bool = False
    """Whether the sheet is not the player's own, so none of its changes last."""
    agrees: str = ""
    """The undo, or the intervention, that the person who moves it agrees to."""
    wishes: str = ""
    """What the player asks for: to `resign`, a `draw`, or after the end the fight `again`, or to `swap` sides."""
    time: float | None = None
    """The seconds that the player has left, in a combat with a clock."""
    until: int | None = None
    """By correspondence: the moment until which the player has to move, in seconds since 1970."""
    asked: int = 0
    """By correspondence: how many moves the player has been asked for, the open one included."""
    fallback: str = ""
    """The tactic that moves in place of the player whose time for a move is up; without one, that of the sheet."""
    party: list[str] = field(default_factory=list)
    """The account and the name of the party that it belongs to, if what lasts of the fight is written there."""
    heir: str = ""
    """The name of the account to which the player wants to hand the seat over."""
    group: str = ""
    """The name of the group of NPCs with which it acts together."""
    gathers: bool = False
    """Whether its group is to act one directly after another, as soon as there is an order of single fighters."""
    order: list[Any] = field(default_factory=list)
    """What its group was told: the move, the round and the question that it is for, and the account that told it."""
    rated: str = ""
    """The account for whose rating the fight counts, if it does."""
    seat: int = 0
    """The place in the fight, counted from 1, once a member has joined or changed sides in mid-fight."""
    retracted: int = 0
    """Of the first member: how often a choice of anyone was taken back here while it was secret."""

    @property
    def thinks(self) -> bool:
        """Whether it decides by thinking, which takes a while."""
        return self.tactic is not None and is_player(self.tactic)

    @property
    def moves_at_once(self) -> bool:
        """Whether a tactic moves it."""
        return bool(self.tactic) and not self.thinks

    def lasts(self, system: System[Any, Any]) -> bool:
        """Whether the end of combat writes something back to the player's own attributes."""
        return system.residence is not None and self.player is not None and not self.borrowed

    def as_table(self) -> dict[str, Any]:
        """The member as plain JSON values."""
        return {key: value for key, value in vars(self).items() if value or key not in _LEFT_OUT}


class _Order(NamedTuple):
    """The members of the teams in the order of the fight; asked for many times between two changes."""

    teams: dict[str, list[Member]]
    members: tuple[Member, ...]
    seats: dict[str, int]


@dataclass
class Roster:
    """The teams of a combat in the order in which they came to be."""

    teams: dict[str, list[Member]] = field(default_factory=dict)
    _order: _Order | None = field(default=None, init=False, repr=False, compare=False)

    def __iter__(self) -> Iterator[Member]:
        """All members in the order of their places in the fight."""
        return iter(self.members)

    @property
    def members(self) -> tuple[Member, ...]:
        """The same as a sequence."""
        return self._ordered.members

    @property
    def seats(self) -> Mapping[str, int]:
        """The places of all members by their names."""
        return self._ordered.seats

    @property
    def _ordered(self) -> _Order:
        if self._order is None or self._order.teams is not self.teams:
            members = tuple(sorted(chain.from_iterable(self.teams.values()), key=_SEAT))
            self._order = _Order(self.teams, members, {member.name: place for place, member in enumerate(members)})
        return self._order

    def placed(self) -> list[tuple[str, Member]]:
        """The same with their teams."""
        seated = [(team, member) for team, members in self.teams.items() for member in members]
        return sorted(seated, key=lambda one: one[1].seat)

    def seated(self, members: Sequence[Member], team_of: Sequence[str]) -> None:
        """Give members, in the order of the fight, their places and teams there."""
        teams: dict[str, list[Member]] = {team: [] for team in (*self.teams, *team_of)}
        for place, (member, team) in enumerate(zip(members, team_of, strict=True), 1):
            member.seat = place
            teams[team].append(member)
        self.teams = teams

    @property
    def retracted(self) -> int:
        """How often a choice was taken back while it was secret, which others are not to notice."""
        return sum(member.retracted for members in self.teams.values() for member in members)

    @retracted.setter
    def retracted(self, times: int) -> None:
        for place, member in enumerate(self):
            member.retracted = 0 if place else times

    def __len__(self) -> int:
        return sum(len(members) for members in self.teams.values())

    def find(self, name: str, exact: bool = False) -> Member | None:
        """The member of that name; unless it must be `exact`, in upper or lower case."""
        if (place := self.seats.get(name)) is not None:
            return self.members[place]
        return None if exact else next((member for member in self if fold(member.name) == fold(name)), None)

    def of_player(self, key: str) -> Member | None:
        """The member that an account plays."""
        return next((one for members in self.teams.values() for one in members if one.player == key), None)

    def of_heir(self, key: str) -> Member | None:
        """The member whose player wants to hand it over to an account."""
        offered = (one for members in self.teams.values() for one in members if one.heir and one.player)
        return next((one for one in offered if fold(one.heir) == key), None)

    def team_of(self, wanted: Member) -> str:
        """The team of a member."""
        return next(team for team, members in self.teams.items() if wanted in members)

    def team(self, name: str, exact: bool = False) -> str | None:
        """The team of that name as it was first written."""
        alike = [team for team in self.teams if team == name or (not exact and fold(team) == fold(name))]
        return min(alike, key=lambda team: team != name, default=None)

    def add(self, member: Member, team: str, system: System[Any, Any], exact: bool = False) -> str:
        """Put a member on a team, which is created if needed; returns it. A refused add leaves nothing behind."""
        if not TEAM.fullmatch(team):
            raise Invalid(f"{cut(team)!r} cannot be the name of a team; it must be {TEAM_RULE}", given=team)
        if team in ("draw", "none", *system.endings):
            raise Invalid(f"no team can be called {team!r}: that is how a fight may end", given=team)
        present = self.find(member.name)
        if present is not None:
            raise Illegal(f"{present.name} is already on team {self.team_of(present)}", given=member.name)
        played = self.of_player(member.player) if member.player is not None else None
        if played is not None:
            raise Illegal(f"{member.name} already plays {played.name} here", given=member.name)
        if len(self) >= MOST_FIGHTERS:
            raise Illegal(f"a combat has at most {MOST_FIGHTERS} fighters", given=member.name)
        team = self.team(team, exact) or team
        self.seat(member, team)
        return team

    def seat(self, member: Member, team: str) -> None:
        """Put a member on the team of exactly that name, which is created if needed; nothing is checked."""
        self.teams.setdefault(team, []).append(member)
        self._order = None

    def remove(self, member: Member, team: str | None, exact: bool = False) -> str:
        """Take a member off; a team whose last member goes is gone. Returns the team."""
        present = self.team_of(member)
        if team is not None and self.team(team, exact) != present:
            raise Illegal(f"{member.name} is not on team {cut(team)}, but on {present}", given=team, allowed=[present])
        self.teams[present].remove(member)
        self._order = None
        if not self.teams[present]:
            del self.teams[present]
        return present

    def ordered(self, listed: Sequence[str], exact: bool = False) -> dict[str, list[Member]]:
        """The teams with the listed ones first."""
        first: list[str] = []
        for name in listed:
            team = self.team(name, exact)
            if team is None:
                raise Illegal(unknown("team", name, self.teams), given=name, allowed=list(self.teams))
            if team in first:
                raise Illegal(f"team {team} is named twice", given=name)
            first.append(team)
        if len(self.teams) < 2:
            problem = f"combat needs at least two teams, and there are {len(self.teams)}"
            raise Illegal(problem, given=listed)
        return {team: self.teams[team] for team in [*first, *(team for team in self.teams if team not in first)]}

    def forget_wishes(self, wish: str, but: str = "") -> bool:
        """Drop a wish of all teams, or of all but one; whether any had it."""
        having = [one for team, ones in self.teams.items() if team != but for one in ones if one.wishes == wish]
        for member in having:
            member.wishes = ""
        return bool(having)

    def as_table(self) -> dict[str, Any]:
        """The roster as plain JSON values."""
        return {team: [member.as_table() for member in members] for team, members in self.teams.items()}

    @classmethod
    def of_table(cls, table: Mapping[str, Any], *, sheets: bool = True) -> Roster:
        """The roster that `as_table` wrote down; without `sheets` those are left out."""
        left_out: dict[str, Any] = {} if sheets else {"sheet": {}}
        return cls({team: [Member(**member | left_out) for member in members] for team, members in table.items()})
