"""Life Coins against their own definition: flip all of them every second, lose one when all come up Tails."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import islice, pairwise
from math import inf, nan
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.kernel.chance import Fair, Scripted, Seeded
from affray.systems.strategic.life import HOUR, MOST_COINS, YEAR, YEARS, Ageing, Life, perish_table

# --- the same, written down second by second -------------------------------------------------------------------------


def flipped(chances: list[Fraction]) -> list[Fraction]:
    """One second later: with k coins, 1 chance in 2**k to have one less."""
    lost = [Fraction(0), *(chance / 2**k for k, chance in enumerate(chances[1:], 1)), Fraction(0)]
    return [chance - lost[k] + lost[k + 1] for k, chance in enumerate(chances)]


def seconds_of(coins: int, *, year: int = 0, lived: int = 0, since: int = 0, each: int = 0) -> Iterator[list[Fraction]]:
    """The chance of each number of coins after 0, 1, 2... seconds, for a fighter who has lived so many seconds."""
    chances = [Fraction(0)] * coins + [Fraction(1)]
    while True:
        yield chances
        chances, lived = flipped(chances), lived + 1
        if each and lived % year == 0 and lived // year > since:
            chances = [sum(chances[: each + 1], Fraction(0)), *chances[each + 1 :], *[Fraction(0)] * each][: coins + 1]


def after(coins: int, seconds: int) -> list[Fraction]:
    return next(islice(seconds_of(coins), seconds, None))


def flip_through(coins: int, random: Random) -> int:
    """A life with every single flip: the second of death."""
    seconds = 0
    while coins:
        seconds += 1
        if random.getrandbits(coins) == 0:
            coins -= 1
    return seconds


def precisely(coins: int, seconds: int) -> Decimal:
    """The chance to live longer than that with hundreds of digits, so that nothing can cancel."""
    total = Decimal(0)
    for k in range(1, coins + 1):
        weight = Decimal(1)
        for i in range(1, coins + 1):
            if i != k:
                weight /= 1 - Decimal(2) ** (i - k)
        total += weight * (1 - Decimal(2) ** -k) ** seconds
    return total


def chi_square(counts: list[int], expected: list[float]) -> float:
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


# --- figures of the rulings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coins", range(6))
def test_the_mean_is_the_sum_of_the_chances_to_be_still_alive(coins: int) -> None:
    seconds = 1500
    summed = sum(1 - chances[0] for chances in islice(seconds_of(coins), seconds))
    assert 0 <= 2 ** (coins + 1) - 2 - summed < Fraction(1, 10**15), "what comes after 1500 seconds is next to nothing"
    assert Life(coins).mean == 2 ** (coins + 1) - 2


@pytest.mark.long
@pytest.mark.parametrize("coins", range(1, 6))
def test_the_variance_is_that_of_the_seconds_of_death(coins: int) -> None:
    dead = [chances[0] for chances in islice(seconds_of(coins), 2000)]
    square = sum(t * t * (dead[t] - dead[t - 1]) for t in range(1, 2000))
    variance = square - Fraction(2 ** (coins + 1) - 2) ** 2
    assert Life(coins).variance == pytest.approx(float(variance), rel=1e-12)
    assert Life(coins).deviation ** 2 == pytest.approx(float(variance), rel=1e-12)


@pytest.mark.parametrize(("coins", "years"), [(30, "68.05"), (29, "34.02"), (28, "17.01"), (27, "8.51")])
def test_the_years_that_a_child_is_born_with(coins: int, years: str) -> None:
    assert f"{Life(coins).mean / YEAR:.2f}" == years


@pytest.mark.parametrize(("coins", "hours"), [(15, "18.20"), (14, "9.10"), (13, "4.55")])
def test_the_hours_of_the_badly_wounded(coins: int, hours: str) -> None:
    assert f"{Life(coins).mean / HOUR:.2f}" == hours


@pytest.mark.parametrize(("coins", "chance"), [(8, "5e-07"), (6, "0.003"), (5, "0.054"), (4, "0.34")])
def test_who_dies_within_twenty_rounds(coins: int, chance: str) -> None:
    digits = len(chance.replace("0.", "").lstrip("0")) if "e" not in chance else 1
    assert f"{Life(coins).death(20):.{digits}g}" == chance
    assert Life(coins).death(20) == pytest.approx(float(after(coins, 20)[0]), rel=1e-13)


def test_nobody_dies_before_each_coin_has_had_its_second() -> None:
    assert Life(15).death(14) == 0
    assert Life(15).death(15) == 2.0 ** -sum(range(1, 16)), "all Tails fifteen times running, with one coin less each"


def test_the_table_of_years_has_the_mean_in_thousandths() -> None:
    assert len(YEARS) == MOST_COINS + 1
    assert all(
        abs(Fraction(years, 1000) - Fraction(2 ** (n + 1) - 2, YEAR)) <= Fraction(1, 2000)
        for n, years in enumerate(YEARS)
    )
    assert (YEARS[0], YEARS[27], YEARS[30]) == (0, 8506, 68050)


def test_the_table_of_perishing_has_the_chance_in_millionths() -> None:
    table = perish_table(20 / HOUR)
    assert len(table) == MOST_COINS + 1
    assert list(table[:9]) == [round(10**6 * after(coins, 20)[0]) for coins in range(9)]
    assert perish_table(0) == (1_000_000, *[0] * MOST_COINS)
    assert perish_table(2.3)[12] == round(10**6 * float(1 - precisely(12, 8280)))


# --- the distribution ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coins", range(7))
def test_the_chances_are_those_of_flipping_second_by_second(coins: int) -> None:
    life = Life(coins)
    for second, chances in enumerate(islice(seconds_of(coins), 300)):
        assert life.after(second) == pytest.approx([float(chance) for chance in chances], rel=1e-12, abs=0)
        assert life.survival(second) == pytest.approx(float(1 - chances[0]), rel=1e-12, abs=0)
        left = life.coins_after(second)
        assert left == pytest.approx({k: float(chances[k] / (1 - chances[0])) for k in left}, rel=1e-12)
        assert [k for k in range(coins, 0, -1) if chances[k]] == list(left)


def test_three_coins_last_as_long_as_flipping_them_does() -> None:
    random, lives, longest = Random(20), 20_000, 60
    fallen = Counter(min(longest, flip_through(3, random)) for _ in range(lives))
    life = Life(3)
    chances = [life.death(second) - life.death(second - 1) for second in range(3, longest)]
    expected = [lives * chance for chance in [*chances, life.survival(longest - 1)]]
    rare = next(second for second, mean in enumerate(expected, 3) if mean < 10)
    counts = [fallen[second] for second in range(3, rare)] + [sum(fallen[second] for second in range(rare, 61))]
    assert sum(counts) == lives
    assert chi_square(counts, [*expected[: rare - 3], sum(expected[rare - 3 :])]) < 85, "47 degrees of freedom"


@pytest.mark.parametrize(
    ("coins", "seconds"),
    [
        (30, 10**9),
        (30, 10**11),
        (40, 10**11),
        (40, 10**14),
        (29, 7),
        (15, 90),
        (20, 20 * HOUR),
        (30, 20 * HOUR),
        (40, 60),
    ],
)
def test_neither_long_times_nor_tiny_chances_cost_digits(coins: int, seconds: int) -> None:
    with localcontext() as context:
        context.prec = 1200
        alive = precisely(coins, seconds)
        dead = float(1 - alive) if seconds >= coins else 0.0
        assert Life(coins).survival(seconds) == pytest.approx(float(alive), rel=1e-11, abs=0)
        assert Life(coins).death(seconds) == pytest.approx(dead, rel=1e-11, abs=0)


def test_between_two_seconds_nothing_happens() -> None:
    assert Life(5).survival(20.999) == Life(5).survival(20)
    assert Life(5).survival(inf) == 0
    assert Life(5).death(10**30) == 1


COINS = st.integers(1, MOST_COINS)
TIMES = st.integers(0, 50).flatmap(lambda power: st.integers(0, 2**power))
SHARES = st.floats(1e-9, 1 - 1e-9)
AGES = st.one_of(st.none(), st.builds(Ageing, st.integers(0, 120), st.integers(1, 5)))


@settings(deadline=None)
@given(COINS, st.floats(0, 130), AGES, SHARES)
def test_a_quantile_is_the_first_second_by_which_the_share_is_dead(
    coins: int, age: float, ageing: Ageing | None, share: float
) -> None:
    life = Life(coins, age, ageing)
    second = life.quantile(share)
    assert life.death(second) >= share * (1 - 1e-12)
    assert life.death(second - 1) <= share * (1 + 1e-12)
    assert life.survival(second) <= (1 - share) * (1 + 1e-6)


@pytest.mark.parametrize("coins", range(1, 6))
def test_a_quantile_is_exact_where_seconds_can_be_counted(coins: int) -> None:
    dead = [chances[0] for chances in islice(seconds_of(coins), 400)]
    for share in (0.05, 0.25, 0.3, 0.5, 0.75, 0.95, 0.99):
        first = next(second for second, chance in enumerate(dead) if chance >= Fraction(share))
        assert Life(coins).quantile(share) == first
    assert Life(coins).median == next(second for second, chance in enumerate(dead) if chance >= Fraction(1, 2))


@settings(deadline=None)
@given(COINS, st.floats(0, 130), AGES, TIMES, TIMES)
def test_survival_only_falls_with_time_and_chances_are_chances(
    coins: int, age: float, ageing: Ageing | None, one: int, other: int
) -> None:
    life = Life(coins, age, ageing)
    early, late = sorted((one, other))
    assert 0 <= life.survival(late) <= life.survival(early) * (1 + 1e-12) <= 1 + 1e-12
    assert 0 <= life.death(early) <= life.death(late) * (1 + 1e-12) <= 1 + 1e-12
    assert sum(life.after(late)) == pytest.approx(1, rel=1e-12)
    assert all(0 <= chance <= 1 + 1e-12 for chance in life.after(late))
    left = life.coins_after(late)
    assert not left or sum(left.values()) == pytest.approx(1, rel=1e-12)


@settings(deadline=None)
@given(st.integers(0, MOST_COINS - 1), st.floats(0, 130), AGES, TIMES)
def test_one_more_coin_is_never_worse(coins: int, age: float, ageing: Ageing | None, seconds: int) -> None:
    fewer, more = Life(coins, age, ageing), Life(coins + 1, age, ageing)
    assert more.survival(seconds) >= fewer.survival(seconds) * (1 - 1e-12)
    assert more.mean >= fewer.mean * (1 - 1e-9)
    assert more.median >= fewer.median


def test_a_curve_begins_alive_and_ends_where_one_in_a_hundred_is() -> None:
    curve = Life(30).curve(60)
    assert len(curve) == 60
    assert curve[0] == (0, 1.0)
    assert curve[-1][1] <= 0.01 < Life(30).survival(curve[-1][0] - 1)
    assert [second for second, _ in curve] == sorted({second for second, _ in curve})
    assert all(alive == Life(30).survival(second) for second, alive in curve)
    assert Life(3).curve(5, until=8) == [(t, float(1 - after(3, t)[0])) for t in (0, 2, 4, 6, 8)]


# --- ageing ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    coins=st.integers(0, 5),
    year=st.integers(1, 12),
    lived=st.integers(0, 60),
    since=st.integers(0, 6),
    each=st.integers(1, 3),
)
def test_ageing_is_that_of_a_life_lived_second_by_second(
    coins: int, year: int, lived: int, since: int, each: int
) -> None:
    life = Life(coins, lived / year, Ageing(since, each), year)
    course = list(islice(seconds_of(coins, year=year, lived=lived, since=since, each=each), (since + 7) * year + 1))
    assert course[-1][0] == 1, "by then nobody has a coin left"
    for second, chances in enumerate(course):
        assert life.after(second) == pytest.approx([float(chance) for chance in chances], rel=1e-11, abs=0)
    alive = [1 - chances[0] for chances in course]
    mean = sum(alive)
    square = sum((2 * second + 1) * chance for second, chance in enumerate(alive))
    assert life.mean == pytest.approx(float(mean), rel=1e-11)
    assert life.variance == pytest.approx(float(square - mean**2), rel=1e-9, abs=1e-9)
    for share in (0.07, 0.5, 0.93):
        assert life.quantile(share) == next(t for t, chance in enumerate(alive) if 1 - chance >= Fraction(share))


def test_with_30_coins_at_100_there_are_at_most_30_more_years() -> None:
    life = Life(30, 100, Ageing(), year=1)
    assert life.survival(29) > 0
    assert life.survival(30) == 0
    assert Life(30, 100, Ageing(coins=2), year=1).survival(15) == 0
    assert Life(30, 100.5, Ageing(), year=2).survival(58) > 0
    assert Life(30, 100.5, Ageing(), year=2).survival(59) == 0


def test_before_its_first_birthday_ageing_changes_nothing() -> None:
    young, ageless = Life(30, 20, Ageing()), Life(30, 20)
    assert young.survival(81 * YEAR - 1) == ageless.survival(81 * YEAR - 1)
    assert young.after(81 * YEAR)[30] == 0
    assert young.after(81 * YEAR)[29] == pytest.approx(ageless.after(81 * YEAR)[30], rel=1e-12)
    assert Life(30, 70, Ageing(since=60)).mean < Life(30, 70, Ageing()).mean < Life(30, 70).mean


def test_without_ageing_coins_do_not_know_how_old_one_is() -> None:
    assert Life(20, 99).mean == Life(20).mean
    assert Life(20, 150).after(10**6) == Life(20).after(10**6)


# --- wounds, treatment, healers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("coins", [2, 15, 30])
def test_a_lethal_point_costs_half_of_life_and_a_treatment_doubles_it(coins: int) -> None:
    life = Life(coins)
    assert life.change(-1).mean == -(2**coins)
    assert life.change(+1).mean == 2 ** (coins + 1)
    assert life.change(+3).mean == 2 ** (coins + 4) - 2 ** (coins + 1)
    assert life.change(-1, 5 * HOUR).survival == Life(coins - 1).survival(5 * HOUR) - life.survival(5 * HOUR)
    assert life.with_coins(-1) == Life(coins - 1)
    assert life.with_coins(-99).mean == 0


def test_who_reaches_the_healer_and_how() -> None:
    chances = after(6, 50)
    alive, coins = Life(6).arrival(50)
    assert alive == pytest.approx(float(1 - chances[0]), rel=1e-12)
    assert coins == pytest.approx(
        float(sum(k * chance for k, chance in enumerate(chances)) / (1 - chances[0])), rel=1e-12
    )
    assert Life(0).arrival(50) == (0, 0)


@pytest.mark.parametrize("treated", [0, 1, 3])
def test_treatment_on_arrival_is_for_those_who_arrive(treated: int) -> None:
    chances = after(6, 50)
    later = sum(chance * (2 ** (k + treated + 1) - 2) for k, chance in enumerate(chances) if k) / (1 - chances[0])
    assert Life(6).mean_after_care(50, treated) == pytest.approx(float(later), rel=1e-12)
    assert Life(0).mean_after_care(50, treated) == 0


@pytest.mark.parametrize("moment", [0, 3, 7, 8, 20])
def test_treatment_on_arrival_does_not_stop_ageing(moment: int) -> None:
    year, lived = 7, 13
    born = list(islice(seconds_of(4, year=year, lived=lived, since=1, each=1), moment + 1))[-1]
    later = Fraction(0)
    for k, chance in enumerate(born[1:], 1):
        course = islice(seconds_of(k + 2, year=year, lived=lived + moment, since=1, each=1), 200)
        later += chance / (1 - born[0]) * sum(1 - chances[0] for chances in course)
    life = Life(4, lived / year, Ageing(1, 1), year)
    assert life.mean_after_care(moment, 2) == pytest.approx(float(later), rel=1e-11)


# --- one life --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "life", [Life(30), Life(4), Life(30, 60, Ageing()), Life(12, 3, Ageing(2, 1), year=900)], ids=repr
)
def test_lives_are_as_long_as_the_exact_chances_have_it(life: Life) -> None:
    count = 2000
    deaths = [life.lived(Seeded(5, number)).death for number in range(count)]
    assert abs(sum(deaths) / count - life.mean) < 4 * life.deviation / count**0.5
    bounds = sorted({life.quantile(tenth / 10) for tenth in range(1, 10)})
    below = [0.0, *(life.death(bound) for bound in bounds), 1.0]
    expected = [count * (high - low) for low, high in pairwise(below)]
    counts = Counter(sum(death > bound for bound in bounds) for death in deaths)
    assert chi_square([counts[place] for place in range(len(expected))], expected) < 28, "nine degrees of freedom"


def test_each_coin_is_lost_in_its_time() -> None:
    lives = [Life(15).lived(Seeded(6, number)) for number in range(2000)]
    assert all(len(lived.lost) == 15 and not lived.aged for lived in lives)
    assert all(one < other for lived in lives for one, other in pairwise(lived.lost))
    for place, coins in enumerate(range(15, 0, -1)):
        waits = [lived.lost[place] - (lived.lost[place - 1] if place else 0) for lived in lives]
        assert abs(sum(waits) / 2000 - 2**coins) < 4 * (4**coins - 2**coins) ** 0.5 / 2000**0.5
    alive, coins_left = Life(15).arrival(5 * HOUR)
    arrived = [lived.coins_at(5 * HOUR) for lived in lives if lived.death > 5 * HOUR]
    assert abs(len(arrived) / 2000 - alive) < 4 * (alive * (1 - alive) / 2000) ** 0.5
    assert abs(sum(arrived) / len(arrived) - coins_left) < 0.1


def picks(number: int) -> list[int]:
    """Seven picks that make a number of 56 binary digits."""
    return list(number.to_bytes(7, "big"))


def test_the_unluckiest_lose_a_coin_every_second() -> None:
    script = Scripted(picks(0) * 9)
    assert Life(9).lived(script).lost == tuple(range(1, 10))
    script.finish()


def test_a_coin_falls_at_the_second_that_the_chances_say() -> None:
    half, three_quarters = 2**55, 3 * 2**54
    for number, second in [(half - 8, 1), (half, 2), (three_quarters - 8, 2), (three_quarters, 3), (2**56 - 1, 54)]:
        assert Life(1).lived(Scripted(picks(number))).death == second
    for number, second in [(2**26 - 8, 1), (2**26, 2)]:
        assert Life(30, ageing=Ageing()).lived(Scripted(picks(number) + picks(0) * 29)).lost[0] == second


def test_coins_fall_before_a_birthday_takes_its_own() -> None:
    # One coin of the two falls at second 1, which is the birthday; the other goes with the year.
    script = Scripted(picks(0) + picks(0))
    lived = Life(2, 100, Ageing(), year=1).lived(script)
    assert (lived.lost, lived.aged) == ((1, 1), 1)


def test_ageing_takes_as_many_coins_as_there_are() -> None:
    late = 2**56 - 1
    lived = Life(3, 100, Ageing(coins=2), year=10).lived(Scripted(picks(late) * 2))
    assert (lived.lost, lived.aged) == ((10, 10, 20), 3)
    assert [lived.coins_at(second) for second in (0, 9, 10, 19, 20)] == [3, 3, 1, 1, 0]


def test_the_same_seed_gives_the_same_life_from_any_source() -> None:
    seeded = Seeded(7, 3)
    lived = Life(30).lived(seeded)
    assert Life(30).lived(Seeded(7, 3)) == lived != Life(30).lived(Seeded(7, 4))
    script = Scripted(seeded.fallen)
    assert Life(30).lived(script) == lived
    script.finish()
    assert Life(30).lived(Fair(bytes(32))).death >= 30
    assert Life(0).lived(Scripted([])).death == 0


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Life(41), "coins must be 0 to 40, not 41"),
        (lambda: Life(-1), "coins must be 0 to 40, not -1"),
        (lambda: Life(2.5), "coins must be a whole number, 0 to 40, not 2.5"),
        (lambda: Life(30, -1), "age must be a number of years, 0 to 1000, not -1"),
        (lambda: Life(30, nan), "age must be a number of years, 0 to 1000, not nan"),
        (lambda: Life(30, year=0), "year must be 1 to 31557600000, not 0"),
        (lambda: Ageing(-1), "ageing: since must be 0 to 1000, not -1"),
        (lambda: Ageing(coins=0), "ageing: coins must be 1 to 40, not 0"),
        (lambda: Life().survival(-1), "seconds must be a number, 0 or more, not -1"),
        (lambda: Life().death(nan), "seconds must be a number, 0 or more, not nan"),
        (lambda: Life().quantile(1), "share must be a number above 0 and below 1, not 1"),
        (lambda: Life().with_coins(11), "coins must be 0 to 40, not 41"),
        (lambda: Life().mean_after_care(HOUR, 11), "coins must be 0 to 40, not 41"),
        (lambda: perish_table(-1), "hours must be a number, 0 or more, not -1"),
    ],
)
def test_what_no_life_can_be_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(Invalid) as refused:
        make()  # type: ignore[operator]
    assert sentence in str(refused.value)


def test_a_life_can_be_written_down_and_read_again() -> None:
    life = Life(28, 71.5, Ageing(90, 2))
    assert eval(repr(life)) == life


def test_coins_need_nothing_that_is_not_python() -> None:
    code = "import sys, affray.systems.strategic.life; sys.exit(any(m in sys.modules for m in ('numba', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
