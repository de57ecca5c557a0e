"""Sensitivity: effects are those of the odds, every number and option is tried, and idle changes are told apart."""

import pytest

import affray
from affray.lab.design import sampling
from affray.lab.design import sensitivity as sensitivity_module
from affray.lab.design.matches import Match
from affray.lab.design.measures import Measure
from affray.lab.design.sensitivity import sensitivity

DUEL = "heroes=player monsters=fire-slime"


@pytest.fixture(scope="module")
def exact():
    return sensitivity(Match.of("bgo", DUEL))


def test_effects_are_the_differences_of_exact_odds(exact):
    assert exact.exact
    base = affray.odds("bgo", DUEL).chances["heroes"]
    by = {str(effect.change): effect.by.value for effect in exact.effects}
    tougher = affray.odds("bgo", "heroes=player monsters=fire-slime:max_health=5:health=5").chances["heroes"]
    assert by["fire-slime:max_health+health 4 to 5"] == pytest.approx(float(tougher - base))
    armoured = affray.odds("bgo", DUEL, options={"armor_base": 11}).chances["heroes"]
    assert by["option:armor_base 10 to 11"] == pytest.approx(float(armoured - base))
    assert by["fire-slime:max_health+health 4 to 3"] == 0


def test_effects_are_ranked_and_no_option_is_forgotten(exact):
    sizes = [abs(effect.by.value) for effect in exact.ranked(exact.measures[0])]
    assert sizes == sorted(sizes, reverse=True)
    tried = {effect.change.what for effect in exact.effects}
    system = affray.get_system("bgo")
    of_play = {option.name for option in system.options} - {"undo", "gauges"}  # which change no fight by tactics
    assert {f"option:{name}" for name in of_play} <= tried


def test_sampled_effects_hold_the_exact_ones():
    exact = sensitivity(Match.of("bgo", DUEL))
    sampled = sensitivity(Match.of("bgo", DUEL), ["heroes", "rounds"], fights=1_000)
    assert not sampled.exact
    true = {str(effect.change): effect.by.value for effect in exact.effects}
    for effect in sampled.ranked(sampled.measures[0]):
        assert effect.by.low <= true[str(effect.change)] <= effect.by.high


def test_numbers_in_tables_are_varied_too():
    found = sensitivity(Match.of("mythos", "a=boxer b=zombie"), ["rounds"], fights=20)
    skills = [effect.change.after for effect in found.effects if effect.change.what == "boxer:skills"]
    assert "brawl 77+dodge 45" in skills


def test_an_interruption_keeps_the_changes_so_far():
    def stop(done, most):
        if done >= 4 * 40:  # twenty fights in both seats: of the fight as it is, and of three changes
            raise KeyboardInterrupt

    found = sensitivity(Match.of("bgo", DUEL), ["rounds"], fights=20, progress=stop)
    assert (found.interrupted, found.exact, found.fights) == (True, False, 20)
    assert len(found.effects) == 2  # the third was not looked at any more


def test_what_was_counted_before_an_interruption_is_called_exact(monkeypatch, exact):
    tried = []

    def stop(match, *given):
        tried.append(match)
        if len(tried) == 4:  # the fight as it is, and two changes
            raise KeyboardInterrupt
        return sampling.counted(match, *given)

    monkeypatch.setattr(sensitivity_module, "counted", stop)
    found = sensitivity(Match.of("bgo", DUEL))
    assert (found.interrupted, found.exact, found.fights) == (True, True, 0)
    assert found.effects == exact.effects[:2]


def test_fights_in_parts_are_those_in_one(monkeypatch):
    match = Match.of("bgo", DUEL)
    with sampling.Crew([Measure.read("rounds", match.setup)], "both", 3) as crew:
        whole = crew.fight({"": match}, 5, 105)[""]
        monkeypatch.setattr(sampling, "CHUNK", 30)
        heard = []
        assert crew.fight({"": match}, 5, 105, heard.append)[""] == whole
    assert sorted(heard) == [20, 60, 60, 60]
    assert (len(whole.columns[0]), len(whole.first_seat)) == (100, 100)


def test_the_result_is_a_frame_and_one_chart(exact):
    assert exact.as_frame("polars")["value"].to_list()[0] == exact.ranked(exact.measures[0])[0].by.value
    assert exact.svg().count("<title>") > 10
