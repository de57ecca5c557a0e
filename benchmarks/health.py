"""How soon a server answers a plain request while computer fighters of many large fights move by themselves."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import httpx

from benchmarks.serving import client as client_of
from benchmarks.serving import come_in, serving

FIGHTS = 10
SECONDS = 10.0
PAUSE = 0.02  # seconds between two requests
TEAMS = {  # long fights of many, by the tactics that think longest
    "grapple": ({"reds": 10, "greens": 10}, "goblin", "skill-user"),
    "strategic": ({"order": 5, "raiders": 5}, "guard", "rational"),
}


class Health(NamedTuple):
    """Milliseconds until `/health` has answered, and how often it was asked."""

    p50: float
    p99: float
    most: float
    asked: int


def health() -> Health:
    """Measure a server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder)))


async def _measured(folder: Path) -> Health:
    async with serving(folder / "world.db", "--web", "127.0.0.1:0") as server, client_of(server) as client:
        await come_in(client)
        making = asyncio.create_task(_make_fights(client))
        taken = await _asked(client)
        await making
        return taken


async def _make_fights(client: httpx.AsyncClient) -> None:
    """Fights of computers alone, which begin to move as soon as they are made."""
    for number in range(FIGHTS):
        system, (sizes, sheet, tactic) = list(TEAMS.items())[number % len(TEAMS)]
        teams = {team: [{"sheet": sheet, "by": tactic}] * size for team, size in sizes.items()}
        asked = {"name": f"fight {number}", "system": system, "teams": teams, "start": True}
        (await client.post("/api/combats", json=asked)).raise_for_status()


async def _asked(client: httpx.AsyncClient) -> Health:
    taken: list[float] = []
    until = time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        begun = time.perf_counter()
        (await client.get("/health")).raise_for_status()
        taken.append(1000 * (time.perf_counter() - begun))
        await asyncio.sleep(PAUSE)
    taken.sort()
    return Health(taken[len(taken) // 2], taken[len(taken) * 99 // 100], taken[-1], len(taken))


if __name__ == "__main__":
    print(health())
