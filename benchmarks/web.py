"""A thousand clients in five hundred fights on one web server, beside the same fights played without any server."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from affray.world.combats.autoplay import MOVES_AT_ONCE
from affray.world.combats.combat import Combat
from affray.world.combats.restoring import restore
from benchmarks.clients import Table, furnish
from benchmarks.serving import serving

FIGHTS = 500
SECONDS = 10.0  # of moving, as fast as it goes and then at half that pace
ALONE = 3.0  # seconds of playing without a server
IDLE_FIGHTS = 2500


class Load(NamedTuple):
    """What was measured: moves of players a second, milliseconds from a move until everybody is told, and of processor.

    First as fast as it goes, then at half that pace, then without a server.
    """

    moves: float
    p50: float
    p99: float
    processor: float
    calm_moves: float
    calm_p50: float
    calm_p99: float
    alone: float


def load() -> Load:
    """Measure a server in a process of its own, with all clients in this one."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder)))


async def _measured(folder: Path) -> Load:
    store = folder / "world.db"
    tables, combats = await furnish(str(store), FIGHTS)
    async with serving(store, "--web", "127.0.0.1:0") as server, AsyncExitStack() as sockets:
        for table in tables:
            await asyncio.gather(*(client.come(server.port, sockets) for client in table.clients))
        begun = server.processor()
        busy = await _moving(tables, thinking=0)
        processor = 1000 * (server.processor() - begun) / len(busy)
        calm = await _moving(tables, thinking=2 * FIGHTS * SECONDS / len(busy))
    return Load(*_figures(busy), processor, *_figures(calm), _played_alone(combats))


def _figures(taken: list[float]) -> tuple[float, float, float]:
    ordered = sorted(taken)
    return len(ordered) / SECONDS, 1000 * ordered[len(ordered) // 2], 1000 * ordered[len(ordered) * 99 // 100]


async def _moving(tables: list[Table], thinking: float) -> list[float]:
    until = time.perf_counter() + SECONDS
    return [seconds for taken in await asyncio.gather(*(t.move(until, thinking) for t in tables)) for seconds in taken]


# --- clients who only look -------------------------------------------------------------------------------------------


class Idle(NamedTuple):
    """Megabytes of a server before its clients come and with them, and how many they are."""

    before: float
    memory: float
    clients: int


def idle() -> Idle:
    """Let clients follow their fights, two in each, on a server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_idle(Path(folder) / "world.db"))


async def _idle(store: Path) -> Idle:
    tables, _ = await furnish(str(store), IDLE_FIGHTS)
    async with serving(store, "--web", "127.0.0.1:0") as server, AsyncExitStack() as sockets:
        before = server.memory()
        for table in tables:
            await asyncio.gather(*(client.come(server.port, sockets) for client in table.clients))
        return Idle(before, server.memory(), 2 * len(tables))


# --- the same without a server ----------------------------------------------------------------------------------------


def _played_alone(combats: list[Combat]) -> float:
    """Moves of players a second in the same fights, with no store, no table and nobody to be told."""
    chance = random.Random(1)
    made, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + ALONE:
        for combat in combats:
            fight = combat.running()
            if fight.over:
                restore(combat, combat.owner, lambda key: True)
                continue
            member = next(member for member in combat.awaited() if member.tactic is None)
            moves = fight.legal(combat.fighter(member))
            combat.move(member, str(chance.choice(moves)), member.player or "")
            combat.move_by_tactic(MOVES_AT_ONCE)
            made += 1
    return made / (time.perf_counter() - begun)


if __name__ == "__main__":
    print(load())
    print(idle())
