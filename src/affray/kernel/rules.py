"""Rules and events: plain functions on records and integers, and the events they report."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from affray.kernel.chance import Fell

from affray.errors import Invalid

RuleT = TypeVar("RuleT", bound=Callable[..., Any])

_registered: list[FunctionType] = []
_apart: set[FunctionType] = set()


def rule(function: RuleT) -> RuleT:
    """Mark a function as a rule: it stays a plain function, and `native` may compile it later."""
    assert isinstance(function, FunctionType)
    _registered.append(function)
    return function


def apart(function: RuleT) -> RuleT:
    """Mark a rule that native code calls instead of inlining it.

    For large rules: copies would cost more time to compile than calls cost to run.
    """
    assert isinstance(function, FunctionType)
    _apart.add(function)
    return rule(function)


def stands_apart(function: FunctionType) -> bool:
    """Whether a rule was marked `@apart`."""
    return function in _apart


def registered() -> list[FunctionType]:
    """Every function marked `@rule` so far, in the order of marking."""
    return _registered


def reachable(*entries: Callable[..., Any]) -> tuple[list[FunctionType], list[str]]:
    """The rules that `entries` call, directly or not, and a line for each name that any of them reads.

    The lines say which rule or value the name stands for: with the rules' sources they distinguish one program from
    another, even if the same source is a closure over different rules.
    """
    known = set(_registered)
    rules: dict[FunctionType, None] = {}
    lines: list[str] = []
    waiting = [entry for entry in reversed(entries) if isinstance(entry, FunctionType)]
    while waiting:
        function = waiting.pop()
        if function in rules:
            continue
        rules[function] = None
        for name, value in _read_names(function, function.__code__):
            if isinstance(value, FunctionType) and value in known:
                waiting.append(value)
                lines.append(f"{_address(function)} {name} is {_address(value)}")
            elif isinstance(value, int | tuple):
                lines.append(f"{_address(function)} {name} is {value!r}")
    return list(rules), lines


def unmarked(*entries: Callable[..., Any]) -> list[str]:
    """A line for each of the functions, or of those they call, that is not marked `@rule` and cannot be compiled."""
    known = set(_registered)
    lines = {f"{entry.__name__} is not marked @rule": None for entry in entries if entry not in known}
    for function in reachable(*entries)[0]:
        for name, value in _read_names(function, function.__code__):
            own = isinstance(value, FunctionType) and value.__module__.startswith("affray.kernel.")
            if isinstance(value, FunctionType) and value not in known and not own:
                lines[f"{function.__name__} calls {name}, which is not marked @rule"] = None
    return list(lines)


def _address(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"


def _read_names(function: FunctionType, code: CodeType) -> Iterator[tuple[str, object]]:
    """Every name that the code reads from its module, from a module it names, or from a closure, with its value."""
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            for inner in code.co_names:
                if hasattr(value, inner):
                    yield f"{name}.{inner}", getattr(value, inner)
        elif name in function.__globals__:
            yield name, value
    for inner_code in code.co_consts:
        if isinstance(inner_code, CodeType):
            yield from _read_names(function, inner_code)
    if code is function.__code__:
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            yield name, cell.cell_contents


class Kind(int):
    """A kind of event: for the rules an integer; for the story a sentence, field names and citations."""

    told: str | Callable[..., str]
    fields: tuple[str, ...]
    cites: tuple[str, ...]
    where: Mapping[str, Callable[..., bool]]
    announces: bool
    amounts: bool
    home: Mapping[str, object]
    order: int

    @property
    def name(self) -> str:
        """What the kind was declared as."""
        return next((name for name, value in self.home.items() if value is self), "event")

    # In compiled code every kind is the number 0, whatever is imported before it; in Python each is itself.
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Callable[[str, str], Kind], tuple[str, str]]:
        return _declared, (str(self.home["__name__"]), self.name)


def _declared(module: str, name: str) -> Kind:
    """The kind that a module declares by a name, for other processes that are sent an event."""
    kind = getattr(import_module(module), name)
    assert isinstance(kind, Kind)
    return kind


_order = count()
_FIELD = re.compile(r"\{(\w+)(?::([^}]*))?\}")


def event(
    told: str | Callable[..., str],
    fields: str = "",
    *,
    rule: str = "",
    where: Mapping[str, Callable[..., bool]] | None = None,
    announces: bool = False,
    amounts: bool = False,
) -> Kind:
    """Declare a kind of event: how it is told, its integers by name, and the rules that `why` cites.

    `told` is a sentence with fields in braces: `{who} has {left:point} left.` Fighters (`who`, `target`, `by`) are
    named, a `move` is written as its word, and a noun after a colon is counted: 1 point, 2 points. If that is not
    enough, it is a function of set-up, state and event. `fields` are those of the sentence in their order unless given.
    A rule in `where` is cited only if its function of set-up and event says that it applied.
    With `announces` the sentence says for whom and for what the next throw is, and is not part of the story.
    With `amounts` it tells how much a fighter has lost or has left, which some viewers may not know.
    """
    kind = Kind(0)
    kind.order = next(_order)
    kind.told = told
    named = dict.fromkeys(match[1] for match in _FIELD.finditer(told)) if isinstance(told, str) else ()
    kind.fields = tuple(fields.split() or named)
    kind.cites = tuple(rule.replace(",", " ").split())
    kind.where = where or {}
    kind.announces = announces
    kind.amounts = amounts
    kind.home = sys._getframe(1).f_globals
    return kind


def filled(sentence: str, fill: Callable[[str, str], str]) -> str:
    """A sentence with each field in braces replaced by the result of `fill` for its name and format."""
    return _FIELD.sub(lambda match: fill(match[1], match[2] or ""), sentence)


def kinds_of(*entries: Callable[..., Any]) -> list[Kind]:
    """Every kind of event that rules may emit, in the order of their declarations."""
    read = (value for function in reachable(*entries)[0] for _, value in _read_names(function, function.__code__))
    return sorted({value for value in read if isinstance(value, Kind)}, key=lambda kind: kind.order)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: its kind, its integers, and the dice, coins and cards that fell for it."""

    kind: Kind
    values: tuple[int, ...]
    fell: tuple[Fell, ...] = ()

    def __getattr__(self, name: str) -> int:
        try:
            return self.values[self.kind.fields.index(name)]
        except ValueError:
            raise AttributeError(f"a {self.kind.name} event has no {name!r}") from None


@dataclass(slots=True)
class Log:
    """Collects the events and figures of interpreted rules; `fallen` are the results of the fight's dice."""

    figures: list[list[int]]
    fallen: list[Fell] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    told: int = 0


def emit(log: Log | None, kind: Kind, *values: int) -> None:
    """Report an event. Without a log, and in compiled runs, this costs nothing."""
    if log is not None:
        if len(values) != len(kind.fields):
            raise _miscounted(kind, values)
        fell = tuple(log.fallen[log.told :])
        log.told = len(log.fallen)
        log.events.append(Event(kind, tuple(map(int, values)), fell))


def _miscounted(kind: Kind, values: tuple[int, ...]) -> Invalid:
    caller = sys._getframe(2)
    takes = f"{len(kind.fields)} values ({', '.join(kind.fields)})"
    return Invalid(
        f"{caller.f_code.co_name} emits {kind.name} with {len(values)} values, and it takes {takes}", given=values
    )


def score(log: Log | None, who: int, figure: int, amount: int) -> None:
    """Add to one of a fighter's figures (damage dealt, Health left, ...): interpreted and compiled alike."""
    if log is not None:
        log.figures[who][figure] += amount


def row(length: int) -> list[int]:
    """A scratch row of integers, for rules that list moves; its initial content is undefined.

    It is valid until the same line of the same rule asks for the next one.
    """
    return [0] * length
