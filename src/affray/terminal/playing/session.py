"""A game at the keyboard, a fight or one that a system adds: what a player can type, from beginning to end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from affray.errors import Illegal, Invalid, Refused
from affray.fight.logfile import content_of, stated
from affray.system.contract import Impossible
from affray.system.notation import beginning_with, folded
from affray.system.schema import Option
from affray.terminal.screen import move_list
from affray.terminal.screen.keyboard import Keyboard, Leave, open_keyboard
from affray.terminal.screen.output import complain, say

Command = Callable[[Any, str | None, str], bool]
"""Does what a player asks for (None: the game is over), given the rest of the line; True when a move was made."""

OTHER_NAMES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "bye": "quit"}


@dataclass
class Session(ABC):
    """A game and the people who play it at this keyboard."""

    what: ClassVar[str]
    """What is played, in a word, such as `fight`."""
    answer_word: ClassVar[str]
    """What a player gives, such as `a move`."""
    log_format: ClassVar[str]

    keyboard: Keyboard
    commands: Mapping[str, Command] = field(default_factory=dict, kw_only=True)
    """What can be typed besides moves: the usage, which begins with the name, and what does it."""
    odds: bool = field(default=True, kw_only=True)
    told: int = field(default=0, kw_only=True)  # lines of the story that have been printed
    saved: Path | None = field(default=None, kw_only=True)
    saved_at: int = field(default=0, kw_only=True)  # answers that there were then

    @property
    @abstractmethod
    def game(self) -> Any:
        """What is played: it has `lines`, `answers`, `options` and `over`, and does `why` and `save`."""

    @property
    @abstractmethod
    def rule_options(self) -> Sequence[Option]:
        """The options that its rules have."""

    @property
    def choice_stands(self) -> bool:
        """Whether a choice whose dice are being thrown cannot be made anew any more."""
        return False

    @property
    def progress(self) -> str:
        """How far it has come, to be said after that it is left unfinished."""
        return ""

    @property
    @abstractmethod
    def file_stem(self) -> str:
        """How the names of save files begin."""

    @abstractmethod
    def moves(self, who: str) -> list[str]:
        """A player's legal moves as they are typed."""

    @abstractmethod
    def impossible(self, who: str) -> list[Impossible]:
        """What a player cannot do now, and why."""

    @abstractmethod
    def play(self, who: str, move: str) -> None:
        """Make a move."""

    @abstractmethod
    def show_status(self, who: str | None) -> None:
        """Print how things stand, as far as a player may know it."""

    @abstractmethod
    def tell(self) -> None:
        """Print what has happened and was not printed yet."""

    @property
    @abstractmethod
    def throwing(self) -> str:
        """What the next throw is for."""

    @abstractmethod
    def hear(self, who: str | None) -> str:
        """The next line that a player types."""

    @property
    def command_names(self) -> list[str]:
        """The names of all commands."""
        return [usage.split()[0] for usage in self.commands]

    def command_in(self, line: str) -> tuple[Command, str] | None:
        """The command that a line asks for, and what is said with it."""
        word, _, rest = line.strip().partition(" ")
        name = OTHER_NAMES.get(word.lower(), word.lower())
        known = dict(zip(self.command_names, self.commands.values(), strict=True))
        return (known[name], rest.strip()) if name in known else None

    def move_in(self, who: str, line: str) -> str:
        """The move that a line means: its number, its own words, or a beginning that fits only one."""
        moves, typed = self.moves(who), folded(line)
        if typed.isdecimal():
            if not (len(typed) < 10 and 1 <= int(typed) <= len(moves)):
                problem = f"there are {self.answer_word.split()[1]}s 1 to {len(moves)}, not {typed[:20]}"
                raise Illegal(problem, given=line, allowed=moves)
            return moves[int(typed) - 1]
        begun = beginning_with(typed, moves)
        return begun[0] if len(begun) == 1 else line

    def answer(self, who: str | None, line: str) -> bool:
        """Do what a line says; True when a move was made. What cannot be done gets an error message.

        A person who presses Ctrl-C while a command works stays in the game.
        """
        asked = None
        try:
            asked = None if who and line.lower() in self.moves(who) else self.command_in(line)
            if asked:
                command, rest = asked
                return command(self, who, rest)
            if who is None:
                raise Illegal(f"the {self.what} is over; `?` says what can still be done", given=line)
            if not line:
                raise Illegal(f"type {self.answer_word} or its number; `?` says what else there is", given=line)
            self.play(who, self.move_in(who, line))
            return True
        except Refused as problem:
            complain(problem)
        except KeyboardInterrupt:
            if not (asked and self.keyboard.screen):
                raise
            print()
            say("Stopped.", indent="  ", style="aside")
        return False


# --- commands that every game has ----------------------------------------------------------------------------


def help(session: Session, who: str | None, rest: str) -> bool:
    """show this list"""
    if who is not None:
        moves = session.moves(who)
        few = moves if len(moves) <= move_list.MOST_LISTED else move_list.forms(moves)
        say(f"{session.answer_word.split()[1].capitalize()}s: {', '.join(few)}", indent="  ", hang="    ")
        for closed in session.impossible(who):
            say(f"not now: {closed.notation} ({closed.reason})", indent="    ", hang="      ")
        say(f"Type {session.answer_word}, the beginning of it, or its number; or one of these:", indent="  ")
    for usage, command in session.commands.items():
        say(f"{usage:<12} {command.__doc__}", indent="    ", hang=" " * 17)
    return False


def moves(session: Session, who: str | None, rest: str) -> bool:
    """list all that you can do now, with the numbers that you can type"""
    if who is None:
        raise Illegal(f"the {session.what} is over: there is nothing left to do")
    print("\n".join(move_list.listed(session.moves(who))))
    return False


def status(session: Session, who: str | None, rest: str) -> bool:
    """show how things stand"""
    session.show_status(who)
    return False


def why(session: Session, who: str | None, rest: str) -> bool:
    """say which rules applied to what happened last, or to line N of the log"""
    lines = session.game.lines
    if rest and not (rest.isdecimal() and len(rest) < 10 and 1 <= int(rest) <= len(lines)):
        raise Illegal(f"the line must be 1 to {len(lines)}, not {rest[:40]!r}", given=rest)
    asked = [lines[int(rest) - 1]] if rest else [line for line in lines if line.decision == lines[-1].decision]
    said: set[str] = set()
    for line in asked:
        say(line.text, indent="  ", hang="    ")
        new = [ruling for ruling in session.game.why(line) if ruling.id not in said]
        for ruling in new:
            say(f"{ruling.id} ({ruling.source}): {ruling.question}", indent="      ", hang="        ", style="aside")
            set_here = ", ".join(ruling.settings(session.rule_options, session.game.options))
            here = f" Here: {set_here}." if set_here else ""
            say(ruling.text + here, indent="        ", style="aside")
        said.update(ruling.id for ruling in new)
    return False


def save(session: Session, who: str | None, rest: str) -> bool:
    """write the game to a file, to go on later with `--load FILE`"""
    free = (path for n in count(1) if not (path := Path(f"{session.file_stem}-{n}.json")).exists())
    path = Path(rest) if rest else session.saved or next(free)
    if path.exists() and stated(content_of(path)).format != session.log_format:
        raise Invalid(f"{path} exists and is not a saved {session.what}; choose another name", given=rest)
    if path.exists() and path != session.saved and not _may_replace(session, path):
        raise Invalid(f"{path} is a saved {session.what} already; choose another name", given=rest)
    session.game.save(path)
    session.saved, session.saved_at = path, len(session.game.answers)
    say(f"Saved as {path}.", indent="  ")
    return False


def _may_replace(session: Session, path: Path) -> bool:
    """Whether a player at a screen wants to write over what another session has saved."""
    question = f"{path} is a saved {session.what} already. Write over it?"
    return session.keyboard.screen and session.keyboard.agrees(question)


def log(session: Session, who: str | None, rest: str) -> bool:
    """show everything that happened, with the numbers that `why` takes"""
    for number, line in enumerate(session.game.lines, 1):
        say(line.text, indent=f"{number:>4}  ", hang="        ")
    return False


def quit(session: Session, who: str | None, rest: str) -> bool:
    """leave"""
    raise Leave


# --- from the first line to the last -------------------------------------------------------------------------

SessionT = TypeVar("SessionT", bound=Session)


def at_keyboard(
    what: str,
    begin: Callable[[Keyboard], SessionT],
    go_on: Callable[[SessionT], None],
    demonstrate: Callable[[], int],
) -> int:
    """Play what is begun at the keyboard; where there is no player to answer, demonstrate it. Returns the exit code."""
    keyboard = open_keyboard()
    if keyboard is None:
        return demonstrate()
    session: SessionT | None = None
    try:
        session = begin(keyboard)
        go_on(session)
    except (Leave, EOFError, KeyboardInterrupt) as end:
        if isinstance(end, EOFError) and not keyboard.heard and not keyboard.screen:
            return demonstrate()
        _leave(session, what, isinstance(end, EOFError) and not keyboard.screen)
    return 0


def linger(session: Session, works: str) -> bool:
    """After the game: save it, look back, or go back into it (then True). `works` names what can still be typed."""
    print()
    say(f"Enter ends; {works} still work.")
    while True:
        try:
            line = session.hear(None)
            if not line:
                return False
            if session.answer(None, line):
                return True
        except (Leave, EOFError, KeyboardInterrupt):
            return False


def _leave(session: Session | None, what: str, at_end_of_input: bool) -> None:
    """Go before the game is over; a player at a screen is asked whether to save it."""
    reason = "The input has ended; the" if at_end_of_input else "The"
    if session is None:
        say(f"{reason} {what} has not begun.")
        return
    if session.game.over:
        return
    if session.keyboard.screen and len(session.game.answers) != session.saved_at:
        try:
            if session.keyboard.agrees(f"Save the {what} first?"):
                save(session, None, "")
        except Refused as problem:
            complain(problem)
    say(f"{reason} {what} is left unfinished{session.progress}.")
