"""Rules and events: a rule stays a plain function, and an event knows its name, its integers and its citations."""

from __future__ import annotations

import pickle

import pytest

from affray.errors import Invalid
from affray.kernel.chance import Scripted, heads, pips
from affray.kernel.rules import Event, Log, emit, event, kinds_of, reachable, registered, row, rule, score, unmarked

BOUND = 3
DEEP = (1, (2, 3))

HIT = event("{who} hits {target} for {amount:point}.", rule="attack, 7")
MISS = event("{who} misses.")


@rule
def inner(number: int) -> int:
    return number + BOUND


@rule
def outer(number: int) -> int:
    return inner(number) + DEEP[0]


def test_a_rule_stays_what_it_is() -> None:
    assert outer(1) == 5
    assert outer in registered()


def test_the_rules_that_an_entry_reaches_are_found() -> None:
    found, _ = reachable(outer)
    assert set(found) == {outer, inner}
    assert set(reachable(inner)[0]) == {inner}


def test_a_kind_is_declared_with_its_sentence_and_has_a_name_fields_and_citations() -> None:
    assert HIT != MISS
    assert len({HIT, MISS, HIT}) == 2
    assert (HIT.name, HIT.fields, HIT.cites) == ("HIT", ("who", "target", "amount"), ("attack", "7"))
    assert (MISS.name, MISS.fields, MISS.cites) == ("MISS", ("who",), ())


def test_an_event_is_read_by_the_names_of_its_fields() -> None:
    told = Event(HIT, (0, 1, 5))
    assert (told.who, told.target, told.amount) == (0, 1, 5)
    with pytest.raises(AttributeError, match="a HIT event has no 'weather'"):
        told.weather  # noqa: B018


def test_an_event_has_the_dice_that_fell_since_the_last_one() -> None:
    dice = Scripted([(1, 2), 3, (4,)])
    log = Log([[0]], dice.fallen)
    pips(dice, 2, 6)
    heads(dice, 5)
    emit(log, HIT, 0, 1, 2)
    emit(log, MISS, 0)
    pips(dice, 1, 6)
    emit(log, MISS, 1)
    assert [told.fell for told in log.events] == [((1, 2), (3,)), (), ((4,),)]


def test_without_a_log_nothing_is_said_or_counted() -> None:
    emit(None, HIT, 0, 1, 2)
    score(None, 0, 0, 5)


def test_figures_add_up() -> None:
    log = Log([[0, 0], [0, 0]])
    score(log, 1, 0, 5)
    score(log, 1, 0, -2)
    score(log, 0, 1, 7)
    assert log.figures == [[0, 7], [3, 0]]


def test_a_scratch_row_is_zeros_and_new_each_time() -> None:
    one = row(3)
    one[0] = 9
    assert row(3) == [0, 0, 0]


def test_an_event_survives_being_handed_to_another_process() -> None:
    told = Event(HIT, (0, 1, 5), ((6, 6),))
    again = pickle.loads(pickle.dumps(told))
    assert again == told
    assert again.amount == 5
    assert again.kind.cites == ("attack", "7")


@rule
def tells(log: Log | None, who: int) -> None:
    emit(log, MISS, who)
    emit(log, HIT, who)


def helper(number: int) -> int:
    return number


@rule
def leans(number: int) -> int:
    return helper(number)


def test_the_kinds_that_rules_may_emit_are_found_in_the_order_of_their_declarations() -> None:
    assert kinds_of(tells) == [HIT, MISS]


def test_a_wrong_number_of_values_is_refused_with_the_rule_the_event_and_its_fields() -> None:
    with pytest.raises(Invalid, match=r"tells emits HIT with 1 values, and it takes 3 values \(who, target, amount\)"):
        tells(Log([[0]]), 0)


def test_what_cannot_be_compiled_is_named() -> None:
    assert unmarked(outer) == []
    assert unmarked(leans) == ["leans calls helper, which is not marked @rule"]
    assert unmarked(helper) == ["helper is not marked @rule"]
