"""Messages of one step are written together, and none is lost when a connection is closed."""

from __future__ import annotations

import asyncio

from affray.server.web.gathering import Gathered


async def test_messages_of_one_step_are_written_together_and_before_the_end() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            received.put_nowait(data)
        received.put_nowait(b"")
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    plain, _ = await loop.create_connection(asyncio.Protocol, *server.sockets[0].getsockname())
    transport = Gathered(plain, loop)
    transport.write(b"done ")
    transport.write(b"changed")
    assert await received.get() == b"done changed"
    transport.write(b"goodbye")
    transport.close()
    assert await received.get() == b"goodbye"
    assert await received.get() == b""
    transport.write(b"too late")
    await asyncio.sleep(0)
    server.close()
