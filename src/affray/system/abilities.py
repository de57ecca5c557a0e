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
class Costs(Generic[SheetT]):
    """What is shown for every move beside the odds; by the last cost, the sum of all, moves are judged."""

    costs: tuple[Cost[SheetT], ...]
    at_stake: Callable[[Setup[SheetT], int], str]
    """What the fighter at a place of the record fights for, above the costs of the moves."""
    aftermath: Callable[[Setup[SheetT], Any], list[str]]
    """What a fight has cost and brought every fighter in the end; in place of the bare figures."""


@dataclass(frozen=True)
class Exchange(Generic[StateT]):
    """What a move brings at once, before the next decision: small enough to be counted to the last outcome."""

    names: tuple[str, ...]
    measure: Callable[[StateT, StateT, int, list[int]], None] | None = None
    """A rule that writes down, of the states before and after a move of a fighter, one number for each name."""
    count: Callable[[Any, StateT, int, int], Mapping[str, Fraction]] | None = None
    """Instead of that: out of the set-up, a view, the fighter's place and a move, the chance of some of the names."""


class Way(Protocol[SheetT]):
    """A way to get better between fights: the sheet afterwards, and what happened, line by line."""

    def __call__(self, sheet: SheetT, dice: Dice, /) -> tuple[SheetT, list[str]]: ...


@dataclass(frozen=True)
class Recovery(Generic[StateT, SheetT]):
    """What lasts of a fight, and what a fighter may do between fights to get better."""

    after_fight: Callable[[StateT, int, SheetT], SheetT]
    """The sheet of a fighter as the fight has left it."""
    ways: Mapping[str, Way[SheetT]] = field(default_factory=dict)
    """What may be done to get better, by the word for it."""
    settles: bool = False
    """Whether the end of a fight changes also the sheet of a fighter whom the fight has left untouched."""


@dataclass(frozen=True)
class Spoils:
    """What a fight brings a fighter whose sheet stands in a file, where dice have a say in it: rewards."""

    module: str
    """The dotted path of a module, imported when it is needed. Its `after(setup, state, who, spec, dice)` gives what
    changes in the table of the file, where the spec is `FILE.toml#ID`, and lines to tell; it stands in place of
    `Recovery.after_fight` there."""


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

    order_option: str | None = None
    """The option that takes the number of teams whose order was given at the start, where the order matters."""

    exact_names: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether names that differ only in upper and lower case are different names under these options."""

    wizards_reach: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether a wizard may add players who are elsewhere under these options."""

    idle_removal: Callable[[Mapping[str, Value]], bool] = lambda options: False
    """Whether to remove a fighter who is not on that team counts as done under these options."""

    undo: Undo = "agreed"
    """What may be taken back in a combat of a world that does not say, where the system itself leaves that free."""

    tells_start: bool = False
    """Whether the story itself begins by saying that the fight has started."""

    help: Mapping[str, str] = field(default_factory=dict)
    """What the page of help of a command says about this system, by the word of the command."""


@dataclass(frozen=True)
class Cards:
    """A deck of real cards: what a person who turns one over may call it, and a few words that say so."""

    names: Sequence[Sequence[str]]
    """Of every card by its number, from 0 on: words in small letters, some of which several cards may share."""
    hint: str
    veil: Mapping[str, Value] = field(default_factory=dict)
    """Options under which the rules know no more than the players: for real cards on a table, and for public logs."""
    public: Callable[[Any], Any] = lambda sheet: sheet
    """A sheet without what its owner does not know either, such as cards that lie face down; for public logs."""


@dataclass(frozen=True)
class Things:
    """What comes with a system besides fighters, such as equipment and blessings; it is listed with the sheets."""

    known: Callable[[], Mapping[str, Mapping[str, Sheet]]]
    """All of it by kind and id."""
    described: Callable[[Any], str]
    """What one of them is and does, in a line, without its name."""


@dataclass(frozen=True)
class Print:
    """The rules on a page and the boxes of a sheet, for `affray print`; without it they come from the rulings."""

    source: str | Handout
    """The package whose `data/handout.toml` it is, or the handout itself."""

    def handout(self) -> Handout:
        """The handout as it is written."""
        from affray.system.handout import handout_of

        return handout_of(self.source) if isinstance(self.source, str) else self.source


@dataclass(frozen=True)
class LogFormat:
    """A kind of log that a system writes besides those of fights.

    `module` is the dotted path of a module that is imported when such a log is read. It has `verify(content, where)`,
    which gives a Verdict as `affray.fight.saving.verify` does, and `retell(path)`, which gives a `Retold`.
    """

    name: str
    """What a log says under `format`."""
    of: str
    """What such a log tells of, in a word, such as `journey`."""
    module: str


@dataclass(frozen=True)
class Retold:
    """A log as its story: each line with the number of its decision, how it ended as a sentence, and plain values."""

    lines: Sequence[tuple[int, str]]
    ending: str
    facts: Mapping[str, object]
