"""Drivers: loops over rules, to be compiled by Numba or ahead to WebAssembly.

A driver is a function whose annotations say what each parameter is; both compilers use these annotations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_args, get_type_hints


@dataclass(frozen=True)
class Scalar:
    """A parameter that is one number; `of` is its `struct` letter."""

    of: str


@dataclass(frozen=True)
class Array:
    """A parameter that is an array of numbers or records, and whether the driver reads its previous content."""

    of: str
    dimensions: int = 1
    is_read: bool = True
    is_written: bool = True


FULL, TOO_DEEP, TOO_MANY = 1, 2, 3
"""Why counting stopped: no room left, more chance in one decision than the tape holds, or too many outcomes."""

STATE, TAPE = "state", "tape"

Number = Annotated[Any, Scalar("q")]
Real = Annotated[Any, Scalar("d")]
GivenStates = Annotated[Any, Array(STATE, is_written=False)]
States = Annotated[Any, Array(STATE)]
FoundStates = Annotated[Any, Array(STATE, is_read=False)]
Scratch = Annotated[Any, Array("q", is_read=False, is_written=False)]
Tapes = Annotated[Any, Array(TAPE, is_read=False, is_written=False)]
GivenNumbers = Annotated[Any, Array("q", is_written=False)]
GivenReals = Annotated[Any, Array("d", is_written=False)]
Numbers = Annotated[Any, Array("q")]
Reals = Annotated[Any, Array("d")]
NumberTable = Annotated[Any, Array("q", 2)]
RealTable = Annotated[Any, Array("d", 2)]
FoundTable = Annotated[Any, Array("q", 2, is_read=False)]
FoundNumbers = Annotated[Any, Array("q", is_read=False)]
FoundReals = Annotated[Any, Array("d", is_read=False)]


Parameter = Scalar | Array


@dataclass(frozen=True, eq=False)
class Driver:
    """A loop to be compiled, and the rules that it starts from."""

    function: Callable[..., Any]
    entries: tuple[Callable[..., Any], ...] = ()

    @property
    def name(self) -> str:
        """Its name in a module."""
        return self.function.__name__

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """What each parameter is, by its name."""
        return {name: hint.__metadata__[0] for name, hint in self._hints.items() if name != "return"}

    @cached_property
    def results(self) -> int:
        """How many numbers it returns."""
        returned = self._hints["return"]
        return 0 if returned is type(None) else len(get_args(returned)) or 1
