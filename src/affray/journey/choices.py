"""What a player may choose on the board: the answers, what a person types for them, and why one is not open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.errors import Illegal, listing, unknown
from affray.journey.travellers import Traveller
from affray.kernel.system import Impossible
from affray.schema import cut, slug
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
    return list(dict.fromkeys(uses))  # two of a kind are one choice


def _uses_of(thing: Consumable, traveller: Traveller) -> list[str]:
    if thing.ends_curses and traveller.player.curses:
        return [f"use {thing.id} on {curse.id}" for curse in traveller.player.curses]
    helps = thing.heal and traveller.health < traveller.stats.health
    return [f"use {thing.id}"] if helps else []


def closed(traveller: Traveller) -> list[Impossible]:
    """What one might want to do at the start of a turn and cannot, and why."""
    idle = {thing.id: thing for thing in traveller.pack if not _uses_of(thing, traveller)}
    reasons = [Impossible(f"use {id}", _why_idle(thing)) for id, thing in idle.items()]
    return [*reasons, *(Impossible(f"wear {item.id}", "worn already") for item in traveller.player.equipment)]


def _why_idle(thing: Consumable) -> str:
    if not thing.heal:
        return "there is no curse to end"
    return "Health is full" + (", and there is no curse to end" if thing.ends_curses else "")


def read(text: str, answers: Sequence[str], impossible: Iterable[Impossible] = ()) -> str:
    """The answer that a text means: the answer itself, with names written out, or a beginning that fits only one."""
    typed = _normal(text)
    if typed in answers:
        return typed
    fitting = [answer for answer in answers if typed and answer.startswith(typed)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Illegal(f"{cut(text)!r} can mean {listing(fitting)}: say which", given=text, allowed=answers)
    for closed in impossible:
        if typed and closed.notation.startswith(typed):
            raise Illegal(f"{closed.notation} is not possible now: {closed.reason}", given=text, allowed=answers)
    problem = unknown("answer", cut(" ".join(text.split())), answers) if typed else "no answer was given"
    raise Illegal(problem, given=text, allowed=answers)


def _normal(text: str) -> str:
    """A text in the answers' own spelling: `Use Blessed Salt on leaden feet` is `use blessed-salt on leaden-feet`."""
    verb, _, rest = " ".join(text.lower().split()).partition(" ")
    return " ".join(part for part in (verb, " on ".join(slug(name) for name in rest.split(" on "))) if part)
