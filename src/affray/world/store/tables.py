"""The names of the tables of a world, and what a row of each is once it is read."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

Role = Literal["guest", "player", "wizard"]
Phase = Literal["setup", "running", "ended"]
ROLES: tuple[Role, ...] = get_args(Role)

TABLES = (
    "accounts",
    "places",
    "exits",
    "attributes",
    "kept",
    "subscriptions",
    "combats",
    "answers",
    "results",
    "settings",
)
"""All tables, those first that others refer to; their columns are made in `affray.world.store.migrations`."""


@dataclass(frozen=True)
class Account:
    """An account. `password` is a hash (None: there is none to log in with), `place` None: not yet anywhere."""

    key: str
    name: str
    role: Role
    password: str | None
    place: str | None
    seen: datetime | None
    created: datetime | None = None
    """None where an earlier version of Affray made it."""
    private: bool = False
    """Whether the profile is for its owner alone."""
    rated: bool = False
    """Whether the player wants to be rated."""


@dataclass(frozen=True)
class Place:
    """Somewhere to be; `exits` leads from a direction to the key of another place."""

    key: str
    name: str
    description: str
    exits: Mapping[str, str]


@dataclass(frozen=True)
class CombatRow:
    """A combat as it is stored, its JSON read; `log` is the head of the fight's log, the answers are kept apart.

    `saved` is left as the text it is, so that its seal can be checked. `game` is the word for a game around fights.
    """

    number: int
    name: str
    place: str
    system: str
    owner: str
    options: dict[str, Any]
    roster: dict[str, Any]
    log: dict[str, Any] | None
    saved: str | None
    phase: Phase
    ending: str | None
    version: int = 0
    game: str = ""
    round: int | None = None
    awaited: list[int] | None = None


class Subscription(NamedTuple):
    """A browser through which an account is notified: where, and the keys by which only it can read the message."""

    endpoint: str
    p256dh: str
    auth: str


class Listing(NamedTuple):
    """The columns of a combat by which it can be listed without running its log.

    `awaited` has the seats that have to move. It and `round` are None where an earlier version of Affray stored it.
    """

    number: int
    name: str
    place: str
    system: str
    owner: str
    roster: dict[str, Any]
    phase: Phase
    ending: str | None
    version: int
    game: str
    round: int | None
    awaited: list[int] | None


Outcome = Literal["won", "lost", "drawn", "fled", "unfinished"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Result(NamedTuple):
    """What came of a combat for one account that took part; it outlives the combat's log.

    `account` is a mark that no account can have where the account has been removed. `decided` is in seconds since 1970,
    None where an earlier version of Affray has stored the combat.
    """

    combat: int
    account: str
    system: str
    name: str
    fighter: str
    team: str
    outcome: Outcome
    decided: int | None
    counts: int
    """1 if it counts for ratings."""


class Duel(NamedTuple):
    """A combat that counts for ratings, seen by one of its two accounts."""

    account: str
    opponent: str
    outcome: Outcome
    decided: int


JSON_COLUMNS = frozenset({"options", "roster", "log", "awaited"})


def fold(name: str) -> str:
    """The key of a name: upper and lower case are the same, and so are characters that look the same."""
    return unicodedata.normalize("NFKC", name).casefold()


class Json(str):
    """A value that is JSON already."""

    __slots__ = ()


_encode = json.JSONEncoder(separators=(",", ":")).encode


def to_json(value: object) -> str:
    """A value as the text of a column. The order of keys is kept: that of the teams is part of a fight."""
    return value if isinstance(value, Json) else _encode(value)
