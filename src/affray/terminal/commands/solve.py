"""`affray solve`: what a fight of two sides is worth, and how both should choose at every state."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid
from affray.lab.figures import percent
from affray.lab.odds import LONGEST_FRACTION
from affray.players.tactics import usual_tactics
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.terminal import arguments
from affray.terminal.screen import progress
from affray.terminal.screen.output import columns, fold, print_json, say, versus, width

if TYPE_CHECKING:
    from affray.lab.solving import Exploit, Solution, Solved


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray solve` understands."""
    arguments.add_fight(parser)
    add = parser.add_argument
    add("--states", action="store_true", help="list every state; on a screen, page by page")
    add("--find", metavar="WORDS", help="list the states with all these words in their text or among their moves")
    add("--memory", type=arguments.positive, metavar="MB", help="the most memory to use, in megabytes (2048)")
    add("--anew", action="store_true", help="solve the fight again even if its solution is on disk")
    add("--csv", action="store_true", help="print every state as comma-separated values")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Solve a fight and print what is known about it."""
    from affray.lab.solving import bound, solve
    from affray.lab.solving.contest import check
    from affray.lab.solving.growing import MEMORY

    if args.csv and args.json:
        raise Invalid("--csv and --json exclude each other; give one of them")
    system, teams = arguments.read_fight(args.words)
    setup = Setup.of(system, teams, arguments.options(args))
    tactics = usual_tactics(setup, arguments.tactics(args))
    check(setup)
    limit = bound(setup, args.memory or MEMORY)
    plain = not args.json and not args.csv
    if plain:
        say(f"{setup.system.title}: {versus(setup.teams)}.", hang="  ", style="heading")
    print(
        f"Solving up to {limit.states:,} states, in at most {limit.megabytes:,} MB of memory.",
        file=sys.stdout if plain else sys.stderr,
        flush=True,
    )
    solution = solve(setup, memory=args.memory or MEMORY, cached=not args.anew, progress=_watch())
    lost = solution.exploitability(tactics)
    if args.csv:
        _write_csv(solution, args.find or "")
    elif args.json:
        table = {**solution.as_table(), "exploitability": {team: one.as_table() for team, one in lost.items()}}
        if args.states or args.find:
            table["table"] = [state.as_table() for state in solution.states(args.find or "")]
        print_json(table)
    else:
        _show(solution, lost)
        if args.states or args.find:
            _browse(_listed(solution, args.find or ""))
    return 0


def _watch() -> Any:
    """Shows how many states are solved, if a person watches."""
    if not sys.stderr.isatty():
        return None
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        if (now := 100 * done // total) != shown:
            shown = now
            progress.draw(done, total, f"{done:,} of {total:,} states solved", sys.stderr)
        if done == total:
            progress.wipe(sys.stderr)

    return show


def _show(solution: Solution, lost: Mapping[str, Exploit]) -> None:
    setup, value = solution.setup, solution.value
    first, second = setup.team_names
    fraction = f" = {value}" if isinstance(value, Fraction) and len(str(value)) <= LONGEST_FRACTION else ""
    say(f"Value: {float(value):+.6f}{fraction} to {first}, {-float(value):+.6f} to {second}.")
    mixing = f"{solution.mixing:,} of them with a mix" if solution.mixing else "none of them with a mix"
    say(f"{counted(len(solution), 'state')}, {mixing}; no deviation gains more than {solution.gain:.0e}.")
    for number, chance in list(solution.start.items())[:5]:
        found = solution.at(number)
        opening = "At the start" if len(solution.start) == 1 else f"If it opens so ({percent(float(chance), 1)})"
        print()
        say(f"{opening}: {found.text}", hang="  ")
        print("\n".join(_mixes(found)))
    print()
    say("By their tactics, against the best answer:")
    rows = [["", "", "keeps", "loses"]]
    rows += [[team, one.by, f"{one.keeps:+.6f}", f"{one.loses:.6f}"] for team, one in lost.items()]
    print("\n".join(f"  {line}" for line in columns(rows, right=(2, 3))))


def _mixes(found: Solved) -> list[str]:
    """How each fighter should choose, a line for each move that has a chance."""
    rows = []
    for who, mix in found.mixes.items():
        for move, chance in mix.items():
            if chance:
                rows.append([who, move, _chance(chance), str(chance) if _is_short(chance) else ""])
                who = ""
    return [f"  {line}" for line in columns(rows, right=(2, 3))]


def _is_short(chance: Fraction | float) -> bool:
    return isinstance(chance, Fraction) and chance.denominator > 1 and len(str(chance)) <= LONGEST_FRACTION // 2


def _chance(chance: Fraction | float) -> str:
    return "a trace" if 0 < chance < 1e-9 else percent(float(chance), 2)


def _listed(solution: Solution, words: str) -> Iterable[str]:
    """A few lines for every state: its number, its value, what it looks like and what to choose."""
    first, some = solution.setup.team_names[0], False
    yield ""
    yield f"Every state, with its value to {first}:" if not words else f"The states with {words!r}:"
    for found in solution.states(words):
        some = True
        yield from fold(f"{found.number:>6}  {float(found.value):+.6f}  {found.text}", hang=" " * 19)
        for who, mix in found.mixes.items():
            chosen = ", ".join(
                move if chance == 1 else f"{move} {_chance(chance)}" for move, chance in mix.items() if chance
            )
            yield from fold(f"{who}: {chosen}", indent=" " * 19, hang=" " * 21)
    if not some:
        yield "There is none."


def _browse(lines: Iterable[str]) -> None:
    """Print lines; on a screen, page by page, with the pager's own search."""
    if not sys.stdout.isatty():
        for line in lines:
            print(line)
        return
    import pydoc

    pydoc.pager("\n".join(line[: width()] for line in lines))


def _write_csv(solution: Solution, words: str) -> None:
    """Every state as a line: number, text, value, the gain of deviations, and the chance of each fighter's moves."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["state", "text", "value", "gain", "fighter", "move", "chance"])
    for found in solution.states(words):
        for who, mix in found.mixes.items():
            for move, chance in mix.items():
                row = [found.number, found.text, float(found.value), found.gain, who, move, float(chance)]
                writer.writerow(row)
