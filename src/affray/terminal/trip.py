"""What happens at a decision of a journey: the question on the screen, and all that a person can type."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from affray.errors import Illegal, Invalid, Refused
from affray.journey.course import Line
from affray.journey.travel import Journey, Question
from affray.journey.travellers import PERSON
from affray.terminal import choices
from affray.terminal.dice import TakenBack, Tray, purpose_of
from affray.terminal.prompt import Keyboard, Leave
from affray.terminal.table import GLANCE, STUDY, Table
from affray.terminal.text import complain, say


@dataclass
class Trip:
    """A journey and the people around it."""

    journey: Journey
    keyboard: Keyboard
    odds: bool = True
    told: int = 0  # lines of the story that have been printed
    saved: Path | None = None
    table: Table | None = None  # the one at which the last encounter was fought

    def tell(self) -> None:
        """Print what has happened and was not printed yet."""
        story = [line.text for line in self.journey.lines]
        if self.journey.fight is not None:  # whose dice may still be falling
            story += [line.text for line in self.journey.fight.pending]
        for text in story[self.told :]:
            if text.startswith(("Board round", "Battle round")):
                print()
            say(text, hang="  ")
        self.told = len(story)

    def forget(self) -> None:
        """After something was taken back: the story is as long as it is."""
        self.told = len(self.journey.lines)

    def show_question(self) -> None:
        """Print what is to be decided, and the answers."""
        question = self._question()
        if question.kind == "fight":
            self.show_moves(question, GLANCE)
            return
        print()
        me = self.journey.traveller(question.who)
        say(f"{question.text} {me.name} has {me.health} of {me.stats.health} Health.", hang="  ")
        print("\n".join(choices.listed(question.answers)))

    def show_moves(self, question: Question, seconds: float) -> None:
        """Print the state and the moves of an encounter, with their odds where these are wanted."""
        fight = self.journey.fight
        assert fight is not None
        if self.table is None or self.table.fight is not fight:
            tactics = {name: self.journey.plays(name) for name in fight.names[1:]}
            explained = self.table is not None and self.table.explained
            persons = frozenset({question.who})
            self.table = Table(fight, self.keyboard, persons, tactics, odds=self.odds, explained=explained)
        self.table.last_line = self.journey.lines[-1].text
        self.table.show_decision(question.who, seconds)

    def hear(self) -> str:
        """What somebody answers to the question of the moment."""
        question = self.journey.question
        words = [*(question.answers if question else ()), *COMMANDS]
        line = self.keyboard.ask(f"{question.who if question else 'over'}> ", words, self._warm_up)
        self.keyboard.echo(line)
        return line

    def _question(self) -> Question:
        question = self.journey.question
        if question is None:
            raise Illegal("the journey is over: there is nothing left to decide")
        return question

    def _warm_up(self) -> None:
        """While the screen is being read, get ready to weigh the next decision faster."""
        if self.odds and self.journey.fight is not None:
            from affray.lab import warm_up

            warm_up(self.journey.fight)


def answer(trip: Trip, line: str) -> bool:
    """Do what a line says; True when the journey has moved. Whatever cannot be done gets its sentence."""
    try:
        word, _, rest = line.strip().partition(" ")
        name = OTHER_NAMES.get(word.lower(), word.lower())
        if name in COMMANDS:
            return COMMANDS[name](trip, rest.strip())
        if not line:
            raise Illegal("type an answer or its number; `?` says what else there is", given=line)
        question = trip.journey.question
        if question is None:
            raise Illegal("the journey is over; `?` says what can still be done", given=line)
        trip.journey.answer(question.who, _meant(line, question.answers), question.decision)
        return True
    except Refused as problem:
        complain(problem)
        return False


def _meant(line: str, answers: Sequence[str]) -> str:
    """The answer that a line means, where it is a number or a beginning that fits only one."""
    typed = " ".join(line.lower().split())
    if typed.isdecimal():
        if not (len(typed) < 10 and 1 <= int(typed) <= len(answers)):
            raise Illegal(f"there are answers 1 to {len(answers)}, not {typed[:20]}", given=line, allowed=answers)
        return answers[int(typed) - 1]
    fitting = [answer for answer in answers if answer.startswith(typed)]
    return fitting[0] if len(fitting) == 1 else line


@contextmanager
def take_back(trip: Trip) -> Iterator[None]:
    """Where somebody would rather choose again than throw the dice: back to the last choice of a person."""
    try:
        yield
    except TakenBack:
        journey = trip.journey
        if PERSON not in [journey.plays(who) for who in journey.to_act]:
            with suppress(Illegal):  # nobody has chosen anything yet
                undo(trip, "")
        trip.forget()
        say("Taken back; choose again.", indent="  ")


# --- commands ------------------------------------------------------------------------------------------------


def help(trip: Trip, rest: str) -> bool:
    """show this list"""
    question = trip.journey.question
    if question is not None:
        say(f"Answers: {', '.join(question.answers)}", indent="  ", hang="    ")
        explained = trip.journey.legal(question.who, explain=True)
        assert isinstance(explained, tuple)
        for closed in explained[1]:
            say(f"not now: {closed.notation} ({closed.reason})", indent="    ", hang="      ")
        say("Type an answer, the beginning of it, or its number; or one of these:", indent="  ")
    for name, command in COMMANDS.items():
        say(f"{USAGE.get(name, name):<12} {command.__doc__}", indent="    ", hang=" " * 17)
    return False


def status(trip: Trip, rest: str) -> bool:
    """show the board and every player on it"""
    say(trip.journey.status(), hang="    ")
    return False


def odds(trip: Trip, rest: str) -> bool:
    """in an encounter: show the odds of each move again, looking longer"""
    question = trip.journey.question
    if question is None or question.kind != "fight":
        raise Illegal("odds are for encounters, and there is none now")
    trip.odds = True
    trip.table = None
    trip.show_moves(question, STUDY)
    return False


def undo(trip: Trip, rest: str) -> bool:
    """go back to the last decision of a person"""
    journey = trip.journey
    own = [a for a in journey.answers if a.who in journey.names and journey.plays(a.who) == PERSON]
    if not own:
        raise Illegal("there is nothing to take back: nobody has decided anything")
    last = own[-1]
    journey.undo(to=last.decision)
    trip.forget()
    say(f"Taken back: {last.who} {last.answer}, and all that came of it.", indent="  ", hang="    ")
    return True


def save(trip: Trip, rest: str) -> bool:
    """write the journey to a file, to go on later with `affray journey --load FILE`"""
    path = Path(rest) if rest else trip.saved or _free_name()
    if path.exists() and not _is_journey(path):
        raise Invalid(f"{path} exists and is no saved journey; choose another name", given=rest)
    trip.journey.save(path)
    trip.saved = path
    say(f"Saved as {path}.", indent="  ")
    return False


def _free_name() -> Path:
    number = 1
    while (path := Path(f"journey-{number}.json")).exists():
        number += 1
    return path


def _is_journey(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_text(encoding="utf-8")).get("format") == "affray-journey")
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def log(trip: Trip, rest: str) -> bool:
    """show everything that happened, with the numbers that `why` takes"""
    for number, line in enumerate(trip.journey.lines, 1):
        say(line.text, indent=f"{number:>4}  ", hang="        ")
    return False


def why(trip: Trip, rest: str) -> bool:
    """say which rules were behind what happened last, or behind line N of the log"""
    lines = trip.journey.lines
    if rest and not (rest.isdecimal() and len(rest) < 10 and 1 <= int(rest) <= len(lines)):
        raise Illegal(f"the log has lines 1 to {len(lines)}, not {rest[:40]!r}", given=rest)
    last = [line for line in lines if line.decision == lines[-1].decision]
    _explain(trip, [lines[int(rest) - 1]] if rest else last)
    return False


def _explain(trip: Trip, lines: Sequence[Line]) -> None:
    said: set[str] = set()
    for line in lines:
        say(line.text, indent="  ", hang="    ")
        new = [ruling for ruling in trip.journey.why(line) if ruling.id not in said]
        for ruling in new:
            say(f"{ruling.id}: {ruling.text} ({ruling.source})", indent="      ", hang="        ", style="aside")
        said.update(ruling.id for ruling in new)


def quit(trip: Trip, rest: str) -> bool:
    """leave"""
    raise Leave


COMMANDS: dict[str, Callable[[Trip, str], bool]] = {
    "status": status,
    "odds": odds,
    "why": why,
    "undo": undo,
    "save": save,
    "log": log,
    "help": help,
    "quit": quit,
}
USAGE = {"why": "why [N]", "save": "save [FILE]", "help": "help or ?"}
OTHER_NAMES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "bye": "quit"}


# --- dice on a real table ------------------------------------------------------------------------------------


class Cup(Tray):
    """The tray of a journey: the trip is known once it has begun."""

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(keyboard)
        self.trip: Trip | None = None

    @property
    def begun(self) -> bool:
        return self.trip is not None

    def purpose(self) -> str:
        if self.trip is None:
            return ""
        self.trip.tell()
        fight = self.trip.journey.fight
        return purpose_of(fight) if fight is not None else self.trip.journey.throwing
