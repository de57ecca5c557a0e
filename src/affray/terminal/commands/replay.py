"""`affray replay`: retells a saved fight, or any single fight of a simulation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from affray.errors import Invalid, Refused
from affray.fight import Fight, saving
from affray.fight.logfile import content_of
from affray.fight.verifying import other_format
from affray.players.tactics import replay_simulated
from affray.system.abilities import Retold
from affray.system.files import check_writable
from affray.terminal import arguments
from affray.terminal.playing.fight_session import show_figures
from affray.terminal.screen.output import columns, print_json, say, versus
from affray.terminal.screen.progress import draw, wipe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray replay` understands."""
    arguments.add_fight(parser)
    parser.add_argument("--simulated", action="store_true", help="replay a fight of a simulation instead of a file")
    parser.add_argument("--seed", type=arguments.whole, default=0, help="the seed of the simulation (0)")
    parser.add_argument("--number", type=arguments.whole, default=0, help="the number of the fight, from 0")
    parser.add_argument("--at", type=arguments.positive, metavar="N", help="only decision N")
    parser.add_argument("--from", type=arguments.positive, dest="first", metavar="N", help="from decision N on")
    for_analysis = "say what every decision was worth, which move was best, and mark blunders"
    parser.add_argument("--analyse", action="store_true", help=for_analysis)
    parser.add_argument("--iterations", type=arguments.positive, help="how long each decision is searched (4,000)")
    for_picture = "write a picture of the fight to a file: who won, how the chances went, and what was decisive (SVG)"
    parser.add_argument("--picture", metavar="FILE", help=for_picture)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a fight decision by decision."""
    if not args.simulated and len(args.words) == 1 and (other := other_format(content_of(args.words[0]))):
        return _retell(args, import_module(other.module).retell(args.words[0]))
    if not args.simulated and len(args.words) != 1:
        raise Invalid("replay takes one file, or --simulated with a system and teams", given=args.words)
    fight = _simulated(args) if args.simulated else saving.load(args.words[0])
    if args.picture:
        return _draw(fight, Path(args.picture))
    decisions = _chosen(fight, args.at, args.first)
    if args.analyse:
        return _analyse(args, fight, decisions)
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


def _draw(fight: Fight, path: Path) -> int:
    """Write the picture of a fight, and say what it shows."""
    check_writable(path)
    drawn = fight.picture()
    path.write_text(drawn.svg, encoding="utf-8")
    say(drawn.text)
    say(f"The picture is in {path}.")
    return 0


def _analyse(args: argparse.Namespace, fight: Fight, decisions: Sequence[int]) -> int:
    """Print what every decision was worth, the best alternative, and what was skill and what was luck."""
    from affray.lab.analysis import MARKS, analyse

    watched = sys.stderr.isatty()
    found = analyse(fight, iterations=args.iterations, progress=_watch if watched else None)
    if watched:
        wipe(sys.stderr)
    if args.json:
        print_json(found.as_table())
        return 0
    say(f"{fight.system.title}: {versus(fight.teams)}.", hang="  ", style="heading")
    rows = [["", "", "move", "worth", "best move", "worth", "gave away", "luck", ""]]
    for one in found.decisions:
        if one.decision in decisions:
            values = f"{one.after:+.2f}", one.best, f"{one.before:+.2f}", f"{one.loss:.2f}", f"{one.luck:+.2f}"
            rows.append([str(one.decision), one.who, one.move, *values, one.mark])
    print("\n".join(line.rstrip() for line in columns(rows)))
    print()
    for who in dict.fromkeys(one.who for one in found.decisions):
        marks = ", ".join(
            f"{found.marked(who, mark)} {mark}{'s' * (found.marked(who, mark) != 1)}" for mark, _ in MARKS
        )
        say(f"{who} gave away {found.lost_by(who):.2f} by its moves: {marks.replace('inaccuracys', 'inaccuracies')}.")
    say(
        f"(each decision from {found.iterations:,} fights of a search; luck is dice and the doing of others)",
        style="aside",
    )
    if fight.over:
        print()
        with suppress(Refused):
            say(str(fight.luck()))
    return 0


def _watch(done: int, of: int) -> None:
    draw(done, of, "decisions", sys.stderr)


def _retell(args: argparse.Namespace, retold: Retold) -> int:
    """Print the story of a log that is not of a fight."""
    lines = [(n, text) for n, text in retold.lines if n >= (args.first or 1) and args.at in (None, n)]
    if args.json:
        print_json({**retold.facts, "story": [{"decision": number, "text": text} for number, text in lines]})
        return 0
    for _, text in lines:
        say(text, hang="  ")
    print()
    say(retold.ending)
    return 0


def _simulated(args: argparse.Namespace) -> Fight:
    tactics, options = arguments.tactics(args), arguments.options(args)
    which = arguments.read_fight(args.words)
    return replay_simulated(*which, seed=args.seed, number=args.number, tactics=tactics, options=options)


def _chosen(fight: Fight, at: int | None, first: int | None) -> Sequence[int]:
    last = max((answer.decision for answer in fight.answers), default=1)
    for wanted in (at, first):
        if wanted is not None and wanted > last:
            raise Invalid(f"the decision must be 1 to {last}, not {wanted}", given=wanted)
    return [at] if at else range(first or 1, last + 1)


def _show(fight: Fight, number: int) -> None:
    print()
    answers = [f"{answer.who} {answer.move}" for answer in fight.answers if answer.decision == number]
    say(f"Decision {number}: {', '.join(answers)}", hang="    ", style="heading")
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
                    {"who": a.who, "move": a.move, "fell": [result.written for result in a.fell]}
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
