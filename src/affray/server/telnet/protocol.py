"""The telnet protocol: reads its commands from incoming bytes, and writes them into outgoing ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from affray.server.telnet.lines import LineReader

SE, NOP, AYT, EC, EL, GA, SB = 240, 241, 246, 247, 248, 249, 250
WILL, WONT, DO, DONT, IAC = 251, 252, 253, 254, 255
ECHO, SUPPRESS_GO_AHEAD, TIMING_MARK = 1, 3, 6
REFUSALS = {WILL: DONT, DO: WONT}
"""The answer that says no to an offer or a request; a no itself is not answered."""

HERE = "The server is here."


class Command(NamedTuple):
    """A telnet command; only those about options name one."""

    verb: int
    option: int = -1


_TEXT, _COMMAND, _OPTION, _WITHIN, _COMMAND_WITHIN = range(5)


class Separator:
    """Separates text from commands, wherever the stream is cut. The content of subnegotiations is dropped."""

    def __init__(self) -> None:
        self._state = _TEXT
        self._verb = NOP

    def feed(self, data: bytes) -> Iterator[bytes | Command]:
        """The pieces of text and the commands in the next bytes, in order."""
        if self._state == _TEXT and IAC not in data:
            yield data
            return
        text = bytearray()
        for byte in data:
            if self._state == _TEXT and byte != IAC:
                text.append(byte)
            elif self._state == _COMMAND and byte == IAC:
                self._state = _TEXT
                text.append(IAC)
            elif command := self._command(byte):
                yield bytes(text)
                text.clear()
                yield command
        yield bytes(text)

    def _command(self, byte: int) -> Command | None:
        """Take a byte that is not text; returns the command if it is complete now."""
        state = self._state
        if state == _TEXT:
            self._state = _COMMAND
        elif state == _WITHIN:
            self._state = _COMMAND_WITHIN if byte == IAC else _WITHIN
        elif state == _COMMAND_WITHIN and byte == IAC:
            self._state = _WITHIN
        elif state == _OPTION:
            self._state = _TEXT
            return Command(self._verb, byte)
        elif byte == SB:
            self._state = _WITHIN
        elif byte in (WILL, WONT, DO, DONT):
            self._state, self._verb = _OPTION, byte
        else:  # the end of a subnegotiation, too; one that a command interrupts ends there
            self._state = _TEXT
            return Command(byte)
        return None


class Negotiator:
    """Collects the answers to commands. A request for an option that this end does not support is refused, once."""

    def __init__(self) -> None:
        self._separator = Separator()
        self._replies = bytearray()
        self._refused: set[Command] = set()

    def take_replies(self) -> bytes:
        """The bytes to send for the commands that came."""
        replies = bytes(self._replies)
        self._replies.clear()
        return replies

    def _refuse(self, command: Command) -> None:
        # Once, so that two programs cannot talk in circles. A timing mark is asked for again and again, though, and
        # some clients show nothing before it is answered.
        if command.verb in REFUSALS and (command not in self._refused or command.option == TIMING_MARK):
            self._refused.add(command)
            self._replies += bytes((IAC, REFUSALS[command.verb], command.option))


class Telnet(Negotiator):
    """The server's end of a connection.

    Only the hiding of passwords is negotiated, and nothing waits for that: a client that does not know telnet sees
    only those two commands.
    """

    def __init__(self, longest: int) -> None:
        """`longest` is how many characters a line may have."""
        super().__init__()
        self._lines = LineReader(longest)
        self._speaks = False
        self._suppressed = False
        self.hiding = False

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that are complete now; None is one that was too long."""
        lines: list[str | None] = []
        for piece in self._separator.feed(data):
            if isinstance(piece, Command):
                self._speaks |= piece.verb >= SE
                self._obey(piece)
            else:
                lines += self._lines.feed(piece)
        return lines

    def hide(self, hidden: bool) -> bytes:
        """The bytes to send so that the other end hides, or shows again, what is typed."""
        if hidden == self.hiding:
            return b""
        self.hiding = hidden
        return bytes((IAC, WILL if hidden else WONT, ECHO))

    def after_prompt(self) -> bytes:
        """The bytes to send after a prompt: a mark that it is one, for clients that support it."""
        return bytes((IAC, GA)) if self._speaks and not self._suppressed else b""

    def _obey(self, command: Command) -> None:
        if command == Command(DO, ECHO) and self.hiding:
            return  # agrees to what was offered
        if command == Command(DONT, ECHO):
            self._replies += self.hide(False)
        elif command.verb in REFUSALS:
            self._suppressed |= command == Command(DO, SUPPRESS_GO_AHEAD)
            self._refuse(command)
        elif command.verb == AYT:
            self._replies += encoded(f"\n{HERE}\n")
        elif command.verb == EC:
            self._lines.erase_character()
        elif command.verb == EL:
            self._lines.erase_line()


def encoded(text: str) -> bytes:
    """A text as telnet sends it: UTF-8, with lines that end in CR LF."""
    lines = text.replace("\r", "").replace("\n", "\r\n")
    return lines.encode("utf-8", "replace").replace(b"\xff", b"\xff\xff")
