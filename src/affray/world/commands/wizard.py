"""Commands for wizards: making and describing places, and changing what others may do."""

from __future__ import annotations

from affray.errors import Illegal
from affray.world.actions import accounts, places
from affray.world.commands.registry import command, misused
from affray.world.people.visitor import Visitor


@command("dig WAY BACK PLACE", does=places.dig)
async def dig(visitor: Visitor, rest: str) -> None:
    """Make a way from here to a place, and one back.

    A place that does not exist yet is created. For example:  dig down up Cellar
    creates the Cellar; go down leads there from here, and go up leads back.
    """
    words = rest.split(maxsplit=2)
    if len(words) != 3:
        raise Illegal(places.DIG, given=rest)
    await places.dig(visitor, visitor.here().key, *words)


@command("describe TEXT", does=places.describe)
async def describe(visitor: Visitor, rest: str) -> None:
    """Describe the place you are in."""
    if not rest:
        raise misused("describe TEXT", rest)
    await places.describe(visitor, visitor.here().key, rest)
    visitor.tell(visitor.look())


@command("role NAME ROLE", does=accounts.change_role)
async def role(visitor: Visitor, rest: str) -> None:
    """Make an account a player or a wizard.

    For example:  role Ahalish wizard
    """
    words = rest.split()
    if len(words) != 2:
        raise misused("role NAME ROLE", rest)
    await accounts.change_role(visitor, words[0], words[1])
