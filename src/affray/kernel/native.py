"""Native code: the registered rules compiled by Numba, and the sources of chance they run with.

Nothing here is imported before speed is asked for; Numba arrives with the `lab` extra.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

from affray.errors import MissingExtra
from affray.kernel import chance, records, rules

try:
    import numba
    import numpy as np
    from numba.core import caching, cgutils, types
    from numba.extending import intrinsic, overload, register_jitable, typeof_impl
except ImportError:
    raise MissingExtra("compiled play", "lab") from None

# np is offered on: whoever takes it from here is told which extra is missing, not which module.
__all__ = ["assign", "dtype", "figures_dtype", "inlined", "jit", "mix", "np", "on_stack", "open_streams", "to_native"]

# Rules are many and small: called as they stand they would cost more in calling than in doing.
# Nobody calls them from Python either, so the way from there need not be compiled.
INLINED = {"forceinline": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
CALLED = {**INLINED, "forceinline": False}  # said, because otherwise it is taken from whoever calls
called = register_jitable(**CALLED)
inlined = register_jitable(**INLINED)

STREAM = np.dtype([("start", "u8"), ("step", "u8"), ("position", "u8")])

TAPE_DEPTH, TAPE_WIDTH = 48, 256
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


def figures_dtype(fighters: int, figures: int) -> np.dtype[Any]:
    """What stands in for a log in compiled runs. A record, because arrays would be counted at every call."""
    return np.dtype([("figures", "i8", (fighters, figures))])


_known: set[FunctionType] = set()
_dtypes: dict[tuple[type[Any], int], np.dtype[Any]] = {}


def dtype(cls: type[Any], fighters: int) -> np.dtype[Any]:
    """The NumPy dtype of a record class for a roster of that many fighters."""
    if (cls, fighters) not in _dtypes:
        _dtypes[cls, fighters] = np.dtype(records.layout(cls, fighters))
    return _dtypes[cls, fighters]


def to_native(record: object, fighters: int) -> np.ndarray[Any, Any]:
    """A record as a NumPy array of one element."""
    return np.frombuffer(bytearray(records.pack(record)), dtype=dtype(type(record), fighters))


def jit(driver: Callable[..., Any], *entries: Callable[..., Any]) -> Any:
    """Compile a driver that calls rules; `entries` are the rules it starts from.

    The compiled code is kept on disk under a name made of the content of every rule source and constant it
    can reach, so an edited rule never runs stale.
    """
    for function in rules.registered():
        if function not in _known:
            _known.add(function)
            (called if rules.stands_apart(function) else inlined)(function)
    compiled = numba.njit(nogil=True, error_model="numpy")(driver)
    compiled._cache = _ContentCache(driver, _content_key(driver, *entries))
    return compiled


def _content_key(*entries: Callable[..., Any]) -> str:
    """A hash of all that the compiled code depends on."""
    functions, names = rules.reachable(*entries)
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__} numpy {np.__version__}".encode())
    files = {function.__code__.co_filename for function in functions}
    for file in sorted({*files, chance.__file__, rules.__file__, records.__file__, __file__}):
        if Path(file).exists():
            digest.update(Path(file).read_bytes())
    # Rules typed into a notebook or a shell have no file.
    digest.update(
        b"".join(sorted(marshal.dumps(f.__code__) for f in functions if not Path(f.__code__.co_filename).exists()))
    )
    digest.update("\n".join(names).encode())
    return digest.hexdigest()[:24]


def cache_folder() -> Path:
    """Where compiled code is kept: AFFRAY_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("AFFRAY_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "affray"


class _Locator(caching._CacheLocator):
    """Tells Numba's cache to look in a folder named by content instead of beside the source."""

    def __init__(self, key: str) -> None:
        self._key = key

    def get_cache_path(self) -> str:
        return str(cache_folder() / self._key)

    def get_source_stamp(self) -> str:
        return self._key

    def get_disambiguator(self) -> str:
        return self._key[:8]


class _ContentCacheImpl(caching.CompileResultCacheImpl):
    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(key)
        self._filename_base = f"{function.__name__}-{self._lineno}"
        self._locator.ensure_cache_path()


class _ContentCache(caching.FunctionCache):
    """Numba's function cache, keyed by content alone."""

    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _ContentCacheImpl(function, key)
        self._cache_path = self._impl.locator.get_cache_path()
        self._cache_file = caching.IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=key,
        )
        self._content = key
        self.enable()

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple(), self._content


@intrinsic
def on_stack(_context: Any, like: Any) -> Any:
    """A record of the same type as `like`, in the running function's own memory.

    The optimiser knows that nothing else points there, so what fits is kept in registers.
    """

    def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        return cgutils.alloca_once(builder, context.data_model_manager[like].get_data_type())

    return like(like), codegen


@intrinsic
def assign(_context: Any, target: Any, source: Any) -> Any:
    """Copy one record over another of the same type."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


# --- the sources of chance ---------------------------------------------------------------------------------


def _is(dtype_: np.dtype[Any], given: Any) -> bool:
    return isinstance(given, types.Record) and set(given.fields) == set(dtype_.names or ())


# Annotated functions and lambdas count as different signatures when Numba is strict about them.
native_form = partial(overload, strict=False, jit_options=INLINED)

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
def _sum_below(dice: Any, n: Any, bound: Any) -> Any:
    total = np.int64(0)
    rest = U(0)
    served = np.int64(2 * _SERVES)
    for _ in range(n):
        served *= bound
        if served > _SERVES:
            rest = _word(dice) >> _SHIFT
            served = np.int64(bound)
        rest *= U(bound)
        total += np.int64(rest >> _FRACTION)
        rest &= _REST
    return total


@inlined
def _bits(word: Any) -> Any:
    word -= (word >> U(1)) & U(0x5555555555555555)
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * U(0x0101010101010101)) >> U(56))


@inlined
def _card_at(pile: Any, index: Any) -> Any:
    for card in range(63):
        if (pile >> card) & 1:
            if index == 0:
                return card
            index -= 1
    return -1


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


@inlined
def _check_room(tape: Any, n: Any, outcomes: Any) -> None:
    """Weights that do not fit into 64 bits would be wrong ones: the tape has failed."""
    whole = 1
    for _ in range(n):
        if whole > 2**62 // outcomes:
            tape.failed = 1
            return
        whole *= outcomes


@inlined
def _write_sums(tape: Any, n: Any, sides: Any) -> None:
    """The weights of the sums of n dice, 0 to n * sides, at the tape's place."""
    _check_room(tape, n, sides)
    row = tape.weights[tape.at]
    row[0] = 1
    for total in range(1, n * sides + 1):
        row[total] = 0
    for die in range(n):
        # Downwards, so that the row of one die fewer is still there to read.
        for total in range((die + 1) * sides, -1, -1):
            ways = 0
            for face in range(1, min(sides, total) + 1):
                ways += row[total - face]
            row[total] = ways


@inlined
def _write_binomial(tape: Any, n: Any, good: Any, bad: Any) -> None:
    _check_room(tape, n, good + bad)
    row = tape.weights[tape.at]
    row[0] = 1
    for done in range(n):
        row[done + 1] = 0
        for k in range(done + 1, 0, -1):
            row[k] = row[k] * bad + row[k - 1] * good
        row[0] *= bad


@inlined
def _write_percent(tape: Any, net: Any) -> None:
    """The weights of d100 with bonus or penalty dice, 0 to 100, at the tape's place."""
    row = tape.weights[tape.at]
    row[0] = 0
    tens = 1 + abs(net)
    for value in range(1, 101):
        below = (value - 1) // 10 if value % 10 == 0 else value // 10
        as_good = 10 - below if net > 0 else below + 1
        row[value] = as_good**tens - (as_good - 1) ** tens


@native_form(chance.heads)
def _heads(dice: Any, n: Any) -> Any:
    if _is(STREAM, dice):

        def heads(dice: Any, n: Any) -> Any:
            count = 0
            left = n
            while left >= 64:
                count += _bits(_word(dice))
                left -= 64
            if left > 0:
                count += _bits(_word(dice) >> U(64 - left))
            return count

        return heads
    if _is(TAPE, dice):

        def heads_on_tape(dice: Any, n: Any) -> Any:
            if _new_place(dice, n + 1):
                _write_binomial(dice, n, 1, 1)
            return _choose(dice, n + 1)

        return heads_on_tape
    return None


@native_form(chance.pips)
def _pips(dice: Any, n: Any, sides: Any) -> Any:
    if _is(STREAM, dice):
        return lambda dice, n, sides: n + _sum_below(dice, n, sides)
    if _is(TAPE, dice):

        def pips_on_tape(dice: Any, n: Any, sides: Any) -> Any:
            if _new_place(dice, n * sides + 1):
                _write_sums(dice, n, sides)
            return _choose(dice, n * sides + 1)

        return pips_on_tape
    return None


@native_form(chance.reaches)
def _reaches(dice: Any, n: Any, sides: Any, target: Any) -> Any:
    if _is(STREAM, dice):
        return lambda dice, n, sides, target: n + _sum_below(dice, n, sides) >= target
    if _is(TAPE, dice):

        def reaches_on_tape(dice: Any, n: Any, sides: Any, target: Any) -> Any:
            if _new_place(dice, n * sides + 1):
                _write_sums(dice, n, sides)
                row = dice.weights[dice.at]
                short = 0
                reached = 0
                for total in range(n * sides + 1):
                    if total < target:
                        short += row[total]
                    else:
                        reached += row[total]
                row[0] = short
                row[1] = reached
            return _choose(dice, 2) == 1

        return reaches_on_tape
    return None


@native_form(chance.successes)
def _successes(dice: Any, n: Any, at_least: Any) -> Any:
    if _is(STREAM, dice):

        def successes(dice: Any, n: Any, at_least: Any) -> Any:
            count = 0
            rest = U(0)
            served = np.int64(2 * _SERVES)
            for _ in range(n):
                served *= 6
                if served > _SERVES:
                    rest = _word(dice) >> _SHIFT
                    served = np.int64(6)
                rest *= U(6)
                count += np.int64(rest >> _FRACTION) + 1 >= at_least
                rest &= _REST
            return count

        return successes
    if _is(TAPE, dice):

        def successes_on_tape(dice: Any, n: Any, at_least: Any) -> Any:
            if _new_place(dice, n + 1):
                good = min(6, max(0, 7 - at_least))
                _write_binomial(dice, n, good, 6 - good)
            return _choose(dice, n + 1)

        return successes_on_tape
    return None


@native_form(chance.percent)
def _percent(dice: Any, net: Any) -> Any:
    if _is(STREAM, dice):

        def percent(dice: Any, net: Any) -> Any:
            rest = _word(dice) >> _SHIFT
            rest *= U(10)
            units = np.int64(rest >> _FRACTION)
            rest &= _REST
            kept = np.int64(-1)
            for _ in range(1 + abs(net)):
                rest *= U(10)
                value = 10 * np.int64(rest >> _FRACTION) + units
                rest &= _REST
                if value == 0:
                    value = np.int64(100)
                if kept < 0 or (net > 0 and value < kept) or (net <= 0 and value > kept):
                    kept = value
            return kept

        return percent
    if _is(TAPE, dice):

        def percent_on_tape(dice: Any, net: Any) -> Any:
            if _new_place(dice, 101):
                _write_percent(dice, net)
            return _choose(dice, 101)

        return percent_on_tape
    return None


@native_form(chance.graded)
def _graded(dice: Any, net: Any, bounds: Any) -> Any:
    if _is(STREAM, dice):

        def graded(dice: Any, net: Any, bounds: Any) -> Any:
            rolled = chance.percent(dice, net)
            count = np.int64(0)
            for bound in bounds:
                count += rolled <= bound
            return count

        return graded
    if _is(TAPE, dice):

        def graded_on_tape(dice: Any, net: Any, bounds: Any) -> Any:
            grades = len(bounds) + 1
            if _new_place(dice, 101 + grades):
                _write_percent(dice, net)
                row = dice.weights[dice.at]
                counted = row[101 : 101 + grades]
                counted[:] = 0
                for value in range(1, 101):
                    count = 0
                    for bound in bounds:
                        count += value <= bound
                    counted[count] += row[value]
                row[:grades] = counted
            return _choose(dice, grades)

        return graded_on_tape
    return None


@native_form(chance.draw_unseen)
@native_form(chance.draw)
def _draw(dice: Any, pile: Any) -> Any:
    if _is(STREAM, dice):
        return lambda dice, pile: _card_at(pile, _one_below(dice, _bits(U(pile))))
    if _is(TAPE, dice):

        def draw_on_tape(dice: Any, pile: Any) -> Any:
            cards = _bits(U(pile))
            if _new_place(dice, cards):
                for card in range(cards):
                    dice.weights[dice.at, card] = 1
            return _card_at(pile, _choose(dice, cards))

        return draw_on_tape
    return None


@native_form(chance.pick)
def _pick(dice: Any, n: Any) -> Any:
    if _is(STREAM, dice):
        return lambda dice, n: _one_below(dice, n)
    if _is(TAPE, dice):

        def pick_on_tape(dice: Any, n: Any) -> Any:
            if _new_place(dice, n):
                for outcome in range(n):
                    dice.weights[dice.at, outcome] = 1
            return _choose(dice, n)

        return pick_on_tape
    return None


@native_form(chance.flip_off)
def _flip_off(dice: Any, n: Any) -> Any:
    if _is(STREAM, dice):

        def flip_off(dice: Any, n: Any) -> Any:
            left = (U(1) << U(n)) - U(1)
            while _bits(left) > 1:
                heads = U(0)
                for who in range(n):
                    if left >> U(who) & U(1):
                        heads |= (_word(dice) >> U(63)) << U(who)
                if heads:
                    left = heads
            return _card_at(np.int64(left), 0)

        return flip_off
    if _is(TAPE, dice):
        return lambda dice, n: chance.pick(dice, n)
    return None


@native_form(chance.asked)
def _asked(tape: Any) -> Any:
    return lambda tape: tape.at > 0


# --- what rules say: nothing, or figures only ----------------------------------------------------------------


@typeof_impl.register(rules.Kind)
def _typeof_kind(value: rules.Kind, _context: Any) -> Any:
    return types.intp


@native_form(rules.emit)
def _emit(log: Any, kind: Any, *values: Any) -> Any:
    return lambda log, kind, *values: None


@native_form(rules.score)
def _score(log: Any, who: Any, figure: Any, amount: Any) -> Any:
    if isinstance(log, types.Record):

        def add(log: Any, who: Any, figure: Any, amount: Any) -> None:
            log.figures[who, figure] += amount

        return add
    return lambda log, who, figure, amount: None


ROW = 2048  # numbers that a scratch row has room for: all moves of the largest roster


@intrinsic
def _room(_context: Any) -> Any:
    """A pointer to room for a row in the running function's own memory."""
    row = types.CPointer(types.int64)  # type: ignore[attr-defined]

    def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        place = cgutils.alloca_once(builder, context.get_value_type(types.int64), ROW)
        return builder.bitcast(place, context.get_value_type(row))

    return row(), codegen


# Copied into whoever asks for a row before anything is compiled: there its memory belongs to whoever uses it.
@overload(rules.row, strict=False, inline="always")
def _row(length: Any) -> Any:
    return lambda length: numba.carray(_room(), (length,)) if length <= ROW else np.empty(length, np.int64)
