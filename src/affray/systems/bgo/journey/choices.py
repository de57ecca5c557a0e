"""What a player may choose on the board: the answers, how to type them, and why an answer is not open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.system.contract import Impossible
from affray.system.notation import meant
from affray.system.schema import slug
from affray.systems.bgo.journey.travellers import Traveller
from affray.systems.bgo.sheets import Consumable

ROLL = "roll"
WEAR, KEEP, LEAVE = "wear", "keep", "leave"
OFFER = (WEAR, KEEP, LEAVE)
"""What can be done with equipment just gained (37)."""


def before_moving(traveller: Traveller) -> list[str]:
    """The answers open at the start of a turn: roll, or first use and change things."""
    return [ROLL, *_uses(traveller), *(f"wear {item.id}" for item in traveller.spares)]


def _uses(traveller: Traveller) -> list[str]:
    uses = (answer for thing in traveller.pack for answer in _uses_of(thing, traveller))
    return list(dict.fromkeys(uses))  # several of the same kind are one choice


def _uses_of(thing: Consumable, traveller: Traveller) -> list[str]:
    if thing.ends_curses and traveller.player.curses:
        return [f"use {thing.id} on {curse.id}" for curse in traveller.player.curses]
    helps = thing.heal and traveller.health < traveller.stats.health
    return [f"use {thing.id}"] if helps else []


def closed(traveller: Traveller) -> list[Impossible]:
    """What a player might want to do at the start of a turn but cannot, and why."""
    idle = {thing.id: thing for thing in traveller.pack if not _uses_of(thing, traveller)}
    reasons = [Impossible(f"use {id}", _why_idle(thing)) for id, thing in idle.items()]
    return [*reasons, *(Impossible(f"wear {item.id}", "worn already") for item in traveller.player.equipment)]


def _why_idle(thing: Consumable) -> str:
    if not thing.heal:
        return "there is no curse to end"
    return "Health is full" + (", and there is no curse to end" if thing.ends_curses else "")


def read(text: str, answers: Sequence[str], impossible: Iterable[Impossible] = ()) -> str:
    """The answer that a text means: the answer itself, one with names in full, or an unambiguous beginning."""
    return meant(text, _normal(text), answers, lambda: impossible, "answer")


def _normal(text: str) -> str:
    """A text in the spelling of answers: `Use Blessed Salt on leaden feet` is `use blessed-salt on leaden-feet`."""
    verb, _, rest = " ".join(text.lower().split()).partition(" ")
    return " ".join(part for part in (verb, " on ".join(slug(name) for name in rest.split(" on "))) if part)
