"""The lobby: logging in, places with their fights, and setting up a new one."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, get, post
from litestar.params import FromQuery, JSONBody
from litestar.utils.scope.state import ScopeState

from affray.errors import Illegal
from affray.server.web.messages import Credentials, Lobby, NewCombat, PlaceShown, Session, Summary, Table
from affray.server.web.sessions import AnyCaller, Player, mark_of
from affray.server.web.views import ended_summary, summary_of, table_of
from affray.world.combats import creation
from affray.world.commands.combat import registry
from affray.world.people import login
from affray.world.store.tables import Account

LISTED = 50
Asking = Request[Any, Any, Any]
CSRF = "affray_csrf"


def session_of(request: Asking, account: Account) -> Session:
    """Who is asking, for the page."""
    token = ScopeState.from_scope(request.scope).csrf_token
    return Session(account.name, account.role, account.role != "guest", token if isinstance(token, str) else "")


def logged_in(request: Asking, account: Account) -> Session:
    """The session of an account from now on."""
    request.set_session({"key": account.key, "mark": mark_of(account)})
    return session_of(request, account)


class LogIn(Controller):
    """Logging in and out."""

    path = "/api"
    tags = ["session"]  # noqa: RUF012

    @get("/session")
    async def who_am_i(self, request: Asking, caller: AnyCaller) -> Session:
        """Who is asking."""
        return session_of(request, caller.account)

    @post("/session", status_code=200)
    async def log_in(self, request: Asking, caller: AnyCaller, data: JSONBody[Credentials]) -> Session:
        """Log in by name and password."""
        return logged_in(request, await login.authenticate(caller.world, data.name, data.password, caller.address))

    @post("/accounts")
    async def create(self, request: Asking, caller: AnyCaller, data: JSONBody[Credentials]) -> Session:
        """Make an account, and be logged in to it."""
        return logged_in(request, await login.create_account(caller.world, data.name, data.password, caller.address))

    @delete("/session")
    async def log_out(self, request: Asking) -> None:
        """Be a guest again."""
        request.clear_session()


class Places(Controller):
    """The places of the world and the fights in them."""

    path = "/api"
    tags = ["lobby"]  # noqa: RUF012

    @get("/lobby")
    async def lobby(self, caller: AnyCaller) -> Lobby:
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

    @get("/combats")
    async def combats(self, caller: AnyCaller, ended: FromQuery[bool] = False) -> list[Summary]:
        """The fights that are on, or the last ones that have ended."""
        world = caller.world
        if not ended:
            return [await summary_of(world, combat, combat.phase) for combat in world.combats.values()]
        return [await ended_summary(world, row) for row in await world.store.ended_combats(LISTED)]

    @post("/combats")
    async def host(self, player: Player, data: JSONBody[NewCombat]) -> Table:
        """Set up a fight, and start it where that is wanted."""
        seats = [seat.on(team) for team, members in data.teams.items() for seat in members]
        if len([seat for seat in seats if seat.by == creation.ME]) > 1:
            raise Illegal("you can take one seat yourself; give the others to the storyteller", given="me")
        combat = await creation.create(
            player, data.name, data.system, data.options, seats, data.place, game=data.game, startable=data.start
        )
        if data.start:
            await registry.obey(player, "start", [])
        return await table_of(player, combat, combat.phase)
