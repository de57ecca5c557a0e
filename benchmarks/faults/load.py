"""Fights that never cease, whatever happens to their servers, and what must be true of them afterwards."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks import crowd
from benchmarks.crowd import Client, Cut, Move, Refusal, Server

FAILED = re.compile(r"has not saved this|cannot be read|the database does not answer|may not have been saved")
UNCERTAIN = "may not have been saved"
A_WHILE = 0.1  # seconds until a player tries again what the store could not keep


class Bout(crowd.Bout):
    """A fight whose players are told so when the store does not work, and try again."""

    failures: Counter[str]
    retry = False

    def note_refusal(self, move: Move, problem: Refusal) -> None:
        """Count what was refused because the store does not work; such a move may be chosen again."""
        self.retry = FAILED.search(str(problem)) is not None
        if not self.retry:
            super().note_refusal(move, problem)
            return
        self.failures[str(problem)] += 1
        if UNCERTAIN in str(problem):
            self.uncertain.append(move)


@dataclass
class Findings:
    """What was found in the store after everything: how many acknowledged moves are missing, and what else is wrong."""

    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, other: Findings) -> Findings:
        self.acknowledged += other.acknowledged
        self.lost += other.lost
        self.wrong += other.wrong
        return self


class Load:
    """So many fights at once; one that is over is followed by another of its players."""

    def __init__(self, url: str, servers: Sequence[Server], fights: int = len(crowd.SYSTEMS), seed: int = 1) -> None:
        self._url, self.servers, self._fights = url, servers, fights
        self._chance = random.Random(seed)
        self.bouts: list[Bout] = []
        self.failures: Counter[str] = Counter()
        """How often players were told that the store does not work, by the words."""
        self.acknowledged = 0
        self._progress = asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self._ending = False

    async def open(self) -> None:
        """Make the players, open the servers, and begin."""
        names = [f"{kind}{number}" for number in range(self._fights) for kind in ("Ann", "Ben")]
        people = await crowd.furnish(self._url, names)
        await asyncio.gather(*(server.open() for server in self.servers if not server.up.is_set()))
        pairs = zip(people[::2], people[1::2], strict=True)
        self._playing = [asyncio.create_task(self._play(n, list(pair))) for n, pair in enumerate(pairs)]

    async def until(self, moves: int) -> None:
        """Wait until so many moves have been acknowledged, counted from now."""
        await self._until(lambda: self.acknowledged, moves)

    async def until_refused(self, times: int = 1) -> None:
        """Wait until players have been told so often, counted from now, that the store does not work."""
        await self._until(self.failures.total, times)

    async def _until(self, count: Callable[[], int], more: int) -> None:
        wanted = count() + more
        async with asyncio.timeout(crowd.SECONDS):
            while count() < wanted:
                self._progress.clear()
                waiting = asyncio.create_task(self._progress.wait())
                await asyncio.wait([waiting, *self._playing], return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                for task in self._playing:
                    if task.done():
                        task.result()  # players never stop by themselves, so this says what was wrong

    async def close(self) -> None:
        """Let everybody finish their move, and leave."""
        self._ending = True
        for bout in self.bouts:
            for client in bout.players:
                client.news.set()
        await asyncio.gather(*self._playing)
        await asyncio.gather(*(client.go() for bout in self.bouts for client in bout.players))

    # --- playing ----------------------------------------------------------------------------------------------

    def _server_of(self, seat: int) -> Server:
        return self.servers[seat % len(self.servers)]

    async def _play(self, number: int, players: list[Client]) -> None:
        players[1].news = players[0].news
        systems = list(crowd.SYSTEMS)
        chance = random.Random(self._chance.random())
        while not self._ending:
            made = await self._begun(systems[number % len(systems)], players)
            if made is None:
                return
            bout = Bout(made, players, chance)
            bout.failures = self.failures
            self.bouts.append(bout)
            await self._come(bout)
            await self._fight(bout)
            if self._ending:
                return
            players = [client.twin() for client in players]  # what the old ones were told is compared at the end
            players[1].news = players[0].news
            number += len(systems) + 1  # another system
            await asyncio.gather(*(client.go() for client in bout.players))

    async def _begun(self, system: str, players: list[Client]) -> int | None:
        """The number of a new fight, whose earlier ones are ended; None where it is time to go."""
        owner, second = players
        at, there = self._server_of(0), self._server_of(1)
        while not self._ending:
            try:
                for old in [one["number"] for one in (await owner.request(at, "GET", "/lobby"))["yours"]]:
                    await owner.request(at, "POST", f"/combats/{old}/end")
                return await crowd.begin(system, owner, at, second, there)
            except (Cut, Refusal) as problem:
                if isinstance(problem, Refusal):
                    self._count_failure(str(problem))
                await asyncio.sleep(A_WHILE)
                await asyncio.gather(*(server.up.wait() for server in self.servers))
        return None

    def _count_failure(self, problem: str) -> None:
        self.failures[problem] += 1
        self._progress.set()

    async def _come(self, bout: Bout) -> None:
        players = enumerate(bout.players)
        await asyncio.gather(*(client.come(self._server_of(seat), bout.number) for seat, client in players))

    async def _fight(self, bout: Bout) -> None:
        """Move whenever a player is asked; after a crash both come back and go on from what they are shown."""
        while not bout.over and not self._ending:
            try:
                await self._take_turn(bout)
            except Cut:
                await self._come(bout)

    async def _take_turn(self, bout: Bout) -> None:
        mover = next((client for client in bout.players if client.due()), None)
        if mover is None:
            await bout.players[0].until(
                lambda: self._ending or bout.over or any(client.due() for client in bout.players)
            )
            return
        ask = mover.due()
        assert ask is not None
        move = bout.choose(ask)
        bout.retry = False
        if await bout.send(mover, move):
            self.acknowledged += 1
        self._progress.set()
        if bout.retry:
            await asyncio.sleep(A_WHILE)
        else:
            await mover.until(lambda: self._ending or not mover.is_asked(move[0]))

    # --- what must be true ------------------------------------------------------------------------------------

    async def findings(self) -> Findings:
        """What the store says, once all servers are closed."""
        stored = await crowd.stored_fights(self._url)
        found = Findings()
        for bout in self.bouts:
            found += examined(bout, *stored.get(bout.number, ([], [])))
        assert found.acknowledged == self.acknowledged
        return found


def examined(bout: Bout, story: list[str], answers: list[dict[str, object]]) -> Findings:
    """Whether every acknowledged move is stored, once and in order, and every line that was told is in the story."""
    moves = [crowd.move_of(entry) for entry in answers]
    found = Findings(len(bout.acknowledged), len(set(bout.acknowledged) - set(moves)))
    name = f"fight {bout.number}"
    if [move for move in moves if move in bout.acknowledged] != bout.acknowledged and not found.lost:
        found.wrong.append(f"{name}: moves are stored twice, or in another order")
    if strange := set(moves) - {*bout.acknowledged, *bout.uncertain}:
        found.wrong.append(f"{name}: {len(strange)} moves that were refused are stored")
    if any(story[: len(client.story)] != client.story for client in bout.players):
        found.wrong.append(f"{name}: players were told another story")
    return found
