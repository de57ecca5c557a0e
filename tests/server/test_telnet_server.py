"""The telnet server over real sockets: prompts, passwords, order, many people, shutting down."""

from __future__ import annotations

import asyncio
import logging
import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.server.telnet.server import TelnetServer

HIDE, SHOW = b"\xff\xfb\x01", b"\xff\xfc\x01"
WELCOME = b"Welcome to the echo chamber.\r\nWho are you?\r\n"


def test_greeting_and_first_prompt_come_before_the_client_sends_a_byte(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            assert await client.until("Name: ") == WELCOME + b"Name: "

    asyncio.run(visit())


def test_a_password_is_hidden_while_it_is_typed(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            await client.until("Name: ")
            client.send("Ann\r\n")
            assert await client.until("Password: ") == HIDE + b"Password: "
            client.send("sesame\r\n")
            assert await client.until("$ ") == SHOW + b"\r\nHello, Ann.\r\n$ "

    asyncio.run(visit())


def test_a_password_that_is_asked_for_again_is_hidden_again(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            await client.until("Name: ")
            client.send("Ann\nwrong\nAnn\n")
            assert await client.until("it.\r\nName: ") == HIDE + b"Password: " + SHOW + b"\r\nThat is not it.\r\nName: "
            assert await client.until("Password: ") == HIDE + b"Password: "

    asyncio.run(visit())


def test_netcat_sees_no_go_ahead_and_a_telnet_client_does(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            assert b"\xff" not in await client.ask("look")
            client.send(b"\xff\xf1look\n")
            assert await client.until(b"$ \xff\xf9") == b"You typed: look\r\n$ \xff\xf9"

    asyncio.run(visit())


def test_each_line_has_its_answer_and_its_prompt_in_order(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.send("one\r\ntwo\nthree\r\0")
            assert (
                await client.until("three\r\n$ ") == b"You typed: one\r\n$ You typed: two\r\n$ You typed: three\r\n$ "
            )

    asyncio.run(visit())


def test_packets_may_be_split_at_every_byte(house):
    async def visit():
        async with house() as inn:
            client = await inn.visit()
            for byte in "Åsa\r\nsesame\r\nsay grüß\r\n".encode().replace(
                b"say", b"\xff\xfa\x1f\0P\xff\xf0sa\xff\xfb\x1fy"
            ):
                client.send(bytes((byte,)))
                await client.writer.drain()
                await asyncio.sleep(0)
            answer = await client.until("Åsa says: grüß\r\n")
            assert answer.count(b"\xff\xfe\x1f") == 1  # the offer was declined
            assert inn.world.visitors[0].heard == ["Åsa", "sesame", "say grüß"]

    asyncio.run(visit())


def test_are_you_there_is_answered(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.send(b"\xff\xf6")
            await client.until("The server is here.\r\n")

    asyncio.run(visit())


def test_an_interrupt_with_its_urgent_byte_disturbs_nothing(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            connected = client.writer.get_extra_info("socket")
            raw = connected.dup() if hasattr(connected, "dup") else socket.socket(fileno=connected.fileno())
            raw.send(b"\xff\xf4\xff")
            raw.send(b"\xf2", socket.MSG_OOB)
            raw.send(b"\xff\xfd\x06")
            raw.close()
            assert await client.until(b"\xff\xfc\x06") == b"\xff\xfc\x06"
            assert await client.ask("look") == b"You typed: look\r\n"

    asyncio.run(visit())


def test_what_others_say_stands_on_lines_of_its_own_and_one_prompt_follows(house):
    async def visit():
        async with house() as inn:
            ann, bob = await inn.guest("Ann"), await inn.guest("Bob")
            bob.send("shout 3 Hear me!\n")
            assert await ann.until("$ ") == b"\r\nHear me!\r\n" + b"Hear me!\r\n" * 2 + b"$ "
            assert await bob.until("$ ") == b"Hear me!\r\n" * 3 + b"$ "
            assert await ann.ask("look") == b"You typed: look\r\n"  # and no prompt more

    asyncio.run(visit())


def test_no_prompt_comes_between_a_line_and_its_answer(house, monkeypatch):
    monkeypatch.setattr("affray.server.telnet.connection.A_MOMENT", 1e6)  # seconds: it comes when it is not cancelled

    async def visit():
        async with house() as inn:
            ann = await inn.guest("Ann")
            inn.world.tell_all("Hear me!")
            ann.send("wait\n")
            await inn.comes_true(lambda: inn.world.visitors[0].heard[-1] == "wait")
            (connection,) = inn.server._connections
            assert connection._prompting is None, "the prompt that was due is not cancelled"
            inn.world.gate.set()
            assert await ann.until("$ ") == b"\r\nHear me!\r\nwaited\r\n$ "

    asyncio.run(visit())


def test_the_last_message_reaches_a_client_who_is_still_sending(house):
    async def visit():
        async with house() as inn:
            ann = await inn.guest("Ann")
            ann.send("quit\n")
            await inn.comes_true(lambda: len(inn.world.left) == 1)
            ann.send("x\n" * 10_000)
            data = b""
            while piece := await ann.reader.read(4096):  # no reset, or this would raise
                data += piece
            assert data == b"Goodbye.\r\n"

    asyncio.run(visit())


def test_what_others_say_leaves_a_password_hidden(house):
    async def visit():
        async with house() as inn:
            ann, bob = await inn.visit(), await inn.guest("Bob")
            await ann.until("Name: ")
            ann.send("Ann\n")
            await ann.until("Password: ")
            bob.send("say hello\n")
            assert await ann.until("Password: ") == b"\r\nBob says: hello\r\nPassword: "

    asyncio.run(visit())


def test_quitting_says_goodbye_and_closes(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.send("quit\nlook\n")
            assert await client.rest() == b"Goodbye.\r\n"
            await inn.comes_true(lambda: not inn.world.visitors)
            assert inn.world.left[0].heard[-1] == "quit"

    asyncio.run(visit())


def test_a_client_that_ends_the_input_gets_all_answers_and_leaves(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.send("one\ntwo\nhalf a li")
            client.writer.write_eof()
            assert await client.rest() == b"You typed: one\r\n$ You typed: two\r\n$ "
            await inn.comes_true(lambda: bool(inn.world.left))
            assert inn.world.left[0].heard[2:] == ["one", "two"]  # half a line may mean something else

    asyncio.run(visit())


def test_a_lost_connection_leaves_the_world(house):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            client.writer.transport.abort()
            await inn.comes_true(lambda: len(inn.world.left) == 1)

    asyncio.run(visit())


def test_a_line_that_goes_wrong_is_written_down_and_the_rest_goes_on(house, caplog):
    async def visit():
        async with house() as inn:
            client = await inn.guest()
            assert b"Something went wrong in the server" in await client.ask("fail")
            assert await client.ask("look") == b"You typed: look\r\n"

    with caplog.at_level(logging.ERROR):
        asyncio.run(visit())
    assert "as asked" in caplog.text


def test_who_waits_for_an_answer_does_not_stall_others(house):
    async def visit():
        async with house() as inn:
            ann, bob = await inn.guest("Ann"), await inn.guest("Bob")
            ann.send("wait\nlook\n")
            await inn.comes_true(lambda: inn.world.visitors[0].heard[-1] == "wait")
            assert await bob.ask("say hi") == b"Bob says: hi\r\n"
            inn.world.gate.set()
            assert await ann.until("look\r\n") == b"Bob says: hi\r\nwaited\r\n$ You typed: look\r\n"

    asyncio.run(visit())


def test_four_hundred_are_all_told(house):
    async def visit():
        async with house(per_address=500) as inn:
            clients = await asyncio.gather(*(inn.guest(f"Guest {number}") for number in range(400)))
            clients[0].send("say To all of you: ½ 日本\n")
            told = await asyncio.gather(*(client.until("$ ") for client in clients))
            assert set(told[1:]) == {"\r\nGuest 0 says: To all of you: ½ 日本\r\n$ ".encode()}
            for client in clients:
                client.send("quit\n")
            assert await asyncio.gather(*(client.rest() for client in clients)) == [b"Goodbye.\r\n"] * 400
            await inn.comes_true(lambda: len(inn.world.left) == 400)

    asyncio.run(visit())


@given(st.lists(st.binary(max_size=40), max_size=8))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_end_a_connection_or_break_the_server(house, packets):
    async def visit():
        async with house(burst=10_000) as inn:
            client = await inn.visit()
            for packet in packets:
                client.send(packet)
            client.send(b"\xff\xf0\xff\xf0\xff\xf6")  # ends whatever was begun: are you there?
            await client.until("The server is here.")
            assert inn.world.left == []

    if not any(b"quit" in packet for packet in packets):
        asyncio.run(visit())


def test_shutting_down_tells_everybody_and_lets_them_leave(house):
    async def visit():
        async with house() as inn:
            ann, bob = await inn.guest("Ann"), await inn.visit()
            await bob.until("Name: ")
            await inn.server.close()
            assert len(inn.world.left) == 2
            farewell = b"\r\nThe server is shutting down. Everything is saved; come back later.\r\n"
            assert await ann.rest() == farewell
            assert await bob.rest() == farewell
            with pytest.raises(ConnectionRefusedError):
                await inn.visit()

    asyncio.run(visit())


def test_shutting_down_waits_for_a_line_that_is_being_heard(house):
    async def visit():
        async with house() as inn:
            ann = await inn.guest("Ann")
            ann.send("wait\n")
            await inn.comes_true(lambda: inn.world.visitors[0].heard[-1] == "wait")
            closing = asyncio.create_task(inn.server.close())
            await ann.rest()
            assert inn.world.left == []
            inn.world.gate.set()
            await closing
            assert len(inn.world.left) == 1

    asyncio.run(visit())


def test_a_port_that_is_taken_gets_a_sentence(house):
    async def visit():
        async with house() as inn:
            with pytest.raises(Invalid, match=f"cannot listen on 127.0.0.1:{inn.server.port}: .*in use"):
                await TelnetServer.open(inn.world, port=inn.server.port)

    asyncio.run(visit())
