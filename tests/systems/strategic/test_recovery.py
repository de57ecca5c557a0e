"""Between fights: what lasts, the way to the healer coin by coin, and days in bed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Scripted, Seeded
from affray.players.tactics import play_on, usual_tactics
from affray.system.registry import find
from affray.system.setup import Setup
from affray.systems.strategic.healing import after_surgery, break_even, hours_in_bed, restored
from affray.systems.strategic.life import Life
from affray.systems.strategic.recovery import TERMS, TERMS_OF_REST, after_fight, care, rest
from affray.systems.strategic.sheets import SHEETS, Sheet
from affray.systems.strategic.state import DEAD

Scenery = Callable[..., Any]
AT_ONCE, NEVER = [0] * 7, [255] * 7  # a coin lost in the next second, and one that lasts as long as any


def sheet(**changes: object) -> Sheet:
    return SHEETS.enlist({"name": "Ada", **changes})


def cared(hurt: Sheet, *way: list[int], surgery: Sequence[list[int] | int] = ()) -> tuple[Sheet, list[str]]:
    """Ada on the way, with so long a wait for each coin in turn; then in surgery, waits and healer's coins."""
    script = [*way, *([step] if isinstance(step, int) else step for step in surgery)]
    dice = Scripted([pick for step in script for pick in step])
    mended, told = care(hurt, dice)
    dice.finish()
    return mended, told


def operations(*flips: int) -> list[list[int] | int]:
    """One operation after another in which no coin is lost, with what the healer's coins show."""
    return [step for flip in flips for step in (NEVER, flip)]


# What lasts


def test_crippling_and_life_coins_last_and_pain_and_incapacitation_pass(duel: Scenery) -> None:
    scene = duel()
    bob = scene["bob"]
    bob.pain, bob.incapacitation, bob.crippling, bob.coins = 5, 4, 3, 25
    left = after_fight(scene.fight.state, 1, scene.fight.sheets[1])
    assert (left.crippling, left.coins_lost, left.coins, left.dead) == (3, 5, 25, False)
    assert {**left.as_table(), "crippling": 0, "coins_lost": 0} == scene.fight.sheets[1].as_table()


@pytest.mark.parametrize("life_coins", [20, 30, 40])
def test_lost_coins_are_counted_from_the_sheets_own_number(duel: Scenery, life_coins: int) -> None:
    scene = duel(bob={"life_coins": life_coins, "coins_lost": 2})
    scene["bob"].coins -= 3
    left = after_fight(scene.fight.state, 1, scene.fight.sheets[1])
    assert (left.life_coins, left.coins_lost, left.coins) == (life_coins, 5, life_coins - 5)


def test_whoever_has_died_is_dead_on_the_sheet_and_fights_no_more(duel: Scenery) -> None:
    scene = duel()
    scene["bob"].state, scene["bob"].coins = DEAD, 0
    left = after_fight(scene.fight.state, 1, scene.fight.sheets[1])
    assert left.dead
    for again in (left, sheet(name="Bob", coins_lost=30)):
        with pytest.raises(Invalid, match="Bob is dead and cannot fight"):
            Fight("strategic", {"a": ["guard"], "b": [again.as_table()]}, seed=1)


def test_a_weapon_that_was_dropped_is_owned_again_in_the_next_fight(duel: Scenery) -> None:
    scene = duel()
    scene["bob"].weapon = 0
    assert after_fight(scene.fight.state, 1, scene.fight.sheets[1]).weapon == "broadsword"


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_what_any_fight_leaves_is_a_sheet_that_can_be_written_down(seed: int) -> None:
    fight = Fight("strategic", {"a": ["thug", "wildcat"], "b": ["brute"]}, seed=seed)
    play_on(fight, usual_tactics(fight))
    for who, before in enumerate(fight.sheets):
        left = after_fight(fight.state, who, before)
        assert SHEETS.enlist(left.as_table()) == left
        assert left.crippling >= before.crippling
        assert left.coins <= before.coins


# The healer


def test_whoever_loses_no_coin_on_the_way_reaches_the_healer_with_all_of_them() -> None:
    mended, told = cared(sheet(coins_lost=3), NEVER, surgery=operations(1, 0, 4))
    assert told == [
        "Ada reaches the healer after 6 hours, with 27 Life Coins.",
        "After 24 hours of surgery 2 of 3 lost coins have come back. 1 coin stays lost for good.",
    ]
    assert (mended.coins_lost, mended.coins_gone) == (1, 1)


@pytest.mark.parametrize("flips", [[0], [1], [4], [0, 0], [0, 3], [2, 2], [0, 1, 0, 4]])
def test_a_lost_coin_comes_back_unless_all_four_of_the_healers_coins_show_tails(flips: list[int]) -> None:
    mended, _ = cared(sheet(coins_lost=len(flips)), NEVER, surgery=operations(*flips))
    assert mended.coins_lost == sum(flip == 0 for flip in flips)


def test_a_coin_that_a_healer_could_not_give_back_stays_lost() -> None:
    once, told = cared(sheet(coins_lost=12), NEVER, surgery=operations(*[1] * 11, 0))
    assert told[1] == "After 96 hours of surgery 11 of 12 lost coins have come back. 1 coin stays lost for good."
    again, told = cared(once, NEVER)
    assert told[1] == "There is no lost coin to restore. 1 coin stays lost for good."
    assert again == once
    hurt = replace(again, coins_lost=4)  # three more in a fight
    third, told = cared(hurt, NEVER, surgery=operations(4, 0, 4))
    assert told[1] == "After 24 hours of surgery 2 of 3 lost coins have come back. 2 coins stay lost for good."
    assert (third.coins_lost, third.coins_gone, third.coins) == (2, 2, 28)


def test_a_fight_keeps_the_coins_that_are_gone_for_good(duel: Scenery) -> None:
    scene = duel(bob={"coins_lost": 3, "coins_gone": 2})
    scene["bob"].coins -= 4
    left = after_fight(scene.fight.state, 1, scene.fight.sheets[1])
    assert (left.coins_lost, left.coins_gone) == (7, 2)


def test_what_is_gone_for_good_is_no_price_of_the_next_fight() -> None:
    """Dying costs the years that a healer could still give: those of 28 coins, less what is untreated already."""
    setup = Setup.of("strategic", {"a": [sheet(coins_lost=2, coins_gone=2).as_table()], "b": ["guard"]})
    whole = Setup.of("strategic", {"a": [sheet(life_coins=28).as_table()], "b": ["guard"]})
    assert list(setup.seated().fighters[0].price) == list(whole.seated().fighters[0].price)
    assert setup.seated().fighters[0].price[0] == pytest.approx(1000 * (2**29 - 2) / 31_557_600, abs=1)


def test_coins_lost_on_the_way_are_mended_like_the_others() -> None:
    ten = sheet(life_coins=22, coins_lost=2)
    mended, told = cared(ten, AT_ONCE, AT_ONCE, NEVER, surgery=operations(1, 1, 1, 0))
    assert told[0] == "Ada reaches the healer after 6 hours, with 18 Life Coins."
    assert mended.coins_lost == 1


def test_whoever_loses_the_last_coin_on_the_way_is_dead() -> None:
    mended, told = cared(sheet(coins_lost=27), AT_ONCE, AT_ONCE, AT_ONCE)
    assert told == ["Ada dies 3 seconds after the fight; the healer was 6 hours away."]
    assert (mended.dead, mended.coins) == (True, 0)


def test_with_no_way_to_go_and_no_time_to_take_nobody_dies_of_it() -> None:
    mended, told = cared(sheet(coins_lost=29, hours_to_care=0, surgery_hours=0), AT_ONCE, surgery=operations(*[1] * 29))
    assert told[0] == "Ada reaches the healer after 0 hours, with 1 Life Coin."
    assert told[1] == "29 of 29 lost coins come back."
    assert (mended.dead, mended.coins) == (False, 30)


def test_an_unhurt_fighter_has_nothing_to_mend() -> None:
    mended, told = cared(sheet(), NEVER)
    assert told[1] == "There is no lost coin to restore."
    assert mended == sheet()


@pytest.mark.parametrize("dead", [{"dead": True}, {"coins_lost": 30}])
def test_nobody_can_do_anything_for_the_dead(dead: dict[str, object]) -> None:
    for mend in (care, rest):
        with pytest.raises(Invalid, match="Ada is dead"):
            mend(sheet(**dead), Seeded(1))


@pytest.mark.parametrize(("coins", "hours"), [(12, 1), (13, 6), (14, 6)])
def test_as_many_die_on_the_way_as_their_coins_say(coins: int, hours: int) -> None:
    walks = 2000
    hurt = sheet(coins_lost=30 - coins, hours_to_care=hours)
    died = sum("after the fight" in care(hurt, Seeded(seed))[1][0] for seed in range(walks))
    chance = Life(coins).death(hours * 3600)
    assert abs(died - walks * chance) < 4 * (walks * chance * (1 - chance)) ** 0.5


def test_a_healer_mends_fifteen_coins_in_sixteen() -> None:
    walks = 2000
    hurt = sheet(coins_lost=3)
    stay = Counter(care(hurt, Seeded(seed))[0].coins_lost for seed in range(walks))
    for lost in range(3):
        chance = comb(3, lost) * 15 ** (3 - lost) / 16**3
        assert abs(stay[lost] - walks * chance) < 4 * (walks * chance * (1 - chance)) ** 0.5


def test_the_healer_and_the_bed_of_the_sheets_are_those_of_the_options() -> None:
    usual = {option.name: option.default for option in find("strategic").options}
    kept = sheet()
    for term in ("surgeons", *TERMS, *TERMS_OF_REST):
        assert getattr(kept, term) == usual[term]


def test_a_fight_leaves_what_it_takes_to_mend_as_its_options_had_it() -> None:
    options = {
        "hours_to_care": 20, "care_coins": 1, "surgery_hours": 3, "surgeons": "always", "heals_alone": 5,
        "mend_coins": 1, "rest_hours": 4, "rest_growth": 2, "rest_days": 7,
    }  # fmt: skip
    fight = Fight("strategic", {"a": ["guard"], "b": ["thug"]}, seed=1, options=options)
    left = after_fight(fight.state, 0, fight.sheets[0])
    assert {name: getattr(left, name) for name in options} == options


# Surgery


def test_coins_are_flipped_all_through_surgery_and_what_falls_then_is_operated_on_too() -> None:
    mended, told = cared(sheet(coins_lost=2), NEVER, surgery=[AT_ONCE, NEVER, 1, NEVER, 1, NEVER, 1])
    assert told[1] == "After 24 hours of surgery 3 of 3 lost coins have come back."
    assert mended.coins == 30


def test_one_may_die_on_the_table() -> None:
    hurt = sheet(coins_lost=28, surgeons="always", hours_to_care=0)
    mended, told = cared(hurt, AT_ONCE, surgery=[AT_ONCE, AT_ONCE])
    assert told[1] == "Ada dies on the table, after 2 seconds of surgery."
    assert (mended.dead, mended.coins) == (True, 0)


def life_given(coins: int, hours: int, healer: int) -> float:
    """What an operation gives, in hours: coin by coin and second by second."""
    chances = [0.0] * coins + [1.0]
    for _ in range(3600 * hours):
        for k in range(1, coins + 1):
            falls = chances[k] / 2**k
            chances[k] -= falls
            chances[k - 1] += falls
    return (1 - 0.5**healer) * sum(chance * 2 ** (k + 1) for k, chance in enumerate(chances) if k) / 3600


@pytest.mark.parametrize(("hours", "point"), [(1, 12), (2, 13), (8, 15)])
def test_the_break_even_point_is_where_hours_of_surgery_restore_as_many_hours_of_life(hours: int, point: int) -> None:
    assert break_even(hours, 4) == point
    assert life_given(point - 1, hours, 4) < hours <= life_given(point, hours, 4)
    assert restored(point, hours, 4) / 3600 == pytest.approx(life_given(point, hours, 4))


def test_the_usual_break_even_point_is_the_documents_point_of_concern() -> None:
    assert break_even(sheet().surgery_hours, sheet().care_coins) == 15


def test_surgeons_do_not_begin_below_the_break_even_point_unless_they_always_do() -> None:
    hurt = sheet(coins_lost=16, crippling=6)
    refused, told = cared(hurt, NEVER)
    assert told[1] == (
        "The surgeons can do nothing: it takes 15 Life Coins for 8 hours of surgery to restore 8 hours of life."
    )
    assert refused == hurt, "nor do they see to the Crippling"
    tried, told = cared(replace(hurt, surgeons="always"), NEVER, surgery=[*operations(*[1] * 16), 1, 1, 1])
    assert (tried.coins, told[1]) == (30, "After 128 hours of surgery 16 of 16 lost coins have come back.")


def test_surgeons_stop_where_it_has_become_hopeless() -> None:
    mended, told = cared(sheet(coins_lost=15), NEVER, surgery=[AT_ONCE, NEVER, 0])
    assert told[1] == "After 8 hours of surgery 0 of 1 lost coins have come back. 1 coin stays lost for good."
    assert told[2].startswith("The surgeons can do nothing: it takes 15 Life Coins")
    assert mended.coins == 14


def test_a_healer_without_coins_brings_nothing_back() -> None:
    _, told = cared(sheet(coins_lost=1, care_coins=0), NEVER)
    assert told[1].startswith("The surgeons can do nothing: no number of Life Coins is enough for 8 hours")


@pytest.mark.parametrize("surgeons", ["break-even", "always"])
@pytest.mark.parametrize("coins", [14, 15, 16, 18])
def test_what_surgery_leads_to_on_average_is_what_it_does_when_it_is_done_many_times(coins: int, surgeons: str) -> None:
    walks = 1500
    hurt = sheet(coins_lost=30 - coins, hours_to_care=0, surgeons=surgeons)
    lived = [(2 ** (1 + care(hurt, Seeded(7, number))[0].coins) - 2) for number in range(walks)]
    mean = sum(lived) / walks
    spread = (sum((seconds - mean) ** 2 for seconds in lived) / walks / walks) ** 0.5
    true = after_surgery(30, 8, 4, surgeons == "always")[coins]
    assert abs(mean - true) <= 4 * spread + 1


# Crippling


@pytest.mark.parametrize(
    ("level", "time"), [(1, "8 hours"), (2, "24 hours"), (3, "3 days"), (4, "9 days"), (5, "27 days"), (6, "81 days")]
)
def test_the_worse_the_crippling_the_longer_it_takes(level: int, time: str) -> None:
    mended, told = rest(sheet(crippling=level, crippling_treated=level, coins_lost=5), Seeded(1))
    assert (mended.crippling, mended.coins_lost) == (level - 1, 5), "and it brings back no coin"
    assert told[0] == f"Ada rests for {time}: Crippling is now {level - 1}."
    assert mended.crippling_treated == level - 1, "what comes on top of it later has not been seen to"


def test_no_point_takes_longer_than_a_year() -> None:
    assert [hours_in_bed(level, 0, 8, 3) for level in (7, 8, 40)] == [5832, 8766, 8766]


def test_a_bed_is_enough_for_three_points_and_no_more() -> None:
    for level in range(1, 8):
        hurt = sheet(crippling=level)
        rested, told = rest(hurt, Seeded(1))
        assert (rested.crippling < level) == (level <= 3)
        if level > 3:
            assert rested == hurt
            assert told[0].startswith(f"Crippling {level}: a healer must first treat {level - 3} point")


def test_a_healer_sees_to_what_no_bed_heals_and_some_of_it_stays_for_good() -> None:
    seen, told = cared(sheet(crippling=6), NEVER, surgery=[3, 0, 1])
    assert (seen.crippling, seen.crippling_treated, seen.crippling_stays) == (6, 6, 1)
    assert told[2:] == [
        "The healer treats 3 points of Crippling: 1 of them stays for good.",
        "Crippling 6: 121 days in bed heal all but 1, for good.",
    ]
    while seen.crippling > 1:
        seen, told = rest(seen, Seeded(1))
    assert told == ["Ada rests for 24 hours: Crippling is now 1.", "Crippling 1 stays for good."]
    for mend in (care, rest):
        assert mend(seen, Seeded(2))[0] == seen, "no second visit and no bed helps"


def test_what_a_healer_has_seen_to_is_not_flipped_for_again() -> None:
    seen, _ = cared(sheet(crippling=5), NEVER, surgery=[1, 1])
    again, told = cared(seen, NEVER)
    assert again == seen
    assert told[-1] == "Crippling 5: 40.3 days in bed heal all of it."
    worse, _ = cared(replace(again, crippling=6), NEVER, surgery=[0])
    assert (worse.crippling_treated, worse.crippling_stays) == (6, 1)


@pytest.mark.parametrize(("flip", "says"), [(0, "it stays for good"), (2, "it will heal")])
def test_a_single_point_is_told_as_one(flip: int, says: str) -> None:
    assert cared(sheet(crippling=4), NEVER, surgery=[flip])[1][2] == (
        f"The healer treats 1 point of Crippling: {says}."
    )


def test_where_every_point_takes_the_same_days_it_is_as_it_was() -> None:
    """Thirty days for any point, no healer needed and no surgery: the rules of older fights."""
    hurt = sheet(crippling=7, rest_days=30, heals_alone=40, surgery_hours=0)
    mended, told = rest(hurt, Seeded(1))
    assert (mended.crippling, told[0]) == (6, "Ada rests for 30 days: Crippling is now 6.")
    seen, _ = cared(replace(hurt, coins_lost=1), NEVER, surgery=operations(1))
    assert (seen.crippling, seen.crippling_stays) == (7, 0)


def test_whoever_is_well_needs_no_rest() -> None:
    mended, told = rest(sheet(), Seeded(1))
    assert mended == sheet()
    assert told == ["Ada has no Crippling to heal."]


def test_one_has_to_live_as_long_as_it_takes() -> None:
    hurt = sheet(crippling=2, coins_lost=14)  # 16 coins last a day and a half
    quick, told = rest(replace(hurt, rest_days=1), Scripted(NEVER))
    assert (quick.crippling, quick.dead, told[0]) == (1, False, "Ada rests for 24 hours: Crippling is now 1.")
    lived = [sum(not rest(replace(hurt, rest_days=days), Seeded(n))[0].dead for n in range(60)) for days in (1, 2, 9)]
    assert lived[0] > lived[1] > lived[2] == 0


def test_a_bed_is_no_healer() -> None:
    dead, told = rest(sheet(crippling=3, coins_lost=25), Seeded(1))
    assert dead.dead
    assert dead.coins == 0
    assert told[0].startswith("Ada dies in bed after")
    # 20 coins last three weeks on average: some lose coins in nine days, and live.
    weaker = [rest(sheet(crippling=4, heals_alone=4, coins_lost=10), Seeded(seed)) for seed in range(40)]
    assert any(0 < mended.coins < 20 and "cost Life Coins" in told[1] for mended, told in weaker)


def test_care_and_rest_are_what_one_can_do_between_fights() -> None:
    assert set(find("strategic").recoveries) == {"care", "rest"}


def test_a_fight_of_an_older_file_goes_on_by_the_rules_it_was_begun_with() -> None:
    older = Fight.load(Path(__file__).parents[2] / "fight" / "fixtures" / "strategic-version-2.json")
    terms = ("surgery_hours", "heals_alone", "rest_days")
    assert [older.options[name] for name in terms] == [0, 40, 30]
    assert [option.default for option in find("strategic").options if option.name in terms] == [8, 3, 0]
