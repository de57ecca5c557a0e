"""What stored fights cost a server: how soon it starts with ten thousand of them, and what it keeps in memory."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from affray.world.actions import creation, fights
from affray.world.actions.acting import At
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import Account
from affray.world.world import World
from benchmarks.clients import SYSTEMS
from benchmarks.serving import client, come_in, serving

FIGHTS = 10_000  # that have not been ended, which cost more
CHURN = 2_000
WARM_UP = 200  # fights after which a server has in memory what every fight needs
MOVES = 10  # of each fight, before it is copied


class Stored(NamedTuple):
    """Seconds until a server answers, and megabytes then: with an empty world, and with all fights."""

    empty_start: float
    start: float
    empty_memory: float
    memory: float


class Churned(NamedTuple):
    """Megabytes after a few fights have been created and ended, and after many."""

    few: float
    many: float


def stored() -> Stored:
    """Measure servers in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_stored(Path(folder)))


async def _stored(folder: Path) -> Stored:
    empty_start, empty_memory = await _started(folder / "empty.db")
    await _furnish(folder / "full.db")
    start, memory = await _started(folder / "full.db")
    return Stored(empty_start, start, empty_memory, memory)


async def _started(store: Path) -> tuple[float, float]:
    """Seconds until the best of three servers answers, and its megabytes."""
    measured = []
    for _ in range(3):
        begun = time.perf_counter()
        async with serving(store, "--web", "127.0.0.1:0") as server, client(server) as http:
            (await http.get("/health")).raise_for_status()
            measured.append((time.perf_counter() - begun, server.memory()))
    return min(measured)


# --- a world with many fights -----------------------------------------------------------------------------------------


async def _furnish(store: Path) -> None:
    """A fight of each system after some moves, and many copies, each in a place of its own."""
    world = await World.open(str(store))
    try:
        await world.store.commit(statements.add_account("Ann", "wizard", None, world.places.first))
        for system in SYSTEMS:
            await _fought(world, system)
        rows = await world.store.everything()
        answers: dict[int, list[dict[str, Any]]] = {}
        for answer in rows["answers"]:
            answers.setdefault(answer["combat"], []).append(answer)
        for first in range(len(SYSTEMS), FIGHTS, 1000):
            made = range(first, min(first + 1000, FIGHTS))
            copies = [_copied(rows["combats"][number % len(SYSTEMS)], answers, number + 1) for number in made]
            await world.store.commit(*(change for copy in copies for change in copy))
    finally:
        await world.close()


def _copied(
    combat: dict[str, Any], answers: dict[int, list[dict[str, Any]]], number: int
) -> list[statements.Statement]:
    place = f"yard {number}"
    row = {**combat, "number": number, "place": place, "name": f"fight {number}"}
    entries = [statements.insert("answers", {**one, "combat": number}) for one in answers[combat["number"]]]
    return [statements.add_place(place), statements.insert("combats", row), *entries]


async def _fought(world: World, system: str) -> None:
    ann = Visitor(world, lambda text: None, "nowhere")
    account = await world.store.account("Ann")
    assert isinstance(account, Account)
    ann.account = account
    sides = SYSTEMS[system]
    seats = [creation.Seat(team, sheet, creation.STORYTELLER) for team, sheet in sides]
    combat = await creation.create(ann, f"fight of {system}", system, {}, seats)
    at = At(combat.place, combat.number)
    await fights.start(ann, at, [])
    for _ in range(MOVES):
        if combat.phase == "running":
            member = combat.awaited()[0]
            await fights.move(ann, at, member.name, str(combat.running().legal(combat.fighter(member))[0]))


# --- fights that come and go ------------------------------------------------------------------------------------------


def churned() -> Churned:
    """Create and end fights on a server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_churned(Path(folder) / "world.db"))


async def _churned(store: Path) -> Churned:
    limit = ("--limit-requests", "1000000")
    async with serving(store, "--web", "127.0.0.1:0", *limit) as server, client(server) as http:
        await come_in(http)
        for number in range(WARM_UP):
            await _come_and_gone(http, number)
        few = server.memory()
        for number in range(WARM_UP, CHURN):
            await _come_and_gone(http, number)
        return Churned(few, server.memory())


async def _come_and_gone(http: httpx.AsyncClient, number: int) -> None:
    system = list(SYSTEMS)[number % len(SYSTEMS)]
    (ours, sheet), (theirs, foe) = SYSTEMS[system]
    teams = {ours: [{"sheet": sheet, "by": "me"}], theirs: [{"sheet": foe, "by": "random"}]}
    asked = {"name": f"fight {number}", "system": system, "teams": teams, "start": True}
    made = await http.post("/api/combats", json=asked)
    made.raise_for_status()
    (await http.post(f"/api/combats/{made.json()['number']}/end")).raise_for_status()


if __name__ == "__main__":
    print(stored())
    print(churned())
