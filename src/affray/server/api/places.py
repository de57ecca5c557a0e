"""What wizards do with places: make ways and describe what is there."""

from __future__ import annotations

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import NotFound, Routes
from affray.world.actions import places

routes = Routes("/api/places", "places")


def _known(player: Caller, key: str) -> str:
    if key not in player.world.places:
        raise NotFound(f"there is no place {key}")
    return key


@routes.post("/{key:str}/ways", places.dig)
async def dig(player: Caller, key: str, data: m.WayDug) -> m.Said:
    """Make a way to another place, which is created if needed, and one back."""
    await places.dig(player, _known(player, key), data.way, data.back, data.name)
    return m.Said("\n".join(player.told))


@routes.put("/{key:str}", places.describe)
async def describe(player: Caller, key: str, data: m.Description) -> m.Said:
    """Describe a place."""
    await places.describe(player, _known(player, key), data.text)
    return m.Said(player.world.places[key].description)
