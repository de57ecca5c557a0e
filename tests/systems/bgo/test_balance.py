"""What the rulings promise of the data: a player of a rank beats a creature of that rank three times in four and more.

Counted to the last outcome, with plain equipment, full Health and the best play there is.
"""

from __future__ import annotations

from statistics import mean

import pytest

from affray.lab.odds import odds
from affray.systems.bgo.sheets import SLOTS, creatures, enlist, items

PLAIN = {
    1: (),
    2: ("short-sword", "leather-vest", "copper-heart"),
    3: ("steel-sword", "chain-shirt", "bronze-heart"),
    4: ("war-axe", "scale-coat", "silver-heart"),
    5: ("knights-greatsword", "plate-mail", "golden-heart"),
    6: ("titan-cleaver", "titan-plate", "diamond-heart"),
    7: ("worldsplitter", "dragonscale-plate", "star-heart"),
}
"""What a player of each rank wears: one thing of that rank in each slot, which adds numbers and no ability."""

OF_THE_DOCUMENT = ("fire-slime", "fast-slime")  # easy in full Health, and not ours to change


def wins(rank: int, creature: str) -> float:
    player = {"base": "player", "equipment": list(PLAIN[rank])}
    return float(odds("bgo", {"heroes": [player], "monsters": [creature]}, play="best").for_team("heroes")["win"])


@pytest.mark.parametrize("rank", PLAIN)
def test_a_player_beats_a_creature_of_the_same_rank_75_to_90_times_in_a_hundred(rank: int) -> None:
    assert enlist({"base": "player", "equipment": list(PLAIN[rank])}).rank == rank
    won = {id: wins(rank, id) for id, one in creatures().items() if one.rank == rank and id not in OF_THE_DOCUMENT}
    assert 0.75 <= mean(won.values()) <= 0.90, won
    assert {id: share for id, share in won.items() if not 0.70 <= share <= 0.92} == {}


def test_plain_equipment_is_plain() -> None:
    for rank, worn in PLAIN.items():
        known = [items()[id] for id in worn]
        assert [(item.rank, item.slot, item.abilities) for item in known] == [(rank, slot, {}) for slot in SLOTS][
            : len(known)
        ]


def test_every_rank_has_a_creature_of_every_type() -> None:
    for rank in range(1, 8):
        assert {one.type for one in creatures().values() if one.rank == rank} == {
            "physical",
            "mental",
            "fire",
            "wind",
            "earth",
            "water",
        }


def test_snare_belongs_to_somebody() -> None:
    bearers = {one.rank for one in creatures().values() if "snare" in one.abilities}
    assert bearers == {2, 4, 7}
