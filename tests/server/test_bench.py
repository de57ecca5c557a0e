"""Questions of designers as lab jobs: they give what the library gives, within bounds, and hand over what there is."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from affray.errors import Invalid
from affray.lab.design.campaign import campaign
from affray.lab.design.compare import compare
from affray.lab.design.matches import Knob, Match, variants
from affray.lab.design.tune import tune
from affray.server import bench, jobs
from affray.server.jobs import JobRequest, Jobs, JobState, checked, worked

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}
PARTY = {"heroes": ["player", "squire"]}
SWORDS = JobRequest("compare", "bgo", DUEL, vary=["heroes:health=8|10"], fights=2_000, seed=3)


@pytest.fixture
def own_jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def ended(own: Jobs, id: str) -> JobState:
    while own.state(id, "ann").state == "running":
        pass
    return own.state(id, "ann")


def test_a_comparison_gives_what_the_library_gives(own_jobs: Jobs) -> None:
    state = ended(own_jobs, own_jobs.start("ann", replace(SWORDS, of=["heroes", "rounds"])))
    assert (state.kind, state.state, state.problem) == ("compare", "done", None)
    result = json.loads(json.dumps(state.result))
    match = Match.of("bgo", DUEL)
    alone = compare({"": variants(match, [Knob.read(SWORDS.vary[0])], 2)}, ["heroes", "rounds"], fights=2_000, seed=3)
    assert result["differences"] == json.loads(json.dumps(alone.as_table()["differences"]))
    assert result["measures"] == [{"text": "heroes", "is_chance": True}, {"text": "rounds", "is_chance": False}]


def test_the_other_questions_give_what_the_library_gives() -> None:
    asked = JobRequest(
        "tune", "bgo", DUEL, vary=["monsters:max_health+health=4..8"], targets=["heroes=0.6"], fights=1000
    )
    found = tune(Match.of("bgo", DUEL), [Knob.read(asked.vary[0])], asked.targets, fights=1000)
    assert worked(asked, "")["met"] == found.as_table()["met"][: bench.SHOWN]
    felt = worked(JobRequest("sensitivity", "bgo", DUEL, fights=1000), "")
    assert felt["exact"]
    assert felt["changes"] - felt["idle"] == len(felt["effects"])
    assert felt["effects"][0]["change"] == "fire-slime:max_health+health 4 to 5"
    trip = JobRequest("campaign", "bgo", PARTY, meet=["fire-slime", "mud-slime"], rest=["round*2"], fights=200, seed=5)
    alone = campaign("bgo", PARTY["heroes"], trip.meet, rests=trip.rest, runs=200, seed=5)
    assert worked(trip, "") == {"team": "heroes", **alone.as_table()}
    wanted = {"difficulty": "0.2..0.95", "monsters": "2", "bestiary": ["mud-slime"]}
    met = worked(JobRequest("encounter", "bgo", PARTY, **wanted, fights=1), "")
    assert [each["foes"] for each in met["suggestions"]] == [["mud-slime", "mud-slime"]]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"vary": []}, "say what to vary"),
        ({"vary": ["heroes:health=1..13"]}, "the number of variants must be 1 to 12, not 13"),
        ({"each": ["monsters=creatures"]}, "the number of settings must be 1 to 24, not 46"),
        ({"vary": ["heroes:helth=1|2"]}, "there is no key 'helth'"),
        ({"vary": ["heroes=own.toml#ann|player"]}, "names a file"),
        ({"vary": ["heroes=" + ",".join(["player"] * 9)]}, "the number of fighters of a team must be 1 to 8, not 9"),
        ({"of": ["luck"]}, "there is no measure 'luck'"),
        ({"fights": 20_001}, "the number of fights must be 1 to 20,000, not 20,001"),
        ({"kind": "tune", "targets": ["heroes=1.5"]}, "the target must be a chance from 0 to 1"),
        (
            {"kind": "tune", "vary": ["heroes:health=1..3000"], "targets": ["heroes=0.5"]},
            "combinations must be 1 to 2,000",
        ),
        ({"kind": "tune"}, "and what is wanted, such as"),
        ({"kind": "encounter"}, "give the party alone"),
        ({"kind": "encounter", "teams": PARTY, "monsters": "2..99"}, "from 1 to 8, not '2..99'"),
        ({"kind": "encounter", "teams": PARTY, "difficulty": "cruel"}, "there is no difficulty 'cruel'"),
        ({"kind": "encounter", "teams": PARTY, "bestiary": ["x.toml#y"]}, "must be ids or kinds of sheets"),
        ({"kind": "campaign", "teams": PARTY}, "the number of fights to meet must be 1 to 12, not 0"),
        ({"kind": "campaign", "teams": PARTY, "meet": ["rat"]}, "there is no creature or player 'rat'"),
        ({"kind": "campaign", "teams": PARTY, "meet": ["x.toml"]}, "names a file"),
    ],
)
def test_what_is_too_much_or_cannot_be_is_refused_before_a_process_starts(changed: dict, sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        checked(replace(SWORDS, **changed))


def test_a_job_whose_time_is_up_hands_over_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(SWORDS, vary=["tactic:heroes=random|always-attack"], each=["monsters=fire-slime|mud-slime"])
    heard = []
    monkeypatch.setattr(jobs, "report", lambda done, of: heard.append(done))
    monkeypatch.setattr(jobs, "is_stopped", lambda: len(heard) > 3)
    result = worked(replace(asked, of=["rounds"]), "")
    assert result["interrupted"]
    assert list(result["settings"]) == ["fire-slime"]
    monkeypatch.setattr(jobs, "is_stopped", lambda: True)
    assert worked(replace(asked, of=["rounds"]), "")["differences"] == []


def test_jobs_fight_on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0", protocol="tcp"
    ) as cluster:
        fought = []
        submit = distributed.cfexecutor.ClientExecutor.submit
        monkeypatch.setattr(
            distributed.cfexecutor.ClientExecutor,
            "submit",
            lambda own, *given, **how: fought.append(given) or submit(own, *given, **how),
        )
        asked = replace(SWORDS, of=["rounds"])
        assert worked(asked, cluster.scheduler_address) == worked(asked, "")
        many = JobRequest("simulate", "bgo", DUEL, fights=20_000, seed=5)
        there, here = worked(many, cluster.scheduler_address), worked(many, "")
        assert {**there, "seconds": 0} == {**here, "seconds": 0}
        assert fought
