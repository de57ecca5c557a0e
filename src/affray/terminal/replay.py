"""`affray replay`: tells a saved fight again, or any single one out of a simulation."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from affray import saving
from affray.errors import Invalid
from affray.fight import Fight
from affray.players.tactics import replay_simulated
from affray.terminal import arguments
from affray.terminal.table import show_figures
from affray.terminal.text import print_json, say, versus
from affray.verifying import JOURNEY


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray replay` understands."""
    arguments.add_fight(parser)
    parser.add_argument("--simulated", action="store_true", help="a fight of a simulation, in place of a file")
    parser.add_argument("--seed", type=arguments.whole, default=0, help="the seed of the simulation (0)")
    parser.add_argument("--number", type=arguments.whole, default=0, help="the number of the fight in it, from 0")
    parser.add_argument("--at", type=arguments.positive, metavar="N", help="only decision N")
    parser.add_argument("--from", type=arguments.positive, dest="first", metavar="N", help="from decision N on")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a fight decision by decision."""
    if not args.simulated and len(args.words) == 1 and saving.format_of(args.words[0]) == JOURNEY:
        return _tell_journey(args)
    fight = _simulated(args) if args.simulated else _loaded(args)
    decisions = _chosen(fight, args.at, args.first)
    if args.json:
        print_json(as_table(fight, decisions))
        return 0
    say(f"{fight.system.title}: {versus(fight.teams)}.", hang="  ", style="heading")
    for number in decisions:
        _show(fight, number)
    print()
    say(f"It ended: {fight.ending}, in round {fight.round}." if fight.ending else "The fight is not over.")
    if fight.over and args.at is None:
        show_figures(fight)
    return 0


def _tell_journey(args: argparse.Namespace) -> int:
    from affray.journey import Journey

    journey = Journey.load(args.words[0])
    lines = [line for line in journey.lines if line.decision >= (args.first or 1) and args.at in (None, line.decision)]
    if args.json:
        story = [{"decision": line.decision, "text": line.text} for line in lines]
        print_json({"players": journey.names, "story": story, "winner": journey.winner, "round": journey.round})
        return 0
    for line in lines:
        say(line.text, hang="  ")
    print()
    say(f"Won by {journey.winner}, in board round {journey.round}." if journey.over else "The journey is not over.")
    return 0


def _loaded(args: argparse.Namespace) -> Fight:
    if len(args.words) != 1:
        raise Invalid("replay takes one file, or --simulated with a system and teams", given=args.words)
    return saving.load(args.words[0])


def _simulated(args: argparse.Namespace) -> Fight:
    system, teams = arguments.read_fight(args.words)
    return replay_simulated(
        system,
        teams,
        seed=args.seed,
        number=args.number,
        tactics=arguments.tactics(args),
        options=arguments.options(args),
    )


def _chosen(fight: Fight, at: int | None, first: int | None) -> Sequence[int]:
    last = max((answer.decision for answer in fight.answers), default=1)
    for wanted in (at, first):
        if wanted is not None and wanted > last:
            raise Invalid(f"there are decisions 1 to {last}, not {wanted}", given=wanted)
    return [at] if at else range(first or 1, last + 1)


def _answers(fight: Fight, number: int) -> Iterator[str]:
    for answer in fight.answers:
        if answer.decision == number:
            yield f"{answer.who} {answer.move}"


def _show(fight: Fight, number: int) -> None:
    print()
    say(f"Decision {number}: {', '.join(_answers(fight, number))}", hang="    ", style="heading")
    for line in fight.lines:
        if line.decision == number:
            say(line.text, indent="  ", hang="    ")


def as_table(fight: Fight, decisions: Sequence[int]) -> dict[str, object]:
    """The fight as plain JSON values, decision by decision."""
    return {
        "system": fight.system.id,
        "teams": fight.teams,
        "decisions": [
            {
                "decision": number,
                "answers": [
                    {"who": a.who, "move": a.move, "fell": [list(result) for result in a.fell]}
                    for a in fight.answers
                    if a.decision == number
                ],
                "story": [line.text for line in fight.lines if line.decision == number],
            }
            for number in decisions
        ],
        "ending": fight.ending,
        "round": fight.round,
        "figures": fight.figures,
    }
