"""How much `search` gives away in duels that can be solved, by its number of iterations; draws it for docs/players.md.

    python -m benchmarks.solved --iterations 1000 10000 100000 --plot docs/images/search-in-solved-duels.svg
    python -m benchmarks.solved --iterations 100 1000 --duel "mythos a=cultist:hp=4 b=cultist:hp=4"
    python -m benchmarks.solved --option sd_cap=6 --duel "grapple a=goblin:max_wounds=1 b=goblin:max_wounds=1"
    python -m benchmarks.solved --against always-attack --duel "bgo a=player:health=6 b=player:health=6"

The loss is what it gets less than the value against an opponent who keeps to the solution; the exploitability, against
one who knows all of its choices. Both are exact: the search is asked at every state that it can come to, on both sides.
`--against` counts what the search gets from a tactic in a duel of bgo, beside the best answer to it and the solution.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log10
from pathlib import Path
from typing import NamedTuple

import affray
from affray.kernel.chance import Seeded
from affray.kernel.exact import Exact
from affray.lab.solving.contest import Answers
from affray.lab.solving.exploiting import exploit
from affray.players.equilibrium import Equilibrium
from affray.players.player import Player, Thought
from affray.players.search import Search
from affray.system.setup import Setup
from affray.terminal.arguments import options as options_of

DUELS = (
    "bgo a=rust-knight b=ogre-champion",
    "bgo a=player b=fire-slime",
    "bgo a=rust-knight b=rust-knight",
)
WIDTH, HEIGHT, MARGIN = 560, 320, 50
STYLES = ("", "6 3", "2 3", "8 3 2 3")  # of the lines, so that colour is not needed


class Lost(NamedTuple):
    """What a search of so many iterations gives away, as the mean of both sides, and the processor time of a move."""

    iterations: int
    loss: float
    exploitability: float
    states: int
    seconds: float


class Timed:
    """A search that counts its moves and its processor time."""

    def __init__(self, iterations: int) -> None:
        self.search, self.moves, self.seconds = Search(iterations=iterations), 0, 0.0

    def choose(self, setup: Setup, view_state: object, who: int, dice: Seeded) -> Thought:  # type: ignore[type-arg]
        """The move of the search."""
        begun = time.process_time()
        found = self.search.choose(setup, view_state, who, dice)
        self.moves, self.seconds = self.moves + 1, self.seconds + time.process_time() - begun
        return found


def lost(solution: affray.Solution, iterations: int) -> Lost:
    """Measure the search at every state of both sides."""
    player = Timed(iterations)
    sides = solution.exploitability(dict.fromkeys(solution.setup.teams, player)).values()
    values = (float(solution.value), -float(solution.value))
    loss = sum(value - side.gets for value, side in zip(values, sides, strict=True)) / 2
    exploited = sum(side.loses for side in sides) / 2
    return Lost(iterations, loss, exploited, sum(side.states for side in sides), player.seconds / player.moves)


def kept_to(solution: affray.Solution, tactic: str) -> list[tuple[list[float], list[float]]]:
    """How both sides of a duel mix at every state if they go by a tactic."""
    setup, contest = solution.setup, solution.contest
    choose = setup.system.tactics[tactic]

    def mix(number: int, who: int, answers: Sequence[Answers]) -> list[float]:
        view, chances = setup.view(solution.state(number), who), Counter[int]()
        for code, numerator, denominator in Exact().outcomes(lambda whim: choose(view, who, whim)):
            chances[code] += numerator / denominator
        return [chances[code] for ((_, code),) in answers]

    return [
        (mix(number, 0, contest.rows[number]), mix(number, 1, contest.columns[number]))
        for number in range(len(solution))
    ]


def worth_against(solution: affray.Solution, tactic: str, players: Sequence[Player]) -> list[float]:
    """What the best answer to a tactic gets from it, and then each of the players; the mean of both sides."""
    setup, plays = solution.setup, kept_to(solution, tactic)
    best = solution.exploitability(dict.fromkeys(setup.teams, tactic)).values()
    gets = [-sum(side.keeps for side in best) / 2]
    for player in players:
        policies = dict.fromkeys(setup.teams, player)
        sides = exploit(setup, solution.contest, solution.start, solution.value, plays, policies).values()
        gets.append(sum(side.gets for side in sides) / 2)
    return gets


def against(duels: Sequence[str], iterations: Sequence[int], tactic: str) -> None:
    """Print what the best answer to a tactic gets from it, the solution, and the search; the mean of both sides."""
    print(f"| duel against {tactic} | best answer | equilibrium | {' | '.join(f'{each:,}' for each in iterations)} |")
    print(f"| --- {'| --: ' * (2 + len(iterations))}|")
    for duel in duels:
        system, teams = duel.split(" ", 1)
        players = (Equilibrium(), *(Search(iterations=count) for count in iterations))
        gets = worth_against(affray.solve(system, teams), tactic, players)
        print(f"| {duel} | {' | '.join(f'{each:+.3f}' for each in gets)} |", flush=True)


def drawn(found: dict[str, list[Lost]]) -> str:
    """The exploitability by iterations, both in powers of ten, as SVG."""
    points = [each for rows in found.values() for each in rows]
    most, least = max(each.iterations for each in points), min(each.iterations for each in points)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="20">Exploitability of search by iterations a move</text>',
    ]
    low, high = 1e-4, 1.0

    def place(iterations: float, value: float) -> tuple[float, float]:
        across = _power(iterations, least) / max(1e-9, _power(most, least))
        up = _power(max(low, value), low) / _power(high, low)
        return MARGIN + across * (WIDTH - 230), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    for value in (1e-4, 1e-3, 1e-2, 1e-1, 1.0):
        x, y = place(least, value)
        lines.append(
            f'<path d="M{x:.0f} {y:.0f}H{WIDTH - 180}" stroke="#ddd"/><text x="4" y="{y + 4:.0f}">{value:g}</text>'
        )
    for iterations in sorted({each.iterations for each in points}):
        x, y = place(iterations, low)
        lines.append(f'<text x="{x:.0f}" y="{y + 18:.0f}" text-anchor="middle">{iterations:,}</text>')
    for number, (name, rows) in enumerate(found.items()):
        way = " ".join("{:.1f},{:.1f}".format(*place(each.iterations, each.exploitability)) for each in rows)
        dashes = STYLES[number % len(STYLES)]
        lines.append(
            f'<polyline points="{way}" fill="none" stroke="#345" stroke-width="2" stroke-dasharray="{dashes}"/>'
        )
        x, y = WIDTH - 175, 60 + 40 * number
        lines.append(f'<path d="M{x} {y}h30" stroke="#345" stroke-width="2" stroke-dasharray="{dashes}"/>')
        for down, word in enumerate(name.split()[1:]):
            lines.append(f'<text x="{x + 36}" y="{y + 4 + 14 * down}">{word[2:]}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _power(number: float, of: float) -> float:
    return log10(number / of)


def measured(duels: Sequence[str], iterations: Sequence[int], options: Mapping[str, object]) -> dict[str, list[Lost]]:
    """Print the table, row by row."""
    print("| duel | iterations | processor ms a move | loss | exploitability | states |")
    print("| --- | --: | --: | --: | --: | --: |")
    found: dict[str, list[Lost]] = {}
    for duel in duels:
        system, teams = duel.split(" ", 1)
        solution = affray.solve(system, teams, options=options)
        for count in iterations:
            row = lost(solution, count)
            found.setdefault(duel, []).append(row)
            cells = (duel, f"{count:,}", f"{1000 * row.seconds:.1f}", f"{row.loss:.4f}", f"{row.exploitability:.4f}")
            print(f"| {' | '.join(cells)} | {row.states} |", flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duel", action="append")
    parser.add_argument("--iterations", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--against", metavar="TACTIC")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.against:
        against(given.duel or DUELS, given.iterations, given.against)
    else:
        result = measured(given.duel or DUELS, given.iterations, options_of(given))
        if given.plot:
            given.plot.write_text(drawn(result))
