"""Items that a sheet itself defines: a fighter's own weapons, items and the like, which no system has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from affray.errors import Invalid, listing
from affray.system.schema import Field, Flag, Schema, Slug, Text, cut, refusal, stranger
from affray.system.sheets import Sheet, described, schema
from affray.system.specs import Table

_UNTYPED = ":;,()"  # what names of things cannot have: specs and teams are typed with it
_THING = re.compile(r"\s*(?P<id>[^()+]*?)\s*\((?P<values>[^()]*)\)\s*(?:\+(?=.)|$)")


@dataclass(frozen=True)
class Own(Field):
    """Items that a sheet itself defines, by id, such as a weapon that no system has: each is a sheet of a class.

    One that names a `base` among the `known`, which come with the system, says only what is different.
    """

    sheet: type[Sheet]
    known: Mapping[str, Sheet]
    of: str
    most: int

    def allows(self) -> str:
        return f"a table of at most {self.most} {{ {self.of} = {{ its values }} }}"

    def take(self, value: object, label: str) -> dict[str, Sheet]:
        if not isinstance(value, Mapping) or len(value) > self.most:
            raise refusal(label, value, self.allows())
        taken: dict[str, Sheet] = {}
        for id, table in value.items():
            thing = self._made(Slug().take(id, f"{label}: id"), table, f"{label}.{id}")
            for other in (*self.known.values(), *taken.values()):
                if other.name.casefold() == thing.name.casefold():
                    raise refusal(f"{label}.{id}: name", thing.name, f"unlike that of {other.id}")
            taken[thing.id] = thing
        return taken

    def _made(self, id: str, table: object, label: str) -> Sheet:
        if id in self.known:
            raise Invalid(f"{label}: the system already has such a {self.of}; choose another id", given=id)
        if not isinstance(table, Mapping):
            raise refusal(label, table, f"a table with the keys {listing(schema(self.sheet))}")
        base: Table = {}
        if "base" in table:
            named = str(table["base"])
            if named not in self.known:
                raise stranger(label, self.of, named, self.known)
            base = self.known[named].as_table()
        said = {key: value for key, value in table.items() if key != "base"}
        thing = self.sheet.made({**base, "name": _called(id), **said, "id": id}, label)
        if any(sign in thing.name for sign in _UNTYPED):
            raise refusal(f"{label}: name", thing.name, f"text without {' '.join(_UNTYPED)}")
        return thing

    def read(self, text: str) -> object:
        """`cane (base torch; damage 1D8+1)+flail (base large-club; impales)`; no text at all is the empty table."""
        things: dict[str, object] = {}
        kinds, at = {"base": Text(), **schema(self.sheet)}, 0
        while at < len(text.rstrip()):
            found = _THING.match(text, at)
            if found is None or not found["id"]:
                problem = f"{cut(text[at:])!r} must be typed as  id (key value; key value)"
                raise Invalid(problem, given=text)
            if found["id"] in things:
                raise Invalid(f"{cut(text)!r} names {cut(found['id'])} twice", given=text)
            things[found["id"]] = _typed_values(found["values"], kinds, found["id"])
            at = found.end()
        return things

    def plain(self, value: object) -> object:
        assert isinstance(value, Mapping)
        return {id: self._said(id, thing) for id, thing in value.items()}

    def _said(self, id: str, thing: Sheet) -> dict[str, object]:
        """What a table must say about an item: everything except its id and its defaults."""
        usual = {key: default for key, _, default, _ in described(self.sheet)} | {"id": id, "name": _called(id)}
        return {key: said for key, said in thing.as_table().items() if getattr(thing, key) != usual[key]}


def _called(id: str) -> str:
    """The name of an item that has only an id."""
    return id.replace("-", " ")


def _typed_values(text: str, kinds: Schema, id: str) -> dict[str, object]:
    """`base torch; damage 1D8+1; impales` as a table; a flag without a value is on."""
    values: dict[str, object] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        key, _, value = part.partition(" ")
        if key not in kinds:
            raise stranger(cut(id), "key", key, kinds)
        if key in values:
            raise Invalid(f"{cut(id)}: {key} is given twice", given=text)
        values[key] = kinds[key].read(value.strip() or ("on" if isinstance(kinds[key], Flag) else ""))
    return values
