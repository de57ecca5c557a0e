"""Getting better between fights: what a system says about resting and healing, for people in a world."""

from __future__ import annotations

from typing import Any

from affray.errors import Illegal, unknown
from affray.kernel.system import System
from affray.kernel.system import find as find_system
from affray.kernel.system import names as system_names
from affray.schema import cut
from affray.world import attributes, changes
from affray.world.commands import command
from affray.world.roster import stats_of
from affray.world.tables import fold
from affray.world.visitors import Visitor


@command("rest [SYSTEM]", role="player")
async def rest(visitor: Visitor, rest: str) -> None:
    """Rest between combats.

    In deckahedron your Exhaustion tokens and one Harm token go, your armour is put
    in order, and what the tokens that are left do not keep of your Exhaustion pile
    comes back. In strategic it is a month in bed, and one point of Crippling heals.
    Not while you take part in a combat.
    """
    await _recover(visitor, "rest", rest)


@command("heal [SYSTEM]", role="player")
async def heal(visitor: Visitor, rest: str) -> None:
    """Spend a day healing between combats.

    In deckahedron your Exhaustion and Harm tokens and one Wound go, and what the
    Wounds that are left do not keep of your Exhaustion pile comes back. Not while
    you take part in a combat.
    """
    await _recover(visitor, "heal", rest)


@command("care [SYSTEM]", role="player")
async def care(visitor: Visitor, rest: str) -> None:
    """Go to a healer after a combat.

    In strategic your Life Coins are flipped all the way, and the healer brings
    back what coins can be brought back. Not while you take part in a combat.
    """
    await _recover(visitor, "care", rest)


async def _recover(visitor: Visitor, how: str, named: str) -> None:
    world = visitor.world
    for place, combat in world.combats.items():
        if visitor.key in combat.players:
            where = world.places[place].name
            problem = f"{how} is for whoever takes no part in a combat, and you do at {where} (it has to be ended)"
            raise Illegal(problem, given=how)
    present = await world.store.attributes(visitor.key)
    system = _system(how, named, set(present))
    residence = system.residence
    assert residence is not None
    assert residence.writes is not None
    stats = stats_of(system, present)
    sheet, told = system.recoveries[how](residence.player(visitor.name, stats), world.dice())
    written = [
        changes.set_attribute(visitor.key, attributes.parse(f"{name}[{residence.attributes[name]}]={value}", present))
        for name, value in residence.writes(sheet, stats).items()
    ]
    await world.store.commit(*written)
    visitor.tell("\n".join(told))
    world.tell_place(visitor.here().key, told[0], but=visitor)


def _system(how: str, named: str, present: set[str]) -> System[Any, Any]:
    """The system that is meant: the one named, the one whose attributes the player has, or the only one there is."""
    able = {name: system for name in system_names() if _knows(system := find_system(name), how)}
    if named:
        if named.casefold() not in able:
            raise Illegal(unknown("system for this", cut(named), able), given=named, allowed=list(able))
        return able[named.casefold()]
    played = [name for name, system in able.items() if present & _attributes(system)] or list(able)
    if len(played) != 1:
        raise Illegal(f"{how} in which system:  {how} {' or '.join(played)}", given=how, allowed=played)
    return able[played[0]]


def _knows(system: System[Any, Any], how: str) -> bool:
    return how in system.recoveries and system.residence is not None and system.residence.writes is not None


def _attributes(system: System[Any, Any]) -> set[str]:
    return {fold(name) for name in system.residence.attributes} if system.residence else set()
