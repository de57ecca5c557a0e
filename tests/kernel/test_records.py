"""Records: one declaration gives blank records, copies, bytes, tables, and the layout of the native twin."""

from __future__ import annotations

import ctypes
import json
from itertools import cycle
from types import ModuleType
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.kernel import records
from affray.kernel.records import I8, I16, I32, I64, Cell, Cells, PerFighter, record


@record
class Hand:
    cards: Annotated[list[int], Cells("b", 3)]
    stamina: I16
    seen: Annotated[list[int], PerFighter(Cell("b"))]  # what this one knows of each other


@record
class Table:
    turn: I8
    clock: I32
    deck: I64
    teams: Annotated[list[int], PerFighter(Cell("h"))]
    hands: Annotated[list[Hand], PerFighter(Hand)]


def filled(fighters: int) -> Table:
    """A record in which no two numbers near each other are equal."""
    made = records.blank(Table, fighters)
    numbers = cycle(range(1, 128))
    made.turn, made.clock, made.deck = next(numbers), next(numbers), next(numbers)
    made.teams = [next(numbers) for _ in range(fighters)]
    for hand in made.hands:
        hand.cards = [next(numbers) for _ in hand.cards]
        hand.stamina = next(numbers)
        hand.seen = [next(numbers) for _ in range(fighters)]
    return made


def test_a_blank_record_is_zeros_in_the_size_of_the_roster() -> None:
    made = records.blank(Table, 3)
    assert made == Table(0, 0, 0, [0, 0, 0], [Hand([0, 0, 0], 0, [0, 0, 0])] * 3)
    assert len({id(hand) for hand in made.hands}) == 3, "every fighter has a hand of its own"
    assert len({id(hand.cards) for hand in made.hands}) == 3


def test_a_record_takes_no_field_that_was_not_declared() -> None:
    with pytest.raises(AttributeError):
        records.blank(Table, 2).pot = 1  # type: ignore[attr-defined]


def test_a_copy_is_equal_and_independent_in_every_part() -> None:
    original = filled(2)
    before = records.pack(original)
    copied = records.copy(original)
    assert copied == original
    copied.turn += 1
    copied.teams[0] += 1
    copied.hands[1].stamina += 1
    copied.hands[1].cards[2] += 1
    copied.hands[0].seen[1] += 1
    assert records.pack(original) == before
    assert copied != original


def test_every_cell_stands_where_a_c_compiler_would_put_it() -> None:
    class HandInC(ctypes.LittleEndianStructure):
        _fields_ = [("cards", ctypes.c_int8 * 3), ("stamina", ctypes.c_int16), ("seen", ctypes.c_int8 * 2)]

    class TableInC(ctypes.LittleEndianStructure):
        _fields_ = [
            ("turn", ctypes.c_int8),
            ("clock", ctypes.c_int32),
            ("deck", ctypes.c_int64),
            ("teams", ctypes.c_int16 * 2),
            ("hands", HandInC * 2),
        ]

    made = filled(2)
    twin = TableInC.from_buffer_copy(records.pack(made))
    assert ctypes.sizeof(twin) == len(records.pack(made))
    assert (twin.turn, twin.clock, twin.deck, list(twin.teams)) == (made.turn, made.clock, made.deck, made.teams)
    for hand, in_c in zip(made.hands, twin.hands, strict=True):
        assert (list(in_c.cards), in_c.stamina, list(in_c.seen)) == (hand.cards, hand.stamina, hand.seen)


@pytest.mark.parametrize("fighters", [1, 2, 5])
def test_bytes_come_back_as_the_same_record(fighters: int) -> None:
    original = filled(fighters)
    assert records.unpack(Table, fighters, records.pack(original)) == original


@given(st.data())
def test_any_numbers_that_fit_come_back_from_bytes(data: st.DataObject) -> None:
    def cell(bits: int) -> int:
        return data.draw(st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))

    hands = [Hand([cell(8) for _ in range(3)], cell(16), [cell(8) for _ in range(2)]) for _ in range(2)]
    original = Table(cell(8), cell(32), cell(64), [cell(16), cell(16)], hands)
    assert records.unpack(Table, 2, records.pack(original)) == original


@pytest.mark.parametrize(("field", "number"), [("turn", 128), ("turn", -129), ("clock", 2**31), ("deck", 2**63)])
def test_a_number_too_large_for_its_field_is_refused_in_a_sentence(field: str, number: int) -> None:
    made = records.blank(Table, 2)
    setattr(made, field, number)
    with pytest.raises(Invalid, match="does not fit its field"):
        records.pack(made)


def test_a_record_is_plain_json_values() -> None:
    original = filled(2)
    table = records.as_table(original)
    assert json.loads(json.dumps(table)) == table
    assert table["clock"] == 2
    assert table["hands"][1] == {"cards": [12, 13, 14], "stamina": 15, "seen": [16, 17]}
    assert list(table) == ["turn", "clock", "deck", "teams", "hands"]


@pytest.mark.parametrize("fighters", [1, 2, 3, 7])
def test_the_native_twin_has_the_same_bytes_field_by_field(fighters: int) -> None:
    np: Any = pytest.importorskip("numpy")
    original = filled(fighters)
    twin = np.frombuffer(records.pack(original), np.dtype(records.layout(Table, fighters), align=True))
    assert twin.dtype.isalignedstruct
    assert twin.dtype["hands"].base.isalignedstruct
    assert twin.dtype.itemsize % 8 == 0
    assert (twin[0]["turn"], twin[0]["clock"], twin[0]["deck"]) == (1, 2, 3)
    assert twin[0]["teams"].tolist() == original.teams
    for hand, native in zip(original.hands, twin[0]["hands"], strict=True):
        assert native["cards"].tolist() == hand.cards
        assert native["stamina"] == hand.stamina
        assert native["seen"].tolist() == hand.seen


def test_a_native_record_is_one_element_and_writable(native: ModuleType) -> None:
    twin = native.to_native(filled(2))
    assert twin.shape == (1,)
    twin[0]["clock"] = 99
    assert records.unpack_slots(Table, 2, twin.tobytes()).clock == 99


@pytest.mark.parametrize("fighters", [1, 2, 3, 7, 8, 9, 62])
def test_a_compiled_record_has_a_slot_for_every_fighter_and_knows_how_many_they_are(fighters: int) -> None:
    slots = records.slots_for(fighters)
    assert slots >= fighters
    packed = records.pack_slots(filled(fighters))
    assert records.unpack_slots(Table, fighters, packed) == filled(fighters)
    if records.is_full(slots):
        assert slots == fighters
    else:
        assert int.from_bytes(packed[-8:], "little") == fighters
        # Whatever the record, those of a size class are equally long: compiled code is the same for all of them.
        assert len(packed) == len(records.pack_slots(filled(slots)))


def test_there_is_a_size_class_for_every_roster() -> None:
    from affray.system.setup import MOST_FIGHTERS

    assert records.SLOTS[-1] == MOST_FIGHTERS
    assert [records.slots_for(fighters) for fighters in (1, 2, 3, 8, 9, MOST_FIGHTERS)] == [8, 2, 8, 8, 62, 62]
