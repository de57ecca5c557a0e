"""`affray connect`: visits a world that somebody serves, at the keyboard or through pipes."""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
import time

from affray.server.limits import Limits, Pace
from affray.server.telnet import IAC, NOP, encoded
from affray.terminal.address import Address, address
from affray.terminal.incoming import Incoming, Piece

REACH = 20  # seconds for a server to answer
GOODBYE = 5  # seconds for a server to close after somebody has left
CHUNK = 4096
# A little less than what a server takes, so that a script or a paste is read as a whole.
BURST, RATE = Limits.burst - 2, Limits.rate * 0.9


class Unreachable(Exception):
    """There is no connection, or no longer one; says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray connect` understands."""
    parser.add_argument(
        "address",
        nargs="?",
        type=address,
        default=Address(),
        metavar="HOST:PORT",
        help=f"where the server is (default {Address()})",
    )


def run(args: argparse.Namespace) -> int:
    """Visit a server until it closes; 1 when it cannot be reached or the connection breaks."""
    try:
        asyncio.run(_visit(args.address))
    except Unreachable as problem:
        sys.stdout.flush()
        print("affray:", problem, file=sys.stderr)
        return 1
    return 0


async def _visit(where: Address) -> None:
    line = await Line.open(where)
    try:
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            from affray.terminal.talk import talk

            await talk(line)
        else:
            from affray.terminal.pipes import pipe

            await pipe(line)
    finally:
        line.close()


class Line:
    """An open connection to a server."""

    def __init__(self, where: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.where = where
        self.incoming = Incoming()
        self._reader = reader
        self._writer = writer
        self._ended = False
        self._pace = Pace(BURST, RATE, time.monotonic)

    @classmethod
    async def open(cls, where: Address) -> Line:
        """Connect to a server; raises Unreachable where that fails."""
        try:
            async with asyncio.timeout(REACH):
                line = cls(where, *await asyncio.open_connection(where.host, where.port))
        except ConnectionRefusedError:
            raise Unreachable(
                f"nobody listens at {where}: the server is not running, or its port is another one"
            ) from None
        except (socket.gaierror, UnicodeError):
            raise Unreachable(f"there is no host called {where.host!r}") from None
        except TimeoutError:
            raise Unreachable(f"{where} does not answer") from None
        except OSError as error:
            raise Unreachable(f"{where} cannot be reached: {error.strerror or error}") from None
        line._writer.write(bytes((IAC, NOP)))  # shows the server that this end knows telnet, so it marks its prompts
        return line

    async def heard(self) -> list[Piece]:
        """What the server sends next; nothing when it has closed."""
        try:
            while data := await self._reader.read(CHUNK):
                pieces = list(self.incoming.feed(data))
                self._write(self.incoming.take_replies())
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
