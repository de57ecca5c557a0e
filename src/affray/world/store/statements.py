"""The SQL statements that change a world: made here by plain functions, carried out by `Store.commit`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, delete, insert, text, update

from affray.errors import Invalid
from affray.system.schema import cut
from affray.world.store import tables
from affray.world.store.attributes import Attribute, stored
from affray.world.store.tables import JSON_COLUMNS, ROLES, Role, fold, to_json


@dataclass(frozen=True)
class Guard:
    """A statement that must change just one row; where it does not, nothing of its commit happens."""

    statement: Executable
    problem: str


Statement = Executable | Guard
Change = Statement | Sequence[Statement]
"""What `Store.commit` takes: a statement, or some that belong together."""

CHANNEL = "channel"
"""The setting that names the channel of a world, so that worlds which share a way do not hear each other."""

NAME = re.compile(r"[^\W\d_][\w-]{0,39}")
RESERVED = ("me",)


def check_name(name: str) -> str:
    """The name, if an account may have it."""
    rule = "a letter, then letters, digits, - and _, 1 to 40 characters in all"
    if not NAME.fullmatch(name):
        raise Invalid(f"{cut(name)!r} cannot be the name of an account; it must be {rule}", given=name, allowed=[rule])
    if fold(name) in RESERVED:
        raise Invalid(f"{name!r} means the player, so it cannot be the name of an account", given=name)
    return name


def check_role(role: str) -> Role:
    """The role of that name."""
    for known in ROLES:
        if role == known:
            return known
    raise Invalid(f"there is no role {cut(role)!r}; there are: {', '.join(ROLES)}", given=role, allowed=ROLES)


def add_account(name: str, role: Role = "player", password: str | None = None, place: str | None = None) -> Executable:
    """A new account; `password` is a hash. Its commit is refused where the name is taken."""
    check_name(name)
    return insert(tables.accounts).values(key=fold(name), name=name, role=role, password=password, place=place)


def change_account(key: str, **columns: object) -> Executable:
    """Change some of: role, password (a hash), place, seen (a moment)."""
    if isinstance(seen := columns.get("seen"), datetime):
        columns["seen"] = int(seen.timestamp())
    return update(tables.accounts).where(tables.accounts.c.key == key).values(columns)


def remove_account(key: str) -> Executable:
    """Remove an account and its attributes."""
    return delete(tables.accounts).where(tables.accounts.c.key == key)


# Both databases understand this statement, while SQLAlchemy builds it for each of them in another way.
_SET_ATTRIBUTE = text(
    "INSERT INTO attributes (account, key, name, type, value) VALUES (:account, :key, :name, :type, :value) "
    "ON CONFLICT (account, key) DO UPDATE SET type = excluded.type, value = excluded.value"
)


def set_attribute(account: str, attribute: Attribute) -> Executable:
    """Give an account an attribute, or change it; its name stays as it was first written."""
    name, type = attribute.name, attribute.type
    return _SET_ATTRIBUTE.bindparams(account=account, key=fold(name), name=name, type=type, value=stored(attribute))


def unset_attribute(account: str, name: str) -> Executable:
    """Take an attribute from an account."""
    table = tables.attributes
    return delete(table).where(table.c.account == account, table.c.key == fold(name))


def add_place(name: str, description: str = "") -> Executable:
    """A new place, without exits."""
    return insert(tables.places).values(key=fold(name), name=name, description=description)


def describe_place(key: str, description: str) -> Executable:
    """Say something else about a place."""
    return update(tables.places).where(tables.places.c.key == key).values(description=description)


def add_exit(place: str, direction: str, leads_to: str) -> Executable:
    """A way from one place to another; both are keys, and both places must be there."""
    return insert(tables.exits).values(place=place, direction=fold(direction), leads_to=leads_to)


def add_combat(number: int, name: str, **columns: object) -> Executable:
    """A new combat that is being set up; `number` is one more than `Store.last_combat` says."""
    values = {"number": number, "name": name, "options": {}, "roster": {}, "phase": "setup", **columns}
    return insert(tables.combats).values(_as_stored(values))


def change_combat(number: int, **columns: object) -> Executable:
    """Change some columns of a combat; tables become JSON here, while `saved` is kept as it is written."""
    return update(tables.combats).where(tables.combats.c.number == number).values(_as_stored(columns))


def _as_stored(columns: Mapping[str, object]) -> dict[str, object]:
    return {name: to_json(v) if name in JSON_COLUMNS and v is not None else v for name, v in columns.items()}


def next_version(number: int, version: int) -> Guard:
    """Count a change of a combat; refused where another process has changed it since that version."""
    table = tables.combats
    counted = update(table).where(table.c.number == number, table.c.version == version).values(version=version + 1)
    return Guard(counted, f"combat {number} has changed in the meantime")


def add_answer(number: int, at: int, entry: Mapping[str, Any]) -> Executable:
    """The next entry of a combat's log; `at` counts from 0."""
    return insert(tables.answers).values(combat=number, at=at, entry=to_json(entry))


def cut_answers(number: int, at: int) -> Executable:
    """Take back the entries of a combat's log from `at` on."""
    return delete(tables.answers).where(tables.answers.c.combat == number, tables.answers.c.at >= at)


_SET_ONCE = text("INSERT INTO settings (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING")


def set_setting_once(key: str, value: str) -> Executable:
    """Remember something about the world as a whole, unless something is remembered already."""
    return _SET_ONCE.bindparams(key=key, value=value)
