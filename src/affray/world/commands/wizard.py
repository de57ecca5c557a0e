"""What wizards can do to a world: make places, describe them, and change what others may do."""

from __future__ import annotations

import re
from dataclasses import replace

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.commands.registry import command, misused
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import fold

WAY = re.compile(r"[^\W_][\w-]{0,23}")
PLACE = re.compile(r"[^\W_][\w' -]{0,39}")


@command("dig WAY BACK PLACE", who="wizards")
async def dig(visitor: Visitor, rest: str) -> None:
    """Make a way from here to a place, and one back.

    A place that does not exist yet is created. For example:  dig down up Cellar
    creates the Cellar; go down leads there from here, and go up leads back.
    """
    words = rest.split(maxsplit=2)
    if len(words) != 3 or not all(WAY.fullmatch(word) for word in words[:2]) or not PLACE.fullmatch(words[2]):
        raise Illegal("the usage is  dig WAY BACK PLACE  with one word for each way", given=rest)
    way, back, name = words
    world, here, there = visitor.world, visitor.here(), fold(words[2])
    if fold(way) in here.exits:
        raise Illegal(f"{way} already leads to {world.places[here.exits[fold(way)]].name}", given=way)
    known = world.places.get(there)
    if known is not None and fold(back) in known.exits:
        raise Illegal(f"{known.name} already has a way {back}", given=back)
    made = [] if known else [statements.add_place(name)]
    ways = (statements.add_exit(here.key, way, there), statements.add_exit(there, back, here.key))
    await world.store.commit(*made, *ways)
    await world.places.have_changed()
    visitor.tell(f"{way} now leads to {world.places[there].name}, and {back} leads back.")


@command("describe TEXT", who="wizards")
async def describe(visitor: Visitor, rest: str) -> None:
    """Describe the place you are in."""
    if not rest:
        raise misused("describe TEXT", rest)
    await visitor.world.store.commit(statements.describe_place(visitor.here().key, rest))
    await visitor.world.places.have_changed()
    visitor.tell(visitor.look())


@command("role NAME ROLE", who="wizards")
async def role(visitor: Visitor, rest: str) -> None:
    """Make an account a player or a wizard.

    For example:  role Ahalish wizard
    """
    words = rest.split()
    if len(words) != 2:
        raise misused("role NAME ROLE", rest)
    account = await visitor.world.store.account(words[0])
    if account is None:
        names = [account.name for account in await visitor.world.store.accounts()]
        raise Illegal(unknown("account", words[0], names), given=cut(words[0]))
    granted = statements.check_role(words[1].casefold())
    if granted == "guest":
        raise Illegal("guests have no account; the role must be player or wizard", given=words[1])
    await visitor.world.store.commit(statements.change_account(account.key, role=granted))
    visitor.world.people.promote(replace(account, role=granted))
    visitor.tell(f"{account.name} is now a {granted}.")
