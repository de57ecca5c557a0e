"""A fight with real coins: each question says who flips how many coins for what, and takes a count of Heads."""

from __future__ import annotations

import pytest

from affray.fight import Fight
from affray.kernel.chance import Scripted, Throw
from affray.terminal.playing.real_dice import SIDES, expected, numbers

TEAMS = ("order=knight", "raiders=brute")
BY_HAND = ("play", "strategic", *TEAMS, "--dice", "hand", "--no-odds", "--person", "order", "--person", "raiders")

# Initiative is a tie, which the brute wins in the second turn of the Flip-Off: first both flip Tails.
OPENING = [5, 5, 0, 0, 0, 1, 4]
# The brute's power blow against a parry: attack, defence, Pain, Incapacitation, Crippling, Discipline, soak.
BLOW = [5, 1, 9, 7, 7, 4, 0]


def typed(*answers: object) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def test_every_question_says_who_flips_how_many_coins_for_what(affray):
    ran = affray(*BY_HAND, typed=typed(*OPENING, "power cripple", "parry", *BLOW))
    questions = [line.strip() for line in ran.out.splitlines() if " flips " in line and line.endswith("?")]
    assert questions == [
        "knight flips 7 coins for initiative: how many Heads, 0 to 7?",
        "brute flips 5 coins for initiative: how many Heads, 0 to 5?",
        "Flip-Off: knight flips 1 coin: Heads or Tails?",
        "Flip-Off: brute flips 1 coin: Heads or Tails?",
        "Flip-Off: knight flips 1 coin: Heads or Tails?",
        "Flip-Off: brute flips 1 coin: Heads or Tails?",
        "brute flips 4 coins for openings: how many Heads, 0 to 4?",
        *questions[7:],
    ]
    assert [question.split(" for ")[1].split(":")[0] for question in questions[7:14]] == [
        "attack",
        "defence",
        "Pain",
        "Incapacitation",
        "Crippling",
        "Discipline, to keep control",
        "soak",
    ]
    assert ran.out.startswith("Strategic Fighting, with your own dice, coins or cards.\n")


def test_coins_on_a_table_are_the_same_fight_as_the_same_coins_written_down(affray):
    ran = affray(*BY_HAND, typed=typed(*OPENING, "power cripple", "parry", *BLOW, "save coins.json", "quit"))
    fight = Fight("strategic", " ".join(TEAMS), dice=Scripted([*OPENING, *BLOW, *[1] * 20]))
    fight.play("brute", "power cripple")
    fight.play("knight", "parry")
    told = [line.text for line in fight.lines if line.decision <= 2]
    assert "The brute hits the knight, margin 4." in told
    start = told.index("The brute hits the knight, margin 4.")
    for sentence in told[: start + 5]:
        assert sentence in ran.unfolded


def test_a_fight_with_coins_is_saved_and_goes_on(affray):
    affray(*BY_HAND, typed=typed(*OPENING, "stand down", 3, 0, 6, "save coins.json", "quit"))
    ran = affray("play", "--load", "coins.json", "--no-odds", typed=typed("stand down", ""))
    assert "All fighters stand down." in ran.out
    assert "The fight ends: peace" in ran.out
    assert "results were entered by hand" in affray("verify", "coins.json").unfolded


def test_no_coins_are_not_flipped(affray):
    """A fighter who yields has no defence: the defence of 0 coins is not asked for."""
    ran = affray(*BY_HAND, typed=typed(*OPENING, "yield", "refuse", 5, 0, 6, "strike pain", 3, 4, 2, 2, 1, 4))
    assert "brute flips 0 coins" not in "\n".join(line for line in ran.out.splitlines() if line.endswith("?"))
    assert "the brute flips 0 coins: 0." in ran.unfolded


def test_a_wrong_count_gets_a_sentence_and_is_asked_again(affray):
    ran = affray(*BY_HAND, typed=typed("nine", 9, "", 5, 5, "edge", "heads", "TAILS", 4, "quit"))
    assert "'nine' is not a result of 7 coins; type how many Heads, 0 to 7." in ran.unfolded
    assert "7 coins cannot show 9; it must be 0 to 7." in ran.unfolded
    assert "Type how many Heads, 0 to 7; `quit` leaves." in ran.unfolded
    assert "'edge' is not a result of 1 coin; type Heads or Tails." in ran.unfolded
    assert "A tie; the knight wins the Flip-Off." in ran.unfolded


@pytest.mark.parametrize(("word", "heads"), [(word, int(side)) for word, side in SIDES.items()])
def test_one_coin_is_heads_or_tails(word, heads):
    assert numbers(Throw("coins", 1), word.upper()) == [heads]
    assert expected(Throw("coins", 1)) == "Heads or Tails"


def test_openings_are_picked_by_lot(affray):
    ran = affray(*BY_HAND, typed=typed(6, 0, 0, 2, "quit"))
    assert "Throw 1 of 5 for knight, which opening, by lot (0 jab, 1 power, 2 pull" in ran.unfolded
    assert "The knight sees openings for pull." in ran.unfolded


def test_whoever_is_out_of_a_flip_off_is_not_asked_again(affray):
    words = ("play", "strategic", *TEAMS, "city=guard", "--dice", "hand", "--no-odds")
    ran = affray(*words, typed=typed(3, 3, 3, "h", "t", "h", "t", "h", 3, "quit"))
    asked = [line.split()[1] for line in ran.out.splitlines() if line.startswith("  Flip-Off: ")]
    assert asked == ["knight", "brute", "guard", "knight", "guard"]
    assert "A tie; the guard wins the Flip-Off." in ran.unfolded


def test_a_choice_can_be_made_anew_until_a_coin_has_fallen_for_it(affray):
    ran = affray(*BY_HAND, typed=typed(*OPENING, "power cripple", "parry", "undo", "dodge", 5, "undo", 1, "quit"))
    before, _, after = ran.unfolded.partition("Taken back; choose again.")
    assert before, "nothing had fallen for the parry"
    assert "Your choice stands, because what has fallen for it was seen." in after
    assert "Taken back" not in after
