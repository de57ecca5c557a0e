"""The rules of an encounter, as the document and the rulings have them: given, dice, then."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Scripted
from affray.kernel.exact import Exact
from affray.kernel.state import forget_clock
from affray.system.registry import find
from affray.system.schema import Option
from affray.systems.bgo import rules, sheets
from affray.systems.bgo.abilities import DRENCH, TYPES
from affray.systems.bgo.rules import ATTACK

Meet = Callable[..., Any]
HIT, MISS = 18, 3


def sure(**changes: Any) -> dict[str, Any]:
    """A fighter with nothing in the way of being hit."""
    return {"health": 20, **changes}


# The document's examples


def told(story: list[str]) -> list[str]:
    """Our sentences without the number that a roll needed, which the document leaves out."""
    return [re.sub(r"; needs \d+\)", ")", sentence) for sentence in story]


def test_the_documents_fire_slime_line_by_line() -> None:
    fight = Fight("bgo", {"heroes": ["player"], "monsters": ["fire-slime"]}, dice=Scripted([(4, 4, 2), (2, 5, 1)]))
    player, slime = fight.sheets
    assert (player.health, player.attack, player.defense, player.damage) == (10, 0, 0, (2, 0, 0, 0, 0, 0))
    assert (slime.health, slime.attack, slime.defense, slime.damage) == (4, 0, 0, (0, 0, 2, 0, 0, 0))
    assert (player.rank, slime.rank) == (1, 1)
    fight.play("player", "attack")
    assert told([str(line) for line in fight.play("fire-slime", "attack")]) == [
        "The player attacks.",
        "The fire slime attacks.",
        "The player's attack hits (roll: 4, 4, 2).",
        "The fire slime's attack misses (roll: 2, 5, 1).",
        "The player deals 2 damage to the fire slime.",
        "Battle round 2.",
    ]
    assert isinstance(fight.dice, Scripted)
    fight.dice.results += [(3, 3, 4), (6, 2, 2)]
    fight.play("player", "attack")
    assert told([str(line) for line in fight.play("fire-slime", "attack")]) == [
        "The player attacks.",
        "The fire slime attacks.",
        "The player's attack hits (roll: 3, 3, 4).",
        "The fire slime's attack hits (roll: 6, 2, 2).",
        "The player deals 2 damage to the fire slime.",
        "The fire slime deals 2 damage to the player.",
        "The fire slime dies.",
        "Victory for the player!",
    ]
    fight.dice.finish()
    assert fight.ending == "heroes"
    assert fight.state.fighters[0].health == 8


def test_the_documents_fast_slime_line_by_line() -> None:
    dice = Scripted([(4, 4, 2), (6, 2, 2), (4, 4, 2), (6, 2, 2)])
    fight = Fight("bgo", {"heroes": ["player:health=4"], "monsters": ["fast-slime"]}, dice=dice)
    assert (fight.sheets[0].health, fight.sheets[1].rank) == (4, 2)
    assert dict(fight.sheets[1].abilities) == {"first-strike": 1}
    fight.play("player", "attack")
    assert told([str(line) for line in fight.play("fast-slime", "attack")]) == [
        "The player attacks.",
        "The fast slime attacks.",  # "the fire slime" in the document, a slip
        "The player's attack hits (roll: 4, 4, 2).",
        "The fast slime's attack hits (roll: 6, 2, 2).",
        "The player deals 2 damage to the fast slime.",
        "The fast slime deals 2 damage to the player.",
        "Battle round 2.",
    ]
    fight.play("player", "attack")
    second = told([str(line) for line in fight.play("fast-slime", "attack")])
    assert second[:4] == [
        "The player attacks.",
        "The fast slime attacks.",
        "The player's attack hits (roll: 4, 4, 2).",
        "The fast slime's attack hits (roll: 6, 2, 2).",
    ]
    assert second[4:] == [
        "The fast slime deals 2 damage to the player.",
        "The player dies.",
        "(The player's attack is canceled by the fast slime's first strike.)",
        "Victory for the fast slime!",
    ]
    dice.finish()
    assert fight.ending == "monsters"
    assert fight.state.fighters[1].health == 2


def test_the_documents_own_words_are_found_in_our_story(shared: Path) -> None:
    document = (shared / "sources" / "bgo.md").read_text(encoding="utf-8")
    example = document[document.index("## Fire Slime") : document.index("### Victory")]
    lines = [line for block in re.findall(r"```\n(.*?)```", example, re.DOTALL)[2:] for line in block.splitlines()]
    sentences = [s.strip() for line in lines for s in re.findall(r"[^.]+\.", line)]
    dice = Scripted([(4, 4, 2), (2, 5, 1), (6, 6, 6), (6, 6, 6)])
    fight = Fight("bgo", {"heroes": ["player"], "monsters": ["fire-slime"]}, dice=dice)
    for name in fight.names * 2:
        fight.play(name, "attack")
    ours = [re.sub(r" \(roll: 6, 6, 6\)", "", line) for line in told(fight.story.splitlines())]
    assert len(sentences) == 12
    assert [line for line in ours if line in sentences] == sentences


# Figures to check against


def chances(teams: dict[str, list[str]]) -> dict[str, Fraction]:
    """How a fight in which everyone always attacks ends, from every outcome of every round."""
    fight = Fight("bgo", teams, seed=0)
    system = fight.system
    known: dict[bytes, dict[str, Fraction]] = {}

    def fought(dice: Any, state: Any) -> bytes:
        after = records.copy(state)
        for who in range(2):
            system.apply(after, who, rules.attack_on(1 - who), dice, None)
        forget_clock(after)
        return records.pack(after)

    def ends(packed: bytes) -> dict[str, Fraction]:
        state = records.unpack(system.state, 2, packed)
        if state.ending >= 0:
            return {fight.endings[state.ending]: Fraction(1)}
        if packed not in known:
            total: dict[str, Fraction] = {}
            moved = Fraction(0)
            for after, numerator, denominator in Exact().outcomes(lambda dice: fought(dice, state)):
                if after != packed:  # both missing leaves everything as it was
                    moved += Fraction(numerator, denominator)
                    for ending, chance in ends(after).items():
                        total[ending] = total.get(ending, Fraction(0)) + chance * Fraction(numerator, denominator)
            known[packed] = {ending: chance / moved for ending, chance in total.items()}
        return known[packed]

    forget_clock(fight.state)
    return ends(records.pack(fight.state))


def test_the_player_against_the_fire_slime_wins_as_often_as_the_rulings_say() -> None:
    assert chances({"heroes": ["player"], "monsters": ["fire-slime"]}) == {
        "heroes": Fraction(1707193, 1771561),
        "monsters": Fraction(28593, 1771561),
        "draw": Fraction(35775, 1771561),
    }


def test_four_health_against_the_fast_slime_win_as_often_as_the_rulings_say() -> None:
    ends = chances({"heroes": ["player:health=4"], "monsters": ["fast-slime"]})
    assert ends == {"heroes": Fraction(483, 1331), "monsters": Fraction(848, 1331)}


# Rulings 1 to 7


@pytest.mark.parametrize(("roll", "hits"), [(9, False), (10, True), (11, True)])
def test_ruling_1_equality_hits(meet: Meet, roll: int, hits: bool) -> None:
    scene = meet().round("attack", "defend", rolls=[roll + 3])
    assert scene.needed == [13]
    assert (scene.health[1] == 8) is hits
    scene.round("defend", "attack", rolls=[roll + 1])
    assert scene.needed == [11], "10 and 3 for defending, 2 less for being poised"
    assert (scene.health[0] == 8) is hits


@pytest.mark.parametrize(
    ("attack", "defense", "needed"), [(0, 0, 10), (2, 0, 8), (0, 2, 12), (3, 3, 10), (-2, 1, 13), (1, -2, 7)]
)
def test_ruling_2_creature_and_player_roll_by_the_same_formula(
    meet: Meet, attack: int, defense: int, needed: int
) -> None:
    scene = meet({"attack": attack}, {"defense": defense}).round("attack", "attack", rolls=[needed, MISS])
    assert scene.needed[0] == needed
    assert scene.health == [10, 8]
    scene = meet({"defense": defense}, {"attack": attack}).round("attack", "attack", rolls=[MISS, needed])
    assert scene.needed[1] == needed
    assert scene.health == [8, 10]


def test_ruling_2_no_roll_hits_or_misses_by_itself(meet: Meet) -> None:
    scene = meet({"attack": 7, "defense": 9}).round("attack", "attack", rolls=[3, 18])
    assert scene.needed == [3, 19]
    assert scene.health == [10, 8]


def test_ruling_2_option_naturals(meet: Meet) -> None:
    scene = meet({"attack": 20, "defense": 20}, naturals=True).round("attack", "attack", rolls=[3, 18])
    assert scene.health == [8, 10], "a natural 3 misses, a natural 18 hits"
    scene.round("attack", "attack", rolls=[4, 17])
    assert scene.health == [8, 8], "a 4 hits and a 17 misses as the numbers say"


def test_ruling_3_both_dead_is_a_draw(meet: Meet) -> None:
    scene = meet({"health": 2}, {"health": 1}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.ending == "draw"
    assert scene.health == [0, 0]
    assert scene.of("DIES") == [(0,), (1,)]


def test_ruling_4_poise_is_two_attack_in_the_very_next_round(meet: Meet) -> None:
    scene = meet().round("defend", "attack", rolls=[MISS])
    scene.round("attack", "attack", rolls=[8, MISS])
    assert scene.needed == [8, 10]
    assert scene.health[1] == 8


def test_ruling_4_an_attack_uses_poise_even_if_it_misses(meet: Meet) -> None:
    scene = meet().round("defend", "attack", rolls=[MISS])
    scene.round("attack", "attack", rolls=[7, MISS])
    assert scene.needed[0] == 8
    scene.round("attack", "attack", rolls=[9, MISS])
    assert scene.needed[0] == 10


def test_ruling_4_poise_never_stacks(meet: Meet) -> None:
    scene = meet()
    for _ in range(3):
        scene.round("defend", "attack", rolls=[MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[0] == 8


def test_ruling_4_defending_gives_nothing_in_its_own_round_but_defense(meet: Meet) -> None:
    scene = meet().round("defend", "attack", rolls=[12])
    assert scene.needed == [13]
    assert scene.health == [10, 10]


def test_ruling_4_the_end_of_the_encounter_ends_poise(meet: Meet) -> None:
    scene = meet({"damage": {"fire": 1}, "abilities": {"ignite": 1}}, {"health": 2})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    scene.round("defend", "attack", rolls=[MISS])
    assert scene.ending == "heroes"
    assert scene.fighters[0].poised == 0


def test_ruling_5_stances_count_before_any_roll_whoever_chose_first(meet: Meet) -> None:
    assert meet().round("attack", "defend", rolls=[MISS]).needed == [13]
    assert meet().round("defend", "attack", rolls=[MISS]).needed == [13]


def test_ruling_5_stances_count_in_their_round_only(meet: Meet) -> None:
    scene = meet().round("attack", "defend", rolls=[MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[0] == 10


def test_ruling_5_two_who_defend_roll_nothing(meet: Meet) -> None:
    scene = meet().round("defend", "defend")
    assert scene.needed == []
    assert scene.ending is None


@pytest.mark.parametrize(("roll", "left"), [(10, 10), (11, 8)])
def test_ruling_6_an_attack_still_lands_on_the_fleer_against_one_more_defense(meet: Meet, roll: int, left: int) -> None:
    scene = meet().round("flee", "attack", rolls=[roll])
    assert scene.needed == [11]
    assert scene.health[0] == left
    assert scene.ending == "fled"
    assert "Hero gets away." in scene.said


def test_ruling_6_death_cancels_the_escape(meet: Meet) -> None:
    scene = meet({"health": 2}).round("flee", "attack", rolls=[HIT])
    assert scene.ending == "foes"
    assert scene.of("ESCAPES") == []
    assert scene.fighters[0].state == rules.DEAD
    assert scene.fight.figures["hero"]["fled"] == 0


def test_ruling_6_flight_takes_no_roll_and_brings_no_victory(meet: Meet) -> None:
    scene = meet().round("flee", "defend")
    assert scene.needed == []
    assert scene.ending == "fled"
    assert not any("Victory" in sentence for sentence in scene.said)
    assert scene.fight.figures["hero"]["fled"] == 1


def test_ruling_6_both_may_flee(meet: Meet) -> None:
    scene = meet().round("flee", "flee")
    assert scene.ending == "fled"
    assert scene.of("ESCAPES") == [(0,), (1,)]


def test_ruling_6_option_parting_blow_off_lets_the_fleer_go(meet: Meet) -> None:
    scene = meet({"health": 1}, parting_blow=False).round("flee", "attack")
    assert scene.ending == "fled"
    assert scene.health[0] == 1
    assert "Foe lets Hero go." in scene.said


def test_ruling_6_option_parting_blow_off_spares_only_who_flees(meet: Meet) -> None:
    scene = meet(parting_blow=False).round("attack", "defend", rolls=[HIT])
    assert scene.health[1] == 8


def test_ruling_7_creatures_attack_or_defend_and_none_of_ours_flees() -> None:
    for id in sheets.creatures():
        fight = Fight("bgo", {"heroes": ["player"], "monsters": [id]}, seed=1)
        assert [str(move) for move in fight.legal(id)] == ["attack", "defend"]


def test_ruling_7_a_creature_of_ones_own_may_flee(meet: Meet) -> None:
    fight = Fight("bgo", {"heroes": ["player"], "monsters": ["fire-slime:can_flee=on"]}, seed=1)
    assert "flee" in [str(move) for move in fight.legal("fire-slime")]


# Rulings 15 to 20


def test_ruling_15_each_component_is_changed_by_itself_and_then_summed(meet: Meet) -> None:
    scene = meet(
        {"damage": {"physical": 3, "fire": 2, "water": 3, "earth": 1}},
        sure(abilities={"nul-fire": 1, "resist-physical": 1, "weak-water": 1}),
    ).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 20 - (2 + 0 + 5 + 1)
    assert sorted(scene.of("CHANGED")) == sorted(
        [
            (1, TYPES.index("physical"), 3, 2, 4),
            (1, TYPES.index("fire"), 2, 0, 4),
            (1, TYPES.index("water"), 3, 5, 4),
        ]
    )


def test_ruling_15_a_hit_may_deal_nothing(meet: Meet) -> None:
    scene = meet(foe={"abilities": {"nul-physical": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 10
    assert "Hero deals 0 damage to Foe." in scene.said


def test_ruling_16_nul_takes_the_component_and_its_rider(meet: Meet) -> None:
    scene = meet(
        {"damage": {"fire": 2, "water": 2}, "abilities": {"ignite": 1, "drench": 1}},
        sure(abilities={"nul-fire": 1}),
    ).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 18
    assert scene.of("AFFLICTS") == [(1, DRENCH)]
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 18, "nothing burns"


def test_ruling_16_a_rider_needs_hurt_resisted_to_nothing_is_none(meet: Meet) -> None:
    scene = meet({"damage": {"fire": 2}, "abilities": {"ignite": 1}}, sure(abilities={"resist-fire": 2})).round(
        "attack", "attack", rolls=[HIT, MISS]
    )
    assert scene.of("AFFLICTS") == []


SWIFT = {"abilities": {"first-strike": 1}}


def test_ruling_17_first_strike_cancels_the_attack_of_the_defeated(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 2}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [10, 0]
    assert scene.of("CANCELED") == [(1, 0)]
    assert scene.fight.figures["foe"]["damage dealt"] == 0


def test_ruling_17_the_canceled_one_does_not_hurt_burn_drain_or_prick(meet: Meet) -> None:
    given = {"health": 2, "damage": {"fire": 2}, "abilities": {"ignite": 1, "drain": 1}}
    scene = meet({"abilities": {"first-strike": 1, "thorns-physical": 3}}, given)
    scene.round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [10, 0]
    assert scene.of("AFFLICTS") == scene.of("DRAINS") == scene.of("PRICKS") == []


def test_ruling_17_a_first_strike_that_does_not_defeat_cancels_nothing(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 3}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [8, 1]
    assert scene.of("CANCELED") == []


def test_ruling_17_a_first_strike_that_misses_cancels_nothing(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 1}).round("attack", "attack", rolls=[MISS, HIT])
    assert scene.health == [8, 1]


def test_ruling_17_first_strike_cancels_the_flight_and_the_stance_of_the_defeated(meet: Meet) -> None:
    assert meet(SWIFT, {"health": 1}).round("attack", "flee", rolls=[HIT]).ending == "heroes"
    scene = meet(SWIFT, {"health": 1}).round("attack", "defend", rolls=[HIT])
    assert scene.ending == "heroes"
    assert scene.fighters[1].poised == 0


def test_ruling_17_on_both_sides_it_cancels_out(meet: Meet) -> None:
    scene = meet({"health": 2, **SWIFT}, {"health": 2, **SWIFT}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.ending == "draw"
    assert scene.of("CANCELED") == []


def test_ruling_17_on_both_sides_it_cancels_out_even_if_only_one_is_defeated(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 2, **SWIFT}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [8, 0]
    assert scene.of("CANCELED") == []


def test_ruling_17_thorns_are_no_first_strike(meet: Meet) -> None:
    scene = meet({"abilities": {"first-strike": 1, "thorns-fire": 5}}, {"health": 5})
    scene.round("attack", "attack", rolls=[MISS, HIT])
    assert scene.health == [8, 0], "the thorns kill, and the hit that met them counts"


def test_ruling_17_several_first_strikes_defeat_together(gather: Meet) -> None:
    scene = gather(heroes={"ann": SWIFT, "bob": SWIFT}, foes={"foe": {"health": 4}})
    scene.round("attack", "attack", "attack ann", rolls=[HIT, HIT, HIT])
    assert scene.health == [10, 10, 0]
    assert len(scene.of("CANCELED")) == 1


def test_ruling_17_a_slow_hit_beside_a_first_strike_does_not_cancel(gather: Meet) -> None:
    scene = gather(heroes={"ann": SWIFT, "bob": {}}, foes={"foe": {"health": 4}})
    scene.round("attack", "attack", "attack ann", rolls=[HIT, HIT, HIT])
    assert scene.health == [8, 10, 0]
    assert scene.of("CANCELED") == []


def test_ruling_19_attack_and_defense_may_be_negative(meet: Meet) -> None:
    scene = meet({"attack": -3}, {"defense": -4}).round("attack", "attack", rolls=[9, MISS])
    assert scene.needed[0] == 9
    assert scene.health[1] == 8


def test_ruling_19_damage_stops_at_nothing_and_health_at_one() -> None:
    weak = sheets.enlist({"base": "player", "damage": {"physical": 0}, "curses": ["dull-edge"]})
    assert weak.damage == (0,) * 6
    frail = sheets.enlist({"base": "player", "max_health": 1, "curses": ["thin-blood"]})
    assert (frail.max_health, frail.health) == (1, 1)


def test_ruling_20_stalling_ends_as_fled(meet: Meet) -> None:
    scene = meet(round_cap=3)
    scene.round("defend", "defend").round("defend", "defend")
    assert scene.ending is None
    scene.round("defend", "defend")
    assert scene.ending == "fled"
    assert scene.of("STALLED") == [(3,)]
    assert scene.fight.round == 3


def test_ruling_20_when_nobody_falls_everybody_has_fled(meet: Meet) -> None:
    scene = meet(round_cap=1).round("defend", "defend")
    assert [scene.fight.figures[name]["fled"] for name in ("hero", "foe")] == [1, 1]


def test_ruling_20_a_death_in_the_last_round_counts(meet: Meet) -> None:
    scene = meet(foe={"health": 1}, round_cap=1).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "heroes"
    assert scene.of("STALLED") == []


def test_ruling_20_two_hundred_rounds_unless_the_option_says_otherwise() -> None:
    fight = Fight("bgo", {"a": ["player"], "b": ["player"]}, seed=1)
    for _ in range(199):
        for name in fight.names:
            fight.play(name, "defend")
    assert (fight.round, fight.ending) == (200, None)
    for name in fight.names:
        fight.play(name, "defend")
    assert fight.ending == "fled"


# Rulings 21 to 33, which came up while building


def test_ruling_21_an_attack_names_one_standing_foe(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}}, foes={"bob": {}, "cat": {"health": 1}})
    assert [str(move) for move in scene.fight.legal("ann")] == ["attack bob", "attack cat", "defend", "flee"]
    assert [str(move) for move in scene.fight.legal("bob")] == ["attack", "defend", "flee"]
    scene.round("attack cat", "attack", "attack", rolls=[HIT, MISS, MISS])
    assert scene.health == [10, 10, 0]
    assert [str(move) for move in scene.fight.legal("ann")] == ["attack", "defend", "flee"]
    assert scene.fight.to_act == ["ann", "bob"], "nobody dead acts"


def test_ruling_21_all_attacks_of_a_round_land_together(gather: Meet) -> None:
    scene = gather(heroes={"ann": {"health": 2}}, foes={"bob": {"health": 2}, "cat": {}})
    scene.round("attack bob", "attack", "attack", rolls=[HIT, HIT, HIT])
    assert scene.health == [0, 0, 10], "the dead have struck as well"
    assert scene.ending == "foes"


def test_ruling_21_a_fleer_leaves_alone(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}, "bob": {}}, foes={"cat": {}})
    scene.round("flee", "attack", "defend", rolls=[MISS])
    assert scene.ending is None
    assert scene.fight.to_act == ["bob", "cat"]
    assert [str(move) for move in scene.fight.legal("cat")] == ["attack", "defend", "flee"]


def test_ruling_21_a_team_wins_when_all_others_are_dead_even_if_one_of_its_own_fled(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}, "bob": {}}, foes={"cat": {"health": 2}})
    scene.round("flee", "defend", "defend")
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "heroes"


def test_ruling_21_no_victory_over_somebody_who_got_away(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}}, foes={"bob": {}, "cat": {"health": 2}})
    scene.round("attack cat", "flee", "attack", rolls=[HIT, MISS])
    assert scene.ending == "fled"


def test_ruling_21_three_sides_fight_until_one_is_left(gather: Meet) -> None:
    scene = gather(red={"ann": {"health": 2}}, green={"bob": {}}, blue={"cat": {"health": 2}})
    scene.round("attack bob", "attack ann", "attack bob", rolls=[MISS, HIT, MISS])
    assert scene.ending is None
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "green"


def test_ruling_21_all_dead_is_a_draw_of_three(gather: Meet) -> None:
    one = {"health": 2}
    scene = gather(red={"ann": one}, green={"bob": one}, blue={"cat": one})
    scene.round("attack bob", "attack cat", "attack ann", rolls=[HIT, HIT, HIT])
    assert scene.ending == "draw"


def test_ruling_21_all_dead_or_away_is_fled(gather: Meet) -> None:
    one = {"health": 2}
    scene = gather(red={"ann": one}, green={"bob": one}, blue={"cat": {}})
    scene.round("attack bob", "attack ann", "flee", rolls=[HIT, HIT])
    assert scene.ending == "fled"


def test_ruling_21_a_team_that_has_gone_is_gone_while_others_fight_on(gather: Meet) -> None:
    scene = gather(red={"ann": {}}, green={"bob": {}}, blue={"cat": {"health": 2}})
    scene.round("flee", "attack cat", "attack bob", rolls=[MISS, MISS])
    assert scene.ending is None
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.ending == "fled", "ann got away, so nobody has won"


def test_ruling_22_a_warded_hit_is_no_hit(meet: Meet) -> None:
    striker = {"damage": {"fire": 2}, "abilities": {"ignite": 1, "drain": 1}, "max_health": 10, "health": 5}
    scene = meet(striker, {"abilities": {"ward": 1, "thorns-earth": 2}}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health == [5, 10], "no damage, no drain, no thorns"
    assert scene.of("AFFLICTS") == scene.of("DEALS") == []
    assert "Foe's ward swallows the hit." in scene.said


def test_ruling_22_a_warded_first_strike_cancels_nothing(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 1, "abilities": {"ward": 1}}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [8, 1]


def test_ruling_23_thorns_bring_no_rider(meet: Meet) -> None:
    scene = meet(foe={"damage": {"fire": 1}, "abilities": {"ignite": 1, "thorns-fire": 1}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 9
    assert scene.of("AFFLICTS") == []


@pytest.mark.parametrize(
    ("ability", "lost"), [({}, 3), ({"nul-fire": 1}, 0), ({"resist-fire": 2}, 1), ({"weak-fire": 1}, 5)]
)
def test_ruling_23_thorns_are_damage_of_their_type(meet: Meet, ability: dict[str, int], lost: int) -> None:
    scene = meet(sure(abilities=ability), sure(abilities={"thorns-fire": 3}))
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 20 - lost


def test_ruling_24_whom_undying_saves_acts(meet: Meet) -> None:
    scene = meet(SWIFT, {"health": 2, "abilities": {"undying": 1}}).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.of("CANCELED") == []
    assert scene.health == [8, 1]
    scene.round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [8, 0], "the second time it is defeated, and its attack canceled"
    assert scene.of("CANCELED") == [(1, 0)]


def test_ruling_25_drain_counts_the_damage_after_changes_and_beyond_the_last_health(meet: Meet) -> None:
    drainer = {"damage": {"physical": 5}, "abilities": {"drain": 1}, "max_health": 20, "health": 10}
    scene = meet(drainer, {"health": 1}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 13, "half of 5, rounded up, though the foe had 1 Health"
    scene = meet(drainer, sure(abilities={"resist-physical": 2})).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[0] == 12, "half of 3, rounded up"


def test_ruling_25_a_drainer_at_nothing_stays_there(meet: Meet) -> None:
    drainer = {"health": 2, "damage": {"physical": 6}, "abilities": {"drain": 1}}
    scene = meet(drainer).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [0, 4]
    assert scene.ending == "foes"
    assert scene.of("DRAINS") == []


def test_ruling_25_option_drain_revives(meet: Meet) -> None:
    drainer = {"max_health": 10, "health": 2, "damage": {"physical": 6}, "abilities": {"drain": 1}}
    scene = meet(drainer, drain_revives=True).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [3, 4]
    assert scene.ending is None
    deep = meet(drainer, {"damage": {"physical": 9}}, drain_revives=True).round("attack", "attack", rolls=[HIT, HIT])
    assert deep.ending == "foes", "2 - 9 + 3 is still below 1"


def test_ruling_25_who_is_canceled_by_a_first_strike_drains_nothing_even_with_the_option(meet: Meet) -> None:
    drainer = {"health": 2, "max_health": 10, "damage": {"physical": 9}, "abilities": {"drain": 1}}
    scene = meet(SWIFT, drainer, drain_revives=True).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health == [10, 0]


TORCH = {"damage": {"fire": 2}, "abilities": {"ignite": 1}}


def test_ruling_26_burning_hurts_first_in_the_round_after(meet: Meet) -> None:
    scene = meet(TORCH).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 8
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 7
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 6, "and in every round after that"


def test_ruling_26_defending_puts_the_fire_out_before_it_hurts(meet: Meet) -> None:
    scene = meet(TORCH).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("attack", "defend", rolls=[MISS])
    assert scene.health[1] == 8
    assert "Foe beats out the flames." in scene.said
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 8


def test_ruling_26_one_who_defends_can_be_lit_again_in_the_same_round(meet: Meet) -> None:
    scene = meet(TORCH).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("attack", "defend", rolls=[HIT])
    assert scene.health[1] == 6
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 5


@pytest.mark.parametrize("regenerate", [1, 2, 3])
def test_ruling_26_burning_and_regeneration_are_one_sum(meet: Meet, regenerate: int) -> None:
    foe = {"max_health": 20, "health": 10 - regenerate, "abilities": {"regenerate": regenerate}}
    scene = meet(TORCH, foe).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 8, "lit, and not burning yet"
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 8 + regenerate - 1


def test_ruling_26_one_sum_keeps_the_regenerating_alive_at_one(meet: Meet) -> None:
    scene = meet(TORCH, {"max_health": 20, "health": 2, "abilities": {"regenerate": 1}})
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 3
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 2, "3 - 2 + 1: lit, and regenerating as always"
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 2


def test_ruling_26_one_sum_leaves_the_unhurt_unhurt(meet: Meet) -> None:
    scene = meet(TORCH, {"health": 10, "abilities": {"regenerate": 2}})
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.health[1] == 10
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 10, "burnt by 1 and healed by 2, up to the maximum"


def test_ruling_26_the_dead_are_not_said_to_burn(meet: Meet) -> None:
    scene = meet(TORCH, {"health": 2}).round("attack", "attack", rolls=[HIT, MISS])
    assert scene.of("AFFLICTS") == []


def test_ruling_26_undying_catches_a_death_by_burning(meet: Meet) -> None:
    scene = meet(TORCH, {"health": 3, "abilities": {"undying": 1}}).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.health[1] == 1
    assert [event.who for event in scene.events if event.kind.name == "RISES"] == [1]
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.ending == "heroes", "only once"


def test_ruling_26_a_death_by_burning_is_a_victory(meet: Meet) -> None:
    scene = meet(TORCH, {"health": 3}).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.ending == "heroes"


def test_ruling_27_gust_reaches_the_poise_that_is_only_just_gained(meet: Meet) -> None:
    windy = {"damage": {"wind": 2}, "abilities": {"gust": 1}}
    scene = meet(windy).round("attack", "defend", rolls=[HIT])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[1] == 10
    scene = meet(windy).round("attack", "defend", rolls=[12])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[1] == 8, "a miss blows nobody off balance"


ANGRY = {"max_health": 10, "health": 6, "damage": {"physical": 2, "fire": 2, "wind": 1}, "abilities": {"enrage": 3}}


def test_ruling_28_enrage_goes_by_the_health_at_the_start_of_the_round(meet: Meet) -> None:
    scene = meet(ANGRY, sure()).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.needed[0] == 10
    assert scene.health == [4, 15], "hurt below half in this very round: not yet"
    scene.round("attack", "attack", rolls=[9, MISS])
    assert scene.needed[0] == 9
    assert scene.health[1] == 15 - (5 + 3)


def test_ruling_28_exactly_half_is_enough(meet: Meet) -> None:
    scene = meet({**ANGRY, "health": 5}, sure()).round("attack", "attack", rolls=[9, MISS])
    assert scene.health[1] == 20 - (5 + 3)
    odd = meet({**ANGRY, "max_health": 9, "health": 5}, sure()).round("attack", "attack", rolls=[9, MISS])
    assert odd.needed[0] == 10, "5 of 9 is more than half"


@pytest.mark.parametrize(
    ("damage", "grown"),
    [
        ({"physical": 2, "fire": 2}, "physical"),
        ({"water": 3, "earth": 3}, "earth"),
        ({"physical": 1, "water": 2}, "water"),
        ({"mental": 1, "wind": 1, "fire": 1}, "mental"),
        ({}, "physical"),
    ],
)
def test_ruling_28_the_largest_component_grows_the_first_among_equals(
    meet: Meet, damage: dict[str, int], grown: str
) -> None:
    hero = {"max_health": 10, "health": 1, "damage": damage, "abilities": {"enrage": 4}}
    for kind in TYPES:
        scene = meet(hero, sure(abilities={f"nul-{kind}": 1})).round("attack", "attack", rolls=[HIT, MISS])
        whole = sum(damage.values()) + 4
        part = damage.get(kind, 0) + (4 if kind == grown else 0)
        assert 20 - scene.health[1] == whole - part


def test_ruling_28_healed_above_half_the_rage_is_over(meet: Meet) -> None:
    hero = {**ANGRY, "health": 5, "abilities": {"enrage": 3, "regenerate": 2}}
    scene = meet(hero, sure()).round("attack", "attack", rolls=[MISS, MISS])
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed[0] == 10


def test_ruling_29_leaden_feet_give_no_bonus_at_all(meet: Meet) -> None:
    for abilities in ({"leaden-feet": 1}, {"leaden-feet": 1, "light-step": 1}):
        scene = meet({"abilities": abilities}).round("flee", "attack", rolls=[MISS])
        assert scene.needed == [10]


def test_ruling_30_consumables_are_no_choice_in_an_encounter(meet: Meet) -> None:
    assert sheets.consumables()
    assert [str(move) for move in meet().fight.legal("hero")] == ["attack", "defend", "flee"]


def test_ruling_31_what_best_play_is_after() -> None:
    assert dict(find("bgo").values) == {"win": 1, "lose": -1, "draw": 0, "fled": 0}


def test_ruling_32_a_fleer_has_fled_though_the_foe_dies(meet: Meet) -> None:
    scene = meet({"abilities": {"thorns-physical": 5}}, {"health": 5}).round("flee", "attack", rolls=[HIT])
    assert scene.health == [8, 0]
    assert scene.ending == "fled"
    scene = meet(TORCH, {"health": 3}).round("attack", "attack", rolls=[HIT, MISS])
    scene.round("flee", "attack", rolls=[MISS])
    assert scene.health[1] == 0
    assert scene.ending == "fled"


def test_ruling_33_positions_do_not_know_the_round(meet: Meet) -> None:
    scene = meet()
    first = records.copy(scene.fight.state)
    scene.round("attack", "attack", rolls=[MISS, MISS])
    later = records.copy(scene.fight.state)
    assert records.pack(first) != records.pack(later)
    for state in (first, later):
        forget_clock(state)
    assert records.pack(first) == records.pack(later)


# The order of a round


def test_the_order_of_a_round_is_that_of_the_rulings(meet: Meet) -> None:
    hero = {
        "max_health": 9,
        "health": 3,
        "damage": {"fire": 2, "mental": 1},
        "abilities": {"ignite": 1, "bewilder": 1, "drain": 1, "undying": 1, "regenerate": 1, "first-strike": 1},
    }
    foe = {"health": 9, "damage": {"physical": 4}, "abilities": {"ward": 1, "thorns-earth": 1, "resist-mental": 1}}
    scene = meet(hero, foe).round("attack", "attack", rolls=[HIT, MISS])
    assert [event.kind.name for event in scene.events] == [
        "ATTACKS", "ATTACKS", "ROLLS", "WARDED", "ROLLS", "REGENERATES", "ROUND",
    ]  # fmt: skip
    scene.round("attack", "attack", rolls=[HIT, HIT])
    assert [event.kind.name for event in scene.events] == [
        "ATTACKS", "ATTACKS", "ROLLS", "CHANGED", "ROLLS",
        "DEALS", "PRICKS", "DEALS", "RISES", "DRAINS", "REGENERATES", "AFFLICTS", "ROUND",
    ]  # fmt: skip
    assert scene.health == [3, 7], "4 - 1 - 4 is death, undying makes it 1, drain 2, regeneration 3"
    scene.round("flee", "attack", rolls=[MISS])
    assert [event.kind.name for event in scene.events] == [
        "FLEES", "ATTACKS", "ROLLS", "REGENERATES", "BURNS", "ESCAPES", "ENDS",
    ]  # fmt: skip


def test_a_drain_cannot_bring_back_before_undying_is_used(meet: Meet) -> None:
    hero = {"max_health": 10, "health": 2, "damage": {"physical": 4}, "abilities": {"drain": 1, "undying": 1}}
    scene = meet(hero, drain_revives=True).round("attack", "attack", rolls=[HIT, HIT])
    assert scene.health[0] == 3, "undying comes before drain"
    assert scene.fighters[0].undying == 0


def test_the_numbers_of_the_story_add_up(meet: Meet) -> None:
    """A reader of the story can work out every Health from it, burning and regeneration included."""
    scene = meet(
        {"damage": {"fire": 2}, "abilities": {"ignite": 1}},
        {"max_health": 30, "health": 20, "abilities": {"regenerate": 2}},
    )
    health = 20
    for roll in (HIT, MISS, MISS, MISS):
        scene.round("attack", "attack", rolls=[roll, MISS])
        health -= sum(amount for _, target, amount in scene.of("DEALS") if target == 1)
        health -= len(scene.of("BURNS"))
        health += sum(amount for _, amount in scene.of("REGENERATES"))
        assert scene.health[1] == health


# Options


def test_option_armor_base(meet: Meet) -> None:
    assert meet(armor_base=7).round("attack", "attack", rolls=[7, 6]).health == [10, 8]


def test_option_defend_defense(meet: Meet) -> None:
    assert meet(defend_defense=5).round("attack", "defend", rolls=[14]).needed == [15]
    assert meet(defend_defense=0).round("attack", "defend", rolls=[MISS]).needed == [10]


def test_option_defend_attack(meet: Meet) -> None:
    scene = meet(defend_attack=4).round("defend", "defend")
    assert scene.round("attack", "attack", rolls=[MISS, MISS]).needed == [6, 6]


def test_option_flee_defense(meet: Meet) -> None:
    assert meet(flee_defense=4).round("flee", "attack", rolls=[MISS]).needed == [14]
    assert meet({"abilities": {"light-step": 1}}, flee_defense=4).round("flee", "attack", rolls=[MISS]).needed == [16]


def test_option_poised_kept(meet: Meet) -> None:
    scene = meet(poised="kept").round("defend", "defend").round("defend", "defend")
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed == [8, 8]
    scene.round("attack", "attack", rolls=[HIT, MISS])
    assert scene.needed == [8, 8], "a miss has not used it"
    scene.round("attack", "attack", rolls=[MISS, MISS])
    assert scene.needed == [10, 8], "a hit has"


@pytest.mark.parametrize("option", sheets.ENCOUNTER_OPTIONS, ids=lambda option: option.name)
def test_every_option_of_an_encounter_reaches_the_record(option: Option) -> None:
    other = {"Flag": not option.default, "Word": "kept", "Whole": 5}[type(option.field).__name__]
    usual, changed = (
        Fight("bgo", {"a": ["player"], "b": ["player"]}, seed=1, options=options).state
        for options in ({}, {option.name: other})
    )
    assert records.pack(changed) != records.pack(usual)


# The notation


def typed(meet: Meet, text: str) -> int:
    fight = meet().fight
    return fight.setup.read(fight.state, 0, text).code


@pytest.mark.parametrize("text", ["attack", "a", "ATTACK", " attack ", "hit", "attack foe", "Attack  FOE"])
def test_an_attack_may_be_typed_in_several_ways(meet: Meet, text: str) -> None:
    assert typed(meet, text) == rules.attack_on(1)


@pytest.mark.parametrize(("text", "code"), [("d", rules.DEFEND), ("Defend", 2), ("f", rules.FLEE), ("run", 3)])
def test_defend_and_flee_may_be_typed_short(meet: Meet, text: str, code: int) -> None:
    assert typed(meet, text) == code


def test_the_dead_and_the_fled_cannot_be_attacked(gather: Meet) -> None:
    scene = gather(heroes={"ann": {}}, foes={"bob": {"health": 1}, "cat": {}, "dan": {}})
    scene.round("attack bob", "attack", "flee", "defend", rolls=[HIT, MISS])
    reasons = {move.notation: move.reason for move in scene.fight.legal("ann", explain=True)[1]}
    assert reasons == {"attack bob": "already dead", "attack cat": "has fled already"}
    for notation in reasons:
        with pytest.raises(Exception, match=reasons[notation]):
            scene.fight.play("ann", notation)


def test_a_move_code_is_a_choice_and_a_target() -> None:
    assert [rules.attack_on(target) & 3 for target in range(62)] == [ATTACK] * 62
    assert [rules.attack_on(target) >> 2 for target in range(62)] == list(range(62))
