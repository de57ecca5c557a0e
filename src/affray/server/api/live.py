"""The connection of each client, who follows a fight, moves in it, and is told what happens."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec import Raw

from affray.errors import Refused
from affray.server import FAREWELL
from affray.server.api import messages as m
from affray.server.api.callers import spectator
from affray.server.api.combats import find_combat, move
from affray.server.api.views import Part, knows_names, names_in, parts_of, public_version, reads_all, story_of
from affray.server.api.wording import in_words
from affray.server.limits import Pace
from affray.system.adventures import HostedLine
from affray.world.actions import fights, places, talk
from affray.world.actions.acting import Action
from affray.world.combats.combat import Combat
from affray.world.people import login
from affray.world.people.visitor import Kind, Visitor
from affray.world.store import Lost
from affray.world.store.tables import Account
from affray.world.world import World

log = logging.getLogger(__name__)
decode = msgspec.json.Decoder(m.FromClient).decode
encode = msgspec.json.Encoder().encode
LONGEST = 4096  # bytes of a message
UNREAD = 500  # messages that may wait for a client who does not read
DOES: dict[type[m.FromClient], Action[Any, Any]] = {
    m.Enter: places.enter,
    m.Move: fights.move,
    m.Say: talk.say,
    m.Pose: talk.pose,
    m.Whisper: talk.whisper,
    m.Roll: talk.roll,
}
"""The actions that messages are translated into; `line` takes any text command."""
LOBBY_EVERY = 1.0  # seconds
LONGEST_REASON = 123  # bytes, as the protocol of WebSockets has it
TRY_AGAIN, POLICY, TOO_SLOW, GONE = 1012, 1008, 1013, 4001


class Closed(Exception):
    """The client has gone."""


class Line(Protocol):
    """The way to one client: a WebSocket, or a channel inside a browser."""

    address: str

    async def account(self) -> Account | None:
        """The account at the other end, as it is now; None for a guest, and for an account that has been removed."""

    async def receive(self) -> str:
        """The next message; raises `Closed` when the client has gone."""

    async def send(self, message: bytes) -> None:
        """Send a message; raises `Closed` when the client has gone."""

    async def close(self, code: int, reason: str) -> None:
        """End the connection."""


@dataclass(frozen=True)
class ClientLimits:
    """How much one client may send: a burst of messages, then a number each second."""

    burst: int = 40
    rate: int = 20
    refused: int = 200
    """The connection is closed after so many refusals in a row."""


class Listener(Visitor):
    """The visitor at the other end of a line."""

    reads_news = False

    def __init__(self, world: World, address: str, client: Client) -> None:
        super().__init__(world, lambda text: None, address)
        self._client = client

    def tell(self, text: str, kind: Kind = "reply") -> None:
        """Show them something, and say of what kind it is."""
        if not self.gone and text:
            self._client.send(m.ToldNow(kind, text))

    async def type(self, line: str) -> None:
        """Carry out a line of text; its results are told as text, too."""
        self.reads_news = True
        try:
            await self.obey(line)
        finally:
            self.reads_news = False

    def ask(self, question: Callable[[str], Awaitable[None]]) -> None:
        """Take the next line as a password, and say so: there is no prompt that would."""
        super().ask(question)
        self.tell("Password: (type it on the next line; other players do not see it)")


class Client:
    """One open line: what it follows, what it has been sent, and what waits to be sent."""

    def __init__(self, clients: Clients, line: Line, limits: ClientLimits) -> None:
        self.clients, self._line = clients, line
        self._people = clients.world.people
        self.visitor = Listener(clients.world, line.address, self)
        self._viewer: Visitor = self.visitor  # whose view is sent
        self.following: int | None = None
        self.place: str | None = None
        self._pace = Pace(limits.burst, limits.rate, time.monotonic)
        self._refusals, self._most_refusals = 0, limits.refused
        self._waiting: deque[bytes] = deque()
        self._something = asyncio.Event()
        self._table_wanted = False
        self._sent: list[HostedLine] = []
        self._last: list[bytes] = []
        self.closing: tuple[int, str] | None = None

    # --- sending ---------------------------------------------------------------------------------------------

    def send(self, message: m.FromServer | bytes, first: bool = False) -> None:
        """Send a message as soon as the client takes it, encoded or not; with `first` before all that waits."""
        if len(self._waiting) >= UNREAD:
            self.close(TOO_SLOW, "your client reads too slowly")
            return
        data = message if isinstance(message, bytes) else encode(message)
        self._waiting.insert(0 if first else len(self._waiting), data)
        self._something.set()

    def want_table(self) -> None:
        """Send the fight that is followed, as it will be then."""
        self._table_wanted = True
        self._something.set()

    def close(self, code: int, reason: str) -> None:
        """End the connection once what can be sent is sent."""
        self.closing = self.closing or (code, reason.encode()[:LONGEST_REASON].decode(errors="ignore"))
        self._something.set()

    async def write(self) -> None:
        """Send what there is, until the connection is to be closed."""
        try:
            while self.closing is None:
                await self._something.wait()
                self._something.clear()
                if not self._people.is_surely_current(self.visitor):
                    await self._notice_change_of_account()
                if self._table_wanted and self.closing is None:
                    self._table_wanted = False
                    await self._put_table()
                while self._waiting:
                    await self._line.send(self._waiting.popleft())
        except Closed:  # `attend` notices it as well
            return
        except Refused as problem:  # the store is lost
            self.close(TRY_AGAIN, str(problem))
        except Exception:
            log.exception("a client could not be told something")
            self.close(TRY_AGAIN, "something went wrong in the server; the error has been logged")
        await self._line.close(*self.closing or (TRY_AGAIN, ""))

    async def _put_table(self) -> None:
        number = self.following
        if number is None or self.place is None:
            return
        world = self.clients.world
        present = world.combats.settled(self.place)
        if (
            present is not None
            and present.number == number
            and present.once("named", partial(knows_names, world, present))
        ):
            self._send_table(present)
            return
        try:
            async with world.combats.steady(self.place) as combat:
                if combat is not None:
                    await names_in(world, combat)
                if self.following != number:  # they have turned to another fight meanwhile
                    return
                if combat is not None and combat.number == number:
                    self._send_table(combat)
                else:
                    self.send(m.Gone(number))
                    self.clients.unfollow(self)
        except Lost as problem:  # they are told again as soon as the store can be read
            log.error("a table could not be shown: %s", problem)

    def _send_table(self, combat: Combat) -> None:
        lines = combat.fight.lines if combat.fight else []
        same = self._lines_known(lines)
        parts = encoded_parts(self._viewer, combat)
        last, is_told = self._last, same < max(len(lines), len(self._sent))
        self._sent[same:] = lines[same:]
        self._last = parts
        changes = [new for new, old in zip(parts, last, strict=True) if new != old] if last else parts.copy()
        if is_told or not last:
            full = reads_all(self._viewer, combat)
            changes.append(combat.once(("told", same, full), lambda: _encoded_story(combat, same, full=full)))
        if not last:
            self.send(joined([b'{"type":"table"}', *changes]))
        elif changes:
            self.send(encode({"type": "changed", "number": combat.number, "changes": Raw(joined(changes))}))

    def _lines_known(self, lines: Sequence[HostedLine]) -> int:
        """How many lines of a story the client has; those that were taken back may have been told in other words."""
        known = min(len(self._sent), len(lines))
        if not known or self._sent[known - 1] is lines[known - 1]:
            return known
        differing = (n for n in range(known) if self._sent[n].text != lines[n].text)
        return next(differing, known)

    # --- hearing ---------------------------------------------------------------------------------------------

    async def hear(self, text: str) -> None:
        """Do what a message says, or send an error message."""
        id: int | None = None
        try:
            if not self._pace.takes():
                raise Refused("that was too fast; please wait a moment")
            if len(text.encode()) > LONGEST:
                raise Refused(f"that is too long; a message must have at most {LONGEST} bytes", given=len(text))
            message = decode(text)
            id = message.id
            if not self._people.is_surely_current(self.visitor):
                await self._notice_change_of_account()
            if self.closing is not None:
                raise Refused(self.closing[1])
            await self._obey(message)
        except Refused as problem:
            self._refuse(id, str(problem), problem.given, list(problem.allowed))
        except (msgspec.ValidationError, msgspec.DecodeError, UnicodeEncodeError, RecursionError) as problem:
            self._refuse(id, in_words(str(problem)))
        except Exception:
            log.exception("a message could not be obeyed")
            self._refuse(id, "something went wrong in the server, so nothing was changed; the error has been logged")
        else:
            self._refusals = 0

    def _refuse(self, id: int | None, problem: str, given: object = None, allowed: list[str] | None = None) -> None:
        plain = given if isinstance(given, int | str) else None
        self.send(m.RefusedNow(problem, plain, allowed or None, id=id))
        self._refusals += 1
        if self._refusals >= self._most_refusals:
            self.close(POLICY, f"{self._refusals} messages in a row were refused")

    async def _notice_change_of_account(self) -> None:
        """Soon enough, close the connection of an account that has been removed or has another password."""
        if not await self._people.is_current(self.visitor):
            self.close(GONE, "your account has been removed, or its password has changed; please log in again")

    async def _obey(self, message: m.FromClient) -> None:
        match message:
            case m.Enter():
                await self._enter(message.combat, message.screen)
            case m.Leave():
                self.clients.unfollow(self)
            case m.Move():
                await self.clients.move(self.visitor, message)
            case m.Say():
                await talk.say(self.visitor, message.text)
            case m.Pose():
                await talk.pose(self.visitor, message.text)
            case m.Whisper():
                await talk.whisper(self.visitor, message.to, message.text)
            case m.Roll():
                await talk.roll(self.visitor, message.text)
            case m.Line():
                await self.visitor.type(message.text)
                if self.visitor.gone:
                    self.close(1000, "goodbye")
            case m.Ping():
                self.send(m.Pong(message.id))
                return
        self.send(m.Done(message.id))

    async def _enter(self, number: int, screen: bool) -> None:
        combat, phase = await find_combat(self.visitor, number)
        if phase == "ended":
            self.send(m.Gone(number))
            return
        self._viewer = spectator(self.visitor) if screen else self.visitor
        if not screen:
            await places.enter(self.visitor, combat.place)
        self._sent, self._last = [], []
        self.clients.follow(self, number, combat.place)
        self.want_table()
        if not screen:
            self.send(m.Chat([m.ChatLine(n, text) for n, text in self.clients.world.people.said[combat.place]]))


def encoded_parts(visitor: Visitor, combat: Combat) -> list[bytes]:
    """The parts of a table without its story, each as JSON; what viewers share is encoded once."""
    shared: dict[Hashable, bytes] = combat.once("encoded", dict)
    parts = []
    for part in parts_of(visitor, combat, combat.phase):
        if part.key is None:
            encoded = _encoded(part)
        elif part.key in shared:
            encoded = shared[part.key]
        else:
            lasts, make = part.lasts, partial(_encoded, part)
            encoded = shared[part.key] = combat.lasting("encoded", part.key, make) if lasts else make()
        parts.append(encoded)
    return parts


def _encoded(part: Part) -> bytes:
    return encode(part.make())


def _encoded_story(combat: Combat, first: int, *, full: bool) -> bytes:
    return encode({"story": story_of(combat, first, full=full), "story_from": first})


def joined(objects: Sequence[bytes]) -> bytes:
    """One JSON object with the fields of several, none of which is empty."""
    return b"{%b}" % b",".join([one[1:-1] for one in objects])


class Clients:
    """All open lines, by the place whose fight they follow."""

    def __init__(self, world: World, limits: ClientLimits) -> None:
        self.world, self.limits = world, limits
        self.clients: set[Client] = set()
        self._followers: defaultdict[str, set[Client]] = defaultdict(set)
        self._lobby_due: asyncio.TimerHandle | None = None
        self._lobby_told: object = None
        world.places.listen(self.place_changed)

    def follow(self, client: Client, number: int, place: str) -> None:
        """Let a client follow a fight."""
        self.unfollow(client)
        client.following, client.place = number, place
        self._followers[place].add(client)

    def unfollow(self, client: Client) -> None:
        """Let a client follow nothing."""
        if client.place is not None:
            self._followers[client.place].discard(client)
            if not self._followers[client.place]:
                del self._followers[client.place]
            self._tell_lobby_soon()
        client.following = client.place = None

    def place_changed(self, place: str) -> None:
        """Something has changed in a place."""
        for client in self._followers.get(place, ()):
            client.want_table()
        self._tell_lobby_soon()

    def _tell_lobby_soon(self) -> None:
        if self._lobby_due is None:
            self._lobby_due = asyncio.get_running_loop().call_later(LOBBY_EVERY, self._tell_lobby)

    def _tell_lobby(self) -> None:
        self._lobby_due = None
        if all(client.following is not None for client in self.clients):
            self._lobby_told = None  # the next one to come is told once, whatever has changed until then
            return
        world = self.world
        combats = {place: (combat.number, public_version(combat)) for place, combat in world.combats.items()}
        shown = combats, world.people.everybody(), dict(world.places)
        if shown == self._lobby_told:  # a fighter has chosen in secret, and others are not to know even that
            return
        self._lobby_told = shown
        for client in self.clients:
            if client.following is None:
                client.send(m.LobbyChanged())

    async def move(self, visitor: Visitor, asked: m.Move) -> None:
        """Make a move for a client."""
        await move(visitor, asked.combat, asked)

    async def attend(self, line: Line) -> None:
        """Serve one client until it goes."""
        client = Client(self, line, self.limits)
        visitor = client.visitor
        self.world.people.visitors.append(visitor)
        self.clients.add(client)
        self._tell_lobby_soon()
        writing = asyncio.create_task(client.write())
        try:
            account = await line.account()
            if account is None:
                await login.enter_as_guest(visitor)
            else:
                await login.enter(visitor, account)
            client.send(m.Hello(visitor.name, visitor.role, visitor.role != "guest"), first=True)
            while client.closing is None:
                await client.hear(await line.receive())
        except Refused as problem:
            client.close(TRY_AGAIN, str(problem))
        except BaseException as problem:
            writing.cancel()
            if not isinstance(problem, Closed):
                raise
        finally:
            self.clients.discard(client)
            self.unfollow(client)
            await visitor.leave()
            await asyncio.gather(writing, return_exceptions=True)

    async def close(self) -> None:
        """Close all connections with a farewell."""
        if self._lobby_due is not None:
            self._lobby_due.cancel()
        for client in list(self.clients):
            client.close(TRY_AGAIN, FAREWELL)
        await asyncio.sleep(0)
