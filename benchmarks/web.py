"""A thousand clients in five hundred fights on one web server, beside the same fights played without any server."""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig
from websockets.asyncio.client import ClientConnection, connect

from affray.server.web.app import SECRET
from affray.server.web.sessions import mark_of
from affray.world.actions import creation, fights, seats
from affray.world.actions.acting import At
from affray.world.combats.autoplay import MOVES_AT_ONCE
from affray.world.combats.combat import Combat
from affray.world.people.passwords import hashed
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import Account
from affray.world.world import World
from benchmarks.serving import serving

FIGHTS = 500
SECONDS = 10.0  # of moving, as fast as it goes and then at half that pace
ALONE = 3.0  # seconds of playing without a server
PATIENCE = 120  # seconds before waiting for an answer is a failure
SYSTEMS = {  # two who play, and whom a tactic moves
    "bgo": (("heroes", "player"), ("monsters", "fire-slime")),
    "grapple": (("heroes", "ahalish"), ("monsters", "goblin")),
    "deckahedron": (("heroes", "maren"), ("monsters", "guard")),
    "mythos": (("investigators", "detective"), ("enemies", "ghoul")),
    "strategic": (("order", "knight"), ("raiders", "brute")),
}


class Load(NamedTuple):
    """What was measured: moves of players a second, and milliseconds from a move until everybody is told."""

    moves: float
    p50: float
    p99: float
    calm_moves: float
    calm_p50: float
    calm_p99: float
    alone: float


def load() -> Load:
    """Measure a server in a process of its own, with all clients in this one."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder)))


async def _measured(folder: Path) -> Load:
    store = folder / "world.db"
    tables, combats = await _furnish(str(store))
    async with serving(store, "--web", "127.0.0.1:0") as port, AsyncExitStack() as sockets:
        for table in tables:
            await asyncio.gather(*(client.come(port, sockets) for client in table.clients))
        busy = await _moving(tables, thinking=0)
        calm = await _moving(tables, thinking=2 * FIGHTS * SECONDS / len(busy))
    return Load(*_figures(busy), *_figures(calm), _played_alone(combats))


def _figures(taken: list[float]) -> tuple[float, float, float]:
    ordered = sorted(taken)
    return len(ordered) / SECONDS, 1000 * ordered[len(ordered) // 2], 1000 * ordered[len(ordered) * 99 // 100]


# --- the world before it is served ------------------------------------------------------------------------------------


async def _furnish(url: str) -> tuple[list[_Table], list[Combat]]:
    """A world with every fight begun and kept, so that one that is over can begin again."""
    secret = secrets.token_bytes(32)
    sessions = ClientSideSessionBackend(CookieBackendConfig(secret, key="affray"))
    hash = await hashed("open sesame")
    world = await World.open(url)
    tables, combats = [], []
    try:
        await world.store.commit(statements.set_setting_once(SECRET, secret.hex()))
        for number in range(FIGHTS):
            people = [await _account(world, f"P{number}{letter}", hash) for letter in "ab"]
            combat = await _begun(world, people, list(SYSTEMS)[number % len(SYSTEMS)])
            cookies = [sessions.dump_data({"key": one.key, "mark": mark_of(one)})[0].decode() for one in people]
            tables.append(_Table(number, [_Client(combat.number, cookie) for cookie in cookies]))
            combats.append(combat)
    finally:
        await world.close()
    return tables, combats


async def _account(world: World, name: str, hash: str) -> Account:
    await world.store.commit(statements.add_account(name, "player", hash, world.places.first))
    account = await world.store.account(name)
    assert account is not None
    return account


async def _begun(world: World, people: list[Account], system: str) -> Combat:
    owner, guest = (Visitor(world, lambda text: None, "nowhere") for _ in people)
    owner.account, guest.account = people
    (ours, sheet), (theirs, foe) = SYSTEMS[system]
    wanted = [
        creation.Seat(ours, sheet, creation.ME),
        creation.Seat(ours, sheet, creation.OFFERED, "second"),
        creation.Seat(theirs, foe, "random"),
    ]
    while True:
        combat = await creation.create(owner, f"fight-{owner.name}", system, {"undo": "free"}, wanted)
        at = At(combat.place, combat.number)
        await seats.take(guest, at, "second", combat.member("second").invitation or "")
        await fights.start(owner, at, [])
        if not combat.running().over:
            await fights.save(owner, at)
            return combat
        await fights.end(owner, at)  # the foe has fled at once


# --- clients ----------------------------------------------------------------------------------------------------------


class _Ask(msgspec.Struct):
    fighter: str
    name: str
    decision: int
    moves: list[str]
    answered: str | None


class _Changes(msgspec.Struct):
    decision: int | msgspec.UnsetType = msgspec.UNSET
    ending: str | msgspec.UnsetType | None = msgspec.UNSET
    asks: list[_Ask] | msgspec.UnsetType = msgspec.UNSET


class _Told(msgspec.Struct):
    """As much of a message as a client must know to go on."""

    type: str
    id: int | None = None
    decision: int = 0
    ending: str | None = None
    asks: list[_Ask] = []
    changes: _Changes | None = None
    problem: str = ""


_read = msgspec.json.Decoder(_Told).decode


class _Client:
    """One WebSocket, and the last table that has come."""

    def __init__(self, combat: int, cookie: str) -> None:
        self.combat, self._cookie = combat, cookie
        self.table = _Told("table")
        self.problem = ""
        self.news: asyncio.Event = asyncio.Event()
        self._socket: ClientConnection | None = None

    async def come(self, port: int, sockets: AsyncExitStack) -> None:
        where = connect(f"ws://127.0.0.1:{port}/live", additional_headers={"Cookie": f"affray={self._cookie}"})
        self._socket = await sockets.enter_async_context(where)
        listening = asyncio.create_task(self._listen())
        sockets.callback(listening.cancel)
        await self.say(type="enter", combat=self.combat)
        while not self.table.decision:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)

    async def say(self, **message: object) -> None:
        assert self._socket is not None
        await self._socket.send(msgspec.json.encode(message).decode())

    async def _listen(self) -> None:
        assert self._socket is not None
        async for text in self._socket:
            told = _read(text)
            if told.type == "table":
                self.table = told
                self.news.set()
            elif told.changes is not None:
                for field in _Changes.__struct_fields__:
                    if (value := getattr(told.changes, field)) is not msgspec.UNSET:
                        setattr(self.table, field, value)
                self.news.set()
            elif told.type == "refused":
                self.problem = told.problem
                self.news.set()

    def due(self) -> _Ask | None:
        return next((ask for ask in self.table.asks if ask.answered is None), None)


class _Table:
    """Two clients of one fight, who move whenever they are asked."""

    def __init__(self, number: int, clients: list[_Client]) -> None:
        self.clients = clients
        self._chance = random.Random(number)
        self._changed = asyncio.Event()
        for client in clients:
            client.news = self._changed

    async def move(self, until: float, thinking: float) -> list[float]:
        """Move until it is time to stop; the seconds that each move took until everybody was told."""
        taken: list[float] = []
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

    def _is_told(self, mover: _Client, ask: _Ask) -> bool:
        """Whether all who may know of a move do; a choice that others must not see yet is shown to its maker alone."""
        if mover.table.decision == ask.decision:
            return any(now.name == ask.name and now.answered for now in mover.table.asks)
        return all(client.table.decision != ask.decision for client in self.clients)

    async def _asked(self) -> tuple[_Client, _Ask]:
        """Who has to move; a fight that is over begins again first."""
        owner = self.clients[0]
        while True:
            if owner.table.ending is not None:
                await owner.say(type="line", text="combat restore")
                await self._until(lambda: all(client.table.ending is None for client in self.clients))
            for client in self.clients:
                if (ask := client.due()) is not None:
                    return client, ask
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), PATIENCE)

    async def _until(self, is_true: Callable[[], bool]) -> None:
        while not is_true():
            if problem := next((client.problem for client in self.clients if client.problem), ""):
                raise RuntimeError(problem)
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), PATIENCE)


async def _moving(tables: list[_Table], thinking: float) -> list[float]:
    until = time.perf_counter() + SECONDS
    return [seconds for taken in await asyncio.gather(*(t.move(until, thinking) for t in tables)) for seconds in taken]


# --- the same without a server ----------------------------------------------------------------------------------------


def _played_alone(combats: list[Combat]) -> float:
    """Moves of players a second in the same fights, with no store, no table and nobody to be told."""
    chance = random.Random(1)
    made, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + ALONE:
        for combat in combats:
            fight = combat.running()
            if fight.over:
                combat.restore(combat.owner, lambda key: True)
                continue
            member = next(member for member in combat.awaited() if member.tactic is None)
            moves = fight.legal(combat.fighter(member))
            combat.move(member, str(chance.choice(moves)), member.player or "")
            combat.move_by_tactic(MOVES_AT_ONCE)
            made += 1
    return made / (time.perf_counter() - begun)


if __name__ == "__main__":
    print(load())
