"""The web application: its routes, its sessions, and its protection."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, Router, get
from litestar.config.allowed_hosts import AllowedHostsConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.exceptions import HTTPException, TooManyRequestsException
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.prometheus import PrometheusController
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import Message, Scope

from affray.errors import Invalid, Refused
from affray.server.api import messages
from affray.server.api.dispatch import MISTAKE, ROUTES, refusal
from affray.server.api.live import ClientLimits
from affray.server.api.wording import in_words
from affray.server.jobs import Jobs
from affray.server.listening import NONE_LEFT
from affray.server.web.handlers import handlers
from affray.server.web.login import CSRF, LogIn
from affray.server.web.metrics import COMBATS, REQUESTS, VISITORS
from affray.server.web.sessions import SealedCookies, provide_caller, provide_jobs, provide_player
from affray.server.web.sharing import share, shared_picture
from affray.server.web.websocket import CountedClients, follow
from affray.world.store.statements import set_setting_once
from affray.world.world import World

log = logging.getLogger(__name__)
PAGE = Path(__file__).parent.parent / "page"
LARGEST_BODY = 4 * 1024 * 1024  # bytes: the log of a long fight
SECRET = "web secret"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FRAMED = "/embed"
PYTHON_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'")
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class WebSettings:
    """What the web server allows."""

    hosts: Sequence[str] = ("*",)
    """Host names that the server answers to."""
    secure: bool = False
    """Whether cookies are sent over HTTPS only."""
    requests: int = 1200
    """How many requests a minute one address may make."""
    websocket: ClientLimits = field(default_factory=ClientLimits)
    edition: Path | None = None
    """The folder of a web edition, whose Python lets pages work out odds themselves."""
    cluster: str = ""
    """The address of a cluster on which lab jobs fight; empty for this machine."""
    friends: str = ""
    """The address under which people on other machines find the page, where it is known."""
    embed: Sequence[str] = ()
    """The origins of the sites that may show replays in a frame; * for any."""


async def make_app(world: World, jobs: Jobs, settings: WebSettings, port: int) -> Litestar:
    """The application that serves a world on a port."""
    hosts = [name for host in settings.hosts for name in (host, f"{host}:{port}")]
    # It seals the session cookies: made once for a world, so sessions survive a restart.
    await world.store.commit(set_setting_once(SECRET, secrets.token_hex(32)))
    secret = bytes.fromhex(await world.store.setting(SECRET) or "")
    if not world.notifications.problem:
        await world.notifications.key()  # it is made here, so that no one who only asks for it changes the world
    python = _python_of(settings.edition)
    policy = PYTHON_POLICY if python else POLICY
    headers = HEADERS | {"Content-Security-Policy": policy}
    sites = " ".join(settings.embed or ("'none'",))
    framed = {FRAMED: policy.replace("frame-ancestors 'none'", f"frame-ancestors {sites}")}
    clients = CountedClients(world, settings.websocket)
    state = State(
        {
            "world": world,
            "jobs": jobs,
            "clients": clients,
            "has_python": bool(python),
            "friends": settings.friends,
            "embeds": bool(settings.embed),
        }
    )
    sessions = SealedCookies(secret=secret, key="affray", secure=settings.secure)
    static = create_static_files_router("/page", [PAGE], cache_control=None, include_in_schema=False)
    limits = RateLimitConfig(
        ("minute", settings.requests), exclude=["^/page", "^/python", "^/health", "^/metrics", "^/live"]
    )
    return Litestar(
        [
            *HANDLERS,
            Metrics,
            follow,
            index,
            protocol,
            share,
            shared_picture,
            static,
            *python,
            *([embedded] if settings.embed else []),
        ],
        state=state,
        dependencies=DEPENDENCIES,
        middleware=[limits.middleware, sessions.middleware, REQUESTS.middleware],
        csrf_config=CSRFConfig(
            secret.hex(), cookie_name=CSRF, header_name="X-CSRF-Token", cookie_secure=settings.secure
        ),
        allowed_hosts=AllowedHostsConfig(["*"] if "*" in hosts else hosts),
        before_send=[partial(_add_headers, headers, framed)],
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            "Affray",
            "1",
            description="Fights, players and odds.",
            path="/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        exception_handlers=PROBLEMS,
        logging_config=None,
    )


def _python_of(edition: Path | None) -> list[Router]:
    """The route to the Python of a web edition."""
    if edition is None:
        return []
    folder = edition / "python"
    if not (folder / "pool.js").is_file():
        raise Invalid(f"{edition} has no web edition; `affray web build {edition}` makes one", given=str(edition))
    return [create_static_files_router("/python", [folder], cache_control=None, include_in_schema=False)]


async def _add_headers(headers: Mapping[str, str], framed: Mapping[str, str], message: Message, scope: Scope) -> None:
    """Every answer, including refusals and files, has the same headers, but for pages that others may frame."""
    if message["type"] == "http.response.start":
        sent = MutableScopeHeaders.from_message(message)
        sent.update(headers)
        sent["Content-Security-Policy"] = framed.get(scope["path"], headers["Content-Security-Policy"])


@get("/", include_in_schema=False, media_type=MediaType.HTML)
async def index() -> File:
    """The page."""
    return File(PAGE / "index.html", content_disposition_type="inline", media_type=MediaType.HTML)


@get(FRAMED, include_in_schema=False, media_type=MediaType.HTML)
async def embedded() -> File:
    """The page inside the pages of others, where it shows replays and nothing else."""
    return File(PAGE / "index.html", content_disposition_type="inline", media_type=MediaType.HTML)


@get("/health")
async def health(state: State) -> Response[messages.Health]:
    """Whether the store answers."""
    world: World = state.world
    try:
        await world.store.setting(SECRET)
    except Refused:
        return Response(messages.Health("lost"), status_code=503)
    return Response(messages.Health("ok"))


@get("/schema/protocol.json", include_in_schema=False, sync_to_thread=False)
def protocol() -> dict[str, Any]:
    """Every message of the WebSocket as a JSON Schema."""
    (client, server), components = msgspec.json.schema_components(
        [messages.FromClient, messages.FromServer], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of the WebSocket /live",
        "$defs": {**components, "FromClient": client, "FromServer": server},
    }


DEPENDENCIES = {"caller": Provide(provide_caller), "player": Provide(provide_player), "jobs": Provide(provide_jobs)}
HANDLERS: list[Any] = [LogIn, *handlers(ROUTES), health]
"""What the OpenAPI description describes."""


class Metrics(PrometheusController):
    """What is counted."""

    path = "/metrics"
    include_in_schema = False

    @get()
    async def get(self, request: Request[Any, Any, Any]) -> Response[Any]:
        """The figures as they are now."""
        world: World = request.app.state.world
        COMBATS.set(len(world.combats))
        VISITORS.set(len(world.people.visitors))
        shown: Response[Any] = await super().get.fn(self)
        return shown


# --- error messages ----------------------------------------------------------------------------------------------


NO_ROOM = "the server is full; please try again later"
UNREAD = {
    403: "this page is no longer connected to your session; please reload it",
    404: "there is nothing at this address",
    405: "that cannot be done at this address",
    413: "that is too large",
}
"""What people are told instead of the names that HTTP has for it."""
TOO_MANY = "too many requests in one minute; please wait a moment"


def _refused(request: Request[Any, Any, Any], problem: Refused) -> Response[messages.Problem]:
    status, shown = refusal(problem)
    return _problem(status, shown)


def _http_problem(request: Request[Any, Any, Any], problem: HTTPException) -> Response[messages.Problem]:
    if isinstance(problem, TooManyRequestsException):
        return _problem(problem.status_code, messages.Problem(TOO_MANY, None, None), problem.headers)
    status = 422 if problem.status_code == 400 else problem.status_code
    return _problem(status, messages.Problem(_said(problem), None, None), problem.headers)


def _said(problem: HTTPException) -> str:
    """What a person is told of a request that was refused before it was understood."""
    details = problem.extra if isinstance(problem.extra, list) else []
    wrong = [in_words(str(one.get("message", "")), str(one.get("key", ""))) for one in details if isinstance(one, dict)]
    if wrong:
        return "; ".join(dict.fromkeys(wrong))
    if problem.status_code == 400:
        return in_words(problem.detail)
    return UNREAD.get(problem.status_code, problem.detail)


def _mistake(request: Request[Any, Any, Any], problem: Exception) -> Response[messages.Problem]:
    if isinstance(problem, OSError) and problem.errno in NONE_LEFT:
        log.warning("%s %s failed: %s", request.method, request.url.path, problem.strerror)
        return _problem(503, messages.Problem(NO_ROOM, None, None))
    log.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    return _problem(500, messages.Problem(MISTAKE, None, None))


def _problem(
    status: int, shown: messages.Problem, headers: Mapping[str, str] | None = None
) -> Response[messages.Problem]:
    return Response(shown, status_code=status, media_type=MediaType.JSON, headers=headers)


PROBLEMS: dict[int | type[Exception], Any] = {
    Refused: _refused,
    HTTPException: _http_problem,
    RecursionError: lambda request, problem: _problem(422, messages.Problem("this is nested too deeply", None, None)),
    Exception: _mistake,
}
