"""Other processes that have the same world: what they let each other know, and who is connected to them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from affray.world.store.tables import Role

Message = dict[str, Any]
"""What one process lets the others know: its `kind`, and what belongs to that."""

Hear = Callable[[str, Message], Awaitable[None]]
FORGOTTEN = 30.0  # seconds after which a process that says nothing is taken for dead


class Present(NamedTuple):
    """An account that is connected: its name, its role, and where it is."""

    name: str
    role: Role
    place: str | None


class Peers(Protocol):
    """The way to the other processes of a world. Nothing is certain to arrive: the store alone is what counts."""

    async def listen(self, channel: str, hear: Hear, present: Callable[[], Mapping[str, Present]]) -> None:
        """Hear from now on what others let know on a channel, and let them know who is here."""

    def publish(self, message: Message) -> None:
        """Let all others know."""

    def announce(self) -> None:
        """Let all others know, in a moment, who is connected here."""

    async def close(self) -> None:
        """Say goodbye."""


class Presence:
    """Who is connected to other processes, as far as those have said so recently."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[str, tuple[float, dict[str, Present]]] = {}

    def update(self, process: str, people: Mapping[str, Sequence[Any]]) -> set[str]:
        """Take in who is connected to a process; the places where accounts have come or gone by that."""
        before = self.people()
        self._said[process] = self._clock(), {key: Present(*person) for key, person in people.items()}
        return self._changed_since(before)

    def forget(self) -> set[str]:
        """Take processes that say nothing for dead; the places where accounts have gone by that."""
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
