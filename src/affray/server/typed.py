"""Turns the bytes that somebody types into lines: decoded, edited, and free of anything but text."""

from __future__ import annotations

import codecs

from affray.server.escapes import Escapes

TOO_LONG = None
"""Stands for a line that had more characters than allowed; what it said is forgotten."""

_ERASE_SIGN, _ERASE_LINE = "\b\x7f", "\x15"


class Typed:
    """Lines in UTF-8, in pieces cut anywhere; whatever is no UTF-8 becomes a replacement character."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escapes = Escapes(kept="\r\n\t" + _ERASE_SIGN + _ERASE_LINE)
        self._line: list[str] = []
        self._over = False
        self._returned = False  # the last sign was a carriage return, so a line feed belongs to it

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that are whole now, TOO_LONG in place of one that was refused."""
        lines: list[str | None] = []
        for sign in self._escapes.removed_from(self._decoder.decode(data)):
            if sign in "\r\n":
                if sign == "\r" or not self._returned:
                    lines.append(self._finished())
            else:
                self._add(sign)
            self._returned = sign == "\r"
        return lines

    def _finished(self) -> str | None:
        line = TOO_LONG if self._over else "".join(self._line)
        self.erase_line()
        return line

    def _add(self, sign: str) -> None:
        if sign in _ERASE_SIGN:
            self.erase_sign()
        elif sign == _ERASE_LINE:
            self.erase_line()
        elif len(self._line) == self._longest or self._over:
            self._over = True
            self._line.clear()
        else:
            self._line.append(" " if sign == "\t" else sign)

    def erase_sign(self) -> None:
        """Take the last character back."""
        if self._line:
            self._line.pop()

    def erase_line(self) -> None:
        """Take the whole unfinished line back."""
        self._line.clear()
        self._over = False
