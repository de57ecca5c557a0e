"""The web edition's side of JavaScript: what its workers call in Pyodide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pyodide.ffi import create_proxy, to_js  # type: ignore[import-not-found]

from affray.edition import device, pool
from affray.edition.host import Host, PageLine
from affray.edition.pool import Report
from affray.errors import Failed
from affray.server.api.routes import Method

T = TypeVar("T")
WORLD = Path("/world.db")


class JavaScriptPool:
    """A pool of workers that JavaScript keeps."""

    def __init__(self, workers: Any) -> None:
        self._workers = workers
        self.size = int(workers.size)

    async def run(self, work: Callable[..., T], *args: object, heard: Report | None = None) -> T:
        """What a function finds in a worker."""
        listening = create_proxy(heard) if heard else None
        asked = self._workers.run(to_js(pool.packed(work, args)), listening)
        try:
            answer = await asked.answer
            if answer is None:
                raise Failed("this could not be worked out: its worker has ended")
            found: T = pool.unpacked(answer.to_bytes())
            return found
        finally:
            asked.stop()
            if listening is not None:
                listening.destroy()


class Door:
    """The host as JavaScript sees it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._line: PageLine | None = None

    async def request(self, method: Method, address: str, body: str) -> Any:
        """Answer a request: its status and its body."""
        answer = await self._host.request(method, address, body.encode())
        return to_js([answer.status, answer.body.decode()])

    def connect(self, told: Callable[[str], None], closed: Callable[[int, str], None]) -> None:
        """Open the line to the page, which has one at a time."""
        self.hear(None)
        self._line = self._host.connect(told, closed)

    def hear(self, message: str | None) -> None:
        """Take a message from the page; None closes the line."""
        if self._line is not None:
            self._line.hear(message)


async def open_door(stored: Any, workers: Any, keep: Callable[[Any], Any]) -> Door:
    """The world that was kept, or a new one; `keep` stores its file after every change."""
    if stored is not None:
        WORLD.write_bytes(stored.to_bytes())

    async def committed() -> None:
        kept = keep(to_js(WORLD.read_bytes()))
        if kept is not None:  # a page inside another keeps nothing
            await kept

    return Door(await Host.open(WORLD, JavaScriptPool(workers), committed))


def carry_out(call: Any, report: Report) -> Any:
    """In a worker of the pool: do what a call says, or answer a question of a page that has a server."""
    if isinstance(call, str):
        return device.answer(call)
    return to_js(pool.carry_out(call.to_bytes(), report))
