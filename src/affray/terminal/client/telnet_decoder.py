"""The client's end of a telnet connection: what a server sends, as text that is safe to show."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple

from affray.server.telnet.escapes import Escapes
from affray.server.telnet.protocol import DO, DONT, ECHO, GA, IAC, WILL, WONT, Command, Negotiator


class Piece(NamedTuple):
    """Some text, and whether the server says that it ends in a prompt."""

    text: str
    prompted: bool = False


class TelnetDecoder(Negotiator):
    """Takes the bytes of a server in pieces of any size. Text of other people must not control this terminal."""

    def __init__(self) -> None:
        super().__init__()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escapes = Escapes(kept="\n\t")
        self.secret = False
        """Whether the server asks not to show what is typed."""

    def feed(self, data: bytes) -> Iterator[Piece]:
        """The text of the next bytes."""
        for piece in self._separator.feed(data):
            if isinstance(piece, Command):
                self._obey(piece)
                if piece.verb == GA:
                    yield Piece("", prompted=True)
            elif text := self._escapes.removed_from(self._decoder.decode(piece)):
                yield Piece(text)

    def _obey(self, command: Command) -> None:
        if command.option == ECHO and command.verb in (WILL, WONT):
            if self.secret != (command.verb == WILL):
                self.secret = command.verb == WILL
                self._replies += bytes((IAC, DO if self.secret else DONT, ECHO))
        else:
            self._refuse(command)
