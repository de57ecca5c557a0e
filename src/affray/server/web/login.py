"""Logging in and out over HTTP."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, get, post
from litestar.params import JSONBody
from litestar.utils.scope.state import ScopeState

from affray.server.api.messages import Credentials, Session
from affray.server.web.sessions import AnyCaller, mark_of
from affray.world.people import login
from affray.world.store.tables import Account

Asking = Request[Any, Any, Any]
CSRF = "affray_csrf"


def session_of(request: Asking, account: Account) -> Session:
    """Who is asking, for the page."""
    token = ScopeState.from_scope(request.scope).csrf_token
    csrf = token if isinstance(token, str) else ""
    has_python: bool = request.app.state.has_python
    return Session(account.name, account.role, account.role != "guest", csrf, python=has_python)


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
        return logged_in(request, await login.authenticate(caller.world, data.name, data.password, caller.address))

    @post("/accounts")
    async def create(self, request: Asking, caller: AnyCaller, data: JSONBody[Credentials]) -> Session:
        """Make an account, and be logged in to it."""
        return logged_in(request, await login.create_account(caller.world, data.name, data.password, caller.address))

    @delete("/session")
    async def log_out(self, request: Asking) -> None:
        """Be a guest again."""
        request.clear_session()
