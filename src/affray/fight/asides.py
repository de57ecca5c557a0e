"""Asides: what a storyteller does in secret, as rolls, notes, fighters in the wings and dice told without numbers.

An aside stands in the log beside the answers. It changes neither the record nor the number of a decision and has dice
of its own, so that nothing depends on it which others see.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from affray.errors import Illegal, listing, unknown
from affray.kernel.chance import Fair, Fell, Hand, Physical, Scripted, Seeded, throw_dice
from affray.system.schema import cut
from affray.system.setup import MOST_FIGHTERS

if TYPE_CHECKING:
    from affray.fight.fight import Fight

VERBS = {
    "hide": "hide TEAM SHEET",
    "roll": "roll DICE",
    "note": "note [FIGHTER:] TEXT",
    "veil": "veil FIGHTER",
    "unveil": "unveil FIGHTER",
}
"""Every verb of the notation, with what follows it; `reveal` is an intervention, which all are told of."""
MOST, MOST_DICE, MOST_SIDES, LONGEST_NOTE = 1000, 50, 256, 1000
DICE = re.compile(r"(\d{1,3})?d(\d{1,4})([+-]\d{1,4})?", re.IGNORECASE)
STREAM = 0x2545F4914F6CDD1D  # of seeded dice: the first secret roll is on the next one


class Dice(NamedTuple):
    """Dice to roll besides those of the rules, and what is added to them."""

    n: int
    sides: int
    more: int

    @classmethod
    def of(cls, text: str) -> Dice:
        """The dice of a text such as 3d6 or 2d10+1."""
        found = DICE.fullmatch(text.replace(" ", ""))
        if found is None or not (1 <= int(found[1] or 1) <= MOST_DICE and 2 <= int(found[2]) <= MOST_SIDES):
            rule = f"1 to {MOST_DICE} dice with 2 to {MOST_SIDES} sides, such as 3d6 or 2d10+1"
            raise Illegal(f"roll needs {rule}", given=cut(text))
        return cls(int(found[1] or 1), int(found[2]), int(found[3] or 0))

    def __str__(self) -> str:
        return f"{self.n}d{self.sides}{f'{self.more:+d}' if self.more else ''}"

    def told(self, fell: Sequence[int]) -> str:
        """What fell, in words."""
        total = f" = {sum(fell) + self.more}" if len(fell) > 1 or self.more else ""
        return f"{self}: {', '.join(map(str, fell))}{f' {self.more:+d}' if self.more else ''}{total}"


@dataclass(frozen=True)
class Aside:
    """One secret act: as it is written, after how many answers, and after how many times that some were taken back."""

    text: str
    after: int = 0
    course: int = 0
    fell: tuple[Fell, ...] = ()
    number: int = 0
    """Of a roll: the how many-th of the fight it is."""
    sheet: Mapping[str, object] | None = None
    """The sheet of a fighter in the wings."""

    @property
    def verb(self) -> str:
        """What is done."""
        return self.text.partition(" ")[0]

    @property
    def rest(self) -> str:
        """What it is done with."""
        return self.text.partition(" ")[2]

    @property
    def told(self) -> str:
        """The aside as its storyteller is told of it."""
        match self.verb:
            case "hide":
                team, _, name = self.rest.partition(" ")
                return f"{name} waits in the wings, to join {team}."
            case "roll":
                return f"Secret roll of {Dice.of(self.rest).told(self.fell[0])}."
            case "note":
                return f"Note: {self.rest}"
            case "veil":
                return f"What falls for {self.rest} is told without numbers."
        return f"What falls for {self.rest} is told with its numbers again."

    def as_table(self) -> dict[str, Any]:
        """The entry of a log, as plain JSON values."""
        table: dict[str, Any] = {"aside": self.text, "after": self.after, "course": self.course}
        if self.fell:
            table |= {"number": self.number, "fell": [result.written for result in self.fell]}
        return table if self.sheet is None else {**table, "sheet": self.sheet}


@dataclass(frozen=True)
class Wing:
    """A fighter who waits in the wings: its name there, the team it will join, and its sheet."""

    name: str
    team: str
    sheet: Mapping[str, object]


def read(fight: Fight, text: str, sheet: Mapping[str, object] | None = None, *, files: bool = True) -> Aside:
    """The aside that a text means now; Illegal, with what is allowed, for one that does not fit."""
    verb, _, rest = " ".join(text.split()).partition(" ")
    if verb not in VERBS:
        problem = unknown("aside", cut(verb), VERBS) if verb else f"an aside is {listing(VERBS.values())}"
        raise Illegal(problem, given=text, allowed=list(VERBS.values()))
    if len(fight.asides) >= MOST:
        raise Illegal(f"a fight keeps at most {MOST} asides", given=text)
    if verb == "hide":
        aside = _hidden(fight, rest, sheet, files=files)
    else:
        aside = _READERS[verb](fight, rest)
    return replace(aside, after=fight.closed, course=len(fight.undone))


def _hidden(fight: Fight, rest: str, sheet: Mapping[str, object] | None, *, files: bool) -> Aside:
    team, _, spec = rest.partition(" ")
    setup = fight.setup
    if team not in setup.by_team:
        if team in setup.names:
            raise Illegal(f"{team} is in the fight, and has been seen; `leave {team}` takes it out", given=team)
        problem = unknown("team", cut(team), setup.by_team) if team else f"name a team: {VERBS['hide']}"
        raise Illegal(problem, given=team, allowed=list(setup.by_team))
    if sheet is None and not spec:
        raise Illegal(f"name a sheet: {VERBS['hide']}", given=rest)
    if len(setup.names) + len(wings(fight)) >= MOST_FIGHTERS:
        raise Illegal(f"the number of fighters must be at most {MOST_FIGHTERS}", given=spec)
    enlisted = setup.system.enlist(sheet if sheet is not None else spec, files=files)
    called = setup.system.called(enlisted)
    taken = {aside.rest.partition(" ")[2] for aside in fight.asides if aside.verb == "hide"} | set(setup.names)
    name = next(name for n in count(1) if (name := called if n == 1 else f"{called}-{n}") not in taken)
    return Aside(f"hide {team} {name}", sheet=setup.system.as_table(enlisted))


def _rolled(fight: Fight, rest: str) -> Aside:
    dice = Dice.of(rest)
    past = [aside.number for aside in (*fight.asides, *(one for each in fight.undone for one in each.asides))]
    number = max(past, default=0) + 1
    return Aside(f"roll {dice}", fell=(throw_dice(_dice(fight.dice, number), dice.n, dice.sides),), number=number)


def _dice(source: Physical, number: int) -> Physical:
    """The dice of a secret roll: each roll has its own, derived from the seed or secret of the fight."""
    match source:
        case Seeded():
            return Seeded(source.seed, source.number, STREAM + number)
        case Fair():
            return Fair(hmac.digest(source.secret, f"secret roll {number}".encode(), "sha256"))
        case Scripted() if source.then is not None:
            return _dice(source.then, number)
        case Hand():
            return Hand(source.ask)
    raise Illegal("results that were written down before have no dice for a secret roll", given=number)


def _noted(fight: Fight, rest: str) -> Aside:
    if not rest:
        raise Illegal(f"write what is to be noted: {VERBS['note']}", given=rest)
    if len(rest) > LONGEST_NOTE:
        raise Illegal(f"a note has at most {LONGEST_NOTE} characters, not {len(rest)}", given=cut(rest))
    return Aside(f"note {rest}")


def _veiled(fight: Fight, rest: str) -> Aside:
    name = _named(fight, rest, "veil")
    if name in veiled(fight):
        raise Illegal(f"what falls for {name} is told without numbers already", given=name)
    return Aside(f"veil {name}")


def _unveiled(fight: Fight, rest: str) -> Aside:
    name = _named(fight, rest, "unveil")
    if name not in veiled(fight):
        raise Illegal(f"what falls for {name} is told with its numbers already", given=name)
    return Aside(f"unveil {name}")


def _named(fight: Fight, rest: str, verb: str) -> str:
    for name in fight.names:
        if name.casefold() == rest.casefold():
            return name
    if not rest:
        raise Illegal(f"name a fighter: {VERBS[verb]}; there are: {listing(fight.names)}", allowed=fight.names)
    raise Illegal(unknown("fighter", cut(rest), fight.names), given=rest, allowed=fight.names)


_READERS: Mapping[str, Callable[[Fight, str], Aside]] = {
    "roll": _rolled,
    "note": _noted,
    "veil": _veiled,
    "unveil": _unveiled,
}


# What follows from them


def wings(fight: Fight) -> dict[str, Wing]:
    """The fighters who wait in the wings, by name: those who were hidden and not revealed since."""
    if not fight.asides:
        return {}
    waiting: dict[str, Wing] = {}
    for aside in fight.asides:
        if aside.verb == "hide" and aside.sheet is not None:
            team, _, name = aside.rest.partition(" ")
            waiting[name] = Wing(name, team, aside.sheet)
    for answer in fight.answers:
        waiting.pop(answer.wing, None)
    return waiting


def wing(fight: Fight, name: str) -> Wing:
    """The fighter of that name who waits in the wings."""
    waiting = wings(fight)
    for known in waiting.values():
        if known.name.casefold() == name.casefold():
            return known
    problem = unknown("fighter in the wings", cut(name), waiting) if waiting else "no fighter waits in the wings"
    raise Illegal(problem, given=name, allowed=list(waiting))


def veiled(fight: Fight) -> set[str]:
    """The fighters whose dice are told without numbers now."""
    names: set[str] = set()
    for aside in fight.asides:
        if aside.verb == "veil":
            names.add(aside.rest)
        elif aside.verb == "unveil":
            names.discard(aside.rest)
    return names


def notes(fight: Fight) -> dict[str, list[str]]:
    """The notes, by the fighter or wing that each begins with and a colon; those about the fight under ''."""
    found: dict[str, list[str]] = {}
    known = {name.casefold(): name for name in (*fight.names, *wings(fight))}
    for aside in fight.asides:
        if aside.verb == "note":
            about, colon, text = aside.rest.partition(": ")
            name = known.get(about.casefold(), "") if colon else ""
            found.setdefault(name, []).append(text if name else aside.rest)
    return found


# In a log


def public(written: Mapping[str, Any]) -> bool:
    """Whether an entry of a log is open to everyone after the end: all but notes are."""
    return not str(written["aside"]).startswith("note ")


def made_again(fight: Fight, written: Mapping[str, Any]) -> Aside:
    """The aside of a log; a roll is thrown again from dice that can be made again, and otherwise taken as written."""
    text, sheet = written["aside"], written.get("sheet")
    if written.get("number") and not _can_be_made(fight.dice):
        dice = Dice.of(text.partition(" ")[2])
        faces = throw_dice(Hand(lambda throw: list(written["fell"][0][1:])), dice.n, dice.sides)
        return Aside(f"roll {dice}", fight.closed, len(fight.undone), (faces,), written["number"])
    return read(fight, text, sheet, files=False)


def _can_be_made(source: Physical) -> bool:
    if isinstance(source, Scripted):
        return source.then is not None and _can_be_made(source.then)
    return isinstance(source, Seeded | Fair)
