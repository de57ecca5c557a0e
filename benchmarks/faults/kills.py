"""Servers that are killed and started again, over and over, in the middle of fights."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.crowd import Server
from benchmarks.faults.load import Findings, Load
from benchmarks.faults.report import Row, progress

FEWEST, MOST = 2, 30  # moves between two kills
CROWD = 500  # fights of two players each
MOMENT = 0.02  # seconds within which a kill comes after the last of them


async def kills(store: str, urls: list[str], folder: Path, times: int) -> Row:
    """Kill servers so many times in all: one for each store, at the same time as the others."""
    done, begun = 0, time.perf_counter()

    def count() -> None:
        nonlocal done
        done += 1
        if done % 10 == 0 or done == times:
            rate = (time.perf_counter() - begun) / done
            progress(f"kills on {store}", done, times, f", {rate:.2f} s each")

    shares = [times // len(urls) + (n < times % len(urls)) for n in range(len(urls))]
    each = enumerate(zip(urls, shares, strict=True))
    async with asyncio.TaskGroup() as together:
        killing = [_killed(url, folder / f"port{n}", share, n, count) for n, (url, share) in each]
        lanes = [together.create_task(one) for one in killing]
    found = Findings()
    for lane in lanes:
        found += lane.result()
    told = "each time started again on what was left, and players came back"
    return Row(f"SIGKILL under load, {store}", times, told, found)


async def _killed(url: str, noted: Path, times: int, seed: int, count: Callable[[], None]) -> Findings:
    server, chance = Server(url, noted), random.Random(seed)
    load = Load(url, [server], seed=seed)
    try:
        await load.open()
        for _ in range(times):
            await load.until(chance.randint(FEWEST, MOST))
            await asyncio.sleep(chance.uniform(0, MOMENT))
            server.kill()
            count()
            await server.open()
        await load.until(MOST)
        await load.close()
    finally:
        server.clear_away()
    return await load.findings()


async def crowd_kills(store: str, url: str, folder: Path, times: int, *words: str, processes: int = 1) -> Row:
    """Kill a server so many times, or each of several in turn, while a thousand players fight as fast as they can."""
    servers = [Server(url, folder / f"port{n}", *words) for n in range(processes)]
    load = Load(url, servers, CROWD)
    fault = f"SIGKILL with {2 * CROWD} players in {CROWD} fights, {store}"
    try:
        await load.open()
        for number in range(times):
            await load.until(CROWD)
            servers[number % processes].kill()
            progress(fault, number + 1, times)
            await servers[number % processes].open()
        await load.until(CROWD)
        await load.close()
    finally:
        for server in servers:
            server.clear_away()
    return Row(fault, times, "each time started again, and players came back", await load.findings())


def lanes(times: int) -> int:
    """How many servers are killed at the same time: one more than there are cores, because some of it is waiting."""
    return min(times, (os.cpu_count() or 1) + 1)
