"""Encounters: suggestions are as hard as was wanted by exact odds, and their losses are those of the fights."""

import pytest

import affray
from affray.errors import Invalid
from affray.lab.design.encounter import difficulty, encounters


def test_suggestions_are_as_hard_as_wanted_by_exact_odds():
    found = encounters("bgo", ["player"], wanted=(0.4, 0.8), numbers=[1], suggestions=3)
    assert len(found.suggestions) == 3
    for each in found.suggestions:
        chance = affray.odds("bgo", {"heroes": ["player"], "monsters": list(each.foes)}).chances["heroes"]
        assert 0.4 <= chance <= 0.8


def test_someone_dies_as_often_as_the_fights_say():
    found = encounters("bgo", ["player", "squire"], wanted=(0.2, 0.9), numbers=[2], suggestions=1,
                       bestiary=["mud-slime"])  # fmt: skip
    (each,) = found.suggestions
    assert each.foes == ("mud-slime", "mud-slime")
    many = affray.simulate("bgo", "heroes=player,squire monsters=mud-slime,mud-slime", fights=8_000, each=True).results
    rows = list(zip(many.figure("player", "died"), many.figure("squire", "died"), strict=True))
    assert each.someone["died"].value == pytest.approx(sum(any(row) for row in rows) / len(rows))
    taken = [sum(row) for row in zip(many.figure("player", "damage taken"), many.figure("squire", "damage taken"),
                                     strict=True)]  # fmt: skip
    assert each.losses["damage taken"] == many.mean(taken)


def test_foes_are_of_other_kinds_than_the_party():
    found = encounters("bgo", ["player"], wanted=(0.0, 1.0), numbers=[1], suggestions=8)
    creatures = affray.sheets("bgo")["creatures"]
    assert all(foe in creatures for each in found.suggestions for foe in each.foes)


def test_the_nearest_are_shown_if_none_will_do():
    found = encounters("bgo", ["player"], wanted=(0.5, 0.5001), numbers=[1])
    assert not found.suggestions
    assert len(found.nearest) == 5


def test_difficulties_have_names_or_are_ranges():
    assert difficulty("hard") == (0.55, 0.75)
    assert difficulty("0.4..0.5") == (0.4, 0.5)
    with pytest.raises(Invalid, match="no difficulty 'harder'; did you mean hard"):
        difficulty("harder")
    with pytest.raises(Invalid, match="a range of chances from 0 to 1"):
        difficulty("0.5..0.4")


def test_unknown_creatures_and_wrong_numbers_are_refused():
    with pytest.raises(Invalid, match="no kind or creature 'goblin'"):
        encounters("bgo", ["player"], bestiary=["goblin"])
    with pytest.raises(Invalid, match="monsters must be 1 to 61, not \\[0\\]"):
        encounters("bgo", ["player"], numbers=[0])
