"""Lab jobs in a browser: a simulation is divided among all workers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from affray.edition.pool import Pool, Report
from affray.errors import Illegal, Refused
from affray.lab.fighting import Counts
from affray.lab.simulate import fight_part, summed_up
from affray.players.tactics import usual_tactics
from affray.server.jobs import BENCH, Job, JobRequest, Jobs, Result, foreseen, simulation_table
from affray.system.setup import Setup
from affray.world.process import report

log = logging.getLogger(__name__)
Part = tuple[Counts, bool]
"""What came of some fights of a simulation, and whether compiled rules fought them."""

PARTS = 4  # how often each worker of a simulation reports its progress


class PoolJobs(Jobs):
    """The lab jobs of a page, worked out by a pool of workers."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool = pool
        self._running: dict[str, asyncio.Task[None]] = {}

    def start(self, owner: str, request: JobRequest) -> str:
        """Begin a job, unless it is one that only a server works out."""
        if request.kind in BENCH:
            raise Illegal("this page works without a server, and simulates and counts odds only", given=request.kind)
        return super().start(owner, request)

    def cancel(self, id: str, owner: str) -> None:
        """End a job and its workers."""
        super().cancel(id, owner)
        if id in self._running:
            self._running[id].cancel()

    def _begin(self, job: Job, request: JobRequest) -> None:
        id = job.state.id
        self._running[id] = task = asyncio.ensure_future(self._see_through(job, request))
        task.add_done_callback(lambda _: self._running.pop(id, None))

    async def _see_through(self, job: Job, request: JobRequest) -> None:
        def heard(done: int, of: int) -> None:
            job.go_on(self._clock(), done=done, of=of)

        try:
            if request.kind == "simulate":
                result = await self._simulated(request, heard)
            else:
                result = await self._pool.run(foreseen, request, report, heard=heard)
            job.go_on(self._clock(), state="done", done=job.state.of, result=result)
        except Refused as refused:
            job.go_on(self._clock(), state="failed", problem=str(refused))
        except Exception:
            log.exception("a lab job failed")
            job.go_on(self._clock(), state="failed", problem="it failed; please try again")

    async def _simulated(self, request: JobRequest, heard: Report) -> Result:
        """What came of many fights; which worker fights which makes no difference."""
        begun = time.perf_counter()
        size = -(-request.fights // (PARTS * self._pool.size))
        counts = [(first, min(size, request.fights - first)) for first in range(0, request.fights, size)]
        running = [asyncio.ensure_future(self._pool.run(part, request, *each)) for each in counts]
        done: list[Part] = []
        try:
            for finished in asyncio.as_completed(running):
                done.append(await finished)
                heard(sum(counts.fights for counts, _ in done), request.fights)
        finally:
            for each in running:  # a job that is cancelled ends its workers
                each.cancel()
        return totalled(request, done, time.perf_counter() - begun)


def part(request: JobRequest, first: int, count: int) -> Part:
    """In a worker: some of the fights of a simulation, and whether compiled rules fought them."""
    setup = Setup.of(request.system, request.teams, request.options, files=False)
    return fight_part(setup, usual_tactics(setup, request.tactics), request.seed, first, count)


def totalled(request: JobRequest, parts: Sequence[Part], seconds: float) -> Result:
    """What came of the simulation of which these are all parts."""
    setup = Setup.of(request.system, request.teams, request.options, files=False)
    (total, _), *others = parts
    for counts, _ in others:
        total.add(counts)
    is_compiled = all(compiled for _, compiled in parts)
    tactics = usual_tactics(setup, request.tactics)
    return simulation_table(summed_up(setup, tactics, request.seed, request.fights, total, is_compiled, seconds))
