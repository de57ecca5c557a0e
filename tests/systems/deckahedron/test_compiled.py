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
from affray.systems.deckahedron import sheets
from affray.systems.deckahedron.tactics import TACTICS

SHAPES = ((1, 1), (1, 1), (2, 2), (1, 2, 1), (1, 1), (1, 3))
"""Duels, and four fighters in all ways: two numbers of fighters to compile for."""
MODES = ("heroic", "gritty")


def rosters(
    count: int, seed: str, mode: str
) -> Iterator[tuple[dict[str, list[Any]], dict[str, str], dict[str, object]]]:
    """Duels, pairs and three teams over all fighters, tactics and options of a mode."""
    random = Random(f"{seed} {mode}")
    for shape in islice(cycle(SHAPES), count):
        teams = {f"t{t}": [fighter(random) for _ in range(size)] for t, size in enumerate(shape)}
        tactics = {team: random.choice(list(TACTICS)) for team in teams}
        yield teams, tactics, {"mode": mode, "round_cap": 15, **options(random)}


def fighter(random: Random) -> str:
    """A fighter of the data, now and then with tokens, armour or marks of earlier fights."""
    spec = random.choice(list(sheets.SHEETS.fighters()))
    changes = (
        "",
        "",
        "",
        ":tokens=2",
        ":harm=2:face_down=3",
        ":wounds=1:wound_cards=21",
        ":harm_slots=1:wound_slots=1",
    )
    return spec + random.choice(changes if spec != "rabble" else ("", ":tokens=1"))


def options(random: Random) -> dict[str, object]:
    return {
        "range": random.choice(("close", "far")),
        "ambush": random.choice(("none", "none", "first", "last")),
        "d4": random.choice(("die", "die", "cards")),
        "gang_up": random.random() < 0.3,
        "breather_floor": random.random() < 0.8,
        "breather_repeat": random.random() < 0.2,
        "face_down": random.choice(("known", "known", "unknown")),
    }


@pytest.mark.parametrize("mode", MODES)
def test_thousands_of_fights_end_alike_to_the_last_byte(native: ModuleType, mode: str) -> None:
    for place, (teams, tactics, chosen) in enumerate(rosters(200, "bytes", mode)):
        numbers = range(1000 * place, 1000 * place + 5)
        both = [
            final_states("deckahedron", teams, seed=9, numbers=numbers, tactics=tactics, options=chosen, compiled=how)
            for how in (True, False)
        ]
        assert both[0] == both[1], (teams, tactics, chosen)


@pytest.mark.parametrize("mode", MODES)
def test_endings_rounds_and_figures_are_counted_alike(native: ModuleType, mode: str) -> None:
    for teams, tactics, chosen in rosters(8, "figures", mode):
        one, other = (
            simulate("deckahedron", teams, fights=40, seed=5, tactics=tactics, options=chosen, compiled=compiled)
            for compiled in (True, False)
        )
        assert (one.compiled, other.compiled) == (True, False)
        assert (one.counts, one.rounds, one.figures) == (other.counts, other.rounds, other.figures)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [0, 123_456, 999_999])
def test_one_fight_of_a_million_can_be_told_again(native: ModuleType, number: int, mode: str) -> None:
    teams, chosen = "heroes=maren monsters=guard,guard,guard", {"mode": mode}
    fight = replay_simulated("deckahedron", teams, seed=21, number=number, options=chosen)
    (ended,) = final_states("deckahedron", teams, seed=21, numbers=[number], options=chosen)
    assert records.pack(fight.state) == ended
    assert fight.over
