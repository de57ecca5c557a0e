"""Measures `search` against the best tactic of each system, and against random play: the table of docs/players.md.

    python -m benchmarks.players --part 10 --rounds 2 --results strength.jsonl --workers 2
    python -m benchmarks.players --search search:1s --rounds 10 bgo grapple
    python -m benchmarks.players --part 10 --option flight_ends=won mythos
    python -m benchmarks.players --ceiling bgo
    python -m benchmarks.players --ceiling --against random -- mythos
    python -m benchmarks.players --ceiling --option sd_cap=9 --states 20000000 --counting 600 grapple

The best tactic is the one that the arena rates highest among all tactics of the system, on the same rosters. A round
is one fight on every roster, in both seatings; only whole rounds count, and `--seconds` begins no further fight after
so much processor time. `--results` keeps what has been fought, so that an interrupted measurement goes on, and a table
can be printed again with `--seconds 0`.
`--part 10` gives the search a tenth of the iterations that two cores do in a second, by the size of the teams: numbers
instead of a time, so that it plays as well on a busy machine.

Where a roster's fight can be solved and has few positions, the search is asked at each of them, and what it gets is
counted exactly instead of fought out, beside what the best answer to the tactic gets. From what is fought out the gifts
of the dice are taken away (see `benchmarks.evened`), which leaves its expectation as it is; `plain` is without that.
`--ceiling` measures no player: it counts exactly what the best answer to each tactic, or to those of `--against`, gets
in every mirror duel that can be counted, which is the most that any player could; each duel is told by itself, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import affray
from affray.errors import Refused
from affray.lab.arena import SIDES, Arena, both_seatings, compare, mirror_rosters
from affray.lab.figures import Z95
from affray.lab.odds import MOST_NATIVE, odds
from affray.players.levels import read_player
from affray.system.registry import find, names
from affray.system.setup import Setup, Teams
from affray.terminal.arguments import options as options_of
from benchmarks.evened import gifts
from benchmarks.solved import worth_against

COUNTING = 3.0  # seconds, as outcomes, for one graph of `--ceiling`
ASKED_AT = 150  # positions of a fight that is counted instead of fought out
A_SECOND = {
    "bgo": (340_000, 95_000, 150_000),
    "deckahedron": (260_000, 170_000, 145_000),
    "grapple": (380_000, 95_000, 170_000),
    "mythos": (470_000, 165_000, 125_000),
    "strategic": (125_000, 30_000, 8_500),
}
"""Iterations that two cores do in a second of a fight's first decision, with one, two and three fighters a side.

They are those of the middle one of the arena's rosters."""
COLUMNS = "system, against, search, counted, rounds, value, 95 % interval, plain, 95 % interval, best answer, "
COLUMNS += "of decided fights, neither won, processor s"
Result = dict[str, Any]


class Task(NamedTuple):
    """One fight in both seatings, or with number -1 a roster to be counted."""

    system: str
    roster: Teams
    options: Mapping[str, object]
    players: tuple[str, str]
    seed: int
    number: int

    @property
    def key(self) -> str:
        """By this it is found in a file of results."""
        return json.dumps(self._asdict(), sort_keys=True)


def carry_out(task: Task) -> Result:
    """In a process: fight, or count."""
    begun, setup = time.process_time(), Setup.of(task.system, task.roster, task.options)
    found: Result = {"key": task.key}
    if task.number < 0:
        player = read_player(setup.system, task.players[0])
        best, worth = worth_against(affray.solve(setup), task.players[1], [player])
        found |= {"worth": worth, "best": best}
    else:
        bouts = both_seatings(*task)
        found["seconds"] = time.process_time() - begun
        given = [gifts(setup, bout, task.seed, task.number, task.players[1]) for bout in bouts]
        own = [(bout.worth[seat], given[seat][seat], bout.won) for seat, bout in enumerate(bouts)]
        found["plain"] = sum(worth for worth, _, _ in own) / 2
        found["worth"] = sum(worth - gift for worth, gift, _ in own) / 2
        found["won"] = [None if won is None else won == seat for seat, (_, _, won) in enumerate(own)]
        found["moves"] = [len(bout.moves) for bout in bouts]
    return {**found, "seconds": found.get("seconds", time.process_time() - begun)}


def is_countable(system: str, roster: Teams, options: Mapping[str, object]) -> bool:
    """Whether a roster's fight has a solution and few positions."""
    try:
        return len(affray.solve(system, roster, options=options, memory=16, seconds=COUNTING)) <= ASKED_AT
    except Refused:
        return False


def carried_out(tasks: Sequence[Task], path: Path | None, workers: int, seconds: float) -> dict[str, Result]:
    """The results of tasks by their keys: those that are kept, and those for which there is time."""
    lines = path.read_text().splitlines() if path and path.exists() else []
    kept = {result["key"]: result for result in map(json.loads, lines)}
    done = {task.key: kept[task.key] for task in tasks if task.key in kept}
    waiting, under_way = iter([task for task in tasks if task.key not in done]), set[Future[Result]]()
    spent = 0.0
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        while True:
            while spent < seconds and len(under_way) < workers and (task := next(waiting, None)):
                under_way.add(pool.submit(carry_out, task))
            if not under_way:
                return done
            ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for result in (future.result() for future in ended):
                done[result["key"]] = result
                spent += result["seconds"]
                print(json.dumps(result), file=sys.stderr, flush=True)
                if path:
                    with path.open("a") as file:
                        file.write(json.dumps(result) + "\n")


def quantile(freedom: int) -> float:
    """Student's t at 97.5 %, by its series; good to a hundredth from 5 degrees of freedom on."""
    z = Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def interval(counted: Sequence[float], fought: Sequence[Sequence[float]]) -> str:
    """The mean over rosters and its 95 % interval; `fought` has the rounds of each roster that is not counted.

    With two rounds or more, chance is what differs between fights on the same roster; else between rosters, too.
    """
    rosters, means = len(counted) + len(fought), [sum(each) / len(each) for each in fought]
    value = (sum(counted) + sum(means)) / rosters
    if not fought:
        return f"{value:+.3f} | exact"
    rounds = len(fought[0])
    apart = means if rounds > 1 else [sum(means) / len(means)] * len(means)
    freedom = len(fought) * (rounds - 1) if rounds > 1 else len(fought) - 1
    squares = sum((each - mean) ** 2 for rows, mean in zip(fought, apart, strict=True) for each in rows)
    error = sqrt(squares / freedom * len(fought) / rounds) / rosters
    return f"{value:+.2f} | {value - quantile(freedom) * error:+.2f} to {value + quantile(freedom) * error:+.2f}"


def best_tactic(result: Arena) -> str:
    """The tactic with the highest rating."""
    rated = result.ratings
    return max(rated, key=lambda name: rated[name].value)


def measure(system: str, given: argparse.Namespace, options: Mapping[str, object]) -> None:
    """Print the rows of one system."""
    chosen = mirror_rosters(find(system), given.rosters, given.seed)
    players = [player_for(system, roster, given) for roster in chosen]
    opponents = list(given.against)
    if "best" in opponents:
        tactics = [name for name in find(system).tactics if name != "random"]
        found = compare(
            system,
            tactics,
            rosters=chosen,
            options=options,
            fights=given.rated,
            seed=given.seed,
            workers=given.workers,
        )
        opponents[opponents.index("best")] = best_tactic(found)
        rated = ", ".join(f"{name} {each.value:+.0f}" for name, each in found.ratings.items())
        print(f"{system}, {len(chosen)} rosters: {rated}", file=sys.stderr)
    whole = [Setup.of(system, roster, options).specs() for roster in chosen]
    few = [is_countable(system, roster, options) for roster in whole]
    for other in opponents:
        if other == "random" and any(few):
            few = [False] * len(few)  # a random player decides in too many ways
        tasks = [
            [
                Task(system, roster, dict(options), (player, other), given.seed, number)
                for number in numbers(place, -1 if is_few else given.rounds)
            ]
            for place, (roster, player, is_few) in enumerate(zip(whole, players, few, strict=True))
        ]
        order = [row[number] for number in range(max(map(len, tasks))) for row in tasks if number < len(row)]
        done = carried_out(order, given.results, given.workers, given.seconds)
        print(line(system, other, list(dict.fromkeys(players)), tasks, done), flush=True)


def player_for(system: str, roster: Teams, given: argparse.Namespace) -> str:
    """The search with the budget that was asked for, in a fight of this size."""
    if not given.part:
        return str(given.search)
    fighters = max(len(members) for members in roster.values())
    return f"search:{A_SECOND[system][fighters - 1] // given.part}"


def numbers(place: int, rounds: int) -> Iterator[int]:
    """The numbers of the fights on a roster; -1 if it is counted."""
    return iter([-1] if rounds < 0 else range(place * 1_000_003 + 1, place * 1_000_003 + 1 + rounds))


def line(
    system: str, other: str, players: Sequence[str], tasks: Sequence[Sequence[Task]], done: Mapping[str, Result]
) -> str:
    """A row of the table."""
    budgets = ", ".join(player.removeprefix("search:") for player in players)
    found = [[done[task.key] for task in row if task.key in done] for row in tasks]
    counted = [row[0] for row in found if row and "best" in row[0]]
    fought = [row for row in found if not (row and "best" in row[0])]
    rounds = min(map(len, fought), default=0)
    fights = [result for row in fought for result in row[:rounds]]
    if (fought and not rounds) or len(counted) + len(fought) < len(tasks):
        return f"| {system} | {other} | {budgets} | not a whole round |"
    exact = [result["worth"] for result in counted]
    evened, plain = (
        interval(exact, [[result[which] for result in row[:rounds]] for row in fought]) for which in ("worth", "plain")
    )
    won = [each for result in fights for each in result["won"]]
    wins, losses = won.count(True), won.count(False)
    share = f"{wins / (wins + losses):.0%}" if wins + losses else ""
    best = f"{sum(result['best'] for result in counted) / len(counted):+.3f}" if counted else ""
    spent = sum(result["seconds"] for result in (*counted, *fights))
    cells = (system, other, budgets, len(counted), rounds, evened, plain, best, share)
    return f"| {' | '.join(map(str, cells))} | {won.count(None)} of {len(won)} | {spent:.0f} |"


def ceiling(system: str, given: argparse.Namespace, options: Mapping[str, object]) -> None:
    """Print what the best answer to each tactic gets in a mirror duel, on average over all that can be counted."""
    known = given.fighter or [id for sheets in find(system).catalogue().values() for id in sheets]
    for tactic in find(system).tactics if "best" in given.against else given.against:
        values, most = [], ("", -1.0)
        for member in known:
            teams = {side: [member] for side in SIDES}
            try:
                both = [
                    odds(
                        system,
                        teams,
                        options=options,
                        tactics={foe: tactic},
                        play="best",
                        team=team,
                        seconds=given.counting,
                        states=given.states,
                    )
                    for team, foe in (SIDES, SIDES[::-1])
                ]
            except Refused:
                continue
            values.append(sum(float(each.value) for each in both) / 2)
            print(f"{system} {member} against {tactic}: {values[-1]:+.3f}", file=sys.stderr, flush=True)
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
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3600.0, help="processor time of a row (3600)")
    parser.add_argument("--results", type=Path, help="a file of what has been fought, to go on with")
    parser.add_argument("--rated", type=int, default=6, help="fights of every two tactics on every roster (6)")
    parser.add_argument("--rosters", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--ceiling", action="store_true")
    parser.add_argument("--fighter", action="append", help="only this one's duel, with --ceiling")
    parser.add_argument("--states", type=int, default=MOST_NATIVE, help="of one graph of --ceiling")
    parser.add_argument("--counting", type=float, default=COUNTING, help="seconds for one graph of --ceiling")
    given = parser.parse_args()
    if given.ceiling:
        print("| system | best answer to | duels counted | mean value | most |")
        print("| --- | --- | --- | --: | --- |")
    else:
        print(f"| {COLUMNS.replace(', ', ' | ')} |")
        print(f"|{' --- |' * (COLUMNS.count(', ') + 1)}")
    for each in given.systems:
        if given.ceiling:
            ceiling(each, given, options_of(given))
        else:
            measure(each, given, options_of(given))
