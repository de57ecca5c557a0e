"""The places of a world, their exits, and the listeners for changes there."""

from __future__ import annotations

import asyncio
from collections import UserDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from affray.world.store import statements
from affray.world.store.tables import Place, fold

if TYPE_CHECKING:
    from affray.world.world import World

FIRST_PLACES = {
    "Tavern": "Low beams, long tables, and in the middle a floor that has seen better days.",
    "Courtyard": "Cobblestones between high walls. A ring is chalked on them.",
    "Arena": "Sand, a wooden fence, and benches for those who would rather watch.",
}
FIRST_PLACE = "tavern"
FIRST_EXITS = (
    ("tavern", "out", "courtyard"),
    ("courtyard", "in", "tavern"),
    ("courtyard", "north", "arena"),
    ("arena", "south", "courtyard"),
)


def first_places() -> list[statements.Change]:
    """The statements that make the places of a new world."""
    places = [statements.add_place(name, description) for name, description in FIRST_PLACES.items()]
    return [*places, *(statements.add_exit(*way) for way in FIRST_EXITS)]


class Places(UserDict[str, Place]):
    """All places by their keys, as they were last read from the store."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self._listeners: list[Callable[[str], None]] = []
        self._changed: set[str] = set()
        self.furnishing = asyncio.Lock()
        """Held while a place is looked for or made, so that not many visitors make the same one."""

    @property
    def first(self) -> str | None:
        """Where new visitors begin."""
        return FIRST_PLACE if FIRST_PLACE in self else min(self, default=None)

    async def read(self) -> None:
        """Read them from the store."""
        self.data = await self._world.store.places()

    async def furnish(self, name: str, description: str, way: str, back: str) -> None:
        """Make a place, with a way to it from the first one and back."""
        key, first = fold(name), self.first
        there = {} if first is None else {back: first}
        ways = [] if first is None else [statements.add_exit(first, way, key), statements.add_exit(key, back, first)]
        await self._world.store.commit(statements.add_place(name, description), *ways)
        # The others are not read again: there may be thousands, and as many may be made one after another.
        self[key] = Place(key, name, description, there)
        if first is not None:
            self[first] = replace(self[first], exits={**self[first].exits, way: key})
        self._world.publish({"kind": "places"})
        self.changed("")

    async def have_changed(self) -> None:
        """Read them again after a change, and let listeners and other processes know."""
        await self.read()
        self._world.publish({"kind": "places"})
        self.changed("")

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call a function from now on with the key of each place in which the combat or the people have changed."""
        self._listeners.append(listener)

    def changed(self, place: str) -> None:
        """Report a change in a place: listeners are called once the current step is done."""
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._call)
        self._changed.add(place)

    def _call(self) -> None:
        changed, self._changed = self._changed, set()
        for place in changed:
            for listener in self._listeners:
                listener(place)
