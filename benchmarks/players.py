"""Measures `search` against the best tactic of each system, and against random play: the table of docs/players.md.

    python -m benchmarks.players --part 100 --rounds 10 --seconds 200
    python -m benchmarks.players --search search:1s --rounds 10 bgo grapple
    python -m benchmarks.players --part 100 --option flight_ends=won mythos
    python -m benchmarks.players --ceiling bgo

The best tactic is the one that the arena rates highest among all tactics of the system, on the same rosters. A round
is one fight on every roster, in both seatings, and `--seconds` begins no further round after so much processor time.
`--part 100` gives the search a hundredth of the iterations that two cores do in a second (by `benchmarks.searching`):
numbers instead of a time, so that it plays as well on a busy machine. `--ceiling` measures no player: it counts exactly
what the best answer to a tactic gets in every mirror duel that can be counted, which is the most that any player could.
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
A_SECOND = {"bgo": 1_120_000, "deckahedron": 164_000, "grapple": 712_000, "mythos": 244_000, "strategic": 94_000}
"""Iterations that two cores do in a second of a duel's first decision."""


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
    player = f"search:{A_SECOND[system] // given.part}" if given.part else given.search
    opponents = list(given.against)
    if "best" in opponents:
        tactics = [name for name in find(system).tactics if name != "random"]
        found = compare(system, tactics, fights=given.rated, seed=given.seed, **met)
        opponents[opponents.index("best")] = best_tactic(found)
        rated = ", ".join(f"{name} {each.value:+.0f}" for name, each in found.ratings.items())
        print(f"{system}, {len(chosen)} rosters, {player}: {rated}", file=sys.stderr)
    for other in opponents:
        begun, pair = time.process_time(), Pairing(player, other)
        for number in range(given.rounds):
            if number and time.process_time() - begun > given.seconds:
                break
            add(pair, compare(system, [player, other], fights=1, seed=given.seed + 1 + number, **met).pairings[0])
            print(line(system, pair, time.process_time() - begun), file=sys.stderr, flush=True)
        print(line(system, pair, time.process_time() - begun), flush=True)


def add(pair: Pairing, more: Pairing) -> None:
    """Add a round to those before it."""
    pair.worth += more.worth
    pair.ahead += more.ahead
    pair.wins, pair.losses = pair.wins + more.wins, pair.losses + more.losses
    pair.undecided += more.undecided


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
    parser.add_argument("--part", type=int, default=0, help="think for this part of a second, in iterations")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=3600.0, help="processor time of a row (3600)")
    parser.add_argument("--rated", type=int, default=6, help="fights of every two tactics on every roster (6)")
    parser.add_argument("--rosters", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
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
