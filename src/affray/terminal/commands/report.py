"""`affray report`: one page about the fights of a system, or of some of its fighters."""

from __future__ import annotations

import argparse

from affray.errors import Invalid
from affray.terminal import INTERRUPTED, arguments
from affray.terminal.screen.designing import add_cluster, crew, watched
from affray.terminal.screen.output import print_json, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray report` understands."""
    add = parser.add_argument
    add("system", nargs="?", metavar="SYSTEM", help="the combat system")
    for_creatures = "the fighters, separated by commas (up to 12, spread over all that come with the system)"
    add("--creatures", default="", metavar="IDS", help=for_creatures)
    add("--by", metavar="KEY", help="the number on the sheets to find outliers by (rank)")
    arguments.add_options(parser)
    add("--fights", type=arguments.positive, default=1_000, help="how many fights of every pair in each seat (1,000)")
    add(
        "--decisions",
        type=arguments.positive,
        default=24,
        help="how many fights to look into, decision by decision (24)",
    )
    add("--seed", type=arguments.whole, default=0, help="the seed; the same seed gives the same page (0)")
    add("--out", metavar="FILE", help="an .html file, or .pdf where a browser can print it (SYSTEM-report.html)")
    add("--progress", action="store_true", help="show progress even if the output is not a terminal")
    add_cluster(parser)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Study and write."""
    from affray.lab.design.report.report import checked, report
    from affray.system.files import check_writable

    system = arguments.the_system(args.system)
    if "=" in system:
        raise Invalid("a report takes a system, and --creatures", given=system)
    target = checked(args.out or f"{system}-report.html")
    check_writable(target)
    with watched(args) as progress, crew(args) as pool:
        found = report(
            system,
            [word for word in args.creatures.split(",") if word],
            options=dict(arguments.options(args)),
            by=args.by,
            fights=args.fights,
            looked_into=args.decisions,
            seed=args.seed,
            pool=pool,
            progress=progress,
        )
    found.write(target)
    if args.json:
        pairs = {f"{a}/{b}": rate._asdict() for (a, b), rate in found.duels.wins.items()}
        overall = {name: rate._asdict() for name, rate in found.duels.overall.items()}
        print_json({"file": str(target), "interrupted": found.interrupted, "wins": pairs, "overall": overall})
    else:
        say(f"{'Interrupted; what there is so far' if found.interrupted else 'Written'}: {target}.")
    return INTERRUPTED if found.interrupted else 0
