"""PostgreSQL and Redis that stop and start in mid-fight, while the servers of a world go on."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

from benchmarks.crowd import SECONDS, Client, Server
from benchmarks.faults.load import A_WHILE, Load
from benchmarks.faults.report import Row, progress
from benchmarks.faults.services import Postgres, Redis

BETWEEN = 30  # moves from one outage to the next


async def postgres_restarts(postgres: Postgres, url: str, folder: Path, times: int, peers: str = "") -> Row:
    """Stop PostgreSQL or let it crash, by turns, until players have been told so; then start it again.

    With `peers` two servers share the world. Servers must go on by themselves.
    """
    words = ("--peers", peers) if peers else ()
    servers = [Server(url, folder / f"port{n}", *words) for n in range(2 if peers else 1)]
    load = Load(url, servers)
    fault = "PostgreSQL stopped or crashed in mid-fight" + (", two servers" if peers else "")
    try:
        await load.open()
        pids = [server.pid for server in servers]
        for number in range(times):
            await load.until(BETWEEN)
            await asyncio.to_thread(postgres.crash if number % 2 else postgres.stop)
            await load.until_refused()
            await asyncio.to_thread(postgres.start)
            await load.until(BETWEEN)
            progress(fault, number + 1, times)
        assert pids == [server.pid for server in servers]
        if peers:
            await hear_each_other(load)
        await load.close()
    finally:
        for server in servers:
            server.clear_away()
    told = f"{load.failures.total()} moves refused with a sentence, such as: {said_most(load)}"
    return Row(fault, times, told, await load.findings())


def said_most(load: Load) -> str:
    """What players were told most often."""
    return max(load.failures, key=lambda said: load.failures[said], default="nothing")


async def redis_restarts(redis: Redis, url: str, folder: Path, times: int) -> Row:
    """Stop Redis between two servers of a world while fights go on, and start it again."""
    servers = [Server(url, folder / f"port{n}", "--peers", redis.url) for n in range(2)]
    load = Load(url, servers)
    fault = "Redis stopped in mid-fight, two servers"
    try:
        await load.open()
        for number in range(times):
            await load.until(BETWEEN)
            await asyncio.to_thread(redis.stop)
            await load.until(BETWEEN)
            await asyncio.to_thread(redis.start)
            await load.until(BETWEEN)
            await hear_each_other(load)
            progress(fault, number + 1, times)
        assert all(server.pid for server in servers)
        await load.close()
    finally:
        for server in servers:
            server.clear_away()
    told = f"fights went on, {load.failures.total()} moves were refused; both servers heard of each other again"
    return Row(fault, times, told, await load.findings())


async def hear_each_other(load: Load) -> None:
    """Wait until what is said at one server is heard at the other, again and again until it is."""
    talking = load.bouts[-1]
    here, there = (client.twin() for client in talking.players)  # players themselves may turn to another fight
    spoken = count(1)

    def heard(by: Client) -> bool:
        return any("Can you hear me" in text for text in by.said)

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(here.come(load.servers[0], talking.number), there.come(load.servers[1], talking.number))
        for speaker, listener in ((here, there), (there, here)):
            while not heard(listener):
                await speaker.ask(type="say", text=f"Can you hear me? I ask for the {next(spoken)}th time.")
                await asyncio.sleep(A_WHILE)
        await asyncio.gather(here.go(), there.go())
