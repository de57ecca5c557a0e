"""The MCP server: all tools, resources and prompts, over stdio or streamable HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver import MCPServer

import affray
from affray.mcp import prompts, resources, tools
from affray.mcp.hosts.host import Host
from affray.mcp.tools.registry import TOOLS, Door

__all__ = ["made", "tools"]

INSTRUCTIONS = """\
Affray runs tabletop fights by real rules: you never invent a roll, a result or a rule. `systems`, `sheets` and \
`rules` say what there is; `new_fight` begins a fight and gives out tokens; `status`, `moves` and `odds` show what a \
seat may know; `play` makes a move; `why` and `log` explain; `verify` checks. A refusal says what is allowed instead, \
and changes nothing."""


def made(host: Host, token: str = "") -> MCPServer[Door]:
    """A server for the fights of a host; callers who bring no token have this one."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[Door]) -> AsyncIterator[Door]:
        yield Door(host, token)

    server: MCPServer[Door] = MCPServer(
        "affray",
        title="Affray",
        instructions=INSTRUCTIONS,
        version=affray.__version__,
        lifespan=lifespan,
        log_level="WARNING",
    )
    for name, tool in TOOLS.items():
        server.add_tool(tool.run, name, annotations=tool.annotations, structured_output=False)
    resources.add_to(server, host)
    prompts.add_to(server)
    return server
