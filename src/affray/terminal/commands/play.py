"""`affray play`: a fight at the keyboard, from the first question to the last line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain

from affray.errors import Invalid, Refused
from affray.fight import Fight
from affray.fight.saving import load
from affray.kernel.chance import Hand, Seeded
from affray.players.levels import LEVELS, read_player
from affray.players.tactics import decide
from affray.system import undoing
from affray.system.abilities import Cards
from affray.system.registry import find, names
from affray.terminal import arguments
from affray.terminal.playing.commands import COMMANDS
from affray.terminal.playing.fight_session import GLANCE, FightSession, share_out, shared, show_figures
from affray.terminal.playing.lineup import Lineup, ask_lineup, ask_system
from affray.terminal.playing.real_dice import TakenBack, Tray
from affray.terminal.playing.session import at_keyboard, linger
from affray.terminal.playing.thinkers import Thinkers, told_apart
from affray.terminal.playing.write_back import check_can_keep, homes, keep
from affray.terminal.screen.keyboard import Keyboard, Plain
from affray.terminal.screen.output import say, versus

DEMONSTRATION_SEED = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray play` understands."""
    arguments.add_fight(parser, tactics=False)
    arguments.add_playing(parser, "fight")
    add = parser.add_argument
    for_people = "a fighter or team that a person plays; one person plays all of NAME,NAME"
    add("--person", action="append", default=[], metavar="NAME[,NAME]", help=for_people)
    for_computers = "a fighter or team that the computer plays, with its usual tactic, or this tactic or player"
    add("--computer", action="append", default=[], metavar="NAME[=PLAYER]", help=for_computers)
    levels = ", ".join(LEVELS)
    add(
        "--against",
        metavar="PLAYER",
        help=f"who plays the other teams: {levels}, search, search:2s, policy:FILE or a tactic",
    )
    arguments.add_aim(parser)
    add("--keep", action="store_true", help="write the results to the sheets of your FILE.toml#ID fighters")


def run(args: argparse.Namespace) -> int:
    """Play a fight, or show a demonstration if there is no keyboard."""
    if args.demo:
        return demonstrate(args)

    def go_on(session: FightSession) -> None:
        play_out(session)
        keep(session.fight, session.homes, session.persons, session.keyboard, args.keep)

    return at_keyboard("fight", lambda keyboard: set_up(args, keyboard), go_on, lambda: demonstrate(args))


# --- setting up ------------------------------------------------------------------------------------------------


def set_up(args: argparse.Namespace, keyboard: Keyboard) -> FightSession:
    """The requested fight, with every fighter's player; asks for what was not given."""
    tray = Tray(keyboard)
    lineup = Lineup({})
    if args.load:
        if args.words or args.option or args.seed is not None:
            raise Invalid("--load takes teams, options and dice from the file; do not give them again")
        fight = load(args.load, tray)
    else:
        system, teams = arguments.split_words(args.words)
        found = find(system or (arguments.the_system(None) if teams else ask_system(keyboard)))
        lineup = Lineup(teams) if teams else ask_lineup(keyboard, found)
        options: dict[str, object] = {**arguments.options(args)}
        dice = None
        if args.dice == "hand":
            dice = tray.hand = Hand(tray)
            tray.cards = found.ability(Cards)
            tray.opening = f"{found.title}, with your own dice, coins or cards."
            options = {**(tray.cards.veil if tray.cards else {}), **options}
        fight = Fight(found, lineup.teams, seed=args.seed, dice=dice, options=options)
    tray.take(fight)
    session = tray.session = seat(args, lineup, fight, keyboard)
    _announce(fight, "`?` lists the commands, `learn` explains how to play." if session.persons else "")
    if args.load:
        session.forget()
        say(f"The story so far has {session.told} lines; `log` shows them.")
    return session


def _announce(fight: Fight, remark: str) -> None:
    say(f"{fight.system.title}: {versus(fight.teams)}.", hang="  ", style="heading")
    dice = fight.dice
    seed = f"Seed {dice.seed}. " if isinstance(dice, Seeded) else ""
    undo = undoing.of(fight.options)
    setting = f"{undoing.TOLD[undo]} " if remark and undo != "free" else ""
    say(seed + setting + remark, style="aside")
    print()


def seat(args: argparse.Namespace, lineup: Lineup, fight: Fight, keyboard: Keyboard) -> FightSession:
    """Assign every fighter to a person or to the computer, as requested."""
    told = dict(text.partition("=")[::2] for text in args.computer)
    people = [names.split(",") for names in (*lineup.persons, *args.person)]
    given = lineup.tactics | {name: tactic for name, tactic in told.items() if tactic}
    if args.against:
        read_player(fight.system, args.against, programs=True)  # refuses one that does not exist
        given = dict.fromkeys(list(fight.teams)[1:], args.against) | given
    tactics, players = told_apart(fight, fight.system, given)
    persons, all_tactics = share_out(fight, [*chain(*people)], [*lineup.computers, *told], tactics)
    at_home = homes(fight, lineup.teams)
    if args.keep:
        check_can_keep(fight, at_home, persons)
    wanted = {"odds": not args.no_odds, "aim": args.aim}
    hands = shared(fight, people)
    thinkers = Thinkers({name: player for name, player in players.items() if name not in persons})
    session = FightSession(
        keyboard, fight, persons, all_tactics, hands, homes=at_home, commands=COMMANDS, thinkers=thinkers, **wanted
    )
    keyboard.private = len(session.people) > 1
    return session


# --- playing -------------------------------------------------------------------------------------------------


def play_out(session: FightSession) -> None:
    """Play to the end, and again after each undo."""
    while True:
        fight_on(session)
        close(session)
        if not linger(session, "`save`, `luck`, `log`, `why` and `undo`"):
            return


def fight_on(session: FightSession) -> None:
    """Take one decision after another until the fight is over."""
    while not session.fight.over:
        session.tell()
        deciding = session.deciding
        try:
            if deciding:
                decide_in_person(session, deciding)
            else:
                decide_by_tactic(session, session.fight.to_act[0])
        except TakenBack:
            if session.fight.answers:
                session.fight.undo(to=session.fight.decision)
            session.forget()
            say("Taken back; choose again.", indent="  ")
    session.tell()


def decide_by_tactic(session: FightSession, who: str) -> None:
    """Let a computer fighter make its move; if its dice are never thrown, its whim is unchanged."""
    fight = session.fight
    thinks = who in session.thinkers.players
    thought = fight.whim.position
    try:
        move = session.thinkers.decide(fight, who) if thinks else decide(fight, who, session.tactics[who])
        if thinks and (problem := session.thinkers.thoughts[who].problem):
            say(f"{problem}.", hang="  ", style="aside")
        session.playing = f"{who}: {move}"
        fight.play(who, move)
    except BaseException:
        fight.whim.position = thought
        raise


def decide_in_person(session: FightSession, deciding: Sequence[str]) -> None:
    """Show a person the state and the moves, and take answers until one is a move.

    If several fighters may move, the first is asked; typing a name, alone or before a move, selects another.
    """
    who = deciding[0]
    session.thinkers.begin(session.fight)
    _sit_down(session, who)
    while True:
        line = session.hear(who)
        other, rest = addressed(deciding, line)
        if other is not None and not rest:
            who = other
            _turn_to(session, who)
            continue
        mover, said = (who, line) if other is None else (other, rest)
        session.playing = f"{mover}: {_in_full(session, mover, said)}"
        if session.answer(mover, said):
            return


def addressed(deciding: Sequence[str], line: str) -> tuple[str | None, str]:
    """The fighter whose name a line begins with, and the rest; None if it names no fighter who decides."""
    word, _, rest = line.partition(" ")
    for name in deciding:
        if word.rstrip(":").lower() == name.lower():
            return name, rest.strip()
    return None, line


def _in_full(session: FightSession, who: str, line: str) -> str:
    """A move as the log writes it; anything else stays as it was typed."""
    fight = session.fight
    index = fight.index(who)
    try:
        return str(fight.setup.read(fight.state, index, session.move_in(who, line)))
    except Refused:
        return line


def _sit_down(session: FightSession, who: str) -> None:
    """Show a decision to the player who takes it, on a cleared screen if the last one must stay hidden."""
    if _see_differently(session, who):
        session.keyboard.hand_over(who)
    session.seated = who
    session.show_decision(who)
    _name_mates(session, who)


def _turn_to(session: FightSession, who: str) -> None:
    """Turn to another fighter of the same decision; the state is already on the screen, if it may be seen."""
    if _see_differently(session, who):
        _sit_down(session, who)
        return
    session.seated = who
    session.show_moves(who, GLANCE)
    _name_mates(session, who)


def _name_mates(session: FightSession, who: str) -> None:
    team = session.fight.team_of[who]
    mates = [name for name in session.deciding if name != who and session.fight.team_of[name] == team]
    if mates:
        say(f"{who} moves; to move another fighter first, type its name: {', '.join(mates)}.", hang="  ", style="aside")


def _see_differently(session: FightSession, who: str) -> bool:
    """Whether another person sat here who knows something that this one must not see on the screen."""
    if session.seated is None or session.player(session.seated) == session.player(who):
        return False
    seen = session.fight.view(who)["state"]
    return any(known != seen for known in session.knows(session.player(session.seated)))


# --- the end -------------------------------------------------------------------------------------------------


def close(session: FightSession) -> None:
    """Print how the fight ended, its figures, and the luck in it."""
    fight = session.fight
    print()
    won = f"{fight.ending} win" if fight.ending in fight.teams else f"The fight ends: {fight.ending}"
    say(f"{won}, in round {fight.round}.", style="heading")
    show_figures(fight)
    from affray.lab import native_ready

    # Luck is shown only if that takes no time; a player who would have to wait for the compiler can type `luck`. In
    # systems with costs luck comes from play-outs, which only native code makes fast enough.
    at_hand = not fight.system.costs and not session.keyboard.screen
    if session.odds and (at_hand or native_ready(fight.setup)):
        try:
            luck = str(fight.luck())
        except Refused:
            return  # too large a fight to count; `luck` says so
        except KeyboardInterrupt:
            if not session.keyboard.screen:
                raise
            luck = "Stopped; `luck` starts again."
        print()
        say(luck, indent="  ", hang="    ")


def demonstrate(args: argparse.Namespace) -> int:
    """A whole fight by the tactics of all sides, for a viewer without a keyboard."""
    system, teams = arguments.split_words(args.words)
    found = find(system or names()[0])
    keyboard, lineup = Plain(), Lineup({})
    if args.load:
        fight = load(args.load)
    else:
        seed = DEMONSTRATION_SEED if args.seed is None else args.seed
        lineup = Lineup(teams or {team: list(members) for team, members in found.demonstration.items()})
        fight = Fight(found, lineup.teams, seed=seed, options=arguments.options(args))
    session = seat(args, lineup, fight, keyboard)
    _announce(fight, "A demonstration: the computer plays all sides.")
    deciding = session.deciding
    if deciding:
        session.tell()
        session.show_decision(deciding[0])
        print()
    persons, session.persons = session.persons, frozenset()
    fight_on(session)
    close(session)
    keep(fight, session.homes, persons, keyboard, args.keep)
    return 0
