"""What a model's host may read beside tools: rules, sheets, running fights and their logs."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from affray.errors import Refused
from affray.mcp.hosts.host import Host
from affray.mcp.tools.fights import seen_text
from affray.mcp.tools.registry import Caller, Ctx, Door
from affray.system.listing import entries
from affray.system.listing import rules as rules_of
from affray.system.registry import find, names

JSON = "application/json"


def add_to(server: MCPServer[Door], host: Host) -> None:
    """Add all resources to a server."""

    async def fights() -> str:
        return await _told(lambda: _listed(host))

    add = server.resource
    add("affray://systems", name="systems", mime_type=JSON, description="the combat systems")(_systems)
    add("affray://rules/{system}", name="rules", mime_type="text/markdown", description="the rules of a system")(_rules)
    add("affray://sheets/{system}", name="sheets", mime_type=JSON, description="the fighters of a system")(_sheets)
    add("affray://fights", name="fights", mime_type=JSON, description="the fights, a line each")(fights)
    add("affray://fights/{fight}", name="fight", description="a fight as the connection's token may see it")(_fight)
    about_log = "the log of a fight: for the storyteller's token the save file, for others what everyone may have"
    add("affray://fights/{fight}/log", name="log", mime_type=JSON, description=about_log)(_log)


async def _told(make: Callable[[], Awaitable[str]]) -> str:
    """A resource; a refusal reaches the client as text."""
    try:
        return await make()
    except Refused as problem:
        raise ResourceError(str(problem)) from None


async def _systems() -> str:
    return json.dumps([{"id": s.id, "title": s.title, "summary": s.summary} for s in map(find, names())])


async def _rules(system: str) -> str:
    async def make() -> str:
        known = rules_of(system)
        parts = [f"# {known.title}"]
        parts += [f"## {one.id}: {one.question}\n\n{one.text} ({one.source})" for one in known.rulings]
        return "\n\n".join(parts)

    return await _told(make)


async def _sheets(system: str) -> str:
    async def make() -> str:
        listed = {kind: {e.id: dict(e.table) for e in known} for kind, known in entries(find(system)).items()}
        return json.dumps(listed)

    return await _told(make)


async def _listed(host: Host) -> str:
    return json.dumps(await host.fights())


async def _fight(fight: str, ctx: Ctx) -> str:
    async def make() -> str:
        caller = Caller.of(ctx)
        return seen_text(await caller.host.see(fight, caller.token))

    return await _told(make)


async def _log(fight: str, ctx: Ctx) -> str:
    async def make() -> str:
        caller = Caller.of(ctx)
        return json.dumps(await caller.host.log(fight, caller.token))

    return await _told(make)
