"""Fight: the fighters, the open decision, the legal moves, the story, and undo."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast, overload

from affray.errors import Illegal, Invalid
from affray.fight import asides
from affray.fight.asides import Aside, Wing
from affray.fight.concluding import Concluded
from affray.kernel import records
from affray.kernel.chance import WHIM, Fair, Fell, Hand, Physical, Scripted, Seeded
from affray.kernel.rules import Event, Log
from affray.kernel.state import to_act
from affray.system import gauging, undoing
from affray.system.abilities import Costs
from affray.system.contract import Impossible, System
from affray.system.schema import Ruling, Value
from affray.system.setup import Move, Setup, Teams
from affray.system.telling import cited, tell
from affray.system.values import value

if TYPE_CHECKING:
    from affray.fight.sharing import Picture
    from affray.lab.luck import Luck
    from affray.lab.odds import Odds

DiceT = TypeVar("DiceT", bound=Physical)
STORYTELLER = "storyteller"
"""Who gives an answer that no fighter gives."""


@value
class Line:
    """One line of the story: the sentence, the decision it belongs to, and the event behind it."""

    text: str
    decision: int
    event: Event = field(repr=False)
    announced: tuple[Event, ...] = field(default=(), repr=False)
    """What was announced since the previous line, each with the dice that fell before it."""
    whole: str = ""
    """The sentence with the numbers that `text` leaves out as long as they are the storyteller's secret."""

    def __str__(self) -> str:
        return self.text

    @property
    def full(self) -> str:
        """The sentence with all its numbers, for the storyteller."""
        return self.whole or self.text

    def opened(self) -> Line:
        """The line without secrets."""
        return replace(self, text=self.whole, whole="") if self.whole else self


@value
class Answer:
    """One decision as it was taken: who took it, the move, the dice that fell, and the whim's position before it.

    A storyteller's intervention is one as well: `who` is then STORYTELLER, and `move` the intervention.
    """

    decision: int
    who: str
    move: str
    fell: tuple[Fell, ...]
    whim: int
    is_word: bool = False
    """Whether it is a storyteller's intervention."""
    sheet: Mapping[str, object] | None = None
    """The sheet of a fighter who joined by it."""
    wing: str = ""
    """The name that a fighter who is revealed by it had in the wings."""


@value
class Undone:
    """What was taken back together: how many earlier answers were kept, the answers themselves, and asides."""

    kept: int
    answers: tuple[Answer, ...]
    asides: tuple[Aside, ...] = ()
    stood: tuple[Answer, ...] = ()
    """The last of those that were kept, if their decision was opened again: they can be retracted and made anew."""

    @property
    def opened(self) -> int:
        """How many answers there were before the decision that was opened again."""
        return self.kept - len(self.stood)


class _Mark(NamedTuple):
    """The values before an answer of everything that it changes."""

    setup: Setup[Any]
    packed: bytes  # the state: a world keeps many, which must not be many objects
    decision: int
    dice: int
    whim: int
    fallen: int
    told: int
    lines: int
    figures: tuple[tuple[int, ...], ...]
    announced: tuple[Event, ...]

    @property
    def state(self) -> Any:
        """The state, as a copy of its own."""
        return records.unpack(self.setup.system.state, len(self.setup.names), self.packed)

    def counted_by(self, begun: int) -> _Mark:
        """The same of a fork, whose dice have all that has fallen since the beginning written down."""
        since = self.fallen - begun
        return self._replace(dice=since, fallen=since, told=self.told - begun)


class Fight:
    """A running fight. Setup, options, dice and answers define it completely; its state is derived from them."""

    def __init__(
        self,
        system: str | System[Any, Any] | Setup[Any],
        teams: Teams | str = "",
        *,
        seed: int | None = None,
        dice: Physical | None = None,
        options: Mapping[str, object] | None = None,
        whim: Seeded | None = None,
        files: bool = True,
    ) -> None:
        """Set up a fight and open it.

        `teams` maps team names to fighters (ids, quick changes such as `player:health=4`, or tables). Dice are
        `Seeded` by `seed` unless other `dice` are given; without either a seed is drawn. `files=False` refuses specs
        that name files.
        """
        self.setup: Setup[Any] = Setup.of(system, teams, options, files=files)
        if dice is None:
            dice = Seeded(secrets.randbits(32) if seed is None else seed)
        elif seed is not None:
            raise Invalid("a fight takes a seed or dice, not both", given=seed)
        self.dice: Physical = dice
        self.whim = whim or (
            Seeded(dice.seed, dice.number, WHIM) if isinstance(dice, Seeded) else Seeded(secrets.randbits(62), 0, WHIM)
        )
        self.state = self.setup.seated()
        self._log = Log([[0] * len(self.system.figure_names) for _ in self.names], dice.fallen)
        self._log.told = len(dice.fallen)
        self._from = len(dice.fallen)
        # Thinking between two answers belongs to the answer it leads to, so undo takes it back with it.
        self._whim_before = self.whim.position
        self.decision = 1
        self.lines: list[Line] = []
        self.answers: list[Answer] = []
        self.undone: list[Undone] = []
        """The answers that were taken back, in that order."""
        self.asides: list[Aside] = []
        """What the storyteller has done in secret: see `affray.fight.asides`."""
        self.secret_acts = 0
        """How often something was done in secret or taken back so, which no other count may show."""
        self._veiled: set[str] = set()
        self.concluded: Concluded | None = None
        """How its people ended it, if they did."""
        self._marks: list[_Mark] = []
        self._inherited = 0  # marks of the fight that this one was forked from, and where what fell began in it
        self._offset = 0
        self._announced_last: tuple[Event, ...] = ()  # since the last line of the story
        if isinstance(dice, Hand):
            dice.thrown_for = self._announced
        self.system.begin(self.state, self.dice, self._log)
        self.first_state = records.copy(self.state)
        self.opening = tuple(dice.fallen[self._from :])
        self._gather(1)

    # --- who fights by which rules -----------------------------------------------------------------------------

    @property
    def system(self) -> System[Any, Any]:
        """The combat system."""
        return self.setup.system

    @property
    def options(self) -> dict[str, Value]:
        """Every option of the rules with its value."""
        return dict(self.setup.options)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fighters, in the order of the record."""
        return self.setup.names

    @property
    def sheets(self) -> tuple[Any, ...]:
        """Every fighter's sheet, in the order of the record."""
        return self.setup.sheets

    @property
    def teams(self) -> Mapping[str, list[str]]:
        """The fighters of every team."""
        return self.setup.teams

    @property
    def team_of(self) -> Mapping[str, str]:
        """Every fighter's team."""
        return self.setup.team_of

    @property
    def endings(self) -> tuple[str, ...]:
        """Every way this fight may end: a team's victory by its name, `draw`, and the system's own."""
        return self.setup.endings

    def index(self, who: str) -> int:
        """A fighter's place in the record."""
        return self.setup.index(who)

    # --- what is going on ------------------------------------------------------------------------------------

    @property
    def to_act(self) -> list[str]:
        """The fighters who must decide now; several if choices are simultaneous."""
        due = 0 if self.concluded else to_act(self.state)
        return [name for i, name in enumerate(self.names) if due >> i & 1]

    @property
    def ending(self) -> str | None:
        """None while the fight runs; then the winning team's name, or how else it ended."""
        if self.concluded:
            return self.concluded.ending
        code: int = self.state.ending
        return None if code < 0 else self.endings[code]

    @property
    def over(self) -> bool:
        """Whether the fight has ended."""
        return self.concluded is not None or self.state.ending >= 0

    @property
    def round(self) -> int:
        """The round that is being fought."""
        return int(self.state.round)

    @property
    def aftermath(self) -> list[str]:
        """What the fight has cost and brought every fighter, in the system's own words; empty until it is over."""
        if not self.over or self.concluded:
            return []
        costs = self.system.ability(Costs)
        return costs.aftermath(self.setup, self.state) if costs else []

    @cached_property
    def at_stake(self) -> dict[str, str]:
        """What every fighter fights for, in systems that weigh whether a fight is worth it."""
        costs = self.system.ability(Costs)
        return {who: costs.at_stake(self.setup, place) for place, who in enumerate(self.names)} if costs else {}

    @property
    def figures(self) -> dict[str, dict[str, float]]:
        """The system's figures for each fighter so far, with parts converted to wholes."""
        return self.setup.figures(self.state, self._log)

    @overload
    def legal(self, who: str, explain: Literal[False] = False) -> list[Move]: ...

    @overload
    def legal(self, who: str, explain: Literal[True]) -> tuple[list[Move], list[Impossible]]: ...

    def legal(self, who: str, explain: bool = False) -> list[Move] | tuple[list[Move], list[Impossible]]:
        """The moves open to a fighter now; with `explain` also what is not open, and why."""
        index = self.index(who)
        moves = self.setup.moves(self.state, index)
        return (moves, self.setup.impossible(self.state, index)) if explain else moves

    def codes(self, index: int) -> list[int]:
        """The move codes open to the fighter at a place of the record."""
        return self.setup.codes(self.state, index)

    def status(self) -> str:
        """The state as a small text table."""
        return self.system.status(self.setup, self.state)

    @property
    def story(self) -> str:
        """Everything that happened, a sentence a line."""
        return "\n".join(line.text for line in self.lines)

    @property
    def pending(self) -> list[Line]:
        """What has happened in a decision whose dice are still falling, for a player who throws them by hand."""
        return self._lines(self.decision)[0]

    @property
    def throwing(self) -> bool:
        """Whether dice have fallen for a decision that is still being taken."""
        answered = self._from + len(self.opening) + sum(len(answer.fell) for answer in self.answers)
        return any(result.throw.n for result in self.dice.fallen[answered:])  # no coins are none that were seen

    def why(self, line: int | Line) -> list[Ruling]:
        """The rules and rulings that applied to a line of the story, by its number or itself."""
        if isinstance(line, int):
            if not 0 <= line < len(self.lines):
                raise Illegal(f"the line must be 0 to {len(self.lines) - 1}, not {line}", given=line)
        else:
            line = self.lines.index(line)
        rulings = self.system.rulings()
        return [rulings[cite] for cite in self.cites(line)]

    def cites(self, number: int) -> tuple[str, ...]:
        """The ids of the rulings that applied to a line of the story, as its event tells.

        Of a line without its numbers they are those that apply whatever the numbers are.
        """
        line = self.lines[number]
        found = cited(self.setup, line.event)
        return tuple(id for id in found if id not in line.event.kind.where) if line.whole else found

    # --- decisions -------------------------------------------------------------------------------------------

    def play(self, who: str, move: str | Move, decision: int | None = None) -> list[Line]:
        """Answer a decision; returns what happened.

        `decision` is the number the answer is meant for, so that a late or repeated answer is refused.
        """
        index = self.index(who)
        self._check_open(decision)
        self._check_due(who, index)
        move = self.setup.read(self.state, index, move)
        mark = self._mark()
        begun, told = len(self.dice.fallen), len(self.lines)
        try:
            self.system.apply(self.state, index, move.code, self.dice, self._log)
            self._check_answered(index)
        except BaseException:
            # A die that was not given, an interrupted question: the decision has not been taken.
            self._restore(mark)
            raise
        self._whim_before = self.whim.position
        self._marks.append(mark)
        self.answers.append(Answer(self.decision, who, move.notation, tuple(self.dice.fallen[begun:]), mark.whim))
        self._gather(self.decision)
        if not self.state.sealed:
            self.decision += 1
        return self.lines[told:]

    def intervene(
        self, text: str, *, sheet: Mapping[str, object] | None = None, decision: int | None = None, files: bool = True
    ) -> list[Line]:
        """Carry out a storyteller's intervention, such as `set goblin health 3`; returns what happened.

        It is a decision like any other. Choices that are still secret are made anew, because what they were made for
        has changed. `affray.fight.intervening` has the notation; `sheet` is that of a fighter who joins.
        """
        from affray.fight.intervening import WORD, read

        self._check_open(decision)
        text, sheet, wing = self._revealing(text, sheet)
        kept = sum(answer.decision < self.decision for answer in self.answers)
        present, secret, marks = self._mark(), self.answers[kept:], self._marks[kept:]
        fallen, lines = self.dice.fallen[:], self.lines[:]
        self.rewind(kept)
        mark, begun, told = self._mark(), len(self.dice.fallen), len(self.lines)
        try:
            word = read(self.setup, self.state, text, sheet, files=files)
            self._stand_by(word.setup)
            self.state = word.grown(self.state)
            self._log.figures.extend([0] * len(self.system.figure_names) for _ in self.names[len(self._log.figures) :])
            self.lines.append(self._line(word.told, self.decision, Event(WORD, ())))
            word.carry_out(self.state, self.dice, self._log)
            self._check_goes_on(text)
        except BaseException:
            self.dice.fallen[:], self.lines[:] = fallen, lines
            self._restore(present)
            self.answers += secret
            self._marks += marks
            raise
        self._whim_before = self.whim.position
        self._marks.append(mark)
        fell = tuple(self.dice.fallen[begun:])
        self.answers.append(Answer(self.decision, STORYTELLER, word.text, fell, mark.whim, True, word.sheet, wing))
        self._gather(self.decision)
        self.decision += 1
        return self.lines[told:]

    def _revealing(self, text: str, sheet: Mapping[str, object] | None) -> tuple[str, Mapping[str, object] | None, str]:
        """An intervention with the team and the sheet of the fighter in the wings that it reveals, if it does.

        A log that everyone may have names both itself, because those who are still hidden are not in it.
        """
        verb, _, name = " ".join(text.split()).partition(" ")
        if verb != "reveal" or sheet is not None:
            return text, sheet, ""
        wing = asides.wing(self, name)
        return f"reveal {wing.team}", wing.sheet, wing.name

    # --- in secret -------------------------------------------------------------------------------------------

    def aside(self, text: str, *, sheet: Mapping[str, object] | None = None, files: bool = True) -> Aside:
        """Do something as the storyteller that no one else learns of while the fight runs, such as `roll 3d6`.

        `affray.fight.asides` has the notation; `sheet` is that of a fighter who is hidden.
        """
        self._check_open(None)
        return self._add(asides.read(self, text, sheet, files=files))

    def _add(self, aside: Aside) -> Aside:
        self.asides.append(aside)
        self.secret_acts += 1
        self._veiled = asides.veiled(self)
        return aside

    def recall_aside(self, written: Mapping[str, Any]) -> Aside:
        """Add the aside of a log."""
        return self._add(asides.made_again(self, written))

    def undo_aside(self) -> Aside:
        """Take back the last aside, if no decision has been taken since."""
        if not self.asides or self.asides[-1].after < self.closed:
            raise Illegal("there is no aside to take back since the last decision")
        aside = self.asides.pop()
        self.undone.append(Undone(self.closed, (), (aside,)))
        self.secret_acts += 1
        self._veiled = asides.veiled(self)
        return aside

    @property
    def wings(self) -> dict[str, Wing]:
        """The fighters who wait in the wings until the storyteller reveals them, by name."""
        return asides.wings(self)

    @property
    def closed(self) -> int:
        """The number of answers to decisions that have been taken: choices that are still secret do not count."""
        return sum(answer.decision < self.decision for answer in self.answers)

    def _stand_by(self, setup: Setup[Any]) -> None:
        """Continue with another set-up."""
        if setup is not self.setup:
            self.setup = setup
            self.__dict__.pop("at_stake", None)

    def _check_goes_on(self, text: str) -> None:
        """Refuse an intervention after which a fighter would be asked who has no move, or none at all."""
        records.pack(self.state)
        asked = [who for who in range(len(self.names)) if to_act(self.state) >> who & 1]
        if self.over or (asked and all(self.codes(who) for who in asked)):
            return
        whose = " and ".join(self.names[who] for who in asked) or "no fighter"
        problem = f"{whose} would be asked and have no move" if asked else "no fighter would be asked for a move"
        raise Illegal(f"{text!r} is not possible now: after it {problem}", given=text)

    def play_on(self, tactics: Mapping[str, str] | None = None) -> list[Line]:
        """Let every fighter follow its tactic (by default its usual one) to the end; returns what happened."""
        from affray.players.tactics import play_on, usual_tactics

        return play_on(self, usual_tactics(self, tactics))

    @property
    def whim_before(self) -> int:
        """The position of the computer fighters' whim after the last answer."""
        return self._whim_before

    def think_from(self, position: int) -> None:
        """Set the position of the computer fighters' whim, as read from a log."""
        self.whim.position = self._whim_before = position

    def _check_open(self, decision: int | None) -> None:
        if self.over:
            raise Illegal(f"the fight is over: {self.ending}", given=decision)
        if decision is not None and decision != self.decision:
            raise Illegal(f"decision {decision} is not open; decision {self.decision} is", given=decision)

    def _check_due(self, who: str, index: int) -> None:
        if not to_act(self.state) >> index & 1:
            answered = any(a.decision == self.decision and a.who == who for a in self.answers)
            problem = f"has answered decision {self.decision} already" if answered else "has no decision to make now"
            raise Illegal(self.system.not_due(self.setup, self.state, index) or f"{who} {problem}", given=who)

    def _check_answered(self, index: int) -> None:
        """Refuse a system whose `apply` leaves a fight that cannot go on."""
        state, problem = self.state, ""
        if not to_act(state):
            problem = "" if self.over else "leaves `due` empty while the fight runs"
        elif state.sealed >> index & 1 and state.due >> index & 1:
            problem = f"seals the answer of {self.names[index]} and leaves it due"
        if problem or (self.over and state.sealed):
            problem = problem or "ends the fight and leaves answers sealed"
            raise Invalid(f"the system {self.system.id!r} is broken: its `apply` {problem}", given=self.system.id)

    def undo(self, to: int | None = None, *, agreed: bool = False) -> None:
        """Take back the last answer and all it did; or all answers back to the start of decision `to`.

        The fight's option `undo` says whether that is allowed: see `affray.system.undoing`. If it requires agreement,
        `agreed` says that all sides have agreed.
        """
        if not self._marks:
            raise Illegal("there is nothing to undo")
        kept = len(self._marks) - 1
        if to is not None:
            if not 1 <= to <= self.decision:
                raise Illegal(f"the decision must be 1 to {self.decision}, not {to}", given=to)
            kept = next((i for i, mark in enumerate(self._marks) if mark.decision >= to), len(self._marks))
        self.keep(kept, agreed=agreed)

    def keep(self, answers: int, *, agreed: bool = False) -> None:
        """Take back all but the first `answers` answers, as `undo` does."""
        if not 0 <= answers <= len(self.answers):
            raise Illegal(f"the number of answers must be 0 to {len(self.answers)}, not {answers}", given=answers)
        if self.concluded:
            raise Illegal(f"nothing can be taken back: {self.concluded.text}", given=answers)
        taken_back = tuple(answer for answer in self.answers[answers:] if answer.decision < self.decision)
        if not taken_back:
            self.rewind(answers)
            return
        undoing.check(self.options, agreed=agreed, words=all(answer.is_word for answer in taken_back))
        stood = tuple(one for one in self.answers[:answers] if one.decision == taken_back[0].decision)
        dropped = tuple(aside for aside in self.asides if aside.after > answers)
        done = Undone(answers, taken_back, dropped, stood)
        self.undone.append(done)
        dice, whim, before = self.dice.position, self.whim.position, self._mark_at(answers).whim
        self.rewind(done.opened)
        if anew := undoing.throws_anew(self.options):
            self.dice.position = dice
        for answer in stood:  # so that dice which were seen do not fall again if one of them is retracted
            self.think_from(answer.whim)
            self.play(answer.who, answer.move)
        self.think_from(whim if anew else before)

    def rewind(self, answers: int) -> None:
        """Go back to the first `answers` answers as if there had been no others: for programs that try out moves."""
        if answers < len(self.answers):
            self._restore(self._mark_at(answers))
            del self._marks[answers:], self.answers[answers:]
            self._inherited = min(self._inherited, answers)
            if self.asides:
                self.asides = [aside for aside in self.asides if aside.after <= answers]
                self._veiled = asides.veiled(self)

    def retract(self, who: str) -> None:
        """Take back a fighter's own choice while it is still secret, whatever the others have chosen since."""
        mine = next((a for a in self.answers if a.who == who and a.decision == self.decision), None)
        if mine is None:
            raise Illegal(f"{who} has made no choice that is still secret", given=who)
        place, whim = self.answers.index(mine), self.whim.position
        others = self.answers[place + 1 :]
        self.rewind(place)
        for answer in others:
            self.think_from(answer.whim)
            self.play(answer.who, answer.move)
        self.think_from(whim)

    def fork(
        self,
        at: int | None = None,
        *,
        seed: int | None = None,
        rolls: Sequence[Sequence[int] | int] = (),
        dice: Physical | None = None,
    ) -> Fight:
        """A new fight that shares the past up to the start of decision `at` (or up to now).

        It continues with the same dice, with those of another `seed`, with other `dice`, or with `rolls` first.
        """
        if at is not None and not 1 <= at <= self.decision:
            raise Illegal(f"the decision must be 1 to {self.decision}, not {at}", given=at)
        shared = len(self.answers) if at is None else sum(answer.decision < at for answer in self.answers)
        here = self._mark_at(shared)
        past = self.dice.fallen[self._from : here.fallen]
        other = Seeded(seed) if seed is not None else dice
        onward = Scripted(rolls, then=other or again(self.dice), skip=0 if other else here.dice)
        onward.results[:0] = past
        onward.fallen, onward.position = past, len(past)
        return self._copied(here, shared, onward)

    def _copied(self, here: _Mark, shared: int, dice: Scripted) -> Fight:
        """A fight that stands where this one stood with so many answers, with dice that know what has fallen till then.

        Nothing is played again: that would take the longer the longer the fight has lasted.
        """
        copied = object.__new__(Fight)
        copied.setup, copied.dice, copied.whim = here.setup, dice, again(self.whim)
        copied._from, copied.opening, copied.first_state = 0, self.opening, self.first_state
        copied._log = Log([], dice.fallen)
        copied.lines, copied.answers, copied.undone = self.lines[: here.lines], self.answers[:shared], []
        copied.concluded, copied.asides, copied.secret_acts, copied._veiled = None, [], 0, set()
        if self.asides and not gauging.in_words(self.options):
            copied.lines = [line.opened() for line in copied.lines]  # those who may fork a fight may know them
        copied._marks, copied._inherited, copied._offset = self._marks[:shared], shared, self._from
        copied._restore(here.counted_by(self._from))
        return copied

    def _mark_at(self, answers: int) -> _Mark:
        """The mark after the first `answers` answers."""
        if answers == len(self._marks):
            return self._mark()
        mark = self._marks[answers]
        return mark.counted_by(self._offset) if answers < self._inherited else mark

    def past_states(self) -> list[Any]:
        """The state before each answer so far."""
        return [mark.state for mark in self._marks]

    def past_setups(self) -> list[Setup[Any]]:
        """The set-up before each answer so far: a storyteller may let fighters join, or change their side."""
        return [mark.setup for mark in self._marks]

    @property
    def first_setup(self) -> Setup[Any]:
        """The set-up with which the fight began."""
        return self._marks[0].setup if self._marks else self.setup

    def past_lines(self) -> list[int]:
        """How many lines the story had before each answer so far."""
        return [mark.lines for mark in self._marks]

    @property
    def revealed(self) -> dict[int, list[Answer]]:
        """The answers to every decision that has been taken; choices that are still secret are not among them."""
        taken: dict[int, list[Answer]] = {}
        for answer in self.answers:
            if answer.decision < self.decision:
                taken.setdefault(answer.decision, []).append(answer)
        return taken

    # --- inside ----------------------------------------------------------------------------------------------

    def _gather(self, decision: int) -> None:
        lines, self._announced_last = self._lines(decision)
        self.lines.extend(lines)
        self._log.events.clear()
        if self.over:
            self.open_lines()

    def open_lines(self) -> None:
        """Tell the whole story, now that the fight is over."""
        if any(line.whole for line in self.lines):
            self.lines = [line.opened() for line in self.lines]

    def _line(self, text: str, decision: int, event: Event, announced: tuple[Event, ...] = ()) -> Line:
        """A line of the story as others are told of it now."""
        line = Line(text, decision, event, announced)
        if not self._veiled and not gauging.in_words(self.setup.options):
            return line
        from affray.fight.veiling import cut

        return cut(self.setup, line, self._veiled)

    def _lines(self, decision: int) -> tuple[list[Line], tuple[Event, ...]]:
        """What there is to tell, and what has been announced since."""
        lines: list[Line] = []
        announced: list[Event] = []
        for event in (*self._announced_last, *self._log.events):
            if event.kind.announces:
                announced.append(event)
            else:
                lines.append(self._line(self._told(event), decision, event, tuple(announced)))
                announced = []
        return lines, tuple(announced)

    def _told(self, event: Event) -> str:
        return tell(self.setup, self.state, event)

    def _announced(self) -> str:
        """For whom and what the next throw is, where the rules have announced it."""
        events = self._log.events
        return tell(self.setup, self.state, events[-1]) if events and events[-1].kind.announces else ""

    def _mark(self) -> _Mark:
        return _Mark(
            self.setup,
            records.pack(self.state),
            self.decision,
            self.dice.position,
            self._whim_before,
            len(self.dice.fallen),
            self._log.told,
            len(self.lines),
            tuple(map(tuple, self._log.figures)),
            self._announced_last,
        )

    def _restore(self, mark: _Mark) -> None:
        self._stand_by(mark.setup)
        self.state = mark.state
        self.decision = mark.decision
        self.dice.position = mark.dice
        self.think_from(mark.whim)
        del self.dice.fallen[mark.fallen :], self.lines[mark.lines :]
        self._log.told = mark.told
        self._log.events.clear()
        self._log.figures[:] = map(list, mark.figures)
        self._announced_last = mark.announced

    # --- viewing, odds, files and pictures -------------------------------------------------------------------

    def view(self, viewer: str | None = None) -> dict[str, Any]:
        """All that a viewer may know, as plain JSON values. None is a spectator."""
        from affray.fight.viewing import view

        return view(self, viewer)

    def odds(
        self,
        who: str,
        *,
        tactics: Mapping[str, str] | None = None,
        play: Literal["tactics", "best"] = "best",
        aim: Literal["value", "wins"] = "value",
        compiled: bool | None = None,
        seconds: float | None = None,
        playouts: int | None = None,
        seed: int = 0,
    ) -> dict[str, Odds]:
        """For each legal move of a fighter: how the fight may end after it, and how likely.

        See `affray.lab.odds.odds_of_moves` for what the settings mean.
        """
        from affray.lab.odds import odds_of_moves

        if gauging.in_words(self.options) and not self.over:
            raise Illegal(gauging.NO_ODDS, given=who)
        look = partial(odds_of_moves, self.setup, self.state, who, tactics=tactics, play=play, aim=aim)
        return look(compiled=compiled, seconds=seconds, playouts=playouts, seed=seed)

    def luck(self, team: str | None = None, *, counts: bool = True, playouts: int | None = None) -> Luck:
        """After the fight: how likely its result was, and where the luck of a team (by default the first) fell.

        It is counted where that is possible, unless `counts` is False; otherwise by so many play-outs of each position.
        """
        from affray.lab.luck import PLAYED, audit

        if self.concluded:
            raise Illegal(f"luck can be measured only in a fight that was fought out: {self.concluded.text}")
        undone = sum(len(one.answers) for one in self.undone)
        # Before a fighter joined or changed sides it was another fight.
        first = sum(setup is not self.setup for setup in self.past_setups())
        states = [*self.past_states(), self.state][first:]
        past = (self.setup, states, self.answers[first:], team)
        return audit(*past, undone=undone, counts=counts, playouts=playouts or PLAYED)

    def save(self, path: str | Path) -> None:
        """Write the fight to a file from which `load` resumes it."""
        from affray.fight.saving import save

        save(self, path)

    @staticmethod
    def load(path: str | Path) -> Fight:
        """The fight from a file, checked answer by answer."""
        from affray.fight.saving import load

        return load(path)

    def svg(self) -> str:
        """A picture of the fight: every fighter's course, and how it ended."""
        from affray.fight.drawing import fight_svg

        return fight_svg(self)

    _repr_svg_ = svg

    def picture(self, *, dark: bool = False) -> Picture:
        """The picture to share of a fight that is over, as SVG and in words: who won, and what was decisive."""
        from affray.lab.picture import picture

        return picture(self, dark=dark)

    def __repr__(self) -> str:
        played = "".join(self._calls())
        changed = {o.name: self.options[o.name] for o in self.system.options if self.options[o.name] != o.default}
        options = f", options={changed!r}" if changed else ""
        return f"Fight({self.system.id!r}, {self.setup.specs()!r}, dice={again(self.dice)!r}{options}){played}"

    def __str__(self) -> str:
        sides = " against ".join(f"{team} ({', '.join(members)})" for team, members in self.teams.items())
        stands = f"It is over: {self.ending}." if self.over else f"Decision {self.decision}: {', '.join(self.to_act)}."
        return "\n".join([f"{self.system.title}: {sides}.", self.status(), stands])

    def _calls(self) -> Iterator[str]:
        """The calls that give all answers and asides again, in their order."""
        for place in range(len(self.answers) + 1):
            for aside in self.asides:
                if aside.after == place:
                    yield _called_aside(aside)
            if place < len(self.answers):
                yield _called(self.answers[place])

    def then(self, who: str, move: str) -> Fight:
        """Play a move and return the fight itself, so that calls can be chained as in its `repr`."""
        self.play(who, move)
        return self

    def overruled(self, text: str, sheet: Mapping[str, object] | None = None) -> Fight:
        """Carry out a storyteller's intervention and return the fight itself, for the same purpose."""
        self.intervene(text, sheet=sheet)
        return self

    def whispered(self, text: str, sheet: Mapping[str, object] | None = None) -> Fight:
        """Do something in secret and return the fight itself, for the same purpose."""
        self.aside(text, sheet=sheet)
        return self


def _called(answer: Answer) -> str:
    """The call that gives an answer again."""
    if not answer.is_word:
        return f".then({answer.who!r}, {answer.move!r})"
    if answer.wing:
        return f".overruled({f'reveal {answer.wing}'!r})"
    sheet = f", {dict(answer.sheet)!r}" if answer.sheet is not None else ""
    return f".overruled({answer.move!r}{sheet})"


def _called_aside(aside: Aside) -> str:
    """The call that does the same in secret again."""
    sheet = f", {dict(aside.sheet)!r}" if aside.sheet is not None else ""
    return f".whispered({aside.text!r}{sheet})"


def again(dice: DiceT) -> DiceT:
    """The same source of chance from its beginning."""
    fresh: Physical = dice
    match dice:
        case Seeded():
            fresh = Seeded(dice.seed, dice.number, dice.stream)
        case Fair():
            fresh = Fair(dice.secret)
        case Scripted():
            fresh = Scripted(dice.results, again(dice.then) if dice.then else None, dice.skip)
    return cast(DiceT, fresh)
