"""Visiting a server through pipes: lines go in, text comes out, as scripts want it."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.terminal.client.connection import Connection

AHEAD = 100  # lines read before they can be sent


async def pipe(connection: Connection) -> None:
    """Send standard input, print what comes; ends when the server closes, which it is asked to after the last line."""
    sending = asyncio.create_task(_send(connection))
    at_start = True
    try:
        while pieces := await connection.heard():
            text = "".join(piece.text for piece in pieces)
            print(text, end="", flush=True)
            at_start = text.endswith("\n") if text else at_start
            _show_typing(not connection.decoder.secret)
    finally:
        _show_typing(True)
        if not at_start:
            print(flush=True)
        ended = sending.done()
        sending.cancel()
    if not ended:
        print("The server has closed the connection.", file=sys.stderr)


async def _send(connection: Connection) -> None:
    async for typed in _input_lines():
        await connection.send(typed)
    connection.end()


async def _input_lines() -> AsyncIterator[str]:
    """The lines of standard input, read by a thread that need not have come to its end."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    room = threading.Semaphore(AHEAD)
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(RuntimeError, ValueError):  # the loop, or the input, is closed already
            for typed in sys.stdin or ():
                room.acquire()
                loop.call_soon_threadsafe(queue.put_nowait, typed.rstrip("\r\n"))
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while (typed := await queue.get()) is not None:
        room.release()
        yield typed


def _show_typing(shown: bool) -> None:
    """Let a keyboard's own terminal show what is typed, or not: the output may go elsewhere, the keys do not."""
    if sys.platform == "win32" or sys.stdin is None or sys.stdin.closed or not sys.stdin.isatty():
        return
    import termios

    with suppress(termios.error):  # the terminal is gone
        settings = termios.tcgetattr(sys.stdin)
        if bool(settings[3] & termios.ECHO) != shown:
            settings[3] ^= termios.ECHO
            termios.tcsetattr(sys.stdin, termios.TCSANOW, settings)
