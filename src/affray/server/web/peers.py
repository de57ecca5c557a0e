"""Messages between processes that serve the same world, over channels of Redis or PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack, suppress
from typing import Any

import msgspec
from litestar.channels import ChannelsBackend, ChannelsPlugin, Subscriber

from affray.errors import Invalid, MissingExtra, Refused
from affray.world.peers import Hear, Message, Present
from affray.world.store.database import PATIENCE, reason

log = logging.getLogger(__name__)
LARGEST = 7000  # bytes: PostgreSQL takes no more than 8000
ANNOUNCE_EVERY = 10.0  # seconds
FAREWELL = 2.0  # seconds
SOON = 0.05  # seconds within which arrivals and departures are announced together
LISTEN_AGAIN = 1.0  # seconds between two looks whether the connection that listens still stands
MOST_WAITING = 1000  # messages; while the others cannot be reached, further ones are left to the store
FORMS = ("redis://host", "postgresql://user@host/database")


def backend(url: str) -> ChannelsBackend:
    """The channel backend for an address."""
    scheme = url.split("://")[0]
    try:
        if scheme in ("redis", "rediss"):
            return _redis(url)
        if scheme in ("postgresql", "postgres"):
            return _postgres(url)
    except ImportError:
        raise MissingExtra("sharing a world", "redis" if "redis" in scheme else "postgres") from None
    raise Invalid(f"{scheme!r} cannot connect processes; it must be like {', '.join(FORMS)}", given=scheme)


def _redis(url: str) -> ChannelsBackend:
    from litestar.channels.backends.redis import RedisChannelsPubSubBackend
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import ExponentialBackoff
    from redis.exceptions import ConnectionError, TimeoutError

    # Otherwise this process would receive nothing more after the connection broke once.
    forever = Retry(ExponentialBackoff(cap=2, base=0.05), -1)
    return RedisChannelsPubSubBackend(
        redis=Redis.from_url(url, retry=forever, retry_on_error=[ConnectionError, TimeoutError])
    )


def _postgres(url: str) -> ChannelsBackend:
    import asyncpg
    from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

    class LastingConnections(AsyncPgChannelsBackend):
        """Publishes over one connection, where the framework would make another for every message.

        Connections that break are made again; the framework would never hear anything any more.
        """

        _speaking: asyncpg.Connection | None = None
        _minding: asyncio.Task[None] | None = None

        async def on_startup(self) -> None:
            await super().on_startup()
            self._minding = asyncio.create_task(self._mind())

        async def _mind(self) -> None:
            while True:
                await asyncio.sleep(LISTEN_AGAIN)
                if self._listener_conn.is_closed():
                    try:
                        await self._listen_again()
                    except Exception as problem:  # a server that is not there fails in many ways
                        log.info("other processes cannot be heard: %s", problem)

        async def _listen_again(self) -> None:
            listening = await asyncpg.connect(url, timeout=PATIENCE)
            for channel in self._subscribed_channels:
                await listening.add_listener(channel, self._listener)
            self._listener_conn = listening
            log.warning("other processes can be heard again")

        async def publish(self, data: bytes, channels: Iterable[str]) -> None:
            if self._speaking is None or self._speaking.is_closed():
                self._speaking = await asyncpg.connect(url, timeout=PATIENCE)
            for channel in channels:
                await self._speaking.execute("SELECT pg_notify($1, $2)", channel, data.decode())

        async def on_shutdown(self) -> None:
            if self._minding is not None:
                self._minding.cancel()
            if self._speaking is not None:
                await self._speaking.close()
            await super().on_shutdown()

    return LastingConnections(url)


class ChannelPeers:
    """The other processes of a world, over channels. Lost messages are made up from the store."""

    def __init__(self, over: ChannelsBackend) -> None:
        self._me = secrets.token_hex(8)
        self._channels = ChannelsPlugin(over, arbitrary_channels_allowed=True)
        self._channel = ""
        self._open = AsyncExitStack()
        self._waiting: asyncio.Queue[Message] = asyncio.Queue(MOST_WAITING)
        self._tasks: list[asyncio.Task[None]] = []
        self._announced = asyncio.Event()

    async def listen(self, channel: str, hear: Hear, present: Callable[[], Mapping[str, Present]]) -> None:
        """Receive the others' messages on a channel from now on, and announce who is connected here."""
        self._channel = f"affray_{channel}"
        await self._open.enter_async_context(self._channels)
        subscriber = await self._channels.subscribe(self._channel)
        self._tasks = [
            asyncio.create_task(self._send()),
            asyncio.create_task(self._receive(subscriber, hear)),
            asyncio.create_task(self._announce(present)),
        ]
        self.publish({"kind": "hello"})

    def publish(self, message: Message) -> None:
        """Send a message to all others; where too many wait, it is left to the store."""
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(message)

    def announce(self) -> None:
        """Announce to all others, after a moment, who is connected here."""
        self._announced.set()

    async def close(self) -> None:
        """Announce to the others that no account is connected here any longer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            async with asyncio.timeout(FAREWELL):
                await self._publish({"kind": "present", "people": {}})
        except Exception as problem:
            log.error("other processes were not told that this one has closed: %s", problem)
        finally:
            await self._open.aclose()

    async def _send(self) -> None:
        fails = False
        while True:
            message = await self._waiting.get()
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._publish(message)
                fails = False
            except Exception as problem:  # the others will find it in the store
                if not fails:  # said once, not for each of thousands
                    log.error("other processes cannot be told what happens here: %s", reason(problem))
                fails = True

    async def _publish(self, message: Message) -> None:
        data = msgspec.json.encode({"from": self._me, **message})
        if len(data) > LARGEST and "news" in message:
            data = msgspec.json.encode({"from": self._me, **message, "news": None})
        await self._channels.wait_published(data, [self._channel])

    async def _receive(self, subscriber: Subscriber, hear: Hear) -> None:
        async for data in subscriber.iter_events():
            message: dict[str, Any] = msgspec.json.decode(data)
            sender = message.pop("from")
            if sender == self._me:
                continue
            if message["kind"] == "hello":
                self.announce()
                continue
            try:
                await hear(sender, message)
            except Refused as problem:  # the store cannot be read now; what happened is looked up there later
                log.error("what another process has let us know could not be looked up: %s", problem)
            except Exception:
                log.exception("what another process has let us know could not be taken in")

    async def _announce(self, present: Callable[[], Mapping[str, Present]]) -> None:
        while True:
            self.publish({"kind": "present", "people": {key: list(person) for key, person in present().items()}})
            try:
                await asyncio.wait_for(self._announced.wait(), ANNOUNCE_EVERY)
                await asyncio.sleep(SOON)
            except TimeoutError:
                pass
            self._announced.clear()
