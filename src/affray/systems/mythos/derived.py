"""What follows from the characteristics: HP, MOV, Dodge, Build and the damage bonus."""

from __future__ import annotations

# STR + SIZ up to this, the damage bonus as dice, sides and a flat number, and the Build.
BUILDS = (
    (64, (0, 0, -2), -2),
    (84, (0, 0, -1), -1),
    (124, (0, 0, 0), 0),
    (164, (1, 4, 0), 1),
    (204, (1, 6, 0), 2),
    (284, (2, 6, 0), 3),
    (364, (3, 6, 0), 4),
)
FURTHER = 80  # each so many points beyond the table are one more D6 and one more Build


def hp_of(constitution: int, size: int) -> int:
    """Hit points."""
    return max(1, (constitution + size) // 10)


def dodge_of(dexterity: int) -> int:
    """The Dodge skill of a fighter who never learned it."""
    return max(1, dexterity // 2)


def mov_of(strength: int, dexterity: int, size: int) -> int:
    """MOV, how fast a fighter is."""
    if strength < size and dexterity < size:
        return 7
    return 9 if strength > size and dexterity > size else 8


def bonus_and_build(total: int) -> tuple[tuple[int, int, int], int]:
    """The damage bonus (dice, sides, flat) and the Build for STR + SIZ."""
    for most, bonus, build in BUILDS:
        if total <= most:
            return bonus, build
    last, (count, sides, flat), build = BUILDS[-1]
    more = -(-(total - last) // FURTHER)
    return (count + more, sides, flat), build + more


def bonus_text(bonus: tuple[int, int, int]) -> str:
    """A damage bonus as one writes it: -1, none, 1D4."""
    count, sides, flat = bonus
    return f"{count}D{sides}" if count else str(flat) if flat else "none"
