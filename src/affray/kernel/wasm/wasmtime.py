"""Runs modules with wasmtime."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import os
import secrets
import threading
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from weakref import WeakSet

from affray.errors import MissingExtra
from affray.kernel.caching import cache_folder
from affray.kernel.wasm import program
from affray.kernel.wasm.program import MOST_MEMORY, PAGE, Broken

try:
    import wasmtime
except ImportError:
    raise MissingExtra("compiled play", "lab") from None


class Program(program.Program):
    """A module as machine code."""

    def __init__(self, code: bytes) -> None:
        super().__init__(code)
        self._module: wasmtime.Module | None = _loaded(code)
        _open.add(self)

    def new_instance(self) -> Instance:
        assert self._module is not None
        return Instance(self._module)

    def close(self) -> None:
        """Free what wasmtime holds for it."""
        self._module, self._own = None, threading.local()


_open: WeakSet[Program] = WeakSet()
_one_at_a_time = threading.Lock()


@atexit.register
def _close_all() -> None:
    """Free all of it while Python is still whole: wasmtime would complain when it is taken apart."""
    for each in list(_open):
        each.close()
    _made_engine.cache_clear()


class Instance(program.Instance):
    """A module in memory of its own."""

    def __init__(self, module: wasmtime.Module) -> None:
        self._store = wasmtime.Store(_engine())
        self._store.set_limits(memory_size=MOST_MEMORY)
        try:
            exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise Broken(_reason(error)) from None
        memory, base = exports["memory"], exports["__heap_base"]
        assert isinstance(memory, wasmtime.Memory)
        assert isinstance(base, wasmtime.Global)
        self._exports, self._memory = exports, memory
        self.base = int(base.value(self._store))

    def call(self, name: str, block: int) -> int:
        driver = self._exports[name]
        assert isinstance(driver, wasmtime.Func)
        try:
            return int(driver(self._store, 0, 0, block, block))
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise Broken(_reason(error)) from None

    def make_room(self, to: int) -> None:
        missing = to - self._memory.data_len(self._store)
        if missing > 0:
            try:
                self._memory.grow(self._store, -(-missing // PAGE))
            except wasmtime.WasmtimeError as error:
                raise Broken(_reason(error)) from None

    def write(self, place: int, data: bytes | bytearray) -> None:
        source = data if isinstance(data, bytes) else (ctypes.c_char * len(data)).from_buffer(data)
        ctypes.memmove(self._start + place, source, len(data))

    def read(self, place: int, size: int) -> bytes:
        return ctypes.string_at(self._start + place, size)

    def memory(self, place: int, size: int) -> memoryview:
        held = (ctypes.c_char * size).from_address(self._start + place)
        held.keeps = self  # type: ignore[attr-defined]  # as long as the memory is used, its instance must be there
        return memoryview(held).cast("B")

    @property
    def _start(self) -> int:
        """Where its memory lies in that of Python, which may change when it grows."""
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)


def _reason(error: Exception) -> str:
    return str(getattr(error, "message", error)).strip().splitlines()[-1].strip()


@cache
def _made_engine() -> wasmtime.Engine:
    return wasmtime.Engine()


def _engine() -> wasmtime.Engine:
    """The one engine of the process: a module cannot be run by another than has loaded it."""
    with _one_at_a_time:
        return _made_engine()


def _loaded(code: bytes) -> wasmtime.Module:
    """The module as machine code: made once, and kept on disk."""
    key = hashlib.sha256(code).hexdigest()[:24]
    kept = Path(cache_folder(), f"{key}-wasmtime-{version('wasmtime')}")
    with suppress(OSError, wasmtime.WasmtimeError):
        return wasmtime.Module.deserialize(_engine(), kept.read_bytes())
    module = wasmtime.Module(_engine(), code)
    with suppress(OSError):  # then it is made again next time
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_name(f"{kept.name}-{secrets.token_hex(4)}")
        fresh.write_bytes(module.serialize())
        os.replace(fresh, kept)
    return module
