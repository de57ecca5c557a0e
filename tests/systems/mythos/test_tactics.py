"""The named ways to fight: what each means, that none wants what is not allowed, and what they are worth."""

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
from affray.lab.figures import Rate, rate
from affray.lab.simulate import Simulation, simulate
from affray.players.tactics import decide, play_on
from affray.systems.mythos import rules, sheets, terms
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.terms import PERKS

Scenery = Callable[..., Any]
ARMED = {"weapons": ["38-revolver", "blackjack"], "skills": {"handgun": 50, "brawl": 50}}
TOUGH_FOE = {"max_hp": 60, "skills": {"brawl": 50}}


def wants(scene: Any, tactic: str, who: str = "ada") -> str:
    return str(decide(scene.fight, who, tactic))


def won(tactic: str, who: str, against: str, profile: str, fights: int = 3000) -> Simulation:
    teams = {"investigators": [who], "enemies": [against]}
    playing = {"investigators": tactic}
    return simulate("mythos", teams, fights=fights, seed=3, tactics=playing, options={"profile": profile})


def mirror(who: str, one: str, other: str, profile: str, fights: int = 2000) -> Rate:
    """How often a tactic wins the fights that are won, with the same sheet on both sides and in both seats."""
    own = theirs = 0
    for team, facing in (("x", "y"), ("y", "x")):
        playing, teams = {team: one, facing: other}, {"x": [who], "y": [who]}
        options = {"profile": profile}
        counts = simulate("mythos", teams, fights=fights, seed=3, tactics=playing, options=options).counts
        own, theirs = own + counts[team], theirs + counts[facing]
    return rate(own, own + theirs)


# The brawler


def test_the_brawler_strikes_with_the_weapon_that_promises_most(duel: Scenery) -> None:
    """With one skill for both, 1D8 promises more than 1D3; a gun is not even looked at."""
    assert wants(duel(ARMED, TOUGH_FOE), "brawler") == "fight with blackjack"
    clumsy = {"weapons": ["heavy-sword"], "skills": {"sword": 5, "brawl": 90}}
    assert wants(duel(clumsy, TOUGH_FOE), "brawler") == "fight with hands"


def test_the_brawler_strikes_whom_it_takes_the_most_of(brawl: Scenery) -> None:
    scene = brawl(["ada"], {"bob": {"max_hp": 30}, "ben": {"max_hp": 30, "hp": 2}})
    assert wants(scene, "brawler") == "fight ben"


def test_the_brawler_closes_in_and_shoots_only_where_nobody_can_be_reached(duel: Scenery) -> None:
    assert wants(duel({}, TOUGH_FOE, range=True, distance=30), "brawler") == "close"
    assert wants(duel(ARMED, TOUGH_FOE, range=True, distance=30), "brawler").startswith("shoot")
    assert wants(duel(ARMED, TOUGH_FOE, range=True, distance=5), "brawler") == "fight with blackjack"


# The gunslinger


@pytest.mark.parametrize(("skill", "shots"), [(25, ""), (40, ""), (50, " three times"), (80, " three times")])
def test_the_gunslinger_shoots_as_often_as_it_pays(duel: Scenery, skill: int, shots: str) -> None:
    """A shot hits with chance p and deals 5.5, and 10 more in a fifth of the hits: 7.5 p. Each of three hits with
    p squared, with 10 more in a 25th of the hits: 17.7 p^2 in all. That is more above p = 0.42.
    """
    scene = duel({"weapons": ["38-revolver"], "skills": {"handgun": skill}}, {"max_hp": 60})
    assert wants(scene, "gunslinger") == f"shoot{shots} with .38 revolver"


def test_the_gunslinger_fires_no_more_than_the_target_is_worth(duel: Scenery) -> None:
    """Against 1 HP one shot promises 0.99 HP and two promise the whole; a third can add nothing."""
    scene = duel({"weapons": ["38-revolver"], "skills": {"handgun": 99}}, {"max_hp": 20, "hp": 1})
    assert wants(scene, "gunslinger") == "shoot twice with .38 revolver"


def test_the_gunslinger_reloads_clears_and_comes_to_blows_only_when_the_ammunition_is_gone(duel: Scenery) -> None:
    scene = duel({**ARMED, "loaded": {"38-revolver": 0}}, TOUGH_FOE)
    assert wants(scene, "gunslinger") == "reload .38 revolver"
    scene["ada"].jammed = 1 << 1
    assert wants(scene, "gunslinger") == "clear .38 revolver"
    bare = {**ARMED, "loaded": {"38-revolver": 0}, "ammunition": {"38-revolver": 0}}
    assert wants(duel(bare, TOUGH_FOE), "gunslinger") == "fight with blackjack"


def test_the_gunslinger_throws_what_there_is_to_throw(duel: Scenery) -> None:
    thrower = {"weapons": ["throwing-knife"], "skills": {"throw": 60}}
    assert wants(duel(thrower, TOUGH_FOE), "gunslinger") == "shoot with throwing knife"


def test_an_enemy_with_an_empty_gun_strikes_whom_it_can_reach_and_reloads_where_it_cannot(duel: Scenery) -> None:
    empty = {"weapons": ["32-revolver"], "loaded": {"32-revolver": 0}, "dexterity": 90}
    assert wants(duel({}, empty), "gunslinger", "bob") == "fight with hands"
    assert wants(duel({}, empty, range=True, distance=30), "gunslinger", "bob") == "reload .32 revolver"


def test_an_enemy_who_can_shoot_does_however_little_it_promises(duel: Scenery) -> None:
    """At four times the base range only an extreme success hits: an enemy may not walk up instead."""
    far = {"weapons": ["32-revolver"], "skills": {"handgun": 5}, "dexterity": 90}
    scene = duel({"mov": 8}, far, range=True, distance=60)
    for tactic in TACTICS:
        assert wants(scene, tactic, "bob").startswith("shoot")
    assert wants(duel(far, {"mov": 8}, range=True, distance=60), "brawler") == "close"


# The survivor


@pytest.mark.parametrize("mov", [7, 8, 9])
def test_the_survivor_flees_from_the_dark_young_when_fast_enough(duel: Scenery, mov: int) -> None:
    foe = {"base": "dark-young", "dexterity": 50, "mov": 8, "max_hp": 30}
    assert wants(duel({"mov": mov}, foe), "survivor") == "flee"


def test_the_survivor_fights_where_no_legs_are_good_enough(duel: Scenery) -> None:
    """MOV 5 is 6 at best, MOV 8 is 7 at worst."""
    foe = {"base": "dark-young", "dexterity": 50, "mov": 8, "max_hp": 30}
    assert wants(duel({"mov": 5}, foe), "survivor") == "fight"


def test_the_survivor_stays_where_the_fight_is_being_won(duel: Scenery) -> None:
    strong = {"skills": {"brawl": 90}, "natural": "2D6", "mov": 9}
    assert wants(duel(strong, {"max_hp": 8, "skills": {"brawl": 20}}), "survivor") == "fight"


def test_the_survivor_mends_when_seven_tenths_are_lost(duel: Scenery) -> None:
    kit = {"max_hp": 20, "items": {"medicine": 1, "first-aid": 1}, "skills": {"brawl": 90}, "natural": "2D6"}
    weak = {"max_hp": 4, "skills": {"brawl": 5}, "natural": "1D3"}
    assert wants(duel({**kit, "hp": 6}, weak), "survivor") == "medicine"
    assert wants(duel({**kit, "hp": 7}, weak), "survivor") == "fight"


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_the_survivor_gets_away_from_the_dark_young_more_often_than_the_brawler_lives(
    native: ModuleType, profile: str
) -> None:
    runner = "boxer:mov=9:dexterity=90"
    dead = {
        tactic: won(tactic, runner, "dark-young", profile).figures["boxer"]["dead"]
        for tactic in ("survivor", "brawler")
    }
    assert dead["survivor"].high < dead["brawler"].low / 2


# The healer


def test_the_healer_mends_whoever_has_lost_half_and_the_worst_first(brawl: Scenery) -> None:
    kit = {"items": {"medicine": 1, "first-aid": 1}, "dexterity": 90}
    hurt = {"ada": kit, "amy": {"hp": 10}, "ann": {"hp": 11}}
    assert wants(brawl(hurt, {"bob": TOUGH_FOE}), "healer") == "medicine amy"
    assert wants(brawl({**hurt, "ann": {"hp": 3}}, {"bob": TOUGH_FOE}), "healer") == "medicine ann"
    assert wants(brawl({"ada": kit, "ann": {"hp": 11}}, {"bob": TOUGH_FOE}), "healer") == "fight"


def test_the_healer_takes_first_aid_where_the_medicine_is_gone_and_then_fights(duel: Scenery) -> None:
    assert wants(duel({"hp": 5, "items": {"first-aid": 1}}, TOUGH_FOE), "healer") == "first aid"
    assert wants(duel({"hp": 5}, TOUGH_FOE), "healer") == "fight"


def test_the_healer_comes_to_the_dying_before_anybody_else(brawl: Scenery) -> None:
    kit = {"items": {"first-aid": 1}, "dexterity": 90}
    scene = brawl({"ada": kit, "amy": {"hp": 1}, "ann": {}}, {"bob": TOUGH_FOE}, wounds="classic")
    scene["ann"].state, scene["ann"].hp, scene["ann"].major_wound = terms.DYING, 0, 1
    assert wants(scene, "healer") == "first aid ann"


def test_a_healer_uses_items_in_a_real_fight(native: ModuleType) -> None:
    many = simulate("mythos", "i=nurse e=hybrid", fights=500, seed=3, tactics={"i": "healer"})
    assert many.figures["nurse"]["items used"].low > 0.5


# What all of them do in between


def test_the_better_reaction_is_chosen(duel: Scenery) -> None:
    """A fighter who dodges well and cannot fight dodges; one who fights well fights back with the weapon in hand."""
    foe = {"dexterity": 90, "skills": {"brawl": 60}, "natural": "1D8"}
    nimble = {"skills": {"dodge": 90, "brawl": 5}}
    strong = {"skills": {"dodge": 5, "brawl": 90}, "weapons": ["sledgehammer"]}
    for sheet, reaction in ((nimble, "dodge"), (strong, "fight back with sledgehammer")):
        scene = duel(sheet, foe)
        scene.move("bob", "fight")
        assert all(wants(scene, tactic) == reaction for tactic in TACTICS if tactic != "random")


def test_heavy_hitter_is_not_wasted_on_whoever_falls_anyway(duel: Scenery) -> None:
    perk = {"perks": ["heavy-hitter"], "luck": 50, "skills": {"brawl": 90}}
    for hp, answer in ((3, "save"), (4, "use")):
        scene = duel(perk, {"hp": hp})
        scene.move("ada", "fight", 40, 90)
        assert wants(scene, "brawler") == answer


def test_tough_guy_is_used_against_three_damage_or_death(duel: Scenery) -> None:
    foe = {"dexterity": 90, "skills": {"brawl": 90}, "natural": "1D6"}
    for hp, damage, answer in ((20, 2, "save"), (20, 3, "use"), (2, 2, "use")):
        scene = duel({"perks": ["tough-guy"], "luck": 50, "hp": hp}, foe)
        scene.move("bob", "fight")
        scene.move("ada", "dodge", 60, 99, (damage,))
        assert wants(scene, "survivor") == answer


def test_nobody_dives_while_it_costs_the_next_attack_and_hp_are_plenty(duel: Scenery) -> None:
    foe = {"dexterity": 90, "weapons": ["32-revolver"]}
    for hp, cost, answer in ((20, "attack", "stand"), (6, "attack", "dive"), (20, "none", "dive")):
        scene = duel({"hp": hp}, foe, dive_cost=cost)
        scene.move("bob", "shoot with .32 revolver")
        assert wants(scene, "gunslinger") == answer


def test_random_takes_every_legal_move_alike(duel: Scenery) -> None:
    fight = duel(ARMED).fight
    exact = {move: n for move, n, d in Exact().outcomes(lambda whim: TACTICS["random"](fight.state, 0, whim))}
    assert exact == dict.fromkeys(fight.codes(0), 1)


@pytest.mark.parametrize("tactic", TACTICS)
def test_a_tactic_says_what_it_does_and_brings_a_fight_to_its_end(tactic: str) -> None:
    assert TACTICS[tactic].__doc__
    for number, profile in enumerate(sheets.PROFILES):
        teams = {"a": ["detective", "nurse"], "b": ["ghoul", "armed-cultist"], "c": ["hunter"]}
        options = {"round_cap": 60, "profile": profile}
        fight = Fight("mythos", teams, dice=Seeded(3, number), options=options)
        play_on(fight, dict.fromkeys(fight.names, tactic))
        assert fight.over


def anybody(random: Random) -> str:
    """Any fighter with any perks, and perhaps something to mend with, of its own too."""
    perks = "+".join(perk for perk in PERKS if random.getrandbits(1))
    items = f"first-aid {random.getrandbits(1)}+medicine {random.getrandbits(1)}"
    own = random.choice(("", ":own_items=tonic (heals 1D6; boosts attacks+constitution; dice 2)"))
    luck = random.choice((0, 10, 60))
    return f"{random.choice(list(sheets.SHEETS.fighters()))}:luck={luck}:perks={perks}:items={items}{own}"


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_choice_of_every_tactic_is_legal(random: Random) -> None:
    shape = random.choice(((1, 1), (2, 2), (1, 1, 1), (1, 3)))
    teams = {f"t{t}": [anybody(random) for _ in range(size)] for t, size in enumerate(shape)}
    options: dict[str, object] = {"profile": random.choice(list(sheets.PROFILES)), "round_cap": 6}
    options |= random.choice(({}, {"enemy_ai": "free"}, {"surprise": "last"}, {"distance": 60}, {"manoeuvres": False}))
    fight = Fight("mythos", teams, seed=random.getrandbits(30), options=options)
    for fighter in fight.state.fighters:
        fighter.hp = random.randint(1, fighter.max_hp)
        for slot in range(1, rules.SLOTS):
            fighter.loaded[slot] = min(fighter.loaded[slot], random.choice((0, 1, 6)))
    while not fight.over:
        (who,) = fight.to_act
        index = fight.index(who)
        for name, tactic in TACTICS.items():
            assert tactic(fight.state, index, Seeded(1)) in fight.codes(index), name
        fight.play(who, random.choice(fight.legal(who)))


# What they are worth


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("who", ["detective", "professor", "nurse", "hunter"])
def test_the_gunslinger_beats_random_in_mirror_matches(native: ModuleType, who: str, profile: str) -> None:
    assert mirror(who, "gunslinger", "random", profile).low > 0.6


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize("who", ["boxer", "fencer", "detective", "cult-leader"])
def test_the_brawler_beats_random_in_mirror_matches(native: ModuleType, who: str, profile: str) -> None:
    assert mirror(who, "brawler", "random", profile).low > 0.53


@pytest.mark.parametrize("profile", sheets.PROFILES)
@pytest.mark.parametrize(
    ("who", "tactic", "against"),
    [
        ("detective", "gunslinger", "cultist"),
        ("detective", "gunslinger", "zombie"),
        ("hunter", "gunslinger", "deep-one"),
        ("boxer", "brawler", "ghoul"),
        ("boxer", "brawler", "reanimated"),
        ("fencer", "brawler", "cultist"),
    ],
)
def test_a_tactic_that_suits_the_investigator_wins_more_than_half_and_more_than_random(
    native: ModuleType, who: str, tactic: str, against: str, profile: str
) -> None:
    meant, chance = (won(name, who, against, profile).rates["investigators"] for name in (tactic, "random"))
    assert meant.low > 0.5
    assert meant.low > chance.high
