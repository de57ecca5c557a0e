"""Rules and events: a rule stays a plain function, and an event knows its name, its integers and its citations."""

from __future__ import annotations

import pickle

import pytest

from affray.kernel.chance import Scripted
from affray.kernel.rules import Event, Log, emit, kinds, reachable, registered, row, rule, score

BOUND = 3
DEEP = (1, (2, 3))

HIT, MISS = kinds(HIT="who target amount | attack, 7", MISS="who")


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


def test_a_kind_is_a_number_with_a_name_fields_and_citations() -> None:
    assert (HIT, MISS) == (0, 1)
    assert (HIT.name, HIT.fields, HIT.cites) == ("HIT", ("who", "target", "amount"), ("attack", "7"))
    assert (MISS.name, MISS.fields, MISS.cites) == ("MISS", ("who",), ())


def test_an_event_is_read_by_the_names_of_its_fields() -> None:
    event = Event(HIT, (0, 1, 5))
    assert (event.who, event.target, event.amount) == (0, 1, 5)
    with pytest.raises(AttributeError, match="a 'HIT' event has no 'weather'"):
        event.weather  # noqa: B018


def test_an_event_has_the_dice_that_fell_since_the_last_one() -> None:
    dice = Scripted([(1, 2), 3, (4,)])
    log = Log([[0]], dice.fallen)
    dice.pips(2, 6)
    dice.heads(5)
    emit(log, HIT, 0, 1, 2)
    emit(log, MISS, 0)
    dice.pips(1, 6)
    emit(log, MISS, 1)
    assert [event.fell for event in log.events] == [((1, 2), (3,)), (), ((4,),)]


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
    event = Event(HIT, (0, 1, 5), ((6, 6),))
    again = pickle.loads(pickle.dumps(event))
    assert again == event
    assert again.amount == 5
    assert again.kind.cites == ("attack", "7")
