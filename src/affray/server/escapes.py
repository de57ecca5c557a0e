"""Takes out of a text what would steer the terminal of whoever reads it: control characters and escape sequences."""

from __future__ import annotations

import unicodedata

_OUTSIDE, _ESCAPE, _ONE_MORE, _CONTROL, _STRING = range(5)
_STRING_STARTS = "]PX^_"
_WIDE_STRING_STARTS = "\x90\x98\x9d\x9e\x9f"
# Overrides and isolates would turn the rest of somebody else's line around; the mark of byte order means nothing here.
_TURNERS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


class Escapes:
    """A filter for a text that comes in pieces, cut anywhere."""

    def __init__(self, kept: str) -> None:
        """`kept` are the control characters that may pass."""
        self._kept = frozenset(kept)
        self._inside = _OUTSIDE

    def removed_from(self, text: str) -> str:
        """What is left of the next piece. A sequence ends with its line at the latest."""
        if self._inside == _OUTSIDE and text.isascii() and text.isprintable():
            return text
        return "".join(filter(self._passes, text))

    def _passes(self, sign: str) -> bool:
        inside, self._inside = self._inside, _OUTSIDE
        if sign == "\x1b":
            self._inside = _ESCAPE
        elif inside == _OUTSIDE or sign in "\r\n":
            return self._passes_outside(sign)
        elif inside == _STRING:
            self._inside = _OUTSIDE if sign in "\x07\x9c" else _STRING
        elif not " " <= sign <= "~":
            return self._passes_outside(sign)  # the sequence was broken off
        elif inside == _ESCAPE:
            self._inside = _after_escape(sign)
        elif inside == _CONTROL and sign <= "?":
            self._inside = _CONTROL
        return False

    def _passes_outside(self, sign: str) -> bool:
        if sign == "\x9b":
            self._inside = _CONTROL
        elif sign in _WIDE_STRING_STARTS:
            self._inside = _STRING
        return sign in self._kept or (unicodedata.category(sign) not in ("Cc", "Zl", "Zp") and sign not in _TURNERS)


def _after_escape(sign: str) -> int:
    if sign == "[":
        return _CONTROL
    if sign in _STRING_STARTS:
        return _STRING
    if sign in "NO":  # the next sign is of another set: the arrow keys of some terminals
        return _ONE_MORE
    return _ESCAPE if sign <= "/" else _OUTSIDE
