"""Acts when a player's time is up: a tactic moves, or with a bank of time the player's team has lost."""

from __future__ import annotations

import asyncio
import logging
import time
from itertools import count
from typing import TYPE_CHECKING

from affray.errors import Refused
from affray.players.tactics import usual_tactics
from affray.world.combats import autoplay, concluding
from affray.world.combats.clocks import GRACE, late_by_mail
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.news import Post

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)
EVERY = 0.5  # seconds between two looks at all clocks
EVERY_MAIL = 60  # looks at clocks, between two at fights by correspondence


async def go_on(world: World) -> None:
    """Look at all clocks at intervals as long as the world is open."""
    opened = time.monotonic()
    for look in count(1):
        await asyncio.sleep(EVERY)
        late = [combat for combat in world.combats.values() if _is_late(combat)]
        if look % EVERY_MAIL == 0 and time.monotonic() >= opened + GRACE:
            late += by_mail(world)
        for combat in late:
            try:
                await flag(world, combat.place)
            except Refused as problem:
                log.error("time is up in combat %s, but %s", combat.number, problem)


def by_mail(world: World) -> list[Listed]:
    """The combats by correspondence in which a player's time is up; they may be asleep."""
    now = time.time()
    return [combat for combat in world.combats.values() if late_by_mail(combat, now)]


def _is_late(combat: Listed) -> bool:
    if not isinstance(combat, Combat) or combat.clock is None or combat.clock.by_mail or combat.phase != "running":
        return False
    return combat.clock.overdue(combat, time.monotonic()) is not None


async def flag(world: World, place: str) -> None:
    """Let a tactic move for the player whose time is up; with a bank, their team has lost."""
    async with world.combats.locks[place]:
        await world.combats.refresh(place)
        combat = world.combats.awake(place)
        if combat is None or combat.clock is None or combat.phase != "running":
            return
        member = combat.clock.overdue(combat, combat.clock.now())
        if member is None:
            return
        before, post = combat.awaited(), Post(world, combat)
        if combat.clock.per_move or len(combat.roster.teams) != 2:
            tactic = member.fallback or usual_tactics(combat.fought())[combat.fighter(member)]
            post.write(concluding.move_late(combat, member, tactic), None, before)
        else:
            post.write(concluding.concluded(combat, "time", member), None, before)
        await world.combats.store(combat, anew=True)
        post.deliver()
    if autoplay.is_due(combat):
        autoplay.play_on(world, combat)
