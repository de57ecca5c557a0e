"""Calculates answers about fights, such as odds and luck, in a separate process, so visitors need not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor
from typing import Any, TypeVar

from affray.errors import Refused
from affray.fight import Fight
from affray.fight.saving import public_table, rerun
from affray.world.process import WorkingProcess

AnswerT = TypeVar("AnswerT")
Run = Callable[..., Awaitable[Any]]
"""Calls a function beside the world: `await run(function, *args)`."""


class Worker:
    """Takes questions about fights, and gives the answers when they are ready."""

    def __init__(self, run: Run | None = None) -> None:
        self._process: WorkingProcess | None = None
        self._run = run or self._in_process

    def ask(self, work: Callable[..., AnswerT], fight: Fight, *more: object) -> Awaitable[AnswerT]:
        """What `work` finds out about a fight as it is now; the process gets no secret before the fight has ended."""
        answer = asyncio.ensure_future(self._run(answered, work, public_table(fight), more))
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # its caller may no longer wait
        return answer

    async def _in_process(self, *asked: Any) -> Any:
        process = self._process = self._process or WorkingProcess()  # it stays, since starting one takes a while
        try:
            return await asyncio.get_running_loop().run_in_executor(process, *asked)
        except BrokenExecutor:  # it was ended from outside; the next question starts another
            if self._process is process:
                self._process = None
            raise Refused("the odds could not be worked out; please ask again") from None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.shutdown()


def answered(work: Callable[..., AnswerT], table: dict[str, Any], more: tuple[object, ...]) -> AnswerT:
    """In the process: run the log, and answer the question."""
    return work(rerun({**table, "whim": None}, "the fight"), *more)
