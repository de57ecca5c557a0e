"""How a whole fight is likely to end: counted if its states are few enough, simulated if not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from affray.lab import odds as counting
from affray.lab import simulate as fighting
from affray.lab.figures import Rate
from affray.lab.progress import Progress
from affray.system.setup import Setup

COUNTING_SECONDS = 10.0  # for the states of a whole fight; a fight that takes longer is simulated


@dataclass(frozen=True)
class Forecast:
    """The odds of a whole fight, and what only a simulation can add."""

    odds: counting.Odds
    rounds: Rate | None = None
    """How long it lasts."""
    costs: Mapping[str, Mapping[str, Rate]] = field(default_factory=dict)
    """What the fight costs and brings each fighter, if the system has costs."""


def forecast(
    setup: Setup[Any],
    *,
    tactics: Mapping[str, str] | None = None,
    play: counting.Play = "tactics",
    aim: counting.Aim = "value",
    team: str | None = None,
    fights: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> Forecast:
    """The odds of a fight from its set-up on, as `team` (by default the first) sees them.

    If there are too many states to count, `fights` fights of `seed` are simulated, in which all fighters follow their
    tactics, whatever `play` says; without Numba, as many of them as fit into the time for counting. `odds.how` says
    which it was.
    """
    try:
        return Forecast(counting.odds(setup, tactics=tactics, play=play, aim=aim, team=team, seconds=COUNTING_SECONDS))
    except counting.TooManyStates:
        counted = partial(fighting.simulate, figures=bool(setup.system.costs), seconds=COUNTING_SECONDS)
        run = counted(setup, tactics=tactics, fights=fights, seed=seed, progress=progress)
    counts = list(run.counts.values())
    found = counting.sampled(setup, setup.team(team), counts, "simulated fights, all following their tactics")
    return Forecast(found, run.mean_rounds, run.costs)
