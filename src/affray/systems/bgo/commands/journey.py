"""`affray journey`: the race over the board at the keyboard, for one or more people and computer players."""

from __future__ import annotations

import argparse

from affray.errors import Invalid, unknown
from affray.kernel.chance import Hand, Seeded
from affray.system.setup import Spec
from affray.system.telling import counted
from affray.systems.bgo import system
from affray.systems.bgo.commands.journey_session import COMMANDS, JourneySession, take_back
from affray.systems.bgo.journey.journey import Journey
from affray.systems.bgo.tactics import TACTICS
from affray.terminal import arguments
from affray.terminal.playing.lineup import ask_until_valid
from affray.terminal.playing.real_dice import Tray
from affray.terminal.playing.session import at_keyboard, linger
from affray.terminal.screen.keyboard import Keyboard
from affray.terminal.screen.output import print_json, say

DEMONSTRATION_SEED = 7
DEMONSTRATION: list[Spec] = [{"name": "Ann", "plays": "cautious"}, {"name": "Bob", "plays": "always-attack"}]
STAND_IN = "cautious"  # decides for a person in a demonstration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray journey` understands."""
    add = parser.add_argument
    add("system", nargs="?", default=system.id, metavar="SYSTEM", help=f"the system ({system.id})")
    for_players = "a player with a sheet such as squire or player:health=8; may be repeated"
    add("--player", action="append", default=[], metavar="NAME[=SPEC]", help=for_players)
    for_computers = "a computer player, with the tactic cautious or this one; may be repeated"
    add("--computer", action="append", default=[], metavar="NAME[=TACTIC]", help=for_computers)
    add("--alone", action="store_true", help="travel without a rival, and do not offer one")
    arguments.add_options(parser)
    arguments.add_playing(parser, "journey")
    add("--json", action="store_true", help="let the computer play for all players and print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Play a journey, or show a demonstration if there is no keyboard."""
    if args.system != system.id:
        raise Invalid(f"{args.system!r} has no journey; {system.id} has one", given=args.system)
    if args.demo or args.json:
        return demonstrate(args)
    return at_keyboard("journey", lambda keyboard: set_out(args, keyboard), travel, lambda: demonstrate(args))


# --- setting out ---------------------------------------------------------------------------------------------


def set_out(args: argparse.Namespace, keyboard: Keyboard) -> JourneySession:
    """The requested journey, with all players at the start or where the saved journey left them."""
    tray = Tray(keyboard)
    if args.load:
        _check_alone(args)
        journey = Journey.load(args.load, tray)
    else:
        dice = Hand(tray) if args.dice == "hand" else None
        seats = players(args)
        if len(seats) == 1 and keyboard.screen and not args.alone:
            seats += offer_rival(keyboard)
        journey = Journey(seats, seed=args.seed, dice=dice, options=arguments.options(args))
    session = tray.session = JourneySession(keyboard, journey, odds=not args.no_odds, commands=COMMANDS)
    announce(journey, "`?` lists the commands.")
    if args.load:
        session.forget()
        say(f"The story so far has {session.told} lines; `log` shows them.")
    return session


def players(args: argparse.Namespace) -> list[Spec]:
    """The players that the command line names; one person if it names none."""
    seats: list[Spec] = []
    for text in args.player:
        name, _, sheet = text.partition("=")
        seats.append({"name": name, "sheet": sheet or "player"})
    seats = seats or [{"sheet": "player"}]
    for text in args.computer:
        name, _, tactic = text.partition("=")
        seats.append({"name": name, "plays": tactic or STAND_IN})
    return seats


RIVAL, NONE = "Rival", "none"


def offer_rival(keyboard: Keyboard) -> list[Spec]:
    """Offer a single player a computer rival; returns the rival, or an empty list."""
    say("A race is more fun with a rival. Enter accepts the answer in brackets, ? lists the choices.")
    known = (*TACTICS, NONE)

    def read(line: str) -> list[Spec]:
        if line not in known:
            raise Invalid(unknown("way to decide", line, known), given=line, allowed=known)
        return [] if line == NONE else [{"name": RIVAL, "plays": line}]

    return ask_until_valid(keyboard, f"a rival, played by the computer, or {NONE}", STAND_IN, known, read)


def _check_alone(args: argparse.Namespace) -> None:
    if args.player or args.computer or args.option or args.seed is not None or args.dice != "seeded":
        raise Invalid("--load takes players, options and dice from the file; do not give them again", given=args.load)


def announce(journey: Journey, remark: str) -> None:
    """Print the length of the journey and its players."""
    names = ", ".join(traveller.name for traveller in journey.travellers)
    gates = int(journey.options["gates"])
    through = f" and through {counted(gates, 'gate')}" if gates else ""
    squares = counted(int(journey.options["board_squares"]), "square")
    say(f"A journey over {squares}{through}: {names}.", hang="  ", style="heading")
    seed = f"Seed {journey.dice.seed}. " if isinstance(journey.dice, Seeded) else ""
    say(f"{seed}{remark}", style="aside")


# --- on the way ----------------------------------------------------------------------------------------------


def travel(session: JourneySession) -> None:
    """Play to the end, and again after each undo."""
    while True:
        while not session.journey.over:
            with take_back(session):
                _go_on(session)
        session.tell()
        close(session.journey)
        if not linger(session, "`save`, `log`, `why` and `undo`"):
            return


def _go_on(session: JourneySession) -> None:
    """Go on to a person's next decision, and let them take it."""
    session.journey.advance()
    session.tell()
    question = session.journey.question
    if question is not None:
        session.show_question(question)
        while not session.answer(question.who, session.hear(question.who)):
            pass


def close(journey: Journey) -> None:
    """Print how the journey ended, and the state of all players."""
    print()
    assert journey.winner is not None
    winner = journey.traveller(journey.winner)
    say(f"{winner.name} has won in board round {journey.round}.", style="heading")
    say(journey.status(), hang="    ")


# --- without a player ----------------------------------------------------------------------------------------


def demonstrate(args: argparse.Namespace) -> int:
    """A whole journey by computer players, for a viewer without a keyboard."""
    if args.load:
        _check_alone(args)
        journey = Journey.load(args.load)
    else:
        seats = players(args) if args.player or args.computer else DEMONSTRATION
        seed = DEMONSTRATION_SEED if args.seed is None else args.seed
        journey = Journey(seats, seed=seed, options=arguments.options(args))
    told = len(journey.lines) if args.load else 0
    journey.advance(instead=STAND_IN)
    if args.json:
        print_json(result(journey))
        return 0
    announce(journey, "A demonstration: the computer plays for all players.")
    for line in journey.lines[told:]:
        if line.text.startswith("Board round"):
            print()
        say(line.text, hang="  ")
    close(journey)
    return 0


def result(journey: Journey) -> dict[str, object]:
    """The result of a journey, as plain JSON values."""
    return {
        "system": system.id,
        "seed": journey.dice.seed if isinstance(journey.dice, Seeded) else None,
        "winner": journey.winner,
        "rounds": journey.round,
        "decisions": journey.decision - 1,
        "travellers": journey.view()["travellers"],
        "story": [line.text for line in journey.lines],
    }
