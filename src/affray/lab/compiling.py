"""Programs that Numba compiles, for systems without modules and for the last bit of speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affray.kernel import native
from affray.kernel.drivers import STATE, TAPE, Driver, Scalar
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
        self._compiled: dict[str, tuple[Any, list[Any]]] = {}

    def run(self, driver: str, *given: Rows | Found | int | float) -> list[int]:
        """Run a driver; see `affray.lab.programs.Program`."""
        if driver not in self._compiled:
            self._compiled[driver] = self._prepared(self._drivers[driver])
        function, dtypes = self._compiled[driver]
        waiting = iter(given)
        arguments = [next(waiting) if dtype is None else _native(dtype, waiting) for dtype in dtypes]
        found = function(*arguments)
        return [] if found is None else list(found) if isinstance(found, tuple) else [found]

    def _prepared(self, driver: Driver) -> tuple[Any, list[Any]]:
        """The function, and the type that each parameter has an array of; None for a single number."""
        parameters = driver.parameters.values()
        dtypes = [None if isinstance(parameter, Scalar) else self._dtypes[parameter.of] for parameter in parameters]
        return native.jit(driver.function, *driver.entries), dtypes


def _native(dtype: Any, waiting: Iterator[Any]) -> Any:
    """An array over what is given next: rows, room for results, or the length of a scratch array."""
    if dtype is native.TAPE:
        return np.empty(1, dtype)
    given = next(waiting)
    if isinstance(given, Rows):
        if given.native is None:
            given.native = np.frombuffer(given.data, dtype).reshape(given.shape)
        return given.native
    if isinstance(given, int):
        return np.empty(given, dtype)
    room = np.empty(given.length, dtype)
    given.read = lambda size: room.view(np.uint8).data[:size]
    return room
