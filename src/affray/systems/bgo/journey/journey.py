"""Journey: a race over the board with its story and log; answers can be taken back, and it can be saved and resumed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, overload

from affray.errors import Illegal, Invalid, unknown
from affray.fight import Fight, again
from affray.fight.logfile import Ask
from affray.kernel.chance import WHIM, Fair, Fell, Physical, Seeded
from affray.system.contract import Impossible
from affray.system.schema import Ruling, Value, cut, settle, slug
from affray.system.setup import Spec
from affray.systems.bgo.journey import computer_players, story
from affray.systems.bgo.journey.board import Gate
from affray.systems.bgo.journey.course import Course, Line, Mark
from affray.systems.bgo.journey.party import as_spec, set_out
from affray.systems.bgo.journey.travellers import PERSON, Traveller
from affray.systems.bgo.sheets import OPTIONS, Boon, Curse, Item, check_shares, rulings
from affray.systems.bgo.tactics import TACTICS
from affray.systems.bgo.things import described


@dataclass(frozen=True)
class Question:
    """A decision to be made: its kind, its number, who decides, and the answers that are open."""

    kind: Literal["turn", "fight", "wear"]
    decision: int
    who: str
    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """One decision as it was taken: who took it, the answer, the dice that fell, and the whim's position before it."""

    decision: int
    who: str
    answer: str
    fell: tuple[Fell, ...]
    whim: int

    @property
    def move(self) -> str:
        """The answer, as a fight calls it."""
        return self.answer


class Journey:
    """A running journey. Its log defines it completely: players, options, dice and answers.

    People are asked (`question`, `answer`); `advance` lets creatures and computer players answer.
    """

    def __init__(
        self,
        players: Sequence[Spec],
        *,
        seed: int | None = None,
        dice: Physical | None = None,
        options: Mapping[str, object] | None = None,
        whim: Seeded | None = None,
        files: bool = True,
    ) -> None:
        """Start a journey.

        A player is a spec such as `squire` or `player:name=Ann`, or a table `{"name": "Ann", "plays": "cautious",
        "sheet": "squire"}`; a player without a tactic is a person. Dice are `Seeded` by `seed` unless other
        `dice` are given; without either a seed is drawn. `files=False` refuses specs that name files.
        """
        self.options: dict[str, Value] = settle(OPTIONS, options or {})
        check_shares(self.options)
        travellers = set_out(players, files=files, edition=int(self.options["edition"]))
        if dice is None:
            dice = Seeded(secrets.randbits(32) if seed is None else seed)
        elif seed is not None:
            raise Invalid("a journey takes a seed or dice, not both", given=seed)
        whim = whim or (
            Seeded(dice.seed, dice.number, WHIM) if isinstance(dice, Seeded) else Seeded(secrets.randbits(62), 0, WHIM)
        )
        self.names = [traveller.handle for traveller in travellers]
        self.answers: list[Answer] = []
        self._setup = [as_spec(traveller) for traveller in travellers]
        self._marks: list[Mark] = []
        self._course = Course(travellers, self.options, dice, whim)

    # --- what is going on ------------------------------------------------------------------------------------

    @property
    def dice(self) -> Physical:
        """Where chance comes from."""
        return self._course.dice

    @property
    def whim(self) -> Seeded:
        """The random numbers behind the choices of creatures and computer players."""
        return self._course.whim

    @property
    def travellers(self) -> tuple[Traveller, ...]:
        """The players in their current state, with the Health that the encounter has left them so far."""
        return self._course.present

    @property
    def round(self) -> int:
        """The board round."""
        return self._course.position.round

    @property
    def decision(self) -> int:
        """The number of the open decision."""
        return self._course.position.decision

    @property
    def squares(self) -> int:
        """How many squares the board has."""
        return self._course.squares

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates on the way."""
        return self._course.fate.gates

    @property
    def fight(self) -> Fight | None:
        """The current encounter."""
        return self._course.fight

    @property
    def throwing(self) -> str:
        """What the last throw of the board's dice was for, or what the next one is for."""
        return self._course.fate.purpose

    @property
    def to_act(self) -> list[str]:
        """The players and creatures who must answer now; in an encounter both at the same time."""
        return self._course.to_act()

    @property
    def question(self) -> Question | None:
        """The open question, for the first player or creature who must answer; None when the journey is over."""
        course = self._course
        phase = course.position.phase
        if phase == "over":
            return None
        who = self.to_act[0]
        return Question(phase, self.decision, who, _asked(course), tuple(course.legal(who)))

    @property
    def over(self) -> bool:
        """Whether a player has won."""
        return self._course.position.phase == "over"

    @property
    def winner(self) -> str | None:
        """The player who has passed the last square."""
        return self._course.me.handle if self.over else None

    @property
    def lines(self) -> list[Line]:
        """The story line by line, each with its decision and its rulings."""
        return self._course.lines

    @property
    def story(self) -> str:
        """Everything that happened, line by line."""
        return "\n".join(line.text for line in self.lines)

    def why(self, line: int | Line) -> list[Ruling]:
        """The rules and rulings behind a line of the story, by its number or itself."""
        if isinstance(line, int):
            if not 0 <= line < len(self.lines):
                raise Illegal(f"the line must be 0 to {len(self.lines) - 1}, not {line}", given=line)
            line = self.lines[line]
        return [rulings()[cite] for cite in line.cites if cite in rulings()]

    def status(self) -> str:
        """The board, and every player on it, as text."""
        divisor = self._course.number("rank_divisor")
        return story.status(self.travellers, self.round, self.squares, divisor, self.gates)

    def traveller(self, who: str) -> Traveller:
        """The player with a name."""
        return self.travellers[self.names.index(self._known(who, self.names))]

    @overload
    def legal(self, who: str) -> list[str]: ...
    @overload
    def legal(self, who: str, explain: Literal[True]) -> tuple[list[str], list[Impossible]]: ...
    def legal(self, who: str, explain: bool = False) -> list[str] | tuple[list[str], list[Impossible]]:
        """The answers open to a player now; with `explain` also what is not open, and why."""
        who = self._known(who, [*self.names, *self.to_act])
        answers = self._course.legal(who)
        return (answers, self._course.impossible(who)) if explain else answers

    def plays(self, who: str) -> str:
        """Who decides for a player or creature: `person`, or a tactic."""
        if self.fight is not None and who == self.fight.names[1]:
            return computer_players.usual(self._course)
        return self.traveller(who).plays

    # --- decisions -------------------------------------------------------------------------------------------

    def answer(self, who: str, text: str, decision: int | None = None) -> list[str]:
        """Answer a decision; returns what happened.

        `decision` is the number the answer is meant for, so that a late or repeated answer is refused.
        """
        who = self._known(who, [*self.names, *self.to_act])
        self._check_due(who, decision)
        return self._take(who, text, self._course.mark())

    def advance(self, instead: str | None = None) -> list[str]:
        """Let creatures and computer players answer until a person has to; returns what happened.

        With a tactic to decide `instead` of people, it goes on to the end.
        """
        if instead is not None and instead not in TACTICS:
            raise Invalid(unknown("tactic", instead, TACTICS), given=instead, allowed=tuple(TACTICS))
        told = len(self.lines)
        while not self.over:
            plays = {who: self.plays(who).replace(PERSON, instead or PERSON) for who in self.to_act}
            # People first: what the others choose at the same time is not even computed yet.
            if PERSON in plays.values():
                break
            self.decide(*next(iter(plays.items())))
        return [line.text for line in self.lines[told:]]

    def decide(self, who: str, tactic: str) -> list[str]:
        """Let a tactic answer for a player or creature; returns what happened."""
        mark = self._course.mark()  # before the tactic runs, so that after undo it decides the same again
        return self._take(who, computer_players.decide(self._course, who, tactic), mark)

    def _take(self, who: str, text: str, mark: Mark) -> list[str]:
        number, told, fallen = self.decision, len(self.lines), len(self.dice.fallen)
        try:
            answer = self._course.take(who, text)
        except BaseException:
            # The text is not an answer, or a die was not given: the decision has not been taken.
            self._course.restore(mark)
            raise
        self._marks.append(mark)
        self.answers.append(Answer(number, who, answer, tuple(self.dice.fallen[fallen:]), mark.whim))
        return [line.text for line in self.lines[told:]]

    def _known(self, who: str, names: Sequence[str]) -> str:
        """The handle of a player, given by handle or by the name that the story uses."""
        handle = who if who in names else slug(who)
        if handle not in names:
            raise Illegal(unknown("player", cut(who), dict.fromkeys(names)), given=who, allowed=tuple(names))
        return handle

    def _check_due(self, who: str, decision: int | None) -> None:
        if self.over:
            raise Illegal(f"the journey is over: {self._course.me.name} has won", given=who)
        if decision is not None and decision != self.decision:
            raise Illegal(f"decision {decision} is not open; decision {self.decision} is", given=decision)
        if who not in self.to_act:
            answered = any(a.decision == self.decision and a.who == who for a in self.answers)
            problem = f"has answered decision {self.decision} already" if answered else "has no decision to make now"
            raise Illegal(f"{who} {problem}", given=who, allowed=self.to_act)

    def undo(self, to: int | None = None) -> None:
        """Take back the last answer and all it did; or all answers back to the start of decision `to`."""
        if not self._marks:
            raise Illegal("there is nothing to undo")
        back = len(self._marks) - 1
        if to is not None:
            if not 1 <= to <= self.decision:
                raise Illegal(f"the decision must be 1 to {self.decision}, not {to}", given=to)
            back = next((i for i, answer in enumerate(self.answers) if answer.decision >= to), len(self._marks))
        while len(self._marks) > back:  # one by one: each encounter takes its own moves back
            self._course.restore(self._marks.pop())
            self.answers.pop()

    def then(self, who: str, text: str) -> Journey:
        """Answer and return the journey itself, so that calls can be chained as in its `repr`."""
        self.answer(who, text)
        return self

    # --- saving, loading and viewing -------------------------------------------------------------------------

    def setup(self) -> list[dict[str, object]]:
        """The players at the start, as plain tables."""
        return self._setup

    def save(self, path: str | Path) -> None:
        """Write the journey to a file from which `load` resumes it."""
        from affray.systems.bgo.journey.log import LOG

        LOG.save(self, path)

    @staticmethod
    def load(path: str | Path, ask: Ask | None = None) -> Journey:
        """The journey from a file, checked answer by answer; `ask` is for dice that are thrown by hand."""
        from affray.systems.bgo.journey.log import LOG

        return LOG.load(path, ask)

    def view(self, viewer: str | None = None) -> dict[str, Any]:
        """All that a viewer may know, as plain JSON values. None is a spectator.

        On the board everything is public. In an encounter a choice is secret until both are in, and so is whether it
        has been made.
        """
        who = None if viewer is None else self._known(viewer, self.names)
        in_fight = self.fight is not None and who in self.fight.names[:1]
        fight = self.fight.view(who if in_fight else None) if self.fight is not None else None
        question, offer = self.question, self._course.position.offer
        return {
            "system": "bgo",
            "viewer": who,
            "decision": self.decision,
            "round": self.round,
            "squares": self.squares,
            "gates": [{"square": gate.square, "rank": gate.rank} for gate in self.gates],
            "to_act": fight["to_act"] if fight else self.to_act,
            "kind": question.kind if question else None,
            "question": question.text if question else None,
            "offer": _thing(offer) if offer else None,
            "legal": self._course.legal(who) if who is not None else [],
            "travellers": [_seen(traveller, self._course) for traveller in self.travellers],
            "fight": fight,
            "status": self.status(),
            "story": [line.text for line in self.lines],
            "winner": self.winner,
            "commitment": self.dice.commitment if isinstance(self.dice, Fair) else None,
        }

    def __repr__(self) -> str:
        answered = "".join(f".then({answer.who!r}, {answer.answer!r})" for answer in self.answers)
        changed = {o.name: self.options[o.name] for o in OPTIONS if self.options[o.name] != o.default}
        options = f", options={changed!r}" if changed else ""
        return f"Journey({self.setup()!r}, dice={again(self.dice)!r}{options}){answered}"


def _asked(course: Course) -> str:
    """The current question as a sentence."""
    me, item = course.me, course.position.offer
    match course.position.phase:
        case "wear" if item is not None:
            worn = me.worn(item.slot)
            instead = f" in place of the {worn.name}" if worn else ""
            return f"{me.name} may wear the {item.name}{instead}, keep it in the pack, or leave it behind."
        case "fight" if course.fight is not None:
            return f"{me.name} fights on square {me.square}: battle round {course.fight.round}."
        case _:
            where = f"on square {me.square} of {course.squares}" if me.square else "before the first square"
            first = ", or first use or change something" if len(course.legal(me.handle)) > 1 else ""
            return f"{me.name} is {where} and may roll the dice{first}."


def _seen(traveller: Traveller, course: Course) -> dict[str, object]:
    """A player as plain values."""
    stats, player = traveller.stats, traveller.player
    return {
        "handle": traveller.handle,
        "name": traveller.name,
        "plays": traveller.plays,
        "square": traveller.square,
        "rank": traveller.rank(course.number("rank_divisor")),
        "health": traveller.health,
        "max_health": stats.health,
        "attack": stats.attack,
        "defense": stats.defense,
        "damage": list(stats.damage),
        "abilities": dict(stats.abilities),
        "misses": traveller.misses,
        "gates": traveller.gates,
        "met": list(traveller.met),
        "defeated": list(traveller.defeated),
        "equipment": [_thing(item) for item in player.equipment],
        "spares": [_thing(item) for item in traveller.spares],
        "pack": [{"id": c.id, "name": c.name, "rank": c.rank, "text": described(c)} for c in traveller.pack],
        "boons": [_thing(boon) for boon in player.boons],
        "curses": [_thing(curse) for curse in player.curses],
    }


def _thing(thing: Item | Boon | Curse) -> dict[str, object]:
    plain: dict[str, object] = {
        "id": thing.id,
        "name": thing.name,
        "rank": thing.rank,
        "text": described(thing),
    }
    if isinstance(thing, Item):
        return plain | {"slot": thing.slot}
    return plain | {"lasts": thing.lasts, "encounters": thing.encounters}
