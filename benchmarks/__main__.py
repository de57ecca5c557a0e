"""Runs every measurement, prints a table of ratios and writes them to bench.json.

Compiled rules are measured as Numba compiles them, which is fastest; `benchmarks.backends` compares the backends.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

import affray
from affray.fight import Fight
from affray.lab.odds import odds
from affray.lab.simulate import simulate
from benchmarks import goofspiel, openspiel, stepping
from benchmarks.duel import duels
from benchmarks.peers import icepool_duel
from benchmarks.playouts import DECISIONS, STAKES, grapple, odds_at_decisions
from benchmarks.stored import CHURN, WARM_UP, churned, stored
from benchmarks.stored import FIGHTS as STORED_FIGHTS
from benchmarks.web import FIGHTS as WEB_FIGHTS
from benchmarks.web import idle, load
from benchmarks.world import moves_and_commits

DUEL = "heroes=player monsters=fire-slime"
BOTH_ATTACK = {"heroes": "always-attack", "monsters": "always-attack"}
FIGHTS = 600_000


class Row(NamedTuple):
    """One measurement: ours and theirs in the same unit, and how many times better ours is."""

    what: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    wanted: float


def faster(what: str, ours: float, theirs: float, unit: str, wanted: float = 0) -> Row:
    """A rate: more is better."""
    return Row(what, ours, theirs, unit, ours / theirs, wanted)


def sooner(what: str, ours: float, theirs: float, wanted: float = 0) -> Row:
    """Milliseconds: fewer are better."""
    return Row(what, ours, theirs, "ms", theirs / ours, wanted)


def smaller(what: str, ours: float, theirs: float, wanted: float = 0) -> Row:
    """Megabytes: fewer are better."""
    return Row(what, ours, theirs, "MB", theirs / ours, wanted)


def best(measure: Callable[[], float], times: int = 7) -> float:
    """The smallest of several measurements: what disturbs a machine only ever adds."""
    return min(measure() for _ in range(times))


def timed(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def by_hand(workers: int) -> float:
    """Seconds for all fights of the hand-written loop on so many threads."""
    parts = [np.zeros(3, np.int64) for _ in range(workers)]
    share = FIGHTS // workers
    with ThreadPoolExecutor(workers) as pool:
        return timed(lambda: list(pool.map(lambda i: duels(i * share, share, parts[i]), range(workers))))


def by_engine(workers: int, figures: bool) -> float:
    """Seconds for all fights through the general engine."""
    run = simulate("bgo", DUEL, fights=FIGHTS, seed=7, tactics=BOTH_ATTACK, workers=workers, figures=figures)
    return run.seconds


def simulation_rows() -> list[Row]:
    duels(0, 10, np.zeros(3, np.int64))
    for figures in (True, False):
        simulate("bgo", DUEL, fights=100, seed=7, tactics=BOTH_ATTACK, figures=figures)
    # In turns, so that a disturbance hits both sides alike.
    hand, plain, counted, hand_two, plain_two = ([] for _ in range(5))
    for _ in range(30):
        hand.append(by_hand(1))
        plain.append(by_engine(1, figures=False))
        counted.append(by_engine(1, figures=True))
        hand_two.append(by_hand(2))
        plain_two.append(by_engine(2, figures=False))
    rate = [FIGHTS / min(seconds) / 1e6 for seconds in (hand, plain, counted, hand_two, plain_two)]
    unit = "million fights/s"
    return [
        Row(
            "duel, endings and rounds, 1 core, against the hand-written loop",
            rate[1],
            rate[0],
            unit,
            rate[1] / rate[0],
            1 / 3,
        ),
        Row("the same with all figures per fighter", rate[2], rate[0], unit, rate[2] / rate[0], 0),
        Row("duel, 2 cores against 1", rate[4], rate[1], unit, rate[4] / rate[1], 1.8),
        Row("(hand-written loop, 2 cores against 1)", rate[3], rate[0], unit, rate[3] / rate[0], 0),
    ]


def odds_rows() -> list[Row]:
    rows = []
    for player, slime, wanted in ((10, 4, 20), (20, 20, 0), (30, 30, 500)):
        teams = f"heroes=player:health={player} monsters=fire-slime:health={slime}"
        ours = odds("bgo", teams, tactics=BOTH_ATTACK, compiled=True)
        theirs = icepool_duel(player, slime)
        assert (ours.chances["heroes"], ours.chances["monsters"], ours.chances["draw"]) == theirs
        mine = 1000 * best(lambda t=teams: timed(lambda: odds("bgo", t, tactics=BOTH_ATTACK, compiled=True)), 200)
        peer = 1000 * best(lambda p=player, s=slime: timed(lambda: icepool_duel(p, s)), 5)
        rows.append(
            Row(f"exact odds, {player} against {slime} Health, against icepool", mine, peer, "ms", peer / mine, wanted)
        )
    return rows


def playout_rows() -> list[Row]:
    """Moves a second on one core, beside OpenSpiel's games in the same loop."""
    if openspiel.pyspiel is None:
        print("OpenSpiel is not installed (the `bench` extra): its rows are left out.", file=sys.stderr)
        return []
    ours = grapple()
    rows = []
    for peer in openspiel.peers():
        # In turns, so that a disturbance hits both sides alike.
        turns = [(ours(0.2), peer.moves_in(0.2)) for _ in range(5)]
        mine, theirs = (max(rates) / 1e6 for rates in zip(*turns, strict=True))
        rows.append(faster(f"random 2-v-2 grapple, against {peer.name}", mine, theirs, "million moves/s", peer.wanted))
    return rows


def equilibrium_rows() -> list[Row]:
    """Milliseconds for a whole game with choices made at once, solved exactly, beside OpenSpiel's value iteration."""
    if openspiel.pyspiel is None:
        return []
    goofspiel.ours(True)  # compiled once
    mine = 1000 * min(goofspiel.seconds(lambda: goofspiel.ours(True)) for _ in range(20))
    peer = 1000 * goofspiel.seconds(goofspiel.theirs)
    return [sooner(f"goofspiel with {goofspiel.CARDS} cards, solved, against OpenSpiel", mine, peer, 100)]


def decision_rows() -> list[Row]:
    """Milliseconds for the odds of every legal move of a decision, against the 150 that they may take."""
    rows = []
    for name, teams in DECISIONS.items():
        measured = odds_at_decisions("grapple", teams)
        slowest = max(one.ms for one in measured)
        most = max(one.moves for one in measured)
        off = sum(one.off for one in measured) / len(measured)
        what = f"grapple odds, {name}, up to {most} moves, best within {off:.1%}"
        rows.append(sooner(what, slowest, 150.0, 1))
    return rows


def cost_rows() -> list[Row]:
    """Milliseconds for what every move of a decision costs, against the 200 that it may take, and its play-outs.

    Those stand beside the rate that plays every move out a hundred times in that while.
    """
    rows = []
    for name, teams in STAKES.items():
        measured = odds_at_decisions("strategic", teams)
        slowest = max(one.ms for one in measured)
        most = max(one.moves for one in measured)
        off = sum(one.off for one in measured) / len(measured)
        rate = sum(one.played for one in measured) / sum(one.ms for one in measured)
        rows += [
            sooner(f"strategic costs, {name}, up to {most} moves, best within {off:.1f} years", slowest, 200.0, 1),
            faster(f"its play-outs, {name}, against 100 of each move", rate, 100 * most / 200, "thousand/s", 1),
        ]
    return rows


def stepping_rows() -> list[Row]:
    """Decisions a second of interpreted rules, against the hundred thousand that a bot in Python counts on."""
    bare, told = (rate / 1000 for rate in stepping.rates())
    unit = "thousand decisions/s"
    return [
        faster("bare steps of bgo, interpreted, each in a copy, against 100,000", bare, 100.0, unit, 1),
        faster("the same, against fights with story and log", bare, told, unit),
    ]


def start_rows() -> list[Row]:
    def launch(*words: str) -> float:
        # As on a user's machine, where Python keeps what it has parsed once.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return timed(lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True, env=kept))

    bare = 1000 * best(lambda: launch("-c", "pass"), 5)
    shown = 1000 * best(lambda: launch("-m", "affray", "--help"), 5)
    again = 1000 * best(
        lambda: launch("-m", "affray", "simulate", "bgo", *DUEL.split(), "--fights", "1000", "--json"), 3
    )
    return [
        Row("affray --help, against bare Python", shown, bare, "ms", bare / shown, 0),
        Row("a compiled simulation's next start, against one second", again, 1000.0, "ms", 1000 / again, 1),
    ]


def world_rows() -> list[Row]:
    moves, commits = moves_and_commits()
    return [faster("moves through the server, 50 connections, against bare commits", moves, commits, "per second")]


def web_rows() -> list[Row]:
    """A thousand WebSockets: moves a second, what each costs, and how long everybody waits for 99 of 100 moves."""
    measured = load()
    crowd = f"{2 * WEB_FIGHTS} clients in {WEB_FIGHTS} fights"
    return [
        faster(f"moves of {crowd}, against a thousand", measured.moves, 1000.0, "per second", 1),
        faster("the same, against playing without a server", measured.moves, measured.alone, "per second"),
        sooner("processor of the server for such a move, against 1.5 ms", measured.processor, 1.5, 1),
        sooner("until all are told, 99 % of these moves, against a second", measured.p99, 1000.0),
        sooner("the same at half that pace, against 100 ms", measured.calm_p99, 100.0, 1),
    ]


def keeping_rows() -> list[Row]:
    """What a server keeps: stored fights that no one uses, clients who only look, fights that have come and gone."""
    kept, came, waiting = stored(), churned(), idle()
    clients = f"memory with {waiting.clients} idle clients, against 1 GB"
    return [
        sooner(f"start of a server with {STORED_FIGHTS} open fights, against 2 s", 1000 * kept.start, 2000.0, 1),
        smaller("its memory, against that with an empty world", kept.memory, kept.empty_memory),
        smaller(clients, waiting.memory, 1000.0, 1),
        smaller(f"memory after {CHURN} fights, against that after {WARM_UP}", came.many, came.few),
    ]


@contextmanager
def fastest_backend() -> Iterator[None]:
    """Let Numba compile the rules, unless the environment names another backend."""
    if "AFFRAY_BACKEND" in os.environ:
        yield
        return
    os.environ["AFFRAY_BACKEND"] = "numba"
    try:
        yield
    finally:
        del os.environ["AFFRAY_BACKEND"]


def main() -> int:
    print("Measuring; this takes some minutes.", file=sys.stderr)
    Fight("bgo", DUEL, seed=1)
    with fastest_backend():
        compiled = [
            *simulation_rows(),
            *playout_rows(),
            *odds_rows(),
            *equilibrium_rows(),
            *decision_rows(),
            *cost_rows(),
        ]
    rows = [
        *compiled,
        *stepping_rows(),
        *start_rows(),
        *world_rows(),
        *web_rows(),
        *keeping_rows(),
    ]
    print(f"{'measurement':<78} {'ours':>9} {'theirs':>9} {'ratio':>8}  wanted")
    for row in rows:
        wanted = f"{row.wanted:.2f}" if row.wanted else "-"
        mark = "" if row.ratio >= row.wanted else "  << below"
        print(f"{row.what:<78} {row.ours:9.2f} {row.theirs:9.2f} {row.ratio:8.2f}  {wanted} ({row.unit}){mark}")
    table = {
        "affray": affray.__version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "rows": [row._asdict() for row in rows],
    }
    Path("bench.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print("Written to bench.json.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
