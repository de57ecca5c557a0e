"""Fights with many moves and several fighters a side: grapple at the keyboard."""

import re

from affray import Fight
from affray.lab.chances import how
from affray.lab.odds import Odds
from affray.terminal.screen.line_editor import next_words
from affray.terminal.screen.move_list import MOST_LISTED, forms

BRAWL = ("play", "grapple", "heroes=ahalish,mirela", "monsters=goblin,goblin", "--seed", "7", "--no-odds")


def test_many_moves_are_put_together_by_their_words():
    moves = ["catch breath", *(f"maneuver {n} {skill}" for skill in ("ac", "en") for n in (1, 2, 3))]
    moves += [f"strike {n} {foe}" for foe in ("goblin", "goblin-2") for n in (1, 2)] + ["skill 0 en", "skill 2 en"]
    together = {"catch breath": "1", "maneuver 1-3 ac/en": "2-7", "strike 1-2 goblin/goblin-2": "8-11"}
    assert forms(moves) == together | {"skill 0,2 en": "12-13"}
    apart = ["hit 1 this", "wait", "hit 2 this", "hit 4 this"]
    assert forms(apart) == {"hit 1-2,4 this": "1,3-4", "wait": "2"}


def test_the_screen_is_not_flooded(affray):
    teams = ("heroes=ahalish,mirela,fenn", "monsters=duelist,shaman,ogre")
    ran = affray("play", "grapple", *teams, "--seed", "7", "--no-odds", typed="quit\n")
    assert "   2-10 maneuver 1-3 ac/co/en\n" in ran.out
    assert "maneuver 2 co" not in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_every_number_that_can_be_typed_is_shown(affray):
    teams = ("heroes=ahalish:sd=2", "monsters=goblin,goblin")
    fight = Fight("grapple", " ".join(teams), seed=7)
    moves = [str(move) for move in fight.legal("Ahalish")]
    assert len(moves) > MOST_LISTED
    ran = affray("play", "grapple", *teams, "--seed", "7", "--no-odds", typed="moves\n12\nquit\n")
    assert f"`moves` lists all {len(moves)} one by one." in ran.out
    listed = ran.out.split("> moves\n")[1].split("Ahalish>")[0]
    assert re.findall(r"\d+ [a-z].*?(?=  |\n)", listed) == [f"{n} {move}" for n, move in enumerate(moves, 1)]
    assert str(fight.play("Ahalish", moves[11])[0]) in ran.unfolded
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_members_of_a_team_move_in_the_order_the_person_likes(affray):
    ran = affray(*BRAWL, typed="mirela\nm 3 md\nmaneuver 3 ac\nquit\n")
    assert "Ahalish moves; to move another fighter first, type its name: Mirela." in ran.out
    assert ran.out.index("+ Mirela moves:") < ran.out.index("+ Ahalish moves:") < ran.out.index("+ goblin moves:")


def test_a_name_before_a_move_is_whose_move_it_is(affray):
    ran = affray(*BRAWL, typed="Mirela c\nc\nquit\n")
    assert ran.out.index("+ Mirela moves: Catching breath") < ran.out.index("+ Ahalish moves: Catching breath")


def test_moves_that_lie_open_are_echoed(affray):
    assert "Ahalish> m 3 ac\n" in affray(*BRAWL, typed="m 3 ac\nquit\n").out


def test_dice_by_hand_say_what_they_are_for(affray):
    words = ("play", "grapple", "heroes=ahalish", "monsters=goblin", "--dice", "hand", "--no-odds")
    ran = affray(*words, typed="m 3 ac\n1 2 3 4 5 6 6\nquit\n")
    assert "Throw 7d6 for Ahalish: maneuver 3 ac: 7 numbers" in ran.unfolded
    assert "The maneuver succeeds (5/7): AD-3=2 SD+5+0=5" in ran.unfolded


def test_completion_goes_word_by_word():
    moves = ["maneuver 1 ac", "maneuver 2 ac", "strike 1 goblin", "catch breath"]
    assert set(next_words("", moves)) == {"maneuver", "strike", "catch"}
    assert set(next_words("maneuver ", moves)) == {"maneuver 1", "maneuver 2"}
    assert set(next_words("a 1 gob", moves)) == {"a 1 goblin"}
    assert list(next_words("x", moves)) == []


def sampled(fights, what="interpreted play-outs"):
    return Odds({"a": 0.5, "b": 0.5}, ("a", "b"), f"{fights:,} {what}", (1, -1), fights=fights)


def test_the_fewest_playouts_are_named_and_counted_rightly():
    assert "at least 10 interpreted play-outs each," in how({"x": sampled(40), "y": sampled(10), "z": sampled(1)})
    assert "sampled, 40 interpreted play-outs," in how({"x": sampled(40), "y": sampled(40)})
