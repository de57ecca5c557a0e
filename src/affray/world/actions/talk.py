"""Actions by which people in a place talk to each other."""

from __future__ import annotations

from affray.errors import Illegal
from affray.fight.asides import Dice
from affray.kernel.chance import throw_dice
from affray.system.schema import cut
from affray.world.actions.acting import action
from affray.world.people.visitor import Visitor, visible
from affray.world.store.tables import fold


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


@action("everybody")
async def whisper(actor: Visitor, name: str, text: str) -> None:
    """Say something that one other person hears, wherever they are connected."""
    said, people = _text(text, "whisper", "NAME TEXT"), actor.world.people
    there = people.everybody().get(fold(name))
    if there is None or fold(name) == actor.key:
        raise Illegal(f"{cut(name)} is not here to be whispered to", given=name)
    actor.tell(f'You whisper to {there.name}, "{said}"', "said")
    people.whisper(fold(name), f'{actor.name} whispers, "{said}"')


@action("everybody")
async def roll(actor: Visitor, text: str) -> None:
    """Throw dice that everyone in this place sees, such as 3d6 or 2d10+1."""
    dice = Dice.of(text)
    fell = throw_dice(actor.world.dice(), dice.n, dice.sides)
    actor.world.people.tell(actor.here().key, f"{actor.name} rolls {dice.told(fell)}")


def _text(text: str, word: str, follows: str = "TEXT") -> str:
    if not (seen := visible(text).strip()):
        raise Illegal(f"{word} needs a text:  {word} {follows}", given=text)
    return seen
