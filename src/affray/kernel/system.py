"""What a combat system is to the engine: a bundle of rules, words and data, found through entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, Literal, Protocol, TypeVar

from affray.errors import Invalid, unknown
from affray.handout import Handout
from affray.kernel.chance import Dice
from affray.kernel.creation import Creation
from affray.kernel.playing import Tactic
from affray.kernel.rules import Event, Log
from affray.schema import Option, Ruling, Value, slug


class Combatant(Protocol):
    """What the engine wants of a character sheet."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


StateT = TypeVar("StateT")
SheetT = TypeVar("SheetT", bound=Combatant)
SheetT_co = TypeVar("SheetT_co", bound=Combatant, covariant=True)
GROUP = "affray.systems"


class Enlist(Protocol[SheetT_co]):
    """How a system makes a sheet of what somebody asked for; `files=False` keeps strangers away from files."""

    def __call__(self, spec: str | Mapping[str, object], *, files: bool = True) -> SheetT_co: ...


class Recovery(Protocol[SheetT]):
    """How somebody gets better between fights: the sheet afterwards, and what happened as sentences."""

    def __call__(self, sheet: SheetT, dice: Dice, /) -> tuple[SheetT, list[str]]: ...


@dataclass(frozen=True)
class Gauge:
    """One quantity of a fighter that a picture can draw: Health 7 of 10."""

    name: str
    value: int
    most: int


@dataclass(frozen=True)
class Widget:
    """One thing to draw of a fighter: Life Coins of which 27 of 30 are left, a discard pile with its open faces."""

    kind: Literal["bar", "coins", "highwater", "dice", "marks", "pile", "tokens", "rounds", "numbers", "tags"]
    label: str
    value: int = 0
    most: int = 0
    """The most that the value can be; 0 where nothing limits it."""
    note: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thrown:
    """Dice, coins or cards that fell for a line of the story.

    Faces are those of the dice; of coins how many show heads, and of how many; of a d100 what it reads, the tens die
    that counts first; of a card its number, with its face as the name; of a lot its number.
    """

    kind: Literal["dice", "coins", "percent", "card", "pick"]
    faces: tuple[int, ...]
    note: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cost(Generic[SheetT]):
    """Something that a decision costs or brings beside the chance to win, out of the figures of play-outs."""

    name: str
    of: Callable[[SheetT, Mapping[str, float], Mapping[str, float]], float]
    """For a sheet: out of its figures if the fight were over now, and their means when it is."""
    is_chance: bool = False
    sign: str = ""
    """What a bar draws it with, where it is a chance."""
    meaning: str = ""
    """What the name stands for, in a few words."""


@dataclass(frozen=True)
class Exchange(Generic[StateT]):
    """What a move brings at once, before anybody decides again: small enough to be counted to the last outcome."""

    names: tuple[str, ...]
    measure: Callable[[StateT, StateT, int, list[int]], None]
    """A rule that writes down, of the states before and after a move of a fighter, one number for each name."""


@dataclass(frozen=True)
class Impossible:
    """A move that a fighter might think of, and why it is not open now."""

    notation: str
    reason: str


@dataclass(frozen=True)
class Residence(Generic[StateT, SheetT]):
    """How fighters live on in a world between fights: as attributes of players, and as one string for an NPC."""

    attributes: Mapping[str, str]
    """Each attribute a player needs, with its type."""

    player: Callable[[str, Mapping[str, object]], SheetT]
    """The sheet of a player of that name, out of the attributes' values."""

    npc: Callable[[str, str], SheetT]
    """The sheet of an NPC of that name, out of the string of its stats."""

    returns: Callable[[StateT, int, Mapping[str, object]], Mapping[str, object]]
    """The attributes of a player that the end of combat changes, given those there are."""

    writes: Callable[[SheetT, Mapping[str, object]], Mapping[str, object]] | None = None
    """The attributes that keep a sheet that has changed between fights, given those there are."""


@dataclass(frozen=True)
class Cards:
    """What whoever turns a real card over may call it, and a few words that say so."""

    names: Sequence[Sequence[str]]
    """Of every card by its number, from 0 on: words in small letters, some of which several cards may share."""

    hint: str


def slug_of(sheet: Combatant) -> str:
    """The name of a fighter where a system has no other wish: in small letters, words joined by dashes."""
    return slug(sheet.name) or sheet.id


def no_reason(state: object, who: int) -> str:
    """What keeps a fighter from moving, where a system has nothing more to say about it."""
    return ""


def nothing_more(sheet: Combatant, options: Mapping[str, Value]) -> Mapping[str, object]:
    """What follows from a sheet, where a system writes down all there is."""
    return {}


def no_question(state: object, names: Sequence[str]) -> str:
    """What somebody is asked, where a system only ever asks for the next move."""
    return ""


def nothing(event: Event, names: Sequence[str]) -> str:
    """What an event announces, where a system announces no throws."""
    return ""


@dataclass(frozen=True, kw_only=True, eq=False)
class System(Generic[StateT, SheetT]):
    """A combat system. Rules work on the state record and integers; words and data are plain Python."""

    id: str
    title: str
    summary: str
    state: type[StateT]

    # rules
    begin: Callable[[StateT, Dice, Log | None], None]
    to_act: Callable[[StateT], int]
    legal: Callable[[StateT, int, list[int]], int]
    apply: Callable[[StateT, int, int, Dice, Log | None], None]
    outcome: Callable[[StateT], int]
    timeless: Callable[[StateT], None]
    figures: Callable[[StateT, Log | None], None]
    most_moves: Callable[[int], int]
    clock: Callable[[StateT], int]
    tactics: Mapping[str, Tactic]

    # words
    read_move: Callable[[StateT, int, str, Sequence[str]], int]
    write_move: Callable[[StateT, int, int, Sequence[str]], str]
    impossible: Callable[[StateT, int, Sequence[str]], list[Impossible]]
    tell: Callable[[Event, StateT, Sequence[SheetT], Sequence[str], Sequence[str]], str]
    status: Callable[[StateT, Sequence[SheetT], Sequence[str], Sequence[str]], str]
    gauges: Callable[[StateT, int], list[Gauge]]
    cut: Callable[[StateT, int | None], StateT]

    # data
    options: tuple[Option, ...]
    enlist: Enlist[SheetT]
    as_table: Callable[[SheetT], dict[str, object]]
    muster: Callable[[Sequence[Sequence[SheetT]], Mapping[str, Value]], StateT]
    usual_tactic: Callable[[SheetT], str]
    catalogue: Callable[[], Mapping[str, Mapping[str, SheetT]]]
    check_file: Callable[[str], list[str]]
    rulings: Callable[[], Mapping[str, Ruling]]
    figure_names: tuple[str, ...]
    demonstration: Mapping[str, Sequence[str]]
    endings: tuple[str, ...] = ()
    endless: str = "draw"
    values: Mapping[str, int] = field(default_factory=dict)
    profiles: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    called: Callable[[SheetT], str] = slug_of
    not_due: Callable[[StateT, int], str] = no_reason
    question: Callable[[StateT, Sequence[str]], str] = no_question
    """What whoever has to decide is asked, where it is not simply their move: a reaction, or a choice in a result."""
    residence: Residence[StateT, SheetT] | None = None
    after_fight: Callable[[StateT, int, SheetT], SheetT] | None = None
    """The sheet of a fighter as the fight has left it, where something of a fight lasts."""
    recoveries: Mapping[str, Recovery[SheetT]] = field(default_factory=dict)
    """What a fighter may do between fights to get better, by the word for it."""
    veil: Mapping[str, Value] = field(default_factory=dict)
    """Options under which the rules know no more than the players: for real cards on a table, and for public logs."""
    cards: Cards | None = None
    derived: Callable[[SheetT, Mapping[str, Value]], Mapping[str, object]] = nothing_more
    """What follows from a sheet and the options without standing on it, to be shown beside it."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """Figures that rules count in parts, being whole numbers: how many parts make one."""
    costs: tuple[Cost[SheetT], ...] = ()
    """What is shown for every move beside the odds; by the last one, the sum of all, moves are judged."""
    at_stake: Callable[[SheetT, Mapping[str, Value]], str] | None = None
    """What somebody fights for under these options, as a sentence above the costs of the moves."""
    aftermath: Callable[[StateT, Sequence[SheetT], Sequence[str], Mapping[str, Value]], list[str]] | None = None
    """What a fight has cost and brought everybody in the end, as sentences; in place of the bare figures."""
    exchange: Exchange[StateT] | None = None
    """What is counted exactly for every move, where there are not too many outcomes."""
    announces: Callable[[Event, Sequence[str]], str] = nothing
    """For whom and what the next throw is, of an event that says just that; such events are no part of the story.

    `knight, initiative`; of several who throw in turn, `Flip-Off: knight, brute`, in the order of their turns.
    """
    scene: Callable[[StateT, Sequence[SheetT], int], list[Widget]] | None = None
    """What to draw of the fighter at a place, out of a state that is cut to the viewer; without it bars of the gauges.
    """
    thrown: Callable[[Event], list[Thrown]] | None = None
    """What an event's `fell` looks like; an announcement comes with what fell after it. Without it, as it was thrown.
    """
    handout: Callable[[], Handout] | None = None
    """The rules on a page and the boxes of a sheet, for `affray print`; without it they come from the rulings."""
    creation: Creation[SheetT] | None = None
    """How somebody makes a fighter of their own, for `affray sheets new`."""

    def __repr__(self) -> str:
        return f"affray.system({self.id!r})"


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The ids of all installed systems."""
    return sorted(_entry_points())


@cache
def find(id: str) -> System[Any, Any]:
    """The installed system of that id."""
    points = _entry_points()
    if id not in points:
        raise Invalid(unknown("combat system", id, sorted(points)), given=id, allowed=sorted(points))
    system = points[id].load()
    if not isinstance(system, System):
        raise Invalid(f"the entry point {id!r} of {GROUP} is a {type(system).__name__}, not an affray System", given=id)
    return system
