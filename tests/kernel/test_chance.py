"""Chance: every question is answered alike in Python, native code and by exact weights, and nothing is slipped in."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from types import ModuleType
from typing import Any

import icepool
import pytest

from affray.errors import Invalid
from affray.kernel import chance
from affray.kernel.chance import (
    WHIM,
    Dice,
    Fair,
    Hand,
    Physical,
    Quick,
    Scripted,
    Seeded,
    Throw,
    cards_of,
    degrees,
    draw,
    draw_unseen,
    explode,
    flip_off,
    graded,
    heads,
    keep_highest,
    keep_lowest,
    percent,
    pick,
    pips,
    reaches,
    successes,
    weighted,
)
from affray.kernel.exact import Exact

SECRET = bytes(range(32))

PILE = 0b1011_0000_0101
QUESTIONS: dict[str, list[tuple[Any, ...]]] = {
    "heads": [(n,) for n in (0, 1, 2, 5, 30, 63, 64, 65, 127, 128, 200)],
    "pips": [(3, 6), (1, 6), (0, 6), (1, 1), (4, 1), (1, 20), (10, 6), (25, 6), (8, 10), (3, 100), (5, 256)],
    "reaches": [(3, 6, 10), (3, 6, 3), (3, 6, 19), (3, 6, -4), (1, 100, 76), (20, 6, 70)],
    "degrees": [(1, 20, (5, 15, 25)), (3, 6, (10,)), (2, 10, (4, 8, 12, 16, 20, 24))],
    "keep_highest": [(2, 20), (4, 6, 3), (5, 10, 2), (1, 6), (3, 6, 3), (2, 8, 5)],
    "keep_lowest": [(2, 20), (4, 6, 3), (5, 10, 2), (1, 6), (3, 6, 3)],
    "explode": [(1, 6, 1), (3, 6, 2), (2, 10, 1), (4, 4, 0), (0, 6, 2), (2, 1, 3)],
    "successes": [(1, 5), (6, 4), (9, 6), (10, 3), (30, 5), (5, 7), (5, 1), (7, 8, 10), (3, 2, 2), (40, 3, 4)],
    "percent": [(net,) for net in range(-5, 6)],
    "graded": [
        *((net, (1, 11, 28, 57, 99, 0)) for net in range(-2, 3)),
        (0, (50,)),
        (1, (10, 30, 50)),
        (0, tuple(range(90))),
    ],
    "draw": [(PILE,), (1,), (1 << 19,), ((1 << 20) - 1,), ((1 << 63) - 1,), (1 << 62 | 1,)],
    "draw_rest": [(PILE, (0,), 0), (PILE, (0b101,), 1), (PILE, (0b101, 0b101, PILE), 3), (PILE, (1 | 1 << 8, PILE), 2)],
    "draw_unseen": [(PILE,)],
    "pick": [(n,) for n in (1, 2, 3, 6, 10, 100, 256)],
    "weighted": [((3, 1),), ((0, 2, 0, 5, 1),), ((1,),), ((56, 100, 100),)],
    "flip_off": [(n,) for n in (1, 2, 3, 7, 40)],
}
BEYOND: dict[str, list[tuple[Any, ...]]] = {
    "pips": [(1, 257), (1, 1000), (3, 1000), (1, 2**20), (2, 2**20)],
    "percent": [(-9,), (-6,), (6,), (9,)],
    "pick": [(257,), (1000,), (2**20,)],
}


def asked(questions: dict[str, list[tuple[Any, ...]]]) -> list[Any]:
    return [pytest.param(kind, given, id=f"{kind}{given}") for kind, all in questions.items() for given in all]


def ask(dice: Dice, kind: str, given: tuple[Any, ...]) -> int:
    return int(getattr(chance, kind)(dice, *given))


def from_script(results: Sequence[Sequence[int] | int], run: Callable[[Dice], int]) -> int:
    """The answer for results that fall one after another and are all used up."""
    dice = Scripted(results)
    answer = run(dice)
    dice.finish()
    return answer


def distribution(run: Callable[[Dice], Any]) -> dict[Any, Fraction]:
    """Every result of `run` with its probability, by Exact."""
    found: Counter[Any] = Counter()
    for result, numerator, denominator in Exact().outcomes(run):
        found[result] += Fraction(numerator, denominator)
    return dict(found)


# Python and native


@pytest.fixture(scope="module")
def ask_natively(native: ModuleType, battery: Any) -> Callable[..., tuple[list[int], int]]:
    """Ask the native stream of (seed, number) one question many times: the answers, and how far the stream got."""
    import numpy as np

    open_streams = native.open_streams
    every = [(kind, given) for asked in (QUESTIONS, BEYOND) for kind, all in asked.items() for given in all]
    questions = battery(native, {kind: getattr(chance, kind) for kind in QUESTIONS}, every)
    ask = questions.ask

    def ask_often(dice: Any, whim: Any, seed: Any, number: Any, which: Any, numbers: Any, out: Any) -> None:
        open_streams(dice[0], whim[0], seed, number)
        for place in range(out.size):
            out[place] = ask(dice[0], which, numbers)

    compiled = native.jit(ask_often, ask)

    def many(kind: str, given: tuple[int, ...], seed: int, number: int, times: int) -> tuple[list[int], int]:
        dice, whim = np.zeros(1, native.STREAM), np.zeros(1, native.STREAM)
        out = np.zeros(times, np.int64)
        compiled(dice, whim, seed, number, *questions.put(kind, given), out)
        return out.tolist(), int(dice[0]["position"])

    return many


@pytest.mark.parametrize(("kind", "given"), asked(QUESTIONS))
def test_native_dice_fall_as_seeded_ones(
    ask_natively: Callable[..., tuple[list[int], int]], kind: str, given: tuple[int, ...]
) -> None:
    for seed, number in ((0, 0), (7, 12_345), (2**63 - 1, 2**63 - 1)):
        dice = Seeded(seed, number)
        expected = [ask(dice, kind, given) for _ in range(500)]
        assert ask_natively(kind, given, seed, number, 500) == (expected, dice.position)


@pytest.mark.parametrize(("kind", "given"), asked(BEYOND))
def test_native_dice_larger_than_any_table_has_fall_as_seeded_ones_or_are_refused(
    ask_natively: Callable[..., tuple[list[int], int]], kind: str, given: tuple[int, ...]
) -> None:
    dice = Seeded(3)
    try:
        expected = [ask(dice, kind, given) for _ in range(200)]
    except Invalid:
        return
    assert ask_natively(kind, given, 3, 0, 200) == (expected, dice.position)


@pytest.mark.parametrize(("kind", "given"), asked(QUESTIONS))
def test_what_a_stream_looks_up_is_what_it_would_have_thrown(kind: str, given: tuple[Any, ...]) -> None:
    looked_up, thrown, quick = Seeded(6, 2), Seeded(6, 2), Quick(6, 2)
    question = chance.PRIMITIVES[getattr(chance, kind)]
    for _ in range(300):
        answer = ask(looked_up, kind, given)
        assert answer == Physical.answer(thrown, question, given) == ask(quick, kind, given)
    assert looked_up.fallen == thrown.fallen
    assert [fell.throw for fell in looked_up.fallen] == [fell.throw for fell in thrown.fallen]
    assert looked_up.position == thrown.position == quick.position
    assert quick.fallen == []


# Distributions


def chi_square_is_usual(seen: Counter[Any], weights: dict[Any, Fraction]) -> bool:
    """Whether the counts could have come of the weights: under four standard deviations (Wilson, Hilferty)."""
    total = sum(seen.values())
    assert set(seen) <= {result for result, weight in weights.items() if weight}, "something impossible fell"
    rest = sum(weight for weight in weights.values() if weight * total < 5)
    common = {result: weight for result, weight in weights.items() if weight * total >= 5}
    pairs = [(seen[result], float(weight * total)) for result, weight in common.items()]
    if rest * total >= 5:
        pairs.append((sum(count for result, count in seen.items() if result not in common), float(rest * total)))
    freedom = len(pairs) - 1
    if freedom == 0:
        return True
    statistic = sum((count - expected) ** 2 / expected for count, expected in pairs)
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) < 4


STREAMS: list[Callable[[], Physical]] = [lambda: Seeded(20), lambda: Fair(SECRET), lambda: Seeded(20, 0, WHIM)]


@pytest.mark.parametrize("source", STREAMS, ids=["seeded", "fair", "whim"])
@pytest.mark.parametrize(("kind", "given"), asked(QUESTIONS))
def test_dice_fall_by_the_exact_weights(source: Callable[[], Physical], kind: str, given: tuple[int, ...]) -> None:
    dice = source()
    seen = Counter(ask(dice, kind, given) for _ in range(2_000))
    assert chi_square_is_usual(seen, distribution(lambda exact: ask(exact, kind, given)))


def test_the_chi_square_would_notice_a_loaded_die() -> None:
    weights = {face: Fraction(1, 6) for face in range(1, 7)}
    assert chi_square_is_usual(Counter(dict.fromkeys(range(1, 7), 1000)), weights)
    assert not chi_square_is_usual(Counter({1: 860, 2: 1000, 3: 1000, 4: 1000, 5: 1000, 6: 1140}), weights)


def test_every_face_of_every_die_falls_alike() -> None:
    dice = Seeded(5)
    for _ in range(6_000):
        pips(dice, 3, 6)
    for place in range(3):
        seen = Counter(faces[place] for faces in dice.fallen)
        assert chi_square_is_usual(seen, {face: Fraction(1, 6) for face in range(1, 7)})
    pairs = Counter((faces[0], faces[1]) for faces in dice.fallen)
    assert chi_square_is_usual(pairs, {(a, b): Fraction(1, 36) for a in range(1, 7) for b in range(1, 7)})


def test_fights_of_neighbouring_numbers_and_seeds_have_nothing_in_common() -> None:
    first = Counter(pips(Seeded(9, number), 1, 6) for number in range(6_000))
    assert chi_square_is_usual(first, {face: Fraction(1, 6) for face in range(1, 7)})
    walks = {tuple(Seeded(seed, number).word(i) for i in range(4)) for seed in range(40) for number in range(40)}
    words = {word for walk in walks for word in walk}
    assert len(words) == 40 * 40 * 4


# Exact weights


def from_icepool(die: Any) -> dict[int, Fraction]:
    return {int(result): Fraction(weight, die.denominator()) for result, weight in die.items()}


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_exact_coins_are_binomial(n: int) -> None:
    exact = distribution(lambda dice: heads(dice, n))
    assert exact == {k: Fraction(comb(n, k), 2**n) for k in range(n + 1)}
    assert exact == from_icepool(n @ icepool.coin(1, 2))


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (3, 6), (2, 20), (10, 6), (4, 4)])
def test_exact_sums_are_those_of_icepool(n: int, sides: int) -> None:
    assert distribution(lambda dice: pips(dice, n, sides)) == from_icepool(n @ icepool.d(sides))


@pytest.mark.parametrize("target", range(2, 20))
def test_exact_reaches_is_the_tail_of_the_sum(target: int) -> None:
    tail = distribution(lambda dice: reaches(dice, 3, 6, target)).get(True, Fraction(0))
    assert tail == sum(weight for total, weight in from_icepool(3 @ icepool.d6).items() if total >= target)


@pytest.mark.parametrize(
    ("target", "chance_of_it"), [(9, "20/27"), (10, "5/8"), (11, "1/2"), (12, "3/8"), (13, "7/27")]
)
def test_three_dice_reach_n_as_the_rulings_say(target: int, chance_of_it: str) -> None:
    assert distribution(lambda dice: reaches(dice, 3, 6, target))[True] == Fraction(chance_of_it)


@pytest.mark.parametrize(
    ("n", "at_least", "sides"), [(1, 4, 6), (5, 5, 6), (10, 3, 6), (6, 1, 6), (6, 7, 6), (8, 8, 10), (3, 20, 20)]
)
def test_exact_successes_are_binomial(n: int, at_least: int, sides: int) -> None:
    exact = distribution(lambda dice: successes(dice, n, at_least, sides))
    assert exact == from_icepool(n @ icepool.d(sides).map(lambda face: int(face >= at_least)))
    if sides == 6:
        assert exact == distribution(lambda dice: successes(dice, n, at_least))


@pytest.mark.parametrize(("n", "sides", "keep"), [(2, 20, 1), (4, 6, 3), (3, 6, 3), (5, 10, 2), (6, 4, 5), (1, 8, 1)])
def test_exact_kept_dice_are_those_of_icepool(n: int, sides: int, keep: int) -> None:
    highest, lowest = icepool.d(sides).highest(n, keep), icepool.d(sides).lowest(n, keep)
    assert distribution(lambda dice: keep_highest(dice, n, sides, keep)) == from_icepool(highest)
    assert distribution(lambda dice: keep_lowest(dice, n, sides, keep)) == from_icepool(lowest)


def test_advantage_and_disadvantage_have_their_closed_forms() -> None:
    advantage = distribution(lambda dice: keep_highest(dice, 2, 20))
    assert advantage == {face: Fraction(2 * face - 1, 400) for face in range(1, 21)}
    disadvantage = distribution(lambda dice: keep_lowest(dice, 2, 20))
    assert disadvantage == {face: Fraction(41 - 2 * face, 400) for face in range(1, 21)}
    assert from_script([(3, 17)], lambda dice: keep_highest(dice, 2, 20)) == 17
    assert from_script([(3, 17)], lambda dice: keep_lowest(dice, 2, 20)) == 3


def test_what_is_kept_of_fewer_dice_is_all_of_them() -> None:
    assert distribution(lambda dice: keep_highest(dice, 2, 6, 5)) == distribution(lambda dice: pips(dice, 2, 6))
    assert distribution(lambda dice: keep_lowest(dice, 2, 6, 5)) == distribution(lambda dice: pips(dice, 2, 6))
    assert distribution(lambda dice: keep_lowest(dice, 2, 6, 0)) == {0: 1}


@pytest.mark.parametrize(("n", "sides", "depth"), [(1, 6, 1), (1, 6, 3), (3, 6, 2), (2, 10, 1), (4, 4, 0), (2, 2, 4)])
def test_exact_exploding_dice_are_those_of_icepool(n: int, sides: int, depth: int) -> None:
    die = n @ (icepool.d(sides).explode(depth=depth) if depth else icepool.d(sides))
    assert distribution(lambda dice: explode(dice, n, sides, depth)) == from_icepool(die)


def test_an_exploding_die_is_thrown_again_and_no_oftener_than_it_may() -> None:
    assert from_script([(6, 2, 6), (6, 1), (6,)], lambda dice: explode(dice, 3, 6, 2)) == 6 + 2 + 6 + 6 + 1 + 6
    assert from_script([(6, 2, 6)], lambda dice: explode(dice, 3, 6, 0)) == 14
    assert from_script([(5, 2, 1)], lambda dice: explode(dice, 3, 6, 2)) == 8
    once = distribution(lambda dice: explode(dice, 1, 6, 1))
    assert once == {**dict.fromkeys(range(1, 6), Fraction(1, 6)), **dict.fromkeys(range(7, 13), Fraction(1, 36))}


def test_degrees_count_the_bounds_that_a_sum_reaches() -> None:
    exact = distribution(lambda dice: degrees(dice, 1, 20, (5, 15, 20)))
    assert exact == {0: Fraction(4, 20), 1: Fraction(10, 20), 2: Fraction(5, 20), 3: Fraction(1, 20)}
    assert distribution(lambda dice: degrees(dice, 3, 6, (10,))) == {0: Fraction(3, 8), 1: Fraction(5, 8)}
    assert from_script([(14,)], lambda dice: degrees(dice, 1, 20, (5, 15, 20))) == 1


def test_a_weighted_choice_comes_as_often_as_it_weighs() -> None:
    assert distribution(lambda dice: weighted(dice, (3, 0, 1))) == {0: Fraction(3, 4), 2: Fraction(1, 4)}
    assert [from_script([number], lambda dice: weighted(dice, (3, 0, 1))) for number in range(4)] == [0, 0, 0, 2]
    row = [1, 2]
    assert distribution(lambda dice: weighted(dice, row)) == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    row[0] = 4
    assert distribution(lambda dice: weighted(dice, row)) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    with pytest.raises(Invalid, match="1 of 300 cannot be thrown: there must be 1 to 256 to pick from"):
        weighted(Seeded(1), (100, 200))


@pytest.mark.parametrize(("kind", "given"), asked(QUESTIONS))
def test_the_weights_of_a_question_add_up_to_all_ways(kind: str, given: tuple[Any, ...]) -> None:
    question = chance.PRIMITIVES[getattr(chance, kind)]
    row = [0] * question.outcomes(*given)
    assert question.weigh(row, *given) == sum(row)
    assert row == list(question.weights_of(given))


def test_every_primitive_is_tested_here() -> None:
    assert {function.__name__ for function in chance.PRIMITIVES} == set(QUESTIONS)


@pytest.mark.parametrize("net", [-3, -2, -1, 0, 1, 2, 3])
def test_exact_percent_is_what_the_dice_on_the_table_give(net: int) -> None:
    seen: Counter[int] = Counter()
    tens_dice = 1 + abs(net)
    for number in range(10 ** (1 + tens_dice)):
        digits = [number // 10**place % 10 for place in range(1 + tens_dice)]
        seen[percent(Scripted([digits]), net)] += 1
    exact = distribution(lambda dice: percent(dice, net))
    assert exact == {value: Fraction(count, 10 ** (1 + tens_dice)) for value, count in seen.items()}


@pytest.mark.parametrize(
    ("net", "half", "hundred"),
    [(-2, 0.125, 0.0271), (-1, 0.25, 0.019), (0, 0.5, 0.01), (1, 0.75, 0.001), (2, 0.875, 0.0001)],
)
def test_percent_with_bonus_and_penalty_dice(net: int, half: float, hundred: float) -> None:
    exact = distribution(lambda dice: percent(dice, net))
    assert sum(weight for value, weight in exact.items() if value <= 50) == Fraction(str(half))
    assert exact[100] == Fraction(str(hundred))
    assert set(exact) == set(range(1, 101))


@pytest.mark.parametrize("net", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("bounds", [(1, 10, 25, 50, 99, 0), (1, 1, 1, 3, 95, 99), (0, 0, 0, 0, 0, 0)])
def test_a_graded_roll_counts_the_bounds_that_a_percent_roll_stays_within(net: int, bounds: Any) -> None:
    expected: Counter[int] = Counter()
    for value, weight in distribution(lambda dice: percent(dice, net)).items():
        expected[sum(value <= bound for bound in bounds)] += weight  # type: ignore[assignment]
    assert distribution(lambda dice: graded(dice, net, bounds)) == dict(expected)


def test_a_flip_off_goes_on_until_one_is_left() -> None:
    # All Tails: again. Then the first and the third stay, and the third alone.
    dice = Scripted([0, 0, 0, 1, 0, 1, 0, 0, 0, 1])
    assert flip_off(dice, 3) == 2
    dice.finish()
    assert flip_off(Scripted([]), 1) == 0


def test_everybody_in_a_flip_off_has_the_same_chance() -> None:
    assert distribution(lambda dice: flip_off(dice, 5)) == dict.fromkeys(range(5), Fraction(1, 5))
    won = Counter(flip_off(Seeded(11, number), 3) for number in range(9_000))
    assert all(abs(count - 3_000) < 200 for count in won.values())


def test_exact_cards_and_picks_are_all_alike() -> None:
    assert distribution(lambda dice: draw(dice, PILE)) == dict.fromkeys([0, 2, 8, 9, 11], Fraction(1, 5))
    assert distribution(lambda dice: pick(dice, 7)) == dict.fromkeys(range(7), Fraction(1, 7))


REST = [
    (0b11111, ()),
    (0b11111, (0b11111, 0b11111)),  # nothing is known
    (0b11111, (0b111, 0b11111)),  # two cards came back after the first was hidden
    (0b11111, (0b1, 0b111, 0b1111)),  # the first can only be one
    (0b1111111, (0b11, 0b11, 0b1111, 0b1111111)),
]


@pytest.mark.parametrize(("pile", "hidden"), REST)
def test_what_is_left_beside_hidden_cards_is_the_mean_over_all_ways_to_hide_them(
    pile: int, hidden: tuple[int, ...]
) -> None:
    ways = [way for way in product(*(cards_of(may_be) for may_be in hidden)) if len(set(way)) == len(way)]
    found: Counter[int] = Counter()
    for way in ways:
        left = [card for card in cards_of(pile) if card not in way]
        for card in left:
            found[card] += Fraction(1, len(left) * len(ways))
    assert distribution(lambda dice: chance.draw_rest(dice, pile, hidden, len(hidden))) == found
    drawn = Counter(chance.draw_rest(Seeded(5, number), pile, hidden, len(hidden)) for number in range(4_000))
    assert all(abs(drawn[card] / 4_000 - likely) < 0.04 for card, likely in found.items())
    assert drawn.keys() == found.keys()


def test_real_cards_show_what_may_be_left_and_nothing_else() -> None:
    """The first two of three cards must lie hidden; whatever the third hidden card is, nobody is asked."""
    asked: list[Throw] = []

    def show(throw: Throw) -> list[int]:
        asked.append(throw)
        return [2]

    assert chance.draw_rest(Hand(show), 0b11111, (0b11, 0b11, 0b11111), 3) == 2
    assert asked == [Throw("card", 0b11100)]
    with pytest.raises(Invalid):
        chance.draw_rest(Scripted([0]), 0b11111, (0b11, 0b11, 0b11111), 3)


def test_exact_goes_through_questions_that_depend_on_answers() -> None:
    def flips_then_rolls(dice: Dice) -> tuple[int, int]:
        first = heads(dice, 2)
        return first, pips(dice, first, 4) if first else pick(dice, 3)

    exact = distribution(flips_then_rolls)
    assert sum(exact.values()) == 1
    assert exact[0, 2] == Fraction(1, 4) * Fraction(1, 3)
    assert exact[1, 4] == Fraction(1, 2) * Fraction(1, 4)
    assert exact[2, 5] == Fraction(1, 4) * Fraction(4, 16)
    assert len(exact) == 3 + 4 + 7


def test_exact_without_any_question_is_one_certain_outcome() -> None:
    assert distribution(lambda dice: "done") == {"done": 1}


# Streams


def test_a_position_set_back_gives_the_same_results_again() -> None:
    for source in STREAMS:
        dice = source()
        pips(dice, 7, 6)
        here = dice.position
        first = [pips(dice, 3, 6), heads(dice, 70), percent(dice, -2), draw(dice, PILE), pick(dice, 9)]
        dice.position = here
        assert [pips(dice, 3, 6), heads(dice, 70), percent(dice, -2), draw(dice, PILE), pick(dice, 9)] == first


def test_thinking_uses_another_stream_than_the_dice() -> None:
    dice, whim = Seeded(4, 2), Seeded(4, 2, WHIM)
    assert not {dice.word(i) for i in range(1000)} & {whim.word(i) for i in range(1000)}


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", True, None])
def test_a_seed_out_of_bounds_is_refused_in_a_sentence(seed: Any) -> None:
    with pytest.raises(Invalid, match="a seed is a whole number from 0 to"):
        Seeded(seed)
    with pytest.raises(Invalid, match="a number is a whole number from 0 to"):
        Seeded(1, seed)


def test_what_fell_knows_what_was_thrown() -> None:
    for dice in (Seeded(1), Scripted([(1, 2, 3), (4,), 2, 8]), Hand(lambda throw: Seeded(2).throw(throw))):
        reaches(dice, 3, 6, 10)
        heads(dice, 5)
        pick(dice, 3)
        draw_unseen(dice, PILE)
        assert [str(fell.throw) for fell in dice.fallen] == ["3d6", "5 coins", "1 of 3", "a card"]
        assert [fell.unseen for fell in dice.fallen] == [False, False, False, True]
    fell = dice.fallen[0]
    assert fell == tuple(fell)
    again = pickle.loads(pickle.dumps(fell))
    assert (again, again.throw) == (fell, fell.throw)


THROWS = [Throw("dice", 3, 6), Throw("coins", 1), Throw("coins", 4), Throw("percent", 1), Throw("percent", 3)]


@pytest.mark.parametrize("throw", [*THROWS, Throw("pick", 4)], ids=str)
def test_a_throw_can_be_read_from_its_text(throw: Throw) -> None:
    assert Throw.from_text(str(throw)) == throw


def test_of_a_card_the_text_does_not_know_the_pile() -> None:
    assert Throw.from_text("a card").check([62]) == (62,)
    for text in ("", "d6", "3d6 ", "5 dice", "1d1000"):
        with pytest.raises(Invalid):
            Throw.from_text(text)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda dice: pips(dice, 3, 1000), "3d1000 cannot be thrown: there must be 0 to 256 dice with 1 to 256 sides"),
        (lambda dice: pips(dice, 300, 6), "300d6 cannot be thrown: there must be 0 to 256 dice with 1 to 256 sides"),
        (lambda dice: heads(dice, -1), "-1 coins cannot be thrown: there must be 0 coins or more"),
        (lambda dice: percent(dice, 7), "d100 with 8 tens dice cannot be thrown: there must be 1 to 6 tens dice"),
        (lambda dice: draw(dice, 0), "a card cannot be thrown: there must be a card in the pile"),
        (lambda dice: pick(dice, 0), "1 of 0 cannot be thrown: there must be 1 to 256 to pick from"),
    ],
)
def test_what_cannot_be_thrown_is_refused(question: Callable[[Dice], object], message: str) -> None:
    for dice in (Seeded(1), Quick(1), Scripted([1])):
        with pytest.raises(Invalid, match=f"^{message}$"):
            question(dice)


def test_every_result_is_kept_as_it_fell() -> None:
    dice = Seeded(1)
    total = pips(dice, 3, 6)
    flipped = heads(dice, 5)
    value = percent(dice, 1)
    assert len(dice.fallen) == 3
    assert sum(dice.fallen[0]) == total
    assert dice.fallen[1] == (flipped,)
    units, *tens = dice.fallen[2]
    assert value == min((10 * ten + units) or 100 for ten in tens)


def test_repr_of_a_source_makes_it_again() -> None:
    for dice in (Seeded(5, 3), Quick(5, 3), Fair(SECRET), Scripted([(1, 2, 3), 4]), Scripted([6], Seeded(1), 2)):
        again = eval(repr(dice), {"Seeded": Seeded, "Quick": Quick, "Fair": Fair, "Scripted": Scripted})
        assert again.describe() == dice.describe()


# Fair dice


def test_fair_dice_commit_to_their_secret_before_the_first_roll() -> None:
    dice = Fair(SECRET)
    assert dice.commitment == hashlib.sha256(SECRET).hexdigest()
    before = dice.commitment
    pips(dice, 100, 6)
    assert dice.commitment == before
    assert Fair(SECRET[::-1]).commitment != before


def test_fair_dice_follow_from_the_secret_alone() -> None:
    digest = hmac.new(SECRET, (1).to_bytes(8, "big"), "sha256").digest()
    word = int.from_bytes(digest[:8], "big")
    assert heads(Fair(SECRET), 64) == word.bit_count()
    assert [pips(Fair(SECRET), 3, 6) for _ in range(2)] == [pips(Fair(SECRET), 3, 6)] * 2


def test_a_secret_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(Invalid, match="at least 16 bytes, not 15"):
        Fair(bytes(15))


# Scripts


def test_a_script_gives_what_is_written() -> None:
    dice = Scripted([(4, 4, 2), 3, (0, 5), 2, 1])
    assert (pips(dice, 3, 6), heads(dice, 5), percent(dice, 0), draw(dice, PILE), pick(dice, 3)) == (10, 3, 50, 2, 1)
    dice.finish()


def test_a_script_that_is_too_short_says_what_is_due() -> None:
    dice = Scripted([(4, 4, 2)])
    pips(dice, 3, 6)
    with pytest.raises(Invalid, match=r"ended after 1, and 2d10 is due"):
        pips(dice, 2, 10)


def test_a_script_that_is_too_long_says_what_is_left() -> None:
    dice = Scripted([(4, 4, 2), (1, 1, 1), 7])
    pips(dice, 3, 6)
    with pytest.raises(Invalid, match=r"2 scripted result\(s\) were never used: \[\(1, 1, 1\), \(7,\)\]"):
        dice.finish()


IMPOSSIBLE: list[tuple[Callable[[Dice], object], Sequence[int], str]] = [
    (lambda dice: pips(dice, 3, 6), (4, 4), "3d6 gives 3 number(s), not 2"),
    (lambda dice: pips(dice, 3, 6), (4, 4, 4, 4), "3d6 gives 3 number(s), not 4"),
    (lambda dice: pips(dice, 3, 6), (4, 4, 7), "3d6 cannot show 7; it must be 1 to 6"),
    (lambda dice: reaches(dice, 3, 6, 10), (0, 4, 4), "3d6 cannot show 0; it must be 1 to 6"),
    (lambda dice: heads(dice, 5), (6,), "5 coins cannot show 6; it must be 0 to 5"),
    (lambda dice: heads(dice, 1), (-1,), "1 coin cannot show -1; it must be 0 to 1"),
    (lambda dice: successes(dice, 4, 5), (1, 2, 3), "4d6 gives 4 number(s), not 3"),
    (lambda dice: percent(dice, 0), (10, 0), "d100 cannot show 10; it must be 0 to 9"),
    (lambda dice: percent(dice, -2), (1, 2), "d100 with 3 tens dice gives 4 number(s), not 2"),
    (lambda dice: draw(dice, PILE), (1,), "a card cannot show 1; it must be one of 0, 2, 8, 9, 11"),
    (lambda dice: draw(dice, PILE), (99,), "a card cannot show 99; it must be one of 0, 2, 8, 9, 11"),
    (lambda dice: pick(dice, 3), (3,), "1 of 3 cannot show 3; it must be 0 to 2"),
]


@pytest.mark.parametrize(("question", "result", "sentence"), IMPOSSIBLE, ids=[case[2] for case in IMPOSSIBLE])
def test_a_result_that_cannot_fall_is_refused(
    question: Callable[[Dice], object], result: Sequence[int], sentence: str
) -> None:
    for dice in (Scripted([result]), Hand(lambda throw: result)):
        with pytest.raises(Invalid) as refused:
            question(dice)
        assert sentence in str(refused.value)
        assert dice.fallen == []


def test_after_the_script_other_dice_go_on_from_where_they_were() -> None:
    onward = Seeded(8)
    pips(onward, 3, 6)
    used = onward.position
    expected = [pips(onward, 3, 6) for _ in range(3)]
    dice = Scripted([(1, 1, 1)], then=Seeded(8), skip=used)
    assert [pips(dice, 3, 6) for _ in range(4)] == [3, *expected]
    dice.position = 1
    assert [pips(dice, 3, 6) for _ in range(3)] == expected
    dice.position = 0
    assert pips(dice, 3, 6) == 3


# Dice thrown by hand


def test_dice_thrown_by_hand_are_asked_for_one_throw_at_a_time() -> None:
    asked_for = []

    def ask(throw: Throw) -> Sequence[int]:
        asked_for.append(str(throw))
        return {"3d6": (4, 4, 2), "5 coins": (3,), "d100 with 2 tens dice": (0, 0, 4), "a card": (8,), "1 of 3": (2,)}[
            str(throw)
        ]

    dice = Hand(ask)
    assert reaches(dice, 3, 6, 10)
    assert (heads(dice, 5), percent(dice, 1), percent(dice, -1), draw(dice, PILE), pick(dice, 3)) == (3, 40, 100, 8, 2)
    assert asked_for == ["3d6", "5 coins", "d100 with 2 tens dice", "d100 with 2 tens dice", "a card", "1 of 3"]
    assert dice.fallen == [(4, 4, 2), (3,), (0, 0, 4), (0, 0, 4), (8,), (2,)]


def test_a_wrong_entry_leaves_the_throw_to_be_asked_for_again() -> None:
    entries = iter([(4, 4), (4, 4, 2)])
    dice = Hand(lambda throw: next(entries))
    with pytest.raises(Invalid, match="3d6 gives 3"):
        pips(dice, 3, 6)
    assert pips(dice, 3, 6) == 10
    assert dice.fallen == [(4, 4, 2)]
