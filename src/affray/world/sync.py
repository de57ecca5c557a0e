"""Keeps a world in sync with changes by other processes: by their messages, and by the store."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from affray.errors import Refused
from affray.world.combats import news
from affray.world.combats.told import Told
from affray.world.peers import Message

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)

KEEP_UP = 5.0
"""Seconds between two checks of the store for changes without a message, such as by `affray accounts`."""

IDLE = 300.0
"""Seconds without use after which a combat is no longer kept in memory."""


async def hear(world: World, sender: str, message: Message) -> None:
    """Handle a message from another process."""
    match message["kind"]:
        case "present":
            for place in world.people.elsewhere.update(sender, message["people"]):
                world.places.changed(place)
        case "said":
            world.people.remember(message["place"], message["text"])
            for visitor in world.people.in_place(message["place"]):
                if visitor.key != message["but"]:
                    visitor.tell(message["text"], "said")
        case "places":
            await world.places.read()
            world.places.changed("")
        case "account":
            await world.people.read_again(message["key"])
        case "call":
            for visitor in world.people.connected(message["key"]):
                visitor.tell(message["text"], "call")
        case "whisper":
            world.people.heard(message["key"], message["text"])
        case "combat":
            await _hear_of_combat(world, message)


async def _hear_of_combat(world: World, message: Message) -> None:
    place: str = message["place"]
    async with world.combats.locks[place]:
        known = world.combats.get(place)
        if known is not None and not news.audience(world, known):
            await world.combats.relist(place)
            return
        before = world.combats.awake(place)
        waited_for = {member.name for member in before.awaited()} if before else set()
        told = len(before.fight.lines) if before and before.fight else 0
        await world.combats.refresh(place)
        combat = world.combats.awake(place) or before
        if combat is None or combat.number != message["number"]:
            return
        readers = news.readers(world, combat)
        text = message["news"]
        if text is None:  # too long to be sent, so it is told from the log
            text = "\n".join(line.text for line in combat.fight.lines[told:]) if combat.fight else ""
        if text:
            spread = Told(news=text, status=message["status"])
            for visitor in readers:
                visitor.tell(spread.to(combat, visitor.key), "news")
        for visitor in readers:
            visitor.tell(message["notice"], "news")
        called = [member for member in combat.awaited() if member.name not in waited_for]
        for visitor, call, kind in news.calls(world, combat, called):
            visitor.tell(call, kind)


async def keep_up(world: World) -> None:
    """Catch up at intervals as long as the world is open."""
    while True:
        await asyncio.sleep(KEEP_UP)
        await catch_up(world)
        world.combats.lull(IDLE)


async def catch_up(world: World) -> None:
    """Read what other processes have changed from the store, and notice which of them have been killed."""
    for place in world.people.elsewhere.forget():
        world.places.changed(place)
    try:
        stored = await world.store.versions()
        for place in stored.keys() | world.combats.keys():
            if stored.get(place) != world.combats.version_at(place):
                async with world.combats.locks[place]:
                    await world.combats.relist(place)
    except Refused as problem:
        log.error("what other processes have done could not be looked up: %s", problem)
