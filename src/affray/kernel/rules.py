"""Rules and events: plain functions on records and integers, and the small things they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

RuleT = TypeVar("RuleT", bound=Callable[..., Any])

_registered: list[FunctionType] = []
_apart: set[FunctionType] = set()


def rule(function: RuleT) -> RuleT:
    """Mark a function as a rule: it stays what it is, and `native` may compile it later."""
    assert isinstance(function, FunctionType)
    _registered.append(function)
    return function


def apart(function: RuleT) -> RuleT:
    """Mark a rule that native code calls where it stands instead of copying it to wherever it is used.

    For what is large: copies would cost more time to compile than calls cost to run.
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

    The lines say which rule or which value the name stands for: with the rules' sources they tell one program from
    another, also where the same source was closed over different rules.
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


def _address(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"


def _read_names(function: FunctionType, code: CodeType) -> Iterator[tuple[str, object]]:
    """Every name the code reads, of its module, of a module it names, or closed over, with what it stands for."""
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
    """A kind of event: an integer to the rules, a name, field names and a citation to the story."""

    name: str
    fields: tuple[str, ...]
    cites: tuple[str, ...]


def kinds(**declared: str) -> tuple[Kind, ...]:
    """Declare the event kinds of a system, each as `"field field | rule, rule"`.

    Fields name the event's integers; the rules behind the bar are what `why` cites.
    """
    made = []
    for number, (name, text) in enumerate(declared.items()):
        fields, _, cites = text.partition("|")
        kind = Kind(number)
        kind.name = name
        kind.fields = tuple(fields.split())
        kind.cites = tuple(cite.strip() for cite in cites.split(",") if cite.strip())
        made.append(kind)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: its kind, its integers, and the dice, coins and cards that fell for it."""

    kind: Kind
    values: tuple[int, ...]
    fell: tuple[tuple[int, ...], ...] = ()

    def __getattr__(self, name: str) -> int:
        try:
            return self.values[self.kind.fields.index(name)]
        except ValueError:
            raise AttributeError(f"a {self.kind.name!r} event has no {name!r}") from None


@dataclass(slots=True)
class Log:
    """Where interpreted rules put their events and figures; `fallen` is what the fight's dice have shown."""

    figures: list[list[int]]
    fallen: list[tuple[int, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    told: int = 0


def emit(log: Log | None, kind: Kind, *values: int) -> None:
    """Say what happened. Without a log, and in compiled runs, it costs nothing."""
    if log is not None:
        fell = tuple(log.fallen[log.told :])
        log.told = len(log.fallen)
        log.events.append(Event(kind, tuple(int(value) for value in values), fell))


def score(log: Log | None, who: int, figure: int, amount: int) -> None:
    """Add to one of a fighter's figures (damage dealt, Health left, ...): interpreted and compiled alike."""
    if log is not None:
        log.figures[who][figure] += amount


def row(length: int) -> list[int]:
    """A scratch row of integers, for rules that list moves; what stands in it at first means nothing.

    It is good until the same line of the same rule asks for the next one.
    """
    return [0] * length
