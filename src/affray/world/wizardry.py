"""What wizards can do to a world: make places, describe them, and change what others may do."""

from __future__ import annotations

import re
from dataclasses import replace

from affray.errors import Illegal, unknown
from affray.schema import cut
from affray.world import changes
from affray.world.commands import command
from affray.world.tables import fold
from affray.world.visitors import Visitor

WAY = re.compile(r"[^\W_][\w-]{0,23}")
PLACE = re.compile(r"[^\W_][\w' -]{0,39}")


@command("dig WAY BACK PLACE", role="wizard")
async def dig(visitor: Visitor, rest: str) -> None:
    """Make a way from here to a place, and one back.

    A place that is not there yet is made. For example:  dig down up Cellar
    makes the Cellar, to which go down leads from here, and go up leads back.
    """
    words = rest.split(maxsplit=2)
    if len(words) != 3 or not all(WAY.fullmatch(word) for word in words[:2]) or not PLACE.fullmatch(words[2]):
        raise Illegal("this is written  dig WAY BACK PLACE  with one word for each way", given=rest)
    way, back, name = words
    world, here, there = visitor.world, visitor.here(), fold(words[2])
    if fold(way) in here.exits:
        raise Illegal(f"{way} leads to {world.places[here.exits[fold(way)]].name} already", given=way)
    known = world.places.get(there)
    if known is not None and fold(back) in known.exits:
        raise Illegal(f"{back} leads from {known.name} somewhere already", given=back)
    made = [] if known else [changes.add_place(name)]
    ways = (changes.add_exit(here.key, way, there), changes.add_exit(there, back, here.key))
    await world.store.commit(*made, *ways)
    await world.survey()
    visitor.tell(f"{way} leads to {world.places[there].name} now, and {back} leads back.")


@command("describe TEXT", role="wizard")
async def describe(visitor: Visitor, rest: str) -> None:
    """Say what the place you are in looks like."""
    if not rest:
        raise Illegal("this is written  describe TEXT", given=rest)
    await visitor.world.store.commit(changes.describe_place(visitor.here().key, rest))
    await visitor.world.survey()
    visitor.tell(visitor.world.look(visitor))


@command("role NAME ROLE", role="wizard")
async def role(visitor: Visitor, rest: str) -> None:
    """Make somebody a player or a wizard.

    For example:  role Ahalish wizard
    """
    words = rest.split()
    if len(words) != 2:
        raise Illegal("this is written  role NAME ROLE", given=rest)
    account = await visitor.world.store.account(words[0])
    if account is None:
        names = [account.name for account in await visitor.world.store.accounts()]
        raise Illegal(unknown("account", words[0], names), given=cut(words[0]))
    granted = changes.check_role(words[1].casefold())
    if granted == "guest":
        raise Illegal("guests have no account; allowed is player or wizard", given=words[1])
    await visitor.world.store.commit(changes.change_account(account.key, role=granted))
    visitor.world.promote(replace(account, role=granted))
    visitor.tell(f"{account.name} is a {granted} now.")
