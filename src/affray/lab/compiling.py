"""Programs that Numba compiles, for systems without modules and for the last bit of speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from affray.kernel import native
from affray.kernel.drivers import STATE, TAPE, Driver, Scalar
from affray.kernel.native import np
from affray.kernel.rows import WIDTHS, Found, Rows
from affray.kernel.wasm.program import Held
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
            **{letter: np.dtype(letter) for letter in WIDTHS},
        }
        self._compiled: dict[str, tuple[Any, list[Any]]] = {}

    def run(self, driver: str, *given: Rows | Found | int | float) -> list[int]:
        """Run a driver; see `affray.lab.programs.Program`."""
        function, arguments = self._given(driver, given)
        return _results(function(*arguments))

    def hold(self, driver: str, *given: Rows | Found | int | float) -> Held:
        """A driver that keeps its arrays; see `affray.lab.programs.Program`."""
        function, arguments = self._given(driver, given)
        return lambda: _results(function(*arguments))

    def _given(self, driver: str, given: Sequence[Any]) -> tuple[Any, list[Any]]:
        """The function of a driver, and what it is called with."""
        if driver not in self._compiled:
            self._compiled[driver] = self._prepared(self._drivers[driver])
        function, dtypes = self._compiled[driver]
        waiting = iter(given)
        return function, [next(waiting) if dtype is None else _native(dtype, waiting) for dtype in dtypes]

    def _prepared(self, driver: Driver) -> tuple[Any, list[Any]]:
        """The function, and the type that each parameter has an array of; None for a single number."""
        parameters = driver.parameters.values()
        dtypes = [None if isinstance(parameter, Scalar) else self._dtypes[parameter.of] for parameter in parameters]
        return native.jit(driver.function, *driver.entries), dtypes


def _results(found: Any) -> list[int]:
    return [] if found is None else list(found) if isinstance(found, tuple) else [found]


def _native(dtype: Any, waiting: Iterator[Any]) -> Any:
    """An array over what is given next: rows, room for results, or the length of a scratch array."""
    if dtype is native.TAPE:
        return np.empty(1, dtype)
    given = next(waiting)
    if isinstance(given, Rows):
        if given.native is None:
            array = np.frombuffer(given.data, dtype)
            given.native = array if len(given.shape) == 1 else array.reshape(given.shape)
        return given.native
    if isinstance(given, int):
        return np.empty(given, dtype)
    room = np.empty(given.length, dtype)
    given.read = lambda size: (room if dtype.names is None else room.view(np.uint8)).data.cast("B")[:size]
    return room
