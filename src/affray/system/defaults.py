"""The defaults for the parts that a small system need not define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from affray.kernel.chance import Dice
from affray.kernel.records import Cell, shape
from affray.kernel.rules import Log, rule
from affray.system.notation import by_prefix
from affray.system.pictures import Gauge, Widget
from affray.system.schema import Value, Word, slug
from affray.system.status import bar, name_column, named_row

if TYPE_CHECKING:
    from affray.system.contract import Impossible, System
    from affray.system.setup import Setup
    from affray.system.sheets import Sheet

LONGEST_NAME = 24  # of names written before the gauges


def seat(setup: Setup[Any], state: Any) -> None:
    """Copy every number of the sheets and options into the cell of the same name.

    An option that is a word becomes the word's place among those allowed.
    """
    for name, words in _options_in(setup.system):
        value: Any = setup.options[name]
        setattr(state, name, words.index(value) if words else int(value))
    for fighter, sheet in zip(getattr(state, "fighters", ()), setup.sheets, strict=False):
        for name in _shared(type(fighter), type(sheet)):
            number = getattr(sheet, name)
            if isinstance(number, int):
                setattr(fighter, name, int(number))


@cache
def _options_in(system: System[Any, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """The options that have a cell, each with the words that are allowed where it is a word."""
    words = {option.name: option.field.allowed if isinstance(option.field, Word) else () for option in system.options}
    return [(name, words[name]) for name in _numbers(system.state) if name in words]


_in_common: dict[tuple[type[Any], type[Any]], tuple[str, ...]] = {}


def _shared(fighter: type[Any], sheet: type[Any]) -> tuple[str, ...]:
    """The cells of a fighter whose names a sheet has too."""
    if (fighter, sheet) not in _in_common:
        known = {*dir(sheet), *(part.name for part in fields(sheet))}
        _in_common[fighter, sheet] = tuple(name for name in _numbers(fighter) if name in known)
    return _in_common[fighter, sheet]


def _numbers(record: type[Any]) -> list[str]:
    return [name for name, part in shape(record) if isinstance(part, Cell)]


@rule
def most_moves(fighters: int) -> int:
    """Room for the moves of a game with a few kinds of them, each against any foe."""
    return 16 * (fighters + 1)


@rule
def figures(state: Any, log: Log | None) -> None:
    """Nothing is counted at the end."""


def write_move(setup: Setup[Any], state: Any, who: int, move: int) -> str:
    """The word for a move."""
    return str(setup.system.moves[move])


def read_move(setup: Setup[Any], state: Any, who: int, text: str, written: Mapping[str, int]) -> int:
    """The move that begins with a text."""
    return by_prefix(text, written, lambda: setup.impossible(state, who))


def impossible(setup: Setup[Any], state: Any, who: int) -> list[Impossible]:
    """No moves to explain besides the legal ones."""
    return []


def not_due(setup: Setup[Any], state: Any, who: int) -> str:
    """No other reason than that no decision of the fighter is open."""
    return ""


def question(setup: Setup[Any], state: Any) -> str:
    """Only the next move is ever asked for."""
    return ""


def told_as(setup: Setup[Any], who: int) -> str:
    """The name on the sheet, with an article unless it is a proper name: Anna, the goblin, the goblin 2."""
    sheet = setup.sheets[who]
    number = setup.names[who].removeprefix(setup.system.called(sheet)).replace("-", " ")
    return f"{setup.system.sheets.article(sheet)}{sheet.name}{number}"


def gauges(setup: Setup[Any], state: Any, who: int) -> list[Gauge]:
    """The fighter's first number that the sheet has too, with the sheet's value as the maximum."""
    fighter, sheet = state.fighters[who], setup.sheets[who]
    for name, part in shape(type(fighter)):
        most = getattr(sheet, name, None)
        if isinstance(part, Cell) and isinstance(most, int):
            value = max(0, getattr(fighter, name))
            return [Gauge(name.replace("_", " "), value, max(most, value))]
    return []


def status(setup: Setup[Any], state: Any) -> str:
    """The round, and every fighter's gauges."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [f"Round {state.round}"]
    for who, name in enumerate(setup.names):
        drawn = (
            f"{gauge.name} {bar(gauge.value, gauge.most)} {gauge.value}/{gauge.most}"
            for gauge in setup.system.gauges(setup, state, who)[:2]
        )
        lines += named_row(name, wide, "  ".join(drawn))
    return "\n".join(line[:80].rstrip() for line in lines)


def scene(setup: Setup[Any], state: Any, who: int) -> list[Widget]:
    """A bar for every gauge."""
    return [Widget("bar", gauge.name, gauge.value, gauge.most) for gauge in setup.system.gauges(setup, state, who)]


@rule
def hide(state: Any, viewer: int) -> None:
    """Nothing is hidden except who has answered in secret."""


@rule
def imagine(state: Any, viewer: int, dice: Dice) -> None:
    """Nothing is hidden that would have to be imagined."""


def called(sheet: Sheet) -> str:
    """The sheet's name in lowercase, with words joined by dashes."""
    return slug(sheet.name) or sheet.id


def derived(sheet: Sheet, options: Mapping[str, Value]) -> Mapping[str, object]:
    """No derived values."""
    return {}
