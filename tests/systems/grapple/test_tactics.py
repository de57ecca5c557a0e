"""The named ways to fight: what each means, that none wants what is not allowed, and which is the strongest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.kernel.exact import Exact
from affray.lab.figures import Rate, rate
from affray.lab.simulate import simulate
from affray.players.tactics import decide, play_on
from affray.system.registry import find
from affray.systems.grapple import sheets
from affray.systems.grapple.tactics import TACTICS

Scenery = Callable[..., Any]
DUELS = ("ahalish", "rehtaoh", "mirela", "osk", "fenn", "duelist")
PAIRS = (("ahalish", "mirela"), ("rehtaoh", "osk"), ("fenn", "duelist"), ("goblin", "shaman"))
PATIENCE = 200  # rounds: a fighter who has not won by then has not won


def wants(scene: Any, tactic: str, who: str = "Ada") -> str:
    return str(decide(scene.fight, who, tactic))


def mirror(roster: tuple[str, ...], one: str, other: str, fights: int = 1000, profile: str = "document") -> Rate:
    """How often a tactic wins against another with the same fighters, each of them moving first in half the fights."""
    won = 0
    for team, tactics in (("x", {"x": one, "y": other}), ("y", {"x": other, "y": one})):
        options = {"profile": profile, "round_cap": PATIENCE}
        teams = {"x": roster, "y": roster}
        counts = simulate("grapple", teams, fights=fights, seed=3, tactics=tactics, options=options).counts
        won += counts[team]
    return rate(won, 2 * fights)


# What each of them does


def test_the_striker_strikes_when_it_is_more_likely_to_succeed_than_to_fail(duel: Scenery) -> None:
    assert wants(duel({"sd": 2}, {"defense": 1}), "striker") == "maneuver 3 ac", "2 of 2 fall in 4 of 9 cases"
    assert wants(duel({"sd": 3}, {"defense": 1}), "striker") == "strike 3 Bob", "2 of 3 fall in 20 of 27"


def test_the_striker_maneuvers_with_the_best_skill_and_catches_breath_for_it(duel: Scenery) -> None:
    assert wants(duel({"ad": 2}), "striker") == "maneuver 2 ac"
    assert wants(duel({"ad": 0}), "striker") == "catch breath"
    one = {"kind": "npc", "skill2": "en"}
    assert wants(duel(one), "striker") == "maneuver 3 en"


def test_the_striker_never_strikes_friends_or_the_knocked_out(brawl: Scenery) -> None:
    weak = {"defense": 1, "max_wounds": 1}
    scene = brawl(heroes={"Ada": {"sd": 6}, "Amy": weak}, villains={"Bob": {**weak, "wounds": 1}, "Ben": {}})
    assert wants(scene, "striker").endswith("Ben")


def test_the_builder_gathers_dice_for_two_strikes_and_uses_its_skills_in_turn(duel: Scenery) -> None:
    scene = duel({"sd": 11, "ad": 6})
    assert wants(scene, "builder") == "maneuver 3 ac"
    scene["Ada"].marked = 1
    assert wants(scene, "builder") == "maneuver 3 co"
    scene["Ada"].marked = 3
    assert wants(scene, "builder") == "maneuver 3 en"
    scene["Ada"].marked = 7
    assert wants(scene, "builder") == "maneuver 3 ac"
    assert wants(duel({"sd": 12}), "builder").startswith("strike")
    assert wants(duel({"sd": 6, "ad": 0}), "builder").startswith("strike")


def test_the_supporter_heals_before_anything_else(brawl: Scenery) -> None:
    medic = {"skill4": "md", "skill3": "ld", "skill2": "en", "sd": 6}
    scene = brawl(heroes={"Ada": medic, "Amy": {"wounds": 1, "ad": 10}}, villains=["Bob"])
    assert wants(scene, "supporter").endswith(" md Amy")
    scene = brawl(heroes={"Ada": medic, "Amy": {"ad": 2}}, villains=["Bob"])
    assert wants(scene, "supporter").endswith(" ld Amy")
    scene = brawl(heroes={"Ada": {**medic, "sd": 0}, "Amy": {"wounds": 1}}, villains=["Bob"])
    assert wants(scene, "supporter").startswith("maneuver")


def test_the_skill_user_knocks_out_whom_it_can(duel: Scenery) -> None:
    assert wants(duel({"sd": 6}, {"wounds": 2}), "skill-user") == "strike 6 Bob"
    assert wants(duel({"sd": 6}, {"defense": 1, "max_wounds": 1}), "skill-user") == "strike 6 Bob"


def test_the_skill_user_digs_in_where_the_fight_is_long(duel: Scenery) -> None:
    digger = {"sd": 6, "ad": 10, "skill4": "en", "skill3": "co", "skill2": "sp"}
    assert wants(duel(digger, {"skill4": "sp"}), "skill-user").endswith(" en")
    assert wants(duel(digger, {"skill4": "ac", "skill2": "sp"}), "skill-user").endswith(" en")


def test_the_skill_user_does_not_dig_in_where_that_leads_nowhere(duel: Scenery) -> None:
    """Where a foe's Accuracy is far better; or where a foe can do both, and has dug in no deeper."""
    digger = {"sd": 6, "ad": 10, "skill4": "sp", "skill3": "co", "skill2": "en"}
    assert not wants(duel(digger, {"skill4": "ac", "skill2": "sp"}), "skill-user").endswith(" en")
    both = {"skill4": "en", "skill3": "co", "skill2": "ac"}
    digger |= {"skill4": "en", "skill2": "ac"}
    assert not wants(duel(digger, both), "skill-user").endswith(" en")
    assert wants(duel(digger, {**both, "defense": 4}), "skill-user").endswith(" en"), "to be no worse off than the foe"


def test_supporters_do_not_lead_each_other_for_ever(brawl: Scenery) -> None:
    leader = {"skill4": "ld", "skill3": "sp", "skill2": "en", "sd": 6, "ad": 0}
    scene = brawl(heroes={"Ada": leader, "Amy": leader}, villains=["Bob"])
    assert not wants(scene, "supporter").startswith("skill")
    scene = brawl(heroes={"Ada": leader, "Amy": {"ad": 0}}, villains=["Bob"])
    assert wants(scene, "supporter").endswith(" ld Amy")


def test_the_skill_user_does_not_waste_time_where_the_fight_is_short(duel: Scenery) -> None:
    weak = {"defense": 1, "max_wounds": 2, "sd": 4}
    assert wants(duel(weak, weak), "skill-user").startswith("strike")


def test_random_takes_every_legal_move_alike(duel: Scenery) -> None:
    fight = duel({"sd": 1}).fight
    exact = {move: n for move, n, d in Exact().outcomes(lambda whim: TACTICS["random"](fight.state, 0, whim))}
    assert exact == dict.fromkeys(fight.codes(0), 1)


# All of them


@pytest.mark.parametrize("tactic", TACTICS)
def test_a_tactic_says_what_it_does(tactic: str) -> None:
    assert TACTICS[tactic].__doc__


@pytest.mark.parametrize("tactic", TACTICS)
def test_a_tactic_brings_a_fight_to_its_end(tactic: str) -> None:
    for number in range(6):
        teams = {"a": ["ahalish", "mirela"], "b": ["ogre", "goblin"], "c": ["fenn"]}
        fight = Fight("grapple", teams, dice=Seeded(3, number), options={"round_cap": 60})
        play_on(fight, dict.fromkeys(fight.names, tactic))
        assert fight.over


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_choice_of_every_tactic_is_legal(random: Random) -> None:
    shape = random.choice(((1, 1), (2, 2), (1, 1, 1), (1, 3)))
    teams = {f"t{t}": random.choices(list(sheets.SHEETS.fighters()), k=size) for t, size in enumerate(shape)}
    options: dict[str, object] = {"profile": random.choice(list(sheets.PROFILES)), "round_cap": 6}
    options |= random.choice(({}, {"maneuver_max": 1}, {"maneuver_max": 7}, {"friendly_targets": True}))
    fight = Fight("grapple", teams, seed=random.getrandbits(30), options=options)
    for fighter in fight.state.fighters:
        fighter.defense = random.randint(1, 6)
        fighter.ad = random.randint(0, fighter.pool)
        fighter.sd = random.randint(0 if fight.state.sd_floor else -4, 14)
        fighter.speed, fighter.spirit = random.randint(0, 1), random.randint(0, 1)
        fighter.marked &= random.randint(0, 7)
    while not fight.over:
        who = random.choice(fight.to_act)
        index = fight.index(who)
        for name, tactic in TACTICS.items():
            assert tactic(fight.state, index, Seeded(1)) in fight.codes(index), name
        fight.play(who, random.choice(fight.legal(who)))


def test_every_tactic_runs_compiled(native: ModuleType) -> None:
    for tactic in find("grapple").tactics:
        result = simulate(
            "grapple",
            "x=ahalish y=ahalish",
            fights=50,
            tactics={"x": tactic, "y": tactic},
            options={"round_cap": PATIENCE},
            compiled=True,
        )
        assert result.compiled
        assert result.fights == 50


# How long it takes


def mean_rounds(rounds: Mapping[int, int]) -> float:
    return sum(number * fights for number, fights in rounds.items()) / sum(rounds.values())


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_two_of_a_kind_come_to_an_end(native: ModuleType, profile: str) -> None:
    for roster in (("ahalish",), ("mirela", "mirela"), ("ahalish", "mirela")):
        options = {"profile": profile, "round_cap": 1000}
        rounds = simulate("grapple", {"x": roster, "y": roster}, fights=1000, seed=4, options=options).rounds
        assert mean_rounds(rounds) < (12 if len(roster) == 1 else 60)
        assert sum(fights for number, fights in rounds.items() if number > 200) < 10


def test_in_duels_of_ready_made_fighters_the_round_cap_is_next_to_never_reached(native: ModuleType) -> None:
    ids = list(sheets.SHEETS.fighters())
    for one, other in product(ids, ids):
        many = simulate("grapple", {"x": [one], "y": [other]}, fights=200, seed=4)
        assert many.counts["draw"] <= 8, (one, other)  # 2 of 100, and twice as many for chance


# The best


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("roster", [(id,) for id in DUELS] + list(PAIRS), ids=" ".join)
def test_the_skill_user_beats_random_in_more_than_nine_mirror_matches_of_ten(
    native: ModuleType, roster: tuple[str, ...], profile: str
) -> None:
    assert mirror(roster, "skill-user", "random", fights=2000, profile=profile).low > 0.9


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("other", [tactic for tactic in TACTICS if tactic != "skill-user"])
def test_no_tactic_is_stronger_than_the_skill_user(native: ModuleType, other: str, profile: str) -> None:
    rosters = [(id,) for id in DUELS] + list(PAIRS)
    ahead = [
        mirror(roster, "skill-user", other, profile=profile).value
        - mirror(roster, other, "skill-user", profile=profile).value
        for roster in rosters
    ]
    assert sum(ahead) > 0
    assert min(ahead) > -0.1, dict(zip(rosters, ahead, strict=True))
