"""Chance in native code: streams of dice that fall, and tapes that are wound through all outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types

from affray.kernel import chance, weights
from affray.kernel.exact import MOST_THROWS
from affray.kernel.native.forms import inlined, native_form
from affray.kernel.native.memory import room_for, row_form

STREAM = np.dtype([("start", "u8"), ("step", "u8"), ("position", "u8")])

TAPE_DEPTH, TAPE_WIDTH = MOST_THROWS + 1, 256
TAPE = np.dtype(
    [
        ("at", "i8"),
        ("depth", "i8"),
        ("failed", "i8"),
        ("taken", "i8", (TAPE_DEPTH,)),
        ("last", "i8", (TAPE_DEPTH,)),
        ("total", "i8", (TAPE_DEPTH,)),
        ("weights", "i8", (TAPE_DEPTH, TAPE_WIDTH)),
    ]
)


def _is(dtype_: np.dtype[Any], given: Any) -> bool:
    return isinstance(given, types.Record) and set(given.fields) == set(dtype_.names or ())


U = np.uint64
_SHIFT = U(64 - chance.FRACTION_BITS)
_FRACTION = U(chance.FRACTION_BITS)
_REST = U(2**chance.FRACTION_BITS - 1)
_SERVES = chance.WORD_SERVES


@inlined
def mix(word: Any) -> Any:
    """`chance.mix` on native 64-bit words."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@inlined
def open_streams(dice: Any, whim: Any, seed: Any, number: Any) -> None:
    """`chance.stream_start` on the two native streams of a fight."""
    start = mix(mix(U(seed) + U(0x9E3779B97F4A7C15)) + mix(U(number) + U(1)))
    dice.start = start
    whim.start = start ^ U(chance.WHIM)
    dice.step = whim.step = mix(start ^ U(0xD1B54A32D192ED03)) | U(1)
    dice.position = whim.position = U(0)


@inlined
def _word(dice: Any) -> Any:
    dice.position += U(1)
    return mix(dice.start + dice.position * dice.step)


@inlined
def _one_below(dice: Any, bound: Any) -> Any:
    return np.int64(((_word(dice) >> _SHIFT) * U(bound)) >> _FRACTION)


@inlined
def _next_face(dice: Any, rest: Any, served: Any, bound: Any) -> Any:
    """The next of `bound` faces, with a fraction below it for those after it, and how many ways its word has served."""
    served *= bound
    if served > _SERVES:
        rest = _word(dice) >> _SHIFT
        served = np.int64(bound)
    return (rest & _REST) * U(bound), served


@inlined
def _fill(dice: Any, faces: Any, lowest: Any, bound: Any) -> Any:
    """Let every face be one of `bound` numbers from the lowest on, as many out of one word as it can serve."""
    rest = U(0)
    served = np.int64(2 * _SERVES)
    for die in range(faces.size):
        rest, served = _next_face(dice, rest, served, bound)
        faces[die] = lowest + np.int64(rest >> _FRACTION)
    return faces


@inlined
def _bits(word: Any) -> Any:
    word -= (word >> U(1)) & U(0x5555555555555555)
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * U(0x0101010101010101)) >> U(56))


_faces = room_for(chance.MOST_DICE)


@row_form(chance.throw_dice)
def _throw_dice(dice: Any, n: Any, sides: Any) -> Any:
    return lambda dice, n, sides: _fill(dice, numba.carray(_faces(), (min(n, chance.MOST_DICE),)), 1, sides)


# Counted as they fall: a pool is small, and a row for it would take longer to write and to read than the dice to throw.
@native_form(chance.count_dice)
def _count_dice(dice: Any, n: Any, sides: Any, at_least: Any) -> Any:
    def count(dice: Any, n: Any, sides: Any, at_least: Any) -> Any:
        found = 0
        rest = U(0)
        served = np.int64(2 * _SERVES)
        for _ in range(n):
            rest, served = _next_face(dice, rest, served, sides)
            found += 1 + np.int64(rest >> _FRACTION) >= at_least
        return found

    return count


@row_form(chance.throw_percent)
def _throw_percent(dice: Any, tens: Any) -> Any:
    return lambda dice, tens: _fill(dice, numba.carray(_faces(), (min(1 + tens, chance.MOST_DICE),)), 0, 10)


@native_form(chance.throw_coins)
def _throw_coins(dice: Any, n: Any, turn: Any = -1) -> Any:
    def flip(dice: Any, n: Any, turn: Any = -1) -> Any:
        count = 0
        left = n
        while left >= 64:
            count += _bits(_word(dice))
            left -= 64
        if left > 0:
            count += _bits(_word(dice) >> U(64 - left))
        return count

    return flip


@native_form(chance.turn_card)
def _turn_card(dice: Any, pile: Any, unseen: Any = False) -> Any:
    def take(dice: Any, pile: Any, unseen: Any = False) -> Any:
        left = _one_below(dice, _bits(U(pile)))
        for card in range(63):
            if (pile >> card) & 1:
                if left == 0:
                    return card
                left -= 1
        return -1

    return take


@native_form(chance.guess_card)
def _guess_card(dice: Any, pile: Any) -> Any:
    return lambda dice, pile: chance.turn_card(dice, pile)


@native_form(chance.throw_pick)
def _throw_pick(dice: Any, n: Any) -> Any:
    return lambda dice, n: _one_below(dice, n)


@native_form(weights.power)
def _power(base: Any, exponent: Any) -> Any:
    def multiply(base: Any, exponent: Any) -> Any:
        product = 1.0
        for _ in range(exponent):
            product *= base
        return product

    return multiply


@inlined
def _choose(tape: Any, outcomes: Any) -> Any:
    """Take the tape's outcome here; `outcomes` weights have just been written when the place is new."""
    at = tape.at
    if at == tape.depth:
        total = 0
        first = -1
        for outcome in range(outcomes):
            weight = tape.weights[at, outcome]
            total += weight
            if weight > 0:
                tape.last[at] = outcome
                if first < 0:
                    first = outcome
        tape.taken[at] = first
        tape.total[at] = total
        tape.depth += 1
    tape.at += 1
    return tape.taken[at]


@inlined
def _new_place(tape: Any, outcomes: Any) -> Any:
    """Whether weights must be written for the next place; a tape too small for the question has failed."""
    if tape.at >= TAPE_DEPTH - 1 or outcomes > TAPE_WIDTH:
        tape.failed = 1
        tape.at = 0
        tape.depth = 0
    return tape.at == tape.depth


@inlined
def rewind(tape: Any) -> None:
    """Start a new tape."""
    tape.at = 0
    tape.depth = 0
    tape.failed = 0


@inlined
def advance(tape: Any) -> Any:
    """Turn the tape on to its next outcome; false when all have been seen."""
    tape.at = 0
    while tape.depth > 0:
        at = tape.depth - 1
        if tape.taken[at] < tape.last[at]:
            tape.taken[at] += 1
            while tape.weights[at, tape.taken[at]] == 0:
                tape.taken[at] += 1
            return True
        tape.depth -= 1
    return False


MOST_WAYS = 2.0**62  # whose weights surely fit into 64 bits: wrong ones would be worse than none


def _answer_natively(ask: Callable[..., int], question: chance.Primitive) -> None:
    """Let native streams play a question, and native tapes go through its answers."""
    play, outcomes, weigh = question.play, question.outcomes, question.weigh

    @inlined
    def wound(tape: Any, *given: Any) -> Any:
        count = outcomes(*given)
        if _new_place(tape, count) and weigh(tape.weights[tape.at], *given) > MOST_WAYS:
            tape.failed = 1
        return _choose(tape, count)

    def decided(tape: Any, *given: Any) -> Any:
        return wound(tape, *given) == 1

    @native_form(ask)
    def form(dice: Any, *given: Any) -> Any:
        if _is(STREAM, dice):
            return play
        if _is(TAPE, dice):
            return decided if question.kind is bool else wound
        return None


for _ask, _question in chance.PRIMITIVES.items():
    _answer_natively(_ask, _question)


@native_form(chance.asked)
def _asked(tape: Any) -> Any:
    return lambda tape: tape.at > 0
