"""`affray simulate`: fights by the million, counted, with intervals and bars."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from affray.errors import MissingExtra, Refused
from affray.lab.figures import binned, percent
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.terminal import INTERRUPTED, arguments
from affray.terminal.screen.designing import add_cluster
from affray.terminal.screen.output import columns, figures, print_bars, print_json, say, sentence, versus
from affray.terminal.screen.progress import Watch, draw, lasting, wipe

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.lab.finding import Found, NoneFound
    from affray.lab.simulate import Simulation

TRIAL_SECONDS = 1.0  # of trial fights if the rules cannot be compiled
PATIENT_SECONDS = 60.0  # that all fights may then take, unless the user insists
MOST_ROWS = 16
BAR = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray simulate` understands."""
    arguments.add_fight(parser)
    parser.add_argument("--fights", type=arguments.positive, help="how many fights (100,000)")
    parser.add_argument(
        "--seed", type=arguments.whole, default=0, help="the seed; with the same seed, fight N is always the same (0)"
    )
    parser.add_argument("--workers", type=arguments.positive, help="how many cores to use (all)")
    for_patience = "use interpreted rules, however long all --fights take"
    parser.add_argument("--interpreted", action="store_true", help=for_patience)
    parser.add_argument("--plot", metavar="FILE", help="draw the result into an .svg, .png or .html file")
    for_results = "write a row for every single fight into a .csv or .parquet file"
    parser.add_argument("--results", metavar="FILE", help=for_results)
    parser.add_argument(
        "--find",
        action="append",
        default=[],
        metavar="WHAT",
        help="name a fight worth telling, and how to replay it: longest, shortest, unluckiest, upset, or an ending; "
        "may be repeated",
    )
    add_cluster(parser)
    parser.add_argument("--progress", action="store_true", help="show progress even if the output is not a terminal")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Fight, count and print."""
    from affray.lab import finding, plot, results
    from affray.lab.cluster import joined
    from affray.lab.simulate import simulate

    if args.plot:  # better refused now than after many fights
        plot.checked(args.plot)
    if args.results:
        results.checked(args.results)
    system, teams = arguments.read_fight(args.words)
    setup = Setup.of(system, teams, arguments.options(args))
    for what in args.find:
        finding.check(setup, what)
    watched = args.progress or sys.stderr.isatty()
    fight = partial(
        simulate,
        setup,
        fights=args.fights,
        seed=args.seed,
        tactics=arguments.tactics(args),
        workers=args.workers,
        each=bool(args.results or args.find),
        progress=Watch(sys.stderr) if watched else None,
    )
    if args.cluster:
        with joined(args.cluster) as pool:
            result = fight(pool=pool)
    elif args.interpreted or args.fights is None:
        result = fight(compiled=False if args.interpreted else None)
    else:
        result = fight(seconds=TRIAL_SECONDS)
        if result.fights < result.asked and not result.interrupted:
            _check_patience(result)
            result = fight()
    found, missing = _found(result, args.find, watched)
    if watched:
        wipe(sys.stderr)
    if args.plot:
        result.plot(args.plot)
    if args.results and result.results:
        result.results.write(args.results)
    if args.json:
        table = result.as_table()
        if args.find:
            table["found"] = [asdict(each) | {"replay": _replaying(args, each)} for each in found]
        print_json(table)
    else:
        _show(result)
        _show_found(args, found)
        for problem in missing:
            say(sentence(problem))
        for done, file in (("Drawn", args.plot), ("Written", args.results)):
            if file:
                say(f"{done}: {file}.")
    return INTERRUPTED if result.interrupted or any(each.interrupted for each in found) else 0


def _check_patience(tried: Simulation) -> None:
    """Refuse fights that would take too long by interpreted rules, judging from the trial fights."""
    rate = tried.fights / tried.seconds
    if tried.asked > rate * PATIENT_SECONDS:
        few, extra = int(rate * PATIENT_SECONDS) or 1, MissingExtra("compiled play", "lab")
        few -= few % 10 ** max(0, len(str(few)) - 2)
        raise Refused(
            f"{tried.asked:,} fights would take {lasting(tried.asked / rate)} by interpreted rules; {extra}."
            f" Without it, --fights {few} takes a minute, and --interpreted runs them all",
            given=tried.asked,
        )


def _show(result: Simulation) -> None:
    fights = "1 fight" if result.fights == 1 else f"{result.fights:,} fights"
    say(f"{fights} of {result.system}, seed {result.seed}: {versus(result.teams)}.", style="heading")
    if result.interrupted:
        say(f"Interrupted before all {result.asked:,} fights were done.")
    if not result.fights:
        return
    _show_endings(result)
    print()
    _show_rounds(result)
    if result.figures:
        print()
        _show_figures(result)
    if result.costs:
        print()
        _show_costs(result)
    print()
    speed = result.fights / result.seconds if result.seconds else 0.0
    how = "compiled" if result.compiled else "interpreted"
    say(f"{result.seconds:.2f} seconds, {speed:,.{int(speed < 10)}f} fights a second, {how}.")
    if result.fights < result.asked and not result.interrupted:
        say(f"There was no time for more fights: {MissingExtra('compiled play', 'lab')}.", style="aside")
    say(f"To see one of the fights: affray replay --simulated ... --seed {result.seed} --number N", style="aside")


def _found(result: Simulation, wanted: Sequence[str], watched: bool) -> tuple[list[Found], list[NoneFound]]:
    """The fights worth telling, and why there are none of some kinds."""
    from affray.lab.finding import NoneFound, find

    found, missing = [], []

    if watched:
        wipe(sys.stderr)

    def heard(done: int, most: int) -> None:
        draw(done, most, "measuring the luck of lost fights; Ctrl-C stops", sys.stderr)

    for what in wanted:
        assert result.results is not None
        try:
            found.append(find(result.results, what, progress=heard if watched else None))
        except NoneFound as none:
            missing.append(none)
    return found, missing


def _show_found(args: argparse.Namespace, found: Sequence[Found]) -> None:
    """The fights worth telling; the command for each stands on a line of its own, uncut, to be pasted."""
    for each in found:
        print()
        if each.interrupted:
            say("Interrupted: this is the unluckiest of the fights that were looked at.")
        say(f"{each.what[:1].upper()}{each.what[1:]}: fight {each.number:,}, {each.why}. It ended: {each.ending}.")
        print(f"  {_replaying(args, each)}")


def _replaying(args: argparse.Namespace, found: Found) -> str:
    return arguments.replaying(args, args.seed, found.number)


def _show_endings(result: Simulation) -> None:
    rows = [["", "", "95% interval"]]
    for ending, rate in result.rates.items():
        name = f"{cut(ending, 20)} win" if ending in result.teams else ending
        rows.append([name, percent(rate.value, 3), f"{percent(rate.low, 3)} to {percent(rate.high, 3)}"])
    lines = columns(rows, right=(1, 2))
    print_bars(lines, [0, *(rate.value for rate in result.rates.values())], BAR)


def _show_rounds(result: Simulation) -> None:
    mean = result.mean_rounds
    say(f"Rounds: {mean.value:.3f} on average ({mean.low:.3f} to {mean.high:.3f})")
    rows = binned(result.rounds, MOST_ROWS)
    most = max(count for _, count in rows)
    lines = [f"{name:>9}  {percent(count / result.fights, 2):>7}" for name, count in rows]
    print_bars(lines, [count / most for _, count in rows], BAR)


def _show_figures(result: Simulation) -> None:
    say("For each fighter, the mean and its margin of error:")
    rows = {who: {name: _figure(rate) for name, rate in row.items()} for who, row in result.figures.items()}
    print("\n".join(figures(rows)))


def _show_costs(result: Simulation) -> None:
    known = result.setup.system.costs
    say("What the fight costs and brings each fighter; margins are on the wide side:")
    print(
        "\n".join(
            figures({who: {name: _figure(rate) for name, rate in row.items()} for who, row in result.costs.items()})
        )
    )
    say(f"({'; '.join(f'{cost.name}: {cost.meaning}' for cost in known if cost.meaning != cost.name)})", style="aside")


def _figure(rate: Rate) -> str:
    return f"{rate.value:.3f}±{(rate.high - rate.low) / 2:.3f}"
