"""Duels of everyone against everyone: who wins, how long it takes, and what the first seat is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from operator import add

from affray.lab.design.certainty import Sums, deviations
from affray.lab.design.compare import CHANCE, DIFFERENCE
from affray.lab.design.matches import TACTIC, Knob, Match
from affray.lab.design.measures import ROUNDS, Measure
from affray.lab.design.sampling import Crew
from affray.lab.figures import Rate
from affray.lab.progress import Progress

ONE, OTHER = "one", "other"
"""The teams of a duel."""
Z = deviations(0.95)


@dataclass
class Duels:
    """What came of duels between any two of some names (fighters or tactics)."""

    names: Sequence[str]
    matches: Mapping[tuple[str, str], Match]
    wins: dict[tuple[str, str], Rate] = field(default_factory=dict)
    """How often the first of two beats the second."""
    rounds: dict[tuple[str, str], Rate] = field(default_factory=dict)
    overall: dict[str, Rate] = field(default_factory=dict)
    """How often each wins against all others, all opponents counting the same."""
    first_seat: Rate | None = None
    """How much more often the first seat wins than the last, over all duels."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many fights lasted each number of rounds, the mean of both seats rounded down."""
    interrupted: bool = False


def between(system: str, fighters: Sequence[str], options: Mapping[str, object]) -> Duels:
    """The duels between fighters, each against each and itself, still to be fought."""
    pairs = combinations_with_replacement(fighters, 2)
    return Duels(fighters, {(a, b): Match.of(system, {ONE: [a], OTHER: [b]}, options) for a, b in pairs})


def of_tactics(system: str, fighter: str, options: Mapping[str, object], tactics: Sequence[str]) -> Duels:
    """The duels of a fighter against itself, by each tactic against each."""
    mirror = Match.of(system, {ONE: [fighter], OTHER: [fighter]}, options)
    matches = {}
    for a, b in combinations_with_replacement(tactics, 2):
        first = Knob(f"{TACTIC}:{ONE}", (a,)).turned(mirror, a)
        matches[a, b] = Knob(f"{TACTIC}:{OTHER}", (b,)).turned(first, b)
    return Duels(tactics, matches)


def fight(
    duels: Duels, fights: int, seed: int, pool: Executor | None = None, progress: Progress | None = None
) -> Duels:
    """Fight all of them, in both seats; an interruption leaves those that are done."""
    some = next(iter(duels.matches.values())).setup
    measures = [Measure.read(text, some) for text in (ONE, OTHER, ROUNDS)]
    seats, done = [0.0] * fights, 0
    won_by = {name: [0.0] * fights for name in duels.names}
    try:
        with Crew(measures, "both", seed, pool) as crew:
            for (a, b), match in duels.matches.items():
                seen = crew.fight({"": match}, 0, fights)[""]
                won, lost, lasted = (_sums(column) for column in seen.columns)
                duels.wins[a, b], duels.rounds[a, b] = won.interval(Z, CHANCE), lasted.interval(Z)
                if a != b:
                    duels.wins[b, a], duels.rounds[b, a] = lost.interval(Z, CHANCE), duels.rounds[a, b]
                    for name, column in zip((a, b), seen.columns, strict=False):
                        won_by[name] = list(map(add, won_by[name], column))
                duels.lengths.update(map(int, seen.columns[2]))
                seats = list(map(add, seats, seen.first_seat))
                done += 2 * fights
                if progress:
                    progress(done, 2 * fights * len(duels.matches))
    except KeyboardInterrupt:
        duels.interrupted = True
    fought = done // (2 * fights)
    # All duels have the same dice, so only the mean of a fight over them counts as one observation.
    duels.first_seat = _sums([each / max(1, fought) for each in seats]).interval(Z, DIFFERENCE)
    for name, total in won_by.items():
        others = sum(other != name and (name, other) in duels.wins for other in duels.names)
        if others:
            duels.overall[name] = _sums([each / others for each in total]).interval(Z, CHANCE)
    return duels


def _sums(column: Sequence[float]) -> Sums:
    sums = Sums()
    sums.add(column)
    return sums


def skill(duels: Duels) -> tuple[str, str, Rate, Rate] | None:
    """The best and the worst by their overall wins, how often the best beats the worst, and the worst the best."""
    if len(duels.overall) < 2:
        return None
    ranked = sorted(duels.overall, key=lambda name: duels.overall[name].value)
    best, worst = ranked[-1], ranked[0]
    return best, worst, duels.wins[best, worst], duels.wins[worst, best]


def strange(duels: Duels, worth: Mapping[str, int]) -> list[tuple[str, str]]:
    """Those that surely win less than one worth less does on average, or surely more than one worth more."""
    means: dict[int, list[float]] = {}
    for name, rate in duels.overall.items():
        means.setdefault(worth[name], []).append(rate.value)
    average = {rank: sum(values) / len(values) for rank, values in means.items()}
    found = {}
    for (name, rate), (rank, mean) in product(duels.overall.items(), average.items()):
        if rank < worth[name] and rate.high < mean:
            found[name] = f"weaker than {rank}, though {worth[name]}"
        elif rank > worth[name] and rate.low > mean:
            found[name] = f"stronger than {rank}, though {worth[name]}"
    return list(found.items())
