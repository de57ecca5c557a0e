"""What a person can ask for at a decision besides a move: one short function each, its help beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from affray.errors import Illegal, Invalid, Refused
from affray.fight import Answer, Line
from affray.players.tactics import usual_tactics
from affray.schema import Ruling
from affray.terminal import choices
from affray.terminal.prompt import Leave
from affray.terminal.rules import show_ruling, show_rulings
from affray.terminal.table import STUDY, Table, notations
from affray.terminal.text import complain, say

Command = Callable[[Table, str | None, str], bool]
"""Does what was asked by somebody (None: the fight is over), given the rest of the line; True: the fight has moved."""


def help(table: Table, who: str | None, rest: str) -> bool:
    """show this list"""
    if who is not None:
        moves = notations(table.fight, who)
        few = moves if len(moves) <= choices.MOST_LISTED else choices.forms(moves)
        say(f"Moves: {', '.join(few)}", indent="  ", hang="    ")
        for closed in table.fight.system.impossible(table.fight.state, table.fight.index(who), table.fight.names):
            say(f"not now: {closed.notation} ({closed.reason})", indent="    ", hang="      ")
        say("Type a move, the beginning of it, or its number; or one of these:", indent="  ")
    for name, command in COMMANDS.items():
        say(f"{USAGE.get(name, name):<12} {command.__doc__}", indent="    ", hang=" " * 17)
    return False


def odds(table: Table, who: str | None, rest: str) -> bool:
    """show the odds of each move again, looking longer; PLAN is the tactic by which you would go on"""
    if who is None:
        raise Illegal("the fight is over: there is nothing left to weigh")
    if rest:
        usual_tactics(table.fight, {who: rest})
        table.plans[who] = rest
    wanted, table.odds = table.odds, True
    table.show_moves(who, STUDY)
    table.odds = wanted and table.odds
    return False


def why(table: Table, who: str | None, rest: str) -> bool:
    """say which rules were behind what happened last, or behind line N of the log"""
    lines = table.fight.lines
    if rest and not (rest.isdecimal() and len(rest) < 10 and 1 <= int(rest) <= len(lines)):
        raise Illegal(f"the log has lines 1 to {len(lines)}, not {rest[:40]!r}", given=rest)
    last = [line for line in lines if line.decision == lines[-1].decision]
    _explain(table, [lines[int(rest) - 1]] if rest else last)
    return False


def _explain(table: Table, lines: Iterable[Line]) -> None:
    said: set[str] = set()
    for line in lines:
        say(line.text, indent="  ", hang="    ")
        new: list[Ruling] = [ruling for ruling in table.fight.why(line) if ruling.id not in said]
        for ruling in new:
            say(f"{ruling.id}: {ruling.text} ({ruling.source})", indent="      ", hang="        ", style="aside")
        said.update(ruling.id for ruling in new)


def undo(table: Table, who: str | None, rest: str) -> bool:
    """go back to your last decision"""
    fight = table.fight
    own = [a for a in fight.answers if a.who in table.persons and (who is None or _is_ours(table, who, a))]
    if not own:
        raise Illegal(
            "there is nothing to take back: this is your first decision" if who else "nobody has decided anything"
        )
    taken = [answer for answer in fight.answers if answer.decision >= own[-1].decision]
    open_now = fight.decision
    fight.undo(to=own[-1].decision)
    table.forget()
    say(f"Taken back: {_named(taken, open_now)}.", indent="  ", hang="    ")
    return True


def _is_ours(table: Table, who: str, answer: Answer) -> bool:
    """Whether an answer is one's own or that of a friend, and no longer hidden."""
    fight = table.fight
    return fight.team_of[answer.who] == fight.team_of[who] and answer.decision < fight.decision


def _named(answers: Iterable[Answer], hidden: int) -> str:
    """The answers in words; those to the decision that is still open stay secret."""
    return ", ".join(f"{a.who} {a.move}" if a.decision != hidden else f"the hidden choice of {a.who}" for a in answers)


def save(table: Table, who: str | None, rest: str) -> bool:
    """write the fight to a file, to go on later with `affray play --load FILE`"""
    path = Path(rest) if rest else table.saved or _free_name(table.fight.system.id)
    if path.exists() and not _is_fight(path):
        raise Invalid(f"{path} exists and is no saved fight; choose another name", given=rest)
    table.fight.save(path)
    table.saved = path
    say(f"Saved as {path}.", indent="  ")
    return False


def _free_name(system: str) -> Path:
    number = 1
    while (path := Path(f"{system}-{number}.json")).exists():
        number += 1
    return path


def _is_fight(path: Path) -> bool:
    import json

    try:
        return str(json.loads(path.read_text(encoding="utf-8")).get("format")).startswith("affray-")
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def log(table: Table, who: str | None, rest: str) -> bool:
    """show everything that happened, with the numbers that `why` takes"""
    for number, line in enumerate(table.fight.lines, 1):
        say(line.text, indent=f"{number:>4}  ", hang="        ")
    return False


def status(table: Table, who: str | None, rest: str) -> bool:
    """show the state of the fight"""
    table.show_status(who)
    return False


def luck(table: Table, who: str | None, rest: str) -> bool:
    """after the fight: say how likely it was, and where the luck fell"""
    say(str(table.fight.luck()), indent="  ", hang="    ")
    return False


def rules(table: Table, who: str | None, rest: str) -> bool:
    """list the rules, or show the one of an ID"""
    known = table.fight.system.rulings()
    if rest:
        show_ruling(rest.split()[0], known)
    else:
        show_rulings(known.values())
    return False


def quit(table: Table, who: str | None, rest: str) -> bool:
    """leave"""
    raise Leave


COMMANDS: dict[str, Command] = {
    "odds": odds,
    "why": why,
    "undo": undo,
    "save": save,
    "log": log,
    "status": status,
    "luck": luck,
    "rules": rules,
    "help": help,
    "quit": quit,
}
USAGE = {"odds": "odds [PLAN]", "why": "why [N]", "save": "save [FILE]", "rules": "rules [ID]", "help": "help or ?"}
OTHER_NAMES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "bye": "quit"}


def command_in(line: str) -> tuple[Command, str] | None:
    """The command that a line asks for, and what is said with it."""
    word, _, rest = line.strip().partition(" ")
    name = OTHER_NAMES.get(word.lower(), word.lower())
    return (COMMANDS[name], rest.strip()) if name in COMMANDS else None


def move_in(table: Table, who: str, line: str) -> str:
    """The move that a line means: its number, its own words, or a beginning that fits only one."""
    moves = notations(table.fight, who)
    typed = " ".join(line.lower().split())
    if typed.isdecimal():
        if not (len(typed) < 10 and 1 <= int(typed) <= len(moves)):
            raise Illegal(f"there are moves 1 to {len(moves)}, not {typed[:20]}", given=line, allowed=moves)
        return moves[int(typed) - 1]
    fitting = [move for move in moves if typed and move.lower().startswith(typed)]
    return fitting[0] if len(fitting) == 1 and typed not in map(str.lower, moves) else line


def answer(table: Table, who: str | None, line: str) -> bool:
    """Do what a line says; True when the fight has moved. Whatever cannot be done gets its sentence."""
    try:
        asked = None if who and line.lower() in notations(table.fight, who) else command_in(line)
        if asked:
            command, rest = asked
            return command(table, who, rest)
        if who is None:
            raise Illegal("the fight is over; `?` says what can still be done", given=line)
        if not line:
            raise Illegal("type a move or its number; `?` says what else there is", given=line)
        table.fight.play(who, move_in(table, who, line))
        return True
    except Refused as problem:
        complain(problem)
        return False
