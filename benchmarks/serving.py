"""A server in a process of its own, for as long as it is measured."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx


@dataclass(frozen=True)
class Serving:
    """A server that runs."""

    port: int
    process: int

    def memory(self) -> float:
        """The megabytes that it has in memory."""
        pages = Path(f"/proc/{self.process}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def processor(self) -> float:
        """The seconds of processor that it has used."""
        figures = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, figures[11:13])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def serving(store: str | Path, *words: str, port_file: str = "--web-port-file") -> AsyncIterator[Serving]:
    """`affray serve` on a store, with more words; its port is written to the file of that option."""
    noted = Path(store).parent / "port"
    noted.unlink(missing_ok=True)
    command = [sys.executable, "-m", "affray", "serve", "--store", str(store), port_file, str(noted), *words]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not (noted.exists() and noted.read_text().strip()):
            if server.poll() is not None:
                raise RuntimeError("the server has ended by itself")
            await asyncio.sleep(0.01)
        yield Serving(int(noted.read_text()), server.pid)
    finally:
        server.kill()
        server.wait()


def client(server: Serving) -> httpx.AsyncClient:
    """A browser, more or less."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=120, trust_env=False)


async def come_in(http: httpx.AsyncClient) -> None:
    """Make an account and log in."""
    await http.get("/api/session")
    http.headers["X-CSRF-Token"] = http.cookies["affray_csrf"]
    (await http.post("/api/accounts", json={"name": "Ann", "password": "open sesame"})).raise_for_status()
