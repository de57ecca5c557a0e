"""Acts when a player's time is up: a tactic moves, or with a bank of time the player's team has lost."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from affray.errors import Refused
from affray.players.tactics import usual_tactics
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.news import Post

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)
EVERY = 0.5  # seconds between two looks at all clocks


async def go_on(world: World) -> None:
    """Look at all clocks at intervals as long as the world is open."""
    while True:
        await asyncio.sleep(EVERY)
        for combat in [one for one in world.combats.values() if _is_late(one)]:
            try:
                await flag(world, combat.place)
            except Refused as problem:
                log.error("time is up in combat %s, but %s", combat.number, problem)


def _is_late(combat: Listed) -> bool:
    if not isinstance(combat, Combat) or combat.clock is None or combat.phase != "running":
        return False
    return combat.clock.overdue(combat, time.monotonic()) is not None


async def flag(world: World, place: str) -> None:
    """Let the player move by tactic whose time is up; with a bank, their team has lost."""
    async with world.combats.locks[place]:
        await world.combats.refresh(place)
        combat = world.combats.awake(place)
        if combat is None or combat.clock is None or combat.phase != "running":
            return
        member = combat.clock.overdue(combat, time.monotonic())
        if member is None:
            return
        before, post = combat.awaited(), Post(world, combat)
        if combat.clock.per_move or len(combat.roster.teams) != 2:
            fighter = combat.fighter(member)
            tactic = usual_tactics(combat.fought())[fighter]
            post.write(combat.move_late(member, tactic), None, before)
        else:
            post.write(combat.concluded("time", member), None, before)
        await world.combats.store(combat, anew=True)
        post.deliver()
    if autoplay.is_due(combat):
        autoplay.play_on(world, combat)
