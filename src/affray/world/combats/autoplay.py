"""Moves the computer fighters of a combat without blocking the visitors' commands."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from affray.errors import Refused
from affray.players.player import Thought
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.news import Post
from affray.world.combats.roster import Member
from affray.world.combats.thinking import Question, open_question
from affray.world.combats.told import Told
from affray.world.store import Lost, Overtaken

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)
MOVES_AT_ONCE = 20
SECONDS_AT_ONCE = 0.02
"""How many moves computer fighters make at most, and for how long, before visitors' commands are handled again."""

TAKE_OVER = 2.0
"""Seconds after which this process moves computer fighters that another process should have moved."""

TRY_AGAIN = 1.0
"""Seconds after which computer fighters try again to make a move that the store could not keep."""


def is_due(combat: Listed) -> bool:
    """Whether a computer fighter has to move."""
    if not isinstance(combat, Combat):
        return any(member.tactic for member in combat.awaited())
    return not combat.is_full and any(member.tactic or combat.moves_by_itself(member) for member in combat.awaited())


def is_ready(combat: Combat) -> bool:
    """Whether a computer fighter has to move that need not think first."""
    return not combat.is_full and any(combat.moves_by_itself(member) for member in combat.awaited())


def moved(combat: Combat) -> Told:
    """Let computer fighters make a few moves, which are not stored yet."""
    return combat.move_by_tactic(MOVES_AT_ONCE, SECONDS_AT_ONCE)


async def play(world: World, combat: Combat) -> bool:
    """Let computer fighters make a few moves; returns whether they still have to move. The place must be locked."""
    if combat.is_doubtful or not is_ready(combat):
        return False
    try:
        await _move(world, combat)
    except Overtaken:  # another process has moved them
        await world.combats.refresh(combat.place)
        return False
    except Refused as problem:
        _explain(world, combat, problem)
        return False
    return is_ready(combat)


async def _move(world: World, combat: Combat) -> None:
    """Make a few moves, store them, and tell everybody."""
    post, before = Post(world, combat), combat.awaited()
    post.write(moved(combat), None, before)
    await world.combats.store(combat)
    post.deliver()


def _explain(world: World, combat: Combat, problem: Refused) -> None:
    """Tell everybody why computer fighters do not move; if the store has failed, they move once it works again."""
    is_lost = isinstance(problem, Lost)
    then = "They try again by themselves" if is_lost else "Any combat command tries again"
    post = Post(world, combat)
    news = f"* Computer fighters in {combat.name} cannot move now: {problem}. {then}."
    post.write(Told(news=news), None, combat.awaited())
    post.deliver()
    name = f"trying combat {combat.number} again"
    if is_lost and not world.background.is_running(name):
        world.background.start(_try_again(world, combat), name)


async def _try_again(world: World, combat: Combat) -> None:
    """Let computer fighters move as soon as that can be kept; until then nobody is told again that it cannot."""
    is_lost = True
    while is_lost:
        await asyncio.sleep(TRY_AGAIN)
        try:
            async with world.combats.steady(combat.place) as present, world.combats.thinking:
                if present is not None and present.number == combat.number and is_ready(present):
                    await _move(world, present)
            is_lost = False
        except Lost:
            log.debug("combat %s waits for the store", combat.number)
        except Refused:  # another process has moved them, or they cannot move for another reason
            return
    play_on(world, combat)


def play_on(world: World, combat: Listed) -> None:
    """Let computer fighters move in the background as long as it is their turn."""
    name = f"combat {combat.number}"
    if world.background.is_running(name):
        return

    async def run() -> None:
        try:
            await move_on()
        except Refused as problem:  # its log cannot be read or run
            log.error("computer fighters in combat %s (%s) cannot move: %s", combat.number, combat.name, problem)

    async def move_on() -> None:
        more = True
        while more:
            asked = None
            async with world.combats.locks[combat.place], world.combats.thinking:
                present = await world.combats.woken(combat.place)
                if present is None or present.number != combat.number:
                    return
                more = await play(world, present)
                if not more and not present.is_doubtful:
                    asked = open_question(present)
            await asyncio.sleep(0)
            if asked is not None:
                more = await _think(world, combat, *asked)

    world.background.start(run(), name)


async def _think(world: World, combat: Listed, member: Member, asked: Question) -> bool:
    """Let an NPC think, and move unless its decision is gone meanwhile; returns whether others still have to move."""
    seen = combat.version

    def is_open() -> bool:
        nonlocal seen
        present = world.combats.get(combat.place)
        if present is None or present.number != asked.combat:
            return False
        if not isinstance(present, Combat) or present.version == seen:
            return True
        seen = present.version
        return _is_open(present, asked)

    try:
        thought = await world.thinkers.answer(asked, is_open)
        problem = ""
    except Refused as refused:
        thought, problem = None, f"{member.name} cannot think: {refused}"
    async with world.combats.locks[combat.place], world.combats.thinking:
        present = await world.combats.woken(combat.place)
        if present is None or present.number != asked.combat:
            return False
        if (thought is not None or problem) and _is_open(present, asked):
            return await _move_as_thought(world, present, asked, thought, problem)
        return is_due(present)


def _is_open(combat: Combat, asked: Question) -> bool:
    """Whether just this decision is still to be taken, by just this player."""
    found = open_question(combat)
    return found is not None and found[1] == asked


async def _move_as_thought(
    world: World, combat: Combat, asked: Question, thought: Thought | None, problem: str
) -> bool:
    """Make the move that was thought of, or the tactic's if none was; returns whether others have to move."""
    found = open_question(combat)
    assert found is not None
    post, before = Post(world, combat), combat.awaited()
    problem = problem or (thought.problem if thought else "")
    try:
        post.write(combat.move_by_thought(found[0], thought), None, before)
        if problem:
            post.write(Told(news=f"* {problem}."), None, before)
        await world.combats.store(combat)
        post.deliver()
    except Overtaken:
        await world.combats.refresh(combat.place)
        return False
    except Refused as refused:
        _explain(world, combat, refused)
        return False
    return is_due(combat)


def take_over_later(world: World, combat: Listed) -> None:
    """Move computer fighters that another process should move, if it does not: it may have been killed."""
    version = combat.version

    async def take_over() -> None:
        await asyncio.sleep(TAKE_OVER)
        if world.combats.get(combat.place) is combat and combat.version == version:
            play_on(world, combat)

    if is_due(combat):
        world.background.start(take_over(), f"taking over combat {combat.number}")
