"""One connection: its lines go to a visitor in order, and messages to the visitor are sent to the client."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from affray.server.limits import Clock, Limits, Pace, span
from affray.server.telnet.protocol import Telnet, encoded

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World

A_MOMENT = 0.05  # seconds: messages within this time are followed by one prompt
PATIENCE = 10  # seconds for a client to read the last message before the connection is cut
CHUNK = 4096

log = logging.getLogger(__name__)


class Parting(asyncio.Protocol):
    """Discards all input after the last message, until the other end has closed as well.

    Closing at once would make the system answer that input with a reset, which may overtake the message.
    """

    def __init__(self) -> None:
        self.over = asyncio.Event()

    def connection_lost(self, error: Exception | None) -> None:
        self.over.set()


class Connection:
    """Greets and prompts one visitor, and carries lines both ways until either side closes."""

    def __init__(
        self,
        world: World,
        address: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
        clock: Clock,
    ) -> None:
        self.address = address
        self._world = world
        self._reader = reader
        self._writer = writer
        self._limits = limits
        self._clock = clock
        self._telnet = Telnet(limits.line)
        self._pace = Pace(limits.burst, limits.rate, clock)
        self._visitor: Visitor | None = None
        self._arrived = self._heard = clock()
        self._warned = False
        self._at_prompt = False
        self._prompting: asyncio.TimerHandle | None = None
        self._closed: float | None = None
        self._parting: Parting | None = None
        self.left = asyncio.Event()
        """Set when the visitor has left the world; the last message may still be on its way."""

    async def attend(self) -> None:
        """Serve the visitor from the greeting to the end."""
        self.tell(self._world.greeting)
        self._visitor = visitor = self._world.arrive(self.tell, self.address)
        try:
            self._prompt()
            while self._closed is None and (data := await self._reader.read(CHUNK)):
                await self._take(visitor, data)
        finally:
            self.close()
            await self._leave(visitor)

    async def _take(self, visitor: Visitor, data: bytes) -> None:
        if not self._reads_along():  # unread prompts and telnet's own answers count too
            return
        lines = self._telnet.feed(data)
        self._send(self._telnet.take_replies())
        for line in lines:
            if self._closed is not None:
                return
            self._end_line()
            if line is None:
                self.tell(f"That line is too long and was not read; it may have up to {self._limits.line} characters.")
            elif self._keeps_pace():
                await self._hear(visitor, line)
                self._pace.excuse()
            self._prompt()

    def _end_line(self) -> None:
        """Note that a line has come after the prompt."""
        self._cancel_prompt()
        self._heard = self._clock()
        self._warned = False
        self._at_prompt = False
        if self._telnet.hiding:
            self._send(self._telnet.hide(False) + encoded("\n"))  # the client has not shown that Enter

    def _keeps_pace(self) -> bool:
        if self._pace.takes():
            return True
        if self._pace.refused >= self._limits.refused:
            self.close("You sent far too many lines too fast, so the connection is closed.")
        elif not self._pace.scolded:
            self._pace.scolded = True
            self.tell(
                f"Not so fast: you may send {self._limits.burst} lines at once and then {self._limits.rate} a second. "
                "The other lines were not read."
            )
        return False

    async def _hear(self, visitor: Visitor, line: str) -> None:
        try:
            await visitor.hear(line)
        except Exception:  # one failing line must not bring the whole world down
            log.exception("a line from %s failed", self.address)
            self.tell("Something went wrong in the server. The error has been logged.")

    async def _leave(self, visitor: Visitor) -> None:
        try:
            await visitor.leave()
        except Exception:
            log.exception("disconnecting %s failed", self.address)
        finally:
            self.left.set()

    async def parted(self) -> None:
        """Return when both ends have closed."""
        if self._parting is not None:
            await self._parting.over.wait()
        else:
            await self._writer.wait_closed()

    def tell(self, text: str) -> None:
        """Show a text on separate lines, without waiting. A client that leaves too much unread is disconnected."""
        if self._closed is not None or not self._reads_along():
            return
        self._send(self._on_own_lines(text))
        if self._at_prompt:
            self._at_prompt = False
            self._prompting = asyncio.get_running_loop().call_later(A_MOMENT, self._prompt)

    def _reads_along(self) -> bool:
        """Whether the client reads what is sent; if not, the connection closes."""
        if self._writer.transport.get_write_buffer_size() > self._limits.output:
            self._close_with("Your client reads too slowly, so the connection is closed.")
        return self._closed is None

    def _on_own_lines(self, text: str) -> bytes:
        return encoded(f"\n{text}\n" if self._at_prompt else f"{text}\n")

    def _prompt(self) -> None:
        """Ask for the next line, unless there will be none."""
        self._cancel_prompt()
        if self._visitor is None or self._closed is not None:
            return
        if self._visitor.gone:
            self.close()
            return
        hide = self._telnet.hide(self._visitor.secret)
        self._send(hide + encoded(self._visitor.prompt) + self._telnet.after_prompt())
        self._at_prompt = True

    def _cancel_prompt(self) -> None:
        if self._prompting is not None:
            self._prompting.cancel()
            self._prompting = None

    def look_after(self) -> None:
        """Enforce the time limits: warn and close an idle connection, cut one that does not close."""
        now = self._clock()
        if self._closed is not None:
            if now - self._closed >= PATIENCE:
                self._writer.transport.abort()
        elif self._visitor is not None and self._visitor.gone:
            self.close()
        else:
            self._watch(self._visitor is not None and self._visitor.known, now - self._heard, now - self._arrived)

    def _watch(self, known: bool, quiet: float, whole: float) -> None:
        limits = self._limits
        idle = limits.idle if known else limits.login_idle
        if quiet >= idle:
            self.close(f"You have typed nothing for {span(idle)}, so the connection is closed.")
        elif known and quiet >= idle - limits.warning and not self._warned:
            self._warned = True
            self.tell(f"You have typed nothing for a while; the connection will close in {span(limits.warning)}.")
        elif not known and whole >= limits.login:
            self.close(f"You have not logged in within {span(limits.login)}, so the connection is closed.")

    def close(self, message: str = "") -> None:
        """Send a last message and close, as soon as it is read; the visitor leaves at once."""
        if self._closed is None:
            if message:
                self.tell(message)
            self._close_with()

    def _close_with(self, message: str = "") -> None:
        if self._closed is not None:
            return
        self._closed = self._clock()
        self._cancel_prompt()
        self._send(self._telnet.hide(False) + (self._on_own_lines(message) if message else b""))
        transport = cast(asyncio.Transport, self._writer.transport)  # of a socket, so it reads as well
        if transport.is_closing() or self._reader.at_eof():
            transport.close()
        else:
            self._parting = Parting()
            transport.set_protocol(self._parting)
            transport.resume_reading()
            with suppress(OSError):  # reset at this very moment
                transport.write_eof()
            self._reader.feed_eof()  # wakes `attend`, even where the other end never takes what is still to be sent

    def _send(self, data: bytes) -> None:
        if data and self._parting is None and not self._writer.is_closing():
            self._writer.write(data)
