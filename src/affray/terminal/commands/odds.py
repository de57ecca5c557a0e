"""`affray odds`: how a fight will end, exact where the states can be counted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from affray.errors import MissingExtra
from affray.kernel.chance import Seeded
from affray.kernel.state import to_act
from affray.lab import chances, costs
from affray.lab.figures import percent
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.terminal import arguments
from affray.terminal.playing.fight_session import STUDY
from affray.terminal.screen import move_list
from affray.terminal.screen.output import columns, print_bars, print_json, say, screen, versus

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.lab.odds import Aim, Odds

BAR = 30
SIMULATED = 100_000  # fights, if there are too many states to count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray odds` understands."""
    arguments.add_fight(parser)
    parser.add_argument(
        "--play",
        choices=("tactics", "best"),
        default="tactics",
        help="whether all follow their tactics, or one team plays its best (tactics)",
    )
    arguments.add_aim(parser)
    parser.add_argument("--team", help="the team that plays its best and whose odds are shown (the first)")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the chance of every ending; for best play also the moves to begin with."""
    from affray.lab.forecast import forecast

    system, teams = arguments.read_fight(args.words)
    tactics, options = arguments.tactics(args), arguments.options(args)
    setup = Setup.of(system, teams, options)
    team = setup.team(args.team)
    seen = forecast(setup, tactics=tactics, play=args.play, aim=args.aim, team=team, fights=SIMULATED)
    found, paid = seen.odds, seen.costs
    moves = _first_moves(setup, team, tactics, args.aim) if args.play == "best" else {}
    if args.json:
        table = {"system": system, "teams": setup.teams, "play": args.play, "team": team, **found.as_table()}
        if paid:
            table["costs"] = {who: {name: r._asdict() for name, r in row.items()} for who, row in paid.items()}
        table["moves"] = {who: {move: o.as_table() for move, o in row.items()} for who, row in moves.items()}
        print_json(table)
        return 0
    say(f"{setup.system.title}: {versus(setup.teams)}.", hang="  ", style="heading")
    if not found.tells:
        few = counted(found.fights or 0, "simulated fight")
        say(f"No odds: there was time for only {few}, which is too few; {MissingExtra('compiled play', 'lab')}.")
        return 0
    _show(found)
    if paid:
        print()
        _show_costs(setup, paid, found.fights)
    for who, row in moves.items():
        print()
        _show_moves(setup, who, row)
    return 0


def _show_costs(setup: Setup[Any], paid: Mapping[str, Mapping[str, Rate]], fights: int | None) -> None:
    """What the fight costs and brings each fighter, if all follow their tactics to the end."""
    known = setup.system.costs
    rows = [["", *(cost.name for cost in known)]]
    for who, row in paid.items():
        rows.append([who, *(costs.figure(cost, known, row[cost.name], fights) for cost in known)])
    say("What the fight costs and brings each fighter:")
    print("\n".join(columns(rows, right=range(1, len(known) + 1))))
    say(f"({'; '.join(f'{cost.name}: {cost.meaning}' for cost in known if cost.meaning != cost.name)})", style="aside")


def _show_moves(setup: Setup[Any], who: str, row: dict[str, Odds]) -> None:
    sampled = any(o.fights is not None for o in row.values())
    then = "all follow their tactics" if sampled else "the fighter plays best and the others follow their tactics"
    say(f"The first move of {who}, if then {then}:")
    moves, team, known = list(row), setup.team_of[who], setup.system.costs
    if known:
        print("\n".join(costs.reckoned(moves, row, team, known, moves, screen())))
        say(f"{costs.how(row, moves, known)}.", indent="  ", hang="  ", style="aside")
        return
    shown = moves if len(moves) <= move_list.MOST_LISTED else chances.best_of_each(moves, row)
    print("\n".join(chances.weighed(moves, row, team, shown, screen())))
    _show_best({move: row[move] for move in shown})


def _show_best(row: dict[str, Odds]) -> None:
    worth = {move: o.value for move, o in row.items() if o.tells}
    if worth:
        most = max(worth.values())
        best = [move for move, value in worth.items() if value == most]
        say(f"Best: {' or '.join(best)}, worth {float(most):+.4f}.", indent="     ")
    say(f"Odds: {chances.how(row)}.", indent="     ", style="aside")


def _first_moves(setup: Setup[Any], team: str, tactics: dict[str, str], aim: Aim) -> dict[str, dict[str, Odds]]:
    from affray.lab.odds import odds_of_moves

    state = setup.opened(Seeded(0))
    deciding = [who for index, who in enumerate(setup.names) if to_act(state) >> index & 1 and who in setup.teams[team]]
    look = partial(odds_of_moves, setup, state, tactics=tactics, aim=aim, seconds=STUDY)
    try:
        return {who: look(who, compiled=True) for who in deciding}
    except MissingExtra:
        return {who: look(who, compiled=False) for who in deciding}


def _show(odds: Odds) -> None:
    rows = []
    for ending, chance in odds.chances.items():
        name = f"{cut(ending, 20)} win" if ending in odds.teams else ending
        rows.append([name, odds.fraction(ending), percent(chance, 4)])
    print_bars(columns(rows, right=(1, 2)), list(odds.chances.values()), BAR)
    say(f"Odds: {chances.how({'': odds}, 2)}.", style="aside")
    if odds.fights and odds.fights < SIMULATED:
        say(f"There was no time for more fights: {MissingExtra('compiled play', 'lab')}.", style="aside")
