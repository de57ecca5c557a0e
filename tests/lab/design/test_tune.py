"""Tuning: what is found meets the targets by exact odds, is the smallest change, and nothing is promised in vain."""

import pytest

import affray
from affray.errors import Invalid
from affray.lab.design import search
from affray.lab.design.matches import Knob, Match
from affray.lab.design.targets import Target
from affray.lab.design.tune import tune
from affray.lab.figures import Rate

HEALTH, ATTACK = Knob.read("monster:max_health+health=4..20"), Knob.read("monster:attack=-2..3")


def duel(monster="mud-slime"):
    return Match.of("bgo", f"hero=player monster={monster}")


def test_the_found_monster_is_checked_by_exact_odds():
    found = tune(duel(), [HEALTH, ATTACK], ["monster=0.4"])
    best = found.best
    assert best.exact
    health, attack = best.settings.values()
    teams = f"hero=player monster=mud-slime:max_health={health}:health={health}:attack={attack}"
    chance = affray.odds("bgo", teams).chances["monster"]
    assert 0.38 <= chance <= 0.42
    assert best.means[0].value == pytest.approx(float(chance))


def test_no_smaller_change_would_do():
    found = tune(duel(), [HEALTH, ATTACK], ["monster=0.4"])
    now = affray.sheets("bgo")["creatures"]["mud-slime"]
    span_health = max(abs(value - now.health) for value in range(4, 21))
    span_attack = max(abs(value - now.attack) for value in range(-2, 4))
    smaller = [
        (health, attack)
        for health in range(4, 21)
        for attack in range(-2, 4)
        if abs(health - now.health) / span_health + abs(attack - now.attack) / span_attack < found.best.cost - 1e-9
    ]
    for health, attack in smaller:
        teams = f"hero=player monster=mud-slime:max_health={health}:health={health}:attack={attack}"
        assert not 0.38 <= affray.odds("bgo", teams).chances["monster"] <= 0.42


def test_a_price_makes_the_other_change_the_smaller_one():
    now = affray.sheets("bgo")["creatures"]["mud-slime"]
    by_price = {
        dear: tune(duel(), [HEALTH, ATTACK], ["monster=0.38..0.56"], prices={dear: 50.0}).best.settings
        for dear in (HEALTH.text, ATTACK.text)
    }
    assert by_price[ATTACK.text][ATTACK.text] == str(now.attack)
    assert by_price[HEALTH.text][HEALTH.text] == str(now.health)
    assert by_price[ATTACK.text] != by_price[HEALTH.text]


def test_sampled_candidates_are_met_only_if_their_interval_is():
    found = tune(duel(), [HEALTH], ["monster=0.35..0.65", "rounds<=40"], fights=8_000)
    for each in found.candidates:
        assert not each.exact
        health = each.settings[HEALTH.text]
        true = float(affray.odds("bgo", f"hero=player monster=mud-slime:max_health={health}:health={health}")
                     .chances["monster"])  # fmt: skip
        assert each.means[0].low <= true <= each.means[0].high
        if each.verdict == "met":
            assert 0.35 <= true <= 0.65
    assert found.best


def test_nothing_can_is_said_only_if_all_were_tried():
    none = tune(duel(), [Knob.read("monster:max_health+health=4..6")], ["monster=0.99"])
    assert none.impossible
    assert none.best is None
    assert [each.settings[HEALTH.text] for each in none.pareto] == ["6"]  # the nearest
    some = tune(duel(), [HEALTH], ["hero=0.0..0.001", "monster=0.0..0.001"], tries=3)
    assert not some.impossible
    assert len(some.candidates) <= 3


def test_trade_offs_are_those_that_no_other_beats():
    found = tune(duel(), [HEALTH], ["hero=0.9", "monster=0.6"])
    assert found.impossible
    misses = {
        str(c): tuple(t.miss(r.value) for t, r in zip(found.targets, c.means, strict=True)) for c in found.candidates
    }
    kept = {str(each) for each in found.pareto}
    for name, own in misses.items():
        beaten = any(
            all(a <= b + 1e-12 for a, b in zip(other, own, strict=True)) and other != own for other in misses.values()
        )
        assert beaten != (name in kept) or own in [misses[other] for other in kept if other != name]


def test_optuna_searches_where_not_all_can_be_tried():
    wide = [
        Knob.read("monster:max_health+health=1..60"),
        Knob.read("monster:attack=-9..9"),
        Knob.read("hero:attack=0..9"),
    ]
    found = tune(duel(), wide, ["monster=0.4+-0.05"], tries=40, seed=3)
    assert found.of == 60 * 19 * 10
    assert len(found.candidates) == 40
    assert found.best
    assert not found.impossible
    again = tune(duel(), wide, ["monster=0.4+-0.05"], tries=40, seed=3)
    assert [each.settings for each in again.candidates] == [each.settings for each in found.candidates]


def test_an_interruption_keeps_the_candidates_so_far(monkeypatch):
    monkeypatch.setattr(search, "BATCH", 2)

    def stop(done, most):
        raise KeyboardInterrupt

    found = tune(duel(), [HEALTH], ["monster=0.99"], progress=stop)
    assert found.interrupted
    assert len(found.candidates) == 2
    assert not found.impossible


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("hero=0.6", 0.58, 0.62),
        ("hero=60%", 0.58, 0.62),
        ("hero=0.99", 0.97, 1.0),
        ("hero=0.5..0.7", 0.5, 0.7),
        ("rounds=5+-0.5", 4.5, 5.5),
        ("rounds=10", 9.5, 10.5),
        ("hero>=0.5", 0.5, 1.0),
        ("hero:damage dealt<=3", float("-inf"), 3.0),
    ],
)
def test_targets_are_read(text, low, high):
    target = Target.read(text, duel().setup)
    assert (target.low, target.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hero", "not of the form  heroes=0.6"),
        ("hero=lots", "not of the form"),
        ("hero=1.4", "the target must be a chance from 0 to 1"),
        ("rounds=9..3", "from the lower to the higher number"),
        ("heros=0.5", "no measure 'heros'; did you mean hero"),
    ],
)
def test_impossible_targets_are_refused_with_what_is_allowed(text, says):
    with pytest.raises(Invalid, match=says):
        Target.read(text, duel().setup)


def test_a_verdict_needs_the_whole_interval():
    target = Target.read("hero=0.5..0.6", duel().setup)
    assert target.verdict(Rate(0.55, 0.51, 0.59)) == "met"
    assert target.verdict(Rate(0.55, 0.49, 0.59)) == "open"
    assert target.verdict(Rate(0.65, 0.61, 0.70)) == "missed"


def test_what_is_missing_is_asked_for():
    with pytest.raises(Invalid, match="say what may be varied"):
        tune(duel(), [], ["hero=0.5"])
    with pytest.raises(Invalid, match=r"say what is wanted, such as  --target hero=0\.6"):
        tune(duel(), [HEALTH], [])
    with pytest.raises(Invalid, match="no thing to vary 'monster:armour'"):
        tune(duel(), [HEALTH], ["hero=0.5"], prices={"monster:armour": 2.0})
    with pytest.raises(Invalid, match="health must be 1 to"):
        tune(duel(), [Knob.read("monster:health=0..5")], ["hero=0.5"])
