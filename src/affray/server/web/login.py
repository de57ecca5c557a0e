"""Logging in and out over HTTP."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, get, post
from litestar.params import JSONBody
from litestar.utils.scope.state import ScopeState

from affray.server.api.callers import Caller
from affray.server.api.messages import Credentials, Session
from affray.server.web.sessions import AnyCaller, mark_of
from affray.world.people import login
from affray.world.people.guests import is_guest
from affray.world.store.tables import Account

Asking = Request[Any, Any, Any]
CSRF = "affray_csrf"


def session_of(request: Asking, account: Account) -> Session:
    """Who is asking, for the page."""
    token = ScopeState.from_scope(request.scope).csrf_token
    csrf = token if isinstance(token, str) else ""
    state = request.app.state
    return Session(
        account.name,
        account.role,
        account.role != "guest",
        csrf,
        python=state.has_python,
        friends=state.friends,
        embeds=state.embeds,
        temporary=is_guest(account),
    )


def logged_in(request: Asking, account: Account) -> Session:
    """The session of an account from now on."""
    request.set_session({"key": account.key, "mark": mark_of(account)})
    return session_of(request, account)


class LogIn(Controller):
    """Logging in and out."""

    path = "/api"
    tags = ["session"]  # noqa: RUF012

    @get("/session")
    async def who_am_i(self, request: Asking, caller: AnyCaller) -> Session:
        """Who is asking."""
        return session_of(request, caller.account)

    @post("/session", status_code=200)
    async def log_in(self, request: Asking, caller: AnyCaller, data: JSONBody[Credentials]) -> Session:
        """Log in by name and password."""
        account = await login.authenticate(caller.world, data.name, data.password, caller.address)
        return await self._kept(request, caller, account)

    @post("/accounts")
    async def create(self, request: Asking, caller: AnyCaller, data: JSONBody[Credentials]) -> Session:
        """Make an account, and be logged in to it."""
        account = await login.create_account(caller.world, data.name, data.password, caller.address)
        return await self._kept(request, caller, account)

    @post("/session/guest", status_code=200)
    async def play_as_guest(self, request: Asking, caller: AnyCaller) -> Session:
        """Be a guest who may fight, without an account, until one is made or the browser forgets."""
        if caller.role != "guest":
            return session_of(request, caller.account)
        return logged_in(request, await caller.world.guests.admit(caller.address))

    async def _kept(self, request: Asking, caller: Caller, account: Account) -> Session:
        """The session of an account, which gets the fights that its player has had as a guest."""
        if is_guest(caller.account):
            await caller.world.guests.adopt(caller.account, account)
        return logged_in(request, account)

    @delete("/session")
    async def log_out(self, request: Asking) -> None:
        """Be a guest again."""
        request.clear_session()
