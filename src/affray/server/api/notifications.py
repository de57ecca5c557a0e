"""Notifying players whose page is closed: which browsers are notified, and by which key."""

from __future__ import annotations

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import Routes
from affray.world.actions import notifications

routes = Routes("/api/notifications", "accounts")


@routes.get()
async def notifications_of(caller: Caller) -> m.NotificationsShown:
    """Whether you can be notified when it is your turn though no page is open, and through which browsers you are."""
    found = caller.world.notifications
    problem = found.problem
    endpoints = [one.endpoint for one in await caller.world.store.subscriptions(caller.key)] if caller.key else []
    return m.NotificationsShown(None if problem else await found.public_key(), problem, endpoints)


@routes.put("", notifications.subscribe)
async def subscribe(player: Caller, data: m.Subscribed) -> m.NotificationsShown:
    """Let a browser be notified when it is your turn."""
    await notifications.subscribe(player, data.endpoint, data.p256dh, data.auth)
    return await notifications_of(player)


@routes.post("/off", notifications.unsubscribe, status=200)
async def unsubscribe(player: Caller, data: m.Unsubscribed) -> m.NotificationsShown:
    """No longer notify a browser, or any of yours."""
    await notifications.unsubscribe(player, data.endpoint)
    return await notifications_of(player)
