"""A cluster counts what one process counts, also when a worker is killed in mid-run."""

import os
import signal

import pytest

import affray
from affray.errors import Failed
from affray.lab import arena
from affray.lab.cluster import Pool, joined
from affray.lab.design.compare import compare
from affray.lab.design.matches import Knob, Match, variants

pytestmark = pytest.mark.server
distributed = pytest.importorskip("distributed")

DUEL = "heroes=player:name=Ann monsters=fire-slime,fire-slime"


@pytest.fixture(scope="module")
def cluster():
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address="127.0.0.1:0") as made,
        distributed.Client(made) as client,
    ):
        yield client


def test_the_kill_of_a_worker_in_mid_run_changes_no_count(cluster):
    alone = affray.simulate("bgo", DUEL, fights=300_000, seed=9)
    pids = list(cluster.run(os.getpid).values())
    killed = []

    def kill(done, asked):
        if not killed and done < asked:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    pool = Pool(cluster.get_executor(pure=False), 3)
    spread = affray.simulate("bgo", DUEL, fights=300_000, seed=9, pool=pool, progress=kill)
    assert killed
    assert (spread.counts, spread.rounds, spread.figures) == (alone.counts, alone.rounds, alone.figures)
    assert spread.fights == 300_000
    assert not spread.interrupted


def test_results_of_single_fights_and_comparisons_come_back_whole(cluster):
    pool = Pool(cluster.get_executor(pure=False), 3)
    spread = affray.simulate("bgo", DUEL, fights=9_000, seed=9, each=True, pool=pool)
    assert spread.results.table == affray.simulate("bgo", DUEL, fights=9_000, seed=9, each=True).results.table
    swords = variants(Match.of("bgo", "a=knight b=knight"), [Knob.read("a:health=8|10")], 2)
    here, there = (
        compare({"": swords}, exact=False, fights=1_000, pool=executor) for executor in (None, pool.executor)
    )
    assert here.differences == there.differences


def test_an_arena_ends_on_a_cluster_as_it_does_in_one_process(cluster, tmp_path):
    (tmp_path / "mine.toml").write_text('[brawler]\nbase = "player"\nhealth = 7\n')
    mine = f"{tmp_path / 'mine.toml'}#brawler"
    rosters = [{"red": ["player", mine], "blue": ["player", mine]}]
    players = ["random", "always-attack", "search:20"]
    pool = Pool(cluster.get_executor(pure=False), 3)
    here, there = (
        arena.compare("bgo", players, rosters=rosters, fights=3, seed=4, **how)
        for how in ({"workers": 1}, {"pool": pool})
    )
    assert here.as_table() == there.as_table()
    assert sum(pair.fights for pair in there.pairings) == 2 * 3 * 3


def test_a_cluster_that_is_not_there_is_said_so(monkeypatch):
    monkeypatch.setattr("affray.lab.cluster.PATIENCE", 0.2)
    wanted = r"there is no cluster at 'tcp://127\.0\.0\.1:9'.*must be an address such as"
    with pytest.raises(Failed, match=wanted), joined("tcp://127.0.0.1:9"):
        pass
