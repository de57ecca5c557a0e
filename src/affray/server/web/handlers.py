"""Binds the routes of the application to HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Annotated, Any, get_args, get_type_hints

from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter
from msgspec import Meta

from affray.server.api.routes import Route

PROVIDED = ("caller", "player", "jobs")
"""What a handler may ask for that does not come with the request."""


def handlers(routes: Iterable[Route]) -> list[HTTPRouteHandler]:
    """A handler of Litestar for each route."""
    return [
        HTTPRouteHandler(route.path, http_method=route.method, status_code=route.status, tags=[route.tag])(
            _bound(route)
        )
        for route in routes
    ]


def _bound(route: Route) -> Callable[..., Any]:
    """The function of a route, its parameters marked by where they come from."""
    hints = get_type_hints(route.handle, include_extras=True)

    async def handle(**given: Any) -> Any:
        return await route.handle(**given)

    parameters = [
        each.replace(annotation=_marked(route, each, hints[each.name]), kind=Parameter.KEYWORD_ONLY)
        for each in signature(route.handle).parameters.values()
    ]
    handle.__signature__ = signature(route.handle).replace(  # type: ignore[attr-defined]
        parameters=parameters, return_annotation=hints["return"]
    )
    handle.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": hints["return"]}
    handle.__name__, handle.__doc__ = route.handle.__name__, route.handle.__doc__
    return handle


def _marked(route: Route, parameter: Parameter, hint: Any) -> Any:
    name = parameter.name
    marks: dict[str, Any] = {"provided": NamedDependency, "data": JSONBody, "query": FromQuery, "path": FromPath}
    if name in PROVIDED:
        return marks["provided"][hint]
    if name == "data":
        return marks["data"][hint]
    if f"{{{name}:" not in route.path:
        return marks["query"][hint]
    bounds = [meta for meta in get_args(hint)[1:] if isinstance(meta, Meta)]
    if bounds:
        return Annotated[get_args(hint)[0], PathParameter(ge=bounds[0].ge, le=bounds[0].le)]
    return marks["path"][hint]
