"""What a person at the table is shown: piles and tokens in 80 columns, and every card that anybody has seen."""

from __future__ import annotations

from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel.chance import Scripted, Seeded
from affray.players.tactics import decide, usual_tactics

LONG = "maren:name=Maren of the very long and winding road"
TEAMS: dict[str, list[Any]] = {"heroes": [f"{LONG}:tokens=10", "ilse"], "monsters": ["elite", "rabble", "monster"]}
ODO_FIRST = (16, 0)  # cards 17 and 1


def odo_against_the_guard(*fell: int, odo: str = "odo", **options: Any) -> Fight:
    """A duel in which Odo flips better for the order."""
    dice = Scripted([*ODO_FIRST, *fell], then=Seeded(1))
    return Fight("deckahedron", {"heroes": [odo], "monsters": ["guard"]}, dice=dice, options=options)


@pytest.mark.parametrize("mode", ["heroic", "gritty"])
@pytest.mark.parametrize("seed", range(5))
def test_the_status_fits_80_columns_at_every_decision(mode: str, seed: int) -> None:
    fight = Fight("deckahedron", TEAMS, seed=seed, options={"mode": mode, "ambush": "last", "round_cap": 30})
    tactics = usual_tactics(fight, dict.fromkeys(fight.teams, "random"))
    while not fight.over:
        assert max(map(len, fight.status().splitlines())) <= 80
        who = fight.to_act[0]
        fight.play(who, decide(fight, who, tactics[who]))
    assert max(map(len, fight.status().splitlines())) <= 80


def test_the_status_counts_the_piles_and_names_what_lies_face_up() -> None:
    fight = odo_against_the_guard(odo="odo:tokens=2:tokens_taken=1:harm=1:discard=3+7:exhausted=11+12", mode="gritty")
    title, heads, odo, *notes = fight.status().splitlines()
    assert title == "Round 1"
    assert heads.split() == ["Stamina", "Deck", "Discard", "Exhausted", "Tokens", "Harm", "Wound"]
    assert odo.split() == ["Odo", "########..", "8/10", "15", "3", "2", "1/2", "1", "0"]
    said = " ".join(" ".join(notes).split()).partition(" guard #")[0]
    assert said == "Str 2 Dex 2 Int 2, close to guard; discarded 3 7 17; exhausted 11 12"


def test_the_status_never_names_what_lies_face_down() -> None:
    fight = odo_against_the_guard(odo="odo:exhausted=11+12")
    assert "8/10" in fight.status()
    assert "exhausted" not in fight.status()


def test_a_wound_card_among_the_discarded_is_called_so() -> None:
    fight = odo_against_the_guard(odo="odo:wounds=1:wound_cards=21:discard=2+21")
    assert "discarded 2 17 Wound" in fight.status()


def test_the_storytellers_deck_is_shown_where_somebody_flips_it() -> None:
    fight = Fight("deckahedron", {"a": ["odo"], "b": ["rabble"]}, dice=Scripted(ODO_FIRST, then=Seeded(1)))
    assert "The Storyteller's deck: 19 cards; discarded 1" in fight.status()
    assert "Storyteller" not in odo_against_the_guard().status()


def test_the_status_ends_with_what_is_asked_between_actions() -> None:
    fight = odo_against_the_guard(8, 11, odo="odo:tokens=1")  # a cross against a check
    assert fight.status().splitlines()[-1].strip().startswith("Str 2")  # the guard's: an action needs no question
    fight.play("Odo", "attack")
    assert fight.status().splitlines()[-1] == "Odo has 1 point to lose."
    fight.play("Odo", "stamina")
    assert fight.status().splitlines()[-1] == "Odo may shuffle the discard pile back into the deck."


def test_the_order_is_one_line() -> None:
    assert odo_against_the_guard().story.splitlines()[3] == "The order is Odo, the guard."


def test_a_card_lost_in_heroic_mode_has_no_name() -> None:
    told = odo_against_the_guard(8, 11).play("Odo", "attack")
    assert str(told[-1]) == "Odo loses a Stamina point, a card face down, and has 9 points left."


def test_a_gritty_search_tells_all_cards_that_it_reveals() -> None:
    """Also a Wound card, which does nothing there. 15."""
    fight = odo_against_the_guard(8, 11, 20, 2, 15, odo="odo:wounds=1:wound_cards=21", mode="gritty")
    fight.play("Odo", "attack")
    told = fight.play("Odo", "stamina")
    assert str(told[-1]) == (
        "Odo reveals 3:1232, Wound:2221, then loses a Stamina point, 16:3214, and has 9 points left."
    )


def test_a_card_that_comes_back_is_told() -> None:
    fight = odo_against_the_guard(3, 1, 10, odo="odo:exhausted=11+12")
    told = [str(line) for line in fight.play("Odo", "breathe int")]
    assert "Odo regains a Stamina point, 11:4444, and has 9 points left." in told


def test_a_token_that_goes_is_told() -> None:
    fight = odo_against_the_guard(3, 1, odo="odo:tokens=2:tokens_taken=2")
    told = [str(line) for line in fight.play("Odo", "breathe int")]
    assert "Odo discards an Exhaustion token and has 1 left." in told


def test_pips_of_cards_are_told_with_their_card() -> None:
    fight = odo_against_the_guard(3, 8, 5, 9, d4="cards")  # two checks against a cross; card 6 is a blank
    told = [str(line) for line in fight.play("Odo", "attack")]
    assert "Odo flips 6:2323 for pips: a blank." in told
    assert "Odo flips 10:3122 for pips: 4." in told
    assert "Odo deals the guard 4 fatigue." in told


def test_what_only_announces_a_throw_is_no_part_of_the_story() -> None:
    fight = odo_against_the_guard()
    assert "AWAITS" not in {line.event.kind.name for line in fight.lines}
    assert [line for line in fight.lines if not line.text.strip()] == []
