"""The named ways to fight: what each means, that none wants what is not allowed, and what the sum is good for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.kernel.exact import Exact
from affray.lab.figures import Rate
from affray.lab.simulate import Simulation, simulate
from affray.players.tactics import decide, play_on
from affray.systems.strategic import arms, events, sheets, system
from affray.systems.strategic.stakes import years_at_risk
from affray.systems.strategic.state import CRIPPLE, INCAPACITATE
from affray.systems.strategic.tactics import best_blow, risk

Scenery = Callable[..., Any]
SURE = {"stake": 1000, "caution": 0}
"""A fighter to whom the fight is worth everything."""
UNSURE = {"stake": 0}
"""A fighter with nothing to win."""
MASTER, NOVICE = {"training": 10}, {"training": 1}
MILD = (events.OFFERS, events.RUNS, events.STANDS_DOWN, events.ACCEPTED, events.LETS_GO)


def wants(scene: Any, tactic: str, who: str = "ada") -> str:
    return str(decide(scene.fight, scene.fight.names[scene.fight.index(who)], tactic))


def events_of(fight: Fight, who: int, *kinds: int) -> list[Any]:
    return [line.event for line in fight.lines if line.event.kind in kinds and line.event.who == who]


# rational


def test_the_rational_fight_on_as_long_as_the_stake_is_worth_the_years(duel: Scenery) -> None:
    assert wants(duel(SURE, SURE), "rational").endswith(("incapacitate", "cripple"))
    assert wants(duel(UNSURE), "rational") in ("yield", "flee", "stand down")


def test_what_a_year_counts_decides_as_much_as_the_stake(duel: Scenery) -> None:
    even = {"stake": 30}
    assert wants(duel({**even, "caution": 10}, SURE), "rational").endswith(("incapacitate", "cripple"))
    assert wants(duel({**even, "caution": 1000}, SURE), "rational") in ("yield", "flee", "stand down")


def test_a_stance_is_worth_what_it_keeps_the_foes_from(duel: Scenery) -> None:
    """More coins for defence, or for initiative, leave less to fear; of more to lose there is more to fear."""
    fight = duel({"stake": 40}, SURE).fight.state
    assert risk(fight, 0, 3, 0, 0) < risk(fight, 0, 0, 0, 0) < risk(fight, 0, -1, 0, 0)
    assert risk(fight, 0, 0, 1, 0) < risk(fight, 0, 0, 0, 0) < risk(fight, 0, 0, 0, 20_000)


def test_however_much_there_is_to_fear_some_blow_is_best(duel: Scenery) -> None:
    slow = {"agility": 1, "training": 1, "stake": 1000, "caution": 1000}
    scene = duel(slow, {**SURE, **MASTER, "agility": 10, "strength": 10})
    assert best_blow(scene.fight.state, 0, INCAPACITATE, CRIPPLE, 10_000_000, False) >= 0


def test_nobody_fears_a_foe_who_yields(duel: Scenery) -> None:
    scene = duel({}, SURE)
    scene["bob"].yielding = 1
    assert risk(scene.fight.state, 0, 0, 0, 20_000) == 0


def test_whoever_has_years_to_lose_does_not_brace_against_a_blow_that_cripples(duel: Scenery) -> None:
    scene = duel(SURE, {"stake": 40, "caution": 300})
    scene.move("ada", "maim cripple")
    assert wants(scene, "rational", "bob") != "brace"


def test_the_rational_threaten_whoever_should_give_up(duel: Scenery) -> None:
    assert wants(duel(SURE, UNSURE), "rational") == "threaten"
    assert wants(duel(SURE, SURE), "rational") != "threaten"


def test_the_rational_accept_every_offer_to_yield(duel: Scenery) -> None:
    scene = duel(SURE)
    scene.move("ada", "yield")
    assert wants(scene, "rational", "bob") == "accept"
    scene.move("bob", "refuse", then="bob")
    assert wants(scene, "rational", "bob") == "accept", "it still stands"


def test_a_threat_is_answered_by_the_sum(duel: Scenery) -> None:
    for bob, answer in ((SURE, "fight on"), (UNSURE, "yield")):
        scene = duel({}, bob)
        scene.move("ada", "threaten", threat=4, nerve=0)
        assert wants(scene, "rational", "bob") == answer


def test_the_rational_make_peace_with_whoever_stands_down(duel: Scenery) -> None:
    scene = duel({}, UNSURE)
    scene.move("ada", "stand down", then="bob")
    assert wants(scene, "rational", "bob") == "stand down"


# duelist


def test_the_duelist_means_to_incapacitate_whatever_the_stake(duel: Scenery) -> None:
    for stake in (SURE, UNSURE):
        assert wants(duel(stake), "duelist").endswith(" incapacitate")


def test_the_duelist_disarms_a_heavier_weapon_with_a_sure_hand(duel: Scenery) -> None:
    rapier = {"weapon": "rapier"}
    assert wants(duel({**MASTER, **rapier}, {"weapon": "battleaxe"}), "duelist") == "disarm"
    assert wants(duel({**MASTER, **rapier}, rapier), "duelist") != "disarm", "no heavier than one's own"
    assert wants(duel(rapier, {"weapon": "battleaxe", "training": 6}), "duelist") != "disarm", "no sure hand"


def test_the_duelist_yields_only_in_a_lost_cause(duel: Scenery) -> None:
    assert wants(duel(NOVICE, MASTER), "duelist") == "yield"
    assert wants(duel(), "duelist") != "yield"
    scene = duel(NOVICE, MASTER)
    scene.move("ada", "yield")
    scene.move("bob", "refuse", then="ada")
    assert wants(scene, "duelist") != "yield", "who has been refused fights on"


# brute


def test_the_brute_means_to_cripple_whatever_it_costs(duel: Scenery) -> None:
    for ada, bob in ((SURE, SURE), (UNSURE, MASTER), (NOVICE, MASTER)):
        assert wants(duel(ada, bob), "brute").endswith(" cripple")


def test_the_brute_has_no_mercy(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "yield")
    assert wants(scene, "brute", "bob") == "refuse"
    scene = duel()
    scene.move("ada", "flee", stop=1)
    assert wants(scene, "brute", "bob") == "stop cripple"
    assert wants(scene, "rational", "bob") == "let go"


def test_the_brute_fights_on_when_threatened(duel: Scenery) -> None:
    scene = duel(MASTER, {**NOVICE, **UNSURE})
    scene.move("ada", "threaten", threat=4, nerve=0)
    assert wants(scene, "brute", "bob") == "fight on"
    assert wants(scene, "rational", "bob") == "yield"


def test_a_brute_never_yields_nor_runs_nor_makes_peace() -> None:
    for number in range(60):
        fight = Fight("strategic", "a=guard b=brute", dice=Seeded(11, number), options={"round_cap": 60})
        play_on(fight, dict(zip(fight.names, ("duelist", "brute"), strict=True)))
        assert not events_of(fight, 1, *MILD)
        assert events_of(fight, 1, events.ATTACKS) or fight.state.round < 12


# pacifist


def test_the_pacifist_stands_down_until_it_hurts(duel: Scenery) -> None:
    scene = duel()
    assert wants(scene, "pacifist") == "stand down"
    scene["ada"].pain = 3
    assert wants(scene, "pacifist") == "pull pain"
    scene["bob"].standing_down = 1
    assert wants(scene, "pacifist") == "stand down", "the other has had enough"


def test_the_pacifist_takes_a_guarded_blow_where_pulling_one_is_not_possible(duel: Scenery) -> None:
    scene = duel(moves_base=0, training_a_move=10)
    scene["ada"].pain = 3
    assert wants(scene, "pacifist") == "guarded pain"


def test_pacifists_make_peace(native: ModuleType) -> None:
    many = simulate("strategic", "a=scholar b=knight", fights=2000, seed=3, tactics={"a": "pacifist", "b": "pacifist"})
    assert many.counts["peace"] + many.counts["standoff"] == many.fights, "or one of them never gets a turn"
    assert many.rates["peace"].low > 0.8
    assert all(row["years lost"].value == 0 for row in many.figures.values())


# survivor


def test_the_survivor_strikes_from_behind_a_guard_while_it_goes_well(duel: Scenery) -> None:
    assert wants(duel(MASTER, NOVICE), "survivor") == "guarded incapacitate"


def test_the_survivor_is_off_as_soon_as_it_does_not(duel: Scenery) -> None:
    assert wants(duel(NOVICE, MASTER), "survivor") == "flee", "even odds to get away at the same severity"
    scene = duel(MASTER, NOVICE)
    scene["ada"].crippling = 1
    assert wants(scene, "survivor") in ("flee", "yield")


# random


def test_random_takes_every_legal_move_alike(duel: Scenery) -> None:
    fight = duel().fight
    exact = {
        move: (n, d) for move, n, d in Exact().outcomes(lambda whim: system.tactics["random"](fight.state, 0, whim))
    }
    codes = fight.codes(0)
    assert exact == dict.fromkeys(codes, (1, len(codes)))


# All of them


def test_whoever_has_lost_the_weapon_picks_it_up_first_and_whoever_is_far_closes_in(duel: Scenery) -> None:
    scene = duel(SURE, SURE)
    scene["ada"].weapon = arms.WEAPON_NUMBERS["fists"]
    far = duel(SURE, SURE, start_range="far")
    for tactic in ("rational", "duelist", "brute"):
        assert wants(scene, tactic) == "pick up"
        assert wants(far, tactic) == "close"


@pytest.mark.parametrize("tactic", system.tactics)
def test_a_tactic_says_what_it_does(tactic: str) -> None:
    assert system.tactics[tactic].__doc__


@pytest.mark.parametrize("tactic", system.tactics)
def test_a_tactic_brings_a_fight_to_its_end(tactic: str) -> None:
    for number in range(6):
        teams = {"a": ["knight", "archer"], "b": ["brute", "thug"], "c": ["wildcat"]}
        fight = Fight("strategic", teams, dice=Seeded(3, number), options={"round_cap": 60})
        play_on(fight, dict.fromkeys(fight.names, tactic))
        assert fight.over


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_choice_of_every_tactic_is_legal(random: Random) -> None:
    shape = random.choice(((1, 1), (1, 1), (2, 2), (1, 1, 1)))
    teams = {f"t{t}": random.choices(list(sheets.SHEETS.fighters()), k=size) for t, size in enumerate(shape)}
    options = {"round_cap": 8, "start_range": random.choice(("archers", "far", "near"))}
    fight = Fight("strategic", teams, seed=random.getrandbits(30), options=options)
    while not fight.over:
        who = fight.to_act[0]
        index = fight.index(who)
        for name, tactic in system.tactics.items():
            assert tactic(fight.state, index, Seeded(1)) in fight.codes(index), name
        fight.play(who, random.choice(fight.legal(who)))


def test_every_tactic_runs_compiled(native: ModuleType) -> None:
    for tactic in system.tactics:
        result = simulate(
            "strategic", "x=knight y=knight", fights=50, tactics=dict.fromkeys("xy", tactic), compiled=True
        )
        assert result.compiled
        assert result.fights == 50


# What the sum is good for


def net(many: Simulation, who: str) -> Rate:
    """What a fight is worth to a fighter on average: the stake by how often it was won, less the years it cost."""
    caution = many.setup.sheets[many.setup.index(who)].caution / 100
    won, lost = many.figures[who]["stake won"], many.figures[who]["years lost"]
    return Rate(
        won.value - caution * lost.value,
        won.low - caution * lost.high,
        won.high - caution * lost.low,
    )


@pytest.mark.parametrize("foe", ["duelist", "brute", "random"])
@pytest.mark.parametrize("fighter", sheets.SHEETS.fighters())
def test_whoever_the_foe_is_rational_comes_out_with_more_than_random(
    native: ModuleType, fighter: str, foe: str
) -> None:
    rational, random = (
        simulate("strategic", {"a": [fighter], "b": [fighter]}, fights=2_500, seed=5, tactics={"a": tactic, "b": foe})
        for tactic in ("rational", "random")
    )
    assert net(rational, rational.setup.names[0]).low > net(random, random.setup.names[0]).high


def test_with_little_to_win_the_rational_lose_fewer_years_than_the_duelist(native: ModuleType) -> None:
    teams = {"a": ["guard:stake=1"], "b": ["guard"]}
    rational, duelist = (
        simulate("strategic", teams, fights=4000, seed=5, tactics={"a": tactic, "b": "duelist"})
        for tactic in ("rational", "duelist")
    )
    assert rational.figures["guard"]["years lost"].high < duelist.figures["guard"]["years lost"].low


@pytest.mark.parametrize("fighter", sheets.SHEETS.fighters())
def test_what_the_years_are_reckoned_at_is_between_a_merciful_and_a_merciless_foe(
    native: ModuleType, fighter: str
) -> None:
    """Nobody knows what the other intends: the quick estimate lies between what the two kinds cost."""
    teams = {"a": [fighter], "b": [fighter]}
    fight = Fight("strategic", teams, dice=Seeded(1), options={"start_range": "near"})
    reckoned = years_at_risk(fight.state, 0) / 1000
    merciful, merciless = (
        simulate(
            "strategic",
            teams,
            fights=4000,
            seed=5,
            tactics={"a": "duelist", "b": foe},
            options={"start_range": "near"},
        ).figures[fight.names[0]]["years lost"]
        for foe in ("duelist", "brute")
    )
    assert merciful.low < reckoned < merciless.high
