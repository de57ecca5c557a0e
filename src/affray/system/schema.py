"""Sheets and options as declared fields: what a key may hold, and the error message for what does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, listing, unknown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Value = int | str | bool
"""What an option can be set to."""

_SPELLINGS = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LARGEST_FILE = 1_000_000


def cut(text: str, most: int = 60) -> str:
    """The text, shortened if it would fill the whole message."""
    return text if len(text) <= most else text[: most - 3] + "..."


def shown(value: object) -> str:
    """A value as an error message quotes it."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return cut(repr(value))
    except (ValueError, RecursionError):  # a number of thousands of digits, a list nested without end
        return f"an oversized {type(value).__name__}"


@lru_cache(maxsize=1024)
def slug(text: str) -> str:
    """An id made from any text: lowercase letters and digits, with dashes between the words."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip("-")


def refusal(label: str, value: object, allowed: str) -> Invalid:
    """The error for a value out of bounds; `label` says where it stands and under which key."""
    return Invalid(f"{label} must be {allowed}, not {shown(value)}", given=value, allowed=(allowed,))


def stranger(label: str, what: str, given: str, names: Iterable[str]) -> Invalid:
    """The error for a word that is not among the known ones; the nearest are offered."""
    known = tuple(names)
    problem = unknown(what, cut(given), known)
    return Invalid(f"{label}: {problem}" if label else problem, given=given, allowed=known)


# Kinds of fields


class Field:
    """What one key of a table may hold."""

    def allows(self) -> str:
        """The allowed values, as text."""
        raise NotImplementedError

    def take(self, value: object, label: str) -> object:
        """The value as it will be used; `Invalid` when it does not fit. `label` opens the error message."""
        raise NotImplementedError

    def read(self, text: str) -> object:
        """The value that typed text means; `take` still has to check it."""
        return text

    def plain(self, value: object) -> object:
        """A checked value, as tables and files have it."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Whole(Field):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def allows(self) -> str:
        return f"{self.low} to {self.high}" if self.low < self.high else str(self.low)

    def take(self, value: object, label: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise refusal(label, value, f"a whole number, {self.allows()}")
        if not self.low <= value <= self.high:
            raise refusal(label, value, self.allows())
        return value

    def read(self, text: str) -> object:
        return int(text) if _NUMBER.fullmatch(text) else text


@dataclass(frozen=True)
class Flag(Field):
    """On or off; files may also say true or false."""

    def allows(self) -> str:
        return "on or off"

    def take(self, value: object, label: str) -> bool:
        meant = self.read(value) if isinstance(value, str) else value
        if not isinstance(meant, bool):
            raise refusal(label, value, self.allows())
        return meant

    def read(self, text: str) -> object:
        return _SPELLINGS.get(text.strip().lower(), text)


@dataclass(frozen=True)
class Word(Field):
    """One of a few words."""

    allowed: tuple[str, ...]

    def allows(self) -> str:
        return " or ".join(self.allowed)

    def take(self, value: object, label: str) -> str:
        if not isinstance(value, str):
            raise refusal(label, value, self.allows())
        if value not in self.allowed:
            raise stranger(label, "choice", value, self.allowed)
        return value


@dataclass(frozen=True)
class Text(Field):
    """Free text on one line: printable, so that no name can smuggle control codes onto a screen."""

    most: int = 200

    def allows(self) -> str:
        return f"text on one line, 1 to {self.most} characters"

    def take(self, value: object, label: str) -> str:
        if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value.strip()) <= self.most:
            raise refusal(label, value, self.allows())
        return value.strip()


@dataclass(frozen=True)
class Slug(Field):
    """An id: lowercase letters and digits, with dashes between the words."""

    def allows(self) -> str:
        return "an id of lowercase letters, digits and dashes"

    def take(self, value: object, label: str) -> str:
        if not isinstance(value, str) or len(value) > 40 or not _SLUG.fullmatch(value):
            raise refusal(label, value, self.allows())
        return value


@dataclass(frozen=True)
class Amounts(Field):
    """A table from known keys to whole numbers: damage by type, abilities with their number, shares of a whole."""

    keys: tuple[str, ...]
    low: int
    high: int
    of: str = "key"
    flags: frozenset[str] = frozenset()  # keys that are on or off: the only number allowed is 1
    total: int | None = None  # what the numbers must add up to
    bare: bool = True  # whether a key may be typed without a number, which then is 1

    def allows(self) -> str:
        return f"a table {{ {self.of} = {self.low} to {self.high} }}"

    def take(self, value: object, label: str) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise refusal(label, value, self.allows())
        taken: dict[str, int] = {}
        for key, amount in value.items():
            if key not in self.keys:
                raise stranger(label, self.of, str(key), self.keys)
            bounds = Whole(1, 1) if key in self.flags else Whole(self.low, self.high)
            taken[key] = bounds.take(amount, f"{label}.{key}")
        if self.total is not None and sum(taken.values()) != self.total:
            raise Invalid(f"{label} must add up to {self.total}, not {sum(taken.values())}", given=value)
        return {key: taken[key] for key in self.keys if key in taken}

    def read(self, text: str) -> object:
        """`fire 2+wind 1`; a key without a number counts once, an empty text is the empty table."""
        amounts: dict[str, object] = {}
        for part in text.split("+") if text.strip() else ():
            key, number = _counted(part.strip())
            if not self.bare and key == part.strip():
                raise Invalid(f"{cut(key)} needs a number, such as {cut(key)} {self.high // 2}", given=text)
            if key in amounts:
                raise Invalid(f"{cut(text)!r} names {cut(key)} twice", given=text)
            amounts[key] = number
        return amounts


@dataclass(frozen=True)
class Names(Field):
    """A list of known names. `known` may be a function, so that data files can refer to each other; None: any id."""

    known: Sequence[str] | Callable[[], Iterable[str]] | None
    of: str = "name"
    most: int = 40

    def allows(self) -> str:
        return f"a list of at most {self.most} ids ({self.of})"

    def take(self, value: object, label: str) -> list[str]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise refusal(label, value, self.allows())
        known = None if self.known is None else tuple(self.known() if callable(self.known) else self.known)
        return [self._one(name, known, label) for name in value]

    def _one(self, name: object, known: tuple[str, ...] | None, label: str) -> str:
        if known is None or not isinstance(name, str):
            return Slug().take(name, label)
        if name not in known:
            raise stranger(label, self.of, name, known)
        return name

    def read(self, text: str) -> object:
        """`torch+leather-vest`; an empty text is the empty list."""
        return [part.strip() for part in text.split("+")] if text.strip() else []


@dataclass(frozen=True)
class Shaped(Field):
    """The values of another field, converted to the form in which they are used."""

    field: Field
    shape: Callable[[Any], object]

    def allows(self) -> str:
        return self.field.allows()

    def take(self, value: object, label: str) -> object:
        return self.shape(self.field.take(value, label))

    def read(self, text: str) -> object:
        return self.field.read(text)


def _counted(text: str) -> tuple[str, int]:
    """`fire 2` as a name and its number; a name alone counts once."""
    name, _, number = text.rpartition(" ")
    return (name.strip(), int(number)) if name and _NUMBER.fullmatch(number) else (text, 1)


# Tables and files

Schema = Mapping[str, Field]


def check(
    schema: Schema,
    table: object,
    where: str,
    required: Iterable[str] = (),
    labels: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, object]:
    """The table with every value checked, keys in the schema's order; `Invalid` names the first thing that is wrong.

    A message calls a key by its label, if it has one.
    """
    if not isinstance(table, Mapping):
        raise Invalid(f"{where} must be a table with the keys {listing(schema)}, not {shown(table)}", given=table)
    for key in table:
        if key not in schema:
            raise stranger(where, "key", str(key), schema)
    for key in required:
        if key not in table:
            raise Invalid(f"{where}: {key} is missing; it must be {schema[key].allows()}", allowed=(key,))
    return {
        key: field.take(table[key], f"{where}: {labels.get(key, key)}") for key, field in schema.items() if key in table
    }


def load_toml(path: Traversable | Path | str, name: str | None = None) -> dict[str, object]:
    """The content of a TOML file; `Invalid` names file and line if it cannot be read. `name` is used in messages."""
    import tomllib

    file = Path(path) if isinstance(path, str) else path
    called = name or str(path)
    text = _read_text(file, called)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem, line = _located(str(error), text)
        raise Invalid(f"{called}, line {line}: this is not TOML: {problem}", given=called) from None
    except (ValueError, RecursionError):
        raise Invalid(f"{called} has a number that is too long, or lists nested too deeply", given=called) from None


def _read_text(file: Traversable | Path, called: str) -> str:
    try:
        with file.open("rb") as stream:
            raw: bytes = stream.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise Invalid(f"{called} cannot be read: {error.strerror or error}", given=called) from None
    except ValueError:  # a path with a null byte, or one that the file system cannot spell
        raise Invalid(f"{shown(called)} is not the name of a file", given=called) from None
    if len(raw) > _LARGEST_FILE:
        raise Invalid(f"{called} is too large; it must have at most {_LARGEST_FILE} bytes", given=called)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Invalid(f"{called}, line {line}: byte 0x{raw[error.start]:02x} is not UTF-8", given=called) from None


def _located(message: str, text: str) -> tuple[str, int]:
    """tomllib's message without the position, and the line that it is about."""
    problem, _, place = message.rpartition(" (at ")
    numbered = re.match(r"line (\d+)", place)
    line = int(numbered[1]) if numbered else text.rstrip("\n").count("\n") + 1
    return (problem or message), line


# Options and rulings


@dataclass(frozen=True)
class Option:
    """A rule that the players of a fight may set differently; `ruling` is the id of the rule that it changes."""

    name: str
    field: Whole | Word | Flag
    default: Value
    help: str
    ruling: str
    earlier: Value | None = None
    """The value for fights from before the option existed, if it is not the default."""


def as_before(options: Sequence[Option]) -> dict[str, Value]:
    """The values of options that a log does not name because it is older than they are."""
    return {option.name: option.earlier for option in options if option.earlier is not None}


def allowed(option: Option) -> str:
    """The option's allowed values as text: `0 to 30`, `on or off`, `none or half or full`."""
    return option.field.allows()


def as_text(value: Value) -> str:
    """An option's value as it is typed: `on`, `200`, `half`."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def settle(
    options: Sequence[Option],
    given: Mapping[str, object],
    *,
    profile: str | None = None,
    profiles: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, Value]:
    """Every option with its value: the default, unless the profile or `given` sets another, also as typed text.

    If there are profiles, `given` may name one as `profile`. Settling the result again does not change it.
    """
    asked = dict(given)
    if profiles and "profile" in asked:
        profile = str(asked.pop("profile"))
    settled: dict[str, Value] = {option.name: option.default for option in options}
    if profile is not None:
        if profile not in (profiles or {}):
            raise stranger("", "profile", profile, profiles or ())
        settled |= _taken(options, (profiles or {})[profile])
    return settled | _taken(options, asked)


def _taken(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    fields = {option.name: option.field for option in options}
    taken: dict[str, Value] = {}
    for name, value in given.items():
        if name not in fields:
            raise stranger("", "option", str(name), fields)
        meant = fields[name].read(value.strip()) if isinstance(value, str) else value
        taken[name] = fields[name].take(meant, f"option {name}")
    return taken


@dataclass(frozen=True)
class Ruling:
    """One rule in our own words: what it answers, whether the document says so, the options that change it."""

    id: str
    question: str
    text: str
    source: str
    options: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    """Settings of options, such as `range=off`, with which the ruling does not apply."""

    def in_force(self, options: Mapping[str, Value]) -> bool:
        """Whether it applies to a fight with these options."""
        excepted = (setting.partition("=") for setting in self.unless)
        return not any(as_text(options[name]) == value for name, _, value in excepted)

    def settings(self, known: Sequence[Option], options: Mapping[str, Value]) -> list[str]:
        """The settings of the options that change it, if they differ from the usual ones: `round_cap=50`."""
        changed = [o for o in known if o.name in self.options and options.get(o.name, o.default) != o.default]
        return [f"{option.name}={as_text(options[option.name])}" for option in changed]


def _settings(option: Option) -> list[str]:
    """The settings of an option that a ruling may list in `unless`: its words, on or off, or a number's minimum."""
    match option.field:
        case Word(allowed):
            values: Sequence[Value] = allowed
        case Whole(low):
            values = (low,)
        case _:
            values = (True, False)
    return [f"{option.name}={as_text(value)}" for value in values]


def read_rulings(
    path: Traversable | Path | str, options: Sequence[Option], name: str | None = None
) -> dict[str, Ruling]:
    """The rulings of a file of `[[ruling]]` tables by id, in the file's order."""
    called = name or str(path)
    schema: Schema = {
        "id": Slug(),
        "question": Text(120),
        "text": Text(1000),
        "source": Word(("document", "house rule")),
        "options": Names([option.name for option in options], of="option"),
        "unless": Names([setting for option in options for setting in _settings(option)], of="setting"),
    }
    listed = load_toml(path, called).get("ruling")
    if not isinstance(listed, list):
        raise refusal(f"{called}: ruling", listed, "a list of [[ruling]] tables")
    rulings: dict[str, Ruling] = {}
    for number, table in enumerate(listed, 1):
        checked = check(schema, table, f"{called}, ruling {number}", ("id", "question", "text", "source"))
        checked |= {key: tuple(value) for key, value in checked.items() if isinstance(value, list)}
        ruling = Ruling(**checked)  # type: ignore[arg-type]
        if ruling.id in rulings:
            raise Invalid(f"{called}, ruling {number}: the id {ruling.id} is taken", given=ruling.id)
        rulings[ruling.id] = ruling
    return rulings
