"""`affray arena`: players and tactics against each other, with intervals and ratings."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.players.levels import LEVELS
from affray.system.registry import find
from affray.terminal import arguments
from affray.terminal.screen.designing import add_cluster, elsewhere, finish, watched
from affray.terminal.screen.output import columns, say

if TYPE_CHECKING:
    from affray.lab.arena import Arena, Pairing
    from affray.lab.figures import Rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray arena` understands."""
    add = parser.add_argument
    add(
        "words",
        nargs="*",
        metavar="SYSTEM [team=fighter,fighter]",
        help="the combat system, and teams if only that roster is fought; otherwise both sides have the same fighters",
    )
    add(
        "--player",
        action="append",
        default=[],
        help=f"a tactic, search, search:2s, search:5000, {', '.join(LEVELS)}, policy:FILE "
        "or program:COMMAND (all tactics)",
    )
    add("--against", metavar="PLAYER", help="fight only pairings with this player")
    add("--rosters", type=arguments.positive, default=10, help="how many rosters to make if no teams are given (10)")
    add(
        "--fights",
        type=arguments.positive,
        default=10,
        help="how many fights of each pair of players on each roster, each fought twice (10)",
    )
    add("--seed", type=arguments.whole, default=0, help="the seed of rosters and dice (0)")
    add("--workers", type=arguments.positive, help="how many processes (one for each core)")
    add_cluster(parser)
    add("--progress", action="store_true", help="show progress even if the output is not a terminal")
    arguments.add_options(parser)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Fight, count and print."""
    from affray.lab.arena import compare, mirror_rosters

    id, teams = arguments.split_words(args.words)
    system = find(arguments.the_system(id))
    players = list(dict.fromkeys(args.player or system.tactics))
    if args.against and args.against not in players:
        players.append(args.against)
    if teams is not None and len(teams) != 2:
        raise Invalid(f"an arena has two teams, not {len(teams)}", given=list(teams))
    rosters = [teams] if teams else mirror_rosters(system, args.rosters, args.seed)
    with watched(args) as progress, elsewhere(args) as pool:
        result = compare(
            system.id,
            players,
            rosters=rosters,
            options=arguments.options(args),
            fights=args.fights,
            seed=args.seed,
            workers=args.workers,
            pool=pool,
            against=args.against,
            progress=progress,
        )
    return finish(args, result, lambda: _show(result))


def _show(result: Arena) -> None:
    fights = sum(pair.fights for pair in result.pairings)
    rosters = f"{len(result.rosters)} roster{'s' * (len(result.rosters) != 1)}"
    say(f"{fights:,} fights of {result.system} on {rosters}, seed {result.seed}, seats swapped.", style="heading")
    if result.interrupted:
        say("Interrupted before all fights were done.")
    rated = sorted(result.ratings.items(), key=lambda item: -item[1].value)
    rows = [["", "rating", "95% interval"]]
    rows += [[name, f"{rating.value:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}"] for name, rating in rated]
    print("\n".join(columns(rows)))
    print()
    rows = [["", "value", "95% interval", "edge", "95% interval", "won", "lost", "neither", "of decided"]]
    rows += [_row(pair) for pair in result.pairings if pair.fights]
    print("\n".join(columns(rows)))


def _row(pair: Pairing) -> list[str]:
    share = pair.decided
    return [
        f"{pair.one} against {pair.other}",
        *(text for rate in (pair.value, pair.edge) for text in _written(rate)),
        str(pair.wins),
        str(pair.losses),
        str(pair.undecided),
        "" if share is None else f"{share:.1%}",
    ]


def _written(rate: Rate) -> tuple[str, str]:
    return f"{rate.value:+.3f}", f"{rate.low:+.3f} to {rate.high:+.3f}"
