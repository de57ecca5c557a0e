"""Lets NPCs of a game think in processes of their own, so that the game goes on meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import redirect_stderr
from multiprocessing import resource_tracker
from typing import Any, cast

from twisted.internet import reactor, threads
from twisted.internet.defer import Deferred, DeferredSemaphore

from affray.errors import Refused
from affray.players.player import Thought
from affray.world.combats.thinking import AT_ONCE, LOOK, POLITE, TRIES, Question, thought_apart
from affray.world.process import WorkingProcess

_reactor = cast(Any, reactor)


class Thinkers:
    """The processes; each is started when it is first needed, and ends with the game."""

    def __init__(self) -> None:
        self._free: list[WorkingProcess] = []
        self._busy: set[WorkingProcess] = set()
        self._turn = DeferredSemaphore(AT_ONCE)
        _reactor.addSystemEventTrigger("before", "shutdown", self.close)

    async def answer(self, asked: Question, is_open: Callable[[], bool]) -> Thought | None:
        """What the player decides; None as soon as the decision is no longer open."""
        await self._turn.acquire()
        try:
            for _ in range(TRIES):
                if not is_open():
                    return None
                process = self._free.pop() if self._free else _started()
                self._busy.add(process)
                try:
                    thought = await self._thought(process, asked, is_open)
                except BrokenExecutor:  # it was ended from outside: another one thinks again
                    process.shutdown(wait=False)
                else:
                    self._free.append(process)
                    return thought
                finally:
                    self._busy.discard(process)
        finally:
            self._turn.release()
        raise Refused("the process in which it thinks has been ended several times")

    async def _thought(self, process: WorkingProcess, asked: Question, is_open: Callable[[], bool]) -> Thought | None:
        process.stop(False)
        # In a thread, because the first question starts the process, which takes a while.
        thinking = await threads.deferToThread(process.submit, thought_apart, asked)
        was_open, looks = True, None

        def look() -> None:
            nonlocal was_open, looks
            was_open = is_open()
            process.stop(not was_open)
            looks = _reactor.callLater(LOOK, look) if was_open else None

        look()
        try:
            found = await _deferred(thinking)
        finally:
            if looks is not None:
                looks.cancel()
        return found if was_open else None

    def close(self) -> None:
        """End all processes."""
        for process in (*self._free, *self._busy):
            process.shutdown(wait=False)
        self._free.clear()


def _started() -> WorkingProcess:
    """A new process. In a daemon `sys.stderr` is a log, which has no file descriptor for Python's own helper."""
    try:
        with redirect_stderr(sys.__stderr__):
            resource_tracker.ensure_running()
        return WorkingProcess(POLITE)
    except (OSError, ValueError) as problem:
        raise Refused(f"no process can be started: {problem}") from None


def _deferred(future: Future[Thought]) -> Deferred[Thought]:
    """A future's result in the reactor's own thread."""
    deferred: Deferred[Thought] = Deferred()

    def tell() -> None:
        problem = future.exception()
        deferred.errback(problem) if problem is not None else deferred.callback(future.result())

    future.add_done_callback(lambda _: _reactor.callFromThread(tell))
    return deferred
