"""What the tests of chance share: one native function for many questions, because each that is compiled costs anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count, islice
from types import ModuleType
from typing import Any

import pytest

Given = tuple[Any, ...]


class Battery:
    """Native questions that are told apart by a number: `ask(dice, which, numbers)`."""

    def __init__(
        self, native: ModuleType, questions: Mapping[str, Callable[..., Any]], asked: Iterable[tuple[str, Given]]
    ) -> None:
        shapes = dict.fromkeys((kind, tuple(map(_length, given))) for kind, given in asked)
        self._which = {shape: which for which, shape in enumerate(shapes)}
        lines = ["def ask(dice, which, numbers):"]
        for (kind, lengths), which in self._which.items():
            lines += [f"    if which == {which}:", f"        return int({kind}(dice, {_arguments(lengths)}))"]
        lines += ["    return -1"]
        names: dict[str, Any] = dict(questions)
        exec("\n".join(lines), names)
        self.ask = native.inlined(names["ask"])

    def put(self, kind: str, given: Given) -> tuple[int, Any]:
        """A question as `ask` wants it: which, and its numbers."""
        import numpy as np

        numbers = [number for each in given for number in (each if isinstance(each, tuple) else (each,))]
        return self._which[kind, tuple(map(_length, given))], np.array(numbers, np.int64)


def _length(given: Any) -> int | None:
    return len(given) if isinstance(given, tuple) else None


def _arguments(lengths: Iterable[int | None]) -> str:
    """What is handed to a question: numbers in their order, some of them in tuples of so many."""
    numbers = (f"numbers[{place}]" for place in count())
    return ", ".join(
        next(numbers) if length is None else "(" + "".join(f"{each}, " for each in islice(numbers, length)) + ")"
        for length in lengths
    )


@pytest.fixture(scope="session")
def battery() -> type[Battery]:
    return Battery
