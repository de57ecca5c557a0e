"""How a whole fight is likely to end: counted where its states can be, simulated where they are too many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from affray.fight import Fight
from affray.lab import odds as counting
from affray.lab import simulate as fighting
from affray.lab.figures import Rate
from affray.lab.weighing import costs_of

COUNTING_SECONDS = 10.0  # for the states of a whole fight; what takes longer is simulated


@dataclass(frozen=True)
class Outlook:
    """The odds of a whole fight, and what only a simulation of it tells beside them."""

    odds: counting.Odds
    rounds: Rate | None = None
    """How long it lasts."""
    costs: Mapping[str, Mapping[str, Rate]] = field(default_factory=dict)
    """What it costs and brings everybody, where the system knows of costs."""


def outlook(
    fight: Fight,
    *,
    tactics: Mapping[str, str] | None = None,
    play: counting.Play = "tactics",
    team: str | None = None,
    fights: int,
    seed: int = 0,
    progress: fighting.Progress | None = None,
) -> Outlook:
    """The odds of a fight from its setup on, as `team` (the first, unless told) sees them.

    Where the states are too many to count, so many `fights` of `seed` are simulated, in which everybody follows their
    tactics, whatever `play` says; how it was found stands in the odds.
    """
    setup, options = fight.setup.specs(), fight.options
    try:
        return Outlook(
            counting.odds(
                fight.system, setup, options=options, tactics=tactics, play=play, team=team, seconds=COUNTING_SECONDS
            )
        )
    except counting.TooManyStates:
        run = fighting.simulate(
            fight.system,
            setup,
            options=options,
            tactics=tactics,
            fights=fights,
            seed=seed,
            figures=bool(fight.system.costs),
            progress=progress,
        )
    viewer = team or next(iter(fight.teams))
    found = counting.sampled(fight, viewer, list(run.counts.values()), "simulated fights, as all follow their tactics")
    costs = {who: costs_of(fight, fight.index(who), row, run.fights) for who, row in run.figures.items()}
    return Outlook(found, run.mean_rounds, costs)
