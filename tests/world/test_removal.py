"""Removing an account: what becomes of its seats, its combats, its connections, and of a new account of its name."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("argon2", reason="the server extra is not installed")

from affray.world import sync
from affray.world.people import people as people_module
from affray.world.people.removal import Effect, effects, remove_account
from affray.world.store import Overtaken, Store, statements

GOBLIN = "::en:6:1:2:3:2"
Crowds = Any


async def brawl(people: Any, *lines: str) -> None:
    """Ahalish, who owns the combat and moves first, against Bob and a goblin."""
    for line in ("init brawl", "add me heroes", "add Bob monsters", f"add_npc goblin1 {GOBLIN} monsters", *lines):
        await people["Ahalish"](f"combat {line}")


def players(people: Any) -> dict[str, str | None]:
    return {member.name: member.player for member in people.world.combats["tavern"].roster}


async def test_the_account_and_its_attributes_are_gone(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", "Bob", url=store_url) as people:
        store = people.world.store
        assert await store.attributes("bob")
        assert await remove_account(store, "bob") == []
        assert await store.account("Bob") is None
        assert await store.attributes("bob") == {}
        assert await store.account("Ahalish") is not None


async def test_seats_become_npcs_that_the_owner_moves(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", "Bob", url=store_url) as people:
        await brawl(people, "start heroes", "move c")
        await people.leave("Bob")
        ((row, owner),) = await remove_account(people.world.store, "bob")
        assert (row.name, owner) == ("brawl", "ahalish")
        await sync.catch_up(people.world)
        assert players(people) == {"Ahalish": "ahalish", "Bob": None, "goblin1": None}
        assert "+ Bob moves" in await people["Ahalish"]("combat move_npc Bob c")


async def test_a_server_notices_at_the_next_change_at_the_latest(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await brawl(people, "start heroes", "move c")
        await remove_account(people.world.store, "bob")
        assert players(people)["Bob"] == "bob"
        assert "+ Bob moves" in await people["Ahalish"]("combat move_npc Bob c")
        assert players(people)["Bob"] is None


async def test_a_combat_goes_to_the_first_other_player(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await brawl(people, "add Cora heroes", "start heroes")
        await people.leave("Ahalish")
        (effect,) = await effects(people.world.store, "ahalish")
        assert effect.owner == "cora"  # on the first team
        assert [effect] == await remove_account(people.world.store, "ahalish")
        await sync.catch_up(people.world)
        assert "+ Ahalish moves" in await people["Cora"]("combat move_npc Ahalish c")
        assert "Ended and removed" in await people["Cora"]("combat end")


async def test_a_combat_without_another_player_is_ended(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await brawl(people, "remove Bob", "start heroes")
        number = people.world.combats["tavern"].number
        await people.leave("Ahalish")
        ((_, owner),) = await remove_account(people.world.store, "ahalish")
        assert owner is None
        await sync.catch_up(people.world)
        assert "There is no combat at Tavern" in await people["Bob"]("combat move c")
        row = await people.world.store.combat(number)
        assert row is not None
        assert (row.phase, row.owner) == ("ended", "ahalish")
        assert "Combat has started" in await people["Bob"](f"combat log {number} all")


async def test_a_new_account_of_the_same_name_inherits_nothing(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await brawl(people, "start heroes", "save", "move c")
        await people.leave("Bob")
        await remove_account(people.world.store, "bob")
        newcomer = await people.make("Bob")
        assert "does not take part" in await newcomer("combat move c")
        assert "Combat restored" in await people["Ahalish"]("combat restore")
        assert players(people)["Bob"] is None


async def test_a_damaged_saved_state_is_not_sealed_again(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await brawl(people, "start heroes", "save")
        combat, store = people.world.combats["tavern"], people.world.store
        damaged = combat.saved.replace("goblin1", "goblin2")
        await people.world.combats.store(combat, statements.change_combat(combat.number, saved=damaged))
        await remove_account(store, "bob")
        row = await store.combat(combat.number)
        assert row is not None
        assert row.saved == damaged


async def test_a_server_that_changes_the_combat_meanwhile_is_waited_for(
    crowd: Crowds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await brawl(people, "start heroes")
        commit, refused = Store.commit, iter([True, True, False])

        async def late(self: Store, *changes: statements.Change) -> None:
            if next(refused, False):
                raise Overtaken("combat 1 has changed in the meantime")
            await commit(self, *changes)

        monkeypatch.setattr(Store, "commit", late)
        assert [effect.owner for effect in await remove_account(people.world.store, "bob")] == ["ahalish"]
        assert isinstance((await effects(people.world.store, "ahalish"))[0], Effect)
        assert await people.world.store.account("bob") is None


@pytest.mark.parametrize("again", [False, True])
async def test_its_connections_are_closed(crowd: Crowds, monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    monkeypatch.setattr(people_module, "STALE", 0)
    async with crowd("Ahalish", "Bob") as people:
        bob = people["Bob"]
        assert "Ways" in await bob("look")
        await remove_account(people.world.store, "bob")
        if again:  # also where another person has made an account of that name in the meantime
            await people.world.store.commit(statements.add_account("Bob", "player", "another hash", "tavern"))
        assert (await bob("say hello")).startswith("Your account has been removed, or its password has changed")
        assert bob.visitor.gone
        assert people["Ahalish"].news() == ""


async def test_a_player_who_changes_the_password_stays(crowd: Crowds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_module, "STALE", 0)
    async with crowd("Ahalish") as people:
        await people["Ahalish"]("password")
        assert await people["Ahalish"]("another password") == "Your password has been changed."
        assert "Ways" in await people["Ahalish"]("look")
