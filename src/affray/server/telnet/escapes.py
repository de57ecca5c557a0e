"""Removes control characters and escape sequences from text, because they could control a reader's terminal."""

from __future__ import annotations

import unicodedata

_OUTSIDE, _ESCAPE, _ONE_MORE, _CONTROL, _STRING = range(5)
_STRING_STARTS = "]PX^_"
_WIDE_STRING_STARTS = "\x90\x98\x9d\x9e\x9f"
# Overrides and isolates could reverse the rest of another player's line; a byte order mark means nothing here.
_TURNERS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


class Escapes:
    """A filter for a text that comes in pieces, cut anywhere."""

    def __init__(self, kept: str) -> None:
        """`kept` are the control characters that may pass."""
        self._kept = frozenset(kept)
        self._inside = _OUTSIDE

    def removed_from(self, text: str) -> str:
        """The next piece of text without them. A sequence ends with its line at the latest."""
        if self._inside == _OUTSIDE and text.isascii() and text.isprintable():
            return text
        return "".join(filter(self._passes, text))

    def _passes(self, character: str) -> bool:
        inside, self._inside = self._inside, _OUTSIDE
        if character == "\x1b":
            self._inside = _ESCAPE
        elif inside == _OUTSIDE or character in "\r\n":
            return self._passes_outside(character)
        elif inside == _STRING:
            self._inside = _OUTSIDE if character in "\x07\x9c" else _STRING
        elif not " " <= character <= "~":
            return self._passes_outside(character)  # the sequence was broken off
        elif inside == _ESCAPE:
            self._inside = _after_escape(character)
        elif inside == _CONTROL and character <= "?":
            self._inside = _CONTROL
        return False

    def _passes_outside(self, character: str) -> bool:
        if character == "\x9b":
            self._inside = _CONTROL
        elif character in _WIDE_STRING_STARTS:
            self._inside = _STRING
        is_text = unicodedata.category(character) not in ("Cc", "Zl", "Zp") and character not in _TURNERS
        return is_text or character in self._kept


def _after_escape(character: str) -> int:
    if character == "[":
        return _CONTROL
    if character in _STRING_STARTS:
        return _STRING
    if character in "NO":  # the next character is of another set: the arrow keys of some terminals
        return _ONE_MORE
    return _ESCAPE if character <= "/" else _OUTSIDE
