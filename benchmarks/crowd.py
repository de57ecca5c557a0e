"""Clients of web servers that run as processes of their own: who they are, what they were told, and their fights."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from affray.server.web.app import SECRET
from affray.server.web.login import CSRF
from affray.server.web.sessions import mark_of
from affray.world.combats.combats import load
from affray.world.places import FIRST_PLACE
from affray.world.store import Store, statements
from affray.world.store.tables import CombatRow
from affray.world.world import World

SECONDS = 600  # before a test that hangs is a failure
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "PYTHONUTF8": "1"}
SYSTEMS = {  # what is played, who play together, and whom a tactic moves
    "bgo": (("heroes", "player"), ("monsters", "fire-slime")),
    "grapple": (("heroes", "ahalish"), ("monsters", "goblin")),
    "deckahedron": (("heroes", "maren"), ("monsters", "guard")),
    "mythos": (("investigators", "detective"), ("enemies", "ghoul")),
    "strategic": (("order", "knight"), ("raiders", "brute")),
    "journey": (("travellers", "squire"), ("travellers", "player")),
}
JOURNEY = "journey"  # of bgo, where nothing is taken back
QUICK_SERVER = Path(__file__).parents[1] / "tests" / "quick_server.py"
MOST_REFUSALS = 100  # of one fight: answers that come too late, or twice
A_MOMENT = 0.05  # seconds until something is tried again
TOO_LATE = re.compile(
    r"decision \d+ is not open|has answered decision \d+ already|the (?:fight|journey) is over"
    r"|moves have been taken back|has changed in the meantime"
)
NOT_NOW = 503  # the status of an answer while the store does not work, or the server is full
Move = tuple[int, str, str]  # the number of the decision, who, what


class Cut(Exception):
    """The server has gone while it was asked."""


class Refusal(Exception):
    """The server has refused what it was asked."""


# --- servers, and those who come to them ------------------------------------------------------------------------------


class Server:
    """A server process."""

    def __init__(self, url: str, noted: Path, *words: str) -> None:
        self._words = ("--store", url, "--web", "127.0.0.1:0", "--web-port-file", str(noted), *words)
        self._noted = noted
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.up = asyncio.Event()
        self.log: int | None = None
        """The file descriptor that its complaints go to; without one they come out with the caller's."""

    async def open(self) -> None:
        self._noted.unlink(missing_ok=True)
        words = (sys.executable, QUICK_SERVER, "serve", "--limit-requests", "1000000", *self._words)
        self._process = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=self.log)
        async with asyncio.timeout(SECONDS):
            while not self._noted.exists():
                assert self._process.poll() is None, "the server has ended by itself"
                await asyncio.sleep(0.02)
        self.port = int(self._noted.read_text())
        self.up.set()

    @property
    def pid(self) -> int:
        """The number of its process, which must not have ended."""
        assert self._process is not None
        assert self._process.poll() is None, "the server has ended by itself"
        return self._process.pid

    def kill(self) -> None:
        """End it as a failure of the machine would."""
        assert self.pid
        assert self._process is not None
        self.up.clear()
        self._process.kill()
        assert self._process.wait() == -signal.SIGKILL

    def clear_away(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Client:
    """A player with a browser: one WebSocket, and requests that may go to any server."""

    def __init__(self, name: str, cookie: str) -> None:
        self.name = name
        self._cookie = cookie
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None
        self._ids = itertools.count(1)
        self._asked: dict[int, asyncio.Future[None]] = {}
        self.news = asyncio.Event()
        self.table: dict[str, Any] = {}
        self.story: list[str] = []
        self.told: list[str] = []
        self.said: list[str] = []
        self.gone = False
        self._problem: AssertionError | None = None
        self.may_shrink = False  # where moves are taken back, the story becomes shorter

    def twin(self) -> Client:
        """The same person with another browser."""
        return Client(self.name, self._cookie)

    async def come(self, server: Server, combat: int) -> None:
        """Connect and follow a fight, again and again until it works; what was seen before must still be so."""
        while True:
            await asyncio.wait_for(server.up.wait(), SECONDS)
            await self.go()
            before = self.story
            self.table, self.story = {}, []
            try:
                headers = {"Cookie": f"affray={self._cookie}"}
                self._socket = await connect(f"ws://127.0.0.1:{server.port}/live", additional_headers=headers)
                self._listening = asyncio.create_task(self._listen(self._socket))
                await self.ask(type="enter", combat=combat)
                await self.until(lambda: bool(self.table))
            except (OSError, WebSocketException, InvalidHandshake, Cut, Refusal):
                self.story = before
                await asyncio.sleep(A_MOMENT)
                continue
            assert self.may_shrink or self.story[: len(before)] == before, "what was told is lost"
            return

    async def go(self) -> None:
        """Close the connection."""
        if self._listening is not None and self._socket is not None:
            await self._socket.close()
            await self._listening
            self._listening = None

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                self._take(json.loads(text))
        except WebSocketException:
            pass
        except AssertionError as problem:
            self._problem = problem
        for waiting in self._asked.values():
            if not waiting.done():
                waiting.set_exception(Cut)
        self._asked.clear()
        self.news.set()

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "changed":
                whole = {**self.table, "story": [], "story_from": len(self.story), **message["changes"]}
                self._take(whole)
            case "table":
                first = message["story_from"]
                assert self.may_shrink or first == len(self.story), "told twice, or not at all"
                assert [line["n"] for line in message["story"]] == list(range(first, first + len(message["story"])))
                self.story = self.story[:first] + [line["text"] for line in message["story"]]
                self.table = message
            case "done" | "refused" if message["id"] in self._asked:
                waiting = self._asked.pop(message["id"])
                if message["type"] == "done":
                    waiting.set_result(None)
                else:
                    waiting.set_exception(Refusal(message["problem"]))
            case "gone":
                self.gone = True
            case "told":
                (self.said if message["kind"] == "said" else self.told).append(message["text"])
        self.news.set()

    async def ask(self, **message: object) -> None:
        """Send a message and wait until it is acknowledged."""
        self._check()
        assert self._socket is not None
        number = next(self._ids)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({**message, "id": number}))
        except WebSocketException:
            self._asked.pop(number, None)
            if answer.done():  # by the end of the connection; nobody will ask for that
                answer.exception()
            raise Cut from None
        await asyncio.wait_for(answer, SECONDS)

    def _check(self) -> None:
        if self._problem is not None:
            raise self._problem
        if not self.connected:
            raise Cut

    @property
    def connected(self) -> bool:
        return self._listening is not None and not self._listening.done()

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait for something that a message will make true."""
        async with asyncio.timeout(SECONDS):
            while not is_true():
                self._check()
                self.news.clear()
                await self.news.wait()

    async def request(self, server: Server, way: str, path: str, body: object = None) -> Any:
        """What the server answers to a request."""
        where = f"http://127.0.0.1:{server.port}/api{path}"
        try:
            async with httpx.AsyncClient(verify=False, trust_env=False, timeout=SECONDS) as http:
                token = _given(await http.get(f"http://127.0.0.1:{server.port}/api/session")).cookies[CSRF]
                headers = {"Cookie": f"affray={self._cookie}; {CSRF}={token}", "X-CSRF-Token": token}
                answer = await http.request(way, where, json=body, headers=headers)
        except httpx.TransportError:
            raise Cut from None
        return _given(answer).json()

    def due(self) -> dict[str, Any] | None:
        """The question that waits for an answer of one's own."""
        mine = self.table["you"]["fighter"]
        asks = [ask for ask in self.table["asks"] if ask["name"] == mine and ask["answered"] is None]
        return asks[0] if asks else None

    def is_asked(self, decision: int) -> bool:
        """Whether that decision waits for an answer of one's own."""
        ask = self.due()
        return ask is not None and ask["decision"] == decision


def _given(answer: httpx.Response) -> httpx.Response:
    """An answer, if it is one."""
    if answer.status_code == NOT_NOW:
        raise Refusal(answer.json()["problem"])
    assert answer.status_code < 300, (answer.url, answer.text)
    return answer


# --- fights -----------------------------------------------------------------------------------------------------------


@dataclass
class Bout:
    """A fight of two players against a computer, as far as it has been acknowledged."""

    number: int
    players: list[Client]
    chance: random.Random
    acknowledged: list[Move] = field(default_factory=list)
    led_to: dict[Move, str] = field(default_factory=dict)  # the mark of the decision when the move was chosen
    refusals: int = 0
    uncertain: list[Move] = field(default_factory=list)  # sent to a server that was gone before it answered

    def choose(self, ask: dict[str, Any]) -> Move:
        move: Move = ask["decision"], ask["fighter"], self.chance.choice(ask["moves"])
        self.led_to[move] = ask["after"]
        return move

    async def send(self, client: Client, move: Move) -> bool:
        """Make a move, and note whether it was acknowledged; it may come too late for its decision."""
        decision, _, words = move
        name, after = client.table["you"]["fighter"], self.led_to[move]
        message = {"combat": self.number, "fighter": name, "move": words, "decision": decision, "after": after}
        try:
            await client.ask(type="move", **message)
        except Cut:
            self.uncertain.append(move)
            raise
        except Refusal as problem:
            self.note_refusal(move, problem)
            return False
        self.acknowledged.append(move)
        return True

    def note_refusal(self, move: Move, problem: Refusal) -> None:
        """Count an answer that came too late; nothing else may be refused."""
        self.refusals += 1
        if self.refusals > MOST_REFUSALS or not TOO_LATE.search(str(problem)):
            raise problem

    @property
    def over(self) -> bool:
        return any(client.table.get("ending") for client in self.players)


async def furnish(url: str, names: Sequence[str]) -> list[Client]:
    """People with accounts, and with cookies as a server would have given them."""
    secret = secrets.token_bytes(32)
    sessions = ClientSideSessionBackend(CookieBackendConfig(secret, key="affray"))
    world = await World.open(url)
    try:
        made = [statements.add_account(name, "player", None, FIRST_PLACE) for name in names]
        await world.store.commit(statements.set_setting_once(SECRET, secret.hex()), *made)
        accounts = {account.name: account for account in await world.store.accounts()}
    finally:
        await world.close()
    marks = {name: {"key": accounts[name].key, "mark": mark_of(accounts[name])} for name in names}
    return [Client(name, sessions.dump_data(marks[name])[0].decode()) for name in names]


async def begin(system: str, owner: Client, at: Server, second: Client, there: Server) -> int:
    """A fight that its owner sets up at one server, and that another player joins at another; its number."""
    (ours, sheet), (theirs, foe) = SYSTEMS[system]
    seats = [{"sheet": sheet, "by": "me"}, {"sheet": sheet, "by": "open", "name": "second"}]
    by_computer = {"sheet": foe, "by": "random"}
    name = f"fight of {owner.name}"
    if system == JOURNEY:
        asked: dict[str, Any] = {"system": "bgo", "game": system, "teams": {ours: [*seats, by_computer]}}
    else:
        teams = {ours: seats, theirs: [by_computer]}
        asked = {"system": system, "teams": teams, "options": {"undo": "agreed"}}
    table = await owner.request(at, "POST", "/combats", {"name": name, **asked})
    number: int = table["number"]
    token = next(seat["invite"] for seat in table["seats"] if seat["invite"])
    await second.request(there, "POST", f"/combats/{number}/join", {"token": token})
    await owner.request(at, "POST", f"/combats/{number}/start", {})
    return number


async def stored_fights(url: str) -> dict[int, tuple[list[str], list[dict[str, Any]]]]:
    """The story of every fight that was started, and the answers of people in it.

    A log that does not fit its dice is refused.
    """
    async with await Store.open(url) as store:
        rows = [await store.combat(number) for number in range(1, await store.last_combat() + 1)]
        return {row.number: await _stored(store, row) for row in rows if row is not None and row.log is not None}


async def _stored(store: Store, row: CombatRow) -> tuple[list[str], list[dict[str, Any]]]:
    combat = await load(store, row)
    answers = await store.answers(row.number)
    assert len({(entry["decision"], entry["who"]) for entry in answers}) == len(answers), "a decision answered twice"
    by_people = [entry for entry in answers if entry["by"] != "auto"]
    return [line.text for line in combat.running().lines], by_people


def move_of(entry: dict[str, Any]) -> Move:
    """An entry of a log as those who made the move know it."""
    return entry["decision"], entry["who"], entry.get("move") or entry["answer"]
