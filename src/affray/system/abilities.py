"""What a system can do beyond fighting. A system lists the abilities it has; the rest of Affray asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from affray.kernel.chance import Dice
from affray.kernel.state import State

if TYPE_CHECKING:
    from affray.system.handout import Handout
    from affray.system.schema import Value
    from affray.system.setup import Setup
    from affray.system.sheets import Sheet
    from affray.system.undoing import Undo

StateT = TypeVar("StateT", bound=State)
SheetT = TypeVar("SheetT", bound="Sheet")


@dataclass(frozen=True)
class Cost(Generic[SheetT]):
    """A cost or gain of a decision besides the chance to win, calculated from the figures of play-outs."""

    name: str
    of: Callable[[SheetT, Mapping[str, float], Mapping[str, float]], float]
    """Given a sheet, its figures if the fight ended now, and their means at the end."""
    is_chance: bool = False
    sign: str = ""
    """The character that a bar draws it with, if it is a chance."""
    meaning: str = ""
    """What the name stands for, in a few words."""


@dataclass(frozen=True)
class Costs(Generic[SheetT]):
    """The columns shown for every move besides the odds; moves are ranked by the last one, the sum of all."""

    costs: tuple[Cost[SheetT], ...]
    at_stake: Callable[[Setup[SheetT], int], str]
    """The stake of the fighter at a place of the record, shown above the costs of the moves."""
    aftermath: Callable[[Setup[SheetT], Any], list[str]]
    """What the fight has cost and brought every fighter in the end; shown instead of the plain figures."""
    to_win: Callable[[Setup[SheetT], int], float] = lambda setup, who: 1.0
    """The most that the fighter at a place of the record can win, in the measure of the last cost."""


@dataclass(frozen=True)
class Exchange(Generic[StateT]):
    """The immediate effects of a move, before the next decision: few enough outcomes to count them all."""

    names: tuple[str, ...]
    measure: Callable[[StateT, StateT, int, list[int]], None] | None = None
    """A rule that compares the states before and after a fighter's move and writes a number for each name."""
    count: Callable[[Any, StateT, int, int], Mapping[str, Fraction]] | None = None
    """Instead of the rule: the chance of some names, given the set-up, a view, the fighter's place and a move."""


class Way(Protocol[SheetT]):
    """A way to recover between fights: returns the sheet afterwards, and what happened, line by line."""

    def __call__(self, sheet: SheetT, dice: Dice, /) -> tuple[SheetT, list[str]]: ...


@dataclass(frozen=True)
class Recovery(Generic[StateT, SheetT]):
    """The lasting effects of a fight, and what a fighter may do between fights to recover."""

    after_fight: Callable[[StateT, int, SheetT], SheetT]
    """The sheet of a fighter as the fight has left it."""
    ways: Mapping[str, Way[SheetT]] = field(default_factory=dict)
    """The ways to recover, by name."""
    settles: bool = False
    """Whether the end of a fight also changes the sheet of a fighter who was not hurt in it."""


@dataclass(frozen=True)
class Spoils:
    """What a fight brings a fighter whose sheet is in a file, if it depends on dice: rewards."""

    module: str
    """The dotted path of a module, imported when it is needed. Its `after(setup, state, who, spec, dice)` gives what
    changes in the table of the file for the spec `FILE.toml#ID`, and lines to tell; it replaces
    `Recovery.after_fight` for that fighter."""


@dataclass(frozen=True)
class Residence(Generic[StateT, SheetT]):
    """How a world stores fighters between fights: as attributes of players, and as one string for an NPC."""

    attributes: Mapping[str, str]
    """Each attribute a player needs, with its type."""

    player: Callable[[str, Mapping[str, object]], SheetT]
    """The sheet of a player of that name, made from the attributes' values."""

    npc: Callable[[str, str], SheetT]
    """The sheet of an NPC of that name, made from the string of its stats."""

    returns: Callable[[StateT, int, Mapping[str, object]], Mapping[str, object]]
    """The attributes of a player that the end of combat changes, given the current ones."""

    writes: Callable[[SheetT, Mapping[str, object]], Mapping[str, object]] | None = None
    """The attributes that store a sheet that changed between fights, given the current ones."""

    order_option: str | None = None
    """The option that takes the number of teams whose order was given at the start, if the order matters."""

    exact_names: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether names that differ only in upper and lower case are different names under these options."""

    wizards_reach: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether a wizard may add players who are elsewhere under these options."""

    idle_removal: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether removing a fighter who is not on that team counts as done under these options."""

    undo: Undo = "agreed"
    """The default for what may be taken back in a combat of a world, if the system itself has none."""

    tells_start: bool = False
    """Whether the story itself begins with a line that the fight has started."""

    is_default: bool = False
    """Whether combats that name no system are of this one, unless the world has another default."""

    help: Mapping[str, str] = field(default_factory=dict)
    """What a command's help says about this system, by the name of the command."""


@dataclass(frozen=True)
class Cards:
    """A deck of real cards: the names that a player may type for a card, and a short explanation of them."""

    names: Sequence[Sequence[str]]
    """The names of every card by its number, from 0 on, in lowercase; cards may share some of them."""
    hint: str
    veil: Mapping[str, Value] = field(default_factory=dict)
    """Options under which the rules know no more than the players: for real cards and for public logs."""
    public: Callable[[Any], Any] = lambda sheet: sheet
    """A sheet without what even its owner does not know, such as face-down cards; for public logs."""


@dataclass(frozen=True)
class Things:
    """Items that come with a system besides fighters, such as equipment and blessings; listed with the sheets."""

    known: Callable[[], Mapping[str, Mapping[str, Sheet]]]
    """All items by kind and id."""
    described: Callable[[Any], str]
    """What an item is and does, in a line, without its name."""


@dataclass(frozen=True)
class Print:
    """The rules on a page and the boxes of a sheet, for `affray print`; without it both come from the rulings."""

    source: str | Handout
    """The package whose `data/handout.toml` it is, or the handout itself."""

    def handout(self) -> Handout:
        """The handout as it is written."""
        from affray.system.handout import handout_of

        return handout_of(self.source) if isinstance(self.source, str) else self.source


@dataclass(frozen=True)
class LogFormat:
    """A kind of log that a system writes besides the logs of fights.

    `module` is the dotted path of a module that is imported when such a log is read. It has `verify(content, where)`,
    which gives a Verdict as `affray.fight.saving.verify` does, and `retell(path)`, which gives a `Retold`.
    """

    name: str
    """What a log says under `format`."""
    of: str
    """What such a log records, in a word, such as `journey`."""
    module: str


@dataclass(frozen=True)
class Retold:
    """A log as a story: each line with the number of its decision, the ending as a sentence, and plain values."""

    lines: Sequence[tuple[int, str]]
    ending: str
    facts: Mapping[str, object]
