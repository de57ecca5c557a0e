"""Measures `search` against the best tactic of each system, and against random play: the table of docs/players.md.

    python -m benchmarks.players --search search:5000 --fights 4 --rosters 10 bgo grapple

The best tactic is the one that the arena rates highest among all tactics of the system, on the same rosters.
"""

from __future__ import annotations

import argparse

from affray.lab.arena import Arena, Pairing, compare, mirror_rosters
from affray.system.registry import find, names


def best_tactic(result: Arena) -> str:
    """The tactic with the highest rating."""
    rated = result.ratings
    return max(rated, key=lambda name: rated[name].value)


def line(system: str, pair: Pairing) -> str:
    """A row of the table."""
    value, share = pair.value, pair.decided
    interval = f"{value.low:+.2f} to {value.high:+.2f}"
    decided = "" if share is None else f"{share:.0%}"
    return (
        f"| {system} | {pair.other} | {pair.fights} | {value.value:+.2f} | {interval} | {decided} | {pair.undecided} |"
    )


def measure(system: str, search: str, fights: int, rosters: int, seed: int, workers: int | None) -> None:
    """Print the rows of one system."""
    chosen = mirror_rosters(find(system), rosters, seed)
    tactics = [name for name in find(system).tactics if name != "random"]
    found = compare(system, tactics, rosters=chosen, fights=10, seed=seed, workers=workers)
    best = best_tactic(found)
    for other in (best, "random"):
        result = compare(system, [search, other], rosters=chosen, fights=fights, seed=seed + 1, workers=workers)
        print(line(system, result.pairings[0]), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", default=names())
    parser.add_argument("--search", default="search:5000")
    parser.add_argument("--fights", type=int, default=4)
    parser.add_argument("--rosters", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    print("| system | against | fights | value | 95 % interval | of decided fights | neither won |")
    print("| --- | --- | --: | --: | --- | --: | --: |")
    for each in given.systems:
        measure(each, given.search, given.fights, given.rosters, given.seed, given.workers)
