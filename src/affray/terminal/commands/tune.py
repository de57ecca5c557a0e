"""`affray tune`: the smallest change to sheets or options with which a fight meets its targets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.terminal import arguments
from affray.terminal.screen.designing import add_designing, crew, finish, match_of, save_picture, watched
from affray.terminal.screen.output import figures, say, versus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affray.lab.design.matches import Match
    from affray.lab.design.tuned import Candidate, Tuned

SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray tune` understands."""
    arguments.add_fight(parser)
    add = parser.add_argument
    for_vary = "what may be changed, such as  slime:health=4..20  or  option:ties=on|off;  may be repeated"
    add("--vary", action="append", default=[], metavar="WHAT=VALUES", help=for_vary)
    for_target = "the target, such as  heroes=0.6,  heroes=0.55..0.65,  rounds=5+-0.5,  knight:net>=0;  may be repeated"
    add("--target", action="append", default=[], metavar="MEASURE=VALUE", help=for_target)
    for_price = "the relative price of changing something, such as  slime:health=2  (1); may be repeated"
    add("--price", action="append", default=[], metavar="WHAT=NUMBER", help=for_price)
    add("--tries", type=arguments.positive, help="how many combinations to try (all up to 2,000, or else 200)")
    add_designing(parser, "of each candidate at most (64,000)")


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from affray.lab.design.matches import Knob
    from affray.lab.design.tune import FIGHTS, tune

    match = match_of(args)
    with watched(args) as progress, crew(args) as pool:
        found = tune(
            match,
            [Knob.read(text) for text in args.vary],
            args.target,
            prices=_prices(args.price),
            fights=args.fights or FIGHTS,
            tries=args.tries,
            certainty=args.certainty,
            seats=args.seats,
            seed=args.seed,
            pool=pool,
            progress=progress,
        )
    if found.candidates:
        save_picture(args.plot, found.svg)
    return finish(args, found, lambda: _show(match, found))


def _prices(given: list[str]) -> dict[str, float]:
    prices = {}
    for what, price in arguments.pairs(given, "slime:health=2").items():
        try:
            prices[what] = float(price)
        except ValueError:
            prices[what] = -1.0
        if not 0 <= prices[what] < float("inf"):
            raise Invalid(f"the price of {what} must be a number from 0 up, not {price!r}", given=price)
    return prices


def _show(match: Match, found: Tuned) -> None:
    say(f"{match.setup.system.title}: {versus(match.setup.teams)}.", hang="  ", style="heading")
    say(f"Wanted: {'; '.join(map(str, found.targets))}.")
    if found.interrupted:
        say(f"Interrupted after {len(found.candidates):,} of {found.of:,} combinations: this is what there is so far.")
    print()
    if found.best:
        say("The smallest change that surely does it:" if len(found.candidates) > 1 else "This does it:")
        _show_rows(found, found.met[:SHOWN])
        print()
        print(f"  {found.best.match.command('odds' if found.best.exact else 'simulate')}")
    elif found.open:
        say("None surely does it; these may (--fights says how often to fight):")
        _show_rows(found, found.open[:SHOWN])
    elif found.candidates:
        nothing = "Nothing in these ranges can do it" if found.impossible else "None of those tried does it"
        several = len(found.targets) > 1
        say(f"{nothing}. {'The best trade-offs' if several else 'Those that come nearest'}:")
        _show_rows(found, found.pareto[:SHOWN])
    print()
    _show_how(found)


def _show_rows(found: Tuned, shown: Sequence[Candidate]) -> None:
    rows = {}
    for each in shown:
        rows[str(each)] = {"change": f"{each.cost:.2f}"}
        for target, rate in zip(found.targets, each.means, strict=True):
            shown_as = target.measure.shown
            own = "" if each.exact else f" ({shown_as(rate.low)} to {shown_as(rate.high)})"
            rows[str(each)][target.measure.text] = f"{shown_as(rate.value)}{own}"
    print("\n".join(figures(rows)))


def _show_how(found: Tuned) -> None:
    tried = f"{len(found.candidates):,} of {found.of:,} combinations tried"
    if len(found.candidates) < found.of and found.best and not found.interrupted:
        tried += ", the smallest changes first" if found.of <= 2_000 else ", as Optuna suggested"
    sampled = [each.fights for each in found.candidates if not each.exact]
    if not sampled:
        say(f"{tried}{'; all counted exactly' * bool(found.candidates)}.", style="aside")
        return
    fights = f"{min(sampled):,} to {max(sampled):,}" if min(sampled) < max(sampled) else f"{max(sampled):,}"
    seats = " in each seat" * (found.seats == "both")
    sure = f"all intervals hold together with {100 * found.certainty:g}%"
    say(f"{tried}, with {fights} fights of each{seats}; {sure}; seed {found.seed}.", style="aside")
