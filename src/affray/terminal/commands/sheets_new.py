"""`affray sheets new`: makes a fighter by questions or dice, and writes it to a file with comments."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from affray.errors import Invalid
from affray.kernel.chance import Dice, Hand, Seeded
from affray.system.contract import System
from affray.system.creation import Creation, Interview, Question, unasked
from affray.system.registry import find, names
from affray.system.schema import Text, load_toml, refusal, slug
from affray.system.sheet_files import add_sheet
from affray.terminal.arguments import the_system, whole
from affray.terminal.playing.lineup import ask_until_valid
from affray.terminal.playing.real_dice import Tray
from affray.terminal.screen.keyboard import Keyboard, Leave, open_keyboard
from affray.terminal.screen.output import complain, print_json, say

T = TypeVar("T")
WHIM = 1  # the number of the stream that suggests names, apart from the dice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray sheets new` understands besides the system."""
    group = parser.add_argument_group("new")
    group.add_argument("--roll", action="store_true", help="roll everything, and ask nothing")
    group.add_argument("--name", help="the fighter's name, from which its id in the file is made")
    group.add_argument("--to", metavar="FILE.toml", help="the file to add the sheet to")
    group.add_argument("--seed", type=whole, help="the seed of the dice; the same seed rolls the same fighter")
    group.add_argument("--dice", choices=("seeded", "hand"), help="who rolls: the computer, or you at your table")


def check_unused(args: argparse.Namespace) -> None:
    """Refuse options that only a new sheet takes."""
    for option in ("roll", "name", "to", "seed", "dice"):
        if getattr(args, option) not in (None, False):
            raise Invalid(f"--{option} is for a new sheet:  affray sheets new SYSTEM", given=option)


def run(args: argparse.Namespace) -> int:
    """Make a fighter and write the sheet; quitting early leaves the file unchanged."""
    system, creation = _maker(args)
    path = args.to or creation.file
    if not path.endswith(".toml"):
        raise refusal("--to", path, "a file whose name ends in .toml")
    if Path(path).exists():
        load_toml(path)  # find out before the first question whether the sheet can be added
    if args.json and not args.roll:
        raise Invalid("--json asks nothing, so it needs --roll", given="--json")
    keyboard = _keyboard(args)
    try:
        name, table = make(args, system, creation, keyboard, path)
    except (Leave, EOFError, KeyboardInterrupt) as end:
        if isinstance(end, EOFError) and (keyboard is None or not keyboard.screen):
            raise _no_answer(args) from None
        say(f"No {creation.what} was written.")
        return 0
    sheet = system.enlist(table)
    lines = add_sheet(path, slug(name), table, creation.comments(sheet))
    if args.json:
        print_json({"file": path, "id": slug(name), "sheet": table})
        return 0
    print()
    for line in lines:
        say(line, hang="    ")
    print()
    (team, _), *others = system.demonstration.items()
    against = " ".join(f"{other}={','.join(members)}" for other, members in others)
    say(f"Added to {path}. To play: affray play {system.id} {team}={path}#{slug(name)} {against}", hang="  ")
    return 0


def _maker(args: argparse.Namespace) -> tuple[System[Any, Any], Creation[Any]]:
    """The named system, or the only one there is."""
    _, *rest = args.words
    if len(rest) > 1 or (rest and args.system):
        raise Invalid(f"`new` takes one system, not {len(rest) + bool(args.system)}", given=rest, allowed=names())
    system = find(the_system(args.system or next(iter(rest), None)))
    return system, system.creation


def _keyboard(args: argparse.Namespace) -> Keyboard | None:
    """The keyboard for the answers; None if nothing is asked."""
    if args.roll and args.dice != "hand":
        return None
    keyboard = open_keyboard()
    if keyboard is None:
        raise _no_answer(args)
    return keyboard


def _no_answer(args: argparse.Namespace) -> Invalid:
    means = "--dice seeded" if args.roll else "--roll"
    return Invalid(f"there is no terminal to ask at, so nothing was written; {means} asks nothing")


# --- asking --------------------------------------------------------------------------------------------------


def make(
    args: argparse.Namespace, system: System[Any, Any], creation: Creation[Any], keyboard: Keyboard | None, path: str
) -> tuple[str, dict[str, object]]:
    """The name and the table of the new sheet, from answers at the keyboard or from the defaults."""
    seed = secrets.randbits(32) if args.seed is None else args.seed
    dice, announce = _dice(args, seed, keyboard)
    suggested = creation.name(Seeded(seed, WHIM))

    def read(name: str) -> str:
        return _free(name, path)

    if args.roll:
        name = read(args.name or suggested)
        return name, unasked(creation.interview(name, dice, announce))
    assert keyboard is not None
    say(f"{system.title}: a new {creation.what}.", style="heading")
    say("Enter accepts the answer in brackets, Tab completes, ? explains, Ctrl-D quits.")
    name = read(args.name) if args.name else ask_until_valid(keyboard, "name", suggested, (), read)
    return name, converse(keyboard, creation.interview(name, dice, announce))


def _dice(args: argparse.Namespace, seed: int, keyboard: Keyboard | None) -> tuple[Dice, Callable[[str], None]]:
    """The dice, and the function to tell what the next throw is for."""
    purpose = [""]
    if args.dice != "hand" or keyboard is None:
        return Seeded(seed), purpose.append
    tray = Tray(keyboard)
    hand = tray.hand = Hand(tray)
    hand.thrown_for = lambda: purpose[-1]
    return hand, purpose.append


def _free(name: str, path: str) -> str:
    """The name, if a sheet with that name can be added to the file."""
    taken = Text(40).take(name, "name")
    id = slug(taken)
    if not id:
        raise refusal("name", name, "a name with a letter a to z or a digit, for the id")
    if Path(path).exists() and id in load_toml(path):
        raise Invalid(f"{path} already has a sheet {id}; choose another name", given=name)
    return taken


def converse(keyboard: Keyboard, interview: Interview[T]) -> T:
    """The result of an interview at the keyboard."""
    try:
        question = next(interview)
        while True:
            question = interview.send(_answer(keyboard, question))
    except StopIteration as ended:
        made: T = ended.value
        return made


def _answer(keyboard: Keyboard, question: Question) -> str:
    if question.problem:
        complain(question.problem)
    else:
        for line in question.shows:
            say(line, indent="  ", hang="    ")
    return ask_until_valid(keyboard, question.asks, question.usual, question.words, str, question.explains)
