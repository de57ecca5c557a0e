"""A process that works for a server without blocking its event loop, and never outlives it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Any

_hear: Callable[[int, int], None] | None = None
_stopping: Any = None


class WorkingProcess(ProcessPoolExecutor):
    """Runs submitted work in order. The first piece of work starts it, and shutting down kills it."""

    def __init__(self, niceness: int = 0, memory: int | None = None) -> None:
        """Work that takes more than so many megabytes of `memory` fails with a MemoryError, where that is counted."""
        spawn = get_context("spawn")
        self.how_far = spawn.RawArray("q", 2)  # what was last reported: so much is done, of so much
        self._stopping = spawn.RawValue("b", 0)
        super().__init__(1, spawn, initializer=_begin, initargs=(self.how_far, self._stopping, niceness, memory))

    def stop(self, stopping: bool) -> None:
        """Tell the work that is done that its result is no longer wanted; it may look by `is_stopped`."""
        self._stopping.value = int(stopping)

    def _spawn_process(self) -> None:
        """Start it ignoring Ctrl-C, which would interrupt its imports with a traceback; `_begin` keeps it so."""
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            super()._spawn_process()  # type: ignore[misc]
            return
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super()._spawn_process()  # type: ignore[misc]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End it at once, because its work, or compiling it, may take minutes."""
        for process in list(self._processes.values()):
            process.kill()
        super().shutdown(wait, cancel_futures=cancel_futures)


def report(done: int, of: int) -> None:
    """In the process: tell the server how far the work is."""
    if _hear is not None:
        _hear(done, of)


def is_stopped() -> bool:
    """In the process: whether the result of the work is no longer wanted."""
    return _stopping is not None and bool(_stopping.value)


def report_to(hear: Callable[[int, int], None]) -> None:
    """In the process: say how the server is told."""
    global _hear
    _hear = hear


def _begin(how_far: Any, stopping: Any, niceness: int, memory: int | None) -> None:
    """In the process: be polite, and end when the server does, however that was ended."""
    global _stopping
    _stopping = stopping
    report_to(lambda done, of: how_far.__setitem__(slice(2), (done, of)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the server, which then ends this process itself
    if hasattr(os, "nice"):
        os.nice(niceness)
    if memory is not None and sys.platform == "linux":  # elsewhere there is no such limit, or none that holds
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory * 10**6,) * 2)

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, name="affray-watch", daemon=True).start()
