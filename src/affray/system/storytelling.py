"""What a storyteller may change in a fight: an ability of a system, with a default that its record and sheets give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from affray.errors import Illegal
from affray.kernel.chance import Dice
from affray.kernel.records import Cell, PerFighter, shape
from affray.kernel.rules import Log
from affray.kernel.state import STANDING, last_team
from affray.system.abilities import SheetT, StateT
from affray.system.schema import Whole
from affray.system.sheets import schema

if TYPE_CHECKING:
    from affray.system.setup import Setup


@dataclass(frozen=True)
class Touch:
    """A quantity of a fighter that may be changed: its name, the cell that holds it, and its range.

    A condition is a quantity of 0 or 1. `at` is a place in a row of cells; `bit` is the lowest of the bits of a cell
    that hold it, so `wide` many.
    """

    name: str
    cell: str
    low: int
    high: int
    says: str = ""
    at: int | None = None
    bit: int | None = None
    wide: int = 1

    @property
    def is_condition(self) -> bool:
        """Whether it is on or off."""
        return (self.low, self.high) == (0, 1)

    def read(self, fighter: Any) -> int:
        """The value that a fighter's record has."""
        held = getattr(fighter, self.cell)
        value: int = held if self.at is None else held[self.at]
        return value if self.bit is None else value >> self.bit & (1 << self.wide) - 1

    def write(self, fighter: Any, value: int) -> None:
        """Set the value in a fighter's record."""
        if self.bit is not None:
            mask = (1 << self.wide) - 1 << self.bit
            value = getattr(fighter, self.cell) & ~mask | value << self.bit
        if self.at is None:
            setattr(fighter, self.cell, value)
        else:
            getattr(fighter, self.cell)[self.at] = value


@dataclass(frozen=True)
class Deal:
    """Something that the system's own rules do to a fighter on the storyteller's word, a number of times or points."""

    says: str
    do: Callable[[Any, int, int, Dice, Log | None], None]
    """Given the state, the fighter's place and how many, with the fight's dice."""
    most: int = 1


def derived(setup: Setup[Any], state: Any, who: int) -> list[Touch]:
    """Every cell named like a whole number of the sheet, in the sheet's range.

    The first of them is what a fighter lives by: it goes up to the sheet's value and no lower than 1, because only
    the rules of a system know what happens at 0.
    """
    fighter, sheet = state.fighters[who], setup.sheets[who]
    known, touches = schema(type(sheet)), list[Touch]()
    for name, part in shape(type(fighter)):
        kind = known.get(name)
        if not isinstance(part, Cell) or not isinstance(kind, Whole) or not isinstance(getattr(sheet, name), int):
            continue
        low, high = (kind.low, kind.high) if touches else (1, max(1, getattr(sheet, name)))
        touches.append(Touch(name.replace("_", "-"), name, low, high))
    return touches


def settle(state: Any, who: int, dice: Dice, log: Log | None) -> None:
    """Fighters who are out of the fight are no longer asked, and it ends when one team is left."""
    for place, fighter in enumerate(state.fighters):
        if fighter.state != STANDING:
            state.due &= ~(1 << place)
    state.ending = last_team(state)


def skip(state: Any, who: int, dice: Dice, log: Log | None) -> None:
    """Those who are asked at the same time decide without the fighter."""
    state.due &= ~(1 << who)


def depart(state: Any, who: int, way: int, log: Log | None) -> None:
    """The fighter's state says how it went."""
    state.fighters[who].state = way


def join(state: Any, seated: Any, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer is last in the order of the fighters, if there is one."""
    if isinstance(dict(shape(type(state))).get("order"), PerFighter):
        state.order[who] = who


def has_order(state: Any) -> bool:
    """Whether single fighters act in an order that lasts, turn by turn."""
    cells = dict(shape(type(state)))
    return isinstance(cells.get("order"), PerFighter) and isinstance(cells.get("turn"), Cell)


def gathered(state: Any, members: Sequence[int]) -> list[int]:
    """The order of the fighters with these one directly after another, where the first of them stands.

    Only those move who still have their turn in this round, so no one gains or loses one; the fighter whose turn it is
    keeps the place.
    """
    if not has_order(state):
        raise Illegal("this system has no order in which single fighters act")
    order: list[int] = list(state.order)
    if sorted(order) != list(range(len(order))):
        raise Illegal("the order in which fighters act is not settled yet")
    places = sorted(order.index(who) for who in members)
    if places[0] < state.turn:
        raise Illegal("some of them have acted already; gather them before that, as at the beginning of a round")
    group = [order[place] for place in places]
    rest = [who for who in order if who not in group]
    return [*rest[: places[0]], *group, *rest[places[0] :]]


def check_acting(state: Any, phase: int) -> None:
    """Refuse to skip or insert a turn while a fighter is asked about something else than an action."""
    if state.phase != phase:
        raise Illegal("a turn can be skipped or inserted only when an action is chosen; another question is open now")


def skipping(
    phase: int, stage: int, proceed: Callable[[Any, Dice, Log | None], None]
) -> Callable[[Any, int, Dice, Log | None], None]:
    """A `skip` for rules that go on in stages: the turn ends without the action that this phase asks for."""

    def skip(state: Any, who: int, dice: Dice, log: Log | None) -> None:
        check_acting(state, phase)
        state.due = 0
        state.stage = stage
        proceed(state, dice, log)

    return skip


def insert_turn(state: Any, who: int, begin: Callable[[], None]) -> None:
    """Begin a turn of a fighter before that of the fighter whose turn it is."""
    place, present = state.turn, state.order[state.turn]
    state.order[place] = who
    begin()
    state.order[place] = present
    state.turn = place - 1


def owing(state: Any) -> list[int]:
    """The places of the fighters who owe an answer."""
    return [who for who in range(len(state.fighters)) if state.due >> who & 1]


def come_near(state: Any, seated: Any, who: int) -> None:
    """A newcomer is as near to the others, and they to the newcomer, as at the opening."""
    for other, fighter in enumerate(state.fighters[:who]):
        fighter.near |= (seated.fighters[who].near >> other & 1) << who


def fit(setup: Setup[Any], state: Any, who: int) -> None:
    """No cell depends on another."""


@dataclass(frozen=True)
class Storytelling(Generic[StateT, SheetT]):
    """What a storyteller may change in a fight of the system, and what follows from it by the system's own rules."""

    touches: Callable[[Setup[SheetT], StateT, int], Sequence[Touch]] = derived
    """The quantities of the fighter at a place: by default those that the sheet has as well."""
    fit: Callable[[Setup[SheetT], StateT, int], None] = fit
    """Brings the other cells of a fighter in line with a quantity that was changed."""
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """What may be dealt to a fighter, by name, such as a Stamina point or Harm."""
    settle: Callable[[StateT, int, Dice, Log | None], None] = settle
    """What follows for a fighter who was touched, and for the fight: falls by the rules, the end, the next question."""
    skip: Callable[[StateT, int, Dice, Log | None], None] = skip
    """Takes the turn of a fighter who is asked: by default only where others are asked too."""
    turn: Callable[[StateT, int, Dice, Log | None], None] | None = None
    """Lets a fighter who stands act now, if the system can do that."""
    ways_out: Mapping[str, int] = field(default_factory=lambda: {"out": 1})
    """How a fighter may leave, the usual way first: each word with what `depart` is given."""
    depart: Callable[[StateT, int, int, Log | None], None] = depart
    """Takes a fighter out of the fight in one of those ways."""
    stands: Callable[[StateT, int], bool] = lambda state, who: bool(state.fighters[who].state == STANDING)  # type: ignore[attr-defined]
    """Whether a fighter is still in the fight."""
    returns: bool = True
    """Whether one who is out may be brought back by the `state` of its record alone."""
    join: Callable[[StateT, StateT, int, Dice, Log | None], None] = join
    """Finds a place for a newcomer, who is in the record already; it also gets a state with all freshly seated."""
