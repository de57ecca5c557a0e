"""The lobby: places with their fights, and setting up a new one."""

from __future__ import annotations

from affray.errors import Illegal
from affray.server.api.callers import Caller
from affray.server.api.messages import Lobby, NewCombat, PlaceShown, Summary, Table
from affray.server.api.routes import Routes
from affray.server.api.views import summary_of, table_of
from affray.world.actions import creation, fights
from affray.world.actions.acting import At
from affray.world.combats.listing import Asleep

LISTED = 50
routes = Routes("/api", "lobby")


@routes.get("/lobby")
async def lobby(caller: Caller) -> Lobby:
    """All places, who is there, and which fights are on."""
    world = caller.world
    places = []
    for place in world.places.values():
        combat = world.combats.get(place.key)
        shown = await summary_of(world, combat, combat.phase) if combat else None
        people = list(world.people.names_in(place.key).values())
        places.append(PlaceShown(place.key, place.name, place.description, people, shown))
    yours = [c.number for c in world.combats.values() if caller.key in (*c.players, c.owner)] if caller.key else []
    return Lobby(places, yours)


@routes.get("/combats")
async def combats(caller: Caller, ended: bool = False) -> list[Summary]:
    """The fights that are on, or the last ones that have ended."""
    world = caller.world
    if not ended:
        return [await summary_of(world, combat, combat.phase) for combat in world.combats.values()]
    return [await summary_of(world, Asleep.of(row), "ended") for row in await world.store.ended_combats(LISTED)]


@routes.post("/combats", creation.create, fights.start)
async def host(player: Caller, data: NewCombat) -> Table:
    """Set up a fight, and start it where that is wanted."""
    seats = [seat.on(team) for team, members in data.teams.items() for seat in members]
    if len([seat for seat in seats if seat.by == creation.ME]) > 1:
        raise Illegal("you can take one seat yourself; give the others to the storyteller", given="me")
    combat = await creation.create(
        player, data.name, data.system, data.options, seats, data.place, game=data.game, startable=data.start
    )
    if data.start:
        await fights.start(player, At(combat.place, combat.number), [])
    return await table_of(player, combat, combat.phase)
