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

from affray.server.api.callers import GUEST, Caller
from affray.server.jobs import Jobs
from affray.world.store.tables import Account
from affray.world.world import World

Connection = ASGIConnection[Any, Any, Any, Any]


class _Backend(ClientSideSessionBackend):
    def load_data(self, data: list[bytes]) -> dict[str, Any]:
        """The content of a cookie; empty if it is damaged or forged."""
        try:
            return super().load_data(data)
        except (InvalidTag, SerializationException, LookupError, TypeError, ValueError):
            return {}


class SealedCookies(CookieBackendConfig):
    """Sessions in cookies that only this world can make and read."""

    _backend_class = _Backend


def mark_of(account: Account) -> str:
    """What a session stores of an account; it no longer matches when the password has changed."""
    return hashlib.sha256((account.password or "").encode()).hexdigest()[:32]


async def account_of(world: World, session: object) -> Account | None:
    """The current account of a session; None for guests, and if the account or its password has changed."""
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


async def provide_jobs(request: Request[Any, Any, Any]) -> Jobs:
    """The lab jobs of the server."""
    jobs: Jobs = request.app.state.jobs
    return jobs


AnyCaller = NamedDependency[Caller]
"""What a route asks for that guests may use too."""
