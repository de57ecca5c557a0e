"""`affray journey`: the race over the board at the keyboard, for one or several, with or without computer players."""

from __future__ import annotations

import argparse

from affray.errors import Invalid, Refused
from affray.journey.party import Spec
from affray.journey.travel import Journey
from affray.kernel.chance import Hand, Seeded
from affray.terminal import arguments
from affray.terminal.prompt import Keyboard, Leave, open_keyboard
from affray.terminal.text import complain, print_json, say
from affray.terminal.trip import Cup, Trip, answer, save, take_back

DEMONSTRATION_SEED = 7
DEMONSTRATION: list[Spec] = [{"name": "Ann", "plays": "cautious"}, {"name": "Bob", "plays": "always-attack"}]
STAND_IN = "cautious"  # decides for a person where nobody is there


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray journey` understands."""
    add = parser.add_argument
    add("system", nargs="?", default="bgo", metavar="SYSTEM", help="the system whose board it is; only bgo has one")
    for_players = "a person who plays, with a sheet such as squire or player:health=8; may be repeated"
    add("--player", action="append", default=[], metavar="NAME[=SPEC]", help=for_players)
    for_computers = "a computer player, cautious or by this tactic; may be repeated"
    add("--computer", action="append", default=[], metavar="NAME[=TACTIC]", help=for_computers)
    add("--seed", type=arguments.whole, help="the same seed and answers give the same journey")
    add(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the rules; may be repeated",
    )
    add("--dice", choices=("seeded", "hand"), default="seeded", help="who throws: the computer, or you on your table")
    add("--load", metavar="FILE", help="go on with a saved journey")
    add("--no-odds", action="store_true", help="show the moves of an encounter without their odds")
    add("--demo", action="store_true", help="watch the computer play for everybody")
    add("--json", action="store_true", help="let the computer play for everybody and print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Travel; where nobody is there to answer, show how it would go."""
    if args.system != "bgo":
        raise Invalid(f"{args.system!r} has no board to travel; bgo has", given=args.system, allowed=["bgo"])
    keyboard = None if args.demo or args.json else open_keyboard()
    if keyboard is None:
        return demonstrate(args)
    trip: Trip | None = None
    try:
        trip = set_out(args, keyboard)
        while travel(trip):
            pass
    except (Leave, EOFError, KeyboardInterrupt) as end:
        if isinstance(end, EOFError) and not keyboard.heard and not keyboard.screen:
            return demonstrate(args)
        leave(trip, isinstance(end, EOFError) and not keyboard.screen)
    return 0


# --- setting out ---------------------------------------------------------------------------------------------


def set_out(args: argparse.Namespace, keyboard: Keyboard) -> Trip:
    """The journey that was asked for, with everybody before the first square or where they stood."""
    cup = Cup(keyboard)
    if args.load:
        _check_alone(args)
        journey = Journey.load(args.load, cup)
    else:
        dice = Hand(cup) if args.dice == "hand" else None
        journey = Journey(players(args), seed=args.seed, dice=dice, options=arguments.options(args))
    trip = cup.trip = Trip(journey, keyboard, odds=not args.no_odds)
    announce(journey, "`?` shows all that you can type.")
    if args.load:
        trip.forget()
        say(f"The story so far has {trip.told} lines; `log` shows them.")
    return trip


def players(args: argparse.Namespace) -> list[Spec]:
    """The players as the command line names them; one person where it names none."""
    seats: list[Spec] = []
    for text in args.player:
        name, _, sheet = text.partition("=")
        seats.append({"name": name, "sheet": sheet or "player"})
    seats = seats or [{"sheet": "player"}]
    for text in args.computer:
        name, _, tactic = text.partition("=")
        seats.append({"name": name, "plays": tactic or STAND_IN})
    return seats


def _check_alone(args: argparse.Namespace) -> None:
    if args.player or args.computer or args.option or args.seed is not None or args.dice != "seeded":
        raise Invalid("--load brings its own players, options and dice, so none can be given with it", given=args.load)


def announce(journey: Journey, remark: str) -> None:
    """Say who travels."""
    names = ", ".join(traveller.name for traveller in journey.travellers)
    say(f"A journey over {journey.options['board_squares']} squares: {names}.", hang="  ", style="heading")
    seed = f"Seed {journey.dice.seed}. " if isinstance(journey.dice, Seeded) else ""
    say(f"{seed}{remark}", style="aside")


# --- on the way ----------------------------------------------------------------------------------------------


def travel(trip: Trip) -> bool:
    """Go on to the end; True when somebody went back from there and travels again."""
    while not trip.journey.over:
        with take_back(trip):
            trip.journey.advance()
            trip.tell()
            if trip.journey.question is not None:
                trip.show_question()
                while not answer(trip, trip.hear()):
                    pass
    trip.tell()
    close(trip.journey)
    return linger(trip)


def close(journey: Journey) -> None:
    """How it ended, and how everybody stands."""
    print()
    assert journey.winner is not None
    winner = journey.traveller(journey.winner)
    say(f"{winner.name} has won in board round {journey.round}.", style="heading")
    say(journey.status(), hang="    ")


def linger(trip: Trip) -> bool:
    """After the journey: save it, look back, or go back into it (then True)."""
    print()
    say("Enter ends. `save` keeps the journey; `log`, `why` and `undo` work as before.")
    while True:
        try:
            line = trip.hear()
            if not line:
                return False
            if answer(trip, line):
                return True
        except (Leave, EOFError, KeyboardInterrupt):
            return False


def leave(trip: Trip | None, at_end_of_input: bool) -> None:
    """Go before the journey is over; a person is asked whether to keep it."""
    reason = "The input has ended; the" if at_end_of_input else "The"
    if trip is None:
        say(f"{reason} journey has not begun.")
        return
    if trip.keyboard.screen and trip.journey.answers:
        try:
            if trip.keyboard.ask("Save the journey first? [y/N]> ", remember=False).lower() in ("y", "yes"):
                save(trip, "")
        except (EOFError, KeyboardInterrupt):
            pass
        except Refused as problem:
            complain(problem)
    say(f"{reason} journey is left unfinished, in board round {trip.journey.round}.")


# --- without anybody -----------------------------------------------------------------------------------------


def demonstrate(args: argparse.Namespace) -> int:
    """A whole journey by computer players, for whoever looks on without a keyboard."""
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
    announce(journey, "A demonstration: the computer plays for everybody.")
    for line in journey.lines[told:]:
        if line.text.startswith("Board round"):
            print()
        say(line.text, hang="  ")
    close(journey)
    return 0


def result(journey: Journey) -> dict[str, object]:
    """How a journey went, as plain JSON values."""
    return {
        "system": "bgo",
        "seed": journey.dice.seed if isinstance(journey.dice, Seeded) else None,
        "winner": journey.winner,
        "rounds": journey.round,
        "decisions": journey.decision - 1,
        "travellers": journey.view()["travellers"],
        "story": [line.text for line in journey.lines],
    }
