"""Real dice, typed in."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.kernel.chance import Throw
from affray.terminal.playing.real_dice import expected, numbers

BY_HAND = ("play", "bgo", "heroes=player", "monsters=fire-slime", "--dice", "hand", "--no-odds")


def test_the_documents_example_with_dice_on_the_table(affray):
    ran = affray(*BY_HAND, typed="attack\n4 4 2\n251\nattack\n5,5,5\n6 6 6\n")
    assert "Throw 3d6 for player, who attacks fire-slime: 3 numbers, such as 4 4 2" in ran.out
    assert "The player's attack hits (roll: 4, 4, 2; needs 10)." in ran.out
    assert "Throw 3d6 for fire-slime, who attacks player:" in ran.out
    assert "The fire slime's attack misses (roll: 2, 5, 1; needs 10)." in ran.out
    assert "The fire slime dies.\n" in ran.out
    assert ran.out.count("The player attacks.") == 2  # told before the throw, and not again after it


def test_a_wrong_throw_gets_a_sentence_and_is_asked_again(affray):
    ran = affray(*BY_HAND, typed="attack\nseven\n4 4\n4 4 7\n\n442\n251\nquit\n")
    assert "'seven' is not a result of 3d6; type 3 numbers" in ran.out
    assert "3d6 gives 3 number(s), not 2: [4, 4]." in ran.out
    assert "3d6 cannot show 7; it must be 1 to 6." in ran.out
    assert "`undo` takes the choice back, `quit` leaves." in ran.unfolded
    assert "The player's attack hits (roll: 4, 4, 2; needs 10)." in ran.out


def test_instead_of_throwing_one_may_choose_again_or_leave(affray):
    ran = affray(*BY_HAND, typed="attack\n442\nundo\ndefend\nquit\n")
    assert "Taken back; choose again." in ran.out
    assert "The player defends." in ran.out
    assert ran.code == 0
    assert ran.out.endswith("The fight is left unfinished.\n")


def test_a_fight_with_real_dice_is_saved_and_goes_on(affray):
    affray(*BY_HAND, typed="attack\n442\n251\nsave hand.json\nquit\n")
    ran = affray("play", "--load", "hand.json", "--no-odds", typed="attack\n666\n111\nlog\n")
    assert "The player's attack hits (roll: 4, 4, 2; needs 10)." in ran.out
    assert "Victory for the player!" in ran.out
    assert affray("verify", "hand.json").out.startswith(
        "hand.json: 2 moves are legal; the results were entered by hand"
    )


THROWS = [Throw("dice", 3, 6), Throw("dice", 1, 20), Throw("coins", 5), Throw("percent", 2), Throw("card", 0b1011)]


@pytest.mark.parametrize("throw", [*THROWS, Throw("pick", 4)], ids=str)
@given(line=st.text(max_size=30))
def test_whatever_is_typed_is_a_result_or_a_sentence(throw, line):
    try:
        result = throw.check(numbers(throw, line))
    except Invalid:
        return
    assert all(isinstance(number, int) for number in result)


@pytest.mark.parametrize(("throw", "digits"), [(Throw("dice", 3, 6), "442"), (Throw("percent", 2), "307")], ids=str)
def test_numbers_apart_or_as_one_word(throw, digits):
    for sign in ("", " ", ",", " , ", "+", ";"):
        assert numbers(throw, sign.join(digits)) == [int(digit) for digit in digits]
    assert re.search(r"\w", expected(throw))
