"""How a tool is made: a function with its caller first, whose refusals reach the model as text."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Concatenate, ParamSpec

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from affray.errors import Refused, listing
from affray.mcp.hosts.host import Host

P = ParamSpec("P")
Ctx = Context[Any, Any]
Run = Callable[..., Awaitable[CallToolResult]]
LONGEST = 12_000  # characters of an answer; a model reads no more with profit

Token = Annotated[
    str, Field(description="the token of your seat; left out if the connection brings it", max_length=200)
]
FightName = Annotated[str, Field(description="the name of the fight", max_length=60)]
FighterName = Annotated[str, Field(description="the name of a fighter", max_length=60)]


@dataclass(frozen=True)
class Told:
    """What a tool tells: a short text, and the same as plain JSON values."""

    text: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Door:
    """What the tools of a server share: where its fights live, and the token of callers who bring none."""

    host: Host
    token: str = ""


@dataclass(frozen=True)
class Caller:
    """Who calls a tool."""

    host: Host
    token: str

    @classmethod
    def of(cls, ctx: Ctx, token: str = "") -> Caller:
        """The caller of a request: by the token given, by that of the connection, or by that of the server."""
        door: Door = ctx.request_context.lifespan_context
        return cls(door.host, token or _bearer(ctx) or door.token)


def _bearer(ctx: Ctx) -> str:
    headers = ctx.headers or {}
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


@dataclass(frozen=True)
class Made:
    """A tool as the server adds it."""

    run: Run
    annotations: ToolAnnotations


TOOLS: dict[str, Made] = {}
"""Every tool, by its name."""


def tool(*, reads: bool = False) -> Callable[[Callable[Concatenate[Ctx, P], Awaitable[Told]]], Run]:
    """Make a function a tool: its name, its docstring and its arguments are what a model sees.

    One that only `reads` says so to the model's host, which may then let it run unasked.
    """

    def declare(do: Callable[Concatenate[Ctx, P], Awaitable[Told]]) -> Run:
        @functools.wraps(do)
        async def run(ctx: Ctx, *args: P.args, **kwargs: P.kwargs) -> CallToolResult:
            try:
                told = await do(ctx, *args, **kwargs)
            except Refused as problem:
                return refusal(problem)
            return CallToolResult(content=[_text(told.text)], structured_content=told.data)

        TOOLS[do.__name__] = Made(run, ToolAnnotations(read_only_hint=reads, open_world_hint=False))
        return run

    return declare


def refusal(problem: Refused) -> CallToolResult:
    """A refusal as a model reads it: what was wrong, and what is allowed instead."""
    allowed = f"\nAllowed: {listing(problem.allowed, 40)}" if problem.allowed else ""
    data = {"problem": str(problem), "given": plain(problem.given), "allowed": list(problem.allowed)}
    return CallToolResult(content=[_text(f"{problem}{allowed}")], structured_content=data, is_error=True)


def plain(value: object) -> Any:
    """A value as JSON has it, or its text where it has none."""
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        return str(value)[:200]


def _text(text: str) -> TextContent:
    kept = text if len(text) <= LONGEST else text[:LONGEST] + "\n(cut off here)"
    return TextContent(type="text", text=kept)
