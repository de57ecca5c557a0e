"""Memory: records as native code has them, and the rows and records of its own that a running function needs."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_getattr, overload, typeof_impl
from numba.np.arrayobj import make_array, populate_array, record_getattr

from affray.kernel import records, rules, search, state
from affray.kernel.native.forms import inlined, native_form


def figures_dtype(slots: int, figures: int) -> np.dtype[Any]:
    """What stands in for a log in compiled runs. A record, because arrays would be counted at every call."""
    return np.dtype([("figures", "i8", (slots, figures))])


_dtypes: dict[tuple[type[Any], int], np.dtype[Any]] = {}


def dtype(cls: type[Any], slots: int) -> np.dtype[Any]:
    """The NumPy dtype of a record class for rosters of a size class."""
    if (cls, slots) not in _dtypes:
        for name in records.per_fighter(cls):
            _let_roster_end(name)
        _dtypes[cls, slots] = np.dtype(records.layout_slots(cls, slots), align=True)
    return _dtypes[cls, slots]


def to_native(record: object) -> np.ndarray[Any, Any]:
    """A record's compiled twin as a NumPy array of one element."""
    slots = records.slots_for(records.roster(record))
    return np.frombuffer(bytearray(records.pack_slots(record)), dtype=dtype(type(record), slots))


@cache
def _let_roster_end(name: str) -> None:
    """Let a list for each fighter be as long as there are fighters, not as there are slots."""

    @lower_getattr(types.Record, name)
    def entries(context: Any, builder: Any, record: Any, value: Any) -> Any:
        whole = record_getattr(context, builder, record, value, name)
        kind = record.typeof(name)
        if records.ROSTER not in record.fields or not isinstance(kind, types.NestedArray):  # another record's field
            return whole
        entries = make_array(kind)(context, builder, whole)
        taken = record_getattr(context, builder, record, value, records.ROSTER)
        # A length with a bound lets short loops be unrolled, and rows for all moves be known to fit.
        bounds = [context.get_constant(types.intp, bound) for bound in (0, kind.shape[0] + 1)]
        taken.set_metadata("range", builder.module.add_metadata(bounds))
        entries.shape = builder.insert_value(entries.shape, taken, 0)
        entries.nitems = taken
        return entries._getvalue()


@intrinsic
def on_stack(_context: Any, like: Any) -> Any:
    """A record of the same type as `like`, in the running function's own memory.

    The optimiser knows that nothing else points there, so what fits is kept in registers.
    """

    def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        return cgutils.alloca_once(builder, context.data_model_manager[like].get_data_type())

    return like(like), codegen


def new_record(dtype_: np.dtype[Any]) -> Any:
    """What gives a record of a dtype in the running function's own memory; what stands there at first is anything."""
    record = numba.from_dtype(dtype_)

    @intrinsic
    def new(_context: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            return cgutils.alloca_once(builder, context.data_model_manager[record].get_data_type())

        return record(), codegen

    return new


def _copier(kind: Any) -> Any:
    """What copies numbers of one width out of a record, from a place on, into a row of 32-bit numbers."""

    @intrinsic
    def copy_numbers(_context: Any, row: Any, at: Any, record: Any, place: Any, count: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            numbers = context.get_value_type(types.CPointer(kind))  # type: ignore[attr-defined]
            to = builder.gep(make_array(row)(context, builder, args[0]).data, [args[1]])
            source = builder.gep(builder.bitcast(args[2], numbers), [args[3]])
            if kind is types.int32:
                cgutils.memcpy(builder, to, source, args[4])
            else:
                _widen(builder, to, source, args[4])
            return context.get_dummy_value()

        whole = types.intp
        return types.void(row, whole, record, whole, whole), codegen

    return copy_numbers


LANES = 8


def _widen(builder: Any, to: Any, source: Any, count: Any) -> None:
    """Copy narrow numbers into wider ones: so many at a time, because loops are not made into vectors by themselves."""

    def copy(at: Any, lanes: int) -> None:
        wide, narrow = to.type.pointee, source.type.pointee
        if lanes > 1:
            wide, narrow = ir.VectorType(wide, lanes), ir.VectorType(narrow, lanes)
        found = builder.load(builder.bitcast(builder.gep(source, [at]), narrow.as_pointer()), align=1)
        builder.store(builder.sext(found, wide), builder.bitcast(builder.gep(to, [at]), wide.as_pointer()), align=4)

    lanes = ir.Constant(count.type, LANES)
    vectors = builder.udiv(count, lanes)
    with cgutils.for_range(builder, vectors) as loop:
        copy(builder.mul(loop.index, lanes), LANES)
    done = builder.mul(vectors, lanes)
    with cgutils.for_range(builder, builder.sub(count, done)) as loop:
        copy(builder.add(done, loop.index), 1)


copy_bytes, copy_halves, copy_wholes = (_copier(kind) for kind in (types.int8, types.int16, types.int32))
"""Copiers of numbers of 8, 16 and 32 bits."""


@intrinsic
def words(_context: Any, records_: Any, index: Any) -> Any:
    """One of an array of records as the 64-bit words that it consists of."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        data = make_array(records_)(context, builder, args[0]).data
        size = context.get_constant(types.intp, records_.dtype.size)
        place = builder.mul(context.cast(builder, args[1], index, types.intp), size)
        start = cgutils.pointer_add(builder, data, place, context.get_value_type(_TO_WORD))
        return _words_at(context, builder, start, records_.dtype.size // 8)

    return _WORDS(records_, index), codegen


@intrinsic
def words_of(_context: Any, record: Any) -> Any:
    """A record as the 64-bit words that it consists of."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        start = builder.bitcast(args[0], context.get_value_type(_TO_WORD))
        return _words_at(context, builder, start, record.size // 8)

    return _WORDS(record), codegen


_WORDS = types.Array(types.uint64, 1, "C")
_TO_WORD = types.CPointer(types.uint64)  # type: ignore[attr-defined]


def _words_at(context: Any, builder: Any, start: Any, count: int) -> Any:
    made, whole = make_array(_WORDS)(context, builder), types.intp
    populate_array(
        made,
        data=start,
        shape=cgutils.pack_array(builder, [context.get_constant(whole, count)]),
        strides=cgutils.pack_array(builder, [context.get_constant(whole, 8)]),
        itemsize=context.get_constant(whole, 8),
        meminfo=None,
        parent=None,
    )
    return made._getvalue()


@intrinsic
def assign(_context: Any, target: Any, source: Any) -> Any:
    """Copy one record over another of the same type."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def room_for(length: int) -> Any:
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


ROW = 2048  # numbers that a scratch row has room for: all moves of the largest roster
_row_room = room_for(ROW)


class Memory:
    """Whether native code may ask for memory beyond its own; a WebAssembly module has nobody to ask."""

    is_there = True


@row_form(rules.row)
def _row(length: Any) -> Any:
    if Memory.is_there:
        return lambda length: numba.carray(_row_room(), (length,)) if length <= ROW else np.empty(length, np.int64)

    def room(length: Any) -> Any:
        if length > ROW:
            raise IndexError("a row of a rule is longer than a module has room for")
        return numba.carray(_row_room(), (length,))

    return room


@native_form(state.add_move)
def _add_move(moves: Any, count: Any, move: Any) -> Any:
    def add(moves: Any, count: Any, move: Any) -> Any:
        moves[np.uint64(count)] = move  # unsigned, so that no move checks whether it is counted from the end
        return count + 1

    return add


def hashed(words_: Any) -> Any:
    """A hash of 64-bit words."""
    found = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words_.size):
        found = (found ^ words_[word]) * np.uint64(0xBF58476D1CE4E5B9)
        found ^= found >> np.uint64(29)
    return found


inlined(hashed)


@native_form(search.position)
def _position(fight: Any) -> Any:
    def position(fight: Any) -> Any:
        timeless = on_stack(fight)
        assign(timeless, fight)
        state.forget_clock(timeless)
        return np.int64(hashed(words_of(timeless)) >> np.uint64(1))

    return position


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


@native_form(search.scored)
def _scored(log: Any, who: Any, figure: Any) -> Any:
    if isinstance(log, types.Record):
        return lambda log, who, figure: log.figures[who, figure]
    return lambda log, who, figure: 0


@native_form(search.forget_figures)
def _forget_figures(log: Any) -> Any:
    if isinstance(log, types.Record):

        def forget(log: Any) -> None:
            log.figures[:] = 0

        return forget
    return lambda log: None


@inlined
def no_log() -> Any:
    """What stands in for a log where nothing is counted."""
    return None
