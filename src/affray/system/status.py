"""A status as text: its width, bars, and a first column with full names, on lines of their own if they are too long."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 80  # columns
LEAST = 12


def name_column(names: Sequence[str], most: int) -> int:
    """The width of the column: that of the longest name that fits the maximum."""
    return max([LEAST, *(len(name) for name in names if len(name) <= most)])


def named_row(name: str, wide: int, row: str) -> list[str]:
    """The lines of a fighter's row."""
    return [f"{name:{wide}}  {row}"] if len(name) <= wide else [name, f"{'':{wide}}  {row}"]


def bar(value: int, most: int, width: int = 10) -> str:
    """A value and its maximum as a row of characters."""
    filled = -(-value * width // most) if most else 0
    return "#" * filled + "." * (width - filled)
