"""How many coins everybody has: attributes, weapons and armour against numbers reckoned by hand from the rulings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.kernel.exact import Exact
from affray.system.schema import settle
from affray.systems.strategic import abilities, rules, sheets
from affray.systems.strategic.arms import ARMOURS, FISTS, WEAPONS
from affray.systems.strategic.moves import ATTACKS
from affray.systems.strategic.recovery import after_fight
from affray.systems.strategic.sheets import MOVES, moves_known

Scenery = Callable[..., Any]
Weigh = Callable[[Callable[[Exact], Any]], dict[Any, Fraction]]
USUAL = settle(sheets.OPTIONS, {})
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}


def half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


def seated(**changes: object) -> tuple[Fight, Any]:
    fight = Fight("strategic", {"a": [{"name": "Ada", **changes}], "b": ["guard"]}, seed=1)
    return fight, fight.state.fighters[0]


# The sample fighters: combat points, attack, defence, initiative, each reckoned by hand

BY_HAND = {
    # Training 2 + 7/3 + 7/3 = 20/3; + 2/3 = 22/3; 3 + 2 + (2 + 7)/3 - 0
    "thug": (Fraction(20, 3), 7, 7, 8),
    # eA 1; 3 + 4/3 + 1/3 = 14/3; 5; 3 + 3 + (2 + 4)/3 - 2 - 1
    "guard": (Fraction(14, 3), 5, 5, 5),
    # eA 0; 6 + 1 + 0 = 7; 7; 3 + 6 + round(5/3) - 2 - 2
    "knight": (Fraction(7), 7, 7, 7),
    # eA 5; 6 + 1/3 + 5/3 = 8; 29/3; 3 + 6 + (5 + 1)/3 - 1
    "duelist": (Fraction(8), 8, 10, 10),
    # eA max(0, 3 - 4) = 0; 4 + 3 + 0 = 7; 7; 3 + 4 + (3 + 9)/3 - 3 - 3
    "brute": (Fraction(7), 7, 7, 5),
    # eA 2; 3 + 2/3 + 2/3 = 13/3; 5; 3 + 3 + round(5/3) - 2 - 1
    "scholar": (Fraction(13, 3), 4, 5, 5),
    # eA 9; 5 + 0 + 3 = 8; 11; 3 + 5 + 9/3 - 0
    "wildcat": (Fraction(8), 8, 11, 11),
    # eA 5; 5 + 5/3 = 20/3; 25/3; 3 + 5 + round(8/3) - 1
    "archer": (Fraction(20, 3), 7, 8, 10),
}


@pytest.mark.parametrize("id", BY_HAND)
def test_every_sample_fighter_has_the_coins_that_the_rulings_give(id: str, numbers: Mapping[str, int]) -> None:
    points, attack, defence, initiative = BY_HAND[id]
    fight = Fight("strategic", {"a": [id], "b": ["guard"]}, seed=1, options=numbers)
    fighter = fight.state.fighters[0]
    assert Fraction(abilities.combat_parts(fight.state, fighter), abilities.A_COIN) == points
    assert abilities.attack_ability(fight.state, fighter) == attack
    assert abilities.defence_ability(fight.state, fighter) == defence
    assert abilities.initiative_ability(fight.state, fighter) == initiative


def test_every_sample_fighter_is_reckoned_here() -> None:
    assert set(BY_HAND) == set(sheets.SHEETS.fighters())


attribute = st.integers(0, 10)


@settings(deadline=None, max_examples=100)
@given(attribute, attribute, attribute, st.sampled_from(list(WEAPONS)), st.sampled_from(list(ARMOURS)))
def test_everybody_has_the_coins_that_the_formulas_of_the_rulings_give(
    strength: int, agility: int, training: int, weapon: str, armour: str
) -> None:
    fight, fighter = seated(strength=strength, agility=agility, training=training, weapon=weapon, armour=armour)
    kind, nimble = WEAPONS[weapon].kind, max(0, agility - ARMOURS[armour].penalty)
    points = Fraction(training)
    points += Fraction(strength, 3) if kind in ("bludgeon", "edged") else 0
    points += Fraction(strength, 3) if kind == "bludgeon" else 0
    points += Fraction(nimble, 3) if kind in ("edged", "ranged") else 0
    burden = ceil(Fraction(3, 4) * WEAPONS[weapon].weight) + ceil(Fraction(3, 4) * ARMOURS[armour].penalty)
    base = int(fight.options["initiative_base"])
    assert abilities.attack_ability(fight.state, fighter) == half_up(points)
    assert abilities.defence_ability(fight.state, fighter) == half_up(points + Fraction(nimble, 3))
    assert abilities.initiative_ability(fight.state, fighter) == max(
        1, base + training + half_up(Fraction(agility + strength, 3)) - burden
    )


@pytest.mark.parametrize("for_a_coin", range(1, 11))
def test_any_part_of_an_attribute_is_exact_and_rounded_half_up(for_a_coin: int) -> None:
    for points in range(11):
        parts = abilities.parts(points, for_a_coin)
        assert Fraction(parts, abilities.A_COIN) == Fraction(points, for_a_coin)
        assert abilities.rounded(parts) == half_up(Fraction(points, for_a_coin))
    assert abilities.parts(10, 0) == 0, "of which no number makes a coin"


@settings(deadline=None, max_examples=100)
@given(attribute, attribute, attribute)
def test_threats_are_training_and_a_third_of_strength_against_discipline_and_a_third_of_training(
    strength: int, discipline: int, training: int
) -> None:
    fight, fighter = seated(strength=strength, discipline=discipline, training=training)
    assert abilities.threat_coins(fight.state, fighter) == half_up(training + Fraction(strength, 3))
    assert abilities.nerve_coins(fight.state, fighter) == half_up(discipline + Fraction(training, 3))


@pytest.mark.parametrize("agility", range(11))
@pytest.mark.parametrize("strength", [0, 3, 10])
def test_armour_and_weight_worsen_initiative_at_every_agility(agility: int, strength: int) -> None:
    def coins(**carried: str) -> int:
        fight, fighter = seated(agility=agility, strength=strength, training=4, **carried)
        return abilities.initiative_ability(fight.state, fighter)

    worn = [coins(armour=armour) for armour in ("none", "leather", "chain", "plate")]
    held = [coins(weapon=weapon) for weapon in ("fists", "rapier", "broadsword", "battleaxe")]
    for ever_less in (worn, held):
        assert all(lighter > heavier for lighter, heavier in pairwise(ever_less))


@settings(deadline=None, max_examples=60)
@given(attribute, attribute, attribute, st.sampled_from(list(WEAPONS)), st.sampled_from(list(ARMOURS)))
def test_an_option_has_what_is_borne_as_it_was_first_written_down(
    strength: int, agility: int, training: int, weapon: str, armour: str
) -> None:
    ada = {"strength": strength, "agility": agility, "training": training, "weapon": weapon, "armour": armour}
    fight = Fight("strategic", {"a": [{"name": "Ada", **ada}], "b": ["guard"]}, seed=1, options={"burden": "borne"})
    nimble = max(0, agility - ARMOURS[armour].penalty)
    burden = max(0, WEAPONS[weapon].weight - strength // 3)
    assert abilities.initiative_ability(fight.state, fight.state.fighters[0]) == max(
        1, 3 + training + half_up(Fraction(nimble, 3)) - burden
    )


def test_initiative_is_never_below_1(duel: Scenery) -> None:
    scene = duel({"strength": 0, "agility": 0, "training": 0, "weapon": "battleaxe"}, initiative_base=0)
    assert abilities.initiative_ability(scene.fight.state, scene["ada"]) == 1
    scene["ada"].hurried = -5
    assert abilities.initiative_ability(scene.fight.state, scene["ada"]) == 1


def test_life_coins_are_30_unless_the_sheet_says_otherwise() -> None:
    assert seated()[1].coins == 30
    assert seated(life_coins=24)[1].coins == 24
    assert seated(life_coins=24, coins_lost=5)[1].coins == 19


# Weapons and armour

ARMS = {  # damage, lethality, weight
    "fists": (4, 1, 0, "bludgeon"),
    "claws": (3, 1, 0, "edged"),
    "club": (6, 2, 1, "bludgeon"),
    "rapier": (6, 3, 1, "edged"),
    "broadsword": (8, 4, 2, "edged"),
    "battleaxe": (12, 6, 4, "edged"),
    "longbow": (4, 2, 0, "ranged"),
}
WORN = {"none": (0, 0), "leather": (3, 1), "chain": (4, 2), "plate": (8, 4)}


def test_every_weapon_has_its_damage_lethality_weight_and_kind() -> None:
    assert {id: (w.damage, w.lethality, w.weight, w.kind) for id, w in WEAPONS.items()} == ARMS


def test_every_armour_has_its_value_and_penalty() -> None:
    assert {id: (armour.value, armour.penalty) for id, armour in ARMOURS.items()} == WORN


@pytest.mark.parametrize("weapon", ARMS)
def test_a_weapon_flips_damage_for_pain_the_rest_for_incapacitation_and_lethality_for_crippling(
    duel: Scenery, weapon: str
) -> None:
    scene = duel({"weapon": weapon}, start_range="near")
    answer = "brace" if weapon == "longbow" else "parry"
    scene.blow("ada", "strike pain", "bob", answer, attack=1, defence=0, pain=1, incapacitation=0, crippling=0, soak=0)
    damage, lethality, _, _ = ARMS[weapon]
    assert scene.coins("pain") == [damage]
    assert scene.coins("incapacitation") == [damage - lethality]
    assert scene.coins("crippling") == [lethality]


@pytest.mark.parametrize(("armour", "hardiness"), list(product(WORN, (1, 2, 6))))
def test_soak_flips_hardiness_and_armour(duel: Scenery, armour: str, hardiness: int) -> None:
    scene = duel(bob={"armour": armour, "hardiness": hardiness})
    scene.blow("ada", "strike pain", "bob", "parry", attack=1, defence=0, pain=1, incapacitation=0, crippling=0, soak=0)
    assert scene.coins("soak") == [hardiness + WORN[armour][0]]


@pytest.mark.parametrize("weapon", ARMS)
def test_only_what_is_held_can_be_knocked_out_of_a_hand(duel: Scenery, weapon: str) -> None:
    scene = duel(bob={"weapon": weapon}, start_range="near")
    held = weapon not in ("fists", "claws")
    assert ("disarm" in scene.legal("ada")) == held
    assert scene.closed("ada").get("disarm") == (None if held else "there is nothing to knock out of the hand")


# Arms with numbers of their own

OWN = {"weapon": "club", "damage": 9, "lethality": 4, "weight": 5}


def test_a_weapon_flips_the_numbers_of_the_sheet_and_weighs_as_much(duel: Scenery) -> None:
    scene = duel(OWN)
    assert scene.coins("initiative")[0] == 3 + 4 + 3 - 4
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING)
    assert scene.coins("attack") == [8], "4 + 2 x 6/3: it is a club all the same"
    assert (scene.coins("pain"), scene.coins("incapacitation"), scene.coins("crippling")) == ([9], [5], [4])


def test_armour_soaks_and_hampers_by_the_numbers_of_the_sheet(duel: Scenery) -> None:
    scene = duel(bob={"armour": "plate", "armour_value": 1, "armour_penalty": 2})
    scene.move("ada", "strike pain")
    assert "dodge" in scene.legal("bob")
    scene.move("bob", "dodge", **TIED, **NOTHING)
    assert scene.coins("soak") == [2 + 1]
    assert scene.coins("defence") == [4 + 2 + 1 + 1], "twice 1/3 of an Agility of 1 is rounded to 1; a dodge is another"
    clad = duel(bob={"armour_value": 20, "armour_penalty": 10})
    clad.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING)
    assert clad.coins("soak") == [2 + 20], "the number of the sheet counts, also where no armour is named"
    assert abilities.effective_agility(clad["bob"]) == 0


def test_whoever_drops_a_weapon_has_the_fists_of_the_table_and_picks_up_the_own_numbers(duel: Scenery) -> None:
    scene = duel(bob=OWN)
    scene.blow("ada", "disarm", "bob", "parry", attack=2, defence=0, then="bob")
    assert scene.coins("initiative")[1] == 3 + 4 + 3
    scene.blow("bob", "strike pain", "ada", "parry", then="bob", **TIED, **NOTHING)
    assert (scene.coins("pain"), scene.coins("crippling")) == ([4], [1])
    scene.move("bob", "pick up", then="bob")
    assert scene.coins("initiative")[1] == 3 + 4 + 3 - 4
    scene.blow("bob", "strike pain", "ada", "parry", then="bob", **TIED, **NOTHING)
    assert (scene.coins("pain"), scene.coins("crippling")) == ([9], [4])


def test_fists_with_numbers_of_their_own_are_always_at_hand(duel: Scenery) -> None:
    scene = duel({"weapon": "fists", "damage": 7})
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING)
    assert (scene.coins("pain"), scene.coins("crippling")) == ([7], [1])


def test_the_numbers_of_a_sheet_are_shown_where_they_are_not_those_of_the_tables(duel: Scenery) -> None:
    bob = {"armour": "leather", "armour_value": 3, "armour_penalty": 2}
    scene = duel({**OWN, "armour_value": 2}, bob)
    seen = scene.fight.view("bob")
    assert "club (damage 9, lethality 4, weight 5); armour (value 2)" in " ".join(seen["status"].split())
    assert "broadsword; leather armour (penalty 2)" in " ".join(seen["status"].split())
    assert seen["state"]["fighters"][0].items() >= {"damage": 9, "lethality": 4, "weight": 5}.items()
    assert sheets.derived(scene.fight.sheets[0], USUAL).items() >= {"damage": 9, "armour_value": 2}.items()


def test_own_numbers_are_typed_written_in_files_and_kept(tmp_path: Path) -> None:
    typed = sheets.SHEETS.enlist("knight:damage=5:lethality=0:armour_penalty=0")
    assert (typed.damage, typed.lethality, typed.weight) == (5, 0, None)
    file = tmp_path / "mine.toml"
    file.write_text('[knight]\nbase = "knight"\ndamage = 5\nlethality = 0\narmour_penalty = 0\n', encoding="utf-8")
    assert sheets.SHEETS.enlist(str(file)) == typed == sheets.SHEETS.enlist(typed.as_table())
    assert sheets.SHEETS.spec_of(typed, "knight") == "knight:damage=5:lethality=0:armour_penalty=0"
    fight = Fight("strategic", {"a": [typed.as_table()], "b": ["guard"]}, seed=1)
    assert after_fight(fight.state, 0, fight.sheets[0]) == typed


# The document of the rulings, row by row


@pytest.fixture
def document(shared: Path) -> str:
    return (shared / "rules" / "strategic.md").read_text(encoding="utf-8")


def test_the_documents_weapons_are_ours(document: str) -> None:
    (row,) = re.findall(r"^Weapons.*?: (.*?)\. Armour", document, re.MULTILINE)
    found = {}
    for entry in row.split(", "):
        name, values, kind = re.fullmatch(r"(\w+) ([\d/]+) (\w+)", entry).groups()  # type: ignore[union-attr]
        found[name] = (*map(int, values.split("/")), kind)
    assert found == {id: (w.damage, w.lethality, w.weight, w.kind) for id, w in WEAPONS.items()}


def test_the_documents_armour_is_ours(document: str) -> None:
    (row,) = re.findall(r"Armour° \(value/penalty\): (.*?)\.$", document, re.MULTILINE)
    found = {name: (int(value), int(penalty)) for name, value, penalty in re.findall(r"(\w+) (\d+)/(\d+)", row)}
    assert found == {id: (armour.value, armour.penalty) for id, armour in ARMOURS.items()}


def test_the_documents_fighters_are_ours(document: str) -> None:
    (row,) = re.findall(r"^Sample fighters.*?: (.*)\.$", document, re.MULTILINE)
    found = {}
    for entry in row.split("; "):
        name, values, arms = re.fullmatch(r"(\w+) ([\d/]+) (.+)", entry).groups()  # type: ignore[union-attr]
        weapon, _, armour = arms.partition(", ")
        found[name] = (*map(int, values.split("/")), weapon, armour or "none", 2, 30)
    ours = {
        id: (s.strength, s.agility, s.discipline, s.training, s.weapon, s.armour, s.hardiness, s.life_coins)
        for id, s in sheets.SHEETS.fighters().items()
    }
    assert found == ours


# Openings


@pytest.mark.parametrize("training", range(11))
def test_one_knows_2_moves_and_one_more_for_every_2_points_of_training(training: int) -> None:
    sheet = sheets.SHEETS.enlist({"name": "Ada", "training": training, "weapon": "broadsword"})
    assert moves_known(sheet, USUAL, "broadsword") == MOVES[: 2 + training // 2]
    assert moves_known(sheet, USUAL, "fists") == ("jab", "power", "pull", "disarm", "threaten")[: 2 + training // 2]


@pytest.mark.parametrize("skill", range(11))
def test_skill_with_a_weapon_reveals_more_moves_and_more_openings(skill: int) -> None:
    """In the place of Training, of which nothing else changes; and with fists by a skill of their own."""
    sheet = sheets.SHEETS.enlist({"name": "Ada", "weapon": "rapier", "skill": skill, "unarmed_skill": 10 - skill})
    learned = ("jab", "gap", "pull", "disarm", "maim", "threaten")
    assert moves_known(sheet, USUAL, "rapier") == learned[: 2 + skill // 2]
    fight = Fight("strategic", {"a": [sheet.as_table()], "b": ["guard"]}, seed=1)
    ada = fight.state.fighters[0]
    assert abilities.skill_in_hand(ada) == skill
    assert abilities.attack_ability(fight.state, ada) == 5, "3 + 3/3 + 3/3: as Training says"
    ada.weapon = FISTS
    assert abilities.skill_in_hand(ada) == 10 - skill
    assert abilities.known_in_hand(ada).bit_count() == min(5, 2 + (10 - skill) // 2)


def test_a_skill_that_is_not_given_is_training() -> None:
    for changes, expected in (
        ({"weapon": "rapier"}, (4, 4)),
        ({"weapon": "rapier", "unarmed_skill": 1}, (4, 1)),
        ({"weapon": "fists", "unarmed_skill": 1}, (1, 1)),
        ({"weapon": "fists", "skill": 7}, (7, 7)),
    ):
        _, ada = seated(training=4, **changes)
        assert (ada.skill, ada.unarmed_skill) == expected


def test_openings_are_flipped_for_with_the_skill(duel: Scenery) -> None:
    scene = duel({"skill": 9, "unarmed_skill": 1})
    assert scene.coins("openings") == [9]
    scene["ada"].weapon = FISTS
    scene.move("ada", "stand down")
    assert scene.coins("openings") == [1]


# Moves belong to weapons

ALLOWED = {
    "fists": "strike guarded jab power pull disarm threaten dodge brace",
    "claws": "strike guarded jab maim power gap disarm threaten dodge brace",
    "club": "strike guarded power pull jab maim disarm threaten parry dodge brace",
    "rapier": "strike guarded jab gap pull disarm maim threaten parry dodge brace",
    "broadsword": "strike guarded jab power pull maim gap disarm threaten parry dodge brace",
    "battleaxe": "strike guarded power maim pull disarm threaten parry dodge brace",
    "longbow": "strike guarded gap maim power threaten dodge brace",
}


@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_weapon_offers_the_moves_it_is_made_for_and_no_others(duel: Scenery, weapon: str) -> None:
    scene = duel({"weapon": weapon}, start_range="near")
    attacks = {move.split()[0] for move in scene.legal("ada")} & set(ATTACKS.values())
    closed = scene.closed("ada")
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "strike pain")
    defences = set(scene.legal("ada"))
    assert attacks | defences == set(ALLOWED[weapon].split())
    unfit = f"not possible with the {weapon}"
    assert {move for move, reason in closed.items() if reason == unfit} == set(ATTACKS.values()) - attacks
    assert scene.closed("ada") == ({} if "parry" in defences else {"parry": unfit})


@pytest.mark.parametrize("weapon", WEAPONS)
def test_every_weapon_has_what_is_always_possible(weapon: str) -> None:
    assert {"strike", "guarded"} <= set(WEAPONS[weapon].attacks)
    assert "brace" in WEAPONS[weapon].defences


def test_a_jab_with_a_bow_from_afar_is_not_offered(duel: Scenery) -> None:
    scene = duel({"weapon": "longbow"})
    assert not any(move.startswith("jab") for move in scene.legal("ada"))
    assert scene.refused("ada", "jab pain") == "jab: not possible with the longbow"
    assert "jab pain" in duel({"weapon": "longbow"}, weapon_moves=False).legal("ada")


def test_unarmed_is_a_weapon_with_moves_of_its_own(duel: Scenery) -> None:
    assert sheets.SHEETS.enlist("guard:weapon=unarmed").weapon == "fists"
    scene = duel(bob={"weapon": "rapier"})
    scene.blow("ada", "disarm", "bob", "parry", attack=2, defence=0, then="bob")
    offered = {move.split()[0] for move in scene.legal("bob")}
    assert {"power", "jab", "pull"} <= offered
    assert not {"gap", "maim"} & offered
    assert scene.closed("bob")["gap"] == "not possible with the fists"
    scene.move("bob", "stand down", then="ada")
    scene.move("ada", "strike pain")
    assert scene.legal("bob") == ["dodge", "brace"]
    assert scene.closed("bob") == {"parry": "not possible with the fists"}


def test_in_plate_and_without_a_weapon_one_can_only_brace(duel: Scenery) -> None:
    scene = duel(bob={"weapon": "fists", "armour": "plate"})
    scene.move("ada", "strike pain")
    assert scene.legal("bob") == ["brace"]
    assert scene.closed("bob") == {
        "parry": "not possible with the fists", "dodge": "too heavily armoured to dodge"
    }  # fmt: skip


def test_an_option_lets_every_weapon_do_everything(duel: Scenery) -> None:
    for weapon in WEAPONS:
        scene = duel({"weapon": weapon}, start_range="near", weapon_moves=False)
        assert {move.split()[0] for move in scene.legal("ada")} >= set(ATTACKS.values())
        assert "parry" in duel_defences(scene)


def duel_defences(scene: Any) -> list[str]:
    """What Ada may do against a strike of Bob's."""
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "strike pain")
    return list(scene.legal("ada"))


def test_the_moves_of_the_sheet_are_learned_first() -> None:
    sheet = sheets.SHEETS.enlist({"name": "Ada", "training": 3, "moves": ["threaten", "gap"]})
    assert moves_known(sheet, USUAL, "broadsword") == ("threaten", "gap", "jab")
    assert moves_known(sheet, USUAL, "fists") == ("threaten", "jab", "power"), "as far as the weapon allows them"
    eager = sheets.SHEETS.enlist({"name": "Ada", "training": 0, "moves": list(reversed(MOVES))})
    assert moves_known(eager, USUAL, "broadsword") == ("threaten", "disarm")


def chances_of_openings(training: int, known: int) -> dict[int, Fraction]:
    """How likely so many of the known moves are seen: 1 and as many as Training flips Heads, at most all."""
    chances: dict[int, Fraction] = {}
    for coins in product((0, 1), repeat=training):
        count = min(known, 1 + sum(coins))
        chances[count] = chances.get(count, Fraction(0)) + Fraction(1, 2**training)
    return chances


@pytest.mark.parametrize("training", [0, 1, 3, 6, 10])
def test_openings_are_1_and_as_many_as_training_flips_drawn_from_the_known_ones(
    duel: Scenery, weigh: Weigh, training: int, numbers: Mapping[str, int]
) -> None:
    ada = {"name": "Ada", "training": training, "weapon": "broadsword"}
    fight = Fight("strategic", {"a": [ada], "b": ["guard"]}, seed=1, options=numbers)
    fighter = fight.state.fighters[0]
    known = fighter.known.bit_count()
    assert known == 2 + training // 2

    def see(dice: Exact) -> int:
        rules.see_openings(fight.state, 0, dice, None)
        assert fighter.openings & ~fighter.known == 0, "nobody sees what they never learned"
        return int(fighter.openings)

    found = weigh(see)
    counts: dict[int, Fraction] = {}
    for seen, chance in found.items():
        counts[seen.bit_count()] = counts.get(seen.bit_count(), Fraction(0)) + chance
        same = [other for other in found if other.bit_count() == seen.bit_count()]
        assert all(found[other] == chance for other in same), "every set of moves is as likely as any other"
    assert counts == chances_of_openings(training, known)


def test_a_move_can_be_made_only_through_an_opening(duel: Scenery) -> None:
    scene = duel(openings_base=1, moves_base=3)
    scene.move("ada", "stand down", openings=0, opening=2)  # of jab, power, pull, maim, gap: pull
    shown = {move.split()[0] for move in scene.legal("ada")}
    assert shown == {"pull", "strike", "guarded", "yield", "stand", "flee"}
    closed = scene.closed("ada")
    assert closed["jab"] == "no opening for it now"
    assert closed["threaten"] == "never learned"
    assert scene.refused("ada", "jab pain") == "jab: no opening for it now"


def test_openings_are_drawn_without_putting_any_back(duel: Scenery) -> None:
    scene = duel(openings_base=1, moves_base=3)
    scene.move("ada", "stand down", openings=2, opening=[0, 0, 2])  # jab; then power; then the last: gap
    assert {move.split()[0] for move in scene.legal("ada")} & set(MOVES) == {"jab", "power", "gap"}


def test_strike_guarded_stand_down_yield_and_flee_are_always_there(duel: Scenery) -> None:
    scene = duel({"training": 0}, openings_base=0, moves_base=0)
    assert scene.legal("ada") == [
        *(f"{move} {intent}" for move in ("strike", "guarded") for intent in ("pain", "incapacitate", "cripple")),
        "yield",
        "stand down",
        "flee",
    ]


@pytest.mark.parametrize("move", MOVES)
def test_a_move_that_is_not_open_is_refused_with_the_reason(duel: Scenery, move: str) -> None:
    scene = duel({"training": 0, "moves": [move]}, openings_base=0, moves_base=1)
    assert scene.closed("ada")[move] == "no opening for it now"
    assert scene.refused("ada", move) == f"{move}: no opening for it now"
    scene = duel({"training": 0}, moves_base=0)
    assert scene.refused("ada", move) == f"{move}: never learned"
