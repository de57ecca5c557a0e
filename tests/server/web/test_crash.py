"""A web server that is killed again and again in the middle of thirty fights forgets no move that it acknowledged."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

for needed in ("argon2", "litestar", "websockets", "httpx"):
    pytest.importorskip(needed, reason="the server extra is not installed")

from benchmarks import crowd  # noqa: E402 - it needs them too

FIGHTS = 20
MOVES = 14  # of people in one fight, unless it is over before


class Killing:
    """Counts what is acknowledged, and kills the server whenever so many moves are reached."""

    def __init__(self, server: crowd.Server, after: list[int], chance: random.Random) -> None:
        self.server, self.after, self.chance = server, after, chance
        self.acknowledged = 0
        self.killed = 0
        self._due = asyncio.Event()

    def count(self) -> None:
        self.acknowledged += 1
        if self.killed < len(self.after) and self.acknowledged >= self.after[self.killed]:
            self._due.set()

    async def go_on(self) -> None:
        while True:
            await self._due.wait()
            await asyncio.sleep(self.chance.uniform(0, 0.02))
            self.server.kill()
            self.killed += 1
            self._due.clear()
            await self.server.open()


async def fight(bout: crowd.Bout, server: crowd.Server, killing: Killing) -> None:
    """Move whenever a player is asked; after a crash both come back and go on from what they are shown."""
    sent = 0
    while sent < MOVES and not bout.over:
        mover = next((client for client in bout.players if client.due()), None)
        try:
            if mover is None:
                await bout.players[0].until(lambda: bout.over or any(client.due() for client in bout.players))
                continue
            move = bout.choose(mover.due())
            if await bout.send(mover, move):
                killing.count()
                sent += 1
            await mover.until(lambda m=mover, d=move[0]: not m.is_asked(d))
        except crowd.Cut:
            await asyncio.gather(*(client.come(server, bout.number) for client in bout.players))


async def play(url: str, folder: Path, kills: list[int]) -> None:
    chance = random.Random(20)
    people = await crowd.furnish(url, [f"P{number}{seat}" for number in range(FIGHTS) for seat in "ab"])
    server = crowd.Server(url, folder / "port")
    killing = Killing(server, kills, chance)
    bouts = []
    try:
        await server.open()
        for number, pair in enumerate(zip(people[::2], people[1::2], strict=True)):
            system = list(crowd.SYSTEMS)[number % len(crowd.SYSTEMS)]
            made = await crowd.begin(system, pair[0], server, pair[1], server)
            pair[1].news = pair[0].news
            bouts.append(crowd.Bout(made, list(pair), random.Random(number)))
        await asyncio.gather(*(client.come(server, bout.number) for bout in bouts for client in bout.players))
        async with asyncio.TaskGroup() as together:
            killer = together.create_task(killing.go_on())
            await asyncio.gather(*(fight(bout, server, killing) for bout in bouts))
            killer.cancel()
        assert killing.killed == len(kills)
        server.kill()
        await asyncio.gather(*(client.go() for client in people))
    finally:
        server.clear_away()
    check(await crowd.stored_fights(url), bouts)


def check(stored: dict[int, tuple[list[str], list[dict]]], bouts: list[crowd.Bout]) -> None:
    """Everything acknowledged is stored, in its order and once, and so is every line that players were told."""
    assert len(stored) == len(bouts)
    for bout in bouts:
        story, answers = stored[bout.number]
        moves = [crowd.move_of(entry) for entry in answers]
        assert [move for move in moves if move in bout.acknowledged] == bout.acknowledged
        assert set(moves) <= {*bout.acknowledged, *bout.uncertain}
        for client in bout.players:
            assert story[: len(client.story)] == client.story


def test_crashes_under_load_on_sqlite(tmp_path):
    asyncio.run(play(str(tmp_path / "world.db"), tmp_path, kills=[30, 60, 90, 120]))


def test_crashes_under_load_on_postgres(tmp_path, postgres_url):
    asyncio.run(play(postgres_url, tmp_path, kills=[35, 75, 115]))
