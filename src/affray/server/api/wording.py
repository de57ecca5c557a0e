"""Says in plain words what is wrong with a request that does not have the shape of its message."""

from __future__ import annotations

import re

_AT = re.compile(r" - at `(?:key in )?\$?\.?(.*?)`$")
_KNOWN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"Expected `str` of length <= (\d+)"), "the {what} must have at most {0} characters"),
    (re.compile(r"Expected `str` of length >= 1$"), "the {what} must not be empty"),
    (re.compile(r"Expected `str` of length >= (\d+)"), "the {what} must have at least {0} characters"),
    (re.compile(r"Expected `(?:array|object)` of length <= (\d+)"), "the {what} must have at most {0} entries"),
    (re.compile(r"Expected `int` >= (-?\d+)"), "the {what} must be at least {0}"),
    (re.compile(r"Expected `int` <= (-?\d+)"), "the {what} must be at most {0}"),
    (re.compile(r"Expected `(?:int|float)"), "the {what} must be a number"),
    (re.compile(r"Expected `bool"), "the {what} must be true or false"),
    (re.compile(r"Expected `str"), "the {what} must be text"),
    (re.compile(r"Object missing required field `(\w+)`"), "the request must say which {0}"),
    (re.compile(r"Object contains unknown field `(\w+)`"), "the request has a field {0}, which means nothing here"),
    (re.compile(r"Invalid enum value '?([^']*)'?"), "the {what} cannot be {0}"),
    (re.compile(r"[Mm]alformed|truncated|trailing characters"), "the request is not valid JSON"),
)


def in_words(message: str, key: str = "") -> str:
    """The sentence for a check that failed; `key` is the field, where the message itself does not name it."""
    path = _AT.search(message)
    field = re.split(r"[.\[]", path[1])[0] if path and path[1] else key
    what = field.replace("_", " ").strip("$ ") or "request"
    bare = _AT.sub("", message)
    for pattern, sentence in _KNOWN:
        if found := pattern.search(bare):
            return sentence.format(*(cut.replace("_", " ") for cut in found.groups()), what=what)
    return f"the {what} is not valid"
