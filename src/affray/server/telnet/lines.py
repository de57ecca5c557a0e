"""Turns the bytes that a client sends into lines: decoded, edited, and only text."""

from __future__ import annotations

import codecs

from affray.server.telnet.escapes import Escapes

TOO_LONG = None
"""Stands for a line with more characters than allowed, whose text is dropped."""

_ERASE_CHARACTER, _ERASE_LINE = "\b\x7f", "\x15"


class LineReader:
    """Lines in UTF-8, in pieces cut anywhere; bytes that are no UTF-8 become a replacement character."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escapes = Escapes(kept="\r\n\t" + _ERASE_CHARACTER + _ERASE_LINE)
        self._line: list[str] = []
        self._over = False
        self._returned = False  # the last character was a carriage return, so a line feed belongs to it

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that are complete now, with TOO_LONG in place of one that was refused."""
        lines: list[str | None] = []
        for character in self._escapes.removed_from(self._decoder.decode(data)):
            if character in "\r\n":
                if character == "\r" or not self._returned:
                    lines.append(TOO_LONG if self._over else "".join(self._line))
                    self.erase_line()
            else:
                self._add(character)
            self._returned = character == "\r"
        return lines

    def _add(self, character: str) -> None:
        if character in _ERASE_CHARACTER:
            self.erase_character()
        elif character == _ERASE_LINE:
            self.erase_line()
        elif len(self._line) == self._longest or self._over:
            self._over = True
            self._line.clear()
        else:
            self._line.append(" " if character == "\t" else character)

    def erase_character(self) -> None:
        """Delete the last character."""
        if self._line:
            self._line.pop()

    def erase_line(self) -> None:
        """Delete the whole unfinished line."""
        self._line.clear()
        self._over = False
