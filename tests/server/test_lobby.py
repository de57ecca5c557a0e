"""The lobby is shown also in the moment in which a player joins a fight."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

for needed in ("argon2", "msgspec"):
    pytest.importorskip(needed, reason="the server extra is not installed")

from affray.server.api.views import summary_of  # noqa: E402 - it needs them too
from affray.world.actions import creation  # noqa: E402
from affray.world.store import statements  # noqa: E402
from affray.world.world import World  # noqa: E402


async def joined_while_shown(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Who plays in a summary, if a player takes a seat while names are looked up."""
    world = await World.open("sqlite://")
    try:
        await world.store.commit(*(statements.add_account(name, "player", None, "tavern") for name in ("Ann", "Ben")))
        ann = world.arrive(lambda text: None, "here")
        account = await world.store.account("Ann")
        assert account is not None
        world.people.log_in(ann, account)
        seats = [creation.Seat("heroes", "player", creation.ME), creation.Seat("heroes", "player", creation.OFFERED)]
        combat = await creation.create(ann, "duel", "bgo", {}, seats)
        world.people.known_names.clear()  # so that names are looked up
        look_up = world.store.names

        async def meanwhile(keys: Sequence[str]) -> dict[str, str]:
            (_, offered) = combat.roster
            offered.player = "ben"
            return await look_up(keys)

        monkeypatch.setattr(world.store, "names", meanwhile)
        summary = await summary_of(world, combat, "setup")
        return [member.player for member in summary.teams["heroes"]]
    finally:
        await world.close()


def test_somebody_joins_while_the_lobby_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(joined_while_shown(monkeypatch)) == ["Ann", "Ben"]
