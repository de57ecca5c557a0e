"""Lab jobs: simulations, odds and questions of designers to a server, each worked out in its own process."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.errors import Illegal, Invalid, Refused
from affray.kernel.chance import Seeded
from affray.lab.progress import Progress
from affray.players.tactics import usual_tactics
from affray.server.limits import Clock, span
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.world.process import WorkingProcess, is_stopped, report

if TYPE_CHECKING:
    from affray.lab.cluster import Pool
    from affray.lab.simulate import Simulation

log = logging.getLogger(__name__)

MOST_FIGHTS = 10_000_000
MOST_FIGHTERS = 12
MOST_UNFINISHED = 50  # of all players together: more would wait for hours
MOST_KEPT = 100
LOOK = 0.1  # seconds between two looks at whether a job was cancelled or takes too long
POLITE = 10  # the niceness of a job, so that the server goes first
ABANDONED = 180.0  # seconds after which a job that no one has looked at is dropped; pages look every moment
MEMORY = 2000  # megabytes that a job may take
GRACE = 5.0  # seconds in which a job whose time is up may hand over what it has

Kind = Literal["simulate", "odds", "compare", "tune", "sensitivity", "encounter", "campaign"]
BENCH = ("compare", "tune", "sensitivity", "encounter", "campaign")
"""The questions of designers; a job of them that is stopped has a result so far."""
Stage = Literal["running", "done", "failed", "cancelled"]
Result = dict[str, Any]


class JobRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's request: what to calculate, and for which fight."""

    kind: Kind
    system: str
    teams: dict[str, list[str | dict[str, Any]]]
    options: dict[str, Any] = {}
    tactics: dict[str, str] = {}
    fights: int = 100_000
    """How many fights to simulate; for odds, only if there are too many states to count."""
    seed: int = 0
    play: Literal["tactics", "best"] = "tactics"
    vary: list[str] = []
    """What is varied, as `affray compare` and `affray tune` take it: `slime:health=4..8`."""
    each: list[str] = []
    """The settings in which variants are compared: `foes=ghoul|zombie`."""
    of: list[str] = []
    """What is measured: an ending, `rounds`, or a figure such as `heroes:damage dealt`."""
    targets: list[str] = []
    """What tuning is to reach: `heroes=0.6`."""
    difficulty: str = "hard"
    monsters: str = "2..4"
    bestiary: list[str] = []
    """The creatures or kinds of sheets that an encounter is made of; empty for all."""
    meet: list[str] = []
    """The foes of each fight of a campaign: `goblin,goblin`."""
    rest: list[str] = []
    """How the party of a campaign recovers between fights."""


class JobState(Struct, frozen=True):
    """The progress of a job; one that waits for its turn is running, with nothing done."""

    id: str
    kind: Kind
    state: Stage
    done: int
    of: int
    problem: str | None
    result: Result | None


class NoSuchJob(Illegal):
    """A job that does not exist, no longer exists, or belongs to another player."""


@dataclass
class Job:
    """A job as its thread writes it down and its owner reads it."""

    owner: str
    state: JobState
    looked: float
    """When its owner has last asked for it."""
    ended: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_running(self) -> bool:
        return self.state.state == "running"

    def go_on(self, now: float, **changed: Any) -> None:
        """Record its progress or result; after the end of a job nothing more is recorded."""
        with self.lock:
            if self.is_running:
                self.state, self.ended = replace(self.state, **changed), now


class Jobs:
    """The lab jobs of a server. Nothing here blocks the event loop: threads watch the processes."""

    def __init__(
        self,
        *,
        at_once: int = 2,
        seconds: float = 5 * 60,
        kept: float = 10 * 60,
        cluster: str = "",
        clock: Clock = time.monotonic,
    ) -> None:
        """At most `at_once` processes, each for at most `seconds`; results are `kept` for a while.

        With the address of a `cluster` their fights are fought there.
        """
        self._cluster = cluster
        self._seconds = seconds
        self._kept = kept
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._attendants = ThreadPoolExecutor(at_once, thread_name_prefix="affray-jobs")
        self._closed = False

    def start(self, owner: str, request: JobRequest) -> str:
        """Begin a job, now or as soon as others are done, and return its id. An invalid request is refused at once.

        It takes the place of an unfinished job of the same owner.
        """
        self._forget()
        self._check_room(owner)
        ready = checked(request)
        for job in self._unfinished():
            if job.owner == owner:
                job.go_on(self._clock(), state="cancelled", problem="you have asked something newer meanwhile")
        id, of = secrets.token_urlsafe(16), request.fights if request.kind == "simulate" else 1
        job = self._jobs[id] = Job(owner, JobState(id, request.kind, "running", 0, of, None, None), self._clock())
        self._begin(job, ready)
        return id

    def _begin(self, job: Job, request: JobRequest) -> None:
        self._attendants.submit(self._attend, job, request)

    def state(self, id: str, owner: str) -> JobState:
        """The progress of a job, and its result."""
        job = self._find(id, owner)
        job.looked = self._clock()
        return job.state

    def cancel(self, id: str, owner: str) -> None:
        """Cancel a job and end its process; a job that has already ended does not change."""
        self._find(id, owner).go_on(self._clock(), state="cancelled", problem="it was cancelled")

    def close(self) -> None:
        """End all jobs and their processes."""
        self._closed = True
        for job in self._jobs.values():
            job.go_on(self._clock(), state="cancelled", problem="the server was closed")
        self._attendants.shutdown(wait=True, cancel_futures=True)

    def _check_room(self, owner: str) -> None:
        if self._closed:
            raise Illegal("the server is closing and accepts no more lab jobs")
        others = sum(job.owner != owner for job in self._unfinished())
        if others >= MOST_UNFINISHED:
            raise Illegal(f"{others} lab jobs are already waiting; please try again later")

    def _unfinished(self) -> list[Job]:
        return [job for job in self._jobs.values() if job.is_running]

    def _find(self, id: str, owner: str) -> Job:
        """The job of that id, if it is the owner's own; whether others have one stays secret."""
        self._forget()
        job = self._jobs.get(id)
        if job is None or job.owner != owner:
            raise NoSuchJob(f"you have no lab job {cut(id)!r}; results are kept for {span(self._kept)}", given=id)
        return job

    def _forget(self) -> None:
        """Drop old results that were not fetched."""
        ended = sorted((job for job in self._jobs.values() if not job.is_running), key=lambda job: job.ended)
        outdated = [job for job in ended if job.ended + self._kept <= self._clock()]
        for job in ended[: max(len(outdated), len(ended) - MOST_KEPT)]:
            del self._jobs[job.state.id]

    def _attend(self, job: Job, request: JobRequest) -> None:
        """In a thread: see a job through. Only this thread touches its process."""
        self._drop_if_abandoned(job)
        if not job.is_running:
            return
        deadline = self._clock() + self._seconds
        try:
            with WorkingProcess(POLITE, MEMORY) as process:
                process.how_far[:] = 0, job.state.of
                asked = process.submit(worked, request, self._cluster)
                while job.is_running and not wait([asked], LOOK).done:
                    job.go_on(self._clock(), done=process.how_far[0], of=process.how_far[1])
                    self._drop_if_abandoned(job)
                    if self._clock() >= deadline and not (request.kind in BENCH and _handed_over(process, asked)):
                        problem = f"a lab job may take {span(self._seconds)}, and this one takes longer"
                        job.go_on(self._clock(), state="cancelled", problem=problem)
                if job.is_running:
                    result, of = asked.result(), process.how_far[1]
                    job.go_on(self._clock(), state="done", done=of, of=of, result=result)
        except Refused as refused:
            job.go_on(self._clock(), state="failed", problem=str(refused))
        except MemoryError:
            problem = f"a lab job may take {MEMORY:,} MB of memory, and this one takes more"
            job.go_on(self._clock(), state="failed", problem=problem)
        except Exception:
            log.exception("a lab job failed")
            problem = "the process that worked on it ended too early; please try again"
            job.go_on(self._clock(), state="failed", problem=problem)

    def _drop_if_abandoned(self, job: Job) -> None:
        if self._clock() >= job.looked + ABANDONED:
            problem = f"no one has asked for it for {span(ABANDONED)}"
            job.go_on(self._clock(), state="cancelled", problem=problem)


def _handed_over(process: WorkingProcess, asked: Future[Result]) -> bool:
    """Tell a job that its time is up; whether it has handed over what there is so far."""
    process.stop(True)
    return bool(wait([asked], GRACE).done) and not isinstance(asked.exception(), Stopped)


class Stopped(Refused):
    """A job that was stopped before it had found anything."""


def checked(request: JobRequest) -> JobRequest:
    """The request with complete sheets and settled options, if such a fight is possible; no file is read for it."""
    if type(request.fights) is not int or not 1 <= request.fights <= MOST_FIGHTS:
        raise Invalid(
            f"the number of fights must be 1 to {MOST_FIGHTS:,}, not {request.fights!r}", given=request.fights
        )
    fighters = sum(map(len, request.teams.values()))
    if fighters > MOST_FIGHTERS:
        raise Invalid(f"a lab job must have at most {MOST_FIGHTERS} fighters, not {fighters}", given=fighters)
    if request.kind == "simulate" and request.play != "tactics":
        problem = "fighters in a simulation follow tactics; only odds can assume best play"
        raise Invalid(problem, given=request.play, allowed=["tactics"])
    Seeded(request.seed)  # refuses an invalid seed
    if request.kind in BENCH:
        from affray.server.bench import check

        check(request)
        return request
    setup = Setup.of(request.system, request.teams, request.options, files=False)
    usual_tactics(setup, request.tactics)
    return replace(request, teams=setup.specs(), options=dict(setup.options))


def worked(request: JobRequest, cluster: str) -> Result:
    """In the process of a job: what comes of it, as plain JSON values; its fights are fought on a cluster, if any."""
    from affray.lab.cluster import joined

    def heard(done: int, of: int) -> None:
        report(done, of)
        if is_stopped():
            raise KeyboardInterrupt  # as at a terminal: what there is so far is the result

    try:
        with joined(cluster) if cluster else nullcontext() as pool:
            if request.kind == "simulate":
                return simulated(request, report, pool)
            if request.kind == "odds":
                return foreseen(request, report)
            from affray.server.bench import WORK

            return WORK[request.kind](request, pool.executor if pool else None, heard)
    except KeyboardInterrupt:
        raise Stopped("it was stopped before there was anything to show") from None


def simulated(request: JobRequest, progress: Progress, pool: Pool | None = None) -> Result:
    """The results of many fights."""
    from affray.lab.simulate import simulate

    ended = simulate(
        request.system,
        request.teams,
        fights=request.fights,
        seed=request.seed,
        tactics=request.tactics,
        options=request.options,
        pool=pool,
        progress=progress,
    )
    return simulation_table(ended)


def simulation_table(ended: Simulation) -> Result:
    """What came of many fights, as plain JSON values."""
    table = ended.as_table()
    endings = {ending: {"count": count, **table["rates"][ending]} for ending, count in table["counts"].items()}
    kept = ("fights", "seconds", "compiled", "rounds", "figures", "seed")
    return {**{key: table[key] for key in kept}, "endings": endings}


def foreseen(request: JobRequest, progress: Progress) -> Result:
    """In the process of a job: the odds of a whole fight, as plain JSON values."""
    from affray.lab.forecast import forecast

    setup = Setup.of(request.system, request.teams, request.options, files=False)
    tactics, fights = request.tactics, request.fights
    seen = forecast(setup, tactics=tactics, play=request.play, fights=fights, seed=request.seed, progress=progress)
    endings = {}
    for ending, chance in seen.odds.chances.items():
        low, high = seen.odds.interval(ending)
        fraction = seen.odds.fraction(ending) or None
        endings[ending] = {"value": float(chance), "low": low, "high": high, "exact": fraction}
    result: Result = {"endings": endings, "how": f"sampled, {seen.odds.how}" if seen.odds.fights else seen.odds.how}
    return result if seen.rounds is None else {**result, "expected_rounds": seen.rounds.value}
