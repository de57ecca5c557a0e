"""Lab jobs in a browser: a simulation is divided among all workers."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from affray.edition.pool import Pool
from affray.errors import Refused
from affray.lab.simulate import Counts, fight_part, summed_up
from affray.players.tactics import usual_tactics
from affray.server.jobs import Job, JobRequest, Jobs, Result, foreseen, simulation_table
from affray.system.setup import Setup
from affray.world.process import report

log = logging.getLogger(__name__)
PARTS = 4  # for each worker: so often a simulation tells how far it is


class PoolJobs(Jobs):
    """The lab jobs of a page, worked out by a pool of workers."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool = pool
        self._running: dict[str, asyncio.Task[None]] = {}

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

    async def _simulated(self, request: JobRequest, heard: Any) -> Result:
        """What came of many fights; which worker fights which makes no difference."""
        setup = Setup.of(request.system, request.teams, request.options, files=False)
        begun = time.perf_counter()
        size = -(-request.fights // (PARTS * self._pool.size))
        firsts = range(0, request.fights, size)
        parts = [self._pool.run(part, request, first, min(size, request.fights - first)) for first in firsts]
        total: Counts | None = None
        is_compiled = True
        for done in asyncio.as_completed(parts):
            counts, compiled = await done
            is_compiled &= compiled
            if total is None:
                total = counts
            else:
                total.add(counts)
            heard(total.fights, request.fights)
        assert total is not None
        seconds = time.perf_counter() - begun
        chosen = usual_tactics(setup, request.tactics)
        ended = summed_up(setup, chosen, request.seed, request.fights, total, is_compiled, seconds)
        return simulation_table(ended)


def part(request: JobRequest, first: int, count: int) -> tuple[Counts, bool]:
    """In a worker: some of the fights of a simulation, and whether compiled rules fought them."""
    setup = Setup.of(request.system, request.teams, request.options, files=False)
    return fight_part(setup, usual_tactics(setup, request.tactics), request.seed, first, count)
