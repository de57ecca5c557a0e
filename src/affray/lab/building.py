"""Builds the WebAssembly modules of a system, each in a process of its own, so that the same rules give the same bytes.

Run as a command it builds one: `python -m affray.lab.building SYSTEM SLOTS`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path
from typing import Any

from affray.errors import Failed
from affray.kernel.records import SLOTS
from affray.lab import modules
from affray.system.contract import System
from affray.system.registry import find

Told = Callable[[Path, int, int], None]
"""Is told of each module that is there now, how many are done, and how many there are to build."""


def stale(systems: Iterable[System[Any, Any]]) -> list[tuple[System[Any, Any], int]]:
    """The systems and size classes that have no module of the present rules."""
    return [(system, slots) for system in systems for slots in SLOTS if not _file(system, slots).is_file()]


def build(systems: Iterable[System[Any, Any]], told: Told) -> None:
    """Build what is missing, and remove the modules of earlier rules."""
    systems = list(systems)
    missing = stale(systems)
    if missing:
        import_module("affray.kernel.wasm.build")  # which says what is not installed
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        building = {pool.submit(_build_apart, system, slots): _file(system, slots) for system, slots in missing}
        for done, future in enumerate(as_completed(building), 1):
            future.result()
            told(building[future], done, len(missing))
    finally:
        pool.shutdown(cancel_futures=True)
    for system in systems:
        fresh = {_file(system, slots) for slots in SLOTS}
        for file in modules.folder_to_build(system).glob(f"{system.id}-*.wasm"):
            if file not in fresh:
                file.unlink()


def _file(system: System[Any, Any], slots: int) -> Path:
    return modules.folder_to_build(system) / modules.name(system, slots)


def _build_apart(system: System[Any, Any], slots: int) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", __name__, system.id, str(slots)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise Failed(f"the module of {system.id} for {slots} fighters could not be built: {ended.stderr.strip()}")


def build_here(system: System[Any, Any], slots: int) -> None:
    """Build one module in this process."""
    from affray.kernel import native
    from affray.kernel.wasm.build import build as build_module
    from affray.lab.drivers import drivers

    made = build_module(
        drivers(system, slots), native.dtype(system.state, slots), {"system": system.id, "slots": slots}
    )
    file = _file(system, slots)
    file.parent.mkdir(exist_ok=True)
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_bytes(made)
    unfinished.replace(file)


if __name__ == "__main__":
    build_here(find(sys.argv[1]), int(sys.argv[2]))
