"""Programs that Numba compiles, for systems without modules and for the last bit of speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affray.kernel import native
from affray.kernel.drivers import STATE, TAPE, Parameter, Scalar
from affray.kernel.native import np
from affray.kernel.rows import Found, Rows
from affray.lab.drivers import drivers
from affray.system.contract import System


class NumbaProgram:
    """The drivers of a system for a size class, compiled by Numba when they are first run."""

    backend = "numba"

    def __init__(self, system: System[Any, Any], slots: int) -> None:
        self._drivers = drivers(system, slots)
        self._dtypes = {
            STATE: native.dtype(system.state, slots),
            TAPE: native.TAPE,
            "q": np.dtype("q"),
            "d": np.dtype("d"),
        }
        self._compiled: dict[str, Any] = {}

    def run(self, driver: str, *given: Rows | Found | int | float) -> list[int]:
        """Run a driver; see `affray.lab.programs.Program`."""
        waiting = iter(given)
        arguments = [self._native(parameter, waiting) for parameter in self._drivers[driver].parameters.values()]
        if driver not in self._compiled:
            declared = self._drivers[driver]
            self._compiled[driver] = native.jit(declared.function, *declared.entries)
        found = self._compiled[driver](*arguments)
        return [] if found is None else list(found) if isinstance(found, tuple) else [found]

    def _native(self, parameter: Parameter, waiting: Iterator[Any]) -> Any:
        if isinstance(parameter, Scalar):
            return next(waiting)
        dtype = self._dtypes[parameter.of]
        if parameter.of == TAPE:
            return np.empty(1, dtype)
        given = next(waiting)
        if isinstance(given, int):
            return np.empty(given, dtype)
        if isinstance(given, Found):
            room = np.empty(given.length, dtype)
            given.read = lambda size: room.view(np.uint8).data[:size]
            return room
        if given.native is None:
            given.native = np.frombuffer(given.data, dtype).reshape(given.shape)
        return given.native
