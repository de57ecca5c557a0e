"""Builds a WebAssembly module of drivers: Numba turns rules into LLVM's code, and LLVM that into WebAssembly.

Needs the `modules` extra: Numba, and the linker that comes with Zig.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from affray.errors import MissingExtra
from affray.kernel import native
from affray.kernel.drivers import STATE, TAPE, Array, Driver
from affray.kernel.native import np
from affray.kernel.native.forms import CALLED
from affray.kernel.native.memory import Memory
from affray.kernel.rows import WIDTHS
from affray.kernel.wasm.program import SECTION, exported

try:
    import llvmlite.binding as llvm
    import numba
    from numba.core import types
    from numba.core.types import CPointer  # type: ignore[attr-defined]
    from numba.extending import intrinsic
except ImportError:
    raise MissingExtra("building modules", "modules") from None
if find_spec("ziglang") is None:  # which is run as a command
    raise MissingExtra("building modules", "modules")

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK = 4 << 20
NUMBERS = {letter: np.dtype(letter) for letter in WIDTHS}


def build(drivers: Mapping[str, Driver], state: np.dtype[Any], about: Mapping[str, Any]) -> bytes:
    """A module with these drivers over records of this dtype. A section of it says how to call them, and `about` it."""
    native.make_known()
    Memory.is_there = False
    dtypes = {STATE: state, TAPE: native.TAPE, **NUMBERS}
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    modules = [llvm.parse_assembly(_for_wasm(_llvm(driver, dtypes))) for driver in drivers.values()]
    whole = modules[0]
    for module in modules[1:]:
        whole.link_in(module)
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    _optimise(whole, machine, drivers)
    described = {name: _described(driver, dtypes) for name, driver in drivers.items()}
    section = json.dumps({**about, "drivers": described}, separators=(",", ":")).encode()
    return _linked(machine.emit_object(whole), drivers) + _custom_section(section)


def _described(driver: Driver, dtypes: Mapping[str, np.dtype[Any]]) -> dict[str, Any]:
    """How to call a driver, in the words of `Array` and `Scalar`."""
    parameters: list[Any] = []
    for parameter in driver.parameters.values():
        if isinstance(parameter, Array):
            flow = "r" * parameter.is_read + "w" * parameter.is_written
            parameters.append([parameter.of, dtypes[parameter.of].itemsize, parameter.dimensions, flow])
        else:
            parameters.append([parameter.of])
    return {"parameters": parameters, "results": driver.results}


def _llvm(driver: Driver, dtypes: Mapping[str, np.dtype[Any]]) -> str:
    """LLVM's code of a driver, behind a function of the block of its arguments and results."""
    at, given = 0, []
    names: dict[str, Any] = {"run": native.called(driver.function), "carray": numba.carray}
    for name, parameter in driver.parameters.items():
        if isinstance(parameter, Array):
            lengths = range(at + 1, at + 1 + parameter.dimensions)
            names[f"at_{name}"] = _pointer(numba.from_dtype(dtypes[parameter.of]))
            given.append(f"carray(at_{name}(words[{at}]), ({''.join(f'words[{each}], ' for each in lengths)}))")
            at += 1 + parameter.dimensions
        else:
            given.append(f"{'words' if parameter.of == 'q' else 'reals'}[{at}]")
            at += 1
    results = "".join(f"words[{at + place}], " for place in range(driver.results))
    target = f"{results.removesuffix(', ')} = " if results else ""
    exec(f"def entry(words, reals):\n    {target}run({', '.join(given)})\n", names)
    signature = types.void(CPointer(types.int64), CPointer(types.float64))
    entry = numba.njit(signature, **CALLED)(names["entry"])
    (compiled,) = entry.overloads.values()
    text: str = compiled.library.get_llvm_str()
    return text.replace(compiled.fndesc.llvm_func_name, exported(driver.name))


def _pointer(to: Any) -> Any:
    """What makes a place in memory, given as a number, a pointer to something of a type."""
    pointer = CPointer(to)

    @intrinsic
    def point(_context: Any, place: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(pointer))

        return pointer(types.int64), codegen

    return point


_MENDED = (
    (r"^target datalayout.*\n", ""),
    (r"^target triple = .*", f'target triple = "{TRIPLE}"'),
    (r"= common ", "= linkonce_odr "),
    (r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', ""),
    # Nothing is allocated in a module, so no references are counted.
    (
        r"^define linkonce_odr void @NRT_(incref|decref)\((?s:.*?)^}$",
        r"define internal void @NRT_\1(ptr %_) alwaysinline { ret void }",
    ),
    (r"^declare i8 @llvm.x86.atomic.sub.*\n", ""),
)


def _for_wasm(text: str) -> str:
    """LLVM's code for this machine, made such for WebAssembly's."""
    for pattern, instead in _MENDED:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, drivers: Iterable[str]) -> None:
    kept = {exported(name) for name in drivers}
    for function in module.functions:
        if not function.is_declaration and function.name not in kept:
            function.linkage = "internal"
    for value in module.global_variables:
        if not value.is_declaration:
            value.linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _linked(code: bytes, drivers: Iterable[str]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "rules.o"), Path(folder, "rules.wasm")
        given.write_bytes(code)
        exports = [f"--export={exported(name)}" for name in drivers]
        linker = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--strip-all", "--stack-first"]
        linker += ["-z", f"stack-size={STACK}", "--export=__heap_base", *exports, "-o", str(made), str(given)]
        subprocess.run(linker, check=True)
        return made.read_bytes()


def _custom_section(content: bytes) -> bytes:
    name = SECTION.encode()
    body = _leb(len(name)) + name + content
    return b"\0" + _leb(len(body)) + body


def _leb(number: int) -> bytes:
    """A number as WebAssembly writes lengths: seven bits to a byte, the lowest first."""
    written = bytearray()
    while True:
        number, low = number >> 7, number & 127
        written.append(low | 128 * (number > 0))
        if not number:
            return bytes(written)
