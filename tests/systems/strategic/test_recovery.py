"""Between fights: what lasts, the way to the healer coin by coin, and days in bed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import comb
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
from affray.systems.strategic.life import Life
from affray.systems.strategic.recovery import after_fight, care, rest
from affray.systems.strategic.sheets import SHEETS, Sheet
from affray.systems.strategic.state import DEAD

Scenery = Callable[..., Any]
AT_ONCE, NEVER = [0] * 7, [255] * 7  # a coin lost in the next second, and one that lasts as long as any


def sheet(**changes: object) -> Sheet:
    return SHEETS.enlist({"name": "Ada", **changes})


def cared(hurt: Sheet, *waits: list[int], flips: list[int] | None = None) -> tuple[Sheet, list[str]]:
    """Ada on the way, with so long a wait for each coin in turn, and then the healer's coins, all of them."""
    dice = Scripted([pick for wait in waits for pick in wait] + (flips or []))
    mended, told = care(hurt, dice)
    dice.finish()
    return mended, told


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


@settings(deadline=None, max_examples=40)
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
    mended, told = cared(sheet(coins_lost=3), *[NEVER] * 27, flips=[1, 0, 4])
    assert told == [
        "Ada reaches the healer after 6 hours, with 27 Life Coins.",
        "2 of 3 lost coins come back. 1 coin stays lost for good.",
    ]
    assert (mended.coins_lost, mended.coins_gone) == (1, 1)


@pytest.mark.parametrize("flips", [[0], [1], [4], [0, 0], [0, 3], [2, 2], [0, 1, 0, 4]])
def test_a_lost_coin_comes_back_unless_all_four_of_the_healers_coins_show_tails(flips: list[int]) -> None:
    mended, _ = cared(sheet(coins_lost=len(flips)), *[NEVER] * (30 - len(flips)), flips=flips)
    assert mended.coins_lost == sum(flip == 0 for flip in flips)


def test_a_coin_that_a_healer_could_not_give_back_stays_lost() -> None:
    once, told = cared(sheet(coins_lost=12), *[NEVER] * 18, flips=[1] * 11 + [0])
    assert told[1] == "11 of 12 lost coins come back. 1 coin stays lost for good."
    again, told = cared(once, *[NEVER] * 29)
    assert told[1] == "There is nothing to mend. 1 coin stays lost for good."
    assert again == once
    hurt = replace(again, coins_lost=4)  # three more in a fight
    third, told = cared(hurt, *[NEVER] * 26, flips=[4, 0, 4])
    assert told[1] == "2 of 3 lost coins come back. 2 coins stay lost for good."
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
    mended, told = cared(ten, AT_ONCE, AT_ONCE, *[NEVER] * 18, flips=[1, 1, 1, 0])
    assert told[0] == "Ada reaches the healer after 6 hours, with 18 Life Coins."
    assert mended.coins_lost == 1


def test_whoever_loses_the_last_coin_on_the_way_is_dead() -> None:
    mended, told = cared(sheet(coins_lost=27), AT_ONCE, AT_ONCE, AT_ONCE)
    assert told == ["Ada dies 3 seconds after the fight; the healer was 6 hours away."]
    assert (mended.dead, mended.coins) == (True, 0)


def test_with_no_way_to_go_nobody_dies_on_it() -> None:
    mended, told = cared(sheet(coins_lost=29, hours_to_care=0), AT_ONCE, flips=[1] * 29)
    assert told[0] == "Ada reaches the healer after 0 hours, with 1 Life Coin."
    assert (mended.dead, mended.coins) == (False, 30)


def test_an_unhurt_fighter_has_nothing_to_mend() -> None:
    mended, told = cared(sheet(), *[NEVER] * 30)
    assert told[1] == "There is nothing to mend."
    assert mended == sheet()


def test_a_healer_does_nothing_about_crippling() -> None:
    mended, _ = cared(sheet(crippling=4, coins_lost=1), *[NEVER] * 29, flips=[1])
    assert (mended.crippling, mended.coins_lost) == (4, 0)


@pytest.mark.parametrize("dead", [{"dead": True}, {"coins_lost": 30}])
def test_nobody_can_do_anything_for_the_dead(dead: dict[str, object]) -> None:
    for mend in (care, rest):
        with pytest.raises(Invalid, match="Ada is dead"):
            mend(sheet(**dead), Seeded(1))


@pytest.mark.parametrize(("coins", "hours"), [(12, 1), (13, 6), (14, 6)])
def test_as_many_die_on_the_way_as_their_coins_say(coins: int, hours: int) -> None:
    walks = 2000
    hurt = sheet(coins_lost=30 - coins, hours_to_care=hours)
    died = sum(care(hurt, Seeded(seed))[0].dead for seed in range(walks))
    chance = Life(coins).death(hours * 3600)
    assert abs(died - walks * chance) < 4 * (walks * chance * (1 - chance)) ** 0.5


def test_a_healer_mends_fifteen_coins_in_sixteen() -> None:
    walks = 2000
    hurt = sheet(coins_lost=3)
    stay = Counter(care(hurt, Seeded(seed))[0].coins_lost for seed in range(walks))
    for lost in range(3):
        chance = comb(3, lost) * 15 ** (3 - lost) / 16**3
        assert abs(stay[lost] - walks * chance) < 4 * (walks * chance * (1 - chance)) ** 0.5


def test_the_healer_of_the_sheets_is_the_healer_of_the_options() -> None:
    usual = {option.name: option.default for option in find("strategic").options}
    assert (usual["hours_to_care"], usual["care_coins"]) == (sheet().hours_to_care, sheet().care_coins)


def test_a_fight_leaves_what_it_takes_to_mend_as_its_options_had_it() -> None:
    options = {"hours_to_care": 20, "care_coins": 1, "rest_days": 7}
    fight = Fight("strategic", {"a": ["guard"], "b": ["thug"]}, seed=1, options=options)
    left = after_fight(fight.state, 0, fight.sheets[0])
    assert (left.hours_to_care, left.care_coins, left.rest_days) == (20, 1, 7)


# In bed


@pytest.mark.parametrize("crippling", [1, 2, 7])
def test_thirty_days_in_bed_heal_one_point_of_crippling(crippling: int) -> None:
    mended, told = rest(sheet(crippling=crippling, coins_lost=5), Seeded(1))
    assert (mended.crippling, mended.coins_lost) == (crippling - 1, 5), "and brings back no coin"
    assert told == [f"Ada rests for 30 days: Crippling is now {crippling - 1}."]


def test_whoever_is_well_only_rests() -> None:
    mended, told = rest(sheet(), Seeded(1))
    assert mended == sheet()
    assert told == ["Ada rests for 30 days: there was no Crippling to heal."]


def test_so_many_days_take_one_point_of_crippling_away_as_the_sheet_says() -> None:
    hurt = sheet(crippling=2, coins_lost=14)  # 16 coins last a day and a half
    quick, told = rest(replace(hurt, rest_days=1), Scripted(NEVER * 16))
    assert (quick.crippling, quick.dead, told) == (1, False, ["Ada rests for 1 day: Crippling is now 1."])
    lived = [sum(not rest(replace(hurt, rest_days=days), Seeded(n))[0].dead for n in range(60)) for days in (1, 2, 9)]
    assert lived[0] > lived[1] > lived[2] == 0


def test_a_bed_is_no_healer() -> None:
    dead, told = rest(sheet(crippling=2, coins_lost=25), Seeded(1))
    assert dead.dead
    assert dead.coins == 0
    assert told[0].startswith("Ada dies in bed after")
    # 20 coins last three weeks on average: some lose coins in 30 days, and live.
    weaker = [rest(sheet(coins_lost=9), Seeded(seed)) for seed in range(40)]
    assert any(0 < mended.coins < 21 and "cost Life Coins" in told[-1] for mended, told in weaker)


def test_care_and_rest_are_what_one_can_do_between_fights() -> None:
    assert set(find("strategic").recoveries) == {"care", "rest"}
