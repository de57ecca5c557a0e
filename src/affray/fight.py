"""Fight: who is in it, whose decision it is, what is legal, what happened, and back again."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, overload

from affray.errors import Illegal, Invalid, unknown
from affray.kernel import records
from affray.kernel.chance import WHIM, Fair, Hand, Physical, Scripted, Seeded
from affray.kernel.rules import Event, Log
from affray.kernel.system import Impossible, System, find
from affray.schema import Ruling, Value, settle

if TYPE_CHECKING:
    from affray.lab.luck import Luck
    from affray.lab.odds import Odds

Spec = str | Mapping[str, object]
Teams = Mapping[str, Sequence[Spec]]
MOST_FIGHTERS = 62
DiceT = TypeVar("DiceT", bound=Physical)


@dataclass(frozen=True)
class Move:
    """A legal move of a fighter; `str()` gives the text that a person would type."""

    who: str
    notation: str

    def __str__(self) -> str:
        return self.notation


@dataclass(frozen=True)
class Line:
    """One line of the story: the sentence, the decision it belongs to, and the event behind it."""

    text: str
    decision: int
    event: Event = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Answer:
    """One decision as it was taken: by whom, which move, what fell for it, and where the whim stood before."""

    decision: int
    who: str
    move: str
    fell: tuple[tuple[int, ...], ...]
    whim: int


@dataclass(frozen=True)
class _Mark:
    """All that an answer changes, as it was before it."""

    state: Any
    decision: int
    dice: int
    whim: int
    fallen: int
    told: int
    lines: int
    figures: list[list[int]]


def read_teams(text: str | Sequence[str]) -> dict[str, list[Spec]]:
    """Teams out of `heroes=player monsters=fire-slime,fire-slime`."""
    words = text.split() if isinstance(text, str) else list(text)
    teams: dict[str, list[Spec]] = {}
    for word in words:
        name, sign, members = word.partition("=")
        if not sign or not name or not members or name in teams:
            problem = "names a team twice" if name in teams else "is not of the form  team=fighter,fighter"
            raise Invalid(f"{word!r} {problem}", given=word, allowed=["heroes=player monsters=fire-slime"])
        teams[name] = list(members.split(","))
    return teams


class Fight:
    """A running fight. State is derived: setup, options, dice and answers are all there is to it."""

    def __init__(
        self,
        system: str | System[Any, Any],
        teams: Teams | str,
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
        self.system: System[Any, Any] = find(system) if isinstance(system, str) else system
        self.options: dict[str, Value] = settle(self.system.options, options or {}, profiles=self.system.profiles)
        self._seat(read_teams(teams) if isinstance(teams, str) else teams, files)
        if dice is None:
            dice = Seeded(secrets.randbits(32) if seed is None else seed)
        elif seed is not None:
            raise Invalid("a fight takes a seed or dice, not both", given=seed)
        self.dice: Physical = dice
        self.whim = whim or (
            Seeded(dice.seed, dice.number, WHIM) if isinstance(dice, Seeded) else Seeded(secrets.randbits(62), 0, WHIM)
        )
        self.state = self.system.muster(self.sheets_by_team, self.options)
        self._log = Log([[0] * len(self.system.figure_names) for _ in self.names], dice.fallen)
        self._log.told = len(dice.fallen)
        self._from = len(dice.fallen)
        # Thinking between two answers belongs to the answer it leads to, so undo takes it back with it.
        self._whim_before = self.whim.position
        self.decision = 1
        self.lines: list[Line] = []
        self.answers: list[Answer] = []
        self._marks: list[_Mark] = []
        if isinstance(dice, Hand):
            dice.thrown_for = self._announced
        self.system.begin(self.state, self.dice, self._log)
        self.first_state = records.copy(self.state)
        self.opening = tuple(dice.fallen[self._from :])
        self._gather(1)

    def _seat(self, teams: Teams, files: bool) -> None:
        if len(teams) < 2 or not all(teams.values()):
            raise Invalid("a fight needs two teams or more, each with somebody in it", given=list(teams))
        for taken in ("draw", *self.system.endings):
            if taken in teams:
                raise Invalid(f"no team can be called {taken!r}: that is how a fight may end", given=taken)
        self._sheets_by_team = {
            team: [self.system.enlist(spec, files=files) for spec in specs] for team, specs in teams.items()
        }
        self.sheets = [sheet for members in self._sheets_by_team.values() for sheet in members]
        if len(self.sheets) > MOST_FIGHTERS:
            raise Invalid(
                f"{len(self.sheets)} fighters are too many; {MOST_FIGHTERS} may fight", given=len(self.sheets)
            )
        self.names = _unique([self.system.called(sheet) for sheet in self.sheets])
        self.team_of: dict[str, str] = {}
        for name, team in zip(self.names, (t for t, m in self._sheets_by_team.items() for _ in m), strict=True):
            self.team_of[name] = team
        self.teams = {team: [n for n in self.names if self.team_of[n] == team] for team in teams}

    @property
    def sheets_by_team(self) -> list[list[Any]]:
        """The sheets, team by team, as a system musters them."""
        return list(self._sheets_by_team.values())

    # --- what is going on ------------------------------------------------------------------------------------

    @property
    def to_act(self) -> list[str]:
        """Who owes a decision; several at once where choices are simultaneous."""
        due = self.system.to_act(self.state)
        return [name for i, name in enumerate(self.names) if due >> i & 1]

    @property
    def ending(self) -> str | None:
        """None while the fight runs; then the winning team's name, or how else it ended."""
        code = self.system.outcome(self.state)
        return None if code < 0 else self.endings[code]

    @property
    def endings(self) -> list[str]:
        """Every way this fight may end: a team's victory by its name, `draw`, and the system's own."""
        return [*self.teams, "draw", *self.system.endings]

    @property
    def over(self) -> bool:
        """Whether the fight has ended."""
        return self.ending is not None

    @property
    def round(self) -> int:
        """The round that is being fought."""
        return self.system.clock(self.state)

    @property
    def aftermath(self) -> list[str]:
        """What the fight has cost and brought everybody, in the system's own words; nothing while it goes on."""
        if self.system.aftermath is None or not self.over:
            return []
        return self.system.aftermath(self.state, self.sheets, self.names, self.options)

    @property
    def at_stake(self) -> dict[str, str]:
        """What everybody fights for, where the system asks whether it is worth it."""
        tell = self.system.at_stake
        return {who: tell(self.sheets[place], self.options) for place, who in enumerate(self.names)} if tell else {}

    @property
    def figures(self) -> dict[str, dict[str, float]]:
        """What has been counted so far for each fighter, by the system's own figures; parts are made whole."""
        final = Log([row.copy() for row in self._log.figures])
        self.system.figures(self.state, final)
        parts = self.system.parts
        return {
            who: {
                name: amount / parts[name] if name in parts else amount
                for name, amount in zip(self.system.figure_names, row, strict=True)
            }
            for who, row in zip(self.names, final.figures, strict=True)
        }

    def index(self, who: str) -> int:
        """A fighter's place in the record."""
        if who not in self.names:
            raise Illegal(unknown("fighter", who, self.names), given=who, allowed=self.names)
        return self.names.index(who)

    @overload
    def legal(self, who: str, explain: Literal[False] = False) -> list[Move]: ...

    @overload
    def legal(self, who: str, explain: Literal[True]) -> tuple[list[Move], list[Impossible]]: ...

    def legal(self, who: str, explain: bool = False) -> list[Move] | tuple[list[Move], list[Impossible]]:
        """The moves open to a fighter now; with `explain` also what is not open, and why."""
        index = self.index(who)
        moves = [Move(who, self.system.write_move(self.state, index, code, self.names)) for code in self.codes(index)]
        return (moves, self.system.impossible(self.state, index, self.names)) if explain else moves

    def codes(self, index: int) -> list[int]:
        """The move codes open to the fighter at a place of the record."""
        moves = [0] * self.system.most_moves(len(self.names))
        return moves[: self.system.legal(self.state, index, moves)]

    def status(self) -> str:
        """The state as a small text table."""
        return self.system.status(self.state, self.sheets, self.names, list(self.teams))

    @property
    def story(self) -> str:
        """Everything that happened, a sentence a line."""
        return "\n".join(line.text for line in self.lines)

    @property
    def pending(self) -> list[Line]:
        """What has happened in a decision whose dice are still falling: the story of whoever throws them by hand."""
        return self._lines(self.decision)

    def why(self, line: int | Line) -> list[Ruling]:
        """The rules and rulings behind a line of the story, by its number or itself."""
        if isinstance(line, int):
            if not 0 <= line < len(self.lines):
                raise Illegal(f"the story has lines 0 to {len(self.lines) - 1}, not {line}", given=line)
            line = self.lines[line]
        rulings = self.system.rulings()
        return [rulings[cite] for cite in line.event.kind.cites]

    # --- decisions -------------------------------------------------------------------------------------------

    def play(self, who: str, move: str | Move, decision: int | None = None) -> list[Line]:
        """Answer a decision; returns what happened.

        `decision` is the number the answer is meant for: one that is late or doubled is refused by it.
        """
        index = self.index(who)
        self._check_due(who, index, decision)
        code = self.system.read_move(self.state, index, str(move), self.names)
        notation = self.system.write_move(self.state, index, code, self.names)
        mark = self._mark()
        begun, told = len(self.dice.fallen), len(self.lines)
        try:
            self.system.apply(self.state, index, code, self.dice, self._log)
        except BaseException:
            # A die that was not given, an interrupted question: the decision has not been taken.
            self._restore(mark)
            raise
        self._whim_before = self.whim.position
        self._marks.append(mark)
        self.answers.append(Answer(self.decision, who, notation, tuple(self.dice.fallen[begun:]), mark.whim))
        if self._log.events:
            self._gather(self.decision)
            self.decision += 1
        return self.lines[told:]

    @property
    def whim_before(self) -> int:
        """Where the computer fighters' whim stood when the last answer was in."""
        return self._whim_before

    def think_from(self, position: int) -> None:
        """Set where the computer fighters' whim stands, as a log has it."""
        self.whim.position = self._whim_before = position

    def _check_due(self, who: str, index: int, decision: int | None) -> None:
        if self.over:
            raise Illegal(f"the fight is over: {self.ending}", given=who)
        if decision is not None and decision != self.decision:
            raise Illegal(f"decision {decision} is not open; decision {self.decision} is", given=decision)
        if not self.system.to_act(self.state) >> index & 1:
            answered = any(a.decision == self.decision and a.who == who for a in self.answers)
            problem = f"has answered decision {self.decision} already" if answered else "owes no decision now"
            raise Illegal(self.system.not_due(self.state, index) or f"{who} {problem}", given=who)

    def undo(self, to: int | None = None) -> None:
        """Take back the last answer and all it did; or all answers back to the start of decision `to`."""
        if not self._marks:
            raise Illegal("there is nothing to undo")
        back = len(self._marks) - 1
        if to is not None:
            if not 1 <= to <= self.decision:
                raise Illegal(f"there are decisions 1 to {self.decision}, not {to}", given=to)
            back = next((i for i, mark in enumerate(self._marks) if mark.decision >= to), len(self._marks))
            if back == len(self._marks):
                return
        self._restore(self._marks[back])
        del self._marks[back:], self.answers[back:]

    def fork(
        self, at: int | None = None, *, seed: int | None = None, rolls: Sequence[Sequence[int] | int] = ()
    ) -> Fight:
        """A new fight that shares the past up to the start of decision `at` (or up to now).

        It goes on with the same dice, with those of another `seed`, or with `rolls` first.
        """
        if at is not None and not 1 <= at <= self.decision:
            raise Illegal(f"there are decisions 1 to {self.decision}, not {at}", given=at)
        shared = [answer for answer in self.answers if at is None or answer.decision < at]
        here = self._marks[len(shared)] if len(shared) < len(self._marks) else self._mark()
        past = [*self.opening, *(result for answer in shared for result in answer.fell)]
        onward = again(self.dice) if seed is None else Seeded(seed)
        dice = Scripted([*past, *rolls], then=onward, skip=here.dice if seed is None else 0)
        forked = Fight(self.system, self.setup(), dice=dice, options=self.options, whim=again(self.whim))
        for answer in shared:
            forked.think_from(answer.whim)
            forked.play(answer.who, answer.move)
        forked.think_from(here.whim)
        return forked

    def at_opening(self) -> Fight:
        """This fight as it stood before its first decision."""
        return self.fork(at=1)

    def past_states(self) -> list[Any]:
        """The state before each answer so far."""
        return [mark.state for mark in self._marks]

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

    def setup(self) -> dict[str, list[Spec]]:
        """The teams with their full sheets, as plain tables."""
        return {t: [self.system.as_table(sheet) for sheet in members] for t, members in self._sheets_by_team.items()}

    # --- inside ----------------------------------------------------------------------------------------------

    def _gather(self, decision: int) -> None:
        self.lines.extend(self._lines(decision))
        self._log.events.clear()

    def _lines(self, decision: int) -> list[Line]:
        told = (event for event in self._log.events if not self.system.announces(event, self.names))
        return [Line(self._told(event), decision, event) for event in told]

    def _told(self, event: Event) -> str:
        return self.system.tell(event, self.state, self.sheets, self.names, list(self.teams))

    def _announced(self) -> str:
        """For whom and what the next throw is, where the rules have announced it."""
        return self.system.announces(self._log.events[-1], self.names) if self._log.events else ""

    def _mark(self) -> _Mark:
        return _Mark(
            records.copy(self.state),
            self.decision,
            self.dice.position,
            self._whim_before,
            len(self.dice.fallen),
            self._log.told,
            len(self.lines),
            [row.copy() for row in self._log.figures],
        )

    def _restore(self, mark: _Mark) -> None:
        self.state = records.copy(mark.state)
        self.decision = mark.decision
        self.dice.position = mark.dice
        self.think_from(mark.whim)
        del self.dice.fallen[mark.fallen :], self.lines[mark.lines :]
        self._log.told = mark.told
        self._log.events.clear()
        self._log.figures[:] = [row.copy() for row in mark.figures]

    # --- other people's doors --------------------------------------------------------------------------------

    def view(self, viewer: str | None = None) -> dict[str, Any]:
        """All that a viewer may know, as plain JSON values. None is a spectator."""
        from affray.viewing import view

        return view(self, viewer)

    def odds(
        self,
        who: str,
        *,
        tactics: Mapping[str, str] | None = None,
        play: Literal["tactics", "best"] = "best",
        compiled: bool | None = None,
        seconds: float | None = None,
    ) -> dict[str, Odds]:
        """For each legal move of a fighter: how the fight may end after it, and how likely.

        See `affray.lab.odds.odds_of_moves` for what the settings mean.
        """
        from affray.lab.odds import odds_of_moves

        return odds_of_moves(self, who, tactics=tactics, play=play, compiled=compiled, seconds=seconds)

    def luck(self) -> Luck:
        """After the fight: how likely its result was, and where the luck fell."""
        from affray.lab.luck import audit

        return audit(self)

    def save(self, path: str | Path) -> None:
        """Write the fight to a file from which it goes on as if it had never stopped."""
        from affray.saving import save

        save(self, path)

    @staticmethod
    def load(path: str | Path) -> Fight:
        """The fight of a file, checked line by line."""
        from affray.saving import load

        return load(path)

    def svg(self) -> str:
        """A picture of the fight: every fighter's course, and how it ended."""
        from affray.drawing import fight_svg

        return fight_svg(self)

    _repr_svg_ = svg

    def __repr__(self) -> str:
        played = "".join(f".then({answer.who!r}, {answer.move!r})" for answer in self.answers)
        changed = {o.name: self.options[o.name] for o in self.system.options if self.options[o.name] != o.default}
        options = f", options={changed!r}" if changed else ""
        return f"Fight({self.system.id!r}, {self.setup()!r}, dice={again(self.dice)!r}{options}){played}"

    def then(self, who: str, move: str) -> Fight:
        """Play a move and return the fight itself: what `repr` is made of."""
        self.play(who, move)
        return self


def _unique(names: list[str]) -> list[str]:
    """Names made different by a number from the second of each on."""
    unique: list[str] = []
    for place, name in enumerate(names):
        number, free = 1, name
        while free in unique or (number > 1 and free in names[place:]):
            number += 1
            free = f"{name}-{number}"
        unique.append(free)
    return unique


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
