"""The lab over HTTP: jobs that are started, looked at and cancelled."""

from __future__ import annotations

from litestar import Controller, delete, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from affray.server.jobs import Jobs
from affray.server.web.messages import JobRequest, JobStarted, JobState
from affray.server.web.sessions import Player


class Lab(Controller):
    """Simulations and odds, each in a process of its own."""

    path = "/api/lab/jobs"
    tags = ["lab"]  # noqa: RUF012

    @post(status_code=202)
    async def begin(self, player: Player, state: State, data: JSONBody[JobRequest]) -> JobStarted:
        """Begin a job."""
        return JobStarted(state.jobs.start(player.key, data))

    @get("/{id:str}")
    async def look(self, player: Player, state: State, id: FromPath[str]) -> JobState:
        """How far a job is, and what has come of it."""
        jobs: Jobs = state.jobs
        return jobs.state(id, player.key)

    @delete("/{id:str}")
    async def cancel(self, player: Player, state: State, id: FromPath[str]) -> None:
        """End a job."""
        state.jobs.cancel(id, player.key)
