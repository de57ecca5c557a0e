"""A journey at the keyboard: the question on the screen, and what a player can type besides an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from affray.errors import Illegal
from affray.system.contract import Impossible
from affray.system.schema import Option
from affray.systems.bgo import JOURNEY
from affray.systems.bgo.journey import choices
from affray.systems.bgo.journey.journey import Journey, Question
from affray.systems.bgo.journey.travellers import PERSON
from affray.systems.bgo.sheets import OPTIONS
from affray.terminal.playing.fight_session import GLANCE, STUDY, FightSession, purpose_of
from affray.terminal.playing.real_dice import TakenBack
from affray.terminal.playing.session import Command, Session, help, log, moves, quit, save, status, why
from affray.terminal.screen import move_list
from affray.terminal.screen.output import say


@dataclass
class JourneySession(Session):
    """A journey and the people who play it at this keyboard."""

    what, answer_word, log_format, file_stem = "journey", "an answer", JOURNEY, "journey"

    journey: Journey
    encounter: FightSession | None = field(default=None, kw_only=True)  # the last one that was shown

    @property
    def game(self) -> Journey:
        return self.journey

    @property
    def rule_options(self) -> Sequence[Option]:
        return OPTIONS

    @property
    def progress(self) -> str:
        return f", in board round {self.journey.round}"

    @property
    def throwing(self) -> str:
        fight = self.journey.fight
        return purpose_of(fight) if fight is not None else self.journey.throwing

    def moves(self, who: str) -> list[str]:
        return self.journey.legal(who)

    def impossible(self, who: str) -> list[Impossible]:
        return self.journey.legal(who, explain=True)[1]

    def play(self, who: str, move: str) -> None:
        self.journey.answer(who, move)

    def answer(self, who: str | None, line: str) -> bool:
        """Carry out a line; on the board, an empty one rolls the dice."""
        question = self.journey.question
        rolls = not line and question is not None and question.kind == "turn"
        return super().answer(who, choices.ROLL if rolls else line)

    def show_status(self, who: str | None) -> None:
        say(self.journey.status(), hang="    ")

    def tell(self) -> None:
        story = [line.text for line in self.journey.lines]
        if self.journey.fight is not None:  # whose dice may still be falling
            story += [line.text for line in self.journey.fight.pending]
        for text in story[self.told :]:
            if text.startswith(("Board round", "Battle round")):
                print()
            say(text, hang="  ")
        self.told = len(story)

    def forget(self) -> None:
        """Forget the lines of the story that were taken back."""
        self.told = len(self.journey.lines)

    def show_question(self, question: Question) -> None:
        """Print the question and its answers."""
        if question.kind == "fight":
            self.show_encounter(question, GLANCE)
            return
        print()
        me = self.journey.traveller(question.who)
        enter = " Enter rolls." if question.kind == "turn" else ""
        say(f"{question.text} {me.name} has {me.health} of {me.stats.health} Health.{enter}", hang="  ")
        print("\n".join(move_list.listed(question.answers)))

    def show_encounter(self, question: Question, seconds: float) -> None:
        """Print the state and the moves of an encounter, with their odds if wanted."""
        fight = self.journey.fight
        assert fight is not None
        if self.encounter is None or self.encounter.fight is not fight:
            tactics = {name: self.journey.plays(name) for name in fight.names[1:]}
            explained = self.encounter is not None and self.encounter.explained
            persons = frozenset({question.who})
            self.encounter = FightSession(self.keyboard, fight, persons, tactics, odds=self.odds, explained=explained)
        self.encounter.last_line = self.journey.lines[-1].text
        self.encounter.show_decision(question.who, seconds)

    def hear(self, who: str | None) -> str:
        """A player's answer to the current question."""
        words = [*(self.moves(who) if who else ()), *self.command_names]
        line = self.keyboard.ask(f"{who or 'over'}> ", words, self._warm_up)
        self.keyboard.echo(line)
        return line

    def _warm_up(self) -> None:
        """While the player reads the screen, prepare the odds of the next decision."""
        if self.odds and self.journey.fight is not None:
            from affray.lab import warm_up

            warm_up(self.journey.fight.setup, self.journey.fight.state)


@contextmanager
def take_back(session: JourneySession) -> Iterator[None]:
    """Go back to the last choice of a person if a player would rather choose again than throw the dice."""
    try:
        yield
    except TakenBack:
        journey = session.journey
        if PERSON not in [journey.plays(who) for who in journey.to_act]:
            with suppress(Illegal):  # no person has chosen anything yet
                undo(session, None, "")
        session.forget()
        say("Taken back; choose again.", indent="  ")


# --- commands ------------------------------------------------------------------------------------------------


def odds(session: JourneySession, who: str | None, rest: str) -> bool:
    """in an encounter: show the odds of each move again, looking longer"""
    question = session.journey.question
    if question is None or question.kind != "fight":
        raise Illegal("there are odds only during an encounter")
    session.odds = True
    session.encounter = None
    session.show_encounter(question, STUDY)
    return False


def undo(session: JourneySession, who: str | None, rest: str) -> bool:
    """go back to the last decision of a player"""
    journey = session.journey
    own = [a for a in journey.answers if a.who in journey.names and journey.plays(a.who) == PERSON]
    if not own:
        raise Illegal("there is nothing to take back: no decision has been taken")
    last = own[-1]
    journey.undo(to=last.decision)
    session.forget()
    say(f"Taken back: {last.who} {last.answer}, and everything after it.", indent="  ", hang="    ")
    return True


COMMANDS: dict[str, Command] = {
    "moves": moves,
    "status": status,
    "odds": odds,
    "why [N]": why,
    "undo": undo,
    "save [FILE]": save,
    "log": log,
    "help or ?": help,
    "quit": quit,
}
