"""The levels of success: the chart, bonus and penalty dice, fumbles and malfunctions, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.kernel.chance import Scripted
from affray.systems.mythos import rules, terms

D100 = Callable[[int], Mapping[int, Fraction]]
Weigh = Callable[..., dict[Any, Fraction]]
NETS = (-2, -1, 0, 1, 2)
SKILLS = range(1, 101)
JAM = -1


def charted(number: int, skill: int, wide_fumbles: bool = False, malfunction: int = 101) -> int:
    """The level by the document's chart, and by the malfunction number of a gun."""
    if number >= malfunction:
        return JAM
    if number == 1:
        return terms.CRITICAL
    if number == 100 or (wide_fumbles and skill < 50 and number >= 96):
        return terms.CRITICAL_FAILURE
    for level, most in ((terms.EXTREME, skill / 5), (terms.HARD, skill / 2), (terms.REGULAR, skill)):
        if number <= most:
            return level
    return terms.FAILURE


def by_the_chart(shown: Mapping[int, Fraction], skill: int, **which: Any) -> dict[int, Fraction]:
    chances: Counter[int] = Counter()
    for number, chance in shown.items():
        chances[charted(number, skill, **which)] += chance
    return dict(chances)


def by_the_rules(weigh: Weigh, fight: Any, skill: int, net: int, limit: int = 100) -> dict[int, Fraction]:
    return weigh(lambda dice: rules.roll(fight, skill, net, limit, dice))


@pytest.mark.parametrize("net", NETS)
def test_every_skill_with_every_number_of_dice(duel: Callable[..., Any], d100: D100, weigh: Weigh, net: int) -> None:
    fight = duel().fight.state
    for skill in SKILLS:
        assert by_the_rules(weigh, fight, skill, net) == by_the_chart(d100(net), skill), skill


@pytest.mark.parametrize("net", NETS)
def test_classic_fumbles_begin_at_96_below_a_skill_of_50(
    duel: Callable[..., Any], d100: D100, weigh: Weigh, net: int
) -> None:
    fight = duel(fumble="classic").fight.state
    for skill in SKILLS:
        assert by_the_rules(weigh, fight, skill, net) == by_the_chart(d100(net), skill, wide_fumbles=True), skill


@pytest.mark.parametrize("malfunction", [96, 97, 99, 100])
@pytest.mark.parametrize("fumble", ["100", "classic"])
@pytest.mark.parametrize("net", NETS)
def test_malfunction_numbers_come_before_everything_else(
    duel: Callable[..., Any], d100: D100, weigh: Weigh, net: int, fumble: str, malfunction: int
) -> None:
    fight = duel(fumble=fumble).fight.state
    for skill in SKILLS:
        expected = by_the_chart(d100(net), skill, wide_fumbles=fumble == "classic", malfunction=malfunction)
        assert by_the_rules(weigh, fight, skill, net, limit=malfunction - 1) == expected, skill


@pytest.mark.parametrize("constitution", [101, 150, 199, 200, 250, 300])
def test_1_and_100_come_first_however_high_the_characteristic(
    duel: Callable[..., Any], d100: D100, weigh: Weigh, constitution: int
) -> None:
    assert by_the_rules(weigh, duel().fight.state, constitution, 0) == by_the_chart(d100(0), constitution)


@pytest.mark.parametrize(("net", "as_many"), [(-7, -2), (-3, -2), (3, 2), (9, 2)])
def test_more_than_two_dice_either_way_are_two(
    duel: Callable[..., Any], d100: D100, weigh: Weigh, net: int, as_many: int
) -> None:
    assert by_the_rules(weigh, duel().fight.state, 43, net) == by_the_chart(d100(as_many), 43)


def test_the_figures_of_the_rulings(duel: Callable[..., Any], weigh: Weigh, shared: Any) -> None:
    """Read from the rulings, so that nobody can have copied them from the code."""
    text = (shared / "rules" / "mythos.md").read_text(encoding="utf-8").partition("## Numbers to check against")[2]
    plain, half, hundred = (line.strip() for line in text.replace(". P(", ".\nP(").strip().splitlines())
    fight = duel().fight.state
    levels = {
        "critical failure": terms.CRITICAL_FAILURE,
        "failure": terms.FAILURE,
        "regular": terms.REGULAR,
        "hard": terms.HARD,
        "extreme": terms.EXTREME,
        "critical": terms.CRITICAL,
    }
    chances = by_the_rules(weigh, fight, 50, 0)
    for entry in plain.partition(":")[2].rstrip(".").split(","):
        name, _, chance = entry.strip().rpartition(" ")
        assert chances.pop(levels[name]) == Fraction(chance)
    assert not chances
    for line, is_one in ((half, lambda level: level >= terms.REGULAR), (hundred, lambda level: level == 0)):
        figures = line.rpartition(":")[2].rstrip(".").split()
        for net, chance in zip(NETS, figures, strict=True):
            rolled = by_the_rules(weigh, fight, 50, net)
            assert sum(share for level, share in rolled.items() if is_one(level)) == Fraction(chance), (line, net)


@pytest.mark.parametrize(
    ("faces", "net", "level"),
    [
        ((0, 0), 0, terms.CRITICAL_FAILURE),
        ((1, 0), 0, terms.CRITICAL),
        ((0, 1), 0, terms.EXTREME),
        ((1, 1), 0, terms.HARD),
        ((5, 2), 0, terms.HARD),
        ((6, 2), 0, terms.REGULAR),
        ((0, 5), 0, terms.REGULAR),
        ((1, 5), 0, terms.FAILURE),
        ((9, 9), 0, terms.FAILURE),
        # 00 and 0 is 100 on every tens die, so a second one saves or ruins the roll.
        ((0, 0, 1), 1, terms.EXTREME),
        ((0, 0, 0), 1, terms.CRITICAL_FAILURE),
        ((0, 0, 1), -1, terms.CRITICAL_FAILURE),
        ((1, 0, 9), 1, terms.CRITICAL),
        ((1, 0, 9), -1, terms.FAILURE),
        ((5, 9, 2, 7), 2, terms.HARD),
        ((5, 2, 2, 4), -2, terms.REGULAR),
    ],
)
def test_dice_as_they_lie_on_the_table(duel: Callable[..., Any], faces: tuple[int, ...], net: int, level: int) -> None:
    dice = Scripted([faces])
    assert rules.roll(duel().fight.state, 50, net, 100, dice) == level
    dice.finish()


@pytest.mark.parametrize(("skill", "hard", "extreme"), [(1, 0, 0), (4, 2, 0), (5, 2, 1), (9, 4, 1), (99, 49, 19)])
def test_thresholds_are_rounded_down(
    duel: Callable[..., Any], weigh: Weigh, skill: int, hard: int, extreme: int
) -> None:
    """1 is a critical success even where a fifth of the skill is less than 1."""
    chances = by_the_rules(weigh, duel().fight.state, skill, 0)
    at_least = {level: sum(share for of, share in chances.items() if of >= level) for level in range(6)}
    assert at_least[terms.REGULAR] == Fraction(skill, 100)
    assert at_least[terms.HARD] == Fraction(max(1, hard), 100)
    assert at_least[terms.EXTREME] == Fraction(max(1, extreme), 100)
    assert at_least[terms.CRITICAL] == Fraction(1, 100)


def test_failure_and_critical_failure_are_worth_the_same(duel: Callable[..., Any]) -> None:
    """A fighter who only fails does not beat one who fumbles."""
    for mine, theirs in ((99, 100), (100, 99)):
        scene = duel()
        scene.move("ada", "fight", mine, theirs)
        assert scene.lost("ada") == scene.lost("bob") == 0


def test_the_log_keeps_the_label_of_each_level(duel: Callable[..., Any]) -> None:
    told = duel().move("ada", "fight", 100, 99)
    assert any("fumble" in line for line in told)
    assert any("failure" in line for line in told)
