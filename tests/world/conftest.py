"""Gives each test a store of its own on each database, and people in a world; runs tests that are coroutines."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import argon2
import pytest

from affray.kernel.chance import Physical, Seeded
from affray.world import sync
from affray.world.people import passwords
from affray.world.people import people as people_module
from affray.world.store import statements
from affray.world.store.attributes import parse
from affray.world.store.tables import Role, fold
from affray.world.world import World


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def test_...` runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """An address at which a SQLite world can be made."""
    return f"sqlite:///{tmp_path / 'world.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """An address at which no world is yet, on each database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


# --- people in a world ------------------------------------------------------------------------------------------------

PASSWORD = "open sesame"
# The same hashes with next to no work, so that hundreds of people can log in to the tests.
_quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
_HASH = _quick.hash(PASSWORD)
STATS = {
    "grapple_skill4[STRING]": "Accuracy",
    "grapple_skill3[STRING]": "Courage",
    "grapple_skill2[STRING]": "Endurance",
    "grapple_apMaxSize[INTEGER]": "10",
    "grapple_ad[INTEGER]": "6",
    "grapple_sd[INTEGER]": "0",
    "grapple_defense[INTEGER]": "3",
    "grapple_maxWounds[INTEGER]": "3",
}


class Person:
    """A person at a keyboard: `await person(line)` types a line and gives what they were told while it was obeyed."""

    def __init__(self, world: World, address: str) -> None:
        self.told: list[str] = []
        self.visitor = world.arrive(self.told.append, address)

    async def __call__(self, line: str) -> str:
        self.told.clear()
        await self.visitor.hear(line)
        return self.news()

    def news(self) -> str:
        """What they were told since the last look."""
        text = "\n".join(self.told)
        self.told.clear()
        return text


class Crowd:
    """A world with people in it, by name; guests are called Guest1 and so on."""

    hash = _HASH

    def __init__(self, world: World, url: str, dice: Callable[[], Physical]) -> None:
        self.world, self.url, self.dice = world, url, dice
        self.people: dict[str, Person] = {}

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    async def make(self, name: str, role: Role = "player", place: str = "tavern") -> Person:
        """A new account with the document's stats, logged in."""
        account = statements.add_account(name, role, _HASH, place)
        stats = [statements.set_attribute(fold(name), parse(f"{key}={value}")) for key, value in STATS.items()]
        await self.world.store.commit(account, *stats)
        return await self.enter(name)

    async def enter(self, name: str) -> Person:
        """An account logs in; its earlier connections stay open."""
        person = self.people[name] = Person(self.world, "10.0.0.1")
        await person("guest" if name.startswith("Guest") else f"connect {name} {PASSWORD}")
        assert person.visitor.name == name
        self.hush()
        return person

    async def leave(self, name: str) -> None:
        """A connection breaks."""
        await self.people.pop(name).visitor.leave()

    def hush(self) -> None:
        """Forget what everybody was told so far."""
        for person in self.people.values():
            person.told.clear()

    async def restart(self) -> None:
        """Close the world, open it again, and let the same people in."""
        names = sorted(self.people)  # guests are numbered in the order in which they come
        self.people.clear()
        await self.world.close()
        self.world = await World.open(self.url, dice=self.dice)
        for name in names:
            await self.enter(name)

    async def awake(self, place: str = "tavern") -> Any:
        """The combat in a place, which may be asleep."""
        async with self.world.combats.steady(place) as combat:
            return combat

    async def settled(self) -> None:
        """Wait until computer fighters have moved as far as they can."""
        while tasks := [task for task in self.world.background._tasks if "combat" in task.get_name()]:
            await asyncio.gather(*tasks)


NEVER = 1e6  # seconds


def _seeded() -> Physical:
    return Seeded(7)


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AbstractAsyncContextManager[Crowd]]:
    """`async with crowd("Ahalish", "Guest1", wizards=["Merlin"]) as people:` gives a world with them in its Tavern.

    What a world looks up every few seconds it does not look up by itself, so that nothing depends on the clock.
    """
    monkeypatch.setattr(passwords, "hasher", lambda: _quick)
    monkeypatch.setattr(sync, "KEEP_UP", NEVER)
    monkeypatch.setattr(people_module, "STALE", NEVER)

    @asynccontextmanager
    async def gather(
        *names: str, wizards: Sequence[str] = (), url: str = "sqlite://", dice: Callable[[], Physical] = _seeded
    ) -> AsyncIterator[Crowd]:
        people = Crowd(await World.open(url, dice=dice), url, dice)
        try:
            for name in names:
                await (people.enter(name) if name.startswith("Guest") else people.make(name))
            for name in wizards:
                await people.make(name, "wizard")
            people.hush()
            yield people
        finally:
            await people.world.close()

    return gather
