"""Moves through a server with fifty busy connections, beside bare commits: the ceiling of who keeps each move apart."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from itertools import cycle
from pathlib import Path

from affray.world.people.passwords import hashed
from affray.world.store import Store, statements
from affray.world.store.attributes import Attribute
from benchmarks.serving import serving

CONNECTIONS = 50
SECONDS = 1.5  # of moving, in each of several turns
TURNS = 6
PASSWORD = "open sesame"
ATTRIBUTES = {
    "grapple_skill4": "ac",
    "grapple_skill3": "co",
    "grapple_skill2": "en",
    "grapple_apMaxSize": 10,
    "grapple_ad": 5,
    "grapple_sd": 5,
    "grapple_defense": 3,
    "grapple_maxWounds": 3,
}
SETTING_UP = {
    "combat init brawl grapple round_cap=100000": b"Created combat",
    "combat add me heroes": b"is added to team",
    "combat add_npc Troll ac:co:en:10:3:3:5:5 monsters": b"Added Troll",
    "combat start heroes": b"The dice are fair",
}
# One SD never gets through a defense of 3 and is not spent then, so that every move is possible and nobody ever wins.
MOVES = (
    "combat move maneuver 1 ac",
    "combat move_npc Troll maneuver 1 ac",
    "combat move strike 1 Troll",
    "combat move_npc Troll strike 1 {name}",
    "combat move catch breath",
    "combat move_npc Troll catch breath",
)


def moves_and_commits() -> tuple[float, float]:
    """Moves a second through the server, and bare commits a second on the same file system, measured in turns."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder)))


async def _measured(folder: Path) -> tuple[float, float]:
    await _furnish(folder / "world.db")
    limits = ("--limit-burst", "1000000", "--limit-rate", "1000000")
    words = ("--no-web", "--telnet", "127.0.0.1:0", *limits)
    async with serving(folder / "world.db", *words, port_file="--port-file") as server:
        players = [_Player(number) for number in range(CONNECTIONS)]
        await asyncio.gather(*(player.come(server.port) for player in players))
        moves, commits = [], []
        for _ in range(TURNS):
            commits.append(_bare_commits(folder / "bare.db"))
            moves.append(await _moves(players))
    return max(moves), max(commits)


async def _furnish(path: Path) -> None:
    """Fifty players, each in a place of their own."""
    hash = await hashed(PASSWORD)
    async with await Store.open(str(path)) as store:
        for number in range(CONNECTIONS):
            key = f"player{number}"
            given = [
                statements.set_attribute(key, Attribute(name, "STRING" if isinstance(value, str) else "INTEGER", value))
                for name, value in ATTRIBUTES.items()
            ]
            place = statements.add_place(f"yard{number}")
            await store.commit(
                place, statements.add_account(f"Player{number}", "player", hash, f"yard{number}"), *given
            )


class _Player:
    """A connection that moves for both sides of a fight, and waits for each answer."""

    def __init__(self, number: int) -> None:
        self.name = f"Player{number}"
        self._moves = cycle(MOVES)

    async def come(self, port: int) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        await self._say(f"connect {self.name} {PASSWORD}", b"$ ")  # the first prompt follows the greeting
        for line, answer in SETTING_UP.items():
            await self._say(line, answer)

    async def move(self, until: float) -> int:
        """Move until it is time to stop; returns how often."""
        made = 0
        while time.perf_counter() < until:
            await self._say(next(self._moves).format(name=self.name), b" moves: ")
            made += 1
        return made

    async def _say(self, line: str, answer: bytes) -> None:
        self._writer.write(f"{line}\r\n".encode())
        async with asyncio.timeout(60):
            await self._reader.readuntil(answer)
            await self._reader.readuntil(b"$ ")


async def _moves(players: list[_Player]) -> float:
    begun = time.perf_counter()
    made = await asyncio.gather(*(player.move(begun + SECONDS) for player in players))
    return sum(made) / (time.perf_counter() - begun)


def _bare_commits(path: Path) -> float:
    """Rows a second, each in a transaction of its own, one after another, as durable as the server's."""
    database = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        database.execute(f"PRAGMA {pragma}")
    database.execute(
        "CREATE TABLE IF NOT EXISTS answers (combat INTEGER, at INTEGER, entry TEXT, PRIMARY KEY (combat, at))"
    )
    entry = (
        '{"decision":1,"who":"Player1","move":"maneuver 1 ac","fell":[[1,2,3,4,5]],"whim":0,"by":"player1","after":0}'
    )
    ((first,),) = database.execute("SELECT count(*) FROM answers")
    made, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + SECONDS / 2:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO answers VALUES (1, ?, ?)", (first + made, entry))
        database.execute("COMMIT")
        made += 1
    taken = time.perf_counter() - begun
    database.close()
    return made / taken
