"""Turns events into text, by the sentence declared with their kind."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from affray.kernel.rules import Event, filled

if TYPE_CHECKING:
    from affray.system.setup import Setup

FIGHTERS = ("who", "target", "by")
"""Fields of an event that hold a fighter's place in the record."""


def tell(setup: Setup[Any], state: Any, event: Event) -> str:
    """The event as a sentence with a capital letter; an announcement is part of another sentence, and has none."""
    if callable(event.kind.told):
        sentence = event.kind.told(setup, state, event)
    else:
        pattern, words = _parsed(event.kind.told, event.kind.fields)
        values = event.values
        sentence = pattern.format(*values, *[_word(setup, name, values[place], form) for place, name, form in words])
    if event.kind.announces:
        return sentence
    opening = 1 + sentence.startswith("(")
    return sentence[:opening].upper() + sentence[opening:]


def cited(setup: Setup[Any], event: Event) -> tuple[str, ...]:
    """The rulings that applied to an event: those in force whose condition, if the kind has one for them, was met."""
    kind, known = event.kind, setup.citable
    if kind not in known:
        known[kind] = tuple(id for id in kind.cites if id not in setup.switched_off)
    where = kind.where
    if not where:
        return known[kind]
    return tuple([id for id in known[kind] if id not in where or where[id](setup, event)])


@cache
def _parsed(sentence: str, fields: tuple[str, ...]) -> tuple[str, list[tuple[int, str, str]]]:
    """A sentence as a pattern for `format`, which gets all values and then its words: each one's place, name and form.

    It is cached: a long fight has thousands of events, but only a few dozen sentences.
    """
    words: list[tuple[int, str, str]] = []

    def slot(name: str, form: str) -> str:
        place = fields.index(name)
        if name not in (*FIGHTERS, "move") and not form[:1].isalpha():
            return f"\0{place}:{form}\1"
        words.append((place, name, form))
        return f"\0{len(fields) + len(words) - 1}\1"

    pattern = filled(sentence, slot).replace("{", "{{").replace("}", "}}")
    return pattern.replace("\0", "{").replace("\1", "}"), words


def _word(setup: Setup[Any], name: str, value: int, form: str) -> str:
    if name in FIGHTERS:
        return setup.told_as(value)
    return str(setup.system.moves.get(value, value)) if name == "move" else counted(value, form)


def counted(count: int, noun: str) -> str:
    """A number of things: 1 point, 2 points."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def without_numbers(setup: Setup[Any], text: str) -> str:
    """A text with a question mark for every number, except those in names; for several in a row there is one."""
    if not any(letter.isdigit() for letter in text):
        return text
    known = {*setup.names, *(setup.told_as(who) for who in range(len(setup.names))), *setup.team_names}
    kept = sorted((name for name in known if any(letter.isdigit() for letter in name)), key=len, reverse=True)
    names = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in kept) or r"(?!)"
    cut = re.sub(rf"({names})|\d+(?:\.\d+)?", lambda found: found[1] or "?", text, flags=re.IGNORECASE)
    return re.sub(r"\?(?:[:,] ?\?)+", "?", cut)
