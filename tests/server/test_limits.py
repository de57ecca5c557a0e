"""The limits of a server: each has its message, and no other client notices."""

from __future__ import annotations

import asyncio
import socket

import pytest

from affray.server.limits import Limits, Pace, span


def test_the_limits_that_were_promised():
    assert Limits() == Limits(
        line=1000,
        burst=20,
        rate=10,
        refused=200,
        connections=500,
        per_address=60,
        idle=1800,
        warning=60,
        login_idle=120,
        login=300,
        output=262144,
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (90, "90 seconds"), (1800, "30 minutes")],
)
def test_times_in_words(seconds, said):
    assert span(seconds) == said


def test_a_burst_and_then_so_many_a_second():
    now = 0.0
    pace = Pace(20, 10, lambda: now)
    assert [pace.takes() for _ in range(25)] == [True] * 20 + [False] * 5
    assert pace.refused == 5
    now += 0.5
    assert [pace.takes() for _ in range(6)] == [True] * 5 + [False]
    assert pace.refused == 1
    assert pace.wait() == pytest.approx(0.1)
    now += 3600
    assert [pace.takes() for _ in range(21)] == [True] * 20 + [False]


def test_lines_that_came_while_an_answer_took_its_time_did_not_hurry():
    now = 0.0
    pace = Pace(20, 10, lambda: now)
    assert pace.takes()
    now += 2.0  # a password was hashed; the client sent on at ten a second meanwhile
    pace.excuse()
    assert [pace.takes() for _ in range(40)] == [True] * 39 + [False]


def test_a_line_that_is_too_long_is_refused_and_the_connection_stays(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            sentence = b"That line is too long and was not read; it may have up to 1000 characters.\r\n"
            assert await client.ask("é" * 1001) == sentence
            assert await client.ask("é" * 1000) == f"You typed: {'é' * 1000}\r\n".encode()
            assert await client.ask("x" * 500_000) == sentence

    asyncio.run(visit())


def test_lines_that_come_too_fast_are_refused_with_one_sentence(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()  # two lines
            client.send("look\n" * 30)
            told = await client.until("were not read.\r\n")
            assert told.count(b"You typed: look") == 18
            assert b"Not so fast: you may send 20 lines at once and then 10 a second." in told
            assert await client.until("$ " * 12) == b"$ " * 12
            inn.clock.now += 1
            assert await client.ask("look") == b"You typed: look\r\n"
            assert inn.world.visitors[0].heard.count("look") == 19

    asyncio.run(visit())


def test_the_sentence_comes_again_after_a_pause(house):
    async def visit():
        async with house(burst=3, rate=1) as inn:
            client = await inn.guest()
            for _ in range(2):
                inn.clock.now += 10
                client.send("look\n" * 5)
                assert (await client.until("were not read.\r\n$ $ ")).count(b"Not so fast") == 1

    asyncio.run(visit())


def test_a_flood_closes_the_connection(house):
    async def visit():
        async with house() as inn:
            client, other = await inn.guest("Ann"), await inn.guest("Bob")
            client.send("look\n" * (18 + 200))
            told = await client.rest()
            assert told.count(b"You typed: look") == 18
            assert told.count(b"Not so fast") == 1
            assert told.endswith(b"$ You sent far too many lines too fast, so the connection is closed.\r\n")
            await inn.comes_true(lambda: len(inn.world.left) == 1)
            assert await other.ask("look") == b"You typed: look\r\n"

    asyncio.run(visit())


def test_one_line_less_is_no_flood(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.send("look\n" * (18 + 199))
            await client.until(b"$ " * 199)
            inn.clock.now += 1
            assert await client.ask("look") == b"You typed: look\r\n"

    asyncio.run(visit())


def test_a_full_server_says_so(house):
    async def visit():
        async with house(connections=3) as inn:
            guests = [await inn.guest() for _ in range(3)]
            late = await inn.visit()
            assert await late.rest() == b"The server is full (3 connections). Please come back later.\r\n"
            guests[0].send("quit\n")
            await guests[0].rest()
            guests[0].writer.close()
            await inn.comes_true(lambda: len(inn.server._connections) == 2)
            await inn.guest()

    asyncio.run(visit())


def test_one_address_cannot_take_all_the_room(house):
    async def visit():
        async with house(per_address=2) as inn:
            for _ in range(2):
                await inn.guest()
            refused = await inn.visit()
            sentence = b"Your address already has all its 2 connections. Close one first.\r\n"
            assert await refused.rest() == sentence
            elsewhere = await inn.visit(local_addr=("127.0.0.2", 0))
            await elsewhere.log_in()
            assert [visitor.address for visitor in inn.world.visitors] == ["127.0.0.1"] * 2 + ["127.0.0.2"]

    asyncio.run(visit())


def test_who_is_idle_is_warned_and_then_closed(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            inn.pass_time(1739)
            inn.pass_time(1)
            warning = b"\r\nYou have typed nothing for a while; the connection will close in 1 minute.\r\n$ "
            assert await client.until("$ ") == warning
            inn.pass_time(59)
            inn.pass_time(1)
            closed = b"\r\nYou have typed nothing for 30 minutes, so the connection is closed.\r\n"
            assert await client.rest() == closed
            await inn.comes_true(lambda: len(inn.world.left) == 1)

    asyncio.run(visit())


def test_a_line_makes_the_idle_time_begin_anew(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            for _ in range(3):
                inn.pass_time(1750)
                await client.until("minute.\r\n$ ")
                assert await client.ask("look") == b"You typed: look\r\n"

    asyncio.run(visit())


def test_bytes_that_make_no_line_are_idleness(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            inn.clock.now += 1799
            client.send(b"\xff\xf6half a line")
            await client.until("here.\r\n")
            inn.pass_time(1)
            assert b"You have typed nothing for 30 minutes" in await client.rest()

    asyncio.run(visit())


def test_before_the_log_in_patience_is_shorter(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            await client.until("Name: ")
            inn.pass_time(119)
            inn.pass_time(1)
            closed = b"\r\nYou have typed nothing for 2 minutes, so the connection is closed.\r\n"
            assert await client.rest() == closed

    asyncio.run(visit())


def test_logging_in_may_not_take_for_ever(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            await client.until("Name: ")
            for _ in range(3):
                inn.pass_time(99)
                client.send("Ann\nwrong\n")
                await client.until("it.\r\nName: ")
            inn.pass_time(3)
            closed = b"\r\nYou have not logged in within 5 minutes, so the connection is closed.\r\n"
            assert await client.rest() == closed

    asyncio.run(visit())


async def deaf(inn) -> socket.socket:
    """A client that logs in and then never reads again."""
    connected = socket.socket()
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connected.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connected, ("127.0.0.1", inn.server.port))
    await loop.sock_sendall(connected, b"Deaf\nsesame\n")
    await inn.comes_true(lambda: any(visitor.known for visitor in inn.world.visitors))
    return connected


def test_a_slow_reader_is_closed_and_stalls_no_other(house):
    async def visit():
        async with house(burst=1_000_000) as inn:
            with await deaf(inn):
                slow = inn.world.visitors[0]
                quick = await inn.guest("Quick")
                told = 0
                while not inn.world.left:
                    assert told < 100 * 1024 * 1024
                    slow.tell("x" * 65536)
                    told += 65536
                    assert await quick.ask("look") == b"You typed: look\r\n"
                assert inn.world.left == [slow]
                (parting,) = (c for c in inn.server._connections if c._closed is not None)
                unread = parting._writer.transport.get_write_buffer_size()
                assert unread < Limits.output + 65536 + 200
                inn.pass_time(10)  # it is not waited for without end, either
                await inn.comes_true(lambda: len(inn.server._connections) == 1)

    asyncio.run(visit())


def test_a_slow_reader_who_reads_after_all_finds_out_why(house):
    async def visit():
        async with house() as inn:
            with await deaf(inn) as connected:
                slow = inn.world.visitors[0]
                while not inn.world.left:
                    slow.tell("x" * 65536)
                    await asyncio.sleep(0)
                loop = asyncio.get_running_loop()
                end = b""
                while data := await loop.sock_recv(connected, 65536):
                    end = (end + data)[-100:]
                assert end.endswith(b"Your client reads too slowly, so the connection is closed.\r\n")

    asyncio.run(visit())


def test_who_asks_without_end_and_never_reads_is_closed_too(house):
    async def visit():
        async with house() as inn:
            with await deaf(inn) as connected:
                loop = asyncio.get_running_loop()
                sent = 0
                while not inn.world.left:
                    assert sent < 100 * 1024 * 1024
                    await loop.sock_sendall(connected, b"\xff\xf6" * 2048)  # are you there?
                    sent += 4096
                (parting,) = inn.server._connections
                assert parting._writer.transport.get_write_buffer_size() < 2 * Limits.output

    asyncio.run(visit())
