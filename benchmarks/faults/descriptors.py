"""Connections that take all file descriptors of a server."""

from __future__ import annotations

import asyncio
import os
import resource
from contextlib import suppress
from pathlib import Path

import httpx

from benchmarks.crowd import SECONDS, Server
from benchmarks.faults.load import A_WHILE, Load
from benchmarks.faults.logs import logged
from benchmarks.faults.report import Row, progress

SPARE = 8  # descriptors that are free before idle connections take them
IDLE = 3 * SPARE  # connections that take them, and others that wait for one
FIGHTS = 12
BETWEEN = 30  # moves from one shortage to the next
MEANWHILE = 4  # moves while it lasts: fights go on, but new ones may have to wait
MOST_LINES = 3  # in the log, for each shortage
TURNED_AWAY = b"HTTP/1.1 503"


async def few_descriptors(folder: Path, times: int) -> Row:
    """Take all descriptors with idle connections while fights go on, and give them back."""
    url = str(folder / "world.db")
    server = Server(url, folder / "port")
    load = Load(url, [server], FIGHTS)
    row = Row("too few file descriptors", times, "")
    with logged(server) as log:
        await load.open()
        await load.until(BETWEEN)
        most = len(os.listdir(f"/proc/{server.pid}/fd")) + SPARE
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (most, most))
        turned_away = 0
        for number in range(times):
            turned_away += await _short(load, server)
            await load.until(BETWEEN)
            progress(row.fault, number + 1, times)
        assert server.pid
        await load.close()
    short = [line for line in log if "open files" in line]
    row.told = f"fights went on, {turned_away} newcomers were turned away; lines in the log: {len(log)}"
    row.found += await load.findings()
    row.found.wrong += [f"{len(log)} lines in the log: {log[0]}"] if len(log) > MOST_LINES * times else []
    row.found.wrong += [] if short and turned_away else ["nobody was turned away, or the log does not say so"]
    return row


async def _short(load: Load, server: Server) -> int:
    """One shortage: idle connections, and moves by those who are there; how many newcomers were turned away."""
    idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(IDLE)]
    answers = [asyncio.create_task(reader.read(len(TURNED_AWAY))) for reader, _ in idle]
    await load.until(MEANWHILE)
    turned_away = sum(1 for answer in answers if answer.done() and answer.result() == TURNED_AWAY)
    for _, writer in idle:
        writer.close()
    await asyncio.gather(*answers, return_exceptions=True)
    async with asyncio.timeout(SECONDS):
        while not await _is_served(server):
            await asyncio.sleep(A_WHILE)
    return turned_away


async def _is_served(server: Server) -> bool:
    with suppress(httpx.TransportError):  # it may be cut off before the refusal is read
        async with httpx.AsyncClient(trust_env=False, timeout=SECONDS) as http:
            return (await http.get(f"http://127.0.0.1:{server.port}/health")).is_success
    return False
