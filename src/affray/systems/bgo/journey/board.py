"""What chance brings on the board: the way, the event, the creature by rank, the find and the reward."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from affray.errors import listing
from affray.kernel.chance import Dice, percent, pick, pips
from affray.system.schema import Value
from affray.systems.bgo import sheets
from affray.systems.bgo.sheets import Boon, Consumable, Creature, Curse, Item

Reward = Item | Boon | Consumable
Table = Sequence[tuple[str, str | None]]
TOP_RANK = 6  # 14: no reward is above it

# The d100 of each table, from 1 up: its entries, each with the option that is its share; None is what they leave.
EVENTS: Table = (
    ("encounter", "encounter_rate"),
    ("rest", "rest_rate"),
    ("find", "find_rate"),
    ("boon", "boon_rate"),
    ("curse", "curse_rate"),
    ("nothing", None),
)
DANGER: Table = (("usual", None), ("dangerous", "danger_rate"))
REWARD_RANK: Table = (("+0", None), ("+1", "reward_plus_one"), ("+2", "reward_plus_two"))
REWARD_KIND: Table = (("equipment", None), ("boon", "reward_boon"), ("consumable", "reward_consumable"))


class Ranked(Protocol):
    """Anything of the data that has a rank."""

    @property
    def id(self) -> str: ...
    @property
    def rank(self) -> int: ...


RankedT = TypeVar("RankedT", bound=Ranked)


def shares(table: Table, options: Mapping[str, Value]) -> dict[str, int]:
    """How many of 100 each entry of a table has; they add up to 100."""
    known = {entry: int(options[option]) for entry, option in table if option is not None}
    rest = 100 - sum(known.values())
    return {entry: known.get(entry, rest) for entry, _ in table}


def of_rank(things: Iterable[RankedT], rank: int) -> list[RankedT]:
    """The things of a rank, or of the nearest that there is; of two equally near the lower (34)."""
    known = list(things)
    nearest = min((thing.rank for thing in known), key=lambda other: (abs(other - rank), other))
    return [thing for thing in known if thing.rank == nearest]


def up_to_rank(things: Iterable[RankedT], rank: int) -> list[RankedT]:
    """The things of a rank and of all below it."""
    return [thing for thing in things if thing.rank <= rank]


class Fate:
    """The dice of the board. `purpose` says what the last throw was for, or the one that is due."""

    def __init__(self, dice: Dice, options: Mapping[str, Value]) -> None:
        self.dice, self.options = dice, options
        self.purpose = ""

    def way(self) -> int:
        """How far a player moves."""
        self.purpose = "the move"
        return pips(self.dice, 2, 6)

    def event(self) -> str:
        """What happens on a square (13)."""
        return self._look_up("the event", EVENTS)

    def creature(self, rank: int) -> tuple[Creature, bool]:
        """Whom a player of a rank encounters, and whether that is dangerous: of a higher rank than usual (12)."""
        usual = of_rank(sheets.creatures().values(), rank)
        dangerous = self._look_up("the danger", DANGER) == "dangerous"
        met = self._one("the creature", of_rank(sheets.creatures().values(), rank + 1) if dangerous else usual)
        return met, met.rank > usual[0].rank

    def find(self, rank: int, owned: Collection[str]) -> Item | Consumable:
        """What lies about for a player of a rank: equipment or a consumable of that rank (35)."""
        lying: list[Item | Consumable] = [
            *of_rank(sheets.items().values(), rank),
            *of_rank(sheets.consumables().values(), rank),
        ]
        return self._one("the find", lying, owned)

    def boon(self, rank: int, owned: Collection[str]) -> Boon:
        """A boon of the board: of the player's rank or below (36)."""
        return self._one("the boon", up_to_rank(sheets.boons().values(), rank), owned)

    def curse(self, rank: int, owned: Collection[str]) -> Curse:
        """A curse of the board: of the player's rank or below (36)."""
        return self._one("the curse", up_to_rank(sheets.curses().values(), rank), owned)

    def reward(self, rank: int, owned: Collection[str]) -> Reward:
        """What defeating a creature of a rank brings (14)."""
        worth = min(TOP_RANK, rank + int(self._look_up("the rank of the reward", REWARD_RANK)))
        match self._look_up("the kind of the reward", REWARD_KIND):
            case "boon":
                return self._one("the reward", of_rank(sheets.boons().values(), worth), owned)
            case "consumable":
                return self._one("the reward", of_rank(sheets.consumables().values(), worth))
            case _:
                return self._one("the reward", of_rank(sheets.items().values(), worth), owned)

    def _look_up(self, purpose: str, table: Table) -> str:
        """Roll d100 on a table."""
        self.purpose = purpose
        roll = percent(self.dice, 0)
        for entry, share in shares(table, self.options).items():
            roll -= share
            if roll <= 0:
                return entry
        raise AssertionError("the shares of a table add up to 100")

    def _one(self, purpose: str, things: Sequence[RankedT], owned: Collection[str] = ()) -> RankedT:
        """One of the things, each as likely, and none that the player has while there are others (35)."""
        fresh = [thing for thing in things if thing.id not in owned] or things
        named = (f"{place} {thing.id}" for place, thing in enumerate(fresh))
        self.purpose = f"{purpose} ({listing(named, most=len(fresh))})"
        return fresh[pick(self.dice, len(fresh))]
