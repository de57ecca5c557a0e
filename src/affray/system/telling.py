"""Telling: what an event says, out of the sentence that was declared with its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel.rules import Event, filled

if TYPE_CHECKING:
    from affray.system.setup import Setup

FIGHTERS = ("who", "target", "by")
"""Fields of an event that hold a fighter's place in the record."""


def tell(setup: Setup[Any], state: Any, event: Event) -> str:
    """The event as a sentence with a capital letter; an announcement stands inside another sentence, and has none."""
    if callable(event.kind.told):
        sentence = event.kind.told(setup, state, event)
    else:
        sentence = filled(event.kind.told, lambda name, form: _field(setup, name, getattr(event, name), form))
    if event.kind.announces:
        return sentence
    opening = 1 + sentence.startswith("(")
    return sentence[:opening].upper() + sentence[opening:]


def _field(setup: Setup[Any], name: str, value: int, form: str) -> str:
    if name in FIGHTERS:
        return setup.told_as(value)
    if name == "move":
        return str(setup.system.moves.get(value, value))
    return counted(value, form) if form[:1].isalpha() else format(value, form)


def counted(count: int, noun: str) -> str:
    """A number of things: 1 point, 2 points."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
