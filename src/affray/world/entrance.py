"""The door of a world: connecting to an account, making one, or coming in as a guest."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from affray.errors import Illegal, Refused
from affray.world import changes, passwords
from affray.world.tables import Account, fold

if TYPE_CHECKING:
    from affray.world.visitors import Visitor
    from affray.world.world import World

FAILURES = 5
WINDOW = 300.0  # seconds
GUESTS = 50
MOST_CONNECTIONS = 5
WORDS = """\
connect NAME     come in; your password is asked for
create NAME      make an account; a password is asked for
guest            look around without an account
who              see who is here
quit             go away"""


class Unfit(Illegal):
    """A name and a password that do not fit together."""


class TooOften(Illegal):
    """One more log-in from where too many have failed."""


class Attempts:
    """Failed log-ins by address: too many in a while, and nobody from there is asked again for that long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: dict[str, deque[float]] = {}

    def check(self, address: str) -> None:
        """Refuse an address that has failed too often."""
        failed = self._recent(address)
        if len(failed) >= FAILURES:
            wait = int(failed[0] + WINDOW - self._clock()) + 1
            raise TooOften(f"{FAILURES} log-ins from your address have failed; try again in {wait} seconds")

    def failed(self, address: str) -> None:
        """Remember a failure."""
        self._recent(address).append(self._clock())
        for old in [other for other in self._failed if not self._recent(other)]:
            del self._failed[old]

    def _recent(self, address: str) -> deque[float]:
        times = self._failed.setdefault(address, deque())
        while times and times[0] <= self._clock() - WINDOW:
            times.popleft()
        return times


async def obey(visitor: Visitor, line: str) -> None:
    """Do what somebody says who has not come in yet."""
    word, _, rest = line.strip().partition(" ")
    match word.casefold():
        case "":
            return
        case "connect":
            await _connect(visitor, rest)
        case "create":
            await _create(visitor, rest)
        case "guest":
            await come_as_guest(visitor)
        case "who":
            visitor.tell(visitor.world.who())
        case "help":
            visitor.tell(WORDS)
        case "quit":
            visitor.gone = True
        case _:
            raise Illegal(f"{word[:40]!r} means nothing at the door. You can say:\n{WORDS}", given=word)


def _name_and_password(rest: str, word: str) -> tuple[str, str]:
    name, _, password = rest.strip().partition(" ")
    if not name:
        raise Illegal(f"{word} needs a name:  {word} NAME", given=rest)
    return name, password.strip()


async def _connect(visitor: Visitor, rest: str) -> None:
    name, password = _name_and_password(rest, "connect")
    visitor.world.attempts.check(visitor.address)
    if password:
        await _let_in(visitor, name, password)
    else:
        visitor.ask(lambda typed: _let_in(visitor, name, typed))


async def _let_in(visitor: Visitor, name: str, password: str) -> None:
    await come_in(visitor, await admitted(visitor.world, name, password, visitor.address))


async def admitted(world: World, name: str, password: str, address: str) -> Account:
    """The account that a name and a password open, to somebody at an address."""
    world.attempts.check(address)
    account = await world.store.account(name)
    if not await passwords.fits(password, account.password if account else None) or account is None:
        world.attempts.failed(address)
        raise Unfit("that name and password do not fit together", given=name)
    if account.password is not None and passwords.outdated(account.password):
        hashed = await passwords.hashed(password)
        await world.store.commit(changes.change_account(account.key, password=hashed))
        account = replace(account, password=hashed)
    return account


async def _create(visitor: Visitor, rest: str) -> None:
    name, password = _name_and_password(rest, "create")
    await _check_free(visitor.world, name)
    if password:
        await _make(visitor, name, password)
    else:
        visitor.ask(lambda typed: _make(visitor, name, typed))


async def _check_free(world: World, name: str) -> None:
    changes.check_name(name)
    if fold(name).startswith("guest"):
        raise Illegal("names that begin with guest are for guests", given=name)
    if await world.store.account(name) is not None:
        raise Illegal(f"there is somebody called {name} already", given=name)


async def _make(visitor: Visitor, name: str, password: str) -> None:
    account = await made(visitor.world, name, password, visitor.address)
    visitor.tell(f"Welcome to this world, {name}. `help` lists what you can do.")
    await come_in(visitor, account)


async def made(world: World, name: str, password: str, address: str) -> Account:
    """A new account for somebody at an address."""
    world.attempts.check(address)
    await _check_free(world, name)
    hashed = await passwords.hashed(passwords.check(password))
    try:
        await world.store.commit(changes.add_account(name, "player", hashed, world.first_place))
    except Refused:
        if await world.store.account(name) is None:
            raise
        raise Illegal(f"there is somebody called {name} already", given=name) from None
    account = await world.store.account(name)
    assert account is not None
    return account


async def come_as_guest(visitor: Visitor) -> None:
    """Be nobody in particular in the world."""
    world = visitor.world
    free = next((f"Guest{n}" for n in range(1, GUESTS + 1) if not world.is_active(fold(f"Guest{n}"))), None)
    if free is None:
        raise Illegal(f"{GUESTS} guests are here already; please come back later")
    await come_in(visitor, Account(fold(free), free, "guest", None, world.first_place, None))


async def come_in(visitor: Visitor, account: Account) -> None:
    """Be somebody in the world, and where they last were."""
    world = visitor.world
    if len(world.connected(account.key)) >= MOST_CONNECTIONS:
        raise Illegal(f"{account.name} has {MOST_CONNECTIONS} connections open already", given=account.name)
    if account.place not in world.places:
        account = replace(account, place=world.first_place)
    if account.role != "guest":
        await world.store.commit(changes.change_account(account.key, seen=datetime.now(UTC), place=account.place))
    if visitor.gone:  # they have hung up while their password was checked
        return
    newly = not world.is_active(account.key)
    world.recognise(visitor, account)
    if newly and visitor.place is not None:
        world.tell_place(visitor.place.key, f"{account.name} has come in.", but=visitor)
    visitor.tell(world.look(visitor))
    world.remind(visitor)
