"""Background tasks of a world; they end when it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Background:
    """The tasks that are running, each under a name."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a task until it is done or the world is closed."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def is_running(self, name: str) -> bool:
        """Whether a task of that name is not done yet."""
        return any(task.get_name() == name and not task.done() for task in self._tasks)

    async def close(self) -> None:
        """Cancel the tasks that are still running."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
