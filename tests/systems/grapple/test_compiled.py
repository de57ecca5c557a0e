"""Interpreted and compiled combats are the same combats: the same seed gives the same end, to the last byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from types import ModuleType
from typing import Any

import pytest

from affray.kernel import records
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import replay_simulated
from affray.systems.grapple import sheets
from affray.systems.grapple.tactics import TACTICS

SHAPES = ((1, 1), (1, 1), (2, 2), (1, 2, 1), (1, 1), (1, 3))
"""Duels, and four fighters in all ways: two numbers of fighters to compile for."""


def rosters(count: int, seed: str) -> Iterator[tuple[dict[str, list[Any]], dict[str, str], dict[str, object]]]:
    """Duels, pairs and three teams over all fighters, tactics and profiles."""
    random = Random(seed)
    for place, shape in enumerate(islice(cycle(SHAPES), count)):
        teams = {f"t{t}": random.choices(list(sheets.SHEETS.fighters()), k=size) for t, size in enumerate(shape)}
        tactics = {team: random.choice(list(TACTICS)) for team in teams}
        options = {"profile": list(sheets.PROFILES)[place % 2], "round_cap": 30, "listed_teams": random.choice((0, 62))}
        yield teams, tactics, options


def test_thousands_of_fights_end_alike_to_the_last_byte(native: ModuleType) -> None:
    for place, (teams, tactics, options) in enumerate(rosters(200, "bytes")):
        numbers = range(1000 * place, 1000 * place + 10)
        both = [
            final_states("grapple", teams, seed=9, numbers=numbers, tactics=tactics, options=options, compiled=compiled)
            for compiled in (True, False)
        ]
        assert both[0] == both[1], (teams, tactics, options)


def test_endings_rounds_and_figures_are_counted_alike(native: ModuleType) -> None:
    for teams, tactics, options in rosters(24, "figures"):
        one, other = (
            simulate("grapple", teams, fights=60, seed=5, tactics=tactics, options=options, compiled=compiled)
            for compiled in (True, False)
        )
        assert (one.compiled, other.compiled) == (True, False)
        assert (one.counts, one.rounds, one.figures) == (other.counts, other.rounds, other.figures)


@pytest.mark.parametrize("number", [0, 123_456, 999_999])
def test_one_fight_of_a_million_can_be_told_again(native: ModuleType, number: int) -> None:
    teams = "heroes=ahalish,fenn monsters=goblin,goblin"
    fight = replay_simulated("grapple", teams, seed=21, number=number)
    (ended,) = final_states("grapple", teams, seed=21, numbers=[number])
    assert records.pack(fight.state) == ended
    assert fight.over
