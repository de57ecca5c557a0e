"""`affray campaign`: several fights in a row with what lasts between them, and how far a party gets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.lab.figures import percent
from affray.terminal import arguments
from affray.terminal.screen.designing import finish, party_of, watched
from affray.terminal.screen.output import columns, print_bars, say

if TYPE_CHECKING:
    from affray.lab.design.campaign import Campaign

BAR = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray campaign` understands."""
    add = parser.add_argument
    add("words", nargs="*", metavar="SYSTEM team=fighter,fighter", help="the system and the party")
    for_meet = "the foes of the next fight, such as  goblin,goblin  (repeat it for every fight)"
    add("--meet", action="append", default=[], metavar="FOES", help=for_meet)
    for_rest = "how everyone recovers between two fights, such as  rest  or  rest*3;  may be repeated"
    add("--rest", action="append", default=[], metavar="WAY", help=for_rest)
    arguments.add_options(parser)
    for_tactic = "how a fighter or a team decides; may be repeated"
    add("--tactic", action="append", default=[], metavar="NAME=TACTIC", help=for_tactic)
    add("--runs", type=arguments.positive, default=1_000, help="how many campaigns to run (1,000)")
    add("--seed", type=arguments.whole, default=0, help="the seed; the same seed gives the same result (0)")
    add("--progress", action="store_true", help="show progress even if the output is not a terminal")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Set out many times and print how far it goes."""
    from affray.lab.design.campaign import campaign

    system, team, party = party_of(args, ", and its foes with --meet")
    with watched(args) as progress:
        found = campaign(
            system,
            party,
            args.meet,
            team=team,
            rests=args.rest,
            options=dict(arguments.options(args)),
            tactics=arguments.tactics(args),
            runs=args.runs,
            seed=args.seed,
            progress=progress,
        )
    return finish(args, found, lambda: _show(team, found))


def _show(team: str, found: Campaign) -> None:
    rests = f", with {' and '.join(found.rests)} between fights" if found.rests else ", without rest"
    say(
        f"{team} ({', '.join(found.party)}) in {len(found.stages)} fights{rests}: {found.runs:,} runs.", style="heading"
    )
    if found.interrupted:
        say(f"Interrupted before all {found.asked:,} runs were done.")
    if not found.runs:
        return
    rows = [["got past", "", "95% interval", "able to go on"]]
    for number, (name, rate) in enumerate(found.reached.items(), 1):
        able = found.able.get(number)
        left = f"{able.value:.2f} ({able.low:.2f} to {able.high:.2f})" if able else "-"
        rows.append([name, percent(rate.value), f"{percent(rate.low)} to {percent(rate.high)}", left])
    print_bars(columns(rows, right=(1, 2, 3)), [0, *(rate.value for rate in found.reached.values())], BAR)
    won = found.fights_won
    say(f"Fights won on average: {won.value:.2f} ({won.low:.2f} to {won.high:.2f}); seed {found.seed}.", style="aside")
