"""The WebSocket: a line to each client, over the network."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit

from litestar import WebSocket, websocket
from litestar.connection import ASGIConnection
from litestar.exceptions import PermissionDeniedException
from litestar.handlers import BaseRouteHandler

from affray.server.api import messages as m
from affray.server.api.live import Clients, Closed
from affray.server.web.gathering import EXTENSION, GatheringProtocol
from affray.server.web.metrics import CLIENTS, MOVES, MOVING
from affray.server.web.sessions import account_of, address_of
from affray.world.people.visitor import Visitor
from affray.world.store.tables import Account

Socket = WebSocket[Any, Any, Any]


class SocketLine:
    """The line to a client as the application needs it."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._way = cast(GatheringProtocol, (socket.scope["extensions"] or {})[EXTENSION])
        self.address = address_of(socket)

    async def account(self) -> Account | None:
        """The account of the session, as it is now."""
        return await account_of(self._socket.app.state.world, self._socket.session)

    async def receive(self) -> str:
        """The next message."""
        event = await self._way.receive()
        if event["type"] != "websocket.receive":
            raise Closed
        return event.get("text") or ""

    async def send(self, message: bytes) -> None:
        """Send a message."""
        try:
            await self._way.send_text(message)
        except OSError:  # they have just gone
            raise Closed from None

    async def close(self, code: int, reason: str) -> None:
        """End the connection."""
        await self._socket.close(code, reason)


class CountedClients(Clients):
    """Clients whose moves are counted and timed."""

    async def move(self, visitor: Visitor, asked: m.Move) -> None:
        """Make a move for a client."""
        with MOVING.time():
            await super().move(visitor, asked)
        MOVES.inc()


def same_origin(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse pages of other hosts; programs that are no browsers name no origin."""
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        raise PermissionDeniedException("this page comes from another host")


@websocket("/live", guards=[same_origin])
async def follow(socket: Socket) -> None:
    """Follow fights and take part in them."""
    await socket.accept()
    clients: Clients = socket.app.state.clients
    with CLIENTS.track_inprogress():
        await clients.attend(SocketLine(socket))
