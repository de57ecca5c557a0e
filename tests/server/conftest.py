"""What the servers' tests share: a world that echoes, a clock that stands still, a client with a socket."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from affray.server.limits import Limits
from affray.server.telnet.server import TelnetServer

SECONDS = 600  # before a test that hangs is a failure


class StoppedClock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Client:
    """A client at the other end of a socket, who sees bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes | str) -> None:
        self.writer.write(data if isinstance(data, bytes) else data.encode())

    async def until(self, end: bytes | str) -> bytes:
        async with asyncio.timeout(SECONDS):
            return await self.reader.readuntil(end if isinstance(end, bytes) else end.encode())

    async def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        data = b""
        async with asyncio.timeout(SECONDS):
            try:
                while piece := await self.reader.read(4096):
                    data += piece
            except ConnectionResetError:
                pass
        return data

    async def log_in(self, name: str = "Ann") -> None:
        await self.until("Name: ")
        self.send(f"{name}\n")
        await self.until("Password: ")
        self.send("sesame\n")
        await self.until("$ ")

    async def ask(self, line: bytes | str) -> bytes:
        """What comes back for a line, without the prompt."""
        self.send(line + (b"\n" if isinstance(line, bytes) else "\n"))
        return (await self.until("$ ")).removesuffix(b"$ ")


class House:
    """A server, its world, and the way in."""

    def __init__(self, world, server: TelnetServer, clock: StoppedClock) -> None:
        self.world = world
        self.server = server
        self.clock = clock
        self.clients: list[Client] = []

    async def visit(self, **how) -> Client:
        client = Client(*await asyncio.open_connection("127.0.0.1", self.server.port, **how))
        self.clients.append(client)
        return client

    async def guest(self, name: str = "Ann") -> Client:
        client = await self.visit()
        await client.log_in(name)
        return client

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds
        self.server.look_after_all()

    async def comes_true(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture(scope="session")
def echo_world() -> ModuleType:
    spec = spec_from_file_location("echo_world", Path(__file__).with_name("echo_world.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["echo_world"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def house(echo_world):
    """`async with house(line=20) as house:` a server with such limits."""

    @asynccontextmanager
    async def open(**limits: int) -> AsyncIterator[House]:
        clock = StoppedClock()
        world = echo_world.EchoWorld()
        server = await TelnetServer.open(world, port=0, limits=Limits(**limits), clock=clock)
        house = House(world, server, clock)
        try:
            yield house
        finally:
            for client in house.clients:
                client.writer.close()
            await server.close()

    return open
