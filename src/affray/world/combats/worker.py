"""Calculates answers about fights, such as odds and luck, in a separate process, so visitors need not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Hashable
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from affray.errors import Refused
from affray.fight import Fight
from affray.fight.saving import public_table, rerun
from affray.world.process import WorkingProcess

AnswerT = TypeVar("AnswerT")
Run = Callable[..., Awaitable[Any]]
"""Calls a function beside the world: `await run(function, *args)`."""


MOST_WAITING = 100  # questions


class Closing(Refused):
    """A question that is not answered because the server ends; it can be asked again when there is one."""


class _Question(NamedTuple):
    """What is asked, and where the answer goes."""

    asked: tuple[object, ...]
    answer: asyncio.Future[Any]


class Worker:
    """Takes questions about fights one after another, and gives the answers when they are ready.

    Those who ask again before it is their turn have only their newest question answered, at the place of the first.
    """

    def __init__(self, run: Run | None = None) -> None:
        self._process: WorkingProcess | None = None
        self.beside = run  # what calls functions beside the world, where that is not a process of its own
        self._run = run or self._in_process
        self._waiting: dict[Hashable, _Question] = {}
        self._asked: _Question | None = None  # what is being worked on
        self._serving: asyncio.Task[None] | None = None
        self._is_refusing = False

    def ask(self, by: Hashable, work: Callable[..., AnswerT], fight: Fight, *more: object) -> asyncio.Future[AnswerT]:
        """What `work` finds out about a fight as it is now; the process gets no secret before the fight has ended."""
        if self._is_refusing:
            raise _closing()
        if by in self._waiting:
            _refuse(self._waiting[by], Refused("you have asked something newer meanwhile"))
        elif len(self._waiting) >= MOST_WAITING:
            raise Refused(f"{MOST_WAITING} questions about odds are waiting already; please ask again in a moment")
        answer = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # its caller may no longer wait
        self._waiting[by] = _Question((answered, work, public_table(fight), more), answer)
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve(), name="odds")
        return answer

    async def _serve(self) -> None:
        while self._waiting:
            question = self._waiting.pop(next(iter(self._waiting)))
            if question.answer.done():  # nobody waits for it any more
                continue
            self._asked = question
            try:
                found = await self._run(*question.asked)
            except Exception as problem:
                if not question.answer.done():
                    question.answer.set_exception(problem)
            else:
                if not question.answer.done():
                    question.answer.set_result(found)

    async def _in_process(self, *asked: Any) -> Any:
        process = self._process = self._process or WorkingProcess()  # it stays, since starting one takes a while
        try:
            return await asyncio.get_running_loop().run_in_executor(process, *asked)
        except BrokenExecutor:  # it was ended from outside; the next question starts another
            if self._process is process:
                self._process = None
            raise Refused("the odds could not be worked out; please ask again") from None

    @contextmanager
    def refusing(self) -> Generator[None, None, None]:
        """Let no one wait any longer, nor ask anything more, while a server ends."""
        self._is_refusing = True
        self._refuse_all()
        try:
            yield
        finally:
            self._is_refusing = False

    def _refuse_all(self) -> None:
        for question in (self._asked, *self._waiting.values()):
            if question is not None:
                _refuse(question, _closing())
        self._waiting.clear()

    def close(self) -> None:
        """End the process; what still waits is refused."""
        if self._serving is not None:
            self._serving.cancel()
        self._refuse_all()
        if self._process is not None:
            self._process.shutdown()


def _closing() -> Closing:
    return Closing("the server is closing; please ask again when it is back")


def _refuse(question: _Question, problem: Refused) -> None:
    if not question.answer.done():
        question.answer.set_exception(problem)


def answered(work: Callable[..., AnswerT], table: dict[str, Any], more: tuple[object, ...]) -> AnswerT:
    """In the process: run the log, and answer the question."""
    return work(rerun({**table, "whim": None}, "the fight"), *more)
