"""`affray journey`: played from a pipe, by hand-thrown dice, from a file, and by nobody."""

from __future__ import annotations

import argparse
import json
import re
from functools import partial
from pathlib import Path

import pytest

from affray.systems.bgo.commands.journey import add_arguments, offer_rival, set_out
from affray.systems.bgo.journey.journey import Journey
from affray.terminal.screen.keyboard import Keyboard

QUICK = ["--no-odds", "--seed", "5"]


@pytest.fixture
def journey(affray):
    """`journey("bgo", typed="roll\\n")`."""
    return partial(affray, "journey")


def test_a_person_plays_from_a_pipe(journey):
    told = journey("bgo", *QUICK, typed="roll\nflee\nstatus\nquit\n")
    assert told.code == 0
    assert "Player rolls 4 and 5 and moves to square 9." in told.out
    assert "Player gets away." in told.out
    assert "player |==>" in told.out
    assert "The journey is left unfinished, in board round 2." in told.out


def test_nothing_is_wider_than_80_columns(journey):
    told = journey(
        *QUICK, "--player", "A person with a name of forty letters..", typed="?\nroll\nattack\nstatus\nlog\nwhy\n"
    )
    assert max(len(line) for line in told.out.splitlines()) <= 80
    demo = journey("--demo", "--player", "Kim=paladin", "--computer", "Rival")
    assert max(len(line) for line in demo.out.splitlines()) <= 80


def test_without_anybody_a_whole_journey_is_shown(journey):
    told = journey("bgo")
    assert (told.code, told.err) == (0, "")
    assert "A demonstration: the computer plays for all players." in told.out
    assert "wins the journey in board round" in told.out


def test_json_prints_the_result(journey):
    told = journey("bgo", "--json", "--seed", "9", "--player", "Ann=squire", "--computer", "Bob=random", typed="quit\n")
    result = json.loads(told.out)
    assert (result["system"], result["seed"]) == ("bgo", 9)
    assert result["winner"] in ("ann", "bob")
    assert [traveller["name"] for traveller in result["travellers"]] == ["Ann", "Bob"]
    again = Journey([{"name": "Ann", "sheet": "squire"}, {"name": "Bob", "plays": "random"}], seed=9)
    again.advance(instead="cautious")
    assert result["story"] == again.story.splitlines()


def test_bad_answers_get_a_sentence_and_keep_the_turn(journey):
    told = journey(*QUICK, typed="fly\n7\nuse herb-tea\nroll\n\nroll\n9\nodd\n")
    for sentence in (
        "There is no answer 'fly'; there are: roll.",
        "There are answers 1 to 1, not 7.",
        "Type an answer or its number; `?` says what else there is.",
        "There is no answer 'use herb-tea'; there are: roll.",
        "There is no move 'roll'; there are: attack, defend, flee.",
        "There are answers 1 to 3, not 9.",
    ):
        assert sentence in told.unfolded
    assert "The input has ended; the journey is left unfinished, in board round 1." in told.unfolded


def test_answers_by_number_and_by_their_beginning(journey):
    told = journey(*QUICK, typed="1\nf\nquit\n")
    assert "Player gets away." in told.out


def test_help_status_log_and_why(journey, interpreted, patient):
    told = journey(*QUICK, typed="?\nroll\nhelp\nlog\nwhy 1\nwhy 99\nodds\nquit\n")
    assert "Answers: roll" in told.out
    assert "Answers: attack, defend, flee" in told.out
    assert "save [FILE]" in told.out
    assert "   1  Board round 1." in told.out
    assert "journey (house rule): What is played between the encounters?\n        A race over 140" in told.out
    assert "The line must be 1 to 5, not '99'." in told.out
    assert "win #" in told.out


def test_undo_goes_back_to_the_last_decision_of_a_person(journey):
    told = journey(*QUICK, "--computer", "Rival", typed="undo\nroll\nflee\nundo\nundo\nstatus\nquit\n")
    assert "There is nothing to take back: no decision has been taken." in told.unfolded
    assert "Taken back: player flee, and everything after it." in told.unfolded
    assert "Taken back: player roll, and everything after it." in told.unfolded
    assert "player |>" in told.out


def test_enter_rolls_on_the_board_but_chooses_nothing_in_an_encounter(journey):
    told = journey(*QUICK, typed="\n\nquit\n")
    assert "Enter rolls." in told.unfolded
    assert "Player rolls 4 and 5 and moves to square 9." in told.out
    assert "Type an answer or its number; `?` says what else there is." in told.unfolded


def test_the_status_shows_the_health_of_the_moment(journey):
    told = journey(*QUICK, typed="roll\nattack\nattack\nstatus\nquit\n")
    left = re.findall(r"deals (\d) damage to Player", told.out)
    assert left
    assert f"{10 - sum(map(int, left))} of 10 Health" in told.unfolded


class Typed(Keyboard):
    """A person at a screen, whose answers are known beforehand."""

    screen = True

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.lines = list(lines)

    def _read(self, *_: object) -> str:
        return self.lines.pop(0)

    def echo(self, line: str) -> None: ...

    def hand_over(self, to: str) -> None: ...


@pytest.mark.parametrize(
    ("lines", "rival"),
    [
        ([""], [{"name": "Rival", "plays": "cautious"}]),
        (["always-attack"], [{"name": "Rival", "plays": "always-attack"}]),
        (["none"], []),
        (["wild", "?", "none"], []),
    ],
)
def test_one_person_is_offered_a_rival(lines: list[str], rival: list[object]):
    assert offer_rival(Typed(*lines)) == rival


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ([], ["player", "rival"]),
        (["--alone"], ["player"]),
        (["--player", "Ann", "--player", "Bob"], ["ann", "bob"]),
        (["--computer", "Cleo"], ["player", "cleo"]),
    ],
)
def test_a_rival_is_offered_to_one_person_only(words: list[str], names: list[str]):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert set_out(parser.parse_args([*words, "--seed", "1"]), Typed("")).journey.names == names


def test_saved_and_gone_on_with(journey, tmp_path: Path):
    file = tmp_path / "mine.json"
    whole = journey(*QUICK, typed="roll\nattack\nattack\nattack\nflee\n" + "roll\nleave\n" * 3)
    first = journey(*QUICK, typed=f"roll\nattack\nattack\nsave {file}\nquit\n")
    assert f"Savedas{file}." in "".join(first.out.split())
    second = journey("--no-odds", "--load", str(file), typed="attack\nflee\n" + "roll\nleave\n" * 3)
    assert "The story so far has" in second.out
    assert second.out.splitlines()[-8:] == whole.out.splitlines()[-8:]
    shown = journey("--load", str(file), "--json")
    assert json.loads(shown.out)["winner"] == "player"


def test_save_does_not_overwrite_what_is_no_journey(journey, tmp_path: Path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann", encoding="utf-8")
    told = journey(*QUICK, typed=f"save {file}\nsave {tmp_path / 'nowhere' / 'j'}\nquit\n")
    assert "exists and is not a saved journey; choose another name." in told.unfolded
    assert "cannot be written" in told.unfolded
    assert file.read_text(encoding="utf-8") == "Dear Ann"


def test_several_persons_at_one_keyboard(journey):
    told = journey("--no-odds", "--seed", "4", "--player", "Ann", "--player", "Bob=knight", typed="roll\n\nquit\n")
    assert "A journey over 140 squares and through 7 gates: Ann, Bob." in told.out
    assert "ann> roll" in told.out
    assert "bob> " in told.out


def test_to_the_end_and_back_again(journey):
    one_square = ["--option", "board_squares=1", "--option", "gates=0"]
    told = journey("--seed", "1", *one_square, typed="roll\nundo\nroll\nroll\nstatus\n\n")
    assert told.unfolded.count("Player has won in board round 1.") == 2
    assert "The journey is over; `?` says what can still be done." in told.unfolded
    assert told.code == 0


def test_dice_thrown_on_a_real_table(journey):
    typed = "roll\n7\n34\nundo\nroll\n3 4\n1 0\n0 9\nten\n0\nattack\n666\n111\nquit\n"
    told = journey("--no-odds", "--dice", "hand", typed=typed)
    assert "Throw 2d6 for the move: 2 numbers" in told.unfolded
    assert "Taken back; choose again." in told.unfolded
    assert "Throw d100 for the event: a number, 1 to 100" in told.unfolded
    assert "Throw 1 of 7 for the creature (0 fire-slime, 1 common-slime" in told.unfolded
    assert "Player's attack hits (roll: 6, 6, 6; needs 10)." in told.unfolded
    assert "'ten' is not a result of 1 of 7" in told.unfolded


def test_dice_of_an_encounter_can_be_taken_back_to_the_choice(journey):
    typed = "roll\n34\n10\n09\n0\nattack\nundo\nflee\n111\nquit\n"
    told = journey("--no-odds", "--dice", "hand", typed=typed)
    assert "Taken back: player attack, and everything after it." in told.unfolded
    assert "Player gets away." in told.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["grapple"], "'grapple' has no journey; bgo has one"),
        (["--option", "board_squares=0"], "option board_squares must be 1 to 1000, not 0"),
        (["--option", "encounter_rate=90"], "must add up to at most 100, not 136"),
        (["--option", "speed"], "is not of the form"),
        (["--player", "Ann=fire-slime"], "fire-slime is a creature, and only players can go on a journey"),
        (["--computer", "Bob=wild"], "there is no choice 'wild'"),
        (["--player", ""], "player 1: name must be"),
        (["--seed", "x"], "is not a whole number"),
        (["--load", "no-such-file.json"], "cannot be read"),
        (["--load", "x", "--seed", "1"], "--load takes players, options and dice from the file"),
        (["--dice", "loaded"], "invalid choice: 'loaded'"),
    ],
)
@pytest.mark.parametrize("typed", ["", "roll\n"])
def test_what_cannot_be_done_gets_one_sentence(journey, words: list[str], sentence: str, typed: str):
    told = journey(*words, typed=typed)
    assert told.code == 2
    assert sentence in told.err
    assert told.err.startswith("affray: ")
    assert told.err.count("\n") == 1


def test_odds_are_shown_in_an_encounter(journey, interpreted, patient):
    told = journey("--seed", "5", typed="roll\nquit\n")
    assert "win #" in told.out
    assert "1 attack" in told.out
