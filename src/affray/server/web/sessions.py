"""Who is asking: an account by its session cookie, or a guest; and the visitor who acts for them."""

from __future__ import annotations

import hashlib
from typing import Any

from cryptography.exceptions import InvalidTag
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException, SerializationException
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig

from affray.world.people.visitor import Kind, Visitor
from affray.world.store.tables import Account
from affray.world.world import World

Connection = ASGIConnection[Any, Any, Any, Any]
GUEST = Account("", "guest", "guest", None, None, None)
"""A caller without an account; no name of an account can be empty."""


class _Backend(ClientSideSessionBackend):
    def load_data(self, data: list[bytes]) -> dict[str, Any]:
        """What is in a cookie; nothing where it is damaged or forged."""
        try:
            return super().load_data(data)
        except (InvalidTag, SerializationException, LookupError, TypeError, ValueError):
            return {}


class SealedCookies(CookieBackendConfig):
    """Sessions in cookies that only this world can make and read."""

    _backend_class = _Backend


class Caller(Visitor):
    """A visitor for one HTTP request: what they are told is kept for the answer."""

    def __init__(self, world: World, account: Account, address: str) -> None:
        super().__init__(world, lambda text: None, address)
        self.account = account
        self.told: list[str] = []

    def tell(self, text: str, kind: Kind = "reply") -> None:
        """Keep what they are told; what everybody hears comes to them another way."""
        if text and kind == "reply":
            self.told.append(text)


def mark_of(account: Account) -> str:
    """What a session remembers of an account: it no longer fits when the password has changed."""
    return hashlib.sha256((account.password or "").encode()).hexdigest()[:32]


async def account_of(world: World, session: object) -> Account | None:
    """The account of a session, as it is now; None for guests, and where account or password are no longer the same."""
    if not isinstance(session, dict) or not isinstance(key := session.get("key"), str):
        return None
    account = await world.store.account(key)
    return account if account is not None and session.get("mark") == mark_of(account) else None


def address_of(connection: Connection) -> str:
    """The address that a connection has come from."""
    return connection.client.host if connection.client else "nowhere"


async def provide_caller(request: Request[Any, Any, Any]) -> Caller:
    """The account that asks, or a guest."""
    world: World = request.app.state.world
    return Caller(world, await account_of(world, request.session) or GUEST, address_of(request))


async def provide_player(request: Request[Any, Any, Any]) -> Caller:
    """The account that asks; guests are refused."""
    caller = await provide_caller(request)
    if caller.role == "guest":
        raise NotAuthorizedException("please log in first: guests can only watch")
    return caller


AnyCaller = NamedDependency[Caller]
"""What a route asks for that guests may use too."""

Player = NamedDependency[Caller]
"""What a route asks for that wants an account."""
