"""Runs tests that are coroutines, and gives them a client of a server in the same process."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from affray.mcp.hosts.host import Host
from affray.mcp.hosts.tables import Tables
from affray.mcp.server import made


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def test_...` runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


class Model:
    """A client as a model has it: tools that give a text and data, or a refusal."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, tool: str, **arguments: Any) -> tuple[str, Any]:
        """What a tool tells."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        return answer.content[0].text, answer.structured_content

    async def refused(self, tool: str, **arguments: Any) -> tuple[str, Any]:
        """What a tool says that refuses."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error, answer.content
        return answer.content[0].text, answer.structured_content


@pytest.fixture
def model() -> Callable[..., AbstractAsyncContextManager[Model]]:
    """Connects a model to the fights of a host, which are in memory unless another is given."""

    @asynccontextmanager
    async def connected(host: Host | None = None, token: str = "") -> AsyncIterator[Model]:
        async with Client(made(host or Tables(), token)) as client:
            yield Model(client)

    return connected
