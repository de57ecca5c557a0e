"""A new sheet for a system without questions of its own: what is asked follows from the sheet's declaration."""

from __future__ import annotations

import pytest

from affray.kernel.chance import Seeded
from affray.system.creation import Question, unasked
from affray.system.registry import find, names
from affray.systems.grapple import system
from affray.systems.grapple.sheets import SHEETS

CREATION = system.creation
assert CREATION is not None


def answered(**answers: str) -> tuple[list[Question], dict[str, object]]:
    """What is asked, and the sheet that comes of it: answers by the first word of the question, / before the next."""
    left = {key: text.split("/") for key, text in answers.items()}
    questions = []
    running = CREATION.interview("Ida", Seeded(1), lambda purpose: None)
    question = next(running)
    while True:
        questions.append(question)
        words = left.get(question.asks.replace(",", " ").split()[0])
        try:
            question = running.send(words.pop(0) if words else "")
        except StopIteration as ended:
            return questions, ended.value


def test_the_usual_answers_make_the_first_fighter_under_the_new_name() -> None:
    table = unasked(CREATION.interview("Ida", Seeded(1), lambda purpose: None))
    first, *_ = SHEETS.fighters().values()
    assert table == {key: value for key, value in first.as_table().items() if key != "id"} | {"name": "Ida"}


@pytest.mark.parametrize("id", names())
def test_the_usual_answers_make_a_sheet_of_every_system_that_fights(id: str) -> None:
    known = find(id)
    table = unasked(known.creation.interview("Ida", Seeded(1), lambda purpose: None))
    made = known.enlist({"id": "ida", **table})
    assert (made.id, made.name) == ("ida", "Ida")


def test_every_value_is_asked_with_what_it_means_and_may_be_and_what_it_is() -> None:
    questions, _ = answered(fighter="goblin")
    by_text = {question.asks: question for question in questions}
    assert by_text["ap, the size of the Action Pool (6 to 20)"].usual == "6"
    assert by_text["kind (player or npc)"].words == ("player", "npc")
    assert by_text["skill4, the skill rated 4 (a skill, or nothing)"].usual == "none"


def test_answers_are_taken_and_none_makes_a_value_empty() -> None:
    _, table = answered(fighter="shaman", skill2="none", ap="12", note="Of the hills.")
    assert (table["skill4"], table["ap"], table["note"]) == ("md", 12, "Of the hills.")
    assert "skill2" not in table
    assert SHEETS.enlist(table).as_table() == {"id": "npc", **table}


def test_an_answer_out_of_range_brings_the_question_again() -> None:
    questions, table = answered(ap="40")
    assert [question.problem for question in questions if question.problem] == ["ap must be 6 to 20, not 40"]
    assert table["ap"] == 10


def test_values_that_do_not_fit_together_bring_all_questions_again() -> None:
    questions, table = answered(ad="12/6")
    problems = [question.problem for question in questions if question.problem]
    assert problems == ["Ida: ad must be 0 to 10, the AP size, not 12"]
    asked = [question.asks for question in questions]
    assert asked[1:] == 2 * asked[1 : 1 + len(asked) // 2]
    assert [question.usual for question in questions if question.asks.startswith("ad,")] == ["5", "12"]
    assert table["ad"] == 6


def test_what_a_value_means_stands_beside_it_in_the_file() -> None:
    sheet = SHEETS.enlist("ahalish")
    said = CREATION.comments(sheet)
    assert said["ap"] == "the size of the Action Pool"
    assert set(said) <= set(sheet.as_table()) - {"id"}
