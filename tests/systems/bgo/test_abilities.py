"""Every ability of the rulings, each with its edges: given, dice, then."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from affray.fight import Fight
from affray.systems.bgo import sheets, system
from affray.systems.bgo.abilities import ABILITIES, BEWILDER, ICONS, TYPES, UNTYPED, signed, typed
from affray.terminal.screen import lookalikes

Meet = Callable[..., Any]
HIT, MISS = 18, 3


def test_every_ability_of_the_data_is_one_the_rules_know() -> None:
    used = {name for thing in (*sheets.creatures().values(), *sheets.items().values()) for name in thing.abilities}
    assert used <= set(ABILITIES)
    assert set(UNTYPED) <= set(ABILITIES)


def struck(meet: Meet, damage: dict[str, int], abilities: dict[str, int]) -> int:
    """The Health that a hit costs a fighter with these abilities."""
    scene = meet({"damage": damage}, {"health": 50, "abilities": abilities})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    return 50 - int(scene.health[1])


# nul-T, resist-T, weak-T


@pytest.mark.parametrize("kind", TYPES)
def test_nul_takes_its_own_type_and_no_other(meet: Meet, kind: str) -> None:
    for other in TYPES:
        assert struck(meet, {other: 3}, {f"nul-{kind}": 1}) == (0 if other == kind else 3)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("amount", "resist", "left"), [(3, 1, 2), (3, 3, 0), (3, 9, 0), (1, 1, 0)])
def test_resist_takes_its_number_but_not_below_nothing(
    meet: Meet, kind: str, amount: int, resist: int, left: int
) -> None:
    assert struck(meet, {kind: amount}, {f"resist-{kind}": resist}) == left


def test_resist_leaves_other_types_alone(meet: Meet) -> None:
    assert struck(meet, {"fire": 2, "water": 2}, {"resist-fire": 5}) == 2


@pytest.mark.parametrize(("amount", "grown"), [(1, 2), (2, 3), (3, 5), (4, 6), (5, 8), (10, 15)])
def test_weak_makes_it_half_as_much_again_rounded_up(meet: Meet, amount: int, grown: int) -> None:
    for kind in TYPES:
        assert struck(meet, {kind: amount}, {f"weak-{kind}": 1}) == grown


@pytest.mark.parametrize(("amount", "resist", "left"), [(5, 2, 5), (4, 3, 2), (3, 3, 0)])
def test_weak_comes_after_resist(meet: Meet, amount: int, resist: int, left: int) -> None:
    assert struck(meet, {"fire": amount}, {"resist-fire": resist, "weak-fire": 1}) == left


def test_nul_beats_weak(meet: Meet) -> None:
    assert struck(meet, {"fire": 4}, {"nul-fire": 1, "weak-fire": 1}) == 0


def test_weakness_rounds_each_component_by_itself(meet: Meet) -> None:
    assert struck(meet, {"fire": 1, "water": 1}, {"weak-fire": 1, "weak-water": 1}) == 4


def test_the_wheel_of_the_data_is_water_fire_wind_earth_water() -> None:
    beaten_by = {"fire": "water", "wind": "fire", "earth": "wind", "water": "earth"}
    for creature in sheets.creatures().values():
        for name in creature.abilities:
            if name.startswith("weak-"):
                assert name == f"weak-{beaten_by[creature.type]}", creature.id


# first-strike: see ruling 17 in test_rules; here what it is for


def test_without_first_strike_both_attacks_land(meet: Meet) -> None:
    scene = meet(foe={"health": 2}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [8, 0]


# thorns-T


def test_thorns_hurt_whoever_hits_the_bearer(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"thorns-earth": 2}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health == [8, 8]
    assert "Foe's thorns deal 2 damage to Hero." in scene.said


def test_thorns_do_not_hurt_who_misses(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"thorns-earth": 2}}).round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health == [10, 10]


def test_thorns_answer_a_hit_that_deals_nothing(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"thorns-earth": 2, "nul-physical": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health == [8, 10]


@pytest.mark.parametrize("kind", TYPES)
def test_thorns_are_of_any_type(meet: Meet, kind: str) -> None:
    scene = meet(foe={"abilities": {f"thorns-{kind}": 3}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 7


def test_thorns_resisted_to_nothing_take_nothing_off_other_thorns(meet: Meet) -> None:
    scene = meet({"abilities": {"resist-fire": 9}}, {"abilities": {"thorns-earth": 2, "thorns-fire": 2}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 8


def test_thorns_of_several_types_are_added_up(meet: Meet) -> None:
    scene = meet(
        {"abilities": {"resist-fire": 1}}, {"abilities": {"thorns-earth": 2, "thorns-fire": 2, "thorns-wind": 1}}
    )
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 10 - (2 + 1 + 1)


def test_thorns_of_the_dying_still_prick_and_may_kill(meet: Meet) -> None:
    scene = meet({"health": 1}, {"health": 1, "abilities": {"thorns-earth": 1}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "draw"


def test_thorns_do_not_prick_thorns(meet: Meet) -> None:
    both = {"abilities": {"thorns-earth": 1}}
    scene = meet(both, both).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health == [9, 8]


def test_each_attacker_is_pricked_for_itself(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}, "bob": {}}, foes={"foe": {"abilities": {"thorns-earth": 3}}})
    scene.round("attack", "attack", "defend", rolls=[HIT, HIT])
    assert scene.health == [7, 7, 6]


def test_thorns_heal_no_drainer(meet: Meet) -> None:
    scene = meet(foe={"max_health": 20, "health": 10, "abilities": {"thorns-earth": 4, "drain": 1}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 8


# the riders: ignite, drench, quake, gust, bewilder

RIDERS = [("ignite", "fire"), ("drench", "water"), ("quake", "earth"), ("gust", "wind"), ("bewilder", "mental")]


@pytest.mark.parametrize(("ability", "kind"), RIDERS)
def test_a_rider_comes_with_hurt_of_its_own_type_only(meet: Meet, ability: str, kind: str) -> None:
    for other in TYPES:
        scene = meet({"damage": {other: 1}, "abilities": {ability: 1}}).round("attack", "attack", rolls=[HIT, MISS])
        assert bool(scene.of("AFFLICTS")) == (other == kind)


@pytest.mark.parametrize(("ability", "kind"), RIDERS)
def test_damage_without_the_ability_brings_no_rider(meet: Meet, ability: str, kind: str) -> None:
    scene = meet({"damage": {kind: 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.of("AFFLICTS") == []


@pytest.mark.parametrize(("ability", "kind"), RIDERS)
def test_a_miss_brings_no_rider(meet: Meet, ability: str, kind: str) -> None:
    scene = meet({"damage": {kind: 1}, "abilities": {ability: 1}}).round("attack", "attack", rolls=[MISS, MISS])
    assert scene.of("AFFLICTS") == []


def test_all_riders_of_one_hit_come_together(meet: Meet) -> None:
    damage = {kind: 1 for _, kind in RIDERS}
    abilities = {ability: 1 for ability, _ in RIDERS}
    scene = meet({"damage": damage, "abilities": abilities}).round("attack", "attack", rolls=[HIT, MISS])
    (afflicted,) = [sentence for sentence in scene.said if sentence.startswith("Foe is")]
    for word in ("burning", "drenched", "shaken", "balance", "bewildered"):
        assert word in afflicted


def test_burning_lasts_until_the_bearer_defends(meet: Meet) -> None:
    scene = meet({"damage": {"fire": 1}, "abilities": {"ignite": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    for left in (8, 7, 6, 5):
        scene.round("attack", "attack", rolls=[MISS, MISS])
        assert scene.health[1] == left
    scene.round("attack", "defend", rolls=[MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 5


def test_two_fires_burn_as_one(gather: Meet) -> None:
    torch = {"damage": {"fire": 1}, "abilities": {"ignite": 1}}
    scene = gather(heroes={"ann": torch, "bob": torch}, foes={"foe": {}})
    scene.round("attack", "attack", "defend", rolls=[HIT, HIT])
    scene.round("defend", "defend", "attack ann", rolls=[MISS])
    assert scene.health[2] == 10 - 2 - 1


def test_a_fleer_burns_once_more(meet: Meet) -> None:
    scene = meet({"damage": {"fire": 1}, "abilities": {"ignite": 1}}, {"health": 2})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    scene.round("defend", "flee")
    assert scene.ending == "heroes", "burnt to death while fleeing"


def test_drench_is_one_attack_less_in_the_next_round_only(meet: Meet) -> None:
    wet = {"damage": {"water": 1}, "abilities": {"drench": 1}}
    scene = meet(wet).round("attack", "attack", rolls=[HIT, 10])
    assert scene.needed[1] == 10, "not in the round of the hit"
    scene.round("attack", "attack", rolls=[MISS, 10])
    assert scene.needed[1] == 11
    scene.round("attack", "attack", rolls=[MISS, 10])
    assert scene.needed[1] == 10


def test_quake_is_one_defense_less_in_the_next_round_only(meet: Meet) -> None:
    shaking = {"damage": {"earth": 1}, "abilities": {"quake": 1}}
    scene = meet(shaking).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.needed[0] == 10
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[0] == 9
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[0] == 10


def test_quake_counts_also_against_one_who_defends_or_flees(meet: Meet) -> None:
    shaking = {"damage": {"earth": 1}, "abilities": {"quake": 1}}
    assert meet(shaking).round("attack", "attack", rolls=[HIT, MISS]).round("attack", "defend", rolls=[3]).needed == [
        12
    ]
    assert meet(shaking).round("attack", "attack", rolls=[HIT, MISS]).round("attack", "flee", rolls=[3]).needed == [10]


@pytest.mark.parametrize(("ability", "kind"), [("drench", "water"), ("quake", "earth")])
def test_the_same_rider_from_two_counts_once(gather: Meet, ability: str, kind: str) -> None:
    sort = {"damage": {kind: 1}, "abilities": {ability: 1}}
    scene = gather(heroes={"ann": sort, "bob": sort}, foes={"foe": {}})
    scene.round("attack", "attack", "attack ann", rolls=[HIT, HIT, MISS])
    scene.round("attack", "attack", "attack ann", rolls=[MISS, MISS, MISS])
    assert scene.needed == ([10, 10, 11] if ability == "drench" else [9, 9, 10])


def test_gust_takes_the_poise_of_who_is_hurt(meet: Meet) -> None:
    windy = {"damage": {"wind": 1}, "abilities": {"gust": 1}}
    scene = meet(windy).round("defend", "defend")
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.needed == [8, 8], "the blow and the answer fall at once"
    scene = meet(windy).round("attack", "defend", rolls=[HIT])
    assert scene.round("attack", "attack", rolls=[MISS, MISS]).needed[1] == 10


def test_bewilder_forbids_to_defend_in_the_next_round_only(meet: Meet) -> None:
    scene = meet({"damage": {"mental": 1}, "abilities": {"bewilder": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    moves, closed = scene.fight.legal("foe", explain=True)
    assert [str(move) for move in moves] == ["attack", "flee"]
    assert [(move.notation, move.reason) for move in closed] == [("defend", "bewildered: may not defend in this round")]
    with pytest.raises(Exception, match="bewildered"):
        scene.fight.play("foe", "defend")
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert "defend" in [str(move) for move in scene.fight.legal("foe")]


def test_a_bewildered_creature_can_only_attack(meet: Meet) -> None:
    fight = Fight("bgo", {"heroes": ["giggle-imp"], "monsters": ["mud-slime"]}, seed=1)
    fight.state.fighters[1].afflicted = BEWILDER
    assert [str(move) for move in fight.legal("mud-slime")] == ["attack"]


# drain


@pytest.mark.parametrize(("damage", "healed"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_drain_heals_half_rounded_up(meet: Meet, damage: int, healed: int) -> None:
    drainer = {"max_health": 20, "health": 5, "damage": {"mental": damage}, "abilities": {"drain": 1}}
    scene = meet(drainer, {"health": 50}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 5 + healed
    assert f"Hero drains {healed} Health." in scene.said


def test_drain_heals_no_further_than_the_maximum(meet: Meet) -> None:
    drainer = {"max_health": 10, "health": 9, "damage": {"mental": 6}, "abilities": {"drain": 1}}
    scene = meet(drainer, {"health": 50}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 10
    assert scene.of("DRAINS") == [(0, 1)]


def test_drain_makes_good_the_damage_of_the_same_round(meet: Meet) -> None:
    drainer = {"damage": {"mental": 4}, "abilities": {"drain": 1}}
    scene = meet(drainer, {"health": 50}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health[0] == 10, "10 - 2 + 2"


def test_a_hit_that_deals_nothing_drains_nothing(meet: Meet) -> None:
    drainer = {"max_health": 10, "health": 5, "abilities": {"drain": 1}}
    scene = meet(drainer, {"abilities": {"nul-physical": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 5


# regenerate


def test_regeneration_comes_at_the_end_of_every_round_and_stops_at_the_maximum(meet: Meet) -> None:
    scene = meet({"max_health": 10, "health": 6, "abilities": {"regenerate": 3}}).round("defend", "defend")
    assert scene.health[0] == 9
    scene.round("defend", "defend")
    assert scene.health[0] == 10
    assert scene.of("REGENERATES") == [(0, 1)]
    scene.round("defend", "defend")
    assert scene.of("REGENERATES") == []


def test_regeneration_does_not_raise_the_dead(meet: Meet) -> None:
    scene = meet(foe={"health": 2, "abilities": {"regenerate": 9}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "heroes"
    assert scene.health[1] == 0


def test_the_dead_and_the_fled_regenerate_no_more(gather: Meet) -> None:
    grows = {"max_health": 10, "abilities": {"regenerate": 1}}
    scene = gather(heroes={"ann": {}}, foes={"bob": {**grows, "health": 2}, "cat": {**grows, "health": 5}, "dan": {}})
    scene.round("attack bob", "defend", "flee", "defend", rolls=[HIT])
    assert scene.health[1:3] == [0, 6]
    scene.round("defend", "defend")
    assert scene.health[1:3] == [0, 6]


# ward


def test_a_ward_swallows_the_first_hit_and_no_second(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"ward": 1}}).round("attack", "attack", rolls=[MISS, MISS])
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 10
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 8


def test_a_ward_swallows_one_of_two_hits_of_a_round(gather: Meet) -> None:
    scene = gather(heroes={"ann": {"damage": {"fire": 5}}, "bob": {}}, foes={"foe": {"abilities": {"ward": 1}}})
    scene.round("attack", "attack", "defend", rolls=[HIT, HIT])
    assert scene.health[2] == 8, "the first one rolled"


def test_a_ward_that_is_used_up_is_no_longer_listed(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"ward": 1}})
    assert "ward" in scene.fight.status()
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert "ward" not in scene.fight.status()


# undying


def test_undying_makes_nothing_one_once(meet: Meet) -> None:
    scene = meet({"damage": {"physical": 9}}, {"health": 5, "abilities": {"undying": 1}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 1
    assert scene.ending is None
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "heroes"


def test_undying_is_not_used_while_any_health_is_left(meet: Meet) -> None:
    scene = meet(foe={"health": 3, "abilities": {"undying": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 1
    assert scene.of("RISES") == []
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert [event.who for event in scene.events if event.kind.name == "RISES"] == [1]


def test_undying_catches_thorns(meet: Meet) -> None:
    scene = meet({"health": 1, "abilities": {"undying": 1}}, {"abilities": {"thorns-fire": 4}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 1


def test_the_undying_fleer_gets_away(meet: Meet) -> None:
    scene = meet({"health": 1, "abilities": {"undying": 1}}).round("flee", "attack", rolls=[HIT])
    assert scene.ending == "fled"


def test_who_rises_and_burns_in_the_same_round_dies(meet: Meet) -> None:
    torch = {"damage": {"fire": 2}, "abilities": {"ignite": 1}}
    scene = meet(torch, {"health": 3, "abilities": {"undying": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert [event.who for event in scene.events if event.kind.name == "RISES"] == [1]
    assert scene.ending == "heroes", "1 - 2 is death, undying makes it 1, and the fire takes that"


# enrage: see ruling 28 in test_rules


def test_enrage_above_half_changes_nothing(meet: Meet) -> None:
    scene = meet({"max_health": 10, "health": 6, "abilities": {"enrage": 5}}).round("attack", "attack", rolls=[9, MISS])
    assert scene.needed[0] == 10


def test_the_grown_component_is_changed_like_any_other(meet: Meet) -> None:
    hero = {"max_health": 10, "health": 5, "damage": {"fire": 2}, "abilities": {"enrage": 2}}
    scene = meet(hero, {"health": 50, "abilities": {"weak-fire": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 50 - 6


# light-step and snare


def test_a_light_step_gives_three_when_fleeing_and_only_then(meet: Meet) -> None:
    nimble = {"abilities": {"light-step": 1}}
    assert meet(nimble).round("flee", "attack", rolls=[12]).needed == [13]
    assert meet(nimble).round("attack", "attack", rolls=[MISS, MISS]).needed[1] == 10


def test_nobody_gets_a_bonus_for_fleeing_from_a_snare(meet: Meet) -> None:
    snare = {"abilities": {"snare": 1}}
    assert meet(foe=snare).round("flee", "attack", rolls=[MISS]).needed == [10]
    assert meet({"abilities": {"light-step": 1}}, snare).round("flee", "attack", rolls=[MISS]).needed == [10]


def test_a_snare_is_about_while_its_bearer_stands(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}, "bob": {}}, foes={"cat": {"health": 2, "abilities": {"snare": 1}}, "dan": {}})
    scene.round("attack cat", "defend", "defend", "attack bob", rolls=[HIT, MISS])
    scene.round("flee", "defend", "attack ann", rolls=[MISS])
    assert scene.needed == [11]


def test_ones_own_snare_does_not_hinder(meet: Meet) -> None:
    assert meet({"abilities": {"snare": 1}}).round("flee", "attack", rolls=[MISS]).needed == [11]


def test_a_snare_of_ones_own_side_does_not_hinder(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}, "bob": {"abilities": {"snare": 1}}}, foes={"cat": {}})
    scene.round("flee", "defend", "attack ann", rolls=[MISS])
    assert scene.needed == [11]


# The icons of the types


def test_every_type_of_damage_has_an_icon_and_a_sign_of_its_own() -> None:
    assert tuple(icon.word for icon in ICONS) == TYPES
    assert len({icon.sign for icon in ICONS}) == len({icon.path for icon in ICONS}) == len(TYPES)
    for icon in ICONS:
        assert unicodedata.east_asian_width(icon.sign) not in ("W", "F"), "one column of a terminal"
        assert icon.path.startswith("M")
        assert icon.path.endswith("Z")


def test_where_a_sign_cannot_be_shown_it_has_a_lookalike() -> None:
    plain = [icon.sign.encode("ascii", lookalikes.NAME).decode() for icon in ICONS]
    assert len(set(plain)) == len(plain)
    assert "?" not in plain
    assert "é".encode("ascii", lookalikes.NAME) == b"?"


def test_types_are_named_with_their_sign() -> None:
    assert [typed(kind) for kind in TYPES] == [f"{icon.sign} {icon.word}" for icon in ICONS]
    assert [signed(name) for name in ("nul-fire", "resist-water", "quake")] == ["▲ nul-fire", "▼ resist-water", "quake"]
    assert system.signed("type fire; damage physical 2; abilities resist-fire 1") == (
        "type ▲ fire; damage † physical 2; abilities ▲ resist-fire 1"
    )
    assert system.signed("equipment fire-slime, campfire") == "equipment fire-slime, campfire"
