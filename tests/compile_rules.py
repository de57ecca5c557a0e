"""Compiles what the tests run compiled before they start, so that none of their processes does it over again.

What a process has compiled for a number of fighters serves all its loops over them: each number of fighters of each
system is compiled by one process. No test needs this to pass, and what is compiled already is only loaded.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from affray.kernel.chance import Seeded
from affray.system.registry import find, names
from affray.system.setup import Setup, Teams

TABLES = Path(__file__).parents[1] / "docs" / "strategic_tables.py"


def rosters(system: str) -> Iterator[Teams]:
    """A duel, and two against two."""
    sides = {team: fighters[0] for team, fighters in find(system).demonstration.items()}
    yield {team: [fighter] for team, fighter in sides.items()}
    yield {team: [fighter] * 2 for team, fighter in sides.items()}


def compile_roster(system: str, teams: Teams) -> None:
    """Everything for that many fighters, by asking once for all of it."""
    from affray.lab import ready_now
    from affray.lab.simulate import simulate

    simulate(system, teams, fights=1)
    if sum(map(len, teams.values())) == 2:
        setup = Setup.of(system, teams)
        ready_now(setup, setup.opened(Seeded(1)))
    if system == "bgo":  # whose fights are so short that figures would take most of the time
        simulate(system, teams, fights=1, figures=False)
    if system == "strategic" and sum(map(len, teams.values())) == 2:
        compile_ring()


def compile_ring() -> None:
    """The same for the script that fights the tables of the documentation out, which has tactics of its own."""
    spec = importlib.util.spec_from_file_location(TABLES.stem, TABLES)
    assert spec is not None
    assert spec.loader is not None
    script = sys.modules[TABLES.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    plan = script.Plan("strike")
    script.wins(script.LEVELS[0], plan, plan, 1)


if __name__ == "__main__":
    every = [(system, teams) for system in reversed(names()) for teams in rosters(system)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(compile_roster, *zip(*every, strict=True)))
