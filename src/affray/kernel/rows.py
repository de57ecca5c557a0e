"""Rows: the memory that compiled drivers share with Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

WIDTHS = {"q": 8, "d": 8, "i": 4, "b": 1}


class Rows:
    """An array of numbers, or of the bytes of records, for a driver; it starts with zeros."""

    __slots__ = ("data", "letter", "native", "shape")

    def __init__(self, letter: str, *shape: int, data: bytearray | memoryview | None = None) -> None:
        self.letter, self.shape = letter, shape
        self.data: bytearray | memoryview = bytearray(WIDTHS[letter] * prod(shape)) if data is None else data
        self.native: Any = None  # the same memory as a NumPy array, once Numba has asked for it

    @classmethod
    def of(cls, letter: str, numbers: Sequence[Any]) -> Rows:
        """An array of given numbers: one of rows, where each of them is a row itself."""
        if numbers and isinstance(numbers[0], Sequence):
            made = cls(letter, len(numbers), len(numbers[0]))
            numbers = [number for row in numbers for number in row]
        else:
            made = cls(letter, len(numbers))
        flat = memoryview(made.data).cast(letter)  # type: ignore[call-overload]
        for place, number in enumerate(numbers):
            flat[place] = number
        return made

    @classmethod
    def records(cls, packed: bytes | bytearray | memoryview, count: int = 1) -> Rows:
        """An array of so many records, given as the bytes of their compiled twins."""
        return cls("B", count, data=bytearray(packed) if isinstance(packed, bytes) else packed)

    @property
    def view(self) -> memoryview:
        """The numbers, to be read and written; those of a table by two indices."""
        flat = memoryview(self.data)
        if not self.data:
            return flat
        return flat.cast(self.letter) if len(self.shape) == 1 else flat.cast(self.letter, self.shape)  # type: ignore[call-overload, no-any-return]

    def tolist(self) -> list[Any]:
        """The numbers as lists."""
        if len(self.shape) == 1:  # at once, for there are many short ones
            return memoryview(self.data).cast(self.letter).tolist() if self.data else []  # type: ignore[call-overload]
        return self.view.tolist() if self.data else [[]] * self.shape[0]


class Found:
    """Room for a driver's results, whose number is known only afterwards.

    It must be read before the same thread runs the next driver: the memory is the driver's.
    """

    __slots__ = ("length", "letter", "read", "width")

    def __init__(self, letter: str, length: int, width: int = 8) -> None:
        self.letter, self.length, self.width = letter, length, width
        self.read: Callable[[int], bytes | memoryview] = bytes

    def first(self, length: int) -> Rows:
        """The first numbers, or records as bytes."""
        return Rows(self.letter, length, data=bytearray(self.read(self.width * length)))
