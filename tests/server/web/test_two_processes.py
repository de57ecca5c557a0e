"""Two processes serve one world: fights stay whole, everybody is told everything, and one may be killed."""

from __future__ import annotations

import asyncio
import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

for needed in ("asyncpg", "litestar", "websockets", "httpx"):
    pytest.importorskip(needed, reason="the server and postgres extras are not installed")

from benchmarks import crowd  # noqa: E402 - it needs them too

REDIS = os.environ.get("AFFRAY_TEST_REDIS", "redis://127.0.0.1:6379")
FIGHTS = 8
BEFORE, AFTER = 8, 6  # moves of people in one fight before a process is killed, and from then on
A_MOMENT = 0.1  # seconds
UNDONE = 3  # after so many moves the owner of every second fight takes one back


@pytest.fixture
def redis_url() -> str:
    """The address of a Redis that answers."""
    redis = pytest.importorskip("redis", reason="redis is not installed (the redis extra)")
    try:
        redis.Redis.from_url(REDIS).ping()
    except redis.RedisError as problem:
        if "AFFRAY_TEST_REDIS" in os.environ:
            raise
        pytest.skip(f"no Redis answers at {REDIS}: {problem}")
    return REDIS


class Shared(crowd.Bout):
    """A fight whose players are at different processes; the first also has a second browser at the other one."""

    def __init__(self, number: int, here: list[Any], there: list[Any], chance: random.Random) -> None:
        owner, second = here[0], there[0]
        super().__init__(number, [owner, second], chance)
        self.twin = there[1]
        self.everybody = [*here, *there]
        self.taken_back = 0
        self.most = BEFORE
        self.takes_back = number % 2 == 0
        self.final_from = 0  # the version from which an ending is not taken back any more

    @property
    def full(self) -> bool:
        """Whether this is enough: so many moves, or an ending that stays."""
        tables = [client.table for client in self.players if client.table.get("ending")]
        ended = any(table["version"] >= self.final_from for table in tables)
        return len(self.acknowledged) >= self.most or (ended and not self.takes_back)

    async def answer_twice(self, client: Any, twin: Any, move: Any) -> bool:
        """Answer one decision at both processes in the same moment: one answer counts, unless it is taken back."""
        results = await asyncio.gather(self.send(client, move), self.send(twin, move), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        assert client.may_shrink or sum(results) <= 1, f"both answers to decision {move[0]} were taken"
        return any(results)

    async def take_turns(self, client: Any, at: Any) -> None:
        """Move whenever one is asked; a player who is cut off goes to the process that is left."""
        while not self.full:
            try:
                await client.until(lambda: self.full or client.due() is not None)
                if self.full:
                    break
                move = self.choose(client.due())
                if client is self.players[0] and not self.twin.gone:
                    taken = await self.answer_twice(client, self.twin, move)
                else:
                    taken = await self.send(client, move)
                for other in self.players:
                    other.news.set()
                if taken and not client.may_shrink:
                    await client.until(lambda d=move[0]: self.full or not client.is_asked(d))
                else:
                    await asyncio.sleep(A_MOMENT)  # it came too late for its decision, and another table is on its way
            except crowd.Cut:
                self.twin.gone = True
                await client.come(at, self.number)

    async def take_back(self, at: Any) -> None:
        """Let the owner take a move back, from the other process, while others move; it may have ended the fight."""
        if self.takes_back:
            await self.players[0].until(lambda: self.over or len(self.acknowledged) >= UNDONE)
            try:
                await self.twin.ask(type="line", text="combat undo")
                self.taken_back += 1
            except crowd.Refusal:
                assert self.over
                assert not self.acknowledged, "only where the computer's first move has ended the fight"
            table = await self.twin.request(at, "GET", f"/combats/{self.number}")
            self.final_from = table["version"] + (table["ending"] is None)
            self.takes_back = False
            for player in self.players:
                player.news.set()


async def play(url: str, peers: str, folder: Path) -> None:
    names = [f"{kind}{number}" for number in range(FIGHTS) for kind in ("Ann", "Ben", "Wat")]
    people = await crowd.furnish(url, names)
    first, second = (crowd.Server(url, folder / name, "--peers", peers) for name in ("first", "second"))
    try:
        await asyncio.gather(first.open(), second.open())
        bouts = await asyncio.gather(*(begun(n, people[3 * n : 3 * n + 3], first, second) for n in range(FIGHTS)))
        await fight(bouts, first)
        await asyncio.gather(*(is_the_same_everywhere(bout, first, second) for bout in bouts))
        await check_people(bouts, names)
        await check_ending(bouts[0], first, second)
        await fight_on_without(second, bouts[1:], first)
        await asyncio.gather(*(settled(bout, first) for bout in bouts[1:]))
        first.kill()
        await asyncio.gather(*(client.go() for bout in bouts for client in bout.everybody))
    finally:
        first.clear_away()
        second.clear_away()
    check_log(await crowd.stored_fights(url), bouts)


async def begun(number: int, people: list[Any], first: Any, second: Any) -> Shared:
    """A fight that is set up at one process and joined at the other, at the same time as all others."""
    owner, ally, watcher = people
    at, there = (first, second) if number % 2 else (second, first)
    system = list(crowd.SYSTEMS)[number % len(crowd.SYSTEMS)]
    made = await crowd.begin(system, owner, at, ally, there)
    bout = Shared(made, [owner, watcher], [ally, owner.twin()], random.Random(number))
    bout.takes_back = bout.takes_back and system != crowd.JOURNEY
    for client in bout.everybody:
        client.may_shrink = bout.takes_back
    await asyncio.gather(*(client.come(first, made) for client in (owner, watcher)))
    await asyncio.gather(*(client.come(second, made) for client in (ally, bout.twin)))
    return bout


async def fight(bouts: list[Shared], first: Any) -> None:
    turns = [bout.take_turns(client, first) for bout in bouts for client in bout.players]
    said = [client.ask(type="say", text=f"I am {client.name}!") for bout in bouts for client in bout.players]
    await asyncio.gather(*turns, *said, *(bout.take_back(first) for bout in bouts))


async def fight_on_without(second: Any, bouts: list[Shared], first: Any) -> None:
    """Kill one process in the middle of moves; its players come to the other one."""
    for bout in bouts:
        bout.most = len(bout.acknowledged) + AFTER
    fighting = asyncio.gather(*(bout.take_turns(client, first) for bout in bouts for client in bout.players))
    already = sum(len(bout.acknowledged) for bout in bouts)
    while not fighting.done() and sum(len(bout.acknowledged) for bout in bouts) < already + len(bouts):
        await asyncio.sleep(0.01)
    second.kill()
    await fighting
    for bout in bouts:
        left = [client for client in bout.everybody if not client.connected]
        await asyncio.gather(*(client.come(first, bout.number) for client in left))


# --- what must be true ------------------------------------------------------------------------------------------------


async def settled(bout: Shared, at: Any) -> dict[str, Any]:
    """The fight as a process shows it, once computers have moved and everybody has heard all of the story."""
    owner = bout.players[0]
    async with asyncio.timeout(crowd.SECONDS):
        while True:
            table: dict[str, Any] = await owner.request(at, "GET", f"/combats/{bout.number}")
            story = [line["text"] for line in table["story"]]
            people = [seat for seat in table["seats"] if seat["due"] and not seat["tactic"]]
            if (people or table["ending"]) and all(client.story == story for client in bout.everybody):
                del table["asked_at"]  # each process notes when it heard of the question
                return table
            await asyncio.sleep(0.05)


async def is_the_same_everywhere(bout: Shared, first: Any, second: Any) -> None:
    assert await settled(bout, first) == await settled(bout, second)
    assert all(seat["here"] for seat in bout.players[0].table["seats"] if seat["player"])


async def check_people(bouts: list[Shared], names: list[str]) -> None:
    """Everybody is seen from both processes, and has heard everybody in their place once."""
    for client in bouts[0].players:
        await client.ask(type="line", text="who")
        assert any(all(name in text for name in names) for text in client.told)
    for bout in bouts:
        for listener in bout.everybody:
            for speaker in bout.players:
                await listener.until(partial(heard, listener, speaker))  # it may come after all moves
                assert heard(listener, speaker) == 1, (listener.name, speaker.name)


def heard(listener: Any, speaker: Any) -> int:
    return sum(f"I am {speaker.name}!" in text for text in listener.said + listener.told)


async def check_ending(bout: Shared, first: Any, second: Any) -> None:
    """A fight that is ended at one process is gone at the other, whose log of it can be verified."""
    owner, ally = bout.players
    await owner.request(first, "POST", f"/combats/{bout.number}/end")
    await ally.until(lambda: ally.gone)
    log = await ally.request(second, "GET", f"/combats/{bout.number}/log")
    assert log["answers"]
    assert (await ally.request(second, "POST", "/verify", log))["fits"]


def check_log(stored: dict[int, tuple[list[str], list[dict[str, Any]]]], bouts: list[Shared]) -> None:
    """No acknowledged move is lost, none is there twice, and everybody has seen every line."""
    assert len(stored) == len(bouts)
    for bout in bouts:
        story, answers = stored[bout.number]
        moves = [crowd.move_of(entry) for entry in answers]
        kept = len(bout.acknowledged) - bout.taken_back
        # With a move that is taken back goes what the other player chose after it, if that was still secret.
        assert kept - bout.taken_back <= len(moves) <= kept + len(bout.uncertain)
        assert set(moves) <= {*bout.acknowledged, *bout.uncertain}
        if not bout.taken_back:
            assert set(bout.acknowledged) <= set(moves)
            assert len(set(bout.acknowledged)) == len(bout.acknowledged)
        for client in bout.everybody:
            assert client.story == story


def test_two_processes_over_redis(tmp_path, postgres_url, redis_url):
    asyncio.run(play(postgres_url, redis_url, tmp_path))


def test_two_processes_over_postgres(tmp_path, postgres_url):
    asyncio.run(play(postgres_url, postgres_url, tmp_path))
