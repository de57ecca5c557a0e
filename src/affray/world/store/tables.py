"""The tables of a world, and what a row of each is once it is read."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

Role = Literal["guest", "player", "wizard"]
Phase = Literal["setup", "running", "ended"]
ROLES: tuple[Role, ...] = get_args(Role)

metadata = MetaData()


def _texts(*names: str) -> list[Column[str]]:
    """Columns of text that every row has."""
    return [Column(name, Text, nullable=False) for name in names]


accounts = Table(
    "accounts",
    metadata,
    Column("key", Text, primary_key=True),
    *_texts("name", "role"),
    Column("password", Text),
    Column("place", Text),
    Column("seen", BigInteger),  # seconds since 1970: a time that both databases keep alike
)
places = Table("places", metadata, Column("key", Text, primary_key=True), *_texts("name", "description"))
exits = Table(
    "exits",
    metadata,
    Column("place", Text, ForeignKey("places.key", ondelete="CASCADE"), primary_key=True),
    Column("direction", Text, primary_key=True),
    Column("leads_to", Text, ForeignKey("places.key", ondelete="CASCADE"), nullable=False),
)
attributes = Table(
    "attributes",
    metadata,
    Column("account", Text, ForeignKey("accounts.key", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    *_texts("name", "type", "value"),
)
combats = Table(
    "combats",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_texts("name", "place", "system", "owner", "options", "roster"),
    Column("log", Text),
    Column("saved", Text),
    *_texts("phase"),
    Column("ending", Text),
    Column("version", Integer, nullable=False, server_default="0"),
    Column("game", Text, nullable=False, server_default=""),
)
_UNENDED = text("phase <> 'ended'")
Index("one_combat_in_a_place", combats.c.place, unique=True, sqlite_where=_UNENDED, postgresql_where=_UNENDED)
answers = Table(
    "answers",
    metadata,
    Column("combat", Integer, ForeignKey("combats.number", ondelete="CASCADE"), primary_key=True),
    Column("at", Integer, primary_key=True, autoincrement=False),
    *_texts("entry"),
)
settings = Table("settings", metadata, Column("key", Text, primary_key=True), *_texts("value"))


@dataclass(frozen=True)
class Account:
    """An account. `password` is a hash (None: there is none to log in with), `place` None: not yet anywhere."""

    key: str
    name: str
    role: Role
    password: str | None
    place: str | None
    seen: datetime | None


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


JSON_COLUMNS = frozenset({"options", "roster", "log"})


def fold(name: str) -> str:
    """The key of a name: upper and lower case are the same, and so are characters that look the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def to_json(value: object) -> str:
    """A value as the text of a column. The order of keys is kept: that of the teams is part of a fight."""
    return json.dumps(value, separators=(",", ":"))
