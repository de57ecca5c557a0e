"""Chance on the board: how far a player moves, the event, the creature by rank, the find and the reward."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

from affray.errors import listing
from affray.kernel.chance import Dice, percent, pick, pips
from affray.system.schema import Value
from affray.systems.bgo import sheets
from affray.systems.bgo.sheets import Boon, Consumable, Creature, Curse, Item

Reward = Item | Boon | Consumable
Table = Sequence[tuple[str, str | None]]

# The d100 of each table, from 1 up: its entries, each with the option that sets its share; None gets the remainder.
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
FIND_RANK: Table = (("+0", None), ("+1", "find_plus_one"))


class Ranked(Protocol):
    """Anything in the data that has a rank."""

    @property
    def id(self) -> str: ...
    @property
    def rank(self) -> int: ...
    @property
    def edition(self) -> int: ...


RankedT = TypeVar("RankedT", bound=Ranked)


def shares(table: Table, options: Mapping[str, Value]) -> dict[str, int]:
    """The share of each entry of a table in 100; the shares add up to 100."""
    known = {entry: int(options[option]) for entry, option in table if option is not None}
    rest = 100 - sum(known.values())
    return {entry: known.get(entry, rest) for entry, _ in table}


def of_rank(things: Iterable[RankedT], rank: int) -> list[RankedT]:
    """The things of a rank, or of the nearest rank that has any; of two equally near, the lower (34)."""
    known = list(things)
    nearest = min((thing.rank for thing in known), key=lambda other: (abs(other - rank), other))
    return [thing for thing in known if thing.rank == nearest]


def from_rank(things: Iterable[RankedT], rank: int) -> list[RankedT]:
    """The things of a rank, or of the next higher rank that has any; beyond the highest, the highest (14)."""
    known = list(things)
    ranks = {thing.rank for thing in known}
    worth = min((other for other in ranks if other >= rank), default=max(ranks))
    return [thing for thing in known if thing.rank == worth]


def up_to_rank(things: Iterable[RankedT], rank: int) -> list[RankedT]:
    """The things of a rank and of all below it."""
    return [thing for thing in things if thing.rank <= rank]


def lower_slots(worn: Iterable[Item], rank: int) -> list[str]:
    """The slots that are empty or hold something below a rank (43)."""
    ranks = {item.slot: item.rank for item in worn}
    return [slot for slot in sheets.SLOTS if ranks.get(slot, 0) < rank]


@dataclass(frozen=True)
class Gate:
    """A gate on the way: its number from 1 on, its square, and the rank of the guardian before it (44)."""

    number: int
    square: int
    rank: int


@cache
def gates(squares: int, count: int, top: int) -> tuple[Gate, ...]:
    """The gates of a board: evenly spread, the last on the last square, with a guardian of the top rank."""
    return tuple(Gate(n, -(-squares * n // count), max(1, top * n // count)) for n in range(1, count + 1))


class Fate:
    """The dice of the board. `purpose` says what the last throw was for, or what the next one is for."""

    def __init__(self, dice: Dice, options: Mapping[str, Value]) -> None:
        self.dice, self.options = dice, options
        self.purpose = ""
        self.creatures = self._known(sheets.creatures())
        self.items = self._known(sheets.items())
        self.consumables = self._known(sheets.consumables())
        self.boons = self._known(sheets.boons())
        self.curses = self._known(sheets.curses())
        self.gates = gates(
            int(options["board_squares"]), int(options["gates"]), max(creature.rank for creature in self.creatures)
        )

    def _known(self, things: Mapping[str, RankedT]) -> list[RankedT]:
        """The things that the edition of this board has (46)."""
        return [thing for thing in things.values() if thing.edition <= int(self.options["edition"])]

    def way(self) -> int:
        """How far a player moves."""
        self.purpose = "the move"
        return pips(self.dice, 2, 6)

    def setback(self) -> int:
        """How far a guardian drives a player back (45)."""
        dice = int(self.options["setback_dice"])
        if not dice:
            return 0
        self.purpose = "the way back"
        return pips(self.dice, dice, 6)

    def event(self) -> str:
        """What happens on a square (13)."""
        return self._look_up("the event", EVENTS)

    def creature(self, rank: int) -> tuple[Creature, bool]:
        """The creature that a player of a rank encounters, and whether it is dangerous: above the usual ranks (12)."""
        usual = of_rank(self.creatures, rank)
        dangerous = self._look_up("the danger", DANGER) == "dangerous"
        met = self._one("the creature", of_rank(self.creatures, rank + 1) if dangerous else usual)
        return met, met.rank > usual[0].rank

    def guardian(self, gate: Gate) -> Creature:
        """The guardian of a gate (44)."""
        return self._one("the guardian", of_rank(self.creatures, gate.rank))

    def find(self, rank: int, owned: Collection[str]) -> Item | Consumable:
        """What a player of a rank finds: equipment or a consumable of that rank, or of the next (35)."""
        if int(self.options["find_plus_one"]):
            rank += int(self._look_up("the rank of the find", FIND_RANK))
        lying: list[Item | Consumable] = [*of_rank(self.items, rank), *of_rank(self.consumables, rank)]
        return self._one("the find", lying, owned)

    def boon(self, rank: int, owned: Collection[str]) -> Boon:
        """A boon of the board: of the player's rank or below (36)."""
        return self._one("the boon", up_to_rank(self.boons, rank), owned)

    def curse(self, rank: int, owned: Collection[str]) -> Curse:
        """A curse of the board: of the player's rank or below (36)."""
        return self._one("the curse", up_to_rank(self.curses, rank), owned)

    def reward(self, rank: int, owned: Collection[str], worn: Iterable[Item] = ()) -> Reward:
        """What defeating a creature of a rank brings: never less than its rank (14)."""
        worth = rank + int(self._look_up("the rank of the reward", REWARD_RANK))
        match self._look_up("the kind of the reward", REWARD_KIND):
            case "boon":
                return self._one("the reward", from_rank(self.boons, worth), owned)
            case "consumable":
                return self._one("the reward", from_rank(self.consumables, worth))
            case _:
                return self._one("the reward", self._equipment(worth, owned, worn), owned)

    def _equipment(self, worth: int, owned: Collection[str], worn: Iterable[Item]) -> list[Item]:
        """The equipment of a rank that may be a reward: if possible, better than what the player wears (43)."""
        known = from_rank(self.items, worth)
        if self.options["reward_slot"] == "any":
            return known
        slots = lower_slots(worn, known[0].rank)
        return [item for item in known if item.slot in slots and item.id not in owned] or known

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
        """One of the things, all equally likely; one that the player has only if there is no other (35)."""
        fresh = [thing for thing in things if thing.id not in owned] or things
        named = (f"{place} {thing.id}" for place, thing in enumerate(fresh))
        self.purpose = f"{purpose} ({listing(named, most=len(fresh))})"
        return fresh[pick(self.dice, len(fresh))]
