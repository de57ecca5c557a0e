"""Everything that can be done in a world can be typed and asked for by a page, except where the reason is written."""

from __future__ import annotations

import asyncio

from affray.server.api.dispatch import ROUTES
from affray.server.api.live import DOES
from affray.world.actions.acting import ACTIONS, Action
from affray.world.commands.combat.registry import SUBCOMMANDS
from affray.world.commands.registry import COMMANDS
from affray.world.world import World

NOT_TYPED = {
    "seat": "a line adds players and NPCs by `combat add` and `combat add_npc`",
    "subscribe": "only a browser can be notified",
}
NOT_ASKED_FOR = {
    "add": "a page adds players and NPCs as seats",
    "add_npc": "a page adds players and NPCs as seats",
    "use": "a page brings parties and encounters into the form for a new fight",
    "watch": "a page follows a fight by the message `enter`",
    "unwatch": "a page follows a fight until it says `leave`",
}


async def open_and_close() -> None:
    world = await World.open("sqlite://")
    await world.close()


def test_every_action_has_a_door_for_text_and_one_for_pages() -> None:
    asyncio.run(open_and_close())  # systems bring their own commands into a world
    commands = [*COMMANDS.values(), *SUBCOMMANDS.values()]
    typed = {command.does.name for command in commands if isinstance(command.does, Action)}
    asked = {action.name for route in ROUTES for action in route.does} | {action.name for action in DOES.values()}
    assert set(ACTIONS) - typed == set(NOT_TYPED)
    assert set(ACTIONS) - asked == set(NOT_ASKED_FOR)
    assert typed | asked == set(ACTIONS)


def test_a_request_that_changes_something_says_what_it_does() -> None:
    """What is not an action of the world only counts: odds, hints, lab jobs, checks of logs and of sheets."""
    silent = {route.path for route in ROUTES if route.method != "GET" and not route.does}
    assert silent == {
        "/api/combats/{number:int}/odds",
        "/api/combats/{number:int}/hint",
        "/api/verify",
        "/api/difficulty",
        "/api/systems/{id:str}/sheets",
        "/api/lab/jobs",
        "/api/lab/jobs/{id:str}",
    }
