"""Lab jobs: they really run, each in a process of its own, for their owner alone, and never longer than they may."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import active_children

import msgspec
import pytest

import affray
import affray.server.jobs
from affray.errors import Illegal, Invalid
from affray.lab import simulate
from affray.server.jobs import ABANDONED, MOST_KEPT, POLITE, JobRequest, Jobs, JobState, NoSuchJob, foreseen

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}
QUICK = JobRequest("odds", "bgo", DUEL)
LONG = JobRequest("simulate", "bgo", {"a": ["player:attack=-30"], "b": ["mud-slime:attack=-30"]}, fights=10**7)
SECONDS = 600  # before a test that hangs is a failure


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def processes() -> set[int]:
    return {child.pid for child in active_children() if child.pid is not None}


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.01)


def ended(jobs: Jobs, id: str, owner: str = "ann") -> JobState:
    until(lambda: jobs.state(id, owner).state != "running")
    return jobs.state(id, owner)


def working(jobs: Jobs) -> int:
    """The process of the only job."""
    until(processes)
    (process,) = processes()
    return process


def test_a_simulation_gives_what_the_lab_gives(jobs: Jobs, native: object) -> None:
    request = JobRequest("simulate", "bgo", DUEL, tactics={"player": "random"}, fights=20_000, seed=5)
    state = ended(jobs, jobs.start("ann", request))
    assert (state.kind, state.state, state.done, state.of, state.problem) == ("simulate", "done", 20_000, 20_000, None)
    result = json.loads(json.dumps(state.result))
    assert set(result) == {"fights", "seconds", "compiled", "endings", "rounds", "figures", "seed"}
    alone = affray.simulate("bgo", DUEL, tactics={"player": "random"}, fights=20_000, seed=5)
    assert {ending: row["count"] for ending, row in result["endings"].items()} == alone.counts
    assert all(row["low"] <= row["count"] / 20_000 == row["value"] <= row["high"] for row in result["endings"].values())
    assert {int(lasted): count for lasted, count in result["rounds"].items()} == alone.rounds
    assert result["figures"]["player"]["died"] == alone.figures["player"]["died"]._asdict()


@pytest.mark.parametrize("play", ["tactics", "best"])
def test_odds_of_a_small_fight_are_fractions(jobs: Jobs, play: str) -> None:
    state = ended(jobs, jobs.start("ann", msgspec.structs.replace(QUICK, play=play)))
    chances = affray.odds("bgo", DUEL, play=play, compiled=False).chances
    assert state.result is not None
    assert state.result["how"] == "exact"
    assert {ending: row["exact"] for ending, row in state.result["endings"].items()} == {
        ending: str(chance) for ending, chance in chances.items()
    }


def test_odds_of_a_fight_that_cannot_be_counted_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    part_of = simulate.part_of
    monkeypatch.setattr(simulate, "part_of", lambda *model, **how: part_of(*model, **how | {"compiled": False}))
    request = JobRequest("odds", "strategic", {"order": ["knight"], "raiders": ["brute"]}, fights=300, seed=4)
    seen: list[tuple[int, int]] = []
    result = foreseen(request, lambda done, of: seen.append((done, of)))
    assert seen[-1] == (300, 300)
    assert result["how"].startswith("sampled, 300 simulated fights")
    alone = simulate.simulate("strategic", request.teams, fights=300, seed=4)
    assert result["expected_rounds"] == alone.mean_rounds.value
    for ending, rate in alone.rates.items():
        assert result["endings"][ending] == {**rate._asdict(), "exact": None}


def test_cancelling_ends_the_process(jobs: Jobs) -> None:
    id = jobs.start("ann", LONG)
    working(jobs)
    jobs.cancel(id, "ann")
    assert jobs.state(id, "ann").state == "cancelled"
    until(lambda: not processes())
    assert jobs.state(id, "ann").result is None


def test_closing_ends_what_runs_and_what_waits() -> None:
    jobs = Jobs(at_once=1)
    first, second = jobs.start("ann", LONG), jobs.start("ben", LONG)
    working(jobs)
    jobs.close()
    assert not processes()
    assert [jobs.state(first, "ann").state, jobs.state(second, "ben").state] == ["cancelled", "cancelled"]
    with pytest.raises(Illegal, match="closing"):
        jobs.start("cid", QUICK)


def test_a_job_that_takes_too_long_is_cancelled_with_a_sentence() -> None:
    jobs = Jobs(seconds=0.2)
    try:
        state = ended(jobs, jobs.start("ann", LONG))
        assert state.state == "cancelled"
        assert state.problem == "a lab job may take 0.2 seconds, and this one takes longer"
        until(lambda: not processes())
    finally:
        jobs.close()


def test_a_running_job_says_how_far_it_is_and_is_still_cancelled_in_time() -> None:
    now = 1000.0
    jobs = Jobs(seconds=300, clock=lambda: now)
    try:
        id = jobs.start("ann", msgspec.structs.replace(LONG, fights=2 * 10**6))
        until(lambda: jobs.state(id, "ann").done)
        state = jobs.state(id, "ann")
        assert (state.state, state.of) == ("running", 2 * 10**6)
        assert 0 < state.done < state.of
        if hasattr(os, "nice"):
            assert os.getpriority(os.PRIO_PROCESS, working(jobs)) == min(os.nice(0) + POLITE, 19)
        now += 300
        assert ended(jobs, id).state == "cancelled"
    finally:
        jobs.close()


def test_a_job_that_no_one_looks_at_is_dropped_whether_it_runs_or_waits() -> None:
    now = 1000.0
    jobs = Jobs(at_once=1, seconds=10**6, clock=lambda: now)
    try:
        running, waiting = jobs.start("ann", LONG), jobs.start("ben", LONG)
        working(jobs)
        now += ABANDONED - 1
        assert jobs.state(running, "ann").state == jobs.state(waiting, "ben").state == "running"
        now += ABANDONED
        until(lambda: not processes() and not jobs._jobs[waiting].is_running)
        for id, owner in ((running, "ann"), (waiting, "ben")):
            state = jobs.state(id, owner)
            assert (state.state, state.problem) == ("cancelled", "no one has asked for it for 3 minutes")
    finally:
        jobs.close()


def filled(request: JobRequest, cluster: str) -> dict:
    return {"bytes": len(bytearray(affray.server.jobs.MEMORY * 10**6))}


@pytest.mark.skipif(sys.platform != "linux", reason="only there is memory counted")
def test_a_job_that_takes_too_much_memory_fails_with_a_sentence(jobs: Jobs, monkeypatch) -> None:
    monkeypatch.setattr(affray.server.jobs, "worked", filled)
    state = ended(jobs, jobs.start("ann", QUICK))
    assert state.state == "failed"
    assert state.problem == "a lab job may take 2,000 MB of memory, and this one takes more"


def test_a_job_whose_process_cannot_start_fails(jobs: Jobs, monkeypatch, caplog) -> None:
    def cannot_start(niceness: int, memory: int) -> None:
        raise OSError("too many processes")

    monkeypatch.setattr(affray.server.jobs, "WorkingProcess", cannot_start)
    assert ended(jobs, jobs.start("ann", QUICK)).state == "failed"
    assert "too many processes" in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_killed_process_leaves_a_sentence_and_room_for_the_next_job(jobs: Jobs) -> None:
    id = jobs.start("ann", LONG)
    os.kill(working(jobs), signal.SIGKILL)
    state = ended(jobs, id)
    assert (state.state, state.result) == ("failed", None)
    assert state.problem == "the process that worked on it ended too early; please try again"
    assert ended(jobs, jobs.start("ann", QUICK)).state == "done"


def test_a_job_is_its_owners_alone(jobs: Jobs) -> None:
    id = jobs.start("ann", LONG)
    for ask in (jobs.state, jobs.cancel):
        with pytest.raises(NoSuchJob) as of_another:
            ask(id, "ben")
        with pytest.raises(NoSuchJob) as of_nobody:
            ask("x" * len(id), "ben")
        assert str(of_another.value).replace(id, "ID") == str(of_nobody.value).replace("x" * len(id), "ID")
    assert jobs.state(id, "ann").state == "running"


def test_the_newest_job_of_an_owner_takes_the_place_of_an_unfinished_one(jobs: Jobs) -> None:
    first, of_another = jobs.start("ann", LONG), jobs.start("ben", LONG)
    until(processes)
    with pytest.raises(Invalid, match="there is no combat system 'chess'"):
        jobs.start("ann", msgspec.structs.replace(QUICK, system="chess"))
    assert jobs.state(first, "ann").state == "running", "what is refused takes no one's place"
    second = jobs.start("ann", QUICK)
    old = jobs.state(first, "ann")
    assert (old.state, old.problem) == ("cancelled", "you have asked something newer meanwhile")
    assert ended(jobs, second).state == "done"
    assert jobs.state(of_another, "ben").state == "running"


def test_so_many_jobs_run_at_once() -> None:
    jobs = Jobs(at_once=1)
    try:
        first = jobs.start("ann", LONG)
        working(jobs)
        second = jobs.start("ben", QUICK)
        time.sleep(1)
        assert len(processes()) == 1
        waiting = jobs.state(second, "ben")
        assert (waiting.state, waiting.done) == ("running", 0)
        jobs.cancel(first, "ann")
        assert ended(jobs, second, "ben").state == "done"
    finally:
        jobs.close()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"system": "chess"}, "there is no combat system 'chess'"),
        ({"teams": {"heroes": ["own.toml#ann"], "monsters": ["fire-slime"]}}, "names a file"),
        (
            {"teams": {"heroes": ["player"] * 12, "monsters": ["fire-slime"]}},
            "a lab job must have at most 12 fighters, not 13",
        ),
        ({"teams": {"heroes": ["player"]}}, "two or more teams"),
        ({"teams": {"heroes": ["player:health=lots"], "monsters": ["fire-slime"]}}, "health"),
        ({"options": {"round_cap": -1}}, "round_cap"),
        ({"tactics": {"player": "dance"}}, "there is no tactic 'dance'"),
        ({"fights": 0}, "must be 1 to 10,000,000"),
        ({"fights": 10_000_001}, "must be 1 to 10,000,000"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"kind": "simulate", "play": "best"}, "only odds can assume best play"),
    ],
)
def test_what_cannot_be_is_refused_before_a_process_starts(jobs: Jobs, changed: dict, sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        jobs.start("ann", msgspec.structs.replace(QUICK, **changed))
    assert not processes()
    jobs.cancel(jobs.start("ann", QUICK), "ann")  # nothing stands in the way of the next


def test_results_are_kept_for_a_while_and_not_too_many_of_them() -> None:
    now = 1000.0
    jobs = Jobs(at_once=1, kept=600, clock=lambda: now)
    try:
        first = ended(jobs, jobs.start("ann", QUICK)).id
        now += 599
        assert jobs.state(first, "ann").state == "done"
        others = []
        for _ in range(MOST_KEPT):
            others.append(jobs.start("ann", QUICK))
            jobs.cancel(others[-1], "ann")
        with pytest.raises(NoSuchJob, match="kept for 10 minutes"):
            jobs.state(first, "ann")
        assert jobs.state(others[0], "ann").state == "cancelled"
        now += 600
        with pytest.raises(NoSuchJob):
            jobs.state(others[-1], "ann")
    finally:
        jobs.close()


def test_a_request_comes_as_json_and_strange_fields_are_refused() -> None:
    sent = {"kind": "odds", "system": "bgo", "teams": {"heroes": ["player", {"base": "squire"}], "monsters": ["rat"]}}
    assert msgspec.json.decode(json.dumps(sent), type=JobRequest).fights == 100_000
    with pytest.raises(msgspec.ValidationError, match="files"):
        msgspec.json.decode(json.dumps({**sent, "files": True}), type=JobRequest)


SERVING = """
import time
from multiprocessing import active_children
from affray.server.jobs import JobRequest, Jobs

if __name__ == "__main__":
    teams = {"a": ["player:attack=-30"], "b": ["mud-slime:attack=-30"]}
    Jobs().start("ann", JobRequest("simulate", "bgo", teams, fights=10**7))
    while not active_children():
        time.sleep(0.01)
    print(active_children()[0].pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there signal 0 would end the process")
def test_a_job_does_not_outlive_a_killed_server(tmp_path) -> None:
    script = tmp_path / "serving.py"
    script.write_text(SERVING, encoding="utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        try:
            process = int(server.stdout.readline())
            os.kill(process, 0)
        finally:
            server.kill()

    def is_gone() -> bool:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        return False

    until(is_gone)
