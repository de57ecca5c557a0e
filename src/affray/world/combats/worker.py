"""Works out answers about fights, such as odds and luck, in a process of its own so that visitors need not wait."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from affray.errors import Refused
from affray.fight import Fight
from affray.fight.saving import public_table, rerun

AnswerT = TypeVar("AnswerT")


class Worker:
    """Takes questions about fights, and gives the answers when they are ready."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, work: Callable[..., AnswerT], fight: Fight, *more: object) -> Awaitable[AnswerT]:
        """What `work` finds out about a fight as it is now; the process gets no secret before the fight has ended."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=end_with_parent)
        table = public_table(fight)
        asked = asyncio.get_running_loop().run_in_executor(self._pool, _work, work, table, more)
        answer = asyncio.ensure_future(self._answered(asked))
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # its caller may no longer wait
        return answer

    async def _answered(self, asked: Awaitable[AnswerT]) -> AnswerT:
        try:
            return await asked
        except BrokenExecutor:  # the process was ended from outside; the next question starts another
            self._pool = None
            raise Refused("the odds could not be worked out; please ask again") from None

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()  # what it works on, or compiles, may take a minute
            self._pool.shutdown(wait=True, cancel_futures=True)


def end_with_parent() -> None:
    """In a process that works for a server: end when the server does, however that was ended."""

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, name="affray-watch", daemon=True).start()


def _work(work: Callable[..., AnswerT], table: dict[str, Any], more: tuple[object, ...]) -> AnswerT:
    """In the process of the worker: run the log, and answer the question."""
    return work(rerun({**table, "whim": None}, "the fight"), *more)
