"""A world: its people, its places, the combats there and the store that keeps them, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from functools import partial

from affray.kernel.chance import Fair, Physical
from affray.system.registry import find, names
from affray.world import sync
from affray.world.background import Background
from affray.world.combats import autoplay, flagging, results
from affray.world.combats.combats import Combats
from affray.world.combats.history import History
from affray.world.combats.thinking import Thinkers
from affray.world.combats.worker import Worker
from affray.world.commands import account, adventures, basic, parties, profiles, recovery, registry, wizard
from affray.world.commands.combat import moves, saving, seats, setup, storytelling, watching
from affray.world.peers import Message, Peers
from affray.world.people import login
from affray.world.people.guests import Guests
from affray.world.people.people import People
from affray.world.people.profiles import Profiles
from affray.world.people.visitor import Tell, Visitor
from affray.world.places import Places, first_places
from affray.world.push.notifying import Notifications, PushSettings
from affray.world.store import DEFAULT, Clash, Store
from affray.world.store.statements import CHANNEL, set_setting_once

log = logging.getLogger(__name__)
Dice = Callable[[], Physical]

COMMANDS = (basic, account, profiles, parties, recovery, wizard, setup, moves, seats, saving, watching, storytelling)
"""The modules whose commands can be typed here, in the order in which `help` lists them."""


def usual_system() -> str:
    """The system of combats that name none, unless the world is opened with another."""
    known = names()
    return next((id for id in known if (home := find(id).residence) and home.is_default), known[0])


class World:
    """Connects the parts of a world; everything durable is in the store."""

    greeting = f"Welcome to Affray.\n\n{login.COMMANDS}"

    def __init__(
        self,
        store: Store,
        dice: Dice,
        peers: Peers | None,
        default_system: str,
        worker: Worker | None = None,
        push: PushSettings = PushSettings(),  # noqa: B008 - it cannot change
    ) -> None:
        """Used by `World.open`."""
        self.store = store
        self.dice = dice
        self.peers = peers
        self.default_system = default_system
        self.attempts = login.Attempts()
        self.worker = worker or Worker()
        self.thinkers = Thinkers(self.worker.beside)
        self.background = Background()
        self.places = Places(self)
        self.people = People(self)
        self.combats = Combats(self)
        self.guests = Guests(self)
        self.notifications = Notifications(self, push)
        self.profiles = Profiles(store)
        self.running_a_log = asyncio.Lock()
        """Held while a whole log is run in a thread."""

    @classmethod
    async def open(
        cls,
        url: str = DEFAULT,
        dice: Dice = lambda: Fair(secrets.token_bytes(32)),
        peers: Peers | None = None,
        default_system: str = "",
        worker: Worker | None = None,
        history: History = History(),  # noqa: B008 - it cannot change
        push: PushSettings = PushSettings(),  # noqa: B008 - it cannot change
    ) -> World:
        """The world of a store, with every combat as it was; an empty store gets its first places.

        With `peers` other processes may have the same world at the same time, if all have them. `worker` works out
        odds and luck; without one they take a process of their own. `default_system` is that of combats that name none.
        `history` says how many combats that have ended are kept, `push` how players are notified who are not connected.
        """
        default_system = find(default_system).id if default_system else usual_system()
        recovery.declare_commands()
        adventures.declare_commands()
        store = await Store.open(url, shared=peers is not None)
        world = cls(store, dice, peers, default_system, worker, push)
        try:
            await world._read()
        except BaseException:
            await store.close()
            raise
        if peers is not None:
            await store.commit(set_setting_once(CHANNEL, secrets.token_hex(8)))
            await peers.listen(await store.setting(CHANNEL) or "", partial(sync.hear, world), world.people.here)
        world.background.start(sync.keep_up(world), "keeping up")
        world.background.start(history.go_on(world), "history")
        world.background.start(world.guests.go_on(), "guests")
        world.background.start(flagging.go_on(world), "clocks")
        if not world.notifications.problem:
            world.background.start(world.notifications.go_on(), "notifications")
        for combat in filter(autoplay.is_due, world.combats.values()):
            autoplay.play_on(world, combat)
        return world

    async def _read(self) -> None:
        """Read what is stored."""
        if not await self.store.places():
            try:
                await self.store.commit(*first_places())
            except Clash:
                if self.peers is None:
                    raise
                log.info("another process has made the first places at the same moment")
        await results.gather(self.store)
        await self.places.read()
        await self.combats.read()

    async def close(self) -> None:
        """Close the store, which has everything that was told."""
        await self.background.close()
        if self.peers is not None:
            await self.peers.close()
        self.worker.close()
        self.thinkers.close()
        self.notifications.close()
        await self.store.close()

    def arrive(self, tell: Tell, address: str) -> Visitor:
        """A new visitor from an address, who is told things by `tell`."""
        visitor = Visitor(self, tell, address)
        self.people.visitors.append(visitor)
        return visitor

    async def obey(self, visitor: Visitor, line: str) -> None:
        """Carry out a line of text."""
        await registry.obey(visitor, line)

    def publish(self, message: Message) -> None:
        """Send a message to the other processes of this world."""
        if self.peers is not None:
            self.peers.publish(message)
