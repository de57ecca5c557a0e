"""Interpreted and compiled fights are the same fights: the same seed gives the same end, to the last byte."""

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
from affray.system.schema import Option, Whole
from affray.systems.strategic import sheets, system
from affray.systems.strategic.state import NUMBERS

SHAPES = ((1, 1), (1, 1), (1, 2, 1), (1, 1), (2, 2))
"""Duels, and four fighters in several ways: two numbers of fighters to compile for."""
PARTS = 4
OWN_ARMS = ":weapon=club:damage=9:lethality=7:weight=3:armour_value=5:armour_penalty=3"


def rosters(count: int, seed: str) -> Iterator[tuple[dict[str, list[str]], dict[str, str], dict[str, object]]]:
    """Duels, two against two and three sides over all fighters, tactics and many options."""
    random = Random(seed)
    for shape in islice(cycle(SHAPES), count):
        teams = {f"t{t}": [fighter(random) for _ in range(size)] for t, size in enumerate(shape)}
        tactics = {team: random.choice(list(system.tactics)) for team in teams}
        yield teams, tactics, {"round_cap": 25, **options(random)}


def fighter(random: Random) -> str:
    """A fighter of the data, now and then with other arms, another stake, or wounds of earlier fights."""
    spec = random.choice(list(sheets.SHEETS.fighters()))
    changes = ("", "", "", ":coins_lost=20:crippling=2", ":life_coins=6", ":stake=0", ":stake=500:caution=0")
    arms = ("", "", ":weapon=longbow", ":armour=plate", ":weapon=battleaxe:armour=none", OWN_ARMS)
    return spec + random.choice(changes) + random.choice(arms)


def options(random: Random) -> dict[str, Any]:
    """Some numbers of the rules changed, anywhere in their ranges, and the options that are words."""
    changed = random.sample(NUMBERS, random.choice((0, 0, 1, 3)))
    return {
        **{option.name: in_range(random, option) for option in changed},
        "lethal": random.choice(("cumulative", "cumulative", "highwater")),
        "start_range": random.choice(("archers", "archers", "far", "near")),
        "hours_to_care": random.choice((0, 6, 100)),
    }


def in_range(random: Random, option: Option) -> int:
    """Any number that an option allows, and that leaves the fight short."""
    assert isinstance(option.field, Whole)
    return random.randint(option.field.low, min(option.field.high, 20))


@pytest.mark.parametrize("part", range(PARTS))
def test_thousands_of_fights_end_alike_to_the_last_byte(native: ModuleType, part: int) -> None:
    for place, (teams, tactics, chosen) in enumerate(rosters(100, f"bytes {part}")):
        numbers = range(1000 * place, 1000 * place + 5)
        both = [
            final_states("strategic", teams, seed=9, numbers=numbers, tactics=tactics, options=chosen, compiled=how)
            for how in (True, False)
        ]
        assert both[0] == both[1], (teams, tactics, chosen)


def test_endings_rounds_and_figures_are_counted_alike(native: ModuleType) -> None:
    for teams, tactics, chosen in rosters(12, "figures"):
        one, other = (
            simulate("strategic", teams, fights=40, seed=5, tactics=tactics, options=chosen, compiled=compiled)
            for compiled in (True, False)
        )
        assert (one.compiled, other.compiled) == (True, False)
        assert (one.counts, one.rounds, one.figures) == (other.counts, other.rounds, other.figures)


@pytest.mark.parametrize("number", [0, 123_456, 999_999])
def test_one_fight_of_a_million_can_be_told_again(native: ModuleType, number: int) -> None:
    teams = "order=knight,guard raiders=brute,thug"
    fight = replay_simulated("strategic", teams, seed=21, number=number)
    (ended,) = final_states("strategic", teams, seed=21, numbers=[number])
    assert records.pack(fight.state) == ended
    assert fight.over
