"""The world of one player in a browser: it answers the requests that the page would send to a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from affray.edition.jobs import PoolJobs
from affray.edition.pool import Pool
from affray.errors import Illegal
from affray.server.api import dispatch
from affray.server.api.callers import Caller
from affray.server.api.dispatch import Answer
from affray.server.api.live import ClientLimits, Clients, Closed
from affray.server.api.messages import Session
from affray.server.api.routes import Method
from affray.world.combats.worker import Worker
from affray.world.places import FIRST_PLACE
from affray.world.push.notifying import PushSettings
from affray.world.store.statements import add_account
from affray.world.store.tables import Account, fold
from affray.world.world import World

PLAYER = "Player"
UNCALLED = "this world is in your browser alone, and sleeps while the page is closed"
# Nobody else shares this world, so a page may ask as fast as it likes.
FAST = ClientLimits(burst=10_000, rate=10_000)


class PageLine:
    """The line to the page: messages by way of the browser."""

    address = "this browser"

    def __init__(self, account: Account, told: Callable[[str], None], closed: Callable[[int, str], None]) -> None:
        self._account, self._told, self._closed = account, told, closed
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self, message: str | None) -> None:
        """Take a message from the page; None when the page closes the line."""
        self._heard.put_nowait(message)

    async def account(self) -> Account:
        """The one account of this world."""
        return self._account

    async def receive(self) -> str:
        """The next message."""
        message = await self._heard.get()
        if message is None:
            raise Closed
        return message

    async def send(self, message: bytes) -> None:
        """Send a message."""
        self._told(message.decode())

    async def close(self, code: int, reason: str) -> None:
        """End the line."""
        self._closed(code, reason)


class Host:
    """Answers the page of one player from a world in a file."""

    def __init__(self, world: World, account: Account, pool: Pool) -> None:
        """Used by `Host.open`."""
        self._world, self._account = world, account
        self._jobs = PoolJobs(pool)
        self._clients = Clients(world, FAST)

    @classmethod
    async def open(cls, file: Path, pool: Pool, committed: Callable[[], Awaitable[None]]) -> Host:
        """The world in a file, which is made if it is not there; `committed` is awaited after every change."""
        world = await World.open(str(file), worker=Worker(pool.run), push=PushSettings(problem=UNCALLED))
        world.store.committed = committed
        account = await world.store.account(fold(PLAYER))
        if account is None:
            await world.store.commit(add_account(PLAYER, place=FIRST_PLACE))
            account = await world.store.account(fold(PLAYER))
        assert account is not None
        return cls(world, account, pool)

    async def request(self, method: Method, address: str, body: bytes) -> Answer:
        """Answer a request of the page."""
        if address == "/api/session":
            return self._session(method)
        caller = Caller(self._world, self._account, PageLine.address)
        return await dispatch.answer(method, address, body, {"caller": caller, "player": caller, "jobs": self._jobs})

    def _session(self, method: Method) -> Answer:
        if method == "GET":
            player = Session(self._account.name, self._account.role, known=True, csrf="", fixed=True)
            return Answer(200, msgspec.json.encode(player))
        status, shown = dispatch.refusal(Illegal("there is only one player in this browser", given=method))
        return Answer(status, msgspec.json.encode(shown))

    def connect(self, told: Callable[[str], None], closed: Callable[[int, str], None]) -> PageLine:
        """A line to the page, which is served until it is closed."""
        line = PageLine(self._account, told, closed)
        self._world.background.start(self._clients.attend(line), "page")
        return line

    async def close(self) -> None:
        """Close the line and the world."""
        await self._clients.close()
        await self._world.close()
