"""A cluster: numbered fights handed out to Dask workers, so that the death of one costs only the chunk it was at."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from affray.errors import Failed, MissingExtra
from affray.lab.fighting import Counts, Part, part_of
from affray.system.setup import Setup

LOCAL = "local"
"""Instead of an address: a cluster of this machine's cores."""
LARGEST = 2_000_000  # fights of a chunk: a third of a second or more, beside which the scheduler's 3 ms are small
MOST_CHUNKS = 50_000  # of a run; one of more fights has larger ones, so that the scheduler does not limit it
PATIENCE = 10  # seconds to reach the scheduler
# Dask looks at its processes fifty to a hundred times a second, which costs a twelfth of a core: for chunks that last
# parts of a second, once a second will do.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.cycle": "5s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.scheduler.active-memory-manager.start": False,
}


def largest_chunk(fights: int) -> int:
    """The most fights of a run that are handed out at once."""
    return max(LARGEST, fights // MOST_CHUNKS)


@dataclass(frozen=True)
class Elsewhere:
    """The function that fights numbered fights wherever it is called; who fights by which rules is all that travels."""

    told: str
    """The set-up as JSON."""
    names: tuple[str, ...]
    tactics: tuple[int, ...]
    seed: int
    figures: bool
    each: bool

    @staticmethod
    def of(setup: Setup[Any], tactics: tuple[int, ...], seed: int, *, figures: bool, each: bool) -> Elsewhere:
        """The same for a set-up, whose sheets travel in full: workers need not have its files."""
        return Elsewhere(json.dumps(setup.as_table()), setup.names, tactics, seed, figures, each)

    def __call__(self, first: int, count: int) -> Counts:
        return _made(self)(first, count)


@lru_cache(maxsize=64)
def _made(given: Elsewhere) -> Part:
    """Made once in every worker."""
    table = json.loads(given.told)
    setup = Setup.of(table["system"], table["teams"], table["options"]).renamed(given.names)
    part, _ = part_of(setup, given.tactics, given.seed, figures=given.figures, each=given.each)
    return part


@dataclass(frozen=True)
class Pool:
    """Where work is handed out to, and how much of it is done at the same time."""

    executor: Executor
    workers: int


@contextmanager
def _deaf() -> Iterator[None]:
    """Threads and processes that are started meanwhile do not hear Ctrl-C, which is meant for this process alone."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker  # which a browser's Python lacks

    resource_tracker.ensure_running()  # which unblocks signals when a first process is started
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


@contextmanager
def joined(address: str, workers: int | None = None) -> Iterator[Pool]:
    """A Dask cluster by the address of its scheduler, such as tcp://10.0.0.5:8786, or a `local` one of this machine.

    A local one has the number of `workers` given, or one for each core.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtra("a cluster", "cluster") from None
    if address == LOCAL:
        how: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with dask.config.set(QUIET):
            with _deaf():
                cluster = LocalCluster(n_workers=workers, silence_logs=logging.ERROR, **how)
            with cluster, Client(cluster) as client:
                yield Pool(client.get_executor(pure=False), len(cluster.workers))
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        wanted = f"an address such as tcp://10.0.0.5:8786, or {LOCAL}"
        raise Failed(f"there is no cluster at {address!r} ({error}); it must be {wanted}", given=address) from None
    with client:
        there = sum(client.nthreads().values())
        if not there:
            raise Failed(f"the cluster at {address} has no workers", given=address)
        yield Pool(client.get_executor(pure=False), there)
