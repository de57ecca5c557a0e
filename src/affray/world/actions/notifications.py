"""Actions on notifications of a player's turn: subscribing a browser to them, and unsubscribing it."""

from __future__ import annotations

from affray.errors import Illegal
from affray.world.actions.acting import action
from affray.world.people.guests import check_lasting
from affray.world.people.visitor import Visitor
from affray.world.push import message
from affray.world.store import statements
from affray.world.store.tables import Subscription

MOST = 10
"""Browsers of one account that are notified."""


@action("players")
async def subscribe(actor: Visitor, endpoint: str, p256dh: str, auth: str) -> None:
    """Let a browser be notified when it is the actor's turn; it no longer is for any other account."""
    check_lasting(actor, "being notified")
    notifications, store = actor.world.notifications, actor.world.store
    if notifications.problem:
        raise Illegal(notifications.problem, given=endpoint)
    message.check_endpoint(endpoint, notifications.settings.services)
    message.keys_of(Subscription(endpoint, p256dh, auth))
    present = await store.subscriptions(actor.key)
    if len(present) >= MOST and endpoint not in [one.endpoint for one in present]:
        raise Illegal(
            f"{MOST} browsers of an account can be notified; switch it off in another one first", given=endpoint
        )
    await store.commit(statements.add_subscription(actor.key, endpoint, p256dh, auth))


@action("players")
async def unsubscribe(actor: Visitor, endpoint: str = "") -> int:
    """No longer notify a browser of the actor, or any of them; returns how many that were."""
    present = [one.endpoint for one in await actor.world.store.subscriptions(actor.key)]
    gone = [one for one in present if endpoint in ("", one)]
    await actor.world.store.commit(*(statements.remove_subscription(one) for one in gone))
    return len(gone)
