"""An open connection to a server: sends what is typed at the pace that servers read, and hears what comes."""

from __future__ import annotations

import asyncio
import socket
import time

from affray.server.limits import Limits, Pace
from affray.server.telnet.protocol import IAC, NOP, encoded
from affray.terminal.address import Address
from affray.terminal.client.telnet_decoder import Piece, TelnetDecoder

REACH = 20  # seconds for a server to answer
CHUNK = 4096
# A little less than what a server takes, so that a script or a paste is read as a whole.
BURST, RATE = Limits.burst - 2, Limits.rate * 0.9


class Unreachable(Exception):
    """There is no connection, or no longer one; says why."""


class Connection:
    """An open connection to a server."""

    def __init__(self, where: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.where = where
        self.decoder = TelnetDecoder()
        self._reader = reader
        self._writer = writer
        self._ended = False
        self._pace = Pace(BURST, RATE, time.monotonic)

    @classmethod
    async def open(cls, where: Address) -> Connection:
        """Connect to a server; raises Unreachable where that fails."""
        try:
            async with asyncio.timeout(REACH):
                connection = cls(where, *await asyncio.open_connection(where.host, where.port))
        except ConnectionRefusedError:
            raise Unreachable(f"no server listens at {where}: it is not running, or it uses another port") from None
        except (socket.gaierror, UnicodeError):
            raise Unreachable(f"there is no host called {where.host!r}") from None
        except TimeoutError:
            raise Unreachable(f"{where} does not answer") from None
        except OSError as error:
            raise Unreachable(f"{where} cannot be reached: {error.strerror or error}") from None
        # Shows the server that this end knows telnet, so that it marks its prompts.
        connection._writer.write(bytes((IAC, NOP)))
        return connection

    async def heard(self) -> list[Piece]:
        """What the server sends next; nothing when it has closed."""
        try:
            while data := await self._reader.read(CHUNK):
                pieces = list(self.decoder.feed(data))
                self._write(self.decoder.take_replies())
                if pieces:
                    return pieces
        except OSError:
            raise Unreachable(f"the connection to {self.where} was lost") from None
        return []

    async def send(self, text: str) -> None:
        """Send what was typed, not faster than servers read."""
        for line in text.split("\n"):
            await asyncio.sleep(self._pace.wait())
            self._pace.takes()
            self._write(encoded(f"{line}\n"))

    def end(self) -> None:
        """Say that nothing more will be typed; what the server still has to say can be heard."""
        if not self._ended and not self._writer.is_closing():
            self._writer.write_eof()
        self._ended = True

    def _write(self, data: bytes) -> None:
        if not self._ended:
            self._writer.write(data)

    def close(self) -> None:
        """Hang up."""
        self._writer.close()
