"""Ratings follow the published example of the method, and its consequences."""

from __future__ import annotations

from math import isclose

from affray.world.people.glicko import NEW, SUREST, Met, Pairing, Rating, idle, rated, ratings

# Glickman, "The Glicko system": a player of 1500 with a deviation of 200 wins against the first, and loses two.
EXAMPLE = [Met(Rating(1400, 30), 1), Met(Rating(1550, 100), 0), Met(Rating(1700, 300), 0)]


def test_the_published_example() -> None:
    after = rated(Rating(1500, 200), EXAMPLE)
    assert round(after.value) == 1464
    assert round(after.deviation, 1) == 151.4


def test_the_order_of_the_fights_of_a_day_does_not_matter() -> None:
    after, back = rated(Rating(1500, 200), EXAMPLE), rated(Rating(1500, 200), EXAMPLE[::-1])
    assert isclose(after.value, back.value)
    assert isclose(after.deviation, back.deviation)


def test_uncertainty_grows_with_time_up_to_that_of_a_newcomer() -> None:
    assert idle(Rating(1700, 50), 0) == Rating(1700, 50)
    assert 50 < idle(Rating(1700, 50), 30).deviation < idle(Rating(1700, 50), 300).deviation < NEW.deviation
    assert isclose(idle(Rating(1700, 50), 2 * 365).deviation, NEW.deviation)
    assert idle(Rating(1700, 50), 9999) == Rating(1700, NEW.deviation)


def both(day: int, one: str, other: str, score: float) -> list[Pairing]:
    return [Pairing(day, one, other, score), Pairing(day, other, one, 1 - score)]


def test_equal_players_gain_and_lose_alike() -> None:
    found = ratings(both(1, "ann", "bob", 1.0), today=1)
    assert isclose(found["ann"].value - 1500, 1500 - found["bob"].value)
    assert found["ann"].deviation == found["bob"].deviation < NEW.deviation
    drawn = ratings(both(1, "ann", "bob", 0.5), today=1)
    assert drawn["ann"].value == drawn["bob"].value == 1500


def test_a_day_is_one_period_and_the_next_day_another() -> None:
    together = ratings([*both(1, "ann", "bob", 1.0), *both(1, "ann", "cora", 1.0)], today=1)
    assert together["bob"].value == together["cora"].value, "both met the same Ann"
    apart = ratings([*both(1, "ann", "bob", 1.0), *both(2, "ann", "cora", 1.0)], today=2)
    assert apart["cora"].value > apart["bob"].value, "it is no shame to lose against a winner"
    later = ratings(both(1, "ann", "bob", 1.0), today=100)["ann"]
    assert later == idle(ratings(both(1, "ann", "bob", 1.0), today=1)["ann"], 99)


def test_a_rating_is_never_so_certain_that_it_cannot_change() -> None:
    always = [fight for day in range(400) for fight in both(day, "ann", "bob", float(day % 2)) * 20]
    assert ratings(always, today=400)["ann"].deviation >= SUREST
