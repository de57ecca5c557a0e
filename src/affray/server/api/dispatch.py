"""All requests that a page can make, and their answers where no server stands between."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple, get_type_hints
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from affray.errors import Forbidden, Invalid, Refused
from affray.server.api import accounts, combats, lab, lessons, lobby, notifications, parties, places, profiles, systems
from affray.server.api.messages import Problem
from affray.server.api.routes import Method, NotFound, Route
from affray.server.api.wording import in_words
from affray.server.jobs import NoSuchJob
from affray.world.combats.worker import Closing
from affray.world.people.login import TooManyAttempts, WrongPassword
from affray.world.store import Lost

log = logging.getLogger(__name__)
GROUPS = (
    lobby.routes,
    combats.routes,
    combats.logs,
    systems.routes,
    lessons.routes,
    lab.routes,
    accounts.routes,
    notifications.routes,
    profiles.routes,
    parties.routes,
    places.routes,
)
ROUTES = tuple(route for routes in GROUPS for route in routes.all)
STATUS: dict[type[Refused], int] = {
    WrongPassword: 401,
    Forbidden: 403,
    NotFound: 404,
    NoSuchJob: 404,
    TooManyAttempts: 429,
    Invalid: 422,
    Lost: 503,
    Closing: 503,
    Refused: 409,
}
MISTAKE = "something went wrong in the server; the error has been logged"


class Answer(NamedTuple):
    """The answer to a request: a status as in HTTP, and JSON."""

    status: int
    body: bytes


def refusal(problem: Refused) -> tuple[int, Problem]:
    """What a client is told about a refusal, and under which status."""
    status = next(status for kind, status in STATUS.items() if isinstance(problem, kind))
    given = problem.given if isinstance(problem.given, int | str) else None
    return status, Problem(str(problem), given, list(problem.allowed) or None)


async def answer(method: Method, address: str, body: bytes, provided: Mapping[str, object]) -> Answer:
    """Answer a request; `provided` is what a route may ask for that does not come with it, such as who asks."""
    try:
        route, given = _found(method, urlsplit(address).path)
        wanted = signature(route.handle).parameters
        given |= {name: provided[name] for name in wanted if name in provided}
        given |= _from_request(route, [name for name in wanted if name not in given], address, body)
        result = await route.handle(**given)
        return Answer(route.status, b"" if route.status == 204 else msgspec.json.encode(result))
    except Refused as problem:
        status, shown = refusal(problem)
    except (msgspec.ValidationError, msgspec.DecodeError) as problem:
        status, shown = 422, Problem(in_words(str(problem)), None, None)
    except Exception:
        log.exception("%s %s failed", method, address)
        status, shown = 500, Problem(MISTAKE, None, None)
    return Answer(status, msgspec.json.encode(shown))


def _found(method: Method, path: str) -> tuple[Route, dict[str, Any]]:
    for route in ROUTES:
        match = _pattern(route.path).fullmatch(path)
        if match and route.method == method:
            hints = get_type_hints(route.handle, include_extras=True)
            words = {name: unquote(word) for name, word in match.groupdict().items()}
            return route, {name: msgspec.convert(word, hints[name], strict=False) for name, word in words.items()}
    raise NotFound(f"there is no {method} {path}")


@cache
def _pattern(path: str) -> re.Pattern[str]:
    kinds = {"int": r"\d+", "str": r"[^/]+"}
    return re.compile(re.sub(r"\{(\w+):(\w+)\}", lambda found: f"(?P<{found[1]}>{kinds[found[2]]})", path))


def _from_request(route: Route, wanted: Iterable[str], address: str, body: bytes) -> dict[str, Any]:
    """What comes in the body and in the query."""
    hints = get_type_hints(route.handle, include_extras=True)
    query = dict(parse_qsl(urlsplit(address).query))
    given: dict[str, Any] = {}
    for name in wanted:
        if name == "data":
            given[name] = msgspec.json.decode(body, type=hints[name])
        elif name in query:
            given[name] = msgspec.convert(query[name], hints[name], strict=False)
        elif signature(route.handle).parameters[name].default is Parameter.empty:
            raise Invalid(f"the request must say which {name}", given=None)
    return given
