"""Actions on places: going to another one, and for wizards making and describing them."""

from __future__ import annotations

import re
from dataclasses import replace

from affray.errors import Illegal
from affray.world.actions.acting import action
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import fold

DIG = "the usage is  dig WAY BACK PLACE  with one word for each way"
WAY = re.compile(r"[^\W_][\w-]{0,23}")
PLACE = re.compile(r"[^\W_][\w' -]{0,39}")


@action("everybody")
async def enter(actor: Visitor, place: str, how: str = "") -> None:
    """Be in a place from now on, with all connections of the account; those who are left see how it goes."""
    world, account, left = actor.world, actor.account, actor.place
    if left is not None and left.key == place:
        return
    if account.role != "guest":
        await world.store.commit(statements.change_account(account.key, place=place))
    if left is not None:
        goes = how or f"goes to {world.places[place].name}"
        world.people.tell(left.key, f"{actor.name} {goes}.", account=account.key)
        if (combat := world.combats.awake(left.key)) is not None:
            combat.watchers.discard(account.key)
    world.people.tell(place, f"{actor.name} has arrived.", account=account.key)
    now = replace(account, place=place)
    world.people.move(now)
    actor.account = now  # one who is not connected, such as the caller of a request


@action("wizards")
async def dig(actor: Visitor, start: str, way: str, back: str, name: str) -> None:
    """Make a way from a place to another, which is created if needed, and one back."""
    if not (WAY.fullmatch(way) and WAY.fullmatch(back) and PLACE.fullmatch(name)):
        raise Illegal(DIG, given=f"{way} {back} {name}")
    world, there = actor.world, fold(name)
    here = world.places[start]
    if fold(way) in here.exits:
        raise Illegal(f"{way} already leads to {world.places[here.exits[fold(way)]].name}", given=way)
    known = world.places.get(there)
    if known is not None and fold(back) in known.exits:
        raise Illegal(f"{known.name} already has a way {back}", given=back)
    made = [] if known else [statements.add_place(name)]
    ways = (statements.add_exit(here.key, way, there), statements.add_exit(there, back, here.key))
    await world.store.commit(*made, *ways)
    await world.places.have_changed()
    actor.tell(f"{way} now leads to {world.places[there].name}, and {back} leads back.")


@action("wizards")
async def describe(actor: Visitor, place: str, text: str) -> None:
    """Describe a place."""
    await actor.world.store.commit(statements.describe_place(place, text))
    await actor.world.places.have_changed()
