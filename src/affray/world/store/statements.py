"""The SQL statements that change a world: made here by plain functions, carried out by `Store.commit`."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from affray.errors import Invalid
from affray.system.schema import cut
from affray.world.store.attributes import Attribute, stored
from affray.world.store.database import Append, Statement
from affray.world.store.tables import JSON_COLUMNS, ROLES, Result, Role, fold, to_json

Change = Statement | Append | Sequence[Statement]
"""What `Store.commit` takes: a statement, new entries of a log, or statements that belong together."""

CHANNEL = "channel"
"""The setting that names the channel of a world, so that worlds which share a way do not hear each other."""

NAME = re.compile(r"[^\W\d_][\w-]{0,39}")
RESERVED = ("me",)


def insert(table: str, columns: Mapping[str, object], on_conflict: str = "") -> Statement:
    """A new row; `on_conflict` says what to do if there is one with its key."""
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    return Statement(f"INSERT INTO {table} ({names}) VALUES ({marks}){on_conflict}", tuple(columns.values()))


def update(table: str, columns: Mapping[str, object], **where: object) -> Statement:
    """Change the rows in which the columns of `where` have these values."""
    changed = ", ".join(f"{name} = ?" for name in columns)
    return Statement(f"UPDATE {table} SET {changed}{_where(where)}", (*columns.values(), *where.values()))


def delete(table: str, **where: object) -> Statement:
    """Remove the rows in which the columns of `where` have these values; all of them without any."""
    return Statement(f"DELETE FROM {table}{_where(where)}", tuple(where.values()))


def _where(columns: Mapping[str, object]) -> str:
    return " WHERE " + " AND ".join(f"{name} = ?" for name in columns) if columns else ""


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


def add_account(name: str, role: Role = "player", password: str | None = None, place: str | None = None) -> Statement:
    """A new account; `password` is a hash. Its commit is refused where the name is taken."""
    check_name(name)
    account: dict[str, object] = {"key": fold(name), "name": name, "role": role, "password": password, "place": place}
    account["created"] = int(time.time())
    return insert("accounts", account)


def change_account(key: str, **columns: object) -> Statement:
    """Change some of: role, password (a hash), place, seen (a moment), private and rated (1 or 0)."""
    if isinstance(seen := columns.get("seen"), datetime):
        columns["seen"] = int(seen.timestamp())
    return update("accounts", columns, key=key)


def remove_account(key: str) -> list[Statement]:
    """Remove an account, its attributes and its results; those that count for others' ratings lose its name."""
    nameless = f"~{secrets.token_hex(8)}"  # which no account can be called
    return [
        delete("accounts", key=key),
        delete("results", account=key, counts=0),
        update("results", {"account": nameless}, account=key),
    ]


def set_attribute(account: str, attribute: Attribute) -> Statement:
    """Give an account an attribute, or change it; its name stays as it was first written."""
    name = attribute.name
    row = {"account": account, "key": fold(name), "name": name, "type": attribute.type, "value": stored(attribute)}
    anew = " ON CONFLICT (account, key) DO UPDATE SET type = excluded.type, value = excluded.value"
    return insert("attributes", row, anew)


def unset_attribute(account: str, name: str) -> Statement:
    """Take an attribute from an account."""
    return delete("attributes", account=account, key=fold(name))


def keep(account: str, kind: str, name: str, content: str) -> Statement:
    """Keep a party or an encounter of an account, in place of one of the same name."""
    columns = {"account": account, "kind": kind, "key": fold(name), "name": name, "content": content}
    replaced = " ON CONFLICT (account, kind, key) DO UPDATE SET name = excluded.name, content = excluded.content"
    return insert("kept", columns, replaced)


def forget(account: str, kind: str, name: str) -> Statement:
    """No longer keep it."""
    return delete("kept", account=account, kind=kind, key=fold(name))


def add_subscription(account: str, endpoint: str, p256dh: str, auth: str) -> Statement:
    """A browser through which an account is notified; it was another's perhaps."""
    columns = {"endpoint": endpoint, "account": account, "p256dh": p256dh, "auth": auth}
    replaced = "account = excluded.account, p256dh = excluded.p256dh, auth = excluded.auth"
    return insert("subscriptions", columns, f" ON CONFLICT (endpoint) DO UPDATE SET {replaced}")


def remove_subscription(endpoint: str) -> Statement:
    """No longer notify anyone through a browser."""
    return delete("subscriptions", endpoint=endpoint)


def add_place(name: str, description: str = "") -> Statement:
    """A new place, without exits."""
    return insert("places", {"key": fold(name), "name": name, "description": description})


def describe_place(key: str, description: str) -> Statement:
    """Say something else about a place."""
    return update("places", {"description": description}, key=key)


def add_exit(place: str, direction: str, leads_to: str) -> Statement:
    """A way from one place to another; both are keys, and both places must be there."""
    return insert("exits", {"place": place, "direction": fold(direction), "leads_to": leads_to})


def add_combat(number: int, name: str, **columns: object) -> Statement:
    """A new combat that is being set up; `number` is one more than `Store.last_combat` says."""
    values = {"number": number, "name": name, "options": {}, "roster": {}, "phase": "setup", **columns}
    return insert("combats", _as_stored(values))


def change_combat(number: int, **columns: object) -> Statement:
    """Change some columns of a combat; tables become JSON here, while `saved` is kept as it is written."""
    return update("combats", _as_stored(columns), number=number)


def remove_combat(number: int) -> Statement:
    """Remove a combat that has ended, and its log."""
    return delete("combats", number=number, phase="ended")


def add_result(result: Result) -> Statement:
    """What came of a combat for an account; what is there already stays."""
    return insert("results", result._asdict(), " ON CONFLICT (combat, account) DO NOTHING")


def forget_results(number: int) -> Statement:
    """Forget the results of a combat that goes on again after its end was taken back."""
    return delete("results", combat=number)


def give_results(old: str, new: str) -> list[Statement]:
    """Give what came of the combats of one account to another, except where both took part."""
    both = "combat IN (SELECT combat FROM results WHERE account = ?)"
    return [
        Statement(f"DELETE FROM results WHERE account = ? AND {both}", (old, new)),
        update("results", {"account": new}, account=old),
    ]


def _as_stored(columns: Mapping[str, object]) -> dict[str, Any]:
    return {name: to_json(v) if name in JSON_COLUMNS and v is not None else v for name, v in columns.items()}


def next_version(number: int, version: int) -> Statement:
    """Count a change of a combat; refused where another process has changed it since that version."""
    counted = update("combats", {"version": version + 1}, number=number, version=version)
    return Statement(f"{counted.sql} RETURNING number", counted.values, f"combat {number} has changed in the meantime")


def add_answer(number: int, at: int, entry: Mapping[str, Any]) -> Statement:
    """The next entry of a combat's log; `at` counts from 0."""
    return insert("answers", {"combat": number, "at": at, "entry": to_json(entry)})


def append(
    number: int, version: int, at: int, entries: Sequence[Mapping[str, Any]], standing: Mapping[str, Any]
) -> Append:
    """The next entries of a combat's log, from `at` on; counts as a change of the combat, which then stands so."""
    return Append(number, version, at, entries, **standing)


def cut_answers(number: int, at: int) -> Statement:
    """Take back the entries of a combat's log from `at` on."""
    return Statement("DELETE FROM answers WHERE combat = ? AND at >= ?", (number, at))


def set_setting_once(key: str, value: str) -> Statement:
    """Remember something about the world as a whole, unless something is remembered already."""
    return insert("settings", {"key": key, "value": value}, " ON CONFLICT (key) DO NOTHING")
