"""What the web server's tests share: a world that is served on a port, and people with browsers in it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from affray.kernel.chance import Physical
from affray.server.api.live import ClientLimits
from affray.server.web.app import WebSettings
from affray.server.web.server import WebServer
from affray.world import sync
from affray.world.people import passwords
from affray.world.people import people as people_module
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.statements import delete, insert
from affray.world.store.tables import TABLES
from affray.world.world import World

SECONDS = 600  # before a test that hangs is a failure
FAST = WebSettings(requests=1_000_000, websocket=ClientLimits(burst=1_000_000, rate=1_000_000, refused=1_000_000))
Message = dict[str, Any]


def _load(name: str) -> ModuleType:
    """A module of the tests of the world."""
    spec = spec_from_file_location(f"world_{name}", Path(__file__).parents[2] / "world" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_people, _permissions = _load("conftest"), _load("test_permissions")
pytest_pyfunc_call = _people.pytest_pyfunc_call


class Live:
    """One WebSocket: everything it received is in `received`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[Message] = []
        self._table: Message = {}
        self._lines = 0
        self.sent: list[Message] = []
        self._ids = count(1)
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self.received.append(self._whole(json.loads(text)))
                self._news.set()
        except ConnectionClosed:
            pass
        self._news.set()

    @property
    def open(self) -> bool:
        return not self._reading.done()

    async def until(self, condition: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message of that kind, among those received since."""
        async with asyncio.timeout(SECONDS):
            while True:
                self._news.clear()
                for message in self.received[since:]:
                    if condition(message):
                        return message
                assert self.open, f"closed: {self.socket.close_code} {self.socket.close_reason}"
                await self._news.wait()

    async def send(self, message: Message | str | bytes) -> None:
        await self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    def _whole(self, message: Message) -> Message:
        """A message as it is, but instead of changes of a table the table with them."""
        if message["type"] == "table":
            self._table, self._lines = message, message["story_from"] + len(message["story"])
        elif message["type"] == "changed":
            changes = {"story": [], "story_from": self._lines, **message["changes"]}
            return self._whole({**self._table, **changes})
        return message

    async def ask(self, type: str, **fields: Any) -> Message:
        """Send a message and give its answer: done, refused or pong."""
        message = {"type": type, "id": next(self._ids), **fields}
        since = len(self.received)
        self.sent.append(message)
        await self.send(message)
        kinds = ("done", "refused", "pong")
        return await self.until(lambda m: m["type"] in kinds and m.get("id") == message["id"], since)

    async def enter(self, number: int) -> Message:
        """Follow a fight; gives the table of it."""
        since = len(self.received)
        assert (await self.ask("enter", combat=number))["type"] == "done"
        return await self.until(lambda m: m["type"] == "table", since)

    async def ended(self) -> int | None:
        """Wait until the server has closed the connection; gives the code."""
        async with asyncio.timeout(SECONDS):
            await self._reading
        return self.socket.close_code

    async def close(self) -> None:
        await self.socket.close()
        await self._reading

    def of(self, *types: str) -> list[Message]:
        return [message for message in self.received if message["type"] in types]


class Browser:
    """The cookies of a person, for HTTP and for WebSockets."""

    def __init__(self, port: int) -> None:
        self.port = port
        # Nothing is encrypted, so no certificates need be read to verify it with.
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=SECONDS, trust_env=False, verify=False
        )
        self.lives: list[Live] = []

    async def __call__(self, method: str, path: str, body: object = None, **more: Any) -> httpx.Response:
        """Ask for something of the API, with the token that shows that it is the page who asks; of all by `//path`."""
        if "affray_csrf" not in self.http.cookies:
            await self.http.get("/api/session")
        headers = {"X-CSRF-Token": self.http.cookies["affray_csrf"], **more.pop("headers", {})}
        where = path[1:] if path.startswith("//") else f"/api{path}"
        return await self.http.request(method, where, json=body, headers=headers, **more)

    async def log_in(self, name: str, password: str = _people.PASSWORD) -> None:
        answer = await self("POST", "/session", {"name": name, "password": password})
        assert (answer.status_code, answer.json()["name"]) == (200, name), answer.text

    async def live(self, **how: Any) -> Live:
        """A WebSocket with these cookies, once it has been greeted."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        headers = {"Cookie": cookies, **how.pop("headers", {})}
        address = f"ws://127.0.0.1:{self.port}/live"
        live = Live(await connect(address, additional_headers=headers, proxy=None, max_queue=None, **how))
        self.lives.append(live)
        await live.until(lambda message: message["type"] == "hello")
        return live

    async def close(self) -> None:
        for live in self.lives:
            await live.close()
        await self.http.aclose()


class Person:
    """A person with a page open: `await person(line)` types a line and gives what they were told meanwhile."""

    def __init__(self, browser: Browser, live: Live) -> None:
        self.browser, self.live = browser, live
        self._heard = 0
        self.refused = False

    async def __call__(self, line: str) -> str:
        self.told.clear()
        answer = await self.live.ask("line", text=line)
        self.refused = answer["type"] == "refused"
        return str(answer["problem"]) if self.refused else "\n".join(self.news())

    def visitor(self, world: World) -> Visitor:
        """Who stands for them in the world."""
        hello = self.live.of("hello")[0]
        return next(visitor for visitor in world.people.visitors if visitor.name == hello["name"])

    @property
    def told(self) -> _Heard:
        return _Heard(self)

    def unheard(self) -> list[Message]:
        """What has come since the last look, other than answers and that the lobby has changed."""
        news = self.live.received[self._heard :]
        self._heard = len(self.live.received)
        return [message for message in news if message["type"] not in ("done", "refused", "pong", "lobby")]

    def news(self) -> list[str]:
        return [message["text"] for message in self.unheard() if message["type"] == "told"]


class _Heard:
    """What a person of the world's own tests keeps in a list."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def clear(self) -> None:
        self._person.unheard()


class Site(_people.Crowd):  # type: ignore[misc,name-defined]
    """A served world with people in it, by name; each has cookies of their own and one WebSocket."""

    people: dict[str, Person]
    password = _people.PASSWORD

    def __init__(self, world: World, url: str, dice: Callable[[], Physical], server: WebServer) -> None:
        super().__init__(world, url, dice)
        self.server = server
        self.port = server.port
        self.browsers: list[Browser] = []

    def account(self, name: str) -> Any:
        """A new account, to be stored, of a player who has not come in yet."""
        return statements.add_account(name, "player", self.hash, "tavern")

    def browser(self) -> Browser:
        """A browser that has never been here."""
        self.browsers.append(Browser(self.port))
        return self.browsers[-1]

    async def enter(self, name: str) -> Person:
        browser = self.browser()
        if not name.startswith("Guest"):
            await browser.log_in(name)
        person = self.people[name] = Person(browser, await browser.live())
        await self.quiet()
        return person

    async def leave(self, name: str) -> None:
        await self.people.pop(name).browser.close()
        while any(visitor.name == name for visitor in self.world.people.visitors):
            await asyncio.sleep(0.005)
        await self.quiet()

    async def quiet(self) -> None:
        """Let everything arrive that is under way, and forget it."""
        for person in self.people.values():
            if person.live.open:
                await person.live.ask("ping")
        self.hush()

    async def overheard(self) -> dict[str, list[Message]]:
        """What everybody has received since it was last quiet."""
        for person in self.people.values():
            await person.live.ask("ping")
        return {name: heard for name, person in self.people.items() if (heard := person.unheard())}

    async def remember(self) -> None:
        """Keep how everything is now, to come back to it."""
        world = self.world
        for combat in world.combats.values():
            await world.combats.store(combat, anew=True)
        stored = await world.store.everything()
        cleared = [delete(table) for table in reversed(TABLES)]
        filled = [insert(table, row) for table in TABLES for row in stored[table]]
        self._stored = [*cleared, *filled]
        self._watchers = {place: set(combat.watchers) for place, combat in world.combats.items()}
        self._accounts = {name: person.visitor(world).account for name, person in self.people.items()}
        self._last_combat = world.combats.last_number

    async def rewind(self) -> None:
        """Come back to what was remembered, with the same people."""
        world = self.world
        await world.store.commit(*self._stored)
        await world.places.read()
        world.combats.last_number = self._last_combat
        world.combats.clear()
        await world.combats.read()
        for place, watchers in self._watchers.items():
            async with world.combats.steady(place) as combat:
                combat.watchers = set(watchers)
        for name, account in self._accounts.items():
            if name in self.people and self.people[name].live.open:
                self.people[name].visitor(world).account = account
            else:
                await self.enter(name)
        await self.quiet()

    async def fingerprint(self) -> str:
        """Everything that is stored, and everything about the combats and the people in memory."""
        return str(await _permissions.fingerprint(self))

    async def close(self) -> None:
        for browser in self.browsers:
            await browser.close()
        await self.server.close()
        await self.world.close()


Sites = Callable[..., AbstractAsyncContextManager[Site]]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sites:
    """`async with site("Ann", "Guest1", wizards=["Merlin"]) as people:` gives a served world with them in it."""
    monkeypatch.setattr(passwords, "hasher", lambda: _people._quick)
    monkeypatch.setattr(sync, "KEEP_UP", _people.NEVER)
    monkeypatch.setattr(people_module, "STALE", _people.NEVER)

    @asynccontextmanager
    async def open(
        *names: str,
        wizards: Sequence[str] = (),
        settings: WebSettings = FAST,
        url: str | None = None,
        dice: Callable[[], Physical] = _people._seeded,
    ) -> AsyncIterator[Site]:
        url = url or f"sqlite:///{tmp_path / 'world.db'}"
        world = await World.open(url, dice=dice)
        people = Site(world, url, dice, await WebServer.open(world, port=0, settings=settings))
        try:
            for name in names:
                await (people.enter(name) if name.startswith("Guest") else people.make(name))
            for name in wizards:
                await people.make(name, "wizard")
            yield people
        finally:
            await people.close()

    return open


@pytest.fixture
def permissions() -> ModuleType:
    """Who may what in the world, as one table that a person can read."""
    return _permissions


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try what the tables have, phase by phase."""
    if "phase" in metafunc.fixturenames:
        metafunc.parametrize("phase", _permissions.PHASES)
