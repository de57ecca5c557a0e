"""Decisions in some fights: how late a fight is decided, how much each choice matters, and which moves are no use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.kernel.state import to_act
from affray.lab.costs import kinds
from affray.lab.design.certainty import Sums, deviations
from affray.lab.design.matches import Match
from affray.lab.figures import Rate
from affray.lab.odds import odds_of_moves
from affray.lab.playouts import count_endings
from affray.players.tactics import numbered, play_on

POSITIONS = 12  # of a fight, at which its chances are looked at
SURE = 0.75  # the chance of winning from which on a fight counts as decided
Z = deviations(0.95)


@dataclass
class Weighed:
    """A kind of move: at how many decisions it was open, how often it was the best, and what it gave away."""

    open: int = 0
    best: int = 0
    perhaps: int = 0
    """How often it may have been the best, as far as the intervals tell."""
    given_away: Sums = field(default_factory=Sums)
    """The chance to win that it had less than the best move."""

    @property
    def no_use(self) -> bool:
        """Whether there was always a move that was surely better."""
        return self.open > 0 and self.perhaps == 0


@dataclass
class Decisions:
    """What some fights tell about decisions; chances are those of going on by the usual tactics."""

    fights: int = 0
    playouts: int = 0
    late: Sums = field(default_factory=Sums)
    """How much of a fight was over when the winner's chance last was below three in four."""
    courses: list[list[float]] = field(default_factory=list)
    """The chance of the later winner at evenly spaced positions."""
    matter: Sums = field(default_factory=Sums)
    """The chance to win that lies between the best and the worst move of a decision."""
    moves: dict[str, Weighed] = field(default_factory=dict)
    interrupted: bool = False

    def interval(self, sums: Sums) -> Rate:
        """A mean with its 95% interval."""
        return sums.interval(Z, (0.0, 1.0))


def decisions(match: Match, fights: int, playouts: int, seed: int) -> Decisions:
    """Look into some fights: each position is played out a number of times, as is each move of one decision of each."""
    found = Decisions(playouts=playouts)
    try:
        for number in range(fights):
            fight = Fight(match.setup, dice=Seeded(seed, number))
            play_on(fight, match.chosen)
            states = [*fight.past_states(), fight.state]
            _course(found, match, states, fight.ending, playouts)
            _choices(found, match, states[(len(states) - 1) * number // max(1, fights)], playouts)
            found.fights += 1
    except KeyboardInterrupt:
        found.interrupted = True
    return found


def _course(found: Decisions, match: Match, states: Sequence[Any], ending: str | None, playouts: int) -> None:
    if ending is None or ending not in match.setup.teams:
        return
    last = len(states) - 1
    places = sorted({last * step // POSITIONS for step in range(POSITIONS)})
    chances = [_chance(match, states[place], ending, playouts) for place in places]
    found.courses.append([*chances, 1.0])
    doubtful = [place for place, chance in zip(places, chances, strict=True) if chance < SURE]
    found.late.add([(max(doubtful) + 1) / (last + 1) if doubtful else 0.0])


def _chance(match: Match, state: Any, team: str, playouts: int) -> float:
    setup, codes = match.setup, numbered(match.setup.system, match.chosen)
    if state.ending >= 0:
        return float(setup.endings[state.ending] == team)
    values = [int(ending == team) for ending in setup.endings]
    (tally,) = count_endings(
        setup, state, -1, [0], codes, values, most=playouts, seconds=600.0, compiled=True, seed=0
    )  # fmt: skip
    return tally.endings[setup.endings.index(team)] / max(1, tally.fights)


def _choices(found: Decisions, match: Match, state: Any, playouts: int) -> None:
    """Weigh all moves of the first fighter who owes one."""
    if state.ending >= 0:
        return
    setup = match.setup
    due = to_act(state)
    who = next(name for place, name in enumerate(setup.names) if due >> place & 1)
    odds = odds_of_moves(
        setup, state, who, tactics=match.tactics, play="tactics", playouts=playouts, seed=1, compiled=True
    )
    if len(odds) < 2:
        return
    team = setup.team_of[who]
    chances = {move: float(each.chances[team]) for move, each in odds.items()}
    best = max(chances, key=chances.__getitem__)
    found.matter.add([chances[best] - min(chances.values())])
    floor = odds[best].interval(team)[0]
    for kind, own in kinds(list(odds)).items():
        weighed = found.moves.setdefault(kind, Weighed())
        top = max(own, key=chances.__getitem__)
        weighed.open += 1
        weighed.best += chances[top] == chances[best]
        weighed.perhaps += any(odds[move].interval(team)[1] >= floor for move in own)
        weighed.given_away.add([chances[best] - chances[top]])
