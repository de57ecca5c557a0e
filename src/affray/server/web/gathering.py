"""WebSockets with little work for each message: those of one step are written together, and reading rarely pauses."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

EXTENSION = "affray.socket"
"""The extension of an ASGI scope under which the protocol itself can be found."""
PATIENCE = 20.0
"""Seconds that a client may take nothing of what waits for it, before the connection is cut."""
SHORT = 126
"""Messages of fewer bytes have their length in a single byte."""


class Gathered:
    """A transport that hands on what it is given as soon as the present step of the event loop is done.

    Each write wakes the client's process. That reading is to pause is only noted: nearly always the message that is to
    be taken first is taken before another one comes.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._waiting: list[bytes] = []
        self.is_reading = True
        """Whether more may be read: a client who sends more meanwhile has to wait."""

    def write(self, data: bytes) -> None:
        """Write soon."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        """Write what waits, and close."""
        self._flush()
        self._transport.close()

    def pause_reading(self) -> None:
        """Read no more than what is already on its way."""
        self.is_reading = False

    def resume_reading(self) -> None:
        """Read again."""
        self.is_reading = True
        if not self._transport.is_reading():
            self._transport.resume_reading()

    def hold(self) -> None:
        """Let the client wait until reading is resumed."""
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def _flush(self) -> None:
        data, self._waiting = b"".join(self._waiting), []
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class GatheringProtocol(WebSocketsSansIOProtocol):
    """The protocol of uvicorn over such a transport."""

    _gathered: Gathered

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to serve a connection."""
        self._gathered = Gathered(cast(asyncio.Transport, transport), self.loop)
        super().connection_made(cast(asyncio.BaseTransport, self._gathered))

    def handle_connect(self, event: Request) -> None:
        """Let the application find this protocol, before it hears of the connection."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        """Take what a client sends; who sends more before the last message is taken has to wait."""
        if not self._gathered.is_reading:
            self._gathered.hold()
        super().data_received(data)

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application sends by way of its middleware, such as the end of the connection."""
        await self._until_writable()
        await super().send(message)

    async def send_text(self, message: bytes) -> None:
        """Send a message as it is: the middleware of the application changes nothing in it."""
        if not self.writable.is_set():
            await self._until_writable()
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(framed(message))

    async def _until_writable(self) -> None:
        """Wait until the client has taken most of what was sent; one that takes nothing is cut off."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.writable.wait()
        except TimeoutError:
            self.transport.abort()
            raise ClientDisconnected from None

    def keepalive_timeout(self) -> None:
        """Cut off a client that does not answer: closed in order, it would stay as long as it does not read."""
        super().keepalive_timeout()
        self.transport.abort()


def framed(message: bytes) -> bytes:
    """A text message as the frame of a server without extensions: nothing but its length goes before it."""
    size = len(message)
    if size < SHORT:
        return b"\x81%c%b" % (size, message)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), message)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), message)
