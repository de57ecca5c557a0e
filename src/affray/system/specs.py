"""Specs: how a caller names a fighter: an id, an id with changes, a sheet in a file, or a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.system.schema import Schema, Slug, cut, load_toml, refusal, shown, stranger

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Table = Mapping[str, object]


def read_spec(
    spec: str | Table, schema: Schema, known: Mapping[str, Table], *, files: bool = True
) -> tuple[dict[str, object], str]:
    """The table that a spec means, and what to call it in an error message.

    `hero` is one of the `known`, `hero:name=Ann:speed=3` the same with changes, `mine.toml#hero` a sheet of a file
    (changes may follow), and a table may name the `base` that it changes. `files=False` refuses files.
    """
    if not isinstance(spec, str):
        named = spec.get("name", spec.get("base", spec.get("id")))
        return _based(spec, known), cut(named) if isinstance(named, str) and named.isprintable() else "the sheet"
    head, _, changes = spec.partition(":")
    if ".toml" in head and not files:
        raise Invalid(f"{shown(spec)} names a file; here it must be an id, id:key=value or a table", given=spec)
    table = dict(_picked(head)) if ".toml" in head else {"base": head}
    if changes or spec.endswith(":"):
        table |= typed_changes(changes, schema, cut(head))
    return _based(table, known), cut(head)


def typed_changes(text: str, schema: Schema, where: str) -> dict[str, object]:
    """The changes of `key=value:key=value`."""
    changes: dict[str, object] = {}
    for part in text.split(":"):
        key, sign, value = part.partition("=")
        if not sign:
            raise refusal(f"{where}: change", part, "key=value")
        if key not in schema:
            raise stranger(where, "key", key, schema)
        if key in changes:
            raise Invalid(f"{where}: {key} is given twice", given=text)
        changes[key] = schema[key].read(value)
    return changes


def _based(table: Table, known: Mapping[str, Table]) -> dict[str, object]:
    """A table completed with the values of its base."""
    rest = {key: value for key, value in table.items() if key != "base"}
    if "base" not in table:
        return rest
    base = table["base"]
    if not isinstance(base, str) or base not in known:
        raise stranger("", "fighter", str(base), known)
    return {**known[base], **rest}


def read_sheets(path: str | Path | Traversable, name: str | None = None) -> dict[str, Table]:
    """The tables of a file of sheets by id."""
    called = name or str(path)
    tables = load_toml(path, name)
    if not tables:
        raise Invalid(f"{called} has no sheet", given=called)
    found: dict[str, Table] = {}
    for id, table in tables.items():
        Slug().take(id, f"{called}: id")
        if not isinstance(table, Mapping):
            raise refusal(f"{called}, {id}", table, "a table")
        found[id] = {"id": id, **table}
    return found


def _picked(call: str) -> Table:
    """One sheet of a user's file: `file.toml`, or `file.toml#id` if it has several."""
    path, _, id = call.partition("#")
    tables = read_sheets(path)
    if not id and len(tables) == 1:
        id = next(iter(tables))
    if not id:
        problem = f"{path} has {len(tables)} sheets; name one as {path}#id"
        raise Invalid(problem, given=call, allowed=tuple(tables))
    if id not in tables:
        raise stranger(path, "sheet", id, tables)
    return tables[id]


# From sheets back to specs


def changes(before: Table, after: Table) -> dict[str, object]:
    """What is different in a sheet's table; a flag, list or table that it no longer has is off, or empty."""
    gone = {key: type(value)() for key, value in before.items() if isinstance(value, bool | list | dict)}
    now = {**after, **{key: nothing for key, nothing in gone.items() if key not in after}}
    return {key: value for key, value in now.items() if before.get(key) != value}


def typed(value: object) -> str:
    """A value as it is typed in a spec: `on`, `3+11`, `brawl 50+dodge 40`, `flail (damage 2D6; impales on)`."""
    match value:
        case bool():
            return "on" if value else "off"
        case Mapping():
            return "+".join(f"{key} {_amount(amount)}" for key, amount in value.items())
        case list() | tuple():
            return "+".join(map(str, value))
    return str(value)


def _amount(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({'; '.join(f'{key} {typed(part)}' for key, part in value.items())})"
    return str(value)
