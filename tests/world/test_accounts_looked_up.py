"""Whether accounts are still there is looked up for all connections together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affray.world.people import people as people_module
from affray.world.people.removal import remove_account

Crowds = Callable[..., Any]


async def test_one_query_serves_all(crowd: Crowds, monkeypatch: pytest.MonkeyPatch) -> None:
    async with crowd("Ann", "Bob") as people:
        asked: list[Sequence[str]] = []
        passwords = people.world.store.passwords

        async def counted(keys: Sequence[str]) -> dict[str, str | None]:
            asked.append(sorted(keys))
            return await passwords(keys)

        monkeypatch.setattr(people.world.store, "passwords", counted)
        monkeypatch.setattr(people_module, "STALE", 0.0)
        await people["Ann"]("look")
        monkeypatch.setattr(people_module, "STALE", 1e6)
        for name in ("Ann", "Bob", "Ann"):
            assert "Ways" in await people[name]("look")
        assert asked == [["ann", "bob"]]


async def test_newcomers_are_not_judged_by_what_was_looked_up_before_they_came(
    crowd: Crowds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with crowd("Ann", "Cora") as people:
        monkeypatch.setattr(people_module, "STALE", 0.0)
        await people["Ann"]("look")  # Bob is not among those who are looked up
        await people.make("Bob")
        passwords, answer = people.world.store.passwords, asyncio.Event()

        async def late(keys: Sequence[str]) -> dict[str, str | None]:
            found = await passwords(keys)
            await answer.wait()
            return found

        await remove_account(people.world.store, "cora")
        monkeypatch.setattr(people.world.store, "passwords", late)
        looking = asyncio.create_task(people["Ann"]("look"))
        await asyncio.sleep(0)
        monkeypatch.setattr(people_module, "STALE", 1e6)
        assert "Ways" in await people["Bob"]("look"), "while they are looked up again"
        answer.set()
        assert "Ways" in await looking
        assert "Ways" in await people["Bob"]("look")
        assert "please log in again" in await people["Cora"]("look")
