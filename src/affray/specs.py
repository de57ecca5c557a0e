"""What somebody asks for when they name a fighter: an id, an id with changes, a sheet of a file, or a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from affray.errors import Invalid
from affray.schema import Option, Ruling, Schema, Slug, cut, load_toml, read_rulings, refusal, shown, stranger

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Table = Mapping[str, object]
SheetT = TypeVar("SheetT")


def read_spec(
    spec: str | Table, schema: Schema, known: Mapping[str, Table], *, files: bool = True
) -> tuple[dict[str, object], str]:
    """The table that a spec means, and what to call it in a sentence.

    `hero` is one of the `known`, `hero:name=Ann:speed=3` the same with changes, `mine.toml#hero` a sheet of a file
    (changes may follow), and a table may name the `base` that it changes. `files=False` refuses files.
    """
    if not isinstance(spec, str):
        named = spec.get("name", spec.get("base", spec.get("id")))
        return _based(spec, known), cut(named) if isinstance(named, str) and named.isprintable() else "the sheet"
    head, _, changes = spec.partition(":")
    if ".toml" in head and not files:
        raise Invalid(f"{shown(spec)} names a file, allowed is an id, id:key=value or a table", given=spec)
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
            raise Invalid(f"{where}: {key} is given twice, allowed is once", given=text)
        changes[key] = schema[key].read(value)
    return changes


def _based(table: Table, known: Mapping[str, Table]) -> dict[str, object]:
    """A table with what it leaves open taken from its base."""
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
        raise Invalid(f"{called} holds no sheet", given=called)
    found: dict[str, Table] = {}
    for id, table in tables.items():
        Slug().take(id, f"{called}: id")
        if not isinstance(table, Mapping):
            raise refusal(f"{called}, {id}", table, "a table")
        found[id] = {"id": id, **table}
    return found


def _picked(call: str) -> Table:
    """One sheet of a file of one's own: `file.toml`, or `file.toml#id` where it holds several."""
    path, _, id = call.partition("#")
    tables = read_sheets(path)
    if not id and len(tables) == 1:
        id = next(iter(tables))
    if not id:
        problem = f"{path} has {len(tables)} sheets, allowed is one, or {path}#id"
        raise Invalid(problem, given=call, allowed=tuple(tables))
    if id not in tables:
        raise stranger(path, "sheet", id, tables)
    return tables[id]


# From sheets back to what somebody would ask for


def changes(before: Table, after: Table) -> dict[str, object]:
    """What is different in a sheet's table; a flag, list or table that it no longer has is off, or empty."""
    gone = {key: type(value)() for key, value in before.items() if isinstance(value, bool | list | dict)}
    now = {**after, **{key: nothing for key, nothing in gone.items() if key not in after}}
    return {key: value for key, value in now.items() if before.get(key) != value}


def typed(value: object) -> str:
    """A value as one types it in a spec: `on`, `3+11`, `brawl 50+dodge 40`."""
    match value:
        case bool():
            return "on" if value else "off"
        case Mapping():
            return "+".join(f"{key} {amount}" for key, amount in value.items())
        case list() | tuple():
            return "+".join(map(str, value))
    return str(value)


# The sheets of a system


def data_file(package: str, name: str) -> Traversable:
    """A file of the data that come with a package."""
    from importlib.resources import files

    return files(package) / "data" / name


@dataclass(frozen=True, eq=False)
class Register(Generic[SheetT]):
    """The sheets in `data/fighters.toml` of a system's package, and the one door for any other."""

    package: str
    schema: Schema
    options: Sequence[Option]
    made: Callable[[Table, str], SheetT]
    """The sheet of a table, every value of which it checks; the text is what to call it in a sentence."""
    as_table: Callable[[SheetT], dict[str, object]]

    def enlist(self, spec: str | Table, *, files: bool = True) -> SheetT:
        """The combatant that the spec asks for.

        A spec is an id of Affray's own data (`guard`), an id with changes (`guard:name=Bo:note=the elder`), a file
        of sheets (`mine.toml#bo`, changes may follow) or a table, with or without a `base`.
        """
        return self.made(*read_spec(spec, self.schema, self._tables, files=files))

    def check_file(self, path: str | Path) -> list[str]:
        """The ids of the sheets in a file of one's own; `Invalid` for the first that does not fit."""
        tables = read_sheets(path)
        for id, table in tables.items():
            self.made(read_spec(table, self.schema, self._tables)[0], f"{path}, {id}")
        return list(tables)

    def fighters(self) -> Mapping[str, SheetT]:
        """Affray's own sheets by id."""
        return self._fighters

    def rulings(self) -> Mapping[str, Ruling]:
        """Every rule and ruling by id."""
        return self._rulings

    def spec_of(self, sheet: SheetT, base: str) -> str:
        """The sheet as an id of Affray's own data with whatever differs from it: `maren:discard=3+11:face_down=2`."""
        different = changes(self.as_table(self.fighters()[base]), self.as_table(sheet))
        return ":".join([base, *(f"{key}={typed(value)}" for key, value in different.items())])

    def article(self, id: str, name: str) -> str:
        """What stands before a name in a sentence: `the ` before that of a kind, nothing before one somebody gave."""
        return "the " if name.islower() and self._tables.get(id, {}).get("name") == name else ""

    @cached_property
    def _fighters(self) -> Mapping[str, SheetT]:
        tables = read_sheets(data_file(self.package, "fighters.toml"), "fighters.toml")
        return {id: self.made(table, f"fighters.toml, {id}") for id, table in tables.items()}

    @cached_property
    def _tables(self) -> Mapping[str, Table]:
        return {id: self.as_table(sheet) for id, sheet in self.fighters().items()}

    @cached_property
    def _rulings(self) -> Mapping[str, Ruling]:
        return read_rulings(data_file(self.package, "rulings.toml"), self.options, "rulings.toml")
