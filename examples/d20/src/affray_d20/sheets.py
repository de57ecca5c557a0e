"""The sheet of a creature, and the options of the rules."""

from affray.system import Flag, Option, Sheet, Sheets, Text, Whole, Word, field
from affray_d20.tactics import TACTICS


class Creature(Sheet):
    """A creature as it enters a skirmish."""

    hit_points: int = field(Whole(1, 300), 10)
    armour_class: int = field(Whole(5, 30), 12, "what an attack must reach")
    attack: int = field(Whole(-5, 20), 3, "added to the d20")
    damage_dice: int = field(Whole(0, 8), 1)
    damage_sides: int = field(Whole(2, 12), 6)
    damage_bonus: int = field(Whole(-5, 20), 0)
    initiative: int = field(Whole(-5, 20), 0, "added to the d20 for the order")
    critical: int = field(Whole(2, 20), 20, "the lowest natural roll that is a critical hit")
    tactic: str = field(Word(tuple(TACTICS)), "brute", "how a computer plays it")
    note: str = field(Text(), "")


SHEETS = Sheets(Creature, "affray_d20")
OPTIONS = (
    Option("double_dice", Flag(), True, "a critical hit doubles the damage dice", "critical"),
    Option("roll_initiative", Flag(), True, "initiative is rolled, not only compared", "initiative"),
    Option("round_cap", Whole(1, 10_000), 200, "rounds after which it is a draw", "rounds"),
)
