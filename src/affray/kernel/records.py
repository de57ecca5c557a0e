"""Records: a fight's state as small integers and fixed arrays, declared once for Python and for native code."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, TypeVar, cast, dataclass_transform, get_type_hints

from affray.errors import Invalid

RecordT = TypeVar("RecordT")


@dataclass(frozen=True)
class Cell:
    """One integer; `code` is its `struct` letter."""

    code: str

    def __str__(self) -> str:
        return {"b": "I8", "h": "I16", "i": "I32", "q": "I64"}[self.code]


@dataclass(frozen=True)
class Cells:
    """A fixed row of integers."""

    code: str
    length: int

    def __str__(self) -> str:
        return f"{self.length} x {Cell(self.code)}"


@dataclass(frozen=True)
class PerFighter:
    """One cell or one nested record for each fighter of the roster."""

    of: Cell | type[Any]

    def __str__(self) -> str:
        return f"{self.of if isinstance(self.of, Cell) else self.of.__name__} for each fighter"


SLOTS = (2, 8, 62)
"""The size classes of compiled records. Duels have their own, whose loops over the fighters can be unrolled."""
ROSTER = "roster"
"""The field of a compiled record with the number of slots in use."""


@cache
def slots_for(fighters: int) -> int:
    """The size class for a number of fighters: the smallest that has a slot for each."""
    return next(slots for slots in SLOTS if slots == fighters or (slots > fighters and not is_full(slots)))


def is_full(slots: int) -> bool:
    """Whether all slots of a size class are always in use."""
    return slots == SLOTS[0]


I8 = Annotated[int, Cell("b")]
I16 = Annotated[int, Cell("h")]
I32 = Annotated[int, Cell("i")]
I64 = Annotated[int, Cell("q")]


_shapes: dict[type[Any], tuple[tuple[str, Cell | Cells | PerFighter], ...]] = {}
_plans: dict[tuple[type[Any], int], _Plan] = {}
_blanks: dict[tuple[type[Any], int], Any] = {}
_copiers: dict[type[Any], Callable[[Any], Any]] = {}
_flatteners: dict[type[Any], Callable[[Any], Any]] = {}
_first_rows: dict[type[Any], str] = {}  # the first field that has something for each fighter


def cell(says: str) -> Any:
    """A field of a record with a description, for names that are not clear by themselves."""
    return field(metadata={"says": says})


@dataclass_transform(field_specifiers=(cell,))
def record(cls: type[RecordT]) -> type[RecordT]:
    """Make a class a record: every annotation is an `I8`..`I64`, a `Cells` row or a `PerFighter` list."""
    return dataclass(slots=True)(cls)


def shape(cls: type[Any]) -> tuple[tuple[str, Cell | Cells | PerFighter], ...]:
    """The fields of a record class with what is in each."""
    if cls not in _shapes:
        hints = get_type_hints(cls, include_extras=True)
        _shapes[cls] = tuple((f.name, hints[f.name].__metadata__[0]) for f in fields(cls))
    return _shapes[cls]


def described(cls: type[Any]) -> list[tuple[str, str, str]]:
    """Every field of a record class, for a table: its name, what is in it, and what it means."""
    says = {part.name: part.metadata.get("says", "") for part in fields(cls)}
    return [(name, str(part), says[name]) for name, part in shape(cls)]


def blank(cls: type[RecordT], fighters: int) -> RecordT:
    """A record of zeros for a roster of that many fighters."""
    if (cls, fighters) not in _blanks:
        _blanks[cls, fighters] = _zeros(cls, fighters)
    return cast(RecordT, copy(_blanks[cls, fighters]))


def _zeros(cls: type[Any], fighters: int) -> Any:
    values: list[object] = []
    for _, part in shape(cls):
        match part:
            case Cell():
                values.append(0)
            case Cells(length=length):
                values.append([0] * length)
            case PerFighter(of=Cell()):
                values.append([0] * fighters)
            case PerFighter(of=nested):
                values.append([_zeros(nested, fighters)] * fighters)  # type: ignore[arg-type]
    return cls(*values)


def copy(original: RecordT) -> RecordT:
    """An independent copy."""
    cls = type(original)
    return cast(RecordT, (_copiers.get(cls) or _written(cls, _copiers))(original))


def pack(original: object) -> bytes:
    """The record's bytes, so that equal states have equal bytes."""
    cls = type(original)
    numbers = (_flatteners.get(cls) or _written(cls, _flatteners))(original)
    try:
        return struct.pack(f"<{_plan(cls, roster(original)).letters}", *numbers)
    except struct.error as error:
        raise Invalid(f"a number of the record does not fit its field: {error}") from None


def pack_slots(original: object) -> bytes:
    """The bytes of the record's compiled twin, which has room for as many fighters as its size class."""
    fighters = roster(original)
    slots = slots_for(fighters)
    packed = pack(original if slots == fighters else _resized(original, slots))
    return packed if is_full(slots) else packed + bytes(-len(packed) % 8) + struct.pack("<q", fighters)


def unpack_slots(cls: type[RecordT], fighters: int, data: bytes) -> RecordT:
    """The record from bytes that compiled code made."""
    slots = slots_for(fighters)
    made = unpack(cls, slots, data[: _plan(cls, slots).size])
    return made if slots == fighters else cast(RecordT, _resized(made, fighters))


def _resized(original: Any, fighters: int) -> Any:
    """A copy for another number of fighters: those beyond it are cut off, new ones are all zero."""
    made = copy(original)
    for name, part in shape(type(made)):
        if isinstance(part, PerFighter):
            kept = getattr(made, name)[:fighters]
            if not isinstance(part.of, Cell):
                kept = [_resized(item, fighters) for item in kept]
            setattr(made, name, kept + getattr(blank(type(made), fighters), name)[len(kept) :])
    return made


def _written(cls: type[Any], wanted: dict[type[Any], Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Write out a record class's copier and flattener field by field, as dataclasses write theirs.

    Interpreted play copies and packs a state at every decision; a loop over the fields takes five times as long.
    """
    copied, flat = [], []
    names: dict[str, Any] = {"new": cls.__new__, "cls": cls}
    for name, part in shape(cls):
        if isinstance(part, Cell):
            copied.append(f"made.{name} = one.{name}")
            flat.append(f"one.{name}")
        elif isinstance(part, PerFighter) and not isinstance(part.of, Cell):
            names |= {f"copy_{name}": _written(part.of, _copiers), f"flat_{name}": _flatteners[part.of]}
            copied.append(f"made.{name} = [copy_{name}(item) for item in one.{name}]")
            flat.append(f"*[number for item in one.{name} for number in flat_{name}(item)]")
        else:
            copied.append(f"made.{name} = one.{name}.copy()")
            flat.append(f"*one.{name}")
    body = "\n    ".join(["made = new(cls)", *copied, "return made"])
    exec(f"def copier(one):\n    {body}\ndef flattener(one):\n    return ({', '.join(flat)},)", names)
    _copiers[cls], _flatteners[cls] = names["copier"], names["flattener"]
    return wanted[cls]


def unpack(cls: type[RecordT], fighters: int, data: bytes) -> RecordT:
    """The record from bytes that `pack` or native code made."""
    made = blank(cls, fighters)
    _fill(made, iter(struct.unpack(f"<{_plan(cls, fighters).letters}", data)))
    return made


def as_table(original: Any) -> dict[str, Any]:
    """The record as plain JSON values."""
    table: dict[str, Any] = {}
    for name, part in shape(type(original)):
        value = getattr(original, name)
        nested = isinstance(part, PerFighter) and not isinstance(part.of, Cell)
        table[name] = [as_table(item) for item in value] if nested else value.copy() if type(value) is list else value
    return table


def layout(cls: type[Any], fighters: int) -> Any:
    """The record as a NumPy dtype description: little-endian, every cell where a C compiler would put it."""
    plan = _plan(cls, fighters)
    return {
        "names": [place.name for place in plan.places],
        "formats": [place.format(fighters) for place in plan.places],
        "offsets": [place.offset for place in plan.places],
        "itemsize": plan.size,
    }


def layout_slots(cls: type[Any], slots: int) -> Any:
    """The layout of the record's compiled twin: if its slots need not all be in use, their number comes last."""
    described = layout(cls, slots)
    if is_full(slots):
        return described
    at = described["itemsize"] + -described["itemsize"] % 8
    return {
        "names": [*described["names"], ROSTER],
        "formats": [*described["formats"], "<i8"],
        "offsets": [*described["offsets"], at],
        "itemsize": at + 8,
    }


def numbers(cls: type[Any], fighters: int, slots: int) -> Iterator[tuple[str, str, int]]:
    """Every number of a record for so many fighters: its name, its letter, and its place in the bytes of a size class.

    Names are joined by dots, with places counted from 0: `fighters.1.health`.
    """
    for (name, part), place in zip(shape(cls), _plan(cls, slots).places, strict=True):
        size = _plan(place.of, slots).size if not isinstance(place.of, Cell) else _WIDTHS[place.of.code]
        for each in range(fighters if isinstance(part, PerFighter) else place.count):
            called = f"{name}.{each}" if place.is_row else name
            at = place.offset + each * size
            if isinstance(place.of, Cell):
                yield called, place.of.code, at
            else:
                inner = numbers(place.of, fighters, slots)
                yield from ((f"{called}.{deep}", letter, at + offset) for deep, letter, offset in inner)


def per_fighter(cls: type[Any]) -> list[str]:
    """The fields of a record class that have an entry for each fighter."""
    return [name for name, part in shape(cls) if isinstance(part, PerFighter)]


_WIDTHS = {"b": 1, "h": 2, "i": 4, "q": 8}


@dataclass(frozen=True)
class _Place:
    """The position of a field in the bytes of its record."""

    name: str
    of: Cell | type[Any]
    count: int
    is_row: bool
    offset: int

    def format(self, fighters: int) -> Any:
        """The field as NumPy describes it."""
        one: Any = f"<i{_WIDTHS[self.of.code]}" if isinstance(self.of, Cell) else layout(self.of, fighters)
        return (one, (self.count,)) if self.is_row else one


@dataclass(frozen=True)
class _Plan:
    """The places of a record's fields, its size with padding, and what it must be aligned to."""

    places: tuple[_Place, ...]
    letters: str
    size: int
    alignment: int


def _plan(cls: type[Any], fighters: int) -> _Plan:
    if (cls, fighters) not in _plans:
        _plans[cls, fighters] = _planned(cls, fighters)
    return _plans[cls, fighters]


def _planned(cls: type[Any], fighters: int) -> _Plan:
    places: list[_Place] = []
    letters, at, alignment = "", 0, 1
    for name, part in shape(cls):
        of, count = _of_each(part, fighters)
        inner = None if isinstance(of, Cell) else _plan(of, fighters)
        width, size = (inner.alignment, inner.size) if inner else (_WIDTHS[of.code],) * 2
        padding = -at % width
        letters += "x" * padding + (inner.letters if inner else of.code) * count
        places.append(_Place(name, of, count, not isinstance(part, Cell), at + padding))
        at += padding + size * count
        alignment = max(alignment, width)
    padding = -at % alignment
    return _Plan(tuple(places), letters + "x" * padding, at + padding, alignment)


def _of_each(part: Cell | Cells | PerFighter, fighters: int) -> tuple[Any, int]:
    """What a field holds, and how many of it."""
    match part:
        case Cell():
            return part, 1
        case Cells(code=code, length=length):
            return Cell(code), length
        case PerFighter(of=each):
            return each, fighters


def roster(original: Any) -> int:
    """How many fighters a record is for."""
    cls = type(original)
    if cls not in _first_rows:
        _first_rows[cls] = next((name for name, part in shape(cls) if isinstance(part, PerFighter)), "")
    return len(getattr(original, _first_rows[cls])) if _first_rows[cls] else 0


def _fill(made: Any, numbers: Any) -> None:
    for name, part in shape(type(made)):
        value = getattr(made, name)
        if type(value) is not list:
            setattr(made, name, next(numbers))
        elif isinstance(part, PerFighter) and not isinstance(part.of, Cell):
            for item in value:
                _fill(item, numbers)
        else:
            value[:] = [next(numbers) for _ in value]
