"""WebAssembly beside Numba: how soon a simulation starts, and how many fights a second of processor time it has then.

`python -m benchmarks.backends [SYSTEM ...]` prints one table and writes it to backends.json. Numba compiles every size
class of every system for it, which takes minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from affray.lab.simulate import simulate
from affray.system.registry import find, names

SIDES = (1, 2, 4, 8, 20)  # fighters of each side
BACKENDS = ("wasm", "numba")
SECONDS = 1.0  # of processor time for a rate
WANTED = 0.6  # of Numba's rate


class Row(NamedTuple):
    """One system and size: seconds until the first fights are there, cold and warm, and fights a second."""

    system: str
    fight: str
    wasm_cold: float
    wasm_warm: float
    numba_cold: float
    numba_warm: float
    wasm_rate: float
    numba_rate: float

    @property
    def ratio(self) -> float:
        return self.wasm_rate / self.numba_rate


def teams_of(system: str, side: int) -> dict[str, list[str]]:
    """Two teams out of the system's demonstration."""
    shown = list(find(system).demonstration.items())[:2]
    return {team: [fighters[place % len(fighters)] for place in range(side)] for team, fighters in shown}


def started(system: str, teams: dict[str, list[str]], backend: str, cache: str) -> float:
    """Seconds of a whole command that simulates a few fights."""
    sides = [f"{team}={','.join(fighters)}" for team, fighters in teams.items()]
    command = [sys.executable, "-m", "affray", "simulate", system, *sides, "--fights", "10", "--json"]
    begun = time.perf_counter()
    subprocess.run(
        command,
        env={**os.environ, "AFFRAY_BACKEND": backend, "AFFRAY_CACHE": cache},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - begun


def rate(system: str, teams: dict[str, list[str]], backend: str) -> float:
    """Fights a second of processor time, on one core."""
    os.environ["AFFRAY_BACKEND"] = backend
    fights = 20
    while True:
        begun = time.process_time()
        simulate(system, teams, fights=fights, seed=7, workers=1)
        spent = time.process_time() - begun
        if spent >= SECONDS:
            return fights / spent
        fights = int(fights * max(2, min(20, 1.2 * SECONDS / max(spent, 0.001))))


def measured(system: str, side: int, cache: str) -> Row:
    """Cold starts come first: a process that knows the code would not show them."""
    teams = teams_of(system, side)
    starts = [started(system, teams, backend, cache) for backend in BACKENDS for _ in range(2)]
    os.environ["AFFRAY_CACHE"] = cache
    rates = [max(each) for each in zip(*[[rate(system, teams, b) for b in BACKENDS] for _ in range(2)], strict=True)]
    return Row(system, f"{side} v {side}", *starts, *rates)


def main() -> int:
    """Measure, print and tell whether WebAssembly is as fast as it should be."""
    rows: list[Row] = []
    print(f"{'':24}{'first fights after (s)':>36}{'fights a second':>26}")
    print(f"{'':24}{'wasm':>9}{'again':>9}{'numba':>9}{'again':>9}{'wasm':>13}{'numba':>13}{'':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for system in sys.argv[1:] or names():
            for side in SIDES:
                # A cache for each, because sizes of one class share what is compiled.
                row = measured(system, side, str(Path(folder, f"{system}-{side}")))
                rows.append(row)
                print(
                    f"{row.system:12} {row.fight:11}{row.wasm_cold:9.2f}{row.wasm_warm:9.2f}{row.numba_cold:9.2f}"
                    f"{row.numba_warm:9.2f}{row.wasm_rate:13,.0f}{row.numba_rate:13,.0f}{row.ratio:8.0%}",
                    flush=True,
                )
    Path("backends.json").write_text(json.dumps([row._asdict() for row in rows], indent=1), encoding="utf-8")
    slow = [f"{row.system} {row.fight}" for row in rows if row.ratio < WANTED]
    print(f"Slower than {WANTED:.0%} of Numba: {', '.join(slow) or 'nothing'}.")
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())
