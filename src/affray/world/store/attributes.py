"""Typed attributes: what `strength[INTEGER]=5` means, which values a type has, and how it is written back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from affray.errors import Invalid
from affray.system.schema import cut

Type = Literal["STRING", "INTEGER", "FLOAT", "BOOLEAN"]
Value = str | int | float | bool
TYPES: tuple[Type, ...] = get_args(Type)

LONGEST = 4000
LOWEST, HIGHEST = -(2**63), 2**63 - 1
FORM = "name[TYPE]=value"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,63}")
NAME_RULE = "a letter or _, then letters, digits, _ and ., up to 64 characters in all"
WRITTEN = re.compile(r"(?P<name>[^\[\]=]*)(?:\[(?P<type>[^\[\]=]*)\])?\s*=(?P<value>.*)", re.DOTALL)
WHOLE = re.compile(r"[+-]?[0-9]{1,40}")  # far more digits than fit are not even read
DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,5})?")
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
ALLOWED: Mapping[Type, str] = {
    "STRING": f"printable text of up to {LONGEST} characters",
    "INTEGER": f"a whole number from {LOWEST} to {HIGHEST}",
    "FLOAT": "a decimal number such as 2.5 or -1e3",
    "BOOLEAN": "true or false (also yes, no, on, off)",
}


@dataclass(frozen=True)
class Attribute:
    """Something that is known about an account: a name as it was first written, a type, and a value of that type."""

    name: str
    type: Type
    value: Value


def parse(text: str, known: Mapping[str, Attribute] | None = None) -> Attribute:
    """The attribute that a line sets; `known` are those there are, by folded name.

    One that is known keeps its name, and its type too unless another is written.
    """
    split = WRITTEN.fullmatch(text)
    if split is None:
        raise Invalid(f"{cut(text)!r} is not of the form  {FORM}", given=text, allowed=[FORM])
    name, asked = split["name"].strip(), split["type"]
    if not NAME.fullmatch(name):
        problem = f"{cut(name)!r} cannot be the name of an attribute; it must be {NAME_RULE}"
        raise Invalid(problem, given=name, allowed=[NAME_RULE])
    before = (known or {}).get(name.casefold())
    if asked is None and before is None:
        problem = f"{name} is new, so it needs a type: {name}[TYPE]=value, where TYPE is one of {', '.join(TYPES)}"
        raise Invalid(problem, given=text, allowed=TYPES)
    wanted = before.type if before and asked is None else asked.strip().upper()
    type = next((known for known in TYPES if known == wanted), None)
    if type is None:
        problem = f"{name} cannot be of type {cut(asked)!r}; the types are {', '.join(TYPES)}"
        raise Invalid(problem, given=asked, allowed=TYPES)
    return Attribute(before.name if before else name, type, read_value(name, type, split["value"]))


def read_value(name: str, type: Type, text: str) -> Value:
    """What a text says as a value of a type."""
    value: Value | None = None
    match type:
        case "STRING":
            value = text if len(text) <= LONGEST and text.isprintable() else None
        case "INTEGER":
            whole = int(text) if WHOLE.fullmatch(text.strip()) else HIGHEST + 1
            value = whole if LOWEST <= whole <= HIGHEST else None
        case "FLOAT":
            decimal = float(text) if DECIMAL.fullmatch(text.strip()) else math.inf
            value = decimal if math.isfinite(decimal) else None
        case "BOOLEAN":
            value = TRUTH.get(text.strip().lower())
    if value is None:
        raise Invalid(
            f"{name} is of type {type}, and {cut(text)!r} is not {ALLOWED[type]}", given=text, allowed=[ALLOWED[type]]
        )
    return value


def stored(attribute: Attribute) -> str:
    """The value of an attribute as text, from which `read_value` makes the same again."""
    value = attribute.value
    return str(value).lower() if isinstance(value, bool) else str(value)


def written(attribute: Attribute) -> str:
    """The attribute as it is typed to set it: `strength[INTEGER]=5`."""
    return f"{attribute.name}[{attribute.type}]={stored(attribute)}"
