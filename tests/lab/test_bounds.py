"""Counting ends: the largest fights get odds, or a sentence, for a number of outcomes that is known beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from affray import Fight
from affray.kernel.chance import Seeded
from affray.kernel.exact import MOST_THROWS, Exact, TooMuchChance
from affray.kernel.state import to_act
from affray.lab import exchange, luck, solve
from affray.lab.exchange import LEAST_SECONDS, exchanges
from affray.lab.graph import OUTCOMES_A_SECOND, work
from affray.lab.odds import MOST_OPENINGS, TooManyStates, odds, odds_of_moves
from affray.lab.playouts import count_endings
from affray.lab.programs import program
from affray.players.tactics import replay_simulated
from affray.system.registry import find, names
from affray.system.setup import Setup

MOST_FIGHTERS = 62
GUNS = "investigators=detective enemies=ghoul"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many outcomes have been counted by interpreted rules, and how many throws that took."""
    work, outcomes, answer = [0, 0], Exact.outcomes, Exact.answer

    def counting(*args: Any) -> Iterator[Any]:
        for outcome in outcomes(*args):
            work[0] += 1
            yield outcome

    def answering(*args: Any) -> int:
        work[1] += 1
        return answer(*args)

    monkeypatch.setattr(Exact, "outcomes", counting)
    monkeypatch.setattr(Exact, "answer", answering)
    yield work
    assert work[1] <= MOST_THROWS * (work[0] + 10), "some outcomes may have been broken off"


def largest(system: str) -> Setup[Any]:
    """As many fighters as a fight takes, half of them on each side."""
    sides = find(system).demonstration.items()
    return Setup.of(system, {team: [fighters[0]] * (MOST_FIGHTERS // len(sides)) for team, fighters in sides})


@pytest.mark.parametrize("system", names())
def test_the_largest_roster_has_its_odds_in_bounded_work(system: str, counted: list[int]) -> None:
    setup = largest(system)
    assert len(setup.names) == MOST_FIGHTERS
    state = setup.opened(Seeded(1))
    who = next(name for place, name in enumerate(setup.names) if to_act(state) >> place & 1)
    at_once = max(
        work(LEAST_SECONDS, exchange.OUTCOMES_A_SECOND, MOST_FIGHTERS), 40 * len(setup.codes(state, setup.index(who)))
    )
    best = odds_of_moves(setup, state, who, compiled=False, seconds=0.0)
    assert not any(found.tells for found in best.values()), "of one decision nobody can tell anything"
    assert counted[0] <= at_once
    odds_of_moves(setup, state, who, compiled=False, seconds=0.0, play="tactics")
    assert counted[0] <= 2 * at_once + MOST_OPENINGS


@pytest.mark.parametrize("system", names())
def test_a_whole_fight_of_the_largest_roster_is_refused_in_bounded_work(system: str, counted: list[int]) -> None:
    with pytest.raises(TooManyStates, match=r"too many (states|openings) to count"):
        odds(largest(system), compiled=False, seconds=0.3)
    assert counted[0] <= MOST_OPENINGS + work(0.3, OUTCOMES_A_SECOND, MOST_FIGHTERS)


def test_throwing_without_end_is_not_counted(toy: ModuleType) -> None:
    asked = 0

    def throw(dice: Exact) -> None:
        nonlocal asked
        while True:
            asked += 1
            toy.heads(dice, 1)

    with pytest.raises(TooMuchChance):
        list(Exact().outcomes(throw))
    assert asked == MOST_THROWS + 1


def test_native_code_stops_at_the_most_outcomes_of_a_move_and_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    fight, made = Fight("mythos", GUNS, seed=1), list[int]()
    codes = fight.codes(0)
    everything = exchanges(fight.setup, fight.state, 0, codes, compiled=True, seconds=1.0)
    assert None not in everything
    for name, value in {"MOST_OUTCOMES": 500, "NATIVE_PATIENCE": (100, 500), "LEAST_NATIVE_WORK": 900}.items():
        monkeypatch.setattr(exchange, name, value)

    class Counting:
        def run(self, driver: str, *given: Any) -> list[int]:
            count, problem = program(fight.system, 2).run(driver, *given)
            made.append(count)
            return [count, problem]

    monkeypatch.setattr(exchange, "program", lambda system, fighters: Counting())
    first = exchange.Exchanges(fight.setup, fight.state, 0, compiled=True)
    some = first.of(codes, 0.0)
    assert sum(made) == 900
    assert max(made) <= 500
    assert first.is_unfinished(codes)
    assert 0 < sum(found is not None for found in some) < len(codes)
    for _ in codes:
        some = first.of(codes, 0.0)
    assert not first.is_unfinished(codes), "every question brings an answer nearer"
    shots = [str(move).startswith(("shoot twice", "shoot three")) for move in fight.legal("detective")]
    assert some == [None if dear else found for dear, found in zip(shots, everything, strict=True)]


def test_chances_that_settle_too_slowly_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = "heroes=player monsters=fire-slime"
    monkeypatch.setattr(solve, "SWEPT_SLOWLY", 0)
    with pytest.raises(TooManyStates):
        odds("bgo", duel, play="best", compiled=False)
    fight = Fight("bgo", duel, seed=1)
    found = odds_of_moves(fight.setup, fight.state, "player", compiled=False, seconds=0.0, least=1)
    assert [one.fights for one in found.values()] == [1] * len(found)


def test_luck_is_played_out_where_moves_have_too_many_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = luck.solve_fight
    for name, value in {"MOST_OUTCOMES": 5, "PLAYED": 10}.items():
        monkeypatch.setattr(luck, name, value)
    monkeypatch.setattr(luck, "solve_fight", lambda *args, **how: solver(*args, **how, compiled=False))
    monkeypatch.setattr(luck, "count_endings", lambda *args, **how: count_endings(*args, **how | {"compiled": False}))
    fight = replay_simulated("bgo", "heroes=player monsters=fire-slime", seed=7, number=182)
    assert "play-outs of each position" in fight.luck().how
