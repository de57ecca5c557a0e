"""A toy system for thinkers: both choose a side at once, and the choices say how likely the first player wins."""

from __future__ import annotations

from typing import Annotated

from affray.kernel.chance import Dice, pick
from affray.kernel.records import I32, PerFighter, record
from affray.kernel.rules import Log, event, rule
from affray.kernel.state import Fighter, State, seal
from affray.system.contract import System
from affray.system.schema import Whole
from affray.system.sheets import Sheet, Sheets, field

WAYS = 10
WINS = ((8, 2), (3, 6))
"""In how many of ten ways the first player wins, by both choices; mixing 1/3 and 2/3 wins in 14/3 of them."""
SHOWS = event("{who} shows {side}.", rule="pennies")


class Chooser(Sheet):
    nerve: int = field(Whole(1, 9), 1)


@record
class One(Fighter):
    side: I32


@record
class Table(State):
    fighters: Annotated[list[One], PerFighter(One)]


@rule
def begin(table: Table, dice: Dice, log: Log | None) -> None:
    table.due = 3


@rule
def legal(table: Table, who: int, moves: list[int]) -> int:
    moves[0], moves[1] = 1, 2
    return 2 if table.due >> who & 1 else 0


@rule
def apply(table: Table, who: int, move: int, dice: Dice, log: Log | None) -> None:
    table.fighters[who].side = move
    if seal(table, who):
        wins = WINS[table.fighters[0].side - 1][table.fighters[1].side - 1]
        table.ending = 0 if pick(dice, WAYS) < wins else 1


@rule
def hide(seen: Table, viewer: int) -> None:
    for who in range(len(seen.fighters)):
        if who != viewer:
            seen.fighters[who].side = 0


system = System(
    id="pennies",
    title="Pennies",
    state=Table,
    sheets=Sheets(Chooser, {"ann": {"name": "Ann"}, "ben": {"name": "Ben"}}),
    begin=begin,
    legal=legal,
    apply=apply,
    moves={1: "heads", 2: "tails"},
    hide=hide,
)
