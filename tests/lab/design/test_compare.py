"""Comparisons: differences are those of the same fights, their intervals hold together and at any look."""

import random
from itertools import pairwise
from math import sqrt
from statistics import NormalDist, mean, stdev

import pytest

import affray
from affray.errors import Invalid
from affray.lab.design.certainty import Pair, Sums, deviations, looks
from affray.lab.design.compare import compare
from affray.lab.design.matches import Knob, Match, variants
from affray.system.registry import names

SWORDS = "hero:equipment=steel-sword|flame-sabre|tide-rapier"


def swords(foe="cinder-hound"):
    return variants(Match.of("bgo", f"hero=knight foe={foe}"), [Knob.read(SWORDS)], 9)


def test_exact_differences_are_those_of_the_odds():
    found = compare({foe: swords(foe) for foe in ("cinder-hound", "marsh-lurker")})
    assert found.exact == {"cinder-hound": True, "marsh-lurker": True}
    for each in found.differences:
        chances = [
            affray.odds("bgo", f"hero=knight:equipment={sword} foe={each.setting}").chances["hero"]
            for sword in (each.one, each.other)
        ]
        assert each.by == pytest.approx([float(chances[0] - chances[1])] * 3, abs=1e-12)
    assert found.dominated(found.measures[0]) == {
        "flame-sabre": ["steel-sword"], "tide-rapier": ["steel-sword"]
    }  # fmt: skip


def test_a_sampled_difference_is_the_mean_over_the_same_fights_in_both_seats():
    found = compare({"": swords()}, exact=False, fights=2_000, width=1e-9, seed=5)
    column = {}
    for sword in ("steel-sword", "flame-sabre"):
        orders = (f"hero=knight:equipment={sword} foe=cinder-hound", f"foe=cinder-hound hero=knight:equipment={sword}")
        runs = [affray.simulate("bgo", teams, fights=2_000, seed=5, each=True).results for teams in orders]
        column[sword] = [sum(row) / 2 for row in zip(*(run.ended("hero") for run in runs), strict=True)]
    differences = [a - b for a, b in zip(*column.values(), strict=True)]
    (each,) = (d for d in found.differences if {d.one, d.other} == set(column))
    assert each.by.value == pytest.approx(mean(differences))
    apart = sqrt(sum(stdev(values) ** 2 for values in column.values()))
    assert each.narrower == pytest.approx(apart / stdev(differences))
    # Bonferroni over three pairs, second look: 5% / 3 / 6; two imagined values at the bounds.
    z = NormalDist().inv_cdf(1 - 0.05 / 3 / 6 / 2)
    imagined = [*differences, 1, -1]
    spread = z * sqrt(mean(value**2 for value in imagined) - mean(imagined) ** 2) / sqrt(len(imagined))
    assert each.by.low == pytest.approx(mean(imagined) - spread)


def test_sampled_intervals_hold_the_exact_values():
    exact = compare({"": swords()})
    sampled = compare({"": swords()}, exact=False, fights=8_000, seed=2)
    for true, each in zip(exact.differences, sampled.differences, strict=True):
        assert each.by.low <= true.by.value <= each.by.high


def test_sampling_stops_once_all_is_decided_or_narrow_enough():
    duel = Match.of("bgo", "a=player b=fire-slime")
    few = compare({"": variants(duel, [Knob.read("a:health=2|10")], 2)}, exact=False)
    assert few.fights[""] == 1_000
    assert few.differences[0].better == "10"
    wide = compare({"": swords()}, exact=False, width=0.05, fights=64_000)
    assert all(each.by.high - each.by.low <= 0.05 for each in wide.differences)
    assert 1_000 < wide.fights[""] < 64_000
    same = compare({"": variants(duel, [Knob.read("a=player|player:id=x")], 2)}, exact=False)
    assert same.differences[0].by.value == 0
    assert same.fights[""] < 8_000


def test_the_first_seat_is_judged_by_fights_and_not_by_variants_of_the_same_dice():
    duel = Match.of("bgo", "a=player b=fire-slime")
    one = compare({"": {"only": duel}}, exact=False, fights=1_000)
    four = compare({"": {str(n): duel for n in range(4)}}, exact=False, fights=1_000)
    assert four.first_seat == one.first_seat


def test_the_spread_is_over_the_settings():
    found = compare({foe: swords(foe) for foe in ("cinder-hound", "whirl-djinn", "rock-crab")})
    low, high = found.spread("steel-sword", "flame-sabre", found.measures[0])
    assert (low.setting, low.better) == ("whirl-djinn", "flame-sabre")
    assert (high.setting, high.better) == ("cinder-hound", "steel-sword")
    differences = [each.by.value for each in found.between("steel-sword", "flame-sabre", found.measures[0])]
    assert found.average("steel-sword", "flame-sabre", found.measures[0]) == pytest.approx([mean(differences)] * 3)


def test_the_interval_of_an_average_holds_if_those_of_all_settings_do():
    settings = {foe: swords(foe) for foe in ("cinder-hound", "whirl-djinn", "rock-crab")}
    exact, sampled = compare(settings), compare(settings, exact=False, fights=2_000, seed=3)
    for true in exact.as_table()["averages"]:
        found = sampled.average(true["one"], true["other"], sampled.measures[0])
        assert found.low < true["value"] < found.high
        assert found.low < found.value < found.high


def test_optional_stopping_seldom_decides_between_equals():
    """Of many comparisons of equal variants that stop as soon as they look decided, few decide: at most 5 %."""
    chance, wrong, runs = random.Random(1), 0, 300
    for _ in range(runs):
        pair = Pair()
        for look, done, upto in looks(3_200, first=100):
            pair.add(*([float(chance.random() < 0.3) for _ in range(upto - done)] for _ in range(2)))
            interval = pair.difference.interval(deviations(0.95, look=look), (-1, 1))
            if interval.low > 0 or interval.high < 0:
                wrong += 1
                break
    assert wrong <= 0.05 * runs


def test_all_looks_and_all_intervals_together_spend_the_error_once():
    spent = 0.0
    for look in range(1, 2_000):
        spent += 2 * (1 - NormalDist().cdf(deviations(0.95, together=7, look=look))) * 7
    assert 0.0499 < spent < 0.05 + 1e-9
    assert deviations(0.95) == pytest.approx(1.959964, abs=1e-6)
    ends = [upto for _, _, upto in looks(5_500)]
    assert ends == [1_000, 2_000, 4_000, 5_500]
    assert all(done == before for (_, _, before), (_, done, _) in pairwise(looks(5_500)))


def test_what_never_happened_may_still_happen():
    sums = Sums()
    sums.add([0.0] * 1_000)
    assert sums.interval(1.96, (0, 1)).low == 0
    assert sums.interval(1.96, (0, 1)).high > 1 / 1_000
    assert Sums().interval(1.96, (0, 1)) == (0, 0, 1)


@pytest.mark.parametrize("system", names())
def test_the_same_dice_make_differences_narrower_in_every_system(system):
    match = Match.of(system)
    first = next(iter(match.teams))
    slight = variants(match, [Knob.read(SLIGHT[system])], 2)
    found = compare({"": slight}, ["rounds", first], exact=False, fights=1_000)
    assert all(each.narrower > 1 for each in found.differences)


SLIGHT = {
    "bgo": "player:health=8|10",
    "grapple": "ahalish:sd=1|2",
    "deckahedron": "guard:stamina=9|10",
    "mythos": "ghoul:skills=brawl 40|brawl 42",
    "strategic": "brute:hardiness=2|3",
}


def test_measures_may_be_rounds_figures_and_costs():
    match = Match.of("strategic", "order=knight raiders=brute")
    found = compare({"": {"as given": match}}, ["rounds", "knight:net", "order:downed"], fights=500, seats="given")
    many = affray.simulate("strategic", "order=knight raiders=brute", fights=500, each=True)
    assert found.means["", "as given", "rounds"].value == pytest.approx(many.mean_rounds.value)
    assert found.means["", "as given", "knight:net"].value == pytest.approx(many.costs["knight"]["net"].value)
    assert found.means["", "as given", "order:downed"].value == pytest.approx(many.figures["knight"]["downed"].value)


def test_an_interruption_leaves_what_is_there_so_far(monkeypatch):
    heard = []

    def stop(done, most):
        heard.append(done)
        if len(heard) > 4:  # in the second look at three variants
            raise KeyboardInterrupt

    found = compare({"": swords()}, exact=False, width=1e-9, progress=stop)
    assert found.interrupted
    assert found.fights[""] == 1_000
    whole = compare({"": swords()}, exact=False, fights=1_000, width=1e-9)
    assert found.differences == whole.differences


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"certainty": 1.0}, "certainty must be 0.5 to 0.999999, not 1.0"),
        ({"seats": "first"}, "seats must be both or given, not 'first'"),
        ({"width": 0.0}, "width must be more than 0"),
        ({"fights": 0}, "fights must be 1 to"),
        ({"measures": ["wins"]}, "no measure 'wins'"),
        ({"measures": ["knight:netto"]}, "no figure 'netto'"),
        ({"measures": ["orc:died"]}, "no fighter or team 'orc'"),
    ],
)
def test_what_cannot_be_compared_is_refused(how, says):
    with pytest.raises(Invalid, match=says):
        compare({"": swords()}, **how)


def test_results_are_tables_frames_and_pictures():
    found = compare({"": swords()})
    frame = found.as_frame("pandas")
    assert list(frame["variant"]) == list(found.variants)
    assert found.as_table()["differences"][0]["narrower"] is None
    assert "<title>flame-sabre: 13.98%, exact</title>" in found.svg()
