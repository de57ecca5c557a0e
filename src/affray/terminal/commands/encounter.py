"""`affray encounter`: groups of monsters of a wanted difficulty for a party."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.errors import Invalid
from affray.lab.figures import percent
from affray.terminal import arguments
from affray.terminal.screen.designing import add_cluster, crew, finish, party_of, watched
from affray.terminal.screen.output import say

if TYPE_CHECKING:
    from affray.lab.design.encounter import Encounter, Encounters
    from affray.lab.figures import Rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray encounter` understands."""
    add = parser.add_argument
    add("words", nargs="*", metavar="SYSTEM team=fighter,fighter", help="the system and the party")
    arguments.add_options(parser)
    for_difficulty = "easy, medium, hard, deadly, or how often the party should win, such as 0.4..0.5 (hard)"
    add("--difficulty", default="hard", help=for_difficulty)
    add("--monsters", default="2..6", metavar="RANGE", help="how many monsters, such as 3 or 2..6 (2..6)")
    for_bestiary = "the creatures or kinds of sheets to choose from, separated by commas"
    add("--from", dest="bestiary", default="", metavar="IDS", help=for_bestiary)
    add("--suggestions", type=arguments.positive, default=5, help="how many to suggest (5)")
    add("--seed", type=arguments.whole, default=0, help="the seed; another one gives other suggestions (0)")
    add(
        "--certainty",
        type=float,
        default=0.95,
        help="how certain it is that all suggestions have the difficulty (0.95)",
    )
    add("--progress", action="store_true", help="show progress even if the output is not a terminal")
    add_cluster(parser)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from affray.lab.design.encounter import difficulty, encounters
    from affray.lab.design.matches import Knob

    system, team, party = party_of(args)
    numbers = Knob.read(f"--monsters={args.monsters}").values
    if not all(number.isdigit() for number in numbers):
        raise Invalid(
            f"--monsters must be a number or a range such as 2..6, not {args.monsters!r}", given=args.monsters
        )
    with watched(args) as progress, crew(args) as pool:
        found = encounters(
            system,
            party,
            team=team,
            foes="monsters" if team != "monsters" else "foes",
            wanted=difficulty(args.difficulty),
            numbers=[int(number) for number in numbers],
            bestiary=[word for word in args.bestiary.split(",") if word],
            options=dict(arguments.options(args)),
            suggestions=args.suggestions,
            certainty=args.certainty,
            seed=args.seed,
            pool=pool,
            progress=progress,
        )
    return finish(args, found, lambda: _show(team, found))


def _show(team: str, found: Encounters) -> None:
    low, high = found.wanted
    say(f"Wanted: {team} win {percent(low, 0)} to {percent(high, 0)} of the fights.", style="heading")
    if found.interrupted:
        say("Interrupted: this is what there is so far.")
    for each in found.suggestions:
        print()
        _show_one(team, each)
    if not found.suggestions:
        say("No group that was tried is surely as wanted. These come nearest:")
        for foes, wins in found.nearest:
            say(f"{foes.replace(',', ', ')}: {team} win {_share(wins)}", indent="  ", hang="    ")
    print()
    say(f"{found.tried:,} groups tried; seed {found.seed}.", style="aside")


def _show_one(team: str, each: Encounter) -> None:
    say(", ".join(each.foes), style="heading")
    exact = f"{percent(each.wins.value, 2)}, exact" if each.exact else _share(each.wins)
    say(
        f"{team} win {exact}; {each.rounds.value:.1f} rounds ({each.rounds.low:.1f} to {each.rounds.high:.1f})",
        "  ",
        "    ",
    )
    happens = "; ".join(f"{name} {_share(rate)}" for name, rate in each.someone.items() if rate.value)
    if happens:
        say(f"to someone or more of {team}: {happens}", "  ", "    ")
    losses = "; ".join(
        f"{name} {rate.value:.1f}±{(rate.high - rate.low) / 2:.1f}" for name, rate in each.losses.items()
    )
    if losses:
        say(f"all of {team} together: {losses}", "  ", "    ")
    print(f"  {each.match.command('simulate')}")


def _share(rate: Rate) -> str:
    return f"{percent(rate.value)} ({percent(rate.low)} to {percent(rate.high)})"
