"""Odds for people in a world, worked out in a process of its own so that nobody else has to wait."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

from affray.errors import Illegal, Refused
from affray.fight import Fight
from affray.players.tactics import usual_tactics
from affray.saving import public_table, rerun

if TYPE_CHECKING:
    from affray.lab.odds import Odds

AnswerT = TypeVar("AnswerT")
SHOWN = 10
UNCOMPILED = 2.0  # seconds of play-outs by interpreted rules, which are slow; nobody stands still meanwhile
WIDTH = 80
LONGEST_MOVE = 40
"""Moves that are longer have a line of their own above their odds."""


class Weigher:
    """Takes questions about fights, and gives the answers when they are ready."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[Callable[[str], None], asyncio.Task[None]] = {}

    def weigh(self, fight: Fight, fighter: str, team: str, tell: Callable[[str], None]) -> None:
        """Tell somebody the odds of a fighter's moves, a little later. The thinking process gets no secret."""
        if tell in self._asked:
            raise Illegal("your last question about odds is still being answered", given=fighter)
        asked = self.ask(weighed, fight, fighter, team)

        async def answer() -> None:
            try:
                tell(await asked)
            except Refused as problem:
                tell(f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
            finally:
                del self._asked[tell]

        self._asked[tell] = asyncio.create_task(answer(), name="odds")

    def ask(self, work: Callable[..., AnswerT], fight: Fight, *more: object) -> Awaitable[AnswerT]:
        """What `work` finds out about a fight as it is now, in another process, which gets no secret before the end."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=end_with_the_world)
        table = public_table(fight)
        asked = asyncio.get_running_loop().run_in_executor(self._pool, _think, work, table, more)
        answer = asyncio.ensure_future(self._answered(asked))
        answer.add_done_callback(_heard)
        return answer

    async def _answered(self, asked: Awaitable[AnswerT]) -> AnswerT:
        try:
            return await asked
        except BrokenExecutor:  # the process was ended from outside; the next question starts another
            self._pool = None
            raise Refused("the odds could not be worked out; please ask again") from None

    def close(self) -> None:
        """Stop thinking."""
        for task in self._asked.values():
            task.cancel()
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()  # what it thinks about, or compiles, may take a minute
            self._pool.shutdown(wait=True, cancel_futures=True)


def _heard(answer: asyncio.Future[Any]) -> None:
    """Take note of an answer that whoever has asked may no longer wait for."""
    if not answer.cancelled():
        answer.exception()


def end_with_the_world() -> None:
    """In a process that thinks for people: do not outlive the server, however that was ended."""

    def watch() -> None:
        world = parent_process()
        if world is not None:
            world.join()
            os._exit(1)

    threading.Thread(target=watch, name="affray-watch", daemon=True).start()


def _think(work: Callable[..., AnswerT], table: dict[str, Any], more: tuple[object, ...]) -> AnswerT:
    """In the thinking process: run the log, and think about it."""
    return work(rerun({**table, "whim": None}, "the fight"), *more)


def weighed(fight: Fight, fighter: str, team: str) -> str:
    """The moves of a fighter with their odds, the best first."""
    from affray.lab import warm_up

    warm_up(fight)
    name = fight.system.as_table(fight.sheets[fight.index(fighter)])["name"]
    heading = f"How {name}'s moves are likely to end for {team}:"
    try:
        return "\n".join([heading, *(_costs(fight, fighter) if fight.system.costs else _odds(fight, fighter, team))])
    except Refused as problem:
        return str(problem)


def _costs(fight: Fight, fighter: str) -> list[str]:
    """What is at stake, and what the moves cost: the best of each kind where they are many."""
    from affray.lab import costs
    from affray.lab.bars import Screen

    found = _reckoned(fight, fighter)
    known, moves = fight.system.costs, list(found)
    shown = costs.to_show(moves, found)
    sampled = f"{costs.how(found, shown, known)}{_more(len(moves) - len(shown))}"
    meaning = costs.meaning(known, usual_tactics(fight)[fighter])
    return [
        *(part for line in (fight.at_stake.get(fighter, ""), meaning) for part in wrap(line, WIDTH)),
        *costs.reckoned(moves, found, fight.team_of[fighter], known, shown, Screen(WIDTH), numbered=False),
        *wrap(f"({sampled})", WIDTH),
    ]


def _reckoned(fight: Fight, fighter: str, tactics: Mapping[str, str] | None = None) -> dict[str, Odds]:
    """The odds and costs of a fighter's moves: by native code if it is ready, else as many as can be had."""
    from affray.lab import costs, native_ready
    from affray.lab.figures import TOO_FEW
    from affray.lab.odds import odds_of_moves

    if native_ready(fight):
        return odds_of_moves(fight, fighter, tactics=tactics, least=TOO_FEW)
    return costs.first_look(fight, fighter, tactics)


def _more(moves: int) -> str:
    return f"; {moves} more move{'s' * (moves != 1)}" if moves else ""


def _odds(fight: Fight, fighter: str, team: str) -> list[str]:
    from affray.lab import native_ready

    found = fight.odds(fighter, play="tactics", seconds=None if native_ready(fight) else UNCOMPILED)
    best = dict(sorted(found.items(), key=lambda item: -item[1].at_least)[:SHOWN])
    rest = [f"and {len(found) - SHOWN} more moves"] if len(found) > SHOWN else []
    return [*_rows(best, team), *rest, f"({_how(best)})"]


def _rows(found: Mapping[str, Odds], team: str) -> list[str]:
    """A line for each move: the chances to win and to lose, and how sure the first is, in 80 columns."""
    wide = min(LONGEST_MOVE, max(map(len, found)))
    sampled = any(odds.fights for odds in found.values())
    lines = [f"{'':{wide}} {'win':>6} {'lose':>6}" + "  95 % interval" * sampled]
    for move, odds in found.items():
        seen, (low, high) = odds.for_team(team), odds.interval(team)
        between = f"  {f'{low:.1%} to {high:.1%}':14}" if odds.fights else ""
        label = move if len(move) <= wide else ""
        lines += [] if label else [move]
        line = f"{label:{wide}} {float(seen['win']):6.1%} {float(seen['lose']):6.1%}{between}"
        bar = "#" * round(min(20, max(0, WIDTH - len(line) - 2)) * float(seen["win"]))
        lines.append(f"{line}  {bar}".rstrip())
    return lines


def _how(found: Mapping[str, Odds]) -> str:
    """How the odds were found; the better moves are played out more often than the others."""
    fewest = min(found.values(), key=lambda odds: odds.fights or 0)
    return fewest.how if len({odds.how for odds in found.values()}) == 1 else f"at least {fewest.how} each"


def odds_table(fight: Fight, fighter: str, tactics: Mapping[str, str]) -> dict[str, Any]:
    """The odds of a fighter's moves for a page to draw, as plain JSON values."""
    from affray.lab import native_ready, warm_up

    warm_up(fight)
    team = fight.team_of[fighter]
    system = fight.system
    if system.costs:
        found = _reckoned(fight, fighter, tactics)
    else:
        seconds = None if native_ready(fight) else UNCOMPILED
        found = fight.odds(fighter, play="tactics", tactics=tactics, seconds=seconds)
    return {
        "team": team,
        "moves": {move: _move_table(odds, team) for move, odds in found.items()},
        "how": _how(found),
        "best": max(found, key=lambda move: found[move].at_least),
        "at_stake": fight.at_stake.get(fighter),
        "costs": [
            {"name": c.name, "is_chance": c.is_chance, "sign": c.sign, "meaning": c.meaning} for c in system.costs
        ],
    }


def _move_table(odds: Odds, team: str) -> dict[str, Any]:
    seen = {ending: float(chance) for ending, chance in odds.for_team(team).items()}
    low, high = odds.interval(team)
    return {
        "chances": {ending: float(chance) for ending, chance in odds.chances.items()},
        **{name: seen.get(name, 0.0) for name in ("win", "lose", "draw")},
        "low": low,
        "high": high,
        "value": float(odds.value),
        "costs": {name: rate._asdict() for name, rate in odds.costs.items()},
        "at_once": {name: float(chance) for name, chance in odds.at_once.items()} if odds.at_once else None,
    }
