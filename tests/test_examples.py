"""The examples: two systems that Affray itself knows nothing of keep every promise, and work wherever systems do."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import affray
from affray.testing import check_system

pytestmark = pytest.mark.long

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCE = Path(affray.__file__).parent


@pytest.fixture(autouse=True)
def found(examples: None) -> None:
    """Every test here knows the examples."""


def lines_of(folder: Path, blank: bool) -> int:
    texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.py")]
    return sum(1 for text in texts for line in text.splitlines() if blank or line.strip())


def test_they_stay_short() -> None:
    assert lines_of(EXAMPLES / "coins", blank=False) <= 60
    assert lines_of(EXAMPLES / "d20", blank=True) <= 300


def test_affray_names_neither_of_them() -> None:
    for file in SOURCE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "affray_d20" not in text
        assert "Two-coin" not in text


def test_the_duel_keeps_its_promises_with_save_files() -> None:
    report = check_system("coins", fights=6)
    assert not report.not_tried


def test_the_skirmish_keeps_its_promises_with_save_files() -> None:
    report = check_system("d20", fights=6)
    assert not [note for note in report.not_tried if "save" in note]


def test_the_odds_of_both_are_exact() -> None:
    careful = affray.odds("coins", "left=anna right=bert", compiled=False)
    assert careful.chances["left"] == Fraction(3321524, 9765625)
    duel = affray.odds("d20", "heroes=goblin monsters=skeleton")
    assert duel.how in ("exact", "computed in floating point")
    assert float(sum(duel.chances.values())) == pytest.approx(1)
    many = affray.simulate("d20", "heroes=goblin monsters=skeleton", fights=20_000, seed=1)
    assert many.rates["heroes"].low <= float(duel.chances["heroes"]) <= many.rates["heroes"].high


def test_advantage_keeps_the_better_and_disadvantage_the_worse_of_two() -> None:
    fight = affray.Fight("d20", "heroes=knight monsters=orc", dice=affray.Scripted([(20,), (1,), (3, 18), (5,)]))
    first, second = fight.play("knight", "reckless")[:2]
    assert "with advantage: 18 and +5 against armour class 13, hits" in str(first)
    assert "takes 8 points of damage" in str(second)


def test_a_natural_one_misses_and_a_critical_throws_its_dice_twice() -> None:
    rolls = [(20,), (1,), (1,), (20, 20), (6, 4)]
    fight = affray.Fight("d20", "heroes=knight monsters=orc", dice=affray.Scripted(rolls))
    assert "1 and +5 against armour class 13, misses" in str(fight.play("knight", "attack")[0])
    told = fight.play("orc", "reckless")
    assert "scores a critical hit" in str(told[0])
    assert "takes 13 points of damage and has 15 left" in str(told[1])


def test_the_tutorial_is_the_example() -> None:
    page = (EXAMPLES.parent / "docs" / "writing-a-system.md").read_text(encoding="utf-8")
    assert (EXAMPLES / "coins" / "coins.py").read_text(encoding="utf-8") in page
