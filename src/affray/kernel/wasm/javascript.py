"""Runs modules with the JavaScript engine around Pyodide, in a page or in Node."""

from __future__ import annotations

from typing import Any

import js  # type: ignore[import-not-found]
from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

from affray.kernel.wasm import program
from affray.kernel.wasm.program import PAGE, Broken


class Program(program.Program):
    """A module as the engine has compiled it."""

    def __init__(self, code: bytes) -> None:
        super().__init__(code)
        self._module = js.WebAssembly.Module.new(to_js(code))

    def new_instance(self) -> Instance:
        return Instance(self._module)


class Instance(program.Instance):
    """A module in memory of its own."""

    def __init__(self, module: object) -> None:
        self._exports = js.WebAssembly.Instance.new(module).exports
        self._memory = self._exports.memory
        self.base = int(getattr(self._exports, "__heap_base").value)

    def call(self, name: str, block: int) -> int:
        try:
            return int(getattr(self._exports, name)(0, 0, block, block))
        except JsException as error:
            raise Broken(str(error)) from None

    def make_room(self, to: int) -> None:
        missing = to - self._memory.buffer.byteLength
        if missing > 0:
            try:
                self._memory.grow(-(-missing // PAGE))
            except JsException as error:
                raise Broken(str(error)) from None

    def write(self, place: int, data: bytes | bytearray) -> None:
        self._bytes(place, len(data)).assign(data)

    def read(self, place: int, size: int) -> bytes:
        return bytes(self._bytes(place, size).to_bytes())

    def _bytes(self, place: int, size: int) -> Any:
        return js.Uint8Array.new(self._memory.buffer, place, size)
