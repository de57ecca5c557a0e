"""When the store fails: the player is told, nothing has changed, and play goes on when it works again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from affray.errors import Illegal
from affray.kernel.chance import Seeded
from affray.world import sync
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.told import Told
from affray.world.people import people as people_module
from affray.world.people.visitor import Visitor
from affray.world.store import Store
from affray.world.store.database import Statement
from affray.world.world import World

# Has the database refuse whatever a computer fighter does, so that it fails between a player's move and the next.
NO_AUTO = """
CREATE TRIGGER no_auto BEFORE INSERT ON answers WHEN NEW.entry LIKE '%"by":"auto"%'
BEGIN SELECT RAISE(ABORT, 'out of order'); END
"""


@dataclass
class Player:
    """A visitor, and what they were told since they last spoke."""

    world: World
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.visitor: Visitor = self.world.arrive(self.told.append, "here")

    async def say(self, line: str) -> str:
        self.told.clear()
        await self.visitor.hear(line)
        return self.heard()

    def heard(self) -> str:
        return "\n".join(self.told)


async def ann(world: World) -> Player:
    """A player who is in a started combat against a goblin."""
    player = Player(world)
    await player.say("create Ann open-sesame")
    for skill, name in ((4, "ac"), (3, "co"), (2, "en")):
        await player.say(f"set_attr me grapple_skill{skill}[STRING]={name}")
    for name, value in {"apMaxSize": 10, "ad": 6, "sd": 0, "defense": 3, "maxWounds": 3}.items():
        await player.say(f"set_attr me grapple_{name}[INTEGER]={value}")
    for line in ("combat init brawl", "combat add me heroes", "combat add_npc goblin ::en:6:1:2:3:2 monsters"):
        await player.say(line)
    assert "+ Combat has started!" in await player.say("combat start heroes")
    return player


async def set_writable(store: Store, writable: bool) -> None:
    """Have SQLite refuse to write, as it does on a disk that has become read-only, or write again."""
    database: Any = store._database
    only = "OFF" if writable else "ON"
    await database._in_thread(lambda: database._connection.execute(f"PRAGMA query_only = {only}"))


async def stored_moves(store: Store) -> list[str]:
    return [f"{entry['who']} {entry['move']}" for entry in await store.answers(1)]


async def test_a_move_that_is_not_kept_is_not_made(sqlite_url: str) -> None:
    world = await World.open(sqlite_url)
    player = await ann(world)
    before = await player.say("combat status")
    await set_writable(world.store, False)
    sentence = "has not saved this: attempt to write a readonly database."
    for line in ("combat move maneuver 3 co", "combat move catch breath", "combat save", "combat auto goblin striker"):
        told = await player.say(line)
        assert told.endswith(sentence)
        assert "moves" not in told
    await set_writable(world.store, True)
    assert await player.say("combat status") == before
    assert await player.say("combat restore") == "There is no saved state of this combat."
    assert "+ Ann moves: " in await player.say("combat move maneuver 1 ac")
    assert "+ goblin moves: " in await player.say("combat move_npc goblin catch breath")
    assert await stored_moves(world.store) == ["Ann maneuver 1 ac", "goblin catch breath"]
    now = await player.say("combat status")
    await world.close()
    world = await World.open(sqlite_url)
    again = Player(world)
    await again.say("connect Ann open-sesame")
    assert await again.say("combat status") == now
    await world.close()


async def test_setting_up_and_ending_are_kept_whole_or_not_at_all(sqlite_url: str) -> None:
    world = await World.open(sqlite_url)
    player = await ann(world)
    await player.say("combat move maneuver 1 ac")
    for line in ("combat undo", "combat end"):
        await set_writable(world.store, False)
        before = world.combats["tavern"].status("ann")
        assert "has not saved this" in await player.say(line)
        await set_writable(world.store, True)
        assert await player.say("combat status") == before
    assert "+ Combat has ended." in await player.say("combat end")
    await set_writable(world.store, False)
    assert "has not saved this" in await player.say("combat init second")
    await set_writable(world.store, True)
    assert (await player.say("combat status")).startswith("There is no combat at Tavern")
    assert (await player.say("combat init second")).startswith("Created combat second")
    await set_writable(world.store, False)
    assert "has not saved this" in await player.say("combat add me heroes")
    await set_writable(world.store, True)
    assert await player.say("combat status") == "Players are still being added."
    await world.close()


async def test_a_move_whose_answer_cannot_be_kept_is_not_made(sqlite_url: str) -> None:
    world = await World.open(sqlite_url)
    player = await ann(world)
    await player.say("combat auto goblin striker")
    before = await player.say("combat status")
    await world.store.commit(Statement(NO_AUTO))
    told = await player.say("combat move maneuver 3 co")
    assert "moves: " not in told
    assert "does not fit" in told
    assert await player.say("combat status") == before
    await world.store.commit(Statement("DROP TRIGGER no_auto"))
    told = await player.say("combat move maneuver 3 co")
    assert "+ Ann moves: " in told
    assert "+ goblin moves: " in told
    assert [entry["by"] for entry in await world.store.answers(1)] == ["ann", "auto"]
    await world.close()


async def test_a_move_is_not_made_where_the_computers_answer_is_refused(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tactic that a system gets wrong must not leave behind a move that nobody was told of."""
    world = await World.open(sqlite_url)
    player = await ann(world)
    await player.say("combat auto goblin striker")
    before = await player.say("combat status")

    def refused(combat: Combat) -> Told:
        raise Illegal("the goblin does not know what to do")

    with monkeypatch.context() as broken:
        broken.setattr(autoplay, "moved", refused)
        assert await player.say("combat move maneuver 3 co") == "The goblin does not know what to do."
    assert await player.say("combat status") == before
    assert await stored_moves(world.store) == []
    assert "+ goblin moves: " in await player.say("combat move maneuver 3 co")
    await world.close()


async def test_computer_fighters_wait_until_moves_can_be_kept(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autoplay, "MOVES_AT_ONCE", 0)  # so that all of them come afterwards
    world = await World.open(sqlite_url)
    player = await ann(world)
    await player.say("combat auto goblin striker")
    await world.store.commit(Statement(NO_AUTO))
    await player.say("combat move maneuver 3 co")
    monkeypatch.setattr(autoplay, "MOVES_AT_ONCE", 20)
    async with asyncio.timeout(600):
        while "cannot move now" not in (told := player.heard()):
            await asyncio.sleep(0.01)
        assert "+ goblin moves: " not in told
        await world.store.commit(Statement("DROP TRIGGER no_auto"))
        await player.say("combat status")
        while "+ goblin moves: " not in player.heard():
            await asyncio.sleep(0.01)
    assert [entry["by"] for entry in await world.store.answers(1)] == ["ann", "auto"]
    await world.close()


async def test_a_connection_that_breaks_between_two_moves_is_made_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "KEEP_UP", 1e6)  # so that it is the move that finds the connection lost
    monkeypatch.setattr(people_module, "STALE", 1e6)
    world = await World.open(postgres_url)
    player = await ann(world)
    async with await Store.open(postgres_url, exclusive=False) as killer:
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        await killer.commit(Statement(f"SELECT pg_terminate_backend(pid) {others}"))
    assert "+ Ann moves: " in await player.say("combat move maneuver 3 co")
    assert await stored_moves(world.store) == ["Ann maneuver 3 co"]
    await world.close()


async def test_computer_fighters_go_on_by_themselves_once_the_store_works_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "MOVES_AT_ONCE", 0)  # so that all of them come afterwards
    monkeypatch.setattr(autoplay, "TRY_AGAIN", 0.01)
    world = await World.open(sqlite_url)
    player = await ann(world)
    await player.say("combat auto goblin striker")
    play = autoplay.play

    async def on_a_full_disk(world: World, combat: Combat) -> bool:
        await set_writable(world.store, False)
        monkeypatch.setattr(autoplay, "MOVES_AT_ONCE", 20)
        return await play(world, combat)

    monkeypatch.setattr(autoplay, "play", on_a_full_disk)
    await player.say("combat move maneuver 3 co")
    async with asyncio.timeout(600):
        while "They try again by themselves" not in player.heard():
            await asyncio.sleep(0.01)
        monkeypatch.setattr(autoplay, "play", play)
        assert "+ goblin moves: " not in player.heard()
        await set_writable(world.store, True)
        while "+ goblin moves: " not in player.heard():
            await asyncio.sleep(0.01)
    assert player.heard().count("cannot move now") == 1
    assert [entry["by"] for entry in await world.store.answers(1)] == ["ann", "auto"]
    await world.close()


async def test_an_answer_on_a_journey_is_kept_with_what_its_creature_chose_or_not_at_all(sqlite_url: str) -> None:
    world = await World.open(sqlite_url, dice=lambda: Seeded(19))
    player = Player(world)
    await player.say("create Ann open-sesame")
    options = "encounter_rate=100 rest_rate=0 find_rate=0 boon_rate=0 curse_rate=0"
    for line in (f"init race {options}", "join", "start", "move roll"):
        before = await player.say(f"journey {line}")
    assert "Ann fights" in before
    before = await player.say("journey status")
    await world.store.commit(Statement(NO_AUTO))
    assert (await player.say("journey move attack")).endswith("out of order.")
    assert await player.say("journey status") == before
    assert [entry["answer"] for entry in await world.store.answers(1)] == ["roll"]
    await world.store.commit(Statement("DROP TRIGGER no_auto"))
    assert "+ Ann attacks." in await player.say("journey move attack")
    await world.close()
