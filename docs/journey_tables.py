"""Lets computer players travel the usual journey of `bgo`, to see whom a winner meets on the way to the summit.

`make_tables.py` shows what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import mean, median

from affray.systems.bgo.journey.journey import Journey
from affray.systems.bgo.journey.travellers import Traveller
from affray.systems.bgo.sheets import creatures

JOURNEYS = 40
TACTICS = ("cautious", "always-attack")  # one journey after the other
RANKS = range(1, 8)


@cache
def travelled() -> Sequence[tuple[Journey, Traveller]]:
    """Journeys of one player each, with the winner; their seeds are 0, 1, 2 and so on."""
    trips = []
    for seed in range(JOURNEYS):
        trip = Journey([{"name": "Ann", "plays": TACTICS[seed % len(TACTICS)]}], seed=seed)
        trip.advance()
        trips.append((trip, trip.travellers[0]))
    return trips


def rank_of(id: str) -> int:
    """The rank of a creature."""
    return creatures()[id].rank


def by_rank() -> tuple[list[str], list[tuple[object, ...]]]:
    """For every rank: how often it was met and defeated in a journey, and how many winners and creatures met."""
    rows: list[tuple[object, ...]] = []
    winners = [winner for _, winner in travelled()]
    for rank in RANKS:
        met = [sum(rank_of(id) == rank for id in winner.met) for winner in winners]
        beaten = [sum(rank_of(id) == rank for id in winner.defeated) for winner in winners]
        seen = {id for winner in winners for id in winner.met if rank_of(id) == rank}
        known = sum(creature.rank == rank for creature in creatures().values())
        share = f"{sum(map(bool, met))} of {len(met)}"
        rows.append((rank, f"{mean(met):.1f}", f"{mean(beaten):.1f}", share, f"{len(seen)} of {known}"))
    return ["rank", "encounters:", "defeated:", "winners who met it:", "creatures that appeared:"], rows


def in_all() -> tuple[list[str], list[tuple[object, ...]]]:
    """How long journeys are, and how the winner ends."""
    trips = travelled()
    counted = {
        "board rounds": [trip.round for trip, _ in trips],
        "encounters": [len(winner.met) for _, winner in trips],
        "deaths": [trip.story.count("Ann is dead for") for trip, _ in trips],
        "times driven back from a gate": [trip.story.count("is driven back") for trip, _ in trips],
        "rank on the summit": [winner.rank(3) for _, winner in trips],
    }
    rows = [(what, f"{median(n):g}", f"{mean(n):.1f}", min(n), max(n)) for what, n in counted.items()]
    return ["of a winner", "median:", "mean:", "least:", "most:"], rows
