"""Clients in fights of a web server: a thousand accounts, two in each fight, who move whenever they are asked."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial

import msgspec
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig
from websockets.asyncio.client import ClientConnection, connect

from affray.server.web.app import SECRET
from affray.server.web.sessions import mark_of
from affray.world.actions import creation, fights, seats
from affray.world.actions.acting import At
from affray.world.combats.combat import Combat
from affray.world.people.passwords import hashed
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import Account
from affray.world.world import World
from benchmarks import crowd

PATIENCE = 120  # seconds before waiting for an answer is a failure
SYSTEMS = {name: sides for name, sides in crowd.SYSTEMS.items() if name != crowd.JOURNEY}


# --- the world before it is served ------------------------------------------------------------------------------------


async def furnish(url: str, fights: int) -> tuple[list[Table], list[Combat]]:
    """A world with every fight begun and kept, so that one that is over can begin again."""
    secret = secrets.token_bytes(32)
    sessions = ClientSideSessionBackend(CookieBackendConfig(secret, key="affray"))
    hash = await hashed("open sesame")
    world = await World.open(url)
    tables, combats = [], []
    try:
        yards = [statements.add_place(f"Yard {number}") for number in range(fights)]
        await world.store.commit(statements.set_setting_once(SECRET, secret.hex()), *yards)
        await world.places.read()
        for number in range(fights):
            people = [await _account(world, f"P{number}{letter}", hash) for letter in "ab"]
            combat = await _begun(world, people, list(SYSTEMS)[number % len(SYSTEMS)], f"yard {number}")
            cookies = [sessions.dump_data({"key": one.key, "mark": mark_of(one)})[0].decode() for one in people]
            tables.append(Table(number, [Client(combat.number, cookie) for cookie in cookies]))
            combats.append(combat)
    finally:
        await world.close()
    return tables, combats


async def _account(world: World, name: str, hash: str) -> Account:
    await world.store.commit(statements.add_account(name, "player", hash, world.places.first))
    account = await world.store.account(name)
    assert account is not None
    return account


async def _begun(world: World, people: list[Account], system: str, place: str) -> Combat:
    owner, guest = (Visitor(world, lambda text: None, "nowhere") for _ in people)
    owner.account, guest.account = people
    (ours, sheet), (theirs, foe) = SYSTEMS[system]
    wanted = [
        creation.Seat(ours, sheet, creation.ME),
        creation.Seat(ours, sheet, creation.OFFERED, "second"),
        creation.Seat(theirs, foe, "random"),
    ]
    while True:
        combat = await creation.create(owner, f"fight-{owner.name}", system, {"undo": "free"}, wanted, place)
        at = At(combat.place, combat.number)
        await seats.take(guest, at, "second", combat.member("second").invitation or "")
        await fights.start(owner, at, [])
        if not combat.running().over:
            await fights.save(owner, at)
            return combat
        await fights.end(owner, at)  # the foe has fled at once


# --- clients ----------------------------------------------------------------------------------------------------------


class Ask(msgspec.Struct):
    fighter: str
    name: str
    decision: int
    moves: list[str]
    answered: str | None


class _Changes(msgspec.Struct):
    decision: int | msgspec.UnsetType = msgspec.UNSET
    ending: str | msgspec.UnsetType | None = msgspec.UNSET
    asks: list[Ask] | msgspec.UnsetType = msgspec.UNSET


class _Told(msgspec.Struct):
    """As much of a message as a client must know to go on."""

    type: str
    id: int | None = None
    decision: int = 0
    ending: str | None = None
    asks: list[Ask] = []
    changes: _Changes | None = None
    problem: str = ""


_read = msgspec.json.Decoder(_Told).decode


class Client:
    """One WebSocket, and the last table that has come."""

    def __init__(self, combat: int, cookie: str) -> None:
        self.combat, self._cookie = combat, cookie
        self.table = _Told("table")
        self.problem = ""
        self.news: Callable[[], None] = lambda: None
        """Called whenever something has come."""
        self._socket: ClientConnection | None = None

    async def come(self, port: int, sockets: AsyncExitStack) -> None:
        where = connect(f"ws://127.0.0.1:{port}/live", additional_headers={"Cookie": f"affray={self._cookie}"})
        self._socket = await sockets.enter_async_context(where)
        listening = asyncio.create_task(self._listen())
        sockets.callback(listening.cancel)
        here = asyncio.get_running_loop().create_future()
        news, self.news = self.news, lambda: here.done() or (self.table.decision and here.set_result(None))
        await self.say(type="enter", combat=self.combat)
        async with asyncio.timeout(PATIENCE):
            await here
        self.news = news

    async def say(self, **message: object) -> None:
        assert self._socket is not None
        await self._socket.send(msgspec.json.encode(message).decode())

    async def _listen(self) -> None:
        assert self._socket is not None
        while True:
            told = _read(await self._socket.recv(decode=False))
            if told.type == "table":
                self.table = told
            elif told.changes is not None:
                for field in _Changes.__struct_fields__:
                    if (value := getattr(told.changes, field)) is not msgspec.UNSET:
                        setattr(self.table, field, value)
            elif told.type == "refused":
                self.problem = told.problem
            else:
                continue
            self.news()

    def due(self) -> Ask | None:
        return next((ask for ask in self.table.asks if ask.answered is None), None)


class Table:
    """Two clients of one fight, who move whenever they are asked."""

    def __init__(self, number: int, clients: list[Client]) -> None:
        self.clients = clients
        self._chance = random.Random(number)
        self._waiting: asyncio.Future[None] | None = None
        self._awaited: Callable[[], object] = lambda: True
        for client in clients:
            client.news = self._hear

    async def move(self, until: float, thinking: float) -> list[float]:
        """Move until it is time to stop; the seconds that each move took until everybody was told."""
        taken: list[float] = []
        async with asyncio.timeout(until - time.perf_counter() + PATIENCE):
            while True:
                if thinking:
                    await asyncio.sleep(self._chance.expovariate(1 / thinking))
                client, ask = await self._asked()
                begun = time.perf_counter()
                if begun > until:
                    return taken
                move = self._chance.choice(ask.moves)
                await client.say(type="move", combat=client.combat, fighter=ask.name, move=move, decision=ask.decision)
                await self._until(partial(self._is_told, client, ask))
                taken.append(time.perf_counter() - begun)

    def _is_told(self, mover: Client, ask: Ask) -> bool:
        """Whether all who may know of a move do; a choice that others must not see yet is shown to its maker alone."""
        if mover.table.decision == ask.decision:
            return any(now.name == ask.name and now.answered for now in mover.table.asks)
        return all(client.table.decision != ask.decision for client in self.clients)

    async def _asked(self) -> tuple[Client, Ask]:
        """Who has to move; a fight that is over begins again first."""
        owner = self.clients[0]
        await self._until(lambda: owner.table.ending is not None or self._due())
        if owner.table.ending is not None:
            await owner.say(type="line", text="combat restore")
            await self._until(lambda: all(client.table.ending is None for client in self.clients) and self._due())
        due = self._due()
        assert due is not None
        return due

    def _due(self) -> tuple[Client, Ask] | None:
        return next(((client, ask) for client in self.clients if (ask := client.due()) is not None), None)

    async def _until(self, is_true: Callable[[], object]) -> None:
        if not is_true():
            self._awaited, self._waiting = is_true, asyncio.get_running_loop().create_future()
            await self._waiting

    def _hear(self) -> None:
        """Look whether what is waited for has come true; a client that was refused something has failed."""
        waiting = self._waiting
        if waiting is None or waiting.done():
            return
        if problem := next((client.problem for client in self.clients if client.problem), ""):
            waiting.set_exception(RuntimeError(problem))
        elif self._awaited():
            waiting.set_result(None)
