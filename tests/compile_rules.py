"""Has Numba compile what the tests run with it before they start, so that none of their processes does it over again.

Two systems show for all, which have modules, that Numba runs rules as the interpreter does. What a process has compiled
for a size class serves all its loops: each size class of each system is compiled by one process. No test needs this to
pass, and what is compiled already is only loaded.
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
from affray.kernel.playing import first_of
from affray.kernel.state import to_act
from affray.players.tactics import numbered, usual_tactics
from affray.system.registry import find
from affray.system.setup import Setup, Teams

QUICKLY_COMPILED = ("bgo", "grapple")
TABLES = Path(__file__).parents[1] / "docs" / "strategic_tables.py"


def rosters(system: str) -> Iterator[Teams]:
    """A duel, and two against two."""
    sides = {team: fighters[0] for team, fighters in find(system).demonstration.items()}
    for size in (1, 2):
        yield {team: [fighter] * size for team, fighter in sides.items()}


def compile_roster(system: str, teams: Teams) -> None:
    """What tests run for that size class, by asking once for all of it."""
    from affray.lab.odds import odds
    from affray.lab.playouts import count_endings
    from affray.lab.simulate import simulate

    setup = Setup.of(system, teams)
    simulate(setup, fights=1)
    if len(setup.names) == 2:
        state = setup.opened(Seeded(1))
        index = first_of(to_act(state))
        codes, plans = setup.codes(state, index)[:1], numbered(setup.system, usual_tactics(setup))
        worth = [0] * len(setup.endings)
        count_endings(setup, state, index, codes, plans, worth, most=0, seconds=0.0, compiled=True, seed=1, least=1)
    if len(setup.names) == 2 and system == "bgo":
        simulate(setup, fights=1, figures=False)
        odds(setup, play="best", compiled=True)


def compile_ring() -> None:
    """What the script runs that fights the tables of the documentation out: its tactics are in no module."""
    spec = importlib.util.spec_from_file_location(TABLES.stem, TABLES)
    assert spec is not None
    assert spec.loader is not None
    script = sys.modules[TABLES.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    plan = script.Plan("strike")
    script.wins(script.LEVELS[0], plan, plan, 1)


if __name__ == "__main__":
    os.environ["AFFRAY_BACKEND"] = "numba"
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        jobs = [pool.submit(compile_ring)]
        jobs += [pool.submit(compile_roster, system, teams) for system in QUICKLY_COMPILED for teams in rosters(system)]
        for job in jobs:
            job.result()
