"""A server in a process of its own, for as long as it is measured."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def serving(store: Path, *words: str, port_file: str = "--web-port-file") -> AsyncIterator[int]:
    """`affray serve` on a store, with more words; gives the port that it writes to the file of that option."""
    noted = store.parent / "port"
    command = [sys.executable, "-m", "affray", "serve", "--store", str(store), port_file, str(noted), *words]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not (noted.exists() and noted.read_text().strip()):
            if server.poll() is not None:
                raise RuntimeError("the server has ended by itself")
            await asyncio.sleep(0.05)
        yield int(noted.read_text())
    finally:
        server.kill()
        server.wait()
