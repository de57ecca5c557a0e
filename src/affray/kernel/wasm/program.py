"""Programs: the drivers of a WebAssembly module, whatever runs it.

A driver is called with the place of one block of 64-bit words: its arguments in their order, an array as its place and
its lengths, and behind them the results.
"""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from affray.errors import Failed
from affray.kernel.drivers import TAPE
from affray.kernel.rows import Found, Rows

SECTION = "affray"
"""The section of a module that says how to call its drivers."""
MOST_MEMORY = 3 << 30
"""Bytes that one thread's drivers may use."""
PAGE = 1 << 16
_ALIGNMENT = 64


class Broken(Exception):
    """A driver has trapped, or there was no memory for it."""


class Instance:
    """A module in memory of its own."""

    base: int
    """Where its free memory begins."""

    def call(self, name: str, block: int) -> int:
        """Call a function with the place of its arguments; what it returns is not 0 where a rule raised an error."""
        raise NotImplementedError

    def make_room(self, to: int) -> None:
        """Let there be memory up to a place."""
        raise NotImplementedError

    def write(self, place: int, data: bytes | bytearray) -> None:
        """Write bytes to a place."""
        raise NotImplementedError

    def read(self, place: int, size: int) -> bytes:
        """Read bytes from a place."""
        raise NotImplementedError

    def run(self, name: str, described: dict[str, Any], given: tuple[Rows | Found | int | float, ...]) -> list[int]:
        """Run a driver; what it writes stands in the arrays then."""
        read, written, results = self._placed(described, given)
        for place, data in read:
            self.write(place, data)
        self._called(name)
        for place, data in written:
            data[:] = self.read(place, len(data))
        return self._results(*results)

    def hold(self, name: str, described: dict[str, Any], given: tuple[Rows | int | float, ...]) -> Held:
        """A driver with its arrays in the module's own memory, to be run again and again without copying them."""
        read, written, results = self._placed(described, given)
        places = {id(data): place for place, data in (*read, *written)}
        for place, data in read:
            self.write(place, data)
        for rows in given:
            if isinstance(rows, Rows):
                rows.data = self.memory(places[id(rows.data)], len(rows.data))

        def run() -> list[int]:
            self._called(name)
            return self._results(*results)

        return run

    def memory(self, place: int, size: int) -> memoryview:
        """Bytes of its memory, to be read and written; valid while it does not grow."""
        raise NotImplementedError

    def _called(self, name: str) -> None:
        if self.call(name, self.base):
            raise Broken("a rule raised an error")

    def _results(self, place: int, count: int) -> list[int]:
        return list(struct.unpack(f"<{count}q", self.read(place, 8 * count)))

    def _placed(
        self, described: dict[str, Any], given: tuple[Rows | Found | int | float, ...]
    ) -> tuple[list[tuple[int, Any]], list[tuple[int, Any]], tuple[int, int]]:
        """Make room for a driver's arguments and write those that are numbers.

        Returns which arrays it reads and writes, with their places, and the place and number of its results.
        """
        words, letters, results = list[int | float](), "<", described["results"]
        parameters, waiting = described["parameters"], iter(given)
        length = sum(1 if len(each) == 1 else 1 + each[2] for each in parameters) + results
        at = _aligned(self.base + 8 * length)
        read: list[tuple[int, Any]] = []
        written: list[tuple[int, Any]] = []
        for of, *array in parameters:
            value = 1 if of == TAPE else next(waiting)
            if not array:
                words.append(value)  # type: ignore[arg-type]
                letters += of
                continue
            size, dimensions, flow = array
            letters += "q" * (1 + dimensions)
            if isinstance(value, Rows):
                words += [at, *value.shape]
                read += [(at, value.data)] * ("r" in flow)
                written += [(at, value.data)] * ("w" in flow)
                at = _aligned(at + len(value.data))
            else:  # room that is only asked for
                room = value.length if isinstance(value, Found) else int(value)
                if isinstance(value, Found):
                    value.read = partial(self.read, at)
                words += [at, room]
                at = _aligned(at + size * room)
        if at > MOST_MEMORY:
            raise Broken("there is not enough memory")
        self.make_room(at)
        self.write(self.base, struct.pack(letters, *words))
        return read, written, (self.base + 8 * (length - results), results)


def _aligned(place: int) -> int:
    return -(-place // _ALIGNMENT) * _ALIGNMENT


class Program:
    """The drivers of one module. Every thread runs them in an instance of its own."""

    backend = "wasm"

    def __init__(self, code: bytes) -> None:
        self.about = json.loads(custom_section(code, SECTION))
        self._drivers = self.about["drivers"]
        self._own = threading.local()

    def new_instance(self) -> Instance:
        """The module in fresh memory."""
        raise NotImplementedError

    def has(self, driver: str) -> bool:
        """Whether the module has a driver."""
        return driver in self._drivers

    def hold(self, driver: str, *given: Rows | int | float) -> Held:
        """A driver that keeps its arrays: the data of the rows is its own memory from now on."""
        return self.new_instance().hold(exported(driver), self._drivers[driver], given)

    def run(self, driver: str, *given: Rows | Found | int | float) -> list[int]:
        """Run a driver; what it writes stands in the arrays then. Of scratch arrays only the length is given."""
        try:
            if not hasattr(self._own, "instance"):
                self._own.instance = self.new_instance()
            found: list[int] = self._own.instance.run(exported(driver), self._drivers[driver], given)
        except Broken as broken:
            self._own = threading.local()  # what it was doing is unfinished
            raise Failed(f"the compiled rules of {self.about['system']} failed: {broken}") from None
        return found


Held = Callable[[], list[int]]
"""Runs a driver on the arrays that it holds, and returns its results."""


def exported(driver: str) -> str:
    """What a driver is called in a module."""
    return f"affray_{driver}"


def custom_section(code: bytes, wanted: str) -> bytes:
    """The content of a module's custom section."""
    at = 8  # behind magic number and version
    while at < len(code):
        kind, at = code[at], at + 1
        size, at = _number(code, at)
        if kind == 0:
            length, name = _number(code, at)
            if code[name : name + length] == wanted.encode():
                return code[name + length : at + size]
        at += size
    raise Failed(f"the module has no section {wanted!r}")


def _number(code: bytes, at: int) -> tuple[int, int]:
    """A number in the way of WebAssembly, and the place behind it."""
    number, shift = 0, 0
    while True:
        number |= (code[at] & 127) << shift
        shift += 7
        at += 1
        if not code[at - 1] & 128:
            return number, at
