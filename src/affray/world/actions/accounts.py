"""Actions on accounts: their attributes, their passwords, their roles, and recovery between combats."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from affray.errors import Illegal, Refused, unknown
from affray.system.contract import System
from affray.system.registry import find, names
from affray.system.schema import cut
from affray.world.actions.acting import action, check_role
from affray.world.combats.sheets import attributes_of, own_sheet, stats_of, write_back
from affray.world.people import passwords
from affray.world.people.guests import check_lasting
from affray.world.people.visitor import Visitor
from affray.world.store import attributes, statements
from affray.world.store.attributes import Attribute
from affray.world.store.tables import Account, fold

MOST_ATTRIBUTES = 200


@action("players")
async def read_attributes(actor: Visitor, name: str) -> tuple[Account, dict[str, Attribute]]:
    """The attributes of the actor's own account, or for wizards of any account."""
    account = await _account(actor, name)
    return account, await actor.world.store.attributes(account.key)


@action("players")
async def set_attribute(actor: Visitor, name: str, written: str) -> None:
    """Set an attribute, written as NAME[TYPE]=VALUE."""
    check_lasting(actor, "an attribute")
    account = await _account(actor, name)
    present = await actor.world.store.attributes(account.key)
    attribute = attributes.parse(written, present)
    if len(present) >= MOST_ATTRIBUTES and fold(attribute.name) not in present:
        raise Illegal(f"an account can have at most {MOST_ATTRIBUTES} attributes", given=attribute.name)
    await actor.world.store.commit(statements.set_attribute(account.key, attribute))


@action("players")
async def unset_attribute(actor: Visitor, name: str, wanted: str) -> None:
    """Remove an attribute."""
    account = await _account(actor, name)
    attribute = known_attribute(await actor.world.store.attributes(account.key), wanted)
    await actor.world.store.commit(statements.unset_attribute(account.key, wanted))
    actor.tell(f"{attribute.name} has been removed")


async def own_sheets(actor: Visitor) -> list[str]:
    """The systems in which the attributes of an account make a sheet of its own."""
    present = await actor.world.store.attributes(actor.key)
    return [id for id in names() if _has_sheet(actor.name, find(id), present)]


def _has_sheet(name: str, system: System[Any, Any], present: dict[str, Attribute]) -> bool:
    if not set(map(fold, attributes_of(system))) & set(present):
        return False
    try:
        own_sheet(system, name, stats_of(system, present))
    except Refused:
        return False
    return True


def known_attribute(found: dict[str, Attribute], wanted: str) -> Attribute:
    """The attribute of that name, in upper or lower case."""
    if wanted.casefold() not in found:
        raise Illegal(unknown("attribute", cut(wanted), [a.name for a in found.values()]), given=wanted)
    return found[wanted.casefold()]


async def _account(actor: Visitor, name: str) -> Account:
    """The account that is meant: the actor's own, or for wizards any."""
    if name.casefold() in ("me", actor.key):
        return actor.account
    check_role(actor, "wizards", f"the attributes of {cut(name)} (write me for your own)")
    account = await actor.world.store.account(name)
    if account is None:
        raise Illegal(f"there is no account {cut(name)!r}", given=name)
    return account


@action("players")
async def change_password(actor: Visitor, password: str) -> None:
    """Have another password from now on; connections that were made with the old one are closed."""
    check_lasting(actor, "a password")
    hashed = await passwords.hashed(passwords.check(password))
    await actor.world.store.commit(statements.change_account(actor.key, password=hashed))
    actor.account = replace(actor.account, password=hashed)
    actor.password, actor.came = hashed, time.monotonic()
    actor.tell("Your password has been changed.")


@action("wizards")
async def change_role(actor: Visitor, name: str, role: str) -> None:
    """Make an account a player or a wizard."""
    account = await actor.world.store.account(name)
    if account is None:
        known = [account.name for account in await actor.world.store.accounts()]
        raise Illegal(unknown("account", name, known), given=cut(name))
    granted = statements.check_role(role.casefold())
    if granted == "guest":
        raise Illegal("guests have no account; the role must be player or wizard", given=role)
    await actor.world.store.commit(statements.change_account(account.key, role=granted))
    actor.world.people.promote(replace(account, role=granted))
    actor.tell(f"{account.name} is now a {granted}.")


# --- recovery ---------------------------------------------------------------------------------------------------------


def recovering(word: str) -> dict[str, System[Any, Any]]:
    """The systems that have this recovery and can store fighters as attributes of a player."""
    systems = {id: find(id) for id in names()}
    return {
        id: system
        for id, system in systems.items()
        if word in system.recoveries and system.residence is not None and system.residence.writes is not None
    }


@action("players")
async def recover(actor: Visitor, word: str, named: str = "") -> None:
    """Recover between combats, in a way that a system has: the one named, or the one that the player plays."""
    world = actor.world
    for place, combat in world.combats.items():
        if actor.key in combat.players:
            where = world.places[place].name
            problem = f"you cannot {word} while you take part in a combat; yours is at {where} (end it first)"
            raise Illegal(problem, given=word)
    present = await world.store.attributes(actor.key)
    system = _chosen(word, named, set(present))
    residence = system.residence
    assert residence is not None
    assert residence.writes is not None
    stats = stats_of(system, present)
    sheet, told = system.recoveries[word](residence.player(actor.name, stats), world.dice())
    await world.store.commit(*write_back(system, actor.key, present, residence.writes(sheet, stats)))
    actor.tell("\n".join(told))
    world.people.tell(actor.here().key, told[0], but=actor)


def _chosen(word: str, named: str, present: set[str]) -> System[Any, Any]:
    """The system that is meant: the one named, the one whose attributes the player has, or the only one there is."""
    able = recovering(word)
    if named or not able:
        if named.casefold() not in able:
            raise Illegal(unknown("system for this", cut(named), able), given=named, allowed=list(able))
        return able[named.casefold()]
    played = [id for id, system in able.items() if present & set(map(fold, attributes_of(system)))] or list(able)
    if len(played) != 1:
        raise Illegal(f"{word} in which system:  {word} {' or '.join(played)}", given=word, allowed=played)
    return able[played[0]]
