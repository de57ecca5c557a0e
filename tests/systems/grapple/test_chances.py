"""How likely each result of a move is: the rules enumerated, against icepool and against binomials by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from affray.kernel import records
from affray.kernel.exact import Exact
from affray.systems.grapple import rules, sheets
from affray.systems.grapple.tactics import SHARES, WIDTH

icepool = pytest.importorskip("icepool")
Scenery = Callable[..., Any]
DIFFICULTY = {
    "ac": 3,
    "co": 2,
    "en": 2,
    "in": 2,
    "ld": 2,
    "md": 4,
    "sp": 2,
    "sr": 4,
    "sy": 3,
    "tc": 2,
    "tt": 2,
    "tr": 4,
}
AT_TARGET = ("ac", "in", "ld", "md", "tt", "tr")


def binomial(dice: int, hits: int) -> Fraction:
    """So many of the dice show 3 or more, each with 2 chances in 3."""
    return comb(dice, hits) * Fraction(2, 3) ** hits * Fraction(1, 3) ** (dice - hits)


def thrown(dice: int) -> dict[int, Fraction]:
    """The same by icepool."""
    if dice == 0:
        return {0: Fraction(1)}
    die = dice @ icepool.d6.map(lambda face: int(face >= 3))
    return {hits: Fraction(int(ways), die.denominator()) for hits, ways in die.items()}


def after(scene: Any, move: str, what: Callable[[Any], object]) -> dict[object, Fraction]:
    """How likely each value of something is after a move of Ada."""
    fight = scene.fight
    code = fight.setup.read(fight.state, 0, move).code

    def moved(dice: Exact) -> object:
        state = records.copy(fight.state)
        rules.apply(state, 0, code, dice, None)
        return what(state.fighters)

    chances: Counter[object] = Counter()
    for value, numerator, denominator in Exact().outcomes(moved):
        chances[value] += Fraction(numerator, denominator)
    return dict(chances)


@pytest.mark.parametrize("dice", range(13))
def test_icepool_and_the_binomial_agree(dice: int) -> None:
    assert thrown(dice) == {hits: binomial(dice, hits) for hits in range(dice + 1)}


@pytest.mark.parametrize(("skill", "rating"), [("ac", 4), ("co", 3), ("en", 2)])
@pytest.mark.parametrize("speed", [0, 1])
@pytest.mark.parametrize("spent", [1, 2, 3, 4])
def test_what_a_maneuver_earns(duel: Scenery, spent: int, speed: int, skill: str, rating: int) -> None:
    scene = duel(profile="grounds")
    scene["Ada"].speed = speed
    expected: Counter[object] = Counter()
    for hits, chance in thrown(spent + rating + speed).items():
        expected[min(5, hits), 5 - spent if hits else 5] += chance
    assert after(scene, f"maneuver {spent} {skill}", lambda f: (f[0].sd, f[0].ad)) == dict(expected)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("spirit", [0, 1])
@pytest.mark.parametrize("defense", range(1, 7))
@pytest.mark.parametrize("spent", range(1, 7))
def test_what_a_strike_does(duel: Scenery, spent: int, defense: int, spirit: int, ties: bool) -> None:
    scene = duel({"sd": 6}, {"defense": defense, "max_wounds": 5}, ties=ties)
    scene["Ada"].spirit = spirit
    expected: Counter[object] = Counter()
    for hits, chance in thrown(spent + spirit).items():
        enough = hits >= defense if ties else hits > defense
        expected[(min(5, hits // defense), 6 - spent) if enough else (0, 6)] += chance
    assert after(scene, f"strike {spent} Bob", lambda f: (f[1].wounds, f[0].sd)) == dict(expected)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("slot", ["skill4", "skill3", "skill2"])
@pytest.mark.parametrize("skill", sheets.SKILLS)
def test_how_often_a_skill_action_succeeds(duel: Scenery, skill: str, slot: str, ties: bool) -> None:
    others = iter(name for name in ("sp", "sr", "sy") if name != skill)
    held = {name: skill if name == slot else next(others) for name in ("skill4", "skill3", "skill2")}
    target = " Bob" if skill in AT_TARGET else ""
    for spent in range(7):
        scene = duel({**held, "sd": 9}, {"sd": 9, "wounds": 1}, ties=ties)
        dice = spent + int(slot[-1]) - 2
        least = DIFFICULTY[skill] + (not ties)
        success = sum((binomial(dice, hits) for hits in range(least, dice + 1)), Fraction(0))
        if skill == "tc" and spent == 2:
            continue  # the 2 SD that it brings are those that it took
        unchanged = repr(scene.fight.state.fighters)
        chances = after(scene, f"skill {spent} {skill}{target}", lambda f, unchanged=unchanged: repr(f) == unchanged)
        assert chances.get(True, 0) == 1 - success
        assert chances.get(False, 0) == success


def test_the_bonus_does_not_change_the_chances(duel: Scenery) -> None:
    scene = duel()
    plain = after(scene, "maneuver 2 co", lambda f: f[0].sd)
    scene["Ada"].marked = 7
    assert after(scene, "maneuver 2 co", lambda f: f[0].sd - 2) == plain


def test_the_table_the_tactics_look_up_is_right() -> None:
    for dice in range(WIDTH):
        for hits in range(WIDTH):
            assert SHARES[dice * WIDTH + hits] == round(1000 * binomial(dice, hits))
