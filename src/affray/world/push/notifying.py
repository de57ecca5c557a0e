"""Notifies players who are not connected when it has been their turn for a while, in the background."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from affray.errors import Refused
from affray.fight import Fight
from affray.world.combats.combat import Combat
from affray.world.combats.turns import Turn, turn_in
from affray.world.push import message
from affray.world.push.message import KNOWN_SERVICES
from affray.world.store import statements
from affray.world.store.tables import Subscription

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

    from affray.world.world import World

log = logging.getLogger(__name__)
KEY = "push key"
"""The setting that has the private key of a world."""
MOST_WAITING = 10_000  # notifications that may wait; the server drops what is beyond that
AT_ONCE = 4  # requests under way
TRIES = 3
AGAIN = 60.0  # seconds until the next try
LIVES = 24 * 3600  # seconds that a push service keeps a notification for a device that is off
GONE = (404, 410)  # the browser has unsubscribed


@dataclass(frozen=True)
class PushSettings:
    """How players are notified."""

    services: tuple[str, ...] = KNOWN_SERVICES
    """The origins of push services that may be called."""
    contact: str = ""
    """Where a push service reaches the people behind this server: a mailto: or https: address."""
    wait: float = 10.0
    """Seconds that a turn must have been open: a player who moves at once needs no notification."""
    problem: str = ""
    """Why no one can be notified in this world, if that is so."""


@dataclass
class _Notification:
    """A player to be notified."""

    place: str
    number: int
    moves: int  # how many the player had made
    at: float
    tries: int = 0


@dataclass
class Notifications:
    """The notifications of a world."""

    world: World
    settings: PushSettings = field(default_factory=PushSettings)
    clock: Callable[[], float] = time.monotonic
    _waiting: dict[tuple[int, str], _Notification] = field(default_factory=dict)
    _notified: dict[tuple[int, str], int] = field(default_factory=dict)
    _threads: ThreadPoolExecutor | None = None

    def __post_init__(self) -> None:
        """Find out whether anyone can be notified."""
        self.problem = self.settings.problem
        try:
            message.check_installed()
        except Refused as missing:
            self.problem = self.problem or str(missing)

    async def key(self) -> EllipticCurvePrivateKey:
        """The private key of this world, which is made once."""
        store = self.world.store
        if await store.setting(KEY) is None:
            await store.commit(statements.set_setting_once(KEY, message.new_key()))
        return message.read_key(await store.setting(KEY) or "")

    async def public_key(self) -> str:
        """What a browser is given when it subscribes."""
        return message.as_text(message.public_part(await self.key()))

    def notice(self, combat: Combat) -> None:
        """Remember whom a combat waits for that this process has just stored, and forget who has moved."""
        if self.problem or combat.phase != "running":
            return
        is_active = self.world.people.is_active
        if not self._waiting and is_active(combat.owner) and all(map(is_active, combat.players)):
            return
        for account in {*combat.players, combat.owner}:
            known = (combat.number, account)
            if is_active(account) or turn_in(combat, account) is None:
                self._waiting.pop(known, None)
                continue
            moves = _moves(combat, account)
            if self._notified.get(known) == moves or known in self._waiting or len(self._waiting) >= MOST_WAITING:
                continue
            self._waiting[known] = _Notification(combat.place, combat.number, moves, self.clock() + self.settings.wait)

    async def go_on(self) -> None:
        """Send notifications as long as the world is open."""
        pause = min(1.0, max(0.05, self.settings.wait))
        while True:
            await asyncio.sleep(pause)
            try:
                await self.send_due()
            except Refused as problem:
                log.error("players could not be notified: %s", problem)

    async def send_due(self) -> None:
        """Send the notifications whose moment has come, a few at a time."""
        now = self.clock()
        due = [known for known, notification in self._waiting.items() if notification.at <= now]
        for first in range(0, len(due), AT_ONCE):
            await asyncio.gather(*(self._make(*known) for known in due[first : first + AT_ONCE]))

    async def _make(self, number: int, account: str) -> None:
        notification = self._waiting.pop((number, account), None)
        turn = self._open_turn(notification, account) if notification is not None else None
        if notification is None or turn is None:
            return
        subscriptions = await self.world.store.subscriptions(account)
        if not subscriptions:
            return
        key = await self.key()
        sent = await asyncio.gather(*(self._send(each, turn, key) for each in subscriptions))
        if any(sent):
            self._notified[number, account] = notification.moves
            while len(self._notified) > MOST_WAITING:
                del self._notified[next(iter(self._notified))]
        elif notification.tries + 1 < TRIES and await self.world.store.subscriptions(account):
            notification.tries, notification.at = notification.tries + 1, self.clock() + AGAIN
            self._waiting[number, account] = notification

    def _open_turn(self, notification: _Notification, account: str) -> Turn | None:
        """The turn that a notification is about; None when it is gone, or the player has come meanwhile."""
        combat = self.world.combats.get(notification.place)
        if combat is None or combat.number != notification.number or self.world.people.is_active(account):
            return None
        return turn_in(combat, account)

    async def _send(self, subscription: Subscription, turn: Turn, key: EllipticCurvePrivateKey) -> bool:
        """Send one message; whether a push service has taken it. A browser that has unsubscribed is forgotten."""
        number, settings = turn.combat.number, self.settings
        told = {"title": turn.combat.name, "body": "It is your turn.", "fight": number}
        lives = LIVES if turn.left is None else max(60, min(LIVES, int(turn.left)))
        how: dict[str, Any] = {"contact": settings.contact, "services": settings.services}
        send = partial(message.send, subscription, told, key, **how, topic=f"fight-{number}", lives=lives)
        try:
            status = await asyncio.get_running_loop().run_in_executor(self._executor(), send)
        except (OSError, Refused) as problem:
            log.warning("a push service could not be asked: %s", problem)
            return False
        if status in GONE:
            await self.world.store.commit(statements.remove_subscription(subscription.endpoint))
        elif status >= 300:
            log.warning("a push service has answered %s", status)
        return status < 300

    def _executor(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        if self._threads is None:
            self._threads = ThreadPoolExecutor(AT_ONCE, "push")
        return self._threads

    def close(self) -> None:
        """Send nothing more."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)


def _moves(combat: Combat, account: str) -> int:
    """How many moves an account has made in a fight."""
    return combat.movers.count(account) if isinstance(combat.fight, Fight) else len(combat.movers)
