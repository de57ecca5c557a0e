"""Other processes that serve the same world: the messages between them, and who is connected to them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from affray.world.store.tables import Role

Message = dict[str, Any]
"""A message from one process to the others: its `kind` and its content."""

Hear = Callable[[str, Message], Awaitable[None]]
FORGOTTEN = 30.0  # seconds after which a silent process counts as dead


class Present(NamedTuple):
    """An account that is connected: its name, its role, and where it is."""

    name: str
    role: Role
    place: str | None


class Peers(Protocol):
    """The channel to the other processes of a world. Messages may be lost: only the store is authoritative."""

    async def listen(self, channel: str, hear: Hear, present: Callable[[], Mapping[str, Present]]) -> None:
        """Receive the others' messages on a channel from now on, and announce who is connected here."""

    def publish(self, message: Message) -> None:
        """Send a message to all others."""

    def announce(self) -> None:
        """Announce to all others, after a moment, who is connected here."""

    async def close(self) -> None:
        """Announce that this process ends."""


class Presence:
    """Who is connected to other processes, as far as those have said so recently."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[str, tuple[float, dict[str, Present]]] = {}

    def update(self, process: str, people: Mapping[str, Sequence[Any]]) -> set[str]:
        """Update who is connected to a process; returns the places where accounts have come or gone."""
        before = self.people()
        self._said[process] = self._clock(), {key: Present(*person) for key, person in people.items()}
        return self._changed_since(before)

    def forget(self) -> set[str]:
        """Drop silent processes; returns the places where accounts have gone."""
        before = self.people()
        oldest = self._clock() - FORGOTTEN
        self._said = {process: said for process, said in self._said.items() if said[0] >= oldest}
        return self._changed_since(before)

    def _changed_since(self, before: Mapping[str, Present]) -> set[str]:
        changed = before.items() ^ self.people().items()
        return {person.place for _, person in changed if person.place is not None}

    def people(self) -> dict[str, Present]:
        """The accounts that are connected to other processes, by their keys."""
        return {key: person for _, people in self._said.values() for key, person in people.items()}

    def __contains__(self, key: str) -> bool:
        return any(key in people for _, people in self._said.values())
