"""Programs: the compiled drivers of a system for a size class, run by WebAssembly or by Numba, whichever is there."""

from __future__ import annotations

import os
import sys
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from affray.errors import Invalid, MissingExtra, unknown
from affray.kernel.records import slots_for
from affray.lab import modules

if TYPE_CHECKING:
    from affray.kernel.rows import Found, Rows
    from affray.kernel.wasm.program import Held
    from affray.system.contract import System

BACKENDS = ("wasm", "numba", "none")
_one_at_a_time = threading.Lock()


class Program(Protocol):
    """What can be run of a system's rules as compiled code."""

    backend: str

    def run(self, driver: str, *given: Rows | Found | int | float) -> list[int]:
        """Run a driver of `affray.lab.drivers`; what it writes stands in the arrays then.

        Tapes are not given, and of scratch arrays only the length.
        """

    def hold(self, driver: str, *given: Rows | int | float) -> Held:
        """A driver that keeps its arrays, to be run many times without copying them.

        From now on the data of the given rows is memory that the driver works on. One thread runs it at a time.
        """


def chosen_backend() -> str:
    """The backend that AFFRAY_BACKEND asks for: `wasm`, `numba`, `none`, or nothing."""
    chosen = os.environ.get("AFFRAY_BACKEND", "")
    if chosen and chosen not in BACKENDS:
        raise Invalid(f"AFFRAY_BACKEND: {unknown('backend', chosen, BACKENDS)}", given=chosen, allowed=BACKENDS)
    return chosen


def program(system: System[Any, Any], fighters: int) -> Program:
    """The compiled drivers of a system for so many fighters.

    A module that comes with the system is ready at once, so it is taken first; Numba compiles what has none.
    """
    with _one_at_a_time:  # of several threads that need the same, one loads it
        return _program(system, slots_for(fighters), chosen_backend())


@lru_cache(maxsize=256)
def _program(system: System[Any, Any], slots: int, backend: str) -> Program:
    if backend == "none":
        raise MissingExtra("compiled play (AFFRAY_BACKEND is none)", "lab")
    if backend != "numba":
        code = modules.find(system, slots)
        if code is not None:
            return _by_module(code)
        if backend == "wasm":
            raise Invalid(f"there is no fresh module of {system.id}; `affray modules build {system.id}` makes one")
    from affray.lab.compiling import NumbaProgram

    return NumbaProgram(system, slots)


def _by_module(code: bytes) -> Program:
    if sys.platform == "emscripten":
        from affray.kernel.wasm.javascript import Program as ByJavaScript

        return ByJavaScript(code)
    from affray.kernel.wasm.wasmtime import Program as ByWasmtime

    return ByWasmtime(code)


def is_at_hand(system: System[Any, Any], fighters: int) -> bool:
    """Whether compiled code needs no compiler: there is a module for so many fighters."""
    backend = chosen_backend()
    return backend in ("", "wasm") and modules.is_there(system, slots_for(fighters))
