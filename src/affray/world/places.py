"""The places of a world and the ways between them."""

from __future__ import annotations

from collections import UserDict
from typing import TYPE_CHECKING

from affray.world.store import statements
from affray.world.store.tables import Place

if TYPE_CHECKING:
    from affray.world.world import World

FIRST_PLACES = {
    "Tavern": "Low beams, long tables, and in the middle a floor that has seen better days.",
    "Courtyard": "Cobblestones between high walls. Somebody has chalked a ring on them.",
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

    @property
    def first(self) -> str | None:
        """Where new visitors begin."""
        return FIRST_PLACE if FIRST_PLACE in self else min(self, default=None)

    async def read(self) -> None:
        """Read them from the store."""
        self.data = await self._world.store.places()

    async def have_changed(self) -> None:
        """Read them again after a change, and let listeners and other processes know."""
        await self.read()
        self._world.publish({"kind": "places"})
        self._world.listeners.changed("")
