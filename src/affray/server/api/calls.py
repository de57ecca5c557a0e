"""Calling players whose page is closed: which browsers are called, and by which key."""

from __future__ import annotations

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import Routes
from affray.world.actions import calls

routes = Routes("/api/calls", "accounts")


@routes.get()
async def shown(caller: Caller) -> m.CallsShown:
    """Whether you can be called when it is your turn though no page is open, and through which browsers you are."""
    found = caller.world.calls
    problem = found.problem
    endpoints = [one.endpoint for one in await caller.world.store.subscriptions(caller.key)] if caller.key else []
    return m.CallsShown(None if problem else await found.public_key(), problem, endpoints)


@routes.put("", calls.subscribe)
async def subscribe(player: Caller, data: m.Subscribed) -> m.CallsShown:
    """Let a browser be called when it is your turn."""
    await calls.subscribe(player, data.endpoint, data.p256dh, data.auth)
    return await shown(player)


@routes.post("/off", calls.unsubscribe, status=200)
async def unsubscribe(player: Caller, data: m.Unsubscribed) -> m.CallsShown:
    """No longer call a browser, or any of yours."""
    await calls.unsubscribe(player, data.endpoint)
    return await shown(player)
