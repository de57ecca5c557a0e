"""Who is in a world, here and in other processes, and what is said and done in its places."""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from affray.errors import Refused
from affray.world.peers import Presence, Present
from affray.world.people.visitor import Visitor
from affray.world.store.tables import Account

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)

GONE = "gone"  # no hash is like this
STALE = 2.0
"""Seconds after which it is looked up whether accounts are still there."""

REMEMBERED = 100
"""How many lines are kept of each place, for visitors who arrive later."""

MOST_NAMES = 10_000
"""How many names of accounts are kept in memory."""


class People:
    """The visitors of a world, before and after they have logged in."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.visitors: list[Visitor] = []
        self.elsewhere = Presence()
        """Who is connected to other processes."""
        self._by_key: defaultdict[str, list[Visitor]] = defaultdict(list)
        self._in_place: defaultdict[str | None, dict[str, None]] = defaultdict(dict)
        """The keys of the accounts that are connected to this process, by the place where they are."""
        self.known_names: dict[str, str] = {}
        """The names of accounts that have been looked up, by their keys."""
        self._passwords: Mapping[str, str | None] = {}
        self._looked = time.monotonic()
        self._found = -math.inf  # when that was looked up which was found last
        self.said: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        """The last lines of each place, numbered."""

    def log_in(self, visitor: Visitor, account: Account) -> None:
        """Register a connection that has logged in to an account."""
        visitor.account, visitor.password, visitor.came = account, account.password, time.monotonic()
        self._by_key[account.key].append(visitor)
        self.known_names[account.key] = account.name
        self._in_place[account.place][account.key] = None
        self.changed(account.place)

    async def is_current(self, visitor: Visitor) -> bool:
        """Whether the account of a connection still has the password with which it has logged in.

        It may have been removed by another process. All connections are looked up together every few seconds.
        """
        if time.monotonic() - self._looked >= STALE and visitor.known and visitor.role != "guest":
            await self._look_up_passwords()
        return self._was_current(visitor)

    def is_surely_current(self, visitor: Visitor) -> bool:
        """Whether that is so by what was found a moment ago, which need not be looked up."""
        return time.monotonic() - self._looked < STALE and self._was_current(visitor)

    def _was_current(self, visitor: Visitor) -> bool:
        account = visitor.account
        # Those who came, or changed their password, after it was looked up are not in it.
        return (
            self._passwords.get(account.key, GONE) == visitor.password
            or visitor.came >= self._found
            or account.role == "guest"
            or not visitor.known
        )

    async def _look_up_passwords(self) -> None:
        """Others who ask meanwhile are answered by what was found before."""
        self._looked = now = time.monotonic()
        try:
            self._passwords = await self._world.store.passwords(list(self._by_key))
            self._found = now
        except Refused as problem:  # a store that cannot be read now says nothing about accounts
            log.debug("accounts could not be looked up: %s", problem)

    def leave(self, visitor: Visitor) -> None:
        """Remove a connection that has ended."""
        if visitor not in self.visitors:
            return
        self.visitors.remove(visitor)
        if not visitor.known:
            return
        self._by_key[visitor.key].remove(visitor)
        if self.connected(visitor.key):
            return
        del self._by_key[visitor.key]
        self._in_place[visitor.account.place].pop(visitor.key, None)
        self._world.combats.forget_watcher(visitor.key)
        if visitor.place is not None:
            self.changed(visitor.place.key)
            if not self.is_active(visitor.key):
                self.tell(visitor.place.key, f"{visitor.name} has left.")

    def tell(self, place: str, text: str, but: Visitor | None = None, account: str | None = None) -> None:
        """Tell everyone in a place, except one connection or all connections of an account."""
        self.remember(place, text)
        for visitor in self.in_place(place):
            if visitor is not but and visitor.key != account:
                visitor.tell(text, "said")
        self._world.publish({"kind": "said", "place": place, "text": text, "but": account})

    def call(self, key: str, text: str) -> None:
        """Tell an account something that concerns it alone, wherever it is connected."""
        for visitor in self.connected(key):
            visitor.tell(text, "call")
        self._world.publish({"kind": "call", "key": key, "text": text})

    def whisper(self, key: str, text: str) -> None:
        """Tell an account something that no one else hears, wherever it is connected; nothing of it is kept."""
        self.heard(key, text)
        self._world.publish({"kind": "whisper", "key": key, "text": text})

    def heard(self, key: str, text: str) -> None:
        """Tell the connections of an account to this process what was whispered."""
        for visitor in self.connected(key):
            visitor.tell(text, "said")

    def remember(self, place: str, text: str) -> None:
        """Keep a line of what is said in a place."""
        last = self.said[place][-1][0] if self.said[place] else 0
        self.said[place].append((last + 1, text))

    def connected(self, key: str) -> list[Visitor]:
        """The connections of an account to this process."""
        return list(self._by_key.get(key, ()))

    def reads_news(self, key: str) -> bool:
        """Whether a connection of an account to this process wants the news of its combats as text."""
        return any(visitor.reads_news for visitor in self._by_key.get(key, ()))

    async def names(self, keys: Iterable[str]) -> Mapping[str, str]:
        """The names of accounts by their keys; one that has been removed keeps its key as its name."""
        if len(self.known_names) > MOST_NAMES:
            self.known_names.clear()
        missing = [key for key in keys if key not in self.known_names]
        if missing:
            found = await self._world.store.names(missing)
            self.known_names |= {key: found.get(key, key) for key in missing}
        return self.known_names

    def is_active(self, key: str) -> bool:
        """Whether an account is connected, to this process or to another."""
        return key in self._by_key or key in self.elsewhere

    def in_place(self, place: str) -> list[Visitor]:
        """The connections to this process that are in a place."""
        return [visitor for key in self._in_place.get(place, ()) for visitor in self._by_key[key]]

    def here(self) -> dict[str, Present]:
        """The accounts that are connected to this process, by their keys."""
        firsts = [visitors[0].account for visitors in self._by_key.values() if visitors]
        return {a.key: Present(a.name, a.role, a.place) for a in firsts}

    def everybody(self) -> dict[str, Present]:
        """The accounts that are connected to any process, by their keys."""
        return self.elsewhere.people() | self.here()

    def who(self) -> str:
        """All connected accounts, with role and place."""
        seen = sorted(self.everybody().items())
        if not seen:
            return "No one is here."
        wide = max(len(person.name) for _, person in seen)
        rows = [(person, self._world.places.get(person.place or "")) for _, person in seen]
        return "\n".join(f"{p.name:{wide}}  {p.role:8} {place.name if place else 'nowhere'}" for p, place in rows)

    def names_in(self, place: str) -> dict[str, str]:
        """The names of all accounts in a place, by their keys."""
        names = {key: person.name for key, person in self.elsewhere.people().items() if person.place == place}
        names |= {key: self._by_key[key][0].name for key in self._in_place.get(place, ())}
        return dict(sorted(names.items()))

    def move(self, account: Account) -> None:
        """An account is in another place: all of its connections go there."""
        for connection in self.connected(account.key):
            self._take_to(connection, account)
            if connection.reads_news:
                connection.tell(connection.look())
        self.changed(account.place)
        self._world.publish({"kind": "account", "key": account.key})

    def promote(self, account: Account) -> None:
        """An account has another role."""
        for connection in self.connected(account.key):
            self._take_to(connection, account)
            connection.tell(f"You are now a {account.role}.", "call")
        self._world.publish({"kind": "account", "key": account.key})

    async def read_again(self, key: str) -> None:
        """Another process has changed an account: its connections here follow."""
        if (account := await self._world.store.account(key)) is not None:
            for visitor in self.connected(key):
                self._take_to(visitor, account)
                self.changed(account.place)

    def _take_to(self, visitor: Visitor, account: Account) -> None:
        """Give a connection the account as it is now, which may be in another place."""
        self.changed(visitor.account.place)
        self._in_place[visitor.account.place].pop(account.key, None)
        self._in_place[account.place][account.key] = None
        visitor.account = account

    def changed(self, place: str | None) -> None:
        """Let listeners and other processes know that an account has come to a place or left it."""
        if place is not None:
            self._world.places.changed(place)
        if self._world.peers is not None:
            self._world.peers.announce()
