"""`affray odds`: how a fight will end, exactly where it can be counted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from affray.errors import MissingExtra
from affray.fight import Fight
from affray.lab import costs
from affray.lab.figures import percent
from affray.system.schema import cut
from affray.terminal import arguments
from affray.terminal.playing.fight_session import STUDY, notations
from affray.terminal.screen import move_list
from affray.terminal.screen.output import columns, print_bars, print_json, say, screen, versus

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.lab.odds import Odds

BAR = 30
SIMULATED = 100_000  # fights, where the states are too many to count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray odds` understands."""
    arguments.add_fight(parser)
    parser.add_argument(
        "--play",
        choices=("tactics", "best"),
        default="tactics",
        help="whether all follow their tactics, or one team plays as well as possible (tactics)",
    )
    parser.add_argument("--team", help="the team that plays its best, or looks at the odds (the first)")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the chance of every ending; for best play also the moves to begin with."""
    from affray.lab.outlook import outlook

    system, teams = arguments.read_fight(args.words)
    tactics, options = arguments.tactics(args), arguments.options(args)
    fight = Fight(system, teams, options=options, seed=0)
    team = args.team or next(iter(fight.teams))
    seen = outlook(fight, tactics=tactics, play=args.play, team=args.team, fights=SIMULATED)
    found, paid = seen.odds, seen.costs
    moves = _first_moves(fight, team, tactics) if args.play == "best" else {}
    if args.json:
        table = {"system": system, "teams": fight.teams, "play": args.play, "team": team, **found.as_table()}
        if paid:
            table["costs"] = {who: {name: r._asdict() for name, r in row.items()} for who, row in paid.items()}
        table["moves"] = {who: {move: o.as_table() for move, o in row.items()} for who, row in moves.items()}
        print_json(table)
        return 0
    say(f"{fight.system.title}: {versus(fight.teams)}.", hang="  ", style="heading")
    _show(found, fight)
    if paid:
        print()
        _show_costs(fight, paid, found.fights)
    for who, row in moves.items():
        print()
        _show_moves(fight, who, row)
    return 0


def _show_costs(fight: Fight, paid: Mapping[str, Mapping[str, Rate]], fights: int | None) -> None:
    """What the fight costs and brings each fighter, if all follow their tactics to the end."""
    known = fight.system.costs
    rows = [["", *(cost.name for cost in known)]]
    for who, row in paid.items():
        rows.append([who, *(costs.figure(cost, known, row[cost.name], fights) for cost in known)])
    say("What it costs and brings each fighter:")
    print("\n".join(columns(rows, right=range(1, len(known) + 1))))
    say(f"({'; '.join(f'{cost.name}: {cost.meaning}' for cost in known if cost.meaning != cost.name)})", style="aside")


def _show_moves(fight: Fight, who: str, row: dict[str, Odds]) -> None:
    then = (
        "all then by their tactics" if any(o.fights for o in row.values()) else "who then plays best, others by tactics"
    )
    say(f"First move of {who}, {then}:")
    moves = notations(fight, who)
    shown = moves if len(moves) <= move_list.MOST_LISTED else move_list.best_of_each(moves, row)
    if fight.system.costs:
        print("\n".join(costs.reckoned(moves, row, fight.team_of[who], fight.system.costs, moves, screen())))
        say(f"{costs.how(row, moves, fight.system.costs)}.", indent="  ", hang="  ", style="aside")
        return
    print("\n".join(move_list.weighed(moves, row, fight.team_of[who], shown)))
    _show_best({move: row[move] for move in shown})


def _show_best(row: dict[str, Odds]) -> None:
    worth = {move: o.value for move, o in row.items()}
    if worth:
        most = max(worth.values())
        best = [move for move, value in worth.items() if value == most]
        say(f"Best: {' or '.join(best)}, worth {float(most):+.4f}.", indent="     ")
    say(f"Odds: {move_list.how(row)}.", indent="     ", style="aside")


def _first_moves(fight: Fight, team: str, tactics: dict[str, str]) -> dict[str, dict[str, Odds]]:
    deciding = [who for who in fight.to_act if fight.team_of[who] == team]
    try:
        return {who: fight.odds(who, tactics=tactics, compiled=True, seconds=STUDY) for who in deciding}
    except MissingExtra:
        return {who: fight.odds(who, tactics=tactics, compiled=False, seconds=STUDY) for who in deciding}


def _show(odds: Odds, fight: Fight) -> None:
    rows = []
    for ending, chance in odds.chances.items():
        name = f"{cut(ending, 20)} win" if ending in fight.teams else ending
        rows.append([name, odds.fraction(ending), percent(chance, 4)])
    print_bars(columns(rows, right=(1, 2)), list(odds.chances.values()), BAR)
    say(f"Odds: {move_list.how({'': odds}, 2)}.", style="aside")
