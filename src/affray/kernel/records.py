"""Records: a fight's state as small integers and fixed arrays, declared once for Python and for native code."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar, cast, dataclass_transform, get_type_hints

from affray.errors import Invalid

RecordT = TypeVar("RecordT")


@dataclass(frozen=True)
class Cell:
    """One integer; `code` is its `struct` letter."""

    code: str


@dataclass(frozen=True)
class Cells:
    """A fixed row of integers."""

    code: str
    length: int


@dataclass(frozen=True)
class PerFighter:
    """One cell or one nested record for each fighter of the roster."""

    of: Cell | type[Any]


I8 = Annotated[int, Cell("b")]
I16 = Annotated[int, Cell("h")]
I32 = Annotated[int, Cell("i")]
I64 = Annotated[int, Cell("q")]


_shapes: dict[type[Any], tuple[tuple[str, Cell | Cells | PerFighter], ...]] = {}
_formats: dict[tuple[type[Any], int], str] = {}
_copiers: dict[type[Any], Callable[[Any], Any]] = {}
_flatteners: dict[type[Any], Callable[[Any], Any]] = {}


@dataclass_transform()
def record(cls: type[RecordT]) -> type[RecordT]:
    """Make a class a record: every annotation is an `I8`..`I64`, a `Cells` row or a `PerFighter` list."""
    return dataclass(slots=True)(cls)


def shape(cls: type[Any]) -> tuple[tuple[str, Cell | Cells | PerFighter], ...]:
    """The fields of a record class with what is in each."""
    if cls not in _shapes:
        hints = get_type_hints(cls, include_extras=True)
        _shapes[cls] = tuple((f.name, hints[f.name].__metadata__[0]) for f in fields(cls))
    return _shapes[cls]


def blank(cls: type[RecordT], fighters: int) -> RecordT:
    """A record of zeros for a roster of that many fighters."""
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
                values.append([blank(nested, fighters) for _ in range(fighters)])  # type: ignore[arg-type]
    return cls(*values)


def copy(original: RecordT) -> RecordT:
    """An independent copy."""
    cls = type(original)
    return cast(RecordT, (_copiers.get(cls) or _written(cls, _copiers))(original))


def pack(original: object) -> bytes:
    """The record's bytes: exactly those of its native twin, so equal states have equal bytes."""
    cls = type(original)
    numbers = (_flatteners.get(cls) or _written(cls, _flatteners))(original)
    try:
        return struct.pack(_format(cls, _roster(original)), *numbers)
    except struct.error as error:
        raise Invalid(f"a number of the record does not fit its field: {error}") from None


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
    """The record that `pack` or native code made these bytes of."""
    made = blank(cls, fighters)
    _fill(made, iter(struct.unpack(_format(cls, fighters), data)))
    return made


def as_table(original: Any) -> dict[str, Any]:
    """The record as plain JSON values."""
    table: dict[str, Any] = {}
    for name, part in shape(type(original)):
        value = getattr(original, name)
        nested = isinstance(part, PerFighter) and not isinstance(part.of, Cell)
        table[name] = [as_table(item) for item in value] if nested else value.copy() if type(value) is list else value
    return table


def layout(cls: type[Any], fighters: int) -> list[tuple[Any, ...]]:
    """The record as a NumPy dtype description (packed, little-endian), padded to whole 64-bit words."""
    described = _described(cls, fighters)
    spare = -struct.calcsize("<" + _letters(cls, fighters)) % 8
    return [*described, ("spare", "u1", (spare,))] if spare else described


_NUMPY = {"b": "<i1", "h": "<i2", "i": "<i4", "q": "<i8"}


def _described(cls: type[Any], fighters: int) -> list[tuple[Any, ...]]:
    described: list[tuple[Any, ...]] = []
    for name, part in shape(cls):
        match part:
            case Cell(code=code):
                described.append((name, _NUMPY[code]))
            case Cells(code=code, length=length):
                described.append((name, _NUMPY[code], (length,)))
            case PerFighter(of=Cell(code=code)):
                described.append((name, _NUMPY[code], (fighters,)))
            case PerFighter(of=nested):
                described.append((name, _described(nested, fighters), (fighters,)))  # type: ignore[arg-type]
    return described


def _letters(cls: type[Any], fighters: int) -> str:
    letters = ""
    for _, part in shape(cls):
        match part:
            case Cell(code=code):
                letters += code
            case Cells(code=code, length=length):
                letters += code * length
            case PerFighter(of=Cell(code=code)):
                letters += code * fighters
            case PerFighter(of=nested):
                letters += _letters(nested, fighters) * fighters  # type: ignore[arg-type]
    return letters


def _format(cls: type[Any], fighters: int) -> str:
    if (cls, fighters) not in _formats:
        letters = _letters(cls, fighters)
        _formats[cls, fighters] = f"<{letters}{-struct.calcsize('<' + letters) % 8}x"
    return _formats[cls, fighters]


def _roster(original: Any) -> int:
    for name, part in shape(type(original)):
        if isinstance(part, PerFighter):
            return len(getattr(original, name))
    return 0


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
