"""What a combat system is to the engine: its rules, words and data, most of which have a default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from affray.errors import Invalid
from affray.kernel.chance import Dice
from affray.kernel.playing import Tactic, random_tactic
from affray.kernel.records import PerFighter, shape
from affray.kernel.rules import Event, Log
from affray.kernel.state import State
from affray.system import defaults, gauging, undoing
from affray.system.abilities import Cost, Costs, Recovery, Residence, Way
from affray.system.creation import Creation, creation_of
from affray.system.meaning import Meaning, explain
from affray.system.pictures import CardFace, Gauge, Icon, Thrown, Widget
from affray.system.schema import Option, Ruling, Value, settle
from affray.system.setup import Setup, Spec
from affray.system.sheets import Sheets, SheetT
from affray.system.storytelling import Storytelling
from affray.system.undoing import Undo
from affray.system.values import value

StateT = TypeVar("StateT", bound=State)
AbilityT = TypeVar("AbilityT")


@value
class Impossible:
    """A move that a player might try, and why it is not open now."""

    notation: str
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class System(Generic[StateT, SheetT]):
    """A combat system. Rules work on the state record and integers; words and data are plain Python.

    Functions that read, write or tell get the set-up and the state. Parts that are left out have a default.
    """

    id: str
    title: str
    state: type[StateT]
    sheets: Sheets[SheetT]

    # The rules: `begin` opens the fight, `legal` fills in move codes and returns how many, and `apply` makes a move,
    # up to the next decision.
    begin: Callable[[StateT, Dice, Log | None], None]
    legal: Callable[[StateT, int, list[int]], int]
    apply: Callable[[StateT, int, int, Dice, Log | None], None]

    summary: str = ""
    seat: Callable[[Setup[SheetT], StateT], None] = defaults.seat
    """Fills in the blank state of a fight: by default every cell named like a number on the sheet or an option."""
    most_moves: Callable[[int], int] = defaults.most_moves
    """A rule: the most moves that a fighter can have, given the number of fighters."""
    figures: Callable[[StateT, Log | None], None] = defaults.figures
    """A rule that scores the figures counted at the end."""
    figure_names: tuple[str, ...] = ()
    parts: Mapping[str, int] = field(default_factory=dict)
    """For figures that rules count in parts, because rules have only whole numbers: how many parts make one."""
    tactics: Mapping[str, Tactic] = field(default_factory=dict)
    """Ways for computer fighters to choose, by name; `random` is added if it is missing."""
    tactic_of: Callable[[SheetT], str] | None = None
    """The tactic of a sheet: by default the one it names, or else the first."""

    moves: Mapping[int, str] = field(default_factory=dict)
    """The words of moves that are written as a single word."""
    write_move: Callable[[Setup[SheetT], StateT, int, int], str] = defaults.write_move
    read_move: Callable[[Setup[SheetT], StateT, int, str, Mapping[str, int]], int] = defaults.read_move
    """The code that a text means, given the notation of all open moves: by default the move that begins with it."""
    impossible: Callable[[Setup[SheetT], StateT, int], list[Impossible]] = defaults.impossible
    not_due: Callable[[Setup[SheetT], StateT, int], str] = defaults.not_due
    """Why a fighter cannot move now."""
    explain: Callable[[Setup[SheetT], StateT, int, int], Meaning] = explain
    """A move in plain words: by default its notation, and what is thrown for it."""
    question: Callable[[Setup[SheetT], StateT], str] = defaults.question
    """The question, if it is not simply the next move: a reaction, or a choice in a result."""
    told_as: Callable[[Setup[SheetT], int], str] = defaults.told_as
    """The name of a fighter in the story: by default the one that is typed."""
    status: Callable[[Setup[SheetT], StateT], str] = defaults.status
    gauges: Callable[[Setup[SheetT], StateT, int], list[Gauge]] = defaults.gauges
    vital: int = 1
    """How many of the gauges, from the first on, say how near a fighter is to the end."""
    scene: Callable[[Setup[SheetT], StateT, int], list[Widget]] = defaults.scene
    """What to draw of a fighter, given a state without what the viewer may not know: by default the gauges."""
    thrown: Callable[[Setup[SheetT], StateT, Event], list[Thrown]] | None = None
    """The dice of an event to draw; an announcement comes with those after it. By default they are drawn as thrown."""
    hide: Callable[[StateT, int], None] = defaults.hide
    """A rule: removes from a copy of the state what a viewer may not know, except who has answered in secret."""
    imagine: Callable[[StateT, int, Dice], None] = defaults.imagine
    """A rule that fills in what a viewer may not know, with the probabilities that follow from all they have seen."""

    icons: tuple[Icon, ...] = ()
    """Icons that a page draws instead of characters in the system's texts, and the icons of conditions."""
    cards: tuple[CardFace, ...] = ()
    """How the cards look that its pictures name."""
    options: tuple[Option, ...] = ()
    """The options that players may set; `undo` and `gauges` are added to them."""
    undo: Undo = "free"
    """The default for what may be taken back in a fight: see `affray.system.undoing`."""
    profiles: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Named sets of option values."""
    options_beyond: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    """The options of games around fights, by the game's name, such as `journey`; a fight refuses them."""
    rulings: Callable[[], Mapping[str, Ruling]] = dict
    endings: tuple[str, ...] = ()
    """The system's own endings, besides a team's victory and a draw."""
    endless: str = "draw"
    """The ending that a fight without an end counts as."""
    values: Mapping[str, int] = field(default_factory=lambda: {"win": 1, "lose": -1})
    """The values of endings that best play maximises."""
    called: Callable[[SheetT], str] = defaults.called
    """The name by which a fighter is typed and told."""
    derived: Callable[[SheetT, Mapping[str, Value]], Mapping[str, object]] = defaults.derived
    """Values derived from a sheet and the options, shown beside the sheet."""
    demonstration: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Teams for a first look: by default the first two fighters of the catalogue."""
    abilities: tuple[object, ...] = ()
    """What the system can do beyond fighting: see `affray.system.abilities`."""

    def __post_init__(self) -> None:
        cells = dict(shape(self.state)) if issubclass(self.state, State) else {}
        listed = cells.get("fighters")
        of = listed.of if isinstance(listed, PerFighter) else None
        if not isinstance(of, type) or "team" not in dict(shape(of)):
            lacks = "no list `fighters` of records with a `team`" if cells else "not the engine's own State as its base"
            raise Invalid(f"the state of {self.id!r}, {self.state.__name__}, has {lacks}", given=self.id)
        for added in (undoing.option(self.undo), gauging.option()):
            if all(option.name != added.name for option in self.options):  # a copy has it already
                object.__setattr__(self, "options", (*self.options, added))
        if "random" not in self.tactics:
            random = random_tactic(self.legal, self.most_moves)
            object.__setattr__(self, "tactics", {**self.tactics, "random": random})
        if not self.demonstration:
            first, *rest = (id for known in self.catalogue().values() for id in known)
            object.__setattr__(self, "demonstration", {"one": [first], "two": [rest[0] if rest else first]})

    def ability(self, kind: type[AbilityT]) -> AbilityT | None:
        """The system's ability of a kind, if it has that."""
        return next(iter(self.abilities_of(kind)), None)

    def abilities_of(self, kind: type[AbilityT]) -> list[AbilityT]:
        """All of the system's abilities of a kind."""
        return [one for one in self.abilities if isinstance(one, kind)]

    def signed(self, text: str) -> str:
        """A text made from data, with its sign before every word that has an icon: `▲ resist-fire 1`."""
        for icon in self.icons:
            if not icon.sign:
                continue
            text = re.sub(rf"(?<![\w-])((?:\w+-)?{icon.word})(?![\w-])", rf"{icon.sign} \1", text)
        return text

    @cached_property
    def all_options(self) -> tuple[Option, ...]:
        """The options of fights, and of the games around them."""
        return (*self.options, *(option for options in self.options_beyond.values() for option in options))

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Every option of a fight with its value; Invalid for one that is not for fights."""
        for what, options in self.options_beyond.items():
            for option in options:
                if option.name in given:
                    problem = f"option {option.name} is for a {what}; a fight does not have it"
                    raise Invalid(problem, given=option.name, allowed=[known.name for known in self.options])
        return settle(self.options, given, profiles=self.profiles)

    @property
    def costs(self) -> tuple[Cost[SheetT], ...]:
        """The columns shown for every move besides the odds, if the system has costs."""
        ability = self.ability(Costs)
        return ability.costs if ability else ()

    @property
    def storytelling(self) -> Storytelling[StateT, SheetT]:
        """What a storyteller may change: what the system says, or what follows from its record and sheets."""
        return self.ability(Storytelling) or Storytelling()

    @cached_property
    def residence(self) -> Residence[StateT, SheetT] | None:
        """How a world stores fighters, if the system says so."""
        return self.ability(Residence)

    @property
    def recoveries(self) -> Mapping[str, Way[SheetT]]:
        """What a fighter may do between fights to recover, by name."""
        recovery = self.ability(Recovery)
        return recovery.ways if recovery else {}

    @property
    def creation(self) -> Creation[SheetT]:
        """How a player makes a fighter: by the system's own questions, or by questions derived from its sheet."""
        return self.ability(Creation) or creation_of(self.sheets)

    @property
    def after_fight(self) -> Callable[[StateT, int, SheetT], SheetT] | None:
        """The sheet of a fighter as the fight has left it, if fights have lasting effects."""
        recovery = self.ability(Recovery)
        return recovery.after_fight if recovery else None

    def enlist(self, spec: Spec, *, files: bool = True) -> SheetT:
        """The sheet that a spec asks for: an id, an id with changes, a sheet of a file, or a table."""
        return self.sheets.enlist(spec, files=files)

    def as_table(self, sheet: SheetT) -> dict[str, object]:
        """A sheet as plain values."""
        return self.sheets.as_table(sheet)

    def catalogue(self) -> Mapping[str, Mapping[str, SheetT]]:
        """The sheets that come with the system, by kind and id."""
        return self.sheets.catalogue()

    def check_file(self, path: str | Path) -> list[str]:
        """The ids of the sheets in a user's file; Invalid for the first that does not fit."""
        return self.sheets.check_file(path)

    def usual_tactic(self, sheet: SheetT) -> str:
        """The tactic that a sheet comes with."""
        if self.tactic_of is not None:
            return self.tactic_of(sheet)
        return str(getattr(sheet, "tactic", "") or next(iter(self.tactics)))

    def __repr__(self) -> str:
        return f"affray.get_system({self.id!r})"
