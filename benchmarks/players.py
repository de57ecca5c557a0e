"""Measures `search` against the best tactic of each system, and against random play: the table of docs/players.md.

    python -m benchmarks.players --search search:1s --fights 10 --rosters 10 --workers 1 bgo grapple
    python -m benchmarks.players --search search:4000 --option flight_ends=won mythos
    python -m benchmarks.players --ceiling bgo

The best tactic is the one that the arena rates highest among all tactics of the system, on the same rosters. With a
time a move, one worker leaves all cores to the search. `--ceiling` measures no player: it counts exactly what the best
answer to a tactic gets in every mirror duel that can be counted, which is the most that any player could.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping

from affray.errors import Refused
from affray.lab.arena import SIDES, Arena, Pairing, compare, mirror_rosters
from affray.lab.odds import odds
from affray.system.registry import find, names
from affray.terminal.arguments import options as options_of

COUNTING = 3.0  # seconds, as outcomes, for one graph of `--ceiling`


def best_tactic(result: Arena) -> str:
    """The tactic with the highest rating."""
    rated = result.ratings
    return max(rated, key=lambda name: rated[name].value)


def line(system: str, pair: Pairing, taken: float) -> str:
    """A row of the table."""
    value, share = pair.value, pair.decided
    interval = f"{value.low:+.2f} to {value.high:+.2f}"
    decided = "" if share is None else f"{share:.0%}"
    cells = (system, pair.other, pair.fights, f"{value.value:+.2f}", interval, decided, pair.undecided, f"{taken:.0f}")
    return f"| {' | '.join(map(str, cells))} |"


def measure(system: str, given: argparse.Namespace, options: Mapping[str, object]) -> None:
    """Print the rows of one system."""
    chosen = mirror_rosters(find(system), given.rosters, given.seed)
    met = {"rosters": chosen, "options": options, "workers": given.workers}
    opponents = list(given.against)
    if "best" in opponents:
        tactics = [name for name in find(system).tactics if name != "random"]
        found = compare(system, tactics, fights=given.rated, seed=given.seed, **met)
        opponents[opponents.index("best")] = best_tactic(found)
        print(
            f"{system}: {', '.join(f'{name} {each.value:+.0f}' for name, each in found.ratings.items())}",
            file=sys.stderr,
        )
    for other in opponents:
        begun = time.process_time()
        result = compare(system, [given.search, other], fights=given.fights, seed=given.seed + 1, **met)
        print(line(system, result.pairings[0], time.process_time() - begun), flush=True)


def ceiling(system: str, options: Mapping[str, object]) -> None:
    """Print what the best answer to each tactic gets in a mirror duel, on average over all that can be counted."""
    known = [id for sheets in find(system).catalogue().values() for id in sheets]
    for tactic in find(system).tactics:
        values, most = [], ("", -1.0)
        for member in known:
            teams = {side: [member] for side in SIDES}
            try:
                both = [
                    odds(
                        system, teams, options=options, tactics={foe: tactic}, play="best", team=team, seconds=COUNTING
                    )
                    for team, foe in (SIDES, SIDES[::-1])
                ]
            except Refused:
                continue
            values.append(sum(float(each.value) for each in both) / 2)
            most = max(most, (member, values[-1]), key=lambda each: each[1])
        mean = f"{sum(values) / len(values):+.3f}" if values else ""
        print(
            f"| {system} | {tactic} | {len(values)} of {len(known)} | {mean} | {most[1]:+.3f} ({most[0]}) |", flush=True
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", default=names())
    parser.add_argument("--search", default="search:4000")
    parser.add_argument(
        "--against", nargs="+", default=["best", "random"], help="tactics; best is the one rated highest"
    )
    parser.add_argument("--fights", type=int, default=4)
    parser.add_argument("--rated", type=int, default=6, help="fights of every two tactics on every roster (6)")
    parser.add_argument("--rosters", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--ceiling", action="store_true")
    given = parser.parse_args()
    if given.ceiling:
        print("| system | best answer to | duels counted | mean value | most |")
        print("| --- | --- | --- | --: | --- |")
    else:
        print("| system | against | fights | value | 95 % interval | of decided fights | neither won | processor s |")
        print("| --- | --- | --: | --: | --- | --: | --: | --: |")
    for each in given.systems:
        if given.ceiling:
            ceiling(each, options_of(given))
        else:
            measure(each, given, options_of(given))
