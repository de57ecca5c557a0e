"""After a fight: who reaches the healer, what was lost and what was won, against numbers worked out here."""

from __future__ import annotations

import re
from math import comb

import pytest

from affray.fight import Fight
from affray.kernel import records
from affray.players.tactics import replay_simulated
from affray.system.setup import Setup
from affray.systems.strategic import state
from affray.systems.strategic.reckoning import aftermath, at_stake

YEAR = 31_557_600


def told(options: dict[str, object] | None = None, **marks: int) -> str:
    """What is told of a knight with these marks, after a fight that the order has won."""
    fight = Fight("strategic", "order=knight raiders=brute", seed=1, options=options)
    ended = records.copy(fight.state)
    ended.ending = 0
    for name, points in marks.items():
        setattr(ended.fighters[0], name, points)
    heading, knight, its_sum, *_ = aftermath(fight.setup, ended)
    assert heading.startswith("After the fight, with a healer ")
    return f"{knight} {its_sum.strip()}"


def arrives(coins: int, hours: int) -> float:
    """The chance to be alive after these hours: second by second."""
    chances = [0.0] * coins + [1.0]
    for _ in range(3600 * hours):
        for left in range(1, coins + 1):
            falls = chances[left] / 2**left
            chances[left] -= falls
            chances[left - 1] += falls
    return 1 - chances[0]


def test_who_is_unhurt_reaches_the_healer_and_has_won_the_stake() -> None:
    text = told()
    assert text.startswith("The knight stands, unhurt. 30 of 30 Life Coins, 68.0 years untreated")
    assert "reaches the healer alive all but surely." in text
    assert "0.0 years lost on average, after care; the stake of 25 years won: net +25.0." in text


@pytest.mark.parametrize(("coins", "hours"), [(14, 6), (15, 6), (13, 2), (12, 1)])
def test_the_chance_to_reach_the_healer_is_exact(coins: int, hours: int) -> None:
    text = told({"hours_to_care": hours}, coins=coins, crippling=4)
    found = re.search(r"reaches the healer alive in ([\d.]+) % of cases", text)
    assert found, text
    assert float(found[1]) == pytest.approx(100 * arrives(coins, hours), abs=0.0051)


def test_a_short_way_is_survived_for_sure() -> None:
    assert "reaches the healer alive for sure" in told({"hours_to_care": 0}, coins=3)


@pytest.mark.parametrize(
    ("coins", "says"),
    [
        (30, "alive all but surely. "),
        (28, "surely; 16 hours of surgery. "),
        (3, "with so few coins surgery would be in vain. "),
    ],
)
def test_what_awaits_a_fighter_at_the_healers_is_told(coins: int, says: str) -> None:
    assert says in told(coins=coins)
    assert "surgery" not in told({"surgery_hours": 0}, coins=coins)


def test_what_becomes_of_crippling_is_told_and_counted() -> None:
    """Five points are 8, 24, 72, 216 and 648 hours in bed; two of them stay one time in eight, at 2 years each."""
    text, days = told(crippling=5), (8 + 24 + 72 + 216 + 648) / 24
    assert f"after care, {days:.1f} days in bed, 0.25 points of Crippling for good; the stake" in text
    assert f"won: net {25 - 0.8 * (days / 365.25 + 0.25 * 2):+.1f}." in text


def test_the_years_lost_are_those_that_care_does_not_bring_back() -> None:
    """Two coins gone of 30, each stays gone with one chance in sixteen; 28 coins do not fail on the way."""
    whole = [(2 ** (coins + 1) - 2) / YEAR for coins in (30, 29, 28)]
    lost = sum(comb(2, stay) * 15 ** (2 - stay) / 256 * (whole[0] - whole[stay]) for stay in range(3))
    text = told({"care_coins": 4}, coins=28, crippling=2, pain=5)
    assert text.startswith("The knight stands with Pain 5, Crippling 2. 28 of 30 Life Coins, 17.0 years untreated")
    assert f"{lost:.1f} years lost on average" in text
    bed = 32 / 24 / 365.25
    assert f"won: net {25 - 0.8 * (lost + bed):+.1f}." in text  # the knight counts a year as 0.8


def test_the_dead_have_lost_all_their_years() -> None:
    text = told(coins=0, state=state.DEAD, crippling=30)
    assert text.startswith("The knight is dead with Crippling 30. No Life Coin is left. 68.0 years lost")
    assert f"won: net {25 - 0.8 * 68.05:+.1f}." in text


@pytest.mark.parametrize(
    ("how", "words"), [(state.DOWN, "is down"), (state.FLED, "got away"), (state.YIELDED, "has yielded")]
)
def test_it_says_how_somebody_came_out_of_it(how: int, words: str) -> None:
    assert told(state=how, incapacitation=3).startswith(f"The knight {words} with Incapacitation 3.")


def test_the_sums_are_those_that_the_figures_count() -> None:
    fight = replay_simulated("strategic", "order=knight raiders=brute", seed=2, number=1)
    lines = aftermath(fight.setup, fight.state)
    for name, text in zip(fight.names, lines[2::2], strict=True):
        counted = fight.figures[name]
        assert text.strip().startswith(f"{counted['years lost']:.1f} years lost")
        assert ("not won" not in text) == (counted["stake won"] > 0)


def test_the_stake_is_told_before_the_fight() -> None:
    setup = Setup.of("strategic", "order=duelist raiders=scholar", {"hours_to_care": 12})
    assert at_stake(setup, 0) == "Your stake: 20 years of life. A healer is 12 hours away."
    assert "; a year lost counts 1.5." in at_stake(setup, 1)
