"""`affray bench`: how fast rules run on this machine, interpreted and compiled, and which way is used."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from affray.errors import MissingExtra, Refused
from affray.lab.programs import BACKENDS, chosen_backend, program
from affray.lab.simulate import simulate
from affray.system.setup import Setup
from affray.terminal.arguments import add_fight, add_json, options, read_fight
from affray.terminal.screen.output import columns, print_json, say, versus

SECONDS = 0.5  # of processor time for each way
WAYS = {"wasm": "WebAssembly", "numba": "Numba", "none": "interpreted"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray bench` understands."""
    add_fight(parser, tactics=False)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure one fight in every way in which it can be run."""
    system, teams = read_fight(args.words)
    setup = Setup.of(system, teams, options(args))
    used = _used(setup)
    rates = {backend: found for backend in BACKENDS if (found := _rate(setup, backend)) is not None}
    if args.json:
        print_json({"system": system, "used": used, "fights_a_second": {way: round(rates[way], 3) for way in rates}})
        return 0
    say(f"Fights of {system} a second on one core: {versus(setup.teams)}.", style="heading")
    rows = [[WAYS[way], f"{rate:,.{int(rate < 10)}f}", "used here" * (way == used)] for way, rate in rates.items()]
    for line in columns(rows, right=(1,)):
        print(f"  {line}".rstrip())
    return 0


def _used(setup: Setup[Any]) -> str:
    try:
        return program(setup.system, len(setup.names)).backend
    except MissingExtra:
        return "none"


def _rate(setup: Setup[Any], backend: str) -> float | None:
    """Fights a second; None where rules cannot be run in this way."""
    before = chosen_backend()
    os.environ["AFFRAY_BACKEND"] = backend
    try:
        return _fastest(setup, compiled=backend != "none")
    except Refused:
        return None
    finally:
        os.environ["AFFRAY_BACKEND"] = before


def _fastest(setup: Setup[Any], *, compiled: bool) -> float:
    """By processor time, so that what else the machine is doing does not count."""
    fights = 1
    simulate(setup, fights=fights, workers=1, compiled=compiled)  # which may have to compile
    while True:
        begun = time.process_time()
        simulate(setup, fights=fights, workers=1, compiled=compiled)
        spent = time.process_time() - begun
        if spent >= SECONDS:
            return fights / spent
        fights *= 2 if spent > SECONDS / 20 else 10
