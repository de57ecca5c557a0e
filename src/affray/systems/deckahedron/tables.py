"""The four result tables, laid out as in the document: the result for each pair of cards."""

from __future__ import annotations

(
    DEAL_1,
    DEAL_D4,
    DEAL_D4_AND_1,
    DEAL_HARM,
    DEAL_WOUND,
    CRITICAL,
    PIN,
    FOE_MOVES,
    FOE_STUNNED,
    FOE_DOWN,
    TAKE_1,
    TAKE_D4,
    DROP,
    LOSE_AMMO,
    LOSE_STAMINA,
    DOWN,
    CLASH,
    REGAIN_1,
    REGAIN_D4,
    FOE_SUPERIOR,
) = (1 << bit for bit in range(20))

WORDS = {
    "deal 1": DEAL_1,
    "deal 1d4": DEAL_D4,
    "deal 1d4+1": DEAL_D4_AND_1,
    "deal harm": DEAL_HARM,
    "deal wound": DEAL_WOUND,
    "deal 1d4 with harm": CRITICAL,
    "foe pinned": PIN,
    "foe may move": FOE_MOVES,
    "foe stunned": FOE_STUNNED,
    "foe down": FOE_DOWN,
    "take 1": TAKE_1,
    "take 1d4": TAKE_D4,
    "drop": DROP,
    "lose ammo": LOSE_AMMO,
    "lose stamina": LOSE_STAMINA,
    "down": DOWN,
    "clash": CLASH,
    "regain 1": REGAIN_1,
    "regain 1d4": REGAIN_D4,
    "foe superior": FOE_SUPERIOR,
    "nothing": 0,
}
"""The words of the tables. The stunned and the down cannot do fatigue next turn; the down also lie on the ground."""

UNAWARE = """
    ✔✔ | deal 1d4
    ✔  | deal 1d4
    ✗  | nothing
    ✗✗ | nothing
"""

BREATHER = """
    ✔✔ | regain 1d4
    ✔  | regain 1d4 + foe superior
    ✗  | regain 1 + foe superior
    ✗✗ | foe superior
"""

RANGED = """
       | v ✔✔                     | v ✔                      | v ✗                    | v ✗✗
    ✔✔ | deal 1d4 + foe may move  | deal 1 + foe pinned      | deal 1d4 + foe pinned  | deal 1d4 with harm
    ✔  | deal 1 + foe may move    | deal 1 or foe pinned     | deal 1d4 or foe pinned | deal 1d4 + foe pinned
    ✗  | lose ammo + foe may move | lose ammo                | nothing                | foe pinned
    ✗✗ | lose ammo + lose stamina | lose ammo + foe may move | lose ammo              | lose ammo + foe pinned
"""

MELEE = """
       | v ✔✔                | v ✔                | v ✗      | v ✗✗
    ✔✔ | deal 1d4 + take 1d4 | deal 1d4 + take 1  | deal 1d4 | deal 1d4+1 or deal wound
    ✔  | deal 1 + take 1d4   | deal 1 + take 1    | deal 1d4 | deal 1d4 or deal harm
    ✗  | take 1d4 or drop    | take 1             | clash    | foe stunned
    ✗✗ | take 1d4            | take 1d4 or drop   | down     | down + foe down
"""

ROWS = ("✗✗", "✗", "✔", "✔✔")


def _effects(cell: str) -> tuple[int, int, int]:
    """A cell as what happens in any case, and the two things of which one is chosen."""
    if " or " in cell:
        either, other = cell.split(" or ")
        return 0, WORDS[either.strip()], WORDS[other.strip()]
    return sum(WORDS[word.strip()] for word in cell.split(" + ")), 0, 0


def _read(table: str) -> tuple[int, ...]:
    """A table as numbers, three for each cell, by the scores 1 to 4 of the one and, if there is one, of the other."""
    cells: dict[tuple[int, int], tuple[int, int, int]] = {}
    columns: list[int] = []
    for line in table.strip("\n").splitlines():
        head, *row = (part.strip() for part in line.split("|"))
        if not head:
            columns = [ROWS.index(part.removeprefix("v ")) for part in row]
            continue
        for place, cell in enumerate(row):
            cells[ROWS.index(head), columns[place] if columns else place] = _effects(cell)
    return tuple(number for place in sorted(cells) for number in cells[place])


ON_UNAWARE, ON_BREATHER, ON_RANGED, ON_MELEE = map(_read, (UNAWARE, BREATHER, RANGED, MELEE))
