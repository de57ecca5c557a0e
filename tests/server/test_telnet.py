"""The telnet protocol: lines out of bytes, commands taken out wherever they stand, however the stream is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affray.server.telnet.protocol import (
    AYT,
    DO,
    DONT,
    EC,
    ECHO,
    EL,
    IAC,
    SB,
    SE,
    SUPPRESS_GO_AHEAD,
    TIMING_MARK,
    WILL,
    WONT,
    Telnet,
    encoded,
)

NAWS, LINEMODE, IP, DM, NOP = 31, 34, 244, 242, 241


def lines(data: bytes, longest: int = 1000) -> list[str | None]:
    return Telnet(longest).feed(data)


def reply(*data: int, telnet: Telnet | None = None) -> bytes:
    telnet = telnet or Telnet(1000)
    telnet.feed(bytes(data))
    return telnet.take_replies()


@pytest.mark.parametrize(
    ("data", "heard"),
    [
        (b"look\r\n", ["look"]),
        (b"look\r\0", ["look"]),
        (b"look\n", ["look"]),
        (b"look\r", ["look"]),
        (b"a\r\nb\nc\r\0d\r\n\r\n\n", ["a", "b", "c", "d", "", ""]),
        (b"\r\r\n", ["", ""]),
        (b"no end", []),
        (b"", []),
    ],
)
def test_lines_end_in_any_way_that_clients_have(data, heard):
    assert lines(data) == heard


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("Åsa Łódź 日本 🐉", "Åsa Łódź 日本 🐉"),
        ("lokk\b\bok", "look"),
        ("lokk\x7f\x7fok", "look"),
        ("日本\x7f", "日"),
        ("\b\b\x7fx", "x"),
        ("forget this\x15look", "look"),
        ("a\tb", "a b"),
        ("a\0b\x07c\x01d", "abcd"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("ab\x1b[Dc\x1bOAd\x1b[1;5Ce", "abcde"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]0;title\x1b\\x", "x"),
        ("\x9b31mx\x9d0;title\x9cy", "xy"),
        ("\x1bP device \x1b\\x", "x"),
        ("\x1b(Bx\x1bcy", "xy"),
        ("\x1b[3é", "é"),
        ("say \u202eolleh\u2066", "say olleh"),
        ("one\u2028two\x85three", "onetwothree"),
        ("\ufefflook", "look"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_only_text_is_left_of_what_was_typed(typed, heard):
    assert lines(typed.encode() + b"\n") == [heard]


def test_an_unfinished_escape_ends_with_its_line():
    assert lines(b"\x1b]0;title\nlook\n\x1b[1\nlook\n\x1b\nlook\n") == ["", "look", "", "look", "", "look"]


@pytest.mark.parametrize("bad", [b"\xe9", b"\xc3", b"\xf0\x9f", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80"])
def test_bytes_that_are_no_utf_8_are_replaced(bad):
    (heard,) = lines(b"a" + bad + b"\n")
    assert heard[0] == "a"
    assert set(heard[1:]) == {"\ufffd"}


def test_a_line_may_be_as_long_as_the_limit_and_no_longer():
    assert lines("é".encode() * 10 + b"\n", 10) == ["é" * 10]
    assert lines(b"x" * 11 + b"\nnext\n", 10) == [None, "next"]


def test_what_is_too_long_stays_so_and_is_not_kept():
    telnet = Telnet(10)
    for _ in range(1000):
        assert telnet.feed(b"x" * 1000) == []
    assert telnet._lines._line == []
    assert telnet.feed(b"\x7f" * 20 + b"\nlook\n") == [None, "look"]
    assert telnet.feed(b"x" * 20 + b"\x15look\n") == ["look"]


@pytest.mark.parametrize(
    "command",
    [
        (IAC, NOP),
        (IAC, IP),
        (IAC, DM),
        (IAC, WILL, NAWS),
        (IAC, DONT, ECHO),
        (IAC, SB, NAWS, 0, 80, 0, 24, IAC, SE),
        (IAC, SB, NAWS, IAC, IAC, 10, 13, IAC, SE),
        (IAC, SB, LINEMODE, 1, 2, IAC, WILL, NAWS),
    ],
)
def test_commands_are_taken_out_wherever_they_stand(command):
    text = "say é\r\n".encode()
    for place in range(len(text) + 1):
        assert lines(text[:place] + bytes(command) + text[place:]) == ["say é"]


def test_a_doubled_iac_is_a_byte_of_text():
    assert lines(bytes((97, IAC, IAC, 98, 10))) == ["a\ufffdb"]


def test_erasing_by_command():
    assert lines(bytes((*b"lookx", IAC, EC, 10))) == ["look"]
    assert lines(bytes((*b"forget", IAC, EL, *b"look\n"))) == ["look"]


@pytest.mark.parametrize(("asked", "answer"), [(WILL, DONT), (DO, WONT)])
def test_what_is_not_supported_is_refused_once(asked, answer):
    telnet = Telnet(1000)
    assert reply(IAC, asked, NAWS, telnet=telnet) == bytes((IAC, answer, NAWS))
    assert reply(IAC, asked, NAWS, telnet=telnet) == b""


@pytest.mark.parametrize("verb", [WONT, DONT])
def test_a_no_is_not_answered(verb):
    assert reply(IAC, verb, NAWS) == b""


def test_a_timing_mark_is_answered_each_time():
    telnet = Telnet(1000)
    for _ in range(3):
        assert reply(IAC, IP, IAC, DO, TIMING_MARK, telnet=telnet) == bytes((IAC, WONT, TIMING_MARK))


def test_are_you_there():
    assert reply(IAC, AYT) == b"\r\nThe server is here.\r\n"


def test_hiding_is_offered_and_taken_back():
    telnet = Telnet(1000)
    assert telnet.hide(True) == bytes((IAC, WILL, ECHO))
    assert telnet.hide(True) == b""
    assert reply(IAC, DO, ECHO, telnet=telnet) == b""
    assert telnet.hide(False) == bytes((IAC, WONT, ECHO))
    assert reply(IAC, DONT, ECHO, telnet=telnet) == b""


def test_a_client_may_refuse_to_hide():
    telnet = Telnet(1000)
    telnet.hide(True)
    assert reply(IAC, DONT, ECHO, telnet=telnet) == bytes((IAC, WONT, ECHO))
    assert telnet.hide(False) == b""


def test_go_ahead_is_for_those_who_know_telnet_and_want_it():
    telnet = Telnet(1000)
    telnet.feed(b"look\r\n")
    assert telnet.after_prompt() == b""
    telnet.feed(bytes((IAC, NOP)))
    assert telnet.after_prompt() == bytes((IAC, 249))
    assert reply(IAC, DO, SUPPRESS_GO_AHEAD, telnet=telnet) == bytes((IAC, WONT, SUPPRESS_GO_AHEAD))
    assert telnet.after_prompt() == b""


def test_text_goes_out_as_telnet_wants_it():
    assert encoded("é\nb\r\nc") == "é\r\nb\r\nc".encode()
    assert encoded("\ud800") == b"?"


# Bytes that mean something are drawn often, or nothing would ever meet.
telling_bytes = st.sampled_from(
    [*b"a \r\n\0\b\x7f\x1b[]m;\x07\x15", 0xC3, 0xA9, 0xE9, 0xC2, 0x9B, *range(240, 256), 1, 3, 6]
)
streams = st.lists(telling_bytes | st.integers(0, 255), max_size=60).map(bytes)


@given(streams, st.lists(st.integers(0, 60)))
@example(b"\xe2\x80\xa8\r\n\xe2\x80", [1, 2, 4])
def test_lines_and_replies_are_the_same_however_the_stream_is_cut(stream, cuts):
    whole, cut = Telnet(7), Telnet(7)
    places = [0, *sorted(min(place, len(stream)) for place in cuts), len(stream)]
    heard = [line for a, b in pairwise(places) for line in cut.feed(stream[a:b])]
    assert heard == whole.feed(stream)
    assert cut.take_replies() == whole.take_replies()
    assert cut.after_prompt() == whole.after_prompt()


@given(streams)
def test_no_line_holds_anything_that_steers_a_terminal(stream):
    for line in Telnet(20).feed(stream + b"\n"):
        assert line is None or (len(line) <= 20 and not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in line))
