"""Lets NPCs think in processes of their own, so that no visitor waits for them; thoughts come back as moves."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from typing import Any

from affray.errors import Refused
from affray.fight import Fight
from affray.kernel import records
from affray.players.deciding import thought_of
from affray.players.levels import SOLVERS, read_player, solver
from affray.players.player import Thought
from affray.players.search import Search
from affray.system.setup import Setup
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Member
from affray.world.process import WorkingProcess, is_stopped

AT_ONCE = max(1, min(4, (os.cpu_count() or 1) - 1))
"""How many NPCs think at the same time; the others wait for their turn, and a core is left for the server."""
LOOK = 0.25  # seconds between two looks at whether the decision is still open
TRIES = 3  # processes that may be killed before the tactic decides
SOLVING = {"memory": 256, "seconds": 5.0}  # megabytes and seconds of counting for a fight that an NPC solves
POLITE = 19  # the niceness of thinking: the lowest rank, so that the server always goes first

Run = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Question:
    """A decision of an NPC, with all that it may know."""

    combat: int
    decision: int
    answers: int
    fighter: str
    player: str
    system: str
    teams: dict[str, Any]
    options: dict[str, Any]
    names: tuple[str, ...]
    view: bytes

    def __hash__(self) -> int:
        return hash((self.combat, self.decision, self.answers, self.fighter))


def open_question(combat: Combat) -> tuple[Member, Question] | None:
    """The first member who has to move by thinking, and its decision."""
    fight = combat.fight
    member = next((member for member in combat.awaited() if member.thinks), None)
    if member is None or not isinstance(fight, Fight) or combat.is_full:
        return None
    fighter, setup = combat.fighter(member), fight.setup
    view = records.pack(setup.view(fight.state, fight.index(fighter)))
    table = setup.as_table()
    known = table["system"], table["teams"], table["options"], fight.names, view
    return member, Question(combat.number, fight.decision, len(fight.answers), fighter, str(member.tactic), *known)


def thought_apart(asked: Question) -> Thought:
    """In a process: what the player decides."""
    setup = Setup.of(asked.system, asked.teams, asked.options, files=False).renamed(asked.names)
    state = records.unpack(setup.system.state, len(asked.names), asked.view)
    solves = asked.player in SOLVERS
    player = solver(asked.player, **SOLVING) if solves else read_player(setup.system, asked.player)
    if isinstance(player, Search):
        player = replace(player, trees=1, stopped=is_stopped)  # other NPCs want the other cores
    who = asked.names.index(asked.fighter)
    return thought_of(player, setup, state, who, seed=asked.combat, decision=asked.decision)


class Thinkers:
    """Processes in which NPCs think. `run` is used instead where there are none: `await run(function, argument)`."""

    def __init__(self, run: Run | None = None) -> None:
        self._run = run
        self._free: list[WorkingProcess] = []
        self._busy: set[WorkingProcess] = set()
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def answer(self, asked: Question, is_open: Callable[[], bool]) -> Thought | None:
        """What the player decides; None as soon as the decision is no longer open."""
        async with self._turn:
            if not is_open():
                return None
            if self._run is not None:
                found: Thought = await self._run(thought_apart, asked)
                return found
            for _ in range(TRIES):
                process = self._free.pop() if self._free else WorkingProcess(POLITE)
                self._busy.add(process)
                try:
                    return await self._watched(process, asked, is_open)
                except BrokenExecutor:  # it was ended from outside: another one thinks again
                    process.shutdown(wait=False)
                finally:
                    self._busy.discard(process)
        raise Refused("the process in which it thinks has been ended several times")

    async def _watched(self, process: WorkingProcess, asked: Question, is_open: Callable[[], bool]) -> Thought | None:
        process.stop(False)
        # In a thread, because the first question starts the process, which takes a while.
        thinking = asyncio.wrap_future(await asyncio.to_thread(process.submit, thought_apart, asked))
        try:
            while not thinking.done():
                await asyncio.wait([thinking], timeout=LOOK)
                if not thinking.done() and not is_open():
                    process.stop(True)
                    await thinking
                    self._free.append(process)
                    return None
            found: Thought = thinking.result()
        except asyncio.CancelledError:
            process.shutdown(wait=False)
            raise
        self._free.append(process)
        return found

    def close(self) -> None:
        """End all processes."""
        for process in (*self._free, *self._busy):
            process.shutdown()
        self._free.clear()
