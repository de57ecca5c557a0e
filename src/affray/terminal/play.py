"""`affray play`: a fight at the keyboard, from the first question to the last line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from affray.errors import Invalid, Refused
from affray.fight import Fight
from affray.kernel.chance import Hand, Seeded
from affray.kernel.system import find, names
from affray.players.tactics import decide
from affray.terminal import arguments
from affray.terminal.commands import COMMANDS, answer, command_in, move_in, save
from affray.terminal.dice import TakenBack, Tray
from affray.terminal.keeping import check_can_keep, homes, keep
from affray.terminal.prompt import Keyboard, Leave, Plain, open_keyboard
from affray.terminal.setting import Setting, ask_setting, ask_system
from affray.terminal.table import GLANCE, Table, notations, share_out, show_figures
from affray.terminal.text import complain, say, versus

DEMONSTRATION_SEED = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray play` understands."""
    arguments.add_fight(parser, tactics=False)
    add = parser.add_argument
    add("--seed", type=arguments.whole, help="the same seed and moves give the same fight")
    add("--dice", choices=("seeded", "hand"), default="seeded", help="who throws: the computer, or you on your table")
    add("--person", action="append", default=[], metavar="NAME", help="a fighter or team that a person plays")
    add(
        "--computer",
        action="append",
        default=[],
        metavar="NAME[=TACTIC]",
        help="a fighter or team that the computer plays, by its usual tactic or this one",
    )
    add("--load", metavar="FILE", help="go on with a saved fight")
    add("--keep", action="store_true", help="write what the fight leaves of your FILE.toml#ID fighters to their files")
    add("--no-odds", action="store_true", help="show the moves without their odds")
    add("--demo", action="store_true", help="watch a demonstration")


def run(args: argparse.Namespace) -> int:
    """Play; where nobody is there to play with, show how it would look."""
    keyboard = None if args.demo else open_keyboard()
    if keyboard is None:
        return demonstrate(args)
    table: Table | None = None
    try:
        table = lay(args, keyboard)
        sit(table)
        keep(table.fight, table.homes, table.persons, keyboard, args.keep)
    except (Leave, EOFError, KeyboardInterrupt) as end:
        if isinstance(end, EOFError) and not keyboard.heard and not keyboard.screen:
            return demonstrate(args)
        leave(table, isinstance(end, EOFError) and not keyboard.screen)
    return 0


# --- laying the table ----------------------------------------------------------------------------------------


def lay(args: argparse.Namespace, keyboard: Keyboard) -> Table:
    """The fight that was asked for, with everybody seated; what was not told is asked."""
    tray = Tray(keyboard)
    setting = Setting({})
    if args.load:
        if args.words or args.option or args.seed is not None:
            raise Invalid("--load brings its own teams, options and dice, so none can be given with it")
        fight = _load(args.load, tray)
    else:
        system, teams = arguments.split_words(args.words)
        found = find(system or (arguments.the_system(None) if teams else ask_system(keyboard)))
        setting = Setting(teams) if teams else ask_setting(keyboard, found)
        options: dict[str, object] = {**arguments.options(args)}
        dice = None
        if args.dice == "hand":
            dice = tray.hand = Hand(tray)
            tray.cards = found.cards
            tray.opening = f"{found.title}, with what falls on your own table."
            options = {**found.veil, **options}
        fight = Fight(found, setting.teams, seed=args.seed, dice=dice, options=options)
    tray.take(fight)
    table = tray.table = seat(args, setting, fight, keyboard)
    _announce(fight, "`?` shows all that you can type." if table.persons else "")
    if args.load:
        table.forget()
        say(f"The story so far has {table.told} lines; `log` shows them.")
    return table


def _load(file: str, tray: Tray | None) -> Fight:
    from affray.saving import load

    return load(file, tray)


def _announce(fight: Fight, remark: str) -> None:
    say(f"{fight.system.title}: {versus(fight.teams)}.", hang="  ", style="heading")
    dice = fight.dice
    say(f"{f'Seed {dice.seed}. ' if isinstance(dice, Seeded) else ''}{remark}", style="aside")
    print()


def seat(args: argparse.Namespace, setting: Setting, fight: Fight, keyboard: Keyboard) -> Table:
    """Who is a person and who a computer, as asked for."""
    told = dict(text.partition("=")[::2] for text in args.computer)
    tactics = setting.tactics | {name: tactic for name, tactic in told.items() if tactic}
    persons, all_tactics = share_out(fight, [*setting.persons, *args.person], [*setting.computers, *told], tactics)
    if len(persons) > 1:
        keyboard.keep_private()
    at_home = homes(fight, setting.teams)
    if args.keep:
        check_can_keep(fight, at_home, persons)
    return Table(fight, keyboard, persons, all_tactics, homes=at_home, odds=not args.no_odds)


# --- playing -------------------------------------------------------------------------------------------------


def sit(table: Table) -> None:
    """Play to the end, and again from wherever somebody goes back to."""
    while True:
        fight_on(table)
        close(table)
        if not linger(table):
            return


def fight_on(table: Table) -> None:
    """One decision after the other until the fight is over."""
    while not table.fight.over:
        table.tell()
        deciding = table.deciding
        try:
            if deciding:
                decide_in_person(table, deciding)
            else:
                decide_by_tactic(table, table.fight.to_act[0])
        except TakenBack:
            if table.fight.answers:
                table.fight.undo(to=table.fight.decision)
            table.forget()
            say("Taken back; choose again.", indent="  ")
    table.tell()


def decide_by_tactic(table: Table, who: str) -> None:
    """A computer fighter makes its move; if its dice are never thrown, it has not thought at all."""
    fight = table.fight
    thought = fight.whim.position
    try:
        move = decide(fight, who, table.tactics[who])
        table.playing = f"{who}: {move}"
        fight.play(who, move)
    except BaseException:
        fight.whim.position = thought
        raise


def decide_in_person(table: Table, deciding: Sequence[str]) -> None:
    """A person sees the state and the moves, and answers until something has happened.

    Of several fighters who may move, the first is asked; a name turns to another, alone or before a move.
    """
    who = deciding[0]
    _sit_down(table, who)
    while True:
        line = hear(table, who)
        other, rest = addressed(deciding, line)
        if other is not None and not rest:
            who = other
            _turn_to(table, who)
            continue
        mover, said = (who, line) if other is None else (other, rest)
        table.playing = f"{mover}: {_in_full(table, mover, said)}"
        if answer(table, mover, said):
            return


def addressed(deciding: Sequence[str], line: str) -> tuple[str | None, str]:
    """Whose name a line begins with, and what follows; nobody's, if no fighter who decides is named."""
    word, _, rest = line.partition(" ")
    for name in deciding:
        if word.rstrip(":").lower() == name.lower():
            return name, rest.strip()
    return None, line


def _in_full(table: Table, who: str, line: str) -> str:
    """A move as the log will have it; what is no move stays as it was typed."""
    fight = table.fight
    index = fight.index(who)
    try:
        code = fight.system.read_move(fight.state, index, move_in(table, who, line), fight.names)
    except Refused:
        return line
    return fight.system.write_move(fight.state, index, code, fight.names)


def _sit_down(table: Table, who: str) -> None:
    """Show a decision to whoever takes it; somebody who must not see what stands there gets a clear screen."""
    if table.seated not in (None, who) and _see_differently(table, who):
        table.keyboard.hand_over(who)
    table.seated = who
    table.show_decision(who)
    _name_mates(table, who)


def _turn_to(table: Table, who: str) -> None:
    """Go over to another fighter of the same decision: the state stands there already, if it may be seen."""
    assert table.seated is not None
    if _see_differently(table, who):
        _sit_down(table, who)
        return
    table.seated = who
    table.show_moves(who, GLANCE)
    _name_mates(table, who)


def _name_mates(table: Table, who: str) -> None:
    team = table.fight.team_of[who]
    mates = [name for name in table.deciding if name != who and table.fight.team_of[name] == team]
    if mates:
        say(f"{who} moves, or first: {', '.join(mates)} (type the name).", hang="  ", style="aside")


def _see_differently(table: Table, who: str) -> bool:
    """Whether the one who sat here knows something that the next must not read off the screen."""
    assert table.seated is not None
    return bool(table.fight.view(table.seated)["state"] != table.fight.view(who)["state"])


def hear(table: Table, who: str | None) -> str:
    """What somebody answers. A choice that others must not know yet is not written down."""
    others = [name for name in table.deciding if name != who]
    words = [*(notations(table.fight, who) if who else ()), *others, *COMMANDS]
    line = table.keyboard.ask(f"{who or 'over'}> ", words, lambda: _warm_up(table))
    sides = {table.fight.team_of[name] for name in table.deciding}
    secret = len(sides) > 1 and command_in(line) is None
    table.keyboard.echo("(a choice, not shown)" if secret else line)
    return line


def _warm_up(table: Table) -> None:
    """While the screen is being read, get ready to weigh the next decision faster."""
    if table.odds and not table.fight.over:
        from affray.lab import warm_up

        warm_up(table.fight)


# --- the end -------------------------------------------------------------------------------------------------


def close(table: Table) -> None:
    """How it ended, what was counted, and how lucky it was."""
    fight = table.fight
    print()
    won = f"{fight.ending} win" if fight.ending in fight.teams else f"The fight ends: {fight.ending}"
    say(f"{won}, in round {fight.round}.", style="heading")
    show_figures(fight)
    if table.odds and _luck_is_at_hand(table):
        try:
            luck = str(fight.luck())
        except Refused:
            return  # too large a fight to count; whoever asks for `luck` is told so
        print()
        say(luck, indent="  ", hang="    ")


def _luck_is_at_hand(table: Table) -> bool:
    """Whether the luck can be told at once; a person who would have to wait for a compiler may ask for it."""
    from affray.lab import native_ready

    counted = not table.fight.system.costs  # those of others are played out, which only native code does at once
    return (counted and not table.keyboard.screen) or native_ready(table.fight)


def linger(table: Table) -> bool:
    """After the fight: save it, look back, or go back into it (then True)."""
    print()
    say("Enter ends; `save`, `luck`, `log`, `why` and `undo` still work.")
    while True:
        try:
            line = hear(table, None)
        except (EOFError, KeyboardInterrupt):
            return False
        if not line:
            return False
        try:
            if answer(table, None, line):
                return True
        except Leave:
            return False


def leave(table: Table | None, at_end_of_input: bool) -> None:
    """Go before the fight is over; a person is asked whether to keep it."""
    reason = "The input has ended; the" if at_end_of_input else "The"
    if table is None:
        say(f"{reason} fight has not begun.")
        return
    if table.fight.over:
        return
    if table.keyboard.screen and table.fight.answers:
        try:
            if table.keyboard.ask("Save the fight first? [y/N]> ", remember=False).lower() in ("y", "yes"):
                save(table, None, "")
        except (EOFError, KeyboardInterrupt):
            pass
        except Refused as problem:
            complain(problem)
    say(f"{reason} fight is left unfinished.")


def demonstrate(args: argparse.Namespace) -> int:
    """A whole fight by the tactics of all sides, for whoever looks on without a keyboard."""
    system, teams = arguments.split_words(args.words)
    found = find(system or names()[0])
    keyboard, setting = Plain(), Setting({})
    if args.load:
        fight = _load(args.load, None)
    else:
        seed = DEMONSTRATION_SEED if args.seed is None else args.seed
        setting = Setting(teams or {team: list(members) for team, members in found.demonstration.items()})
        fight = Fight(found, setting.teams, seed=seed, options=arguments.options(args))
    table = seat(args, setting, fight, keyboard)
    _announce(fight, "A demonstration: the computer plays all sides.")
    deciding = table.deciding
    if deciding:
        table.tell()
        table.show_decision(deciding[0])
        print()
    persons, table.persons = table.persons, frozenset()
    fight_on(table)
    close(table)
    keep(fight, table.homes, persons, keyboard, args.keep)
    return 0
