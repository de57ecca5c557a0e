"""Messages of one step are written together, none is lost at the end, and who sends too much has to wait."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from websockets.frames import Frame, Opcode

from affray.server.web.gathering import Gathered, framed


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


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_frames_have_the_header_of_their_length(size: int) -> None:
    message = b"a" * size
    assert framed(message) == Frame(Opcode.TEXT, message).serialize(mask=False)


async def test_a_client_waits_only_if_it_sends_more_before_a_message_is_taken() -> None:
    taken: list[bytes] = []

    class Taking(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.gathered = Gathered(cast(asyncio.Transport, transport), loop)
            made.set_result(self)

        def data_received(self, data: bytes) -> None:
            if not self.gathered.is_reading:
                self.gathered.hold()
            taken.append(data)
            self.gathered.pause_reading()
            heard.set()

    async def send(data: bytes) -> None:
        heard.clear()
        client.write(data)
        await heard.wait()

    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    made: asyncio.Future[Taking] = loop.create_future()
    server = await loop.create_server(Taking, "127.0.0.1", 0)
    client, _ = await loop.create_connection(asyncio.Protocol, *server.sockets[0].getsockname())
    gathered = (await made).gathered
    await send(b"first")
    assert gathered._transport.is_reading()
    await send(b"second")
    assert not gathered._transport.is_reading()
    gathered.resume_reading()
    assert gathered._transport.is_reading()
    await send(b"third")
    assert taken == [b"first", b"second", b"third"]
    client.close()
    gathered.close()
    server.close()
