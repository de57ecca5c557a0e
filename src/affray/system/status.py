"""The first column of a status: every fighter's name in full, above the row where it is too long to stand before it."""

from __future__ import annotations

from collections.abc import Sequence

LEAST = 12


def name_column(names: Sequence[str], most: int) -> int:
    """How wide the column is, at most so wide: as the longest of the names that fit into that."""
    return max([LEAST, *(len(name) for name in names if len(name) <= most)])


def named_row(name: str, wide: int, row: str) -> list[str]:
    """The lines of a fighter's row."""
    return [f"{name:{wide}}  {row}"] if len(name) <= wide else [name, f"{'':{wide}}  {row}"]


def bar(value: int, most: int, width: int = 10) -> str:
    """A value out of the most it can be, as a row of characters."""
    filled = -(-value * width // most) if most else 0
    return "#" * filled + "." * (width - filled)
