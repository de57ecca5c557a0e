"""What is written to a client leaves at once, however small it is."""

import asyncio
import socket

from affray.server.listening import listen


def test_connections_do_not_wait_to_gather_what_is_written():
    """With Nagle's algorithm an answer of two writes would take 40 ms longer."""

    async def delays() -> bool:
        listening = listen("127.0.0.1", 0, backlog=1, shared=False, full=b"")
        taken: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def taking_in(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            taken.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(taking_in, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            at_once = await taken
            writer.close()
        return not at_once

    assert not asyncio.run(delays())
