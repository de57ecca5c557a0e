"""A real deck on the table: which card came up is typed in, and what lies face down is never asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight.saving import load
from affray.kernel.chance import Throw
from affray.system.abilities import Cards
from affray.system.registry import find
from affray.systems.deckahedron.cards import CALLED, CARDS, EDGES
from affray.terminal.playing.real_dice import card_called, expected

DUEL = ("play", "deckahedron", "heroes=odo:face_down=2", "monsters=guard")
BY_HAND = (*DUEL, "--dice", "hand", "--no-odds")
ODO_FIRST = "17\n1\n"  # of Dex 2 they show two checks and two crosses


def test_a_card_is_asked_for_by_number_or_edges_and_for_whom(affray):
    ran = affray(*BY_HAND, typed=f"{ODO_FIRST}attack\n2212\n12\nkeep\nquit\n")
    assert "Turn over a card for Odo, who flips Dex: its number or its edges, such as 2 or 1241" in ran.unfolded
    assert "Turn over a card for guard, who flips Dex: " in ran.unfolded
    assert "Turn over a card for Odo, who flips Str: " in ran.unfolded
    assert "Odo flips Str: 9:2212" in ran.unfolded
    assert "The guard deals Odo 1 fatigue." in ran.out  # a cross against a check


def test_face_down_cards_are_never_asked_for(affray):
    """Two lie there from before, and a third is lost: none of them has a question."""
    ran = affray(*BY_HAND, typed=f"{ODO_FIRST}attack\n9\n12\nsave deck.json\nquit\n")
    assert ran.out.count("Turn over") == 4
    odo = load("deck.json").state.fighters[0]
    assert (odo.veiled, odo.exhausted) == (3, 0)


def test_dice_by_hand_set_the_options_under_which_the_rules_know_no_more(affray):
    affray(*BY_HAND, typed=f"{ODO_FIRST}save hand.json\nquit\n")
    assert load("hand.json").options["face_down"] == "unknown"
    affray(*DUEL, "--seed", "1", "--no-odds", typed="save seeded.json\nquit\n")
    assert load("seeded.json").options["face_down"] == "known"
    ran = affray(*BY_HAND, "--option", "face_down=known", typed="5\n6\n17\n1\nsave told.json\nquit\n")
    assert load("told.json").options["face_down"] == "known"
    assert ran.out.count("Turn over") == 4


def test_a_breather_asks_which_card_came_back(affray):
    ran = affray(*BY_HAND, typed=f"{ODO_FIRST}breathe int\n4\n1\n1\n4444\nsave back.json\nquit\n")
    assert "Throw 1d4 for Odo: a number, 1 to 4." in ran.out
    assert "Throw 1 of 2 for Odo, who takes a random card out of the Exhaustion pile, 0 being" in ran.unfolded
    assert "Turn over a card for Odo, at random out of the Exhaustion pile: " in ran.unfolded
    odo = load("back.json").state.fighters[0]
    assert odo.veiled == 1
    assert odo.discard >> 10 & 1


def test_a_gritty_search_asks_for_card_after_card(affray):
    ran = affray(
        *BY_HAND, "--option", "mode=gritty", typed=f"5\n6\n{ODO_FIRST}attack\n9\n12\nstamina\n3\n4\n16\nkeep\nquit\n"
    )
    assert ran.unfolded.count("Turn over a card for Odo, who turns up what lies face down") == 2
    assert ran.unfolded.count("Turn over a card for Odo, who searches for a Stamina symbol: ") == 3


def test_a_card_that_is_not_there_gets_a_sentence_and_is_asked_again(affray):
    ran = affray(*BY_HAND, typed="seven\n25\n\nundo\n17\nw\n1\nattack\n17\n1442\n9\nquit\n")
    assert "'seven' is not a card; type its number or its edges, such as 2 or 1241; w for a Wound." in ran.unfolded
    assert "'25' is not a card" in ran.unfolded
    assert "'undo' is not a card" in ran.unfolded  # the fight has not begun yet
    assert ran.unfolded.count("17 (1442) cannot have come up: it lies in another pile. Here are 1, 2, 3, ") == 2
    assert "Odo flips Str: 9:2212" in ran.unfolded


def test_instead_of_turning_a_card_over_one_may_choose_again(affray):
    ran = affray(*BY_HAND, typed=f"{ODO_FIRST}attack\n9\nundo\nwait\nkeep\nquit\n")
    assert "Taken back; choose again." in ran.out
    assert "Odo waits." in ran.out


def test_whoever_has_no_deck_flips_the_storytellers(affray):
    ran = affray("play", "deckahedron", "heroes=odo", "monsters=rabble", *BY_HAND[4:], typed="17\n1\nquit\n")
    assert "Turn over a card for rabble, who flips Dex from the Storyteller's deck: " in ran.unfolded


def test_a_fight_with_a_real_deck_goes_on_out_of_its_file(affray):
    affray(*BY_HAND, typed=f"{ODO_FIRST}attack\n9\n12\nsave hand.json\nquit\n")
    ran = affray("play", "--load", "hand.json", "--no-odds", typed="keep\nw\n20\n1\nquit\n")
    assert "Turn over a card for guard, who flips Str: its number or its edges" in ran.unfolded
    assert "'w' cannot have come up: it lies in another pile." in ran.unfolded
    assert "The guard flips Str: 20:3313" in ran.unfolded
    verdict = affray("verify", "hand.json").out
    assert verdict.startswith("hand.json: 1 moves are legal; the results were entered by hand")


WHOLE, WITH_WOUNDS = (1 << 20) - 1, (1 << 22) - 1


def test_a_card_goes_by_its_number_and_by_edges_that_no_other_has():
    for card in range(CARDS):
        assert card_called(CALLED, 1 << card, str(card + 1)) == card
        assert card_called(CALLED, 1 << card, EDGES[card]) == card
    assert card_called(CALLED, WHOLE, " 1241 ") == 1
    assert card_called(CALLED, WHOLE | 1 << 20, "Wound") == 20
    assert card_called(CALLED, WHOLE | 1 << 20, "W") == 20


@pytest.mark.parametrize(
    ("pile", "said", "sentence"),
    [
        (WITH_WOUNDS, "2212", r"'2212' may be 9 \(2212\) or 22 \(2212\); type its number"),
        (WITH_WOUNDS, "wound", r"'wound' may be 21 \(2221\) or 22 \(2212\); type its number"),
        (0b110, "1", r"1 \(1111\) cannot have come up: it lies in another pile. Here are 2, 3"),
        (0b110, "w", "cannot have come up"),
        (WHOLE, "0", "is not a card"),
    ],
)
def test_what_may_be_several_cards_or_none_is_asked_again(pile, said, sentence):
    with pytest.raises(Invalid, match=sentence):
        card_called(CALLED, pile, said)


@given(line=st.text(max_size=12), pile=st.integers(1, (1 << CARDS) - 1))
def test_whatever_is_typed_is_a_card_of_the_pile_or_a_sentence(line, pile):
    try:
        card = card_called(CALLED, pile, line)
    except Invalid:
        return
    assert pile >> card & 1


def test_a_system_that_gives_its_cards_no_names_takes_their_numbers():
    throw = Throw("card", 0b1011)
    assert expected(throw) == "the number of the card"
    assert expected(throw, find("deckahedron").ability(Cards)) == CALLED.hint
    assert find("bgo").ability(Cards) is None
