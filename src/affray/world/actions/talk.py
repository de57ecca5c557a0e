"""Actions of people who talk to each other in a place."""

from __future__ import annotations

from affray.errors import Illegal
from affray.world.actions.acting import action
from affray.world.people.visitor import Visitor, visible


@action("everybody")
async def say(actor: Visitor, text: str) -> None:
    """Speak to everyone in this place."""
    said = _text(text, "say")
    actor.tell(f'You say, "{said}"', "said")
    actor.world.people.tell(actor.here().key, f'{actor.name} says, "{said}"', but=actor)


@action("everybody")
async def pose(actor: Visitor, text: str) -> None:
    """Do something that everyone in this place sees; the name of the actor comes before the text."""
    actor.world.people.tell(actor.here().key, f"{actor.name} {_text(text, 'pose')}")


def _text(text: str, word: str) -> str:
    if not (seen := visible(text).strip()):
        raise Illegal(f"{word} needs a text:  {word} TEXT", given=text)
    return seen
