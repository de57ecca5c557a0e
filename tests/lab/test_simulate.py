"""Simulation: interpreted and compiled agree to the last byte, and any numbered fight can be told again."""

import itertools
import random

import pytest

import affray
from affray.kernel import records
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import replay_simulated
from affray.system.registry import find, names
from affray.systems.bgo import sheets, tactics

pytestmark = pytest.mark.long

DUEL = "heroes=player monsters=fire-slime"


def rosters(count, seed):
    """Many different duels and brawls over all players, creatures and tactics."""
    chance = random.Random(seed)
    everyone = [*sheets.players(), *sheets.creatures()]
    # Two numbers of fighters to compile for.
    shapes = [(1, 1)] * 6 + [(3, 1), (1, 3), (2, 2)] + [(1, 2, 1)]
    for shape in itertools.islice(itertools.cycle(shapes), count):
        teams = {f"team{i}": [chance.choice(everyone) for _ in range(size)] for i, size in enumerate(shape)}
        yield teams, {team: chance.choice(list(tactics.TACTICS)) for team in teams}


def test_interpreted_and_compiled_agree_to_the_last_byte_on_ten_thousand_fights():
    fights = 0
    for place, (teams, chosen) in enumerate(rosters(200, seed=5)):
        numbers = list(range(1000 * place, 1000 * place + 50))
        options = {"naturals": place % 3 == 0, "poised": "kept" if place % 4 == 0 else "next", "round_cap": 40}
        native = final_states("bgo", teams, seed=9, numbers=numbers, tactics=chosen, options=options)
        plain = final_states("bgo", teams, seed=9, numbers=numbers, tactics=chosen, options=options, compiled=False)
        assert native == plain, (teams, chosen)
        fights += len(numbers)
    assert fights == 10_000


def test_one_fight_out_of_a_million_replays_with_its_story_and_ends_the_same():
    chosen = {"heroes": "random", "monsters": "policy"}
    teams = "heroes=knight monsters=mountain-titan"
    whole = simulate("bgo", teams, fights=1_000_000, seed=21, tactics=chosen, figures=False)
    assert whole.fights == sum(whole.counts.values()) == 1_000_000
    for number in (0, 499_999, 765_432, 999_999, 9_999_999):
        fight = replay_simulated("bgo", teams, seed=21, number=number, tactics=chosen)
        (ended,) = final_states("bgo", teams, seed=21, numbers=[number], tactics=chosen)
        assert records.pack(fight.state) == ended
        assert fight.over
        assert fight.lines[-1].event.kind.name == "ENDS"
    # What the simulation itself counted for one fight: the counts up to it, less those before it.
    number = 499_999
    upto, before = (
        simulate("bgo", teams, fights=fights, seed=21, tactics=chosen, figures=False).counts
        for fights in (number + 1, number)
    )
    counted = [ending for ending in upto if upto[ending] != before[ending]]
    assert counted == [whole.fight(number).ending]


def test_counts_do_not_depend_on_the_number_of_cores():
    one = simulate("bgo", DUEL, fights=30_000, seed=4, workers=1)
    two = simulate("bgo", DUEL, fights=30_000, seed=4, workers=2)
    assert (one.counts, one.rounds, one.figures) == (two.counts, two.rounds, two.figures)


def test_interpreted_simulation_counts_the_same_as_compiled():
    native = simulate("bgo", "heroes=squire monsters=ember-bat", fights=300, seed=4)
    plain = simulate("bgo", "heroes=squire monsters=ember-bat", fights=300, seed=4, compiled=False)
    assert (native.counts, native.rounds, native.figures) == (plain.counts, plain.rounds, plain.figures)
    assert native.compiled
    assert not plain.compiled


def test_figures_are_those_of_the_fights_themselves():
    numbers = range(60)
    whole = simulate("bgo", DUEL, fights=len(numbers), seed=3)
    told = [replay_simulated("bgo", DUEL, seed=3, number=n).figures for n in numbers]
    for who in ("player", "fire-slime"):
        for figure, rate in whole.figures[who].items():
            assert rate.value == pytest.approx(sum(f[who][figure] for f in told) / len(told))
            assert rate.low <= rate.value <= rate.high


def test_an_interrupted_simulation_reports_what_it_has():
    def stop(done, total):
        if done >= 20_000:
            raise KeyboardInterrupt

    cut = simulate("bgo", DUEL, fights=50_000_000, seed=4, progress=stop)
    assert cut.interrupted
    assert 20_000 <= cut.fights < 50_000_000
    assert sum(cut.counts.values()) == cut.fights


def test_progress_ends_at_the_whole():
    seen = []
    simulate("bgo", DUEL, fights=9_000, seed=4, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (9_000, 9_000)
    assert seen == sorted(seen)


@pytest.mark.parametrize("fights", [0, -3, 2.5, True, 10**13])
def test_a_wrong_number_of_fights_is_named(fights):
    with pytest.raises(affray.Invalid, match="number of fights must be"):
        simulate("bgo", DUEL, fights=fights)


@pytest.mark.parametrize(("kind", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("html", b"<!doctype html>")])
def test_plots(tmp_path, kind, begins):
    target = tmp_path / f"chart.{kind}"
    simulate("bgo", DUEL, fights=2_000, seed=4).plot(target)
    assert target.read_bytes().startswith(begins)
    if kind == "svg":
        drawn = target.read_text()
        for words in (
            "heroes win",
            "Rounds: ",
            "player (heroes)",
            "fire-slime (monsters)",
            "Share of the fights",
        ):
            assert words in drawn
    with pytest.raises(affray.Invalid, match=r"must end in \.svg, \.png, \.html"):
        simulate("bgo", DUEL, fights=10, seed=4).plot(tmp_path / "chart.gif")


def test_figures_that_are_chances_are_told_from_counts(native):
    duels = {system: {team: who[:1] for team, who in find(system).demonstration.items()} for system in names()}
    chances = {system: simulate(system, duel, fights=2_000).chances for system, duel in duels.items()}
    assert {"dead", "escaped"} <= chances["mythos"]
    assert not {"damage dealt", "HP left"} & chances["mythos"]
    assert "downed" in chances["strategic"]
    assert "years lost" not in chances["strategic"]
