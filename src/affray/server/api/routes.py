"""Which function answers which request. A server binds them to HTTP; a page without one calls them directly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from affray.errors import Illegal
from affray.world.actions.acting import Action

Method = Literal["GET", "POST", "PUT", "DELETE"]
HandleT = TypeVar("HandleT", bound=Callable[..., Awaitable[Any]])
Numbered = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""The number of a fight in a path."""
PageNumber = Annotated[int, Meta(ge=1, le=100_000)]
"""Which page of a list is asked for."""


class NotFound(Illegal):
    """Something that was asked for does not exist."""


@dataclass(frozen=True)
class Route:
    """One request: `handle` takes what stands in braces in the path, `data` if there is a body, and who asks.

    It asks for `caller`, who may be a guest, or for `player`, who may not, or for neither; and for `jobs`. `does` are
    the actions that it is translated into, if it does more than show something.
    """

    method: Method
    path: str
    handle: Callable[..., Awaitable[Any]]
    status: int
    tag: str
    does: tuple[Action[Any, Any], ...] = ()


class Routes:
    """The routes below one path."""

    def __init__(self, path: str, tag: str) -> None:
        self._path, self._tag = path, tag
        self.all: list[Route] = []

    def get(self, path: str = "", *does: Action[Any, Any]) -> Callable[[HandleT], HandleT]:
        """A request that only reads."""
        return self._route("GET", path, 200, *does)

    def post(self, path: str = "", *does: Action[Any, Any], status: int = 201) -> Callable[[HandleT], HandleT]:
        """A request that makes or does something."""
        return self._route("POST", path, status, *does)

    def put(self, path: str = "", *does: Action[Any, Any]) -> Callable[[HandleT], HandleT]:
        """A request that changes something."""
        return self._route("PUT", path, 200, *does)

    def delete(self, path: str = "", *does: Action[Any, Any], status: int = 204) -> Callable[[HandleT], HandleT]:
        """A request that removes something."""
        return self._route("DELETE", path, status, *does)

    def _route(self, method: Method, path: str, status: int, *does: Action[Any, Any]) -> Callable[[HandleT], HandleT]:
        def add(handle: HandleT) -> HandleT:
            self.all.append(Route(method, self._path + path, handle, status, self._tag, does))
            return handle

        return add
