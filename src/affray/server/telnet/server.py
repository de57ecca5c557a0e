"""Listens for telnet connections to a world, and manages them."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from affray.server import FAREWELL
from affray.server.limits import Clock, Limits
from affray.server.listening import listen
from affray.server.telnet.connection import CHUNK, Connection
from affray.server.telnet.protocol import encoded

if TYPE_CHECKING:
    from affray.world.world import World

LOOK_EVERY = 1.0  # seconds
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4}
LAST_WORDS = 5.0  # seconds for all connections to leave when the server ends
LAST_LOOK = 0.5  # seconds for their clients to close then, or when there was no room
WAITING = 512  # connections that the system may queue until they are accepted
FULL = b"The server is full. Please come back later.\r\n"

log = logging.getLogger(__name__)


class TelnetServer:
    """`await TelnetServer.open(world, host, port)`, and `await server.close()` when it is over."""

    def __init__(self, world: World, limits: Limits, clock: Clock) -> None:
        self._world = world
        self._limits = limits
        self._clock = clock
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._addresses: Counter[str] = Counter()
        self._listening: asyncio.Server | None = None
        self._looking: asyncio.Task[None] | None = None
        self._ending = False
        self.port = 0
        """The port that is listened on."""

    @classmethod
    async def open(
        cls,
        world: World,
        host: str = "127.0.0.1",
        port: int = 4242,
        limits: Limits | None = None,
        clock: Clock = time.monotonic,
        *,
        shared: bool = False,
    ) -> TelnetServer:
        """A server that listens; port 0 takes any that is free. With `shared` other processes may take it too."""
        server = cls(world, limits or Limits(), clock)
        listening = listen(host, port, backlog=WAITING, shared=shared, full=FULL)
        server._listening = await asyncio.start_server(server._welcome, sock=listening, backlog=WAITING)
        server.port = server._listening.sockets[0].getsockname()[1]
        server._looking = asyncio.create_task(server._keep_looking())
        return server

    async def close(self) -> None:
        """Stop listening, say farewell to all visitors, and return when all have left."""
        assert self._listening is not None
        assert self._looking is not None
        self._ending = True
        self._listening.close()
        self._looking.cancel()
        for connection in list(self._connections):
            connection.close(FAREWELL)
        leaving = [asyncio.ensure_future(connection.left.wait()) for connection in self._connections]
        if tasks := list(self._connections.values()):
            await asyncio.wait(leaving, timeout=LAST_WORDS)
            _, stuck = await asyncio.wait(tasks, timeout=LAST_LOOK)
            for task in (*stuck, *leaving):
                task.cancel()
            await asyncio.gather(*stuck, *leaving, return_exceptions=True)

    def look_after_all(self) -> None:
        """Enforce the time limits on every connection; this runs every second by itself."""
        for connection in list(self._connections):
            connection.look_after()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.look_after_all()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        if not peer:
            writer.close()
            return
        if problem := self._no_room(peer[0]):
            await _turn_away(problem, reader, writer)
            return
        _prepare(writer.get_extra_info("socket"))
        connection = Connection(self._world, peer[0], reader, writer, self._limits, self._clock)
        task = asyncio.current_task()
        assert task is not None
        self._connections[connection] = task
        self._addresses[connection.address] += 1
        try:
            await connection.attend()
            await connection.parted()
        except (OSError, asyncio.CancelledError):
            pass  # cut off instead of closed, or still there when the server ends
        except Exception:
            log.exception("the connection from %s broke", connection.address)
        finally:
            writer.transport.abort()  # nothing is left to send, or sending took too long
            del self._connections[connection]
            self._addresses -= Counter([connection.address])  # which forgets those that have none left

    def _no_room(self, address: str) -> str | None:
        """Why another connection from an address is refused, if it is."""
        limits = self._limits
        if self._ending:
            return FAREWELL
        if len(self._connections) >= limits.connections:
            return f"The server is full ({limits.connections} connections). Please come back later."
        if self._addresses[address] >= limits.per_address:
            return f"Your address already has all its {limits.per_address} connections. Close one first."
        return None


def _prepare(connected: socket.socket) -> None:
    """Notice a silently lost connection, and keep the urgent byte of an interrupt in its place among the others."""
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    for name, seconds in KEEPALIVE.items():
        with suppress(AttributeError, OSError):  # not every system lets that be set
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)


async def _turn_away(problem: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say why, and close once that has been read, or nearly at once."""
    with suppress(OSError, TimeoutError):
        writer.write(encoded(f"{problem}\n"))
        writer.write_eof()
        async with asyncio.timeout(LAST_LOOK):
            while await reader.read(CHUNK):
                pass
    writer.close()
