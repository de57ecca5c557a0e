"""Campaigns: what lasts is what the system says, and runs are those of the same numbered fights."""

import pytest

import affray
from affray.errors import Invalid
from affray.lab.design.campaign import campaign


def test_one_fight_in_a_row_is_a_simulation():
    found = campaign("bgo", ["player"], ["mud-slime"], runs=300, seed=4)
    many = affray.simulate("bgo", "heroes=player monsters=mud-slime", fights=300, seed=4)
    assert found.passed[1] == many.counts["heroes"]
    assert found.fights_won.value == pytest.approx(many.rates["heroes"].value)


def test_the_second_fight_is_fought_with_what_the_first_has_left():
    found = campaign("bgo", ["player"], ["mud-slime", "mud-slime"], runs=200, seed=4)
    won, both = 0, 0
    for run in range(200):
        first = _fought("player", 4, 2 * run)
        if first.ending == "heroes":
            won += 1
            health = first.state.fighters[0].health
            both += _fought(f"player:health={health}", 4, 2 * run + 1).ending == "heroes"
    assert [count for _, count in sorted(found.passed.items())] == [200 - won, won - both, both]


def _fought(spec, seed, number):
    from affray.players.tactics import replay_simulated

    return replay_simulated("bgo", f"heroes={spec} monsters=mud-slime", seed=seed, number=number)


def test_rest_helps():
    worn, rested = (
        campaign("bgo", ["player"], ["mud-slime"] * 3, runs=200, rests=rests) for rests in ((), ("round*5",))
    )
    assert rested.reached["3: mud-slime"].low > worn.reached["3: mud-slime"].high


@pytest.mark.parametrize(
    ("system", "party", "foes", "rests"),
    [
        ("grapple", ["ahalish"], "goblin", ()),
        ("deckahedron", ["maren"], "guard", ("rest", "heal")),
        ("mythos", ["detective", "nurse"], "zombie", ()),
        ("strategic", ["knight"], "brute", ("care", "rest")),
    ],
)
def test_every_system_has_campaigns(system, party, foes, rests):
    found = campaign(system, party, [foes] * 3, rests=rests, runs=20)
    assert found.runs == sum(found.passed.values()) == 20
    shares = [rate.value for rate in found.reached.values()]
    assert shares == sorted(shares, reverse=True)


def test_the_dead_stay_behind():
    found = campaign("bgo", ["player", "squire"], ["mud-slime,mud-slime", "fire-slime"], runs=100)
    assert found.able[1].value < 2


def test_an_interruption_keeps_the_runs_so_far():
    def stop(done, asked):
        raise KeyboardInterrupt

    found = campaign("bgo", ["player"], ["fire-slime"], runs=500, progress=stop)
    assert found.interrupted
    assert found.runs == 50


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"rests": ["sleep"]}, "no way to recover 'sleep'"),
        ({"rests": ["round*0"]}, "must be like round"),
        ({"stages": []}, "one fight or more"),
        ({"stages": ["fire-slime", "dragonette"]}, "dragonette"),
        ({"runs": 0}, "runs must be 1 to"),
    ],
)
def test_what_cannot_be_is_refused(how, says):
    with pytest.raises(Invalid, match=says):
        campaign("bgo", ["player"], **{"stages": ["fire-slime"], **how})
