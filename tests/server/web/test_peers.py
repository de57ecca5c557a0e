"""What one process of a world lets the others know, over the framework's channels in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the server extra is not installed")

from litestar.channels.backends.memory import MemoryChannelsBackend

from affray.errors import Invalid
from affray.server.web import peers
from affray.server.web.peers import LARGEST, ChannelPeers, backend
from affray.world.peers import Message, Present

SECONDS = 600  # before a test that hangs is a failure
HERE = {"ann": Present("Ann", "player", "tavern")}


class Wire(MemoryChannelsBackend):
    """Keeps what is published, and can publish as another process would."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[dict[str, Any]] = []
        self.channels: set[str] = set()

    async def publish(self, data: bytes, channels: Any) -> None:
        self.published.append(json.loads(data))
        self.channels |= set(channels)
        await super().publish(data, channels)

    async def other(self, channel: str = "affray_here", **message: object) -> None:
        await super().publish(json.dumps({"from": "other", **message}).encode(), [channel])


class Listening:
    """A fan-out that listens, and what it has heard from whom."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.fanout = ChannelPeers(self.wire)
        self.heard: list[tuple[str, Message]] = []

    async def hear(self, sender: str, message: Message) -> None:
        self.heard.append((sender, message))
        if message["kind"] == "wrong":
            raise ValueError(message)


@asynccontextmanager
async def listening() -> AsyncIterator[Listening]:
    made = Listening()
    await made.fanout.listen("here", made.hear, lambda: HERE)
    try:
        yield made
    finally:
        await made.fanout.close()


async def comes_true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


def run(test: Callable[[Listening], Awaitable[None]]) -> Listening:
    async def within() -> Listening:
        async with listening() as made:
            await test(made)
        return made

    return asyncio.run(within())


def test_a_process_hears_others_in_their_order_and_never_itself() -> None:
    async def test(made: Listening) -> None:
        made.fanout.publish({"kind": "said", "text": "mine"})
        await made.wire.other(kind="said", text="first")
        await made.wire.other(kind="wrong")
        await made.wire.other(kind="said", text="second")
        await comes_true(lambda: len(made.heard) == 3)

    made = run(test)
    assert [message.get("text") for _, message in made.heard] == ["first", None, "second"]
    assert {sender for sender, _ in made.heard} == {"other"}


def test_worlds_that_share_the_way_do_not_hear_each_other() -> None:
    async def test(made: Listening) -> None:
        await made.wire.other("affray_elsewhere", kind="said", text="not for us")
        await made.wire.other(kind="said", text="for us")
        await comes_true(lambda: bool(made.heard))

    made = run(test)
    assert [message["text"] for _, message in made.heard] == ["for us"]
    assert made.wire.channels == {"affray_here"}


def test_who_is_connected_is_announced_at_first_when_asked_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "SOON", 0)

    def announced(made: Listening) -> list[object]:
        return [message["people"] for message in made.wire.published if message["kind"] == "present"]

    async def test(made: Listening) -> None:
        await comes_true(lambda: len(announced(made)) == 1)
        await made.wire.other(kind="hello")
        await comes_true(lambda: len(announced(made)) == 2)
        made.fanout.announce()
        await comes_true(lambda: len(announced(made)) == 3)

    made = run(test)
    assert announced(made) == [{"ann": ["Ann", "player", "tavern"]}] * 3 + [{}]
    assert made.heard == []


def test_news_that_are_too_long_to_be_sent_are_left_to_the_log() -> None:
    async def test(made: Listening) -> None:
        made.fanout.publish({"kind": "combat", "number": 1, "news": "x" * LARGEST})
        await comes_true(lambda: any(message["kind"] == "combat" for message in made.wire.published))

    (sent,) = [message for message in run(test).wire.published if message["kind"] == "combat"]
    assert (sent["number"], sent["news"]) == (1, None)


def test_only_redis_and_postgresql_lead_to_other_processes() -> None:
    with pytest.raises(Invalid, match="'carrier-pigeon' cannot connect processes"):
        backend("carrier-pigeon://roof")
