"""What a person types and reads: short forms of moves, questions between actions, and the notes of the status."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Scenery = Callable[..., Any]
GUN = {"weapons": ["38-revolver"]}
GHOULISH = {"dexterity": 90, "attacks": 3, "natural": "1D6", "ward": "guns-half", "regains": 1, "armour": 2}


def question(scene: Any) -> str:
    """The last paragraph of the status: what is to be decided."""
    text = scene.fight.status()
    return " ".join(text.splitlines()[-2:])


# Short forms


def test_shoot_alone_is_one_shot_with_the_only_gun(duel: Scenery) -> None:
    scene = duel(GUN, enemy_ai="free")
    scene.fight.play("ada", "shoot")
    assert scene.fight.answers[-1].move == "shoot with .38 revolver"


def test_shoot_somebody_is_one_shot_even_where_another_is_called_alike(brawl: Scenery) -> None:
    scene = brawl({"ada": GUN}, {"bob": {}, "bobby": {}}, enemy_ai="free")
    scene.fight.play("ada", "shoot bob")
    assert scene.fight.answers[-1].move == "shoot bob with .38 revolver"


def test_where_two_weapons_are_meant_both_are_named(duel: Scenery) -> None:
    said = duel({"weapons": ["blackjack"]}).refused("ada", "fight")
    assert said == "'fight' may mean: fight with hands, fight with blackjack"


def test_fight_back_alone_is_with_the_weapon_in_hand(duel: Scenery) -> None:
    scene = duel({"weapons": ["blackjack"]}, {"dexterity": 90})
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back with blackjack", "fight back with hands"]
    scene.move("ada", "fight back", 90, 90)
    assert scene.fight.answers[-1].move == "fight back with blackjack"


def test_nobody_fights_back_who_is_not_attacked(duel: Scenery) -> None:
    assert "there is no move 'fight back'" in duel().refused("ada", "fight back")


@pytest.mark.parametrize("text", ["SHOOT  Twice", " shoot twice with .38 REVOLVER ", "shoot tw"])
def test_letters_and_spaces_do_not_matter_nor_does_a_missing_end(duel: Scenery, text: str) -> None:
    scene = duel(GUN, enemy_ai="free")
    scene.fight.play("ada", text)
    assert scene.fight.answers[-1].move == "shoot twice with .38 revolver"


# Questions


def test_a_reaction_is_asked_for_with_the_attack_and_which_of_several_it_is(duel: Scenery) -> None:
    scene = duel({}, GHOULISH)
    scene.move("bob", "fight")
    assert question(scene).endswith("bob attacks ada (1 of 3): dodge, or fight back?")
    scene.move("ada", "dodge", 99, 99)
    scene.move("bob", "fight")
    assert question(scene).endswith("bob attacks ada (2 of 3): dodge, or fight back?")


def test_a_manoeuvre_is_asked_about_as_what_it_is(duel: Scenery) -> None:
    scene = duel({}, {"dexterity": 90}, enemy_ai="free")
    scene.move("bob", "trip")
    assert question(scene).endswith("bob tries to trip ada: dodge, or fight back?")


@pytest.mark.parametrize(("perks", "price"), [([], " and not attack next turn"), (["nimble"], "")])
def test_whoever_is_shot_at_is_told_what_cover_costs(duel: Scenery, perks: list[str], price: str) -> None:
    scene = duel({"perks": perks}, {"dexterity": 90, **GUN})
    scene.move("bob", "shoot three times")
    asked = f"bob aims three shots at ada with the .38 revolver: stand, or dive for cover{price}?"
    assert question(scene).endswith(asked)


# The status


def test_the_status_shows_what_a_body_defies_and_how_often_it_attacks(duel: Scenery) -> None:
    shown = duel({"perks": ["tough-guy", "alert"], "luck": 30}, GHOULISH).fight.status()
    assert "3 attacks; armour 2; guns do half; regains 1 a round" in " ".join(shown.split())
    assert "Tough Guy" in shown
    assert "Alert" not in shown, "what works by itself needs no decision"


def test_the_status_breaks_lines_between_notes(duel: Scenery) -> None:
    many = {"weapons": ["sawn-off-12-gauge", "throwing-knife", "32-revolver", "medium-sword"], "armour": 1}
    lines = duel(many).fight.status().splitlines()
    notes = [line.strip() for line in lines if line.startswith(" ") and "%" in line]
    assert len(notes) > 2
    assert all(note.endswith(";") or "armour" in note or "unarmed" in note for note in notes)
