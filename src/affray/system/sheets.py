"""Character sheets: each is declared once, as a class, from which its checks, files, tables and forms are derived."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, dataclass_transform

from affray.system.schema import Field, Flag, Option, Ruling, Schema, Slug, Text, check, cut, read_rulings, stranger
from affray.system.specs import Table, changes, read_sheets, read_spec, typed

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from typing import Self


def field(kind: Field, default: Any = dataclasses.MISSING, says: str = "", *, asked: bool = True) -> Any:
    """A value on a sheet: what it may be, its default, and what it means.

    With `asked=False` forms and questions leave it out.
    """
    metadata = {"kind": kind, "says": says, "asked": asked}
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: dict(default), hash=False, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Where:
    """Where a sheet comes from, for error messages; `where("ad")` is the same for one of its values."""

    place: str
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The names of values there, if they differ from their own."""

    def __call__(self, key: str) -> str:
        return f"{self.place}: {self.labels.get(key, key)}"

    def __str__(self) -> str:
        return self.place


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A combatant as it enters a fight. A system extends it by its own fields."""

    id: str = field(Slug(), "", "what it is called in files", asked=False)
    name: str = field(Text(40), asked=False)

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def made(cls, table: Table, where: str | Where) -> Self:
        """The sheet from a table of plain values; Invalid for the first that does not fit. `where` opens messages."""
        where = Where(where) if isinstance(where, str) else where
        taken = check(cls.accepts(table), table, str(where), required(cls), where.labels)
        taken |= {key: tuple(value) for key, value in taken.items() if isinstance(value, list)}
        usual = taken.get("kind", getattr(cls, "kind", "fighter"))
        sheet = cls(**{"id": usual, **taken})  # type: ignore[arg-type]
        sheet.check(where)
        return sheet

    @classmethod
    def accepts(cls, table: Table) -> Schema:
        """What each value of a table may be, if that depends on the other values."""
        return schema(cls)

    def check(self, where: Where) -> None:
        """Raise Invalid if values that are valid on their own do not fit together."""

    def copy(self) -> Self:
        """A copy that shares no table with this sheet; its values are not checked again."""
        made = object.__new__(type(self))
        vars(made).update({key: dict(value) if type(value) is dict else value for key, value in vars(self).items()})
        return made

    def as_table(self) -> dict[str, object]:
        """The sheet as plain values, from which `made` makes it again; values empty by default are left out."""
        table: dict[str, object] = {}
        for part in dataclasses.fields(self):
            value = getattr(self, part.name)
            if value or value != _default(part) or (type(value) is int):
                table[part.name] = part.metadata["kind"].plain(value)
        return table


SheetT = TypeVar("SheetT", bound=Sheet)


def _default(part: dataclasses.Field[Any]) -> object:
    return part.default if part.default_factory is dataclasses.MISSING else part.default_factory()


_schemas: dict[type[Sheet], Schema] = {}
_required: dict[type[Sheet], tuple[str, ...]] = {}


def schema(cls: type[Sheet]) -> Schema:
    """What each value on a sheet may be, by its name."""
    if cls not in _schemas:
        _schemas[cls] = {part.name: part.metadata["kind"] for part in dataclasses.fields(cls)}
    return _schemas[cls]


def required(cls: type[Sheet]) -> tuple[str, ...]:
    """The values that a sheet must have."""
    if cls not in _required:
        parts = dataclasses.fields(cls)
        _required[cls] = tuple(part.name for part in parts if _default(part) is dataclasses.MISSING)
    return _required[cls]


def asked_for(cls: type[Sheet]) -> tuple[str, ...]:
    """The values that a player who makes a sheet is asked for, besides its name."""
    return tuple(part.name for part in dataclasses.fields(cls) if part.metadata["asked"])


def described(cls: type[Sheet]) -> list[tuple[str, str, object, str]]:
    """Every value on a sheet, for tables and forms: its name, what it may be, its default and what it means."""
    return [
        (part.name, part.metadata["kind"].allows(), _default(part), part.metadata["says"])
        for part in dataclasses.fields(cls)
    ]


def data_file(package: str, name: str) -> Traversable:
    """A data file of a package."""
    from importlib.resources import files

    return files(package) / "data" / name


def things_of(cls: type[SheetT], package: str, name: str) -> dict[str, SheetT]:
    """The entries of a package's data file, each as a sheet of its class, by id."""
    return {id: cls.made(table, f"{name}, {id}") for id, table in read_sheets(data_file(package, name), name).items()}


@cache
def rulings_of(package: str, options: tuple[Option, ...]) -> Mapping[str, Ruling]:
    """Every rule and ruling in `data/rulings.toml` of a system's package by id."""
    return read_rulings(data_file(package, "rulings.toml"), options, "rulings.toml")


@dataclass(frozen=True, eq=False)
class Sheets(Generic[SheetT]):
    """The sheets that come with a system, and how any other is read."""

    sheet: type[SheetT]
    source: str | Mapping[str, Table]
    """The package whose `data/fighters.toml` has them, or their tables by id."""
    kinds: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The group name of each kind of sheet; without kinds all are fighters."""

    def enlist(self, spec: str | Table, *, files: bool = True) -> SheetT:
        """The sheet that a spec asks for.

        A spec is the id of one that comes with the system (`guard`), an id with changes (`guard:name=Bo`), a file of
        sheets (`mine.toml#bo`, changes may follow) or a table, with or without a `base`.
        """
        if isinstance(spec, str) and spec in self.fighters():
            return self.fighters()[spec].copy()
        return self.sheet.made(*read_spec(spec, schema(self.sheet), self._tables, files=files))

    def as_table(self, sheet: SheetT) -> dict[str, object]:
        """A sheet as plain values, from which `enlist` makes the same sheet again."""
        return sheet.as_table()

    def as_typed(self, sheet: SheetT) -> dict[str, str]:
        """What a player would type for each value in a form; empty for a value that a sheet need not have."""
        table = sheet.as_table()
        unsaid = {key: "off" if isinstance(kind, Flag) else "" for key, kind in schema(self.sheet).items()}
        return {key: typed(table[key]) if key in table else unsaid[key] for key in asked_for(self.sheet)}

    def altered(self, base: str, texts: Mapping[str, str]) -> SheetT:
        """The sheet that a spec asks for with other values, as a player types them; one that is emptied is left out."""
        table, kinds = self.as_table(self.enlist(base, files=False)), schema(self.sheet)
        for key, text in texts.items():
            if key not in kinds:
                raise stranger(cut(base), "key", key, kinds)
            table[key] = kinds[key].read(text.strip())
            if table[key] == "":
                del table[key]
        return self.enlist(table, files=False)

    def check_file(self, path: str | Path) -> list[str]:
        """The ids of the sheets in a user's file; Invalid for the first that does not fit."""
        tables = read_sheets(path)
        for id, table in tables.items():
            self.sheet.made(read_spec(table, schema(self.sheet), self._tables)[0], f"{path}, {id}")
        return list(tables)

    def fighters(self) -> Mapping[str, SheetT]:
        """The sheets that come with the system by id."""
        return self._fighters

    def catalogue(self) -> Mapping[str, Mapping[str, SheetT]]:
        """The sheets that come with the system by kind and id."""
        if not self.kinds:
            return {"fighters": self.fighters()}
        return {
            called: {id: sheet for id, sheet in self.fighters().items() if getattr(sheet, "kind", None) == kind}
            for kind, called in self.kinds.items()
        }

    def spec_of(self, sheet: SheetT, base: str) -> str:
        """The sheet as an id with the values that differ from it: `maren:discard=3+11:face_down=2`."""
        different = changes(self.fighters()[base].as_table(), sheet.as_table())
        return ":".join([base, *(f"{key}={typed(value)}" for key, value in different.items())])

    def article(self, sheet: SheetT) -> str:
        """The article of a name in a sentence: `the ` before a common name, nothing before a proper name."""
        known = self.fighters().get(sheet.id)
        return "the " if sheet.name.islower() and known is not None and known.name == sheet.name else ""

    @cached_property
    def _fighters(self) -> Mapping[str, SheetT]:
        if isinstance(self.source, str):
            return things_of(self.sheet, self.source, "fighters.toml")
        return {id: self.sheet.made({"id": id, **table}, id) for id, table in self.source.items()}

    @cached_property
    def _tables(self) -> Mapping[str, Table]:
        return {id: sheet.as_table() for id, sheet in self.fighters().items()}
