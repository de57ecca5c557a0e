"""How soon a move of another fight is told while twenty NPCs of a world think, and while none does."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from benchmarks.serving import client as client_of
from benchmarks.serving import come_in, serving

FIGHTS = 10  # of two NPCs each
THINKER = "search:2s"
SECONDS = 20.0
PAUSE = 0.05  # seconds between two moves


class Told(NamedTuple):
    """Milliseconds until a move was made, stored and answered with the new table, and how many there were."""

    p50: float
    p99: float
    most: float
    moves: int


def told(fights: int) -> Told:
    """Measure a server in a process of its own, in which so many fights of NPCs that think are going on."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder), fights))


async def _measured(folder: Path, fights: int) -> Told:
    async with serving(folder / "world.db", "--web", "127.0.0.1:0") as server, client_of(server) as client:
        await come_in(client)
        for number in range(fights):
            teams = {team: [{"sheet": "goblin", "by": THINKER}] for team in ("reds", "greens")}
            await _made(client, f"thinkers {number}", teams)
        mine = {"us": [{"sheet": "goblin", "by": "storyteller"}], "them": [{"sheet": "goblin", "by": "storyteller"}]}
        return await _moved(client, await _made(client, "mine", mine))


async def _made(client: httpx.AsyncClient, name: str, teams: dict[str, Any]) -> dict[str, Any]:
    asked = {"name": name, "system": "grapple", "teams": teams, "start": True, "options": {"round_cap": 100000}}
    answer = await client.post("/api/combats", json=asked)
    answer.raise_for_status()
    table: dict[str, Any] = answer.json()
    return table


async def _moved(client: httpx.AsyncClient, table: dict[str, Any]) -> Told:
    taken: list[float] = []
    number, until = table["number"], time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        due = table["asks"][0]["fighter"]
        asked = {"fighter": due, "move": "catch breath", "decision": table["decision"]}
        begun = time.perf_counter()
        answer = await client.post(f"/api/combats/{number}/moves", json=asked)
        answer.raise_for_status()
        taken.append(1000 * (time.perf_counter() - begun))
        table = answer.json()
        await asyncio.sleep(PAUSE)
    taken.sort()
    return Told(taken[len(taken) // 2], taken[len(taken) * 99 // 100], taken[-1], len(taken))


if __name__ == "__main__":
    print("no NPC thinks:     ", told(0))
    print("twenty NPCs think: ", told(FIGHTS))
