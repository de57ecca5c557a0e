"""The notation: every way to write a move, the order in which mistakes are found, and a sentence for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.errors import Illegal
from affray.systems.grapple import moves, rules

Scenery = Callable[..., Any]
SKILLS = "Accuracy (ac), Courage (co), Endurance (en)"


def read(scene: Any, text: str, who: str = "Ada") -> str:
    """What a text means, written in full."""
    fight = scene.fight
    index = fight.index(who)
    return str(fight.setup.read(fight.state, index, text))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("maneuver 3 co", "maneuver 3 co"),
        ("m 3 co", "maneuver 3 co"),
        ("maneuver 3 courage", "maneuver 3 co"),
        ("Maneuver 3 COURAGE", "maneuver 3 co"),
        ("M 2 En", "maneuver 2 en"),
        ("strike 2 Bob", "strike 2 Bob"),
        ("attack 2 Bob", "strike 2 Bob"),
        ("a 2 bob", "strike 2 Bob"),
        ("skill 2 endurance", "skill 2 en"),
        ("s 0 en", "skill 0 en"),
        ("skill 2 Accuracy Bob", "skill 2 ac Bob"),
        ("catch breath", "catch breath"),
        ("catch", "catch breath"),
        ("c", "catch breath"),
        ("CATCH Breath", "catch breath"),
        ("  strike   2\tBob ", "strike 2 Bob"),
        ("strike +2 Bob", "strike 2 Bob"),
        ("strike 02 Bob", "strike 2 Bob"),
    ],
)
def test_a_move_may_be_written_in_full_or_short(duel: Scenery, text: str, means: str) -> None:
    assert read(duel({"sd": 4}), text) == means


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no move was given"),
        ("dance", "there is no move 'dance'; there are: "),
        ("manuver 2 ac", "there is no move 'manuver'; did you mean maneuver?"),
        ("maneuver 3", "this move is written  maneuver <AD> <skill> , and 'maneuver 3' was given"),
        ("maneuver 3 co now", "maneuver <AD> <skill>"),
        ("maneuver", "maneuver <AD> <skill>"),
        ("strike 2", "this move is written  strike <SD> <target> , and 'strike 2' was given"),
        ("strike 2 Bob now", "strike <SD> <target>"),
        ("skill 2", "this move is written  skill <SD> <skill> [<target>] , and 'skill 2' was given"),
        ("skill 2 ac Bob now", "skill <SD> <skill> [<target>]"),
        ("catch a breath", "this move is written  catch breath , and 'catch a breath' was given"),
        ("maneuver 3 juggling", "there is no skill 'juggling'"),
        ("skill 2 juggling", "there is no skill 'juggling'"),
        ("maneuver three co", "'three' is not a whole number; a maneuver takes 1 to 3 AD"),
        ("maneuver 1.5 co", "'1.5' is not a whole number"),
        ("maneuver 1e0 co", "'1e0' is not a whole number"),
        ("maneuver \u0663 co", "is not a whole number"),
        ("strike x Bob", "'x' is not a whole number; a strike takes 1 to 6 SD"),
        ("skill x en", "'x' is not a whole number; a skill action takes 0 to 6 SD"),
        ("strike 2 Bo", "there is no target 'Bo'; "),
        ("strike 2 Zoe", "there is no target 'Zoe'; there are: Bob"),
        ("maneuver 1 tr", f"Trickster (tr) is not among this fighter's skills: {SKILLS}"),
        ("maneuver 9 co", "a maneuver takes 1 to 3 AD, not 9"),
        ("strike 5 Bob", "5 SD cannot be spent: there are only 4"),
        ("strike " + "9" * 5_000 + " Bob", "is not a whole number"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_changes_nothing(duel: Scenery, text: str, said: str) -> None:
    sentence = duel({"sd": 4}).refused("Ada", text)
    assert said in sentence
    assert "\n" not in sentence
    assert len(sentence) < 300


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("maneuver x juggling", "no skill"),
        ("skill 9 juggling Zoe now", "this move is written"),
        ("skill x juggling Zoe", "no skill"),
        ("skill x ac Zoe", "no target"),
        ("skill x ac Bob", "not a whole number"),
        ("strike x Zoe", "no target"),
        ("strike 9 Bob", "takes 1 to 6 SD"),
        ("strike 6 Bob", "cannot be spent"),
        ("maneuver 9 tr", "takes 1 to 3 AD"),
    ],
)
def test_mistakes_are_found_in_a_fixed_order(duel: Scenery, text: str, first: str) -> None:
    """Words, skill, target, whole number, range, what is held."""
    assert first in duel({"sd": 4}).refused("Ada", text)


def test_a_limit_is_looked_at_last(duel: Scenery) -> None:
    scene = duel({"sd": 4, "defense": 6})
    assert "cannot be spent" in scene.refused("Ada", "skill 5 en")
    assert "cannot rise further" in scene.refused("Ada", "skill 4 en")


def test_whose_turn_it_is_is_looked_at_before_the_words(duel: Scenery) -> None:
    assert duel().refused("Bob", "dance") == "it is another team's turn to move"


def test_of_two_names_that_differ_by_case_the_exact_one_goes_first(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 4}}, villains=["Bob", "bob"])
    assert read(scene, "strike 1 bob") == "strike 1 bob"
    assert read(scene, "strike 1 Bob") == "strike 1 Bob"
    assert read(scene, "strike 1 BOB") == "strike 1 Bob"


def test_the_moves_of_a_new_player_are_these(duel: Scenery) -> None:
    maneuver = [f"maneuver {spent} {skill}" for skill in ("ac", "co", "en") for spent in (1, 2, 3)]
    actions = ["skill 0 ac Bob", "skill 1 ac Bob", "skill 0 co", "skill 1 co", "skill 0 en", "skill 1 en"]
    assert duel({"sd": 1}).legal("Ada") == ["catch breath", *maneuver, "strike 1 Bob", *actions]


def test_there_is_always_catching_breath(duel: Scenery) -> None:
    assert "catch breath" in duel({"ad": 0, "defense": 6}, {"defense": 1}).legal("Ada")


def test_what_is_impossible_is_explained(duel: Scenery) -> None:
    _, closed = duel({"ad": 0}).fight.legal("Ada", explain=True)
    assert [(impossible.notation, impossible.reason) for impossible in closed] == [
        ("maneuver <AD> <skill>", "no AD left: catching breath brings 3"),
        ("strike <SD> <target>", "no SD: a maneuver earns them"),
    ]


def test_who_is_not_due_is_told_why_for_every_kind_of_move(duel: Scenery) -> None:
    able, closed = duel().fight.legal("Bob", explain=True)
    assert able == []
    assert {impossible.notation for impossible in closed} == set(moves.FORMS.values())
    assert {impossible.reason for impossible in closed} == {"it is another team's turn to move"}


def test_nobody_ever_has_more_moves_than_most_moves(brawl: Scenery) -> None:
    directed = {"skill4": "ac", "skill3": "in", "skill2": "tt", "sd": 20, "ad": 10}
    scene = brawl({"maneuver_max": 7}, heroes={"Ada": directed, "Amy": {}}, villains=["Bob", "Ben"])
    assert len(scene.legal("Ada")) == 1 + 3 * 7 + 3 * (6 + 3 * 7) <= rules.most_moves(4)


def test_a_late_answer_is_refused_by_its_number(duel: Scenery) -> None:
    scene = duel()
    number = scene.fight.decision
    scene.fight.play("Ada", "catch breath", number)
    with pytest.raises(Illegal, match="is not open"):
        scene.fight.play("Bob", "catch breath", number)
