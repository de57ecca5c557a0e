"""Native code: the registered rules compiled by Numba, and the sources of chance they run with.

Nothing here is imported before speed is asked for; Numba arrives with the `lab` extra.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import marshal
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, TypeVar

from affray.errors import MissingExtra
from affray.kernel import chance, records, rules, weights
from affray.kernel.exact import MOST_THROWS

try:
    import numba
    import numpy as np
    from numba.core import bytecode, caching, cgutils, codegen, compiler, types
    from numba.core.typing.templates import infer, infer_global, make_overload_template
    from numba.extending import intrinsic, overload, typeof_impl
except ImportError:
    raise MissingExtra("compiled play", "lab") from None
try:
    import fcntl
except ImportError:  # Windows: several processes may compile the same there
    fcntl = None  # type: ignore[assignment]

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

# np is offered on: a module that takes it from here is told which extra is missing, not which module.
__all__ = ["assign", "dtype", "figures_dtype", "inlined", "jit", "mix", "np", "on_stack", "open_streams", "to_native"]


# Numba tells functions of one name apart by numbers that start anew in every process. Two that were compiled in
# different processes and come out of the cache could bear the same number, and one would run in place of the other.
bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


class _Linked(codegen.JITCodeLibrary):
    """The code of a rule, to be linked into drivers. It is never loaded by itself, so no machine code is made of it."""

    optimised = 1  # a little, which helps drivers to inline well; all the rest is done there

    codegen = SimpleNamespace(set_env=lambda name, env: None)

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self.optimised, cost="cheap"
        )
        passes.run(self._final_module, builder)


class _Copied(_Linked):
    """The code of a rule that is copied into its callers, and optimised there: here only what it calls is copied in."""

    optimised = 0


class _RuleCompiler(compiler.Compiler):
    def define_pipelines(self) -> Any:
        library = _Copied if self.state.flags.forceinline else _Linked
        self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


# Rules are many and small: called as they stand they would cost more in calling than in doing.
# Nobody calls them from Python either, so the way from there need not be compiled.
INLINED = {
    "forceinline": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _RuleCompiler,
}
CALLED = {**INLINED, "forceinline": False}  # said, because otherwise it is taken from the caller


class _OneForm:
    """Has a function compiled once for whole numbers of any width and for every caller, where Numba would do so again.

    The forms would differ in nothing: numbers narrower than 64 bits are widened by whatever is done with them, and all
    options that could be taken from a caller are given.
    """

    _forms: dict[Any, Any]

    def generic(self, args: Any, kws: Any) -> Any:
        return super().generic(  # type: ignore[misc]
            tuple(map(_widened, args)), {name: _widened(given) for name, given in kws.items()}
        )

    def _get_impl(self, args: Any, kws: Any) -> Any:
        given = tuple(args), tuple(kws.items())
        if given not in self._forms:
            self._forms[given] = super()._get_impl(args, kws)  # type: ignore[misc]
        return self._forms[given]


def _widened(given: Any) -> Any:
    given = types.unliteral(given)  # type: ignore[attr-defined]
    return types.int64 if isinstance(given, types.Integer) and given.signed else given  # type: ignore[attr-defined]


def native_form(function: Callable[..., Any], options: Mapping[str, Any] = INLINED) -> Callable[[FunctionT], FunctionT]:
    """Declares what native code runs in place of a function: what the decorated one returns for given types."""

    def declare(form: FunctionT) -> FunctionT:
        numbas = make_overload_template(function, form, {"nopython": True, **options}, strict=False, inline="never")
        template = type(numbas)(function.__name__, (_OneForm, numbas), {"_forms": {}})
        infer(template)
        infer_global(function, types.Function(template))
        return form

    return declare


def called(function: FunctionT) -> FunctionT:
    """Makes a function known to native code, which calls it."""
    native_form(function, CALLED)(lambda *given, **named: function)
    return function


def inlined(function: FunctionT) -> FunctionT:
    """Makes a function known to native code, which copies it to wherever it is used."""
    native_form(function)(lambda *given, **named: function)
    return function


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


def figures_dtype(fighters: int, figures: int) -> np.dtype[Any]:
    """What stands in for a log in compiled runs. A record, because arrays would be counted at every call."""
    return np.dtype([("figures", "i8", (fighters, figures))])


_known: set[FunctionType] = set()
_dtypes: dict[tuple[type[Any], int], np.dtype[Any]] = {}


def dtype(cls: type[Any], fighters: int) -> np.dtype[Any]:
    """The NumPy dtype of a record class for a roster of that many fighters."""
    if (cls, fighters) not in _dtypes:
        _dtypes[cls, fighters] = np.dtype(records.layout(cls, fighters), align=True)
    return _dtypes[cls, fighters]


def to_native(record: object, fighters: int) -> np.ndarray[Any, Any]:
    """A record as a NumPy array of one element."""
    return np.frombuffer(bytearray(records.pack(record)), dtype=dtype(type(record), fighters))


def jit(driver: Callable[..., Any], *entries: Callable[..., Any]) -> Any:
    """Compile a driver that calls rules; `entries` are the rules it starts from.

    The compiled code is kept on disk under a name made of the content of every rule source and constant it
    can reach, so an edited rule never runs stale. Of several processes that need the same, one compiles.
    """
    for function in rules.registered():
        if function not in _known:
            _known.add(function)
            (called if rules.stands_apart(function) else inlined)(function)
    compiled = numba.njit(nogil=True, error_model="numpy")(driver)
    compiled._cache = cache = _ContentCache(driver, _content_key(driver, *entries))
    compile_or_load = compiled.compile

    def compile_once(signature: Any) -> Any:
        with cache.alone(signature), _uncollected():
            return compile_or_load(signature)

    compiled.compile = compile_once
    return compiled


@contextmanager
def _uncollected() -> Iterator[None]:
    """While this lasts, no garbage is collected: the compiler makes millions of objects and keeps nearly all."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _content_key(*entries: Callable[..., Any]) -> str:
    """A hash of all that the compiled code depends on."""
    functions, names = rules.reachable(*entries)
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__} numpy {np.__version__}".encode())
    files = {function.__code__.co_filename for function in functions}
    own = (chance.__file__, weights.__file__, rules.__file__, records.__file__, __file__)
    for file in sorted({*files, *own}):
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

    @contextmanager
    def alone(self, signature: Any) -> Iterator[None]:
        """While this lasts, no other process compiles the same for the same types; it ends with the process."""
        if fcntl is None:
            yield
            return
        types_of_it = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
        with Path(self._cache_path, f"{types_of_it}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


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
def _fill(dice: Any, faces: Any, lowest: Any, bound: Any) -> Any:
    """Let every face be one of `bound` numbers from the lowest on, as many out of one word as it can serve."""
    rest = U(0)
    served = np.int64(2 * _SERVES)
    for die in range(faces.size):
        served *= bound
        if served > _SERVES:
            rest = _word(dice) >> _SHIFT
            served = np.int64(bound)
        rest *= U(bound)
        faces[die] = lowest + np.int64(rest >> _FRACTION)
        rest &= _REST
    return faces


@inlined
def _bits(word: Any) -> Any:
    word -= (word >> U(1)) & U(0x5555555555555555)
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * U(0x0101010101010101)) >> U(56))


def _room_for(length: int) -> Any:
    """What gives a pointer to room for so many numbers in the running function's own memory."""

    @intrinsic
    def room(_context: Any) -> Any:
        row = types.CPointer(types.int64)  # type: ignore[attr-defined]

        def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            place = cgutils.alloca_once(builder, context.get_value_type(types.int64), length)
            return builder.bitcast(place, context.get_value_type(row))

        return row(), codegen

    return room


# Copied into the function that asks for a row before anything is compiled: there the memory belongs to that function.
row_form = partial(overload, strict=False, inline="always")
_faces = _room_for(chance.MOST_DICE)


@row_form(chance.throw_dice)
def _throw_dice(dice: Any, n: Any, sides: Any) -> Any:
    return lambda dice, n, sides: _fill(dice, numba.carray(_faces(), (min(n, chance.MOST_DICE),)), 1, sides)


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
    return lambda base, exponent: float(base) ** exponent


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


_row_room = _room_for(ROW)


@row_form(rules.row)
def _row(length: Any) -> Any:
    return lambda length: numba.carray(_row_room(), (length,)) if length <= ROW else np.empty(length, np.int64)
