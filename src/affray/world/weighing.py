"""Odds for people in a world, worked out in a process of its own so that nobody else has to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from affray.errors import Illegal, Refused
from affray.fight import Fight
from affray.saving import public_table, rerun

SHOWN = 10


class Weigher:
    """Takes questions about fights, and gives the answers when they are ready."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[Callable[[str], None], asyncio.Task[None]] = {}

    def weigh(self, fight: Fight, fighter: str, team: str, tell: Callable[[str], None]) -> None:
        """Tell somebody the odds of a fighter's moves, a little later. The thinking process gets no secret."""
        if tell in self._asked:
            raise Illegal("your last question about odds is still being answered", given=fighter)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"))
        table = public_table(fight, secret_is_out=False)
        asked = asyncio.get_running_loop().run_in_executor(self._pool, weighed, table, fighter, team)

        async def answer() -> None:
            try:
                tell(await asked)
            except BrokenExecutor:  # the process was ended from outside; the next question starts another
                self._pool = None
                tell("The odds could not be worked out; please ask again.")
            finally:
                del self._asked[tell]

        self._asked[tell] = asyncio.create_task(answer(), name="odds")

    def close(self) -> None:
        """Stop thinking."""
        for task in self._asked.values():
            task.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def weighed(table: dict[str, Any], fighter: str, team: str) -> str:
    """The moves of a fighter with their odds, the best first."""
    from affray.lab import warm_up

    fight = rerun({**table, "whim": None}, "the fight")
    warm_up(fight)
    try:
        found = fight.odds(fighter, play="tactics")
    except Refused as problem:
        return str(problem)
    best = sorted(found.items(), key=lambda item: -item[1].at_least)[:SHOWN]
    how = next(iter(found.values())).how
    lines = [f"How {fighter}'s moves are likely to end for {team} ({how}):"]
    for move, odds in best:
        chance, (low, high) = float(odds.chances[team]), odds.interval(team)
        between = "" if odds.exact else f" {low:4.0%} to {high:.0%}"
        lines.append(f"{move:30} {chance:6.1%} {'#' * round(20 * chance):20}{between}")
    rest = len(found) - len(best)
    return "\n".join([*lines, *([f"and {rest} more moves"] if rest > 0 else [])])
