"""Login to a world: connecting to an account, creating one, or entering as a guest."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from affray.errors import Illegal, Refused
from affray.world.combats import news
from affray.world.people import passwords
from affray.world.store import statements
from affray.world.store.tables import Account, fold

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World

FAILURES = 5
WINDOW = 300.0  # seconds
GUESTS = 50
MOST_CONNECTIONS = 5
COMMANDS = """\
connect NAME     log in; you are asked for your password
create NAME      create an account; you are asked for a password
guest            look around without an account
who              see who is here
quit             leave"""


class WrongPassword(Illegal):
    """A name and a password that do not match."""


class TooManyAttempts(Illegal):
    """A login from an address with too many failed logins."""


class Attempts:
    """Failed logins by address: after too many within a time window, the address is refused for as long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: dict[str, deque[float]] = {}

    def check(self, address: str) -> None:
        """Refuse an address that has failed too often."""
        failed = self._recent(address)
        if len(failed) >= FAILURES:
            wait = int(failed[0] + WINDOW - self._clock()) + 1
            raise TooManyAttempts(f"{FAILURES} log-ins from your address have failed; try again in {wait} seconds")

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
    """Handle a line from a visitor who has not logged in yet."""
    word, _, rest = line.strip().partition(" ")
    match word.casefold():
        case "":
            return
        case "connect" | "create" as what:
            await _come_in(visitor, what, rest)
        case "guest":
            await enter_as_guest(visitor)
        case "who":
            visitor.tell(visitor.world.people.who())
        case "help":
            visitor.tell(COMMANDS)
        case "quit":
            visitor.gone = True
        case _:
            raise Illegal(f"{word[:40]!r} is not a command before you log in. You can type:\n{COMMANDS}", given=word)


async def _come_in(visitor: Visitor, word: str, rest: str) -> None:
    """Connect to an account, or create one; ask for the password if it does not follow the name."""
    name, _, password = rest.strip().partition(" ")
    if not name:
        raise Illegal(f"{word} needs a name:  {word} NAME", given=rest)
    come_in = _log_in if word == "connect" else _make
    if word == "connect":
        visitor.world.attempts.check(visitor.address)
    else:
        await _check_free(visitor.world, name)
    if password.strip():
        await come_in(visitor, name, password.strip())
    else:
        visitor.ask(lambda typed: come_in(visitor, name, typed))


async def _log_in(visitor: Visitor, name: str, password: str) -> None:
    await enter(visitor, await authenticate(visitor.world, name, password, visitor.address))


async def authenticate(world: World, name: str, password: str, address: str) -> Account:
    """The account of a name, if the password matches; failures count against the address."""
    world.attempts.check(address)
    account = await world.store.account(name)
    if not await passwords.fits(password, account.password if account else None) or account is None:
        world.attempts.failed(address)
        raise WrongPassword("that name and password do not match", given=name)
    if account.password is not None and passwords.outdated(account.password):
        hashed = await passwords.hashed(password)
        await world.store.commit(statements.change_account(account.key, password=hashed))
        account = replace(account, password=hashed)
    return account


async def _check_free(world: World, name: str) -> None:
    statements.check_name(name)
    if fold(name).startswith("guest"):
        raise Illegal("names that begin with guest are for guests", given=name)
    if await world.store.account(name) is not None:
        raise Illegal(f"there is already an account {name}", given=name)


async def _make(visitor: Visitor, name: str, password: str) -> None:
    account = await create_account(visitor.world, name, password, visitor.address)
    visitor.tell(f"Welcome to this world, {name}. `help` lists the commands.")
    await enter(visitor, account)


async def create_account(world: World, name: str, password: str, address: str) -> Account:
    """A new account, made from an address."""
    world.attempts.check(address)
    await _check_free(world, name)
    hashed = await passwords.hashed(passwords.check(password))
    try:
        await world.store.commit(statements.add_account(name, "player", hashed, world.places.first))
    except Refused:
        await _check_free(world, name)  # it may have been made meanwhile
        raise
    account = await world.store.account(name)
    assert account is not None
    return account


async def enter_as_guest(visitor: Visitor) -> None:
    """Let a visitor in as a guest."""
    world = visitor.world
    free = next((f"Guest{n}" for n in range(1, GUESTS + 1) if not world.people.is_active(fold(f"Guest{n}"))), None)
    if free is None:
        raise Illegal(f"there are already {GUESTS} guests here; please come back later")
    await enter(visitor, Account(fold(free), free, "guest", None, world.places.first, None))


async def enter(visitor: Visitor, account: Account) -> None:
    """Let a visitor in as an account, at its last place."""
    world = visitor.world
    if len(world.people.connected(account.key)) >= MOST_CONNECTIONS:
        raise Illegal(f"{account.name} already has {MOST_CONNECTIONS} open connections", given=account.name)
    if account.place not in world.places:
        account = replace(account, place=world.places.first)
    if account.role != "guest":
        await world.store.commit(statements.change_account(account.key, seen=datetime.now(UTC), place=account.place))
    if visitor.gone:  # they disconnected while their password was checked
        return
    newly = not world.people.is_active(account.key)
    world.people.log_in(visitor, account)
    if newly and visitor.place is not None:
        world.people.tell(visitor.place.key, f"{account.name} has arrived.", but=visitor)
    if visitor.reads_news:
        visitor.tell(visitor.look())
        news.remind(visitor)
