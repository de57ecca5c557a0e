"""Several processes with one world in PostgreSQL, where nothing that they let each other know arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import pytest

from affray.kernel.chance import Seeded
from affray.world import sync
from affray.world.actions import creation, places
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Standing
from affray.world.combats.told import Told
from affray.world.peers import Hear, Message, Present
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.attributes import parse
from affray.world.world import World

SECONDS = 600  # before a test that hangs is a failure


class Deaf:
    """A way to other processes on which everything is lost."""

    async def listen(self, channel: str, hear: Hear, present: Callable[[], Mapping[str, Present]]) -> None:
        self.channel = channel

    def publish(self, message: Message) -> None: ...

    def announce(self) -> None: ...

    async def close(self) -> None: ...


@asynccontextmanager
async def two_worlds(url: str) -> AsyncIterator[tuple[World, World]]:
    first = await World.open(url, dice=lambda: Seeded(7), peers=Deaf())
    second = await World.open(url, dice=lambda: Seeded(7), peers=Deaf())
    await first.store.commit(*(statements.add_account(name, "player", None, "tavern") for name in ("Ann", "Ben")))
    try:
        yield first, second
    finally:
        await first.close()
        await second.close()


async def visitor(world: World, name: str) -> Visitor:
    account = await world.store.account(name)
    assert account is not None
    made = world.arrive(lambda text: None, "here")
    world.people.log_in(made, account)
    return made


async def hosted(by: Visitor) -> int:
    """A duel of bgo at a table of its own: its owner against a slime that moves by itself."""
    seats = [creation.Seat("heroes", "player", creation.ME), creation.Seat("monsters", "fire-slime", "always-attack")]
    combat = await creation.create(by, "duel", "bgo", {}, seats)
    await places.enter(by, combat.place)
    return combat.number


def decision_at(world: World, place: str) -> int:
    """The decision that is open in a place; 0 where there is no fight."""
    combat = world.combats.awake(place)
    return combat.fight.decision if combat and combat.fight else 0


def standing_at(world: World, place: str) -> Standing | None:
    return world.combats[place].standing if place in world.combats else None


async def comes_true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.01)


async def test_fights_that_are_made_at_the_same_moment_get_numbers_and_tables_of_their_own(postgres_url: str) -> None:
    async with two_worlds(postgres_url) as (first, second):
        ann, ben = await visitor(first, "Ann"), await visitor(second, "Ben")
        numbers = await asyncio.gather(*(hosted(who) for _ in range(4) for who in (ann, ben)))
        assert sorted(numbers) == list(range(1, 9))
        assert sorted(await first.store.versions()) == [f"table {n}" for n in range(1, 9)]
        for number in numbers:  # also where no message has come, and at a place that was not there before
            for one in (first, second):
                found = await one.combats.find(number)
                assert found is not None
                assert found[0].place in one.places


async def test_a_combat_of_another_process_holds_a_player_too(postgres_url: str) -> None:
    async with two_worlds(postgres_url) as (first, second):
        sheet = parse("mythos_sheet[STRING]=detective")
        await first.store.commit(statements.set_attribute("ann", sheet))
        ann = await visitor(first, "Ann")
        for line in ("combat init one mythos", "combat add me heroes", "go out"):
            await ann.hear(line)
        again = await visitor(second, "Ann")
        assert "tavern" not in second.combats, "or nothing is shown"
        for line in ("combat init two mythos", "combat add me heroes"):
            await again.hear(line)
        assert len(second.combats["courtyard"].roster) == 0


async def test_what_no_message_told_is_found_in_the_store(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "KEEP_UP", 0.05)
    async with two_worlds(postgres_url) as (first, second):
        ann = await visitor(first, "Ann")
        stirred: list[str] = []
        second.places.listen(stirred.append)
        number = await hosted(ann)
        await ann.hear("combat start")
        await comes_true(lambda: standing_at(second, "table 1") == standing_at(first, "table 1"))
        await ann.hear("combat move attack")
        known = first.combats.awake("table 1")
        assert known is not None
        await comes_true(lambda: second.combats["table 1"].version == known.version)
        assert standing_at(second, "table 1") == known.standing
        assert second.combats.awake("table 1") is None, "no one wants it there"
        async with second.combats.steady("table 1") as combat:
            assert combat is not None
            assert combat.number == number
            assert combat.status() == known.status()
        assert "table 1" in stirred
        await ann.hear("combat end")
        await comes_true(lambda: "table 1" not in second.combats)


async def test_computers_of_a_process_that_is_gone_are_moved_by_another(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "KEEP_UP", 0.05)
    monkeypatch.setattr(autoplay, "TAKE_OVER", 0.1)
    async with two_worlds(postgres_url) as (first, second):
        ann = await visitor(first, "Ann")
        await hosted(ann)

        play, moved = autoplay.play, autoplay.moved

        async def only_in_the_second(world: World, combat: Combat) -> bool:
            return world is second and await play(world, combat)

        def only_by_the_second(combat: Combat) -> Told:
            return moved(combat) if second.combats.get(combat.place) is combat else Told()

        monkeypatch.setattr(autoplay, "play", only_in_the_second)
        monkeypatch.setattr(autoplay, "moved", only_by_the_second)
        await ann.hear("combat start")
        await ann.hear("combat move attack")
        await comes_true(lambda: decision_at(second, "table 1") == 2)
        assert {entry["who"] for entry in await second.store.answers(1)} == {"ann", "fire-slime"}


async def test_processes_of_one_world_share_a_channel_that_no_other_world_has(postgres_url: str) -> None:
    async with two_worlds(postgres_url) as (first, second):
        names = {one.peers.channel for one in (first, second) if isinstance(one.peers, Deaf)}
        assert len(names) == 1
        assert all(len(name) >= 16 for name in names)


async def test_a_journey_goes_on_in_another_process_and_so_do_its_computer_players(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "KEEP_UP", 0.05)
    monkeypatch.setattr(autoplay, "TAKE_OVER", 0.05)
    async with two_worlds(postgres_url) as (first, second):
        ann, ben = await visitor(first, "Ann"), await visitor(second, "Ben")
        await ann.hear("journey init race")
        await ben.hear("journey join")
        for line in ("join", "add_npc Rival player", "auto Rival cautious", "start"):
            await ann.hear(f"journey {line}")
        await comes_true(lambda: decision_at(second, "tavern") == 1)
        await ben.hear("journey move roll")
        await comes_true(lambda: decision_at(first, "tavern") == 2)
        await ben.hear("journey leave")  # in the midst of a turn or not: Ann is asked next, or has to wait for nobody
        await comes_true(lambda: [one.player for one in first.combats["tavern"].awaited()] == ["ann"])
        here, there = (lambda one=one: one.combats["tavern"] for one in (first, second))  # either may read it anew
        await comes_true(lambda: here().version == there().version)
        assert here().status() == there().status()
