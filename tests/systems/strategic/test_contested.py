"""Contested rolls against binomials that are counted here, coin by coin: all pairs, Flip-Offs, and more than two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import pytest

from affray.kernel import records
from affray.kernel.exact import Exact
from affray.kernel.records import blank
from affray.systems.strategic import abilities, arms, rules, stakes
from affray.systems.strategic.state import DOWN, FOR_ATTACK, FOR_DEFENCE, JAB, PARRY, Fight

Weigh = Callable[[Callable[[Exact], Any]], dict[Any, Fraction]]
Scenery = Callable[..., Any]


@cache
def heads_of(coins: int) -> tuple[Fraction, ...]:
    """How likely each number of Heads is: one coin after another, not by a formula."""
    chances = [Fraction(1)]
    for _ in range(coins):
        chances = [(a + b) / 2 for a, b in zip([*chances, Fraction(0)], [Fraction(0), *chances], strict=True)]
    return tuple(chances)


def margins(coins: int, against: int) -> dict[int, Fraction]:
    """Every margin with its chance: 0 is a Flip-Off won, -1 one lost, -1 - n a loss by n."""
    chances: Counter[int] = Counter()
    for mine, theirs in product(range(coins + 1), range(against + 1)):
        chance = heads_of(coins)[mine] * heads_of(against)[theirs]
        if mine == theirs:
            chances[0] += chance / 2
            chances[-1] += chance / 2
        else:
            chances[mine - theirs - (theirs > mine)] += chance
    return dict(chances)


@cache
def won(coins: int, against: int) -> Fraction:
    return sum((chance for margin, chance in margins(coins, against).items() if margin >= 0), Fraction(0))


@pytest.mark.parametrize("coins", range(31))
def test_every_margin_of_a_contested_roll_is_as_likely_as_its_binomials_say(weigh: Weigh, coins: int) -> None:
    fight = blank(Fight, 2)
    for against in range(31):
        found = weigh(
            lambda dice, against=against: rules.contest(
                fight, 0, 1, coins, against, FOR_ATTACK, FOR_DEFENCE, dice, None
            )
        )
        assert found == margins(coins, against)


def test_the_binomials_of_this_file_are_binomials() -> None:
    assert all(heads_of(n) == tuple(Fraction(comb(n, k), 2**n) for k in range(n + 1)) for n in range(31))


@pytest.mark.parametrize("coins", range(31))
def test_equal_coins_are_an_even_contest(coins: int) -> None:
    assert won(coins, coins) == Fraction(1, 2)


def test_attack_7_against_defence_7_hits_in_exactly_half_of_all_blows(duel: Scenery, weigh: Weigh) -> None:
    scene = duel(bob={"agility": 0, "hardiness": 1}, control_base=20)
    fists = arms.FISTS
    scene["bob"].guard = 1  # his defence is 6 without Agility
    scene.move("ada", "jab pain")
    scene["ada"].strength, scene["ada"].weapon = 0, fists
    scene["ada"].training = 5  # a jab of 7 coins, for which the fewest pools are flipped

    def struck(dice: Exact) -> bool:
        state = records.copy(scene.fight.state)
        state.defence = PARRY
        rules.strike(state, dice, None)
        return bool(state.fighters[1].pain)

    assert abilities.attack_coins(scene.fight.state, scene["ada"], JAB) == 7
    assert abilities.defence_coins(scene.fight.state, scene["bob"], PARRY) == 7
    assert weigh(struck) == {True: Fraction(1, 2), False: Fraction(1, 2)}


def test_one_more_coin_is_always_better() -> None:
    for coins, against in product(range(30), range(31)):
        assert won(coins + 1, against) > won(coins, against)


def test_no_coins_against_none_is_a_flip_off() -> None:
    assert margins(0, 0) == {0: Fraction(1, 2), -1: Fraction(1, 2)}


# Initiative among three


def initiative_by_enumeration(*abilities: int) -> list[Fraction]:
    """Every way the coins of several fall; those who tie for the most share the chance alike."""
    chances = [Fraction(0)] * len(abilities)
    for shown in product(*(range(coins + 1) for coins in abilities)):
        tied = [who for who, heads in enumerate(shown) if heads == max(shown)]
        chance = Fraction(1)
        for coins, heads in zip(abilities, shown, strict=True):
            chance *= heads_of(coins)[heads]
        for who in tied:
            chances[who] += chance / len(tied)
    return chances


@pytest.mark.parametrize("changes", [(0, 0, 0), (0, 1, -1), (3, -2, -7), (-7, -7, -7), (5, 5, -6)])
def test_initiative_among_three_is_won_as_enumeration_says(
    brawl: Scenery, weigh: Weigh, changes: tuple[int, int, int]
) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    for fighter, change in zip(scene.fight.state.fighters, changes, strict=True):
        fighter.quick = change
    found = weigh(lambda dice: rules.contest_initiative(scene.fight.state, dice, None))
    expected = initiative_by_enumeration(*(8 + change for change in changes))
    assert [found.get(who, Fraction(0)) for who in range(3)] == expected
    assert sum(expected) == 1


def test_whoever_is_out_has_no_part_in_the_contest(brawl: Scenery, weigh: Weigh) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    scene["bob"].state = DOWN
    found = weigh(lambda dice: rules.contest_initiative(scene.fight.state, dice, None))
    assert found == {0: Fraction(1, 2), 2: Fraction(1, 2)}


# The table by which computer fighters reckon


def test_the_table_of_contests_is_exact_to_the_thousandth() -> None:
    for coins, against in product(range(31), repeat=2):
        assert stakes.beats(coins, against) == int(1000 * won(coins, against))


def test_the_table_of_tails_is_exact_to_the_thousandth() -> None:
    for coins, least in product(range(31), repeat=2):
        expected = sum(heads_of(coins)[least:], Fraction(0))
        assert stakes.TAIL[coins * stakes.WIDE + least] == int(1000 * expected)


def test_the_table_of_excesses_is_exact_to_the_thousandth() -> None:
    for coins, less in product(range(0, 31, 3), repeat=2):
        expected = sum(
            (heads_of(coins)[mine] * heads_of(less)[theirs] * max(0, mine - theirs))
            for mine, theirs in product(range(coins + 1), range(less + 1))
        )
        assert stakes.EXCESS[coins * stakes.WIDE + less] == int(1000 * expected)
