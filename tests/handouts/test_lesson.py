"""How to play: every system has a lesson, and what it says of the screen is on the screen."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import pytest

from affray.errors import Invalid
from affray.handouts.lesson import Part, Screen, lesson
from affray.system.abilities import Print
from affray.system.handout import Lesson
from affray.system.registry import find, names

each_system = pytest.mark.parametrize("id", names())
QUOTED = re.compile(r"`([^`]+)`")


def written(id: str) -> Lesson:
    printed = find(id).ability(Print)
    assert printed is not None
    assert printed.handout().lesson is not None
    return printed.handout().lesson


def screens(part: Part) -> list[str]:
    return ["\n".join(block.lines) for block in part.blocks if isinstance(block, Screen)]


@each_system
def test_what_the_legend_explains_is_on_the_screen_of_the_example(id: str) -> None:
    parts = lesson(find(id))
    shown = "\n".join(screens(parts["example"]))
    legend = parts["screen"].blocks[0]
    assert isinstance(legend, tuple)
    assert len(legend) > 4
    for piece, meaning in legend[1:]:
        (quoted,) = QUOTED.findall(piece)
        assert quoted in shown
        assert meaning


@each_system
def test_each_remark_on_the_example_quotes_what_has_just_been_shown(id: str) -> None:
    blocks = lesson(find(id))["example"].blocks[1:-1]
    remarks = list(zip(blocks[::2], blocks[1::2], strict=True))
    assert len(remarks) == len(written(id).example)
    for shown, says in remarks:
        assert isinstance(shown, Screen)
        assert isinstance(says, str)
        for quoted in QUOTED.findall(says):
            assert quoted in "\n".join(shown.lines)
    assert sum(len(QUOTED.findall(str(says))) for _, says in remarks) >= 2


@each_system
def test_the_first_thing_to_try_is_the_example_itself(id: str) -> None:
    example = written(id)
    assert f"`affray play {id} {example.teams} --seed {example.seed}`" in example.first[0]


@each_system
def test_a_lesson_takes_five_minutes_and_fits_the_screen(id: str) -> None:
    parts = lesson(find(id))
    words = " ".join(str(block) for block in chain.from_iterable(part.blocks for part in parts.values())).split()
    assert 250 < len(words) < 1000
    assert all(len(line) <= 80 for part in parts.values() for text in screens(part) for line in text.splitlines())


def test_a_system_without_a_lesson_says_where_its_rules_are() -> None:
    with pytest.raises(Invalid, match="own has no lesson; `affray rules own` shows its rules"):
        lesson(replace(find("bgo"), id="own", abilities=()))
