"""The lab: jobs that are started, looked at and cancelled."""

from __future__ import annotations

from affray.server.api.callers import Caller
from affray.server.api.messages import JobRequest, JobStarted, JobState
from affray.server.api.routes import Routes
from affray.server.jobs import Jobs

routes = Routes("/api/lab/jobs", "lab")


@routes.post(status=202)
async def begin(player: Caller, jobs: Jobs, data: JobRequest) -> JobStarted:
    """Begin a job."""
    return JobStarted(jobs.start(player.key, data))


@routes.get("/{id:str}")
async def look(player: Caller, jobs: Jobs, id: str) -> JobState:
    """How far a job is, and what has come of it."""
    return jobs.state(id, player.key)


@routes.delete("/{id:str}")
async def cancel(player: Caller, jobs: Jobs, id: str) -> None:
    """End a job."""
    jobs.cancel(id, player.key)
