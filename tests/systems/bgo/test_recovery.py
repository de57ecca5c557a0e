"""What a single fight leaves of a player: Health, death, what is used up, and the reward (ruling 47)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Scripted, Seeded
from affray.system.sheet_files import change_sheet
from affray.systems.bgo import recovery, sheets
from affray.systems.bgo.journey import spoils
from affray.systems.bgo.journey.party import as_spec, set_out

HIT, MISS = (6, 6, 6), (1, 1, 1)
SAME, MORE = (0, 1), (0, 3)  # d100: 10, the creature's rank; 30, one more
EQUIPMENT, A_BOON, CONSUMABLE = (0, 1), (0, 9), (0, 0)  # d100: 10, 90, 100
ANN = '[ann]\nbase = "player"\nname = "Ann"\n'


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def fought(mine: Path, ann: str, *dice: Any, moves: Sequence[str] = ("attack",), foes: Sequence[str] = ()) -> Any:
    """Ann against the fire slime, round by round; what is to be written, what is told, and her table after it."""
    mine.write_text(ANN + ann)
    fight = Fight("bgo", {"heroes": [f"{mine}#ann"], "monsters": foes or ["fire-slime"]}, dice=Scripted(dice))
    for move in moves:
        fight.play("ann", move)
        for foe in fight.names[1:]:
            if foe in fight.to_act:
                fight.play(foe, "attack")
    assert fight.over
    changed, told = spoils.after(fight.setup, fight.state, 0, f"{mine}#ann", fight.dice)
    fight.dice.finish()
    change_sheet(mine, "ann", changed)
    return changed, told, sheets.enlist(f"{mine}#ann")


WIN = (HIT, HIT, HIT, HIT)  # two rounds in which both hit: the slime dies, and Ann loses 4


def place(id: str, *, worn: Sequence[str] = ()) -> int:
    """Where an item stands among the rewards that are left of its rank."""
    item = sheets.items()[id]
    taken = {sheets.items()[other].slot for other in worn}
    rest = [one for one in sheets.items().values() if one.rank == item.rank and one.slot not in taken]
    return rest.index(item)


def test_a_victory_heals_half_and_brings_an_item_that_is_worn(mine: Path) -> None:
    changed, told, sheet = fought(
        mine, "health = 7\n", *WIN[:1], MISS, HIT, HIT, MORE, EQUIPMENT, place("short-sword"), moves=("attack",) * 2
    )
    assert changed == {"max_health": 10, "health": 10, "equipment": ["short-sword"]}
    assert told == [
        "Ann gains a rank 2 item, Short Sword (rank 2 weapon: +1 † physical damage), and wears it.",
        "Ann has 10 of 10 Health.",
    ]
    assert (sheet.health, sheet.damage[0], sheet.equipment) == (10, 3, ("short-sword",))


def test_what_is_replaced_goes_into_the_pack_and_so_does_what_is_lower(mine: Path) -> None:
    worn = 'equipment = ["walking-stick"]\n'
    at = place("short-sword")
    changed, _, _ = fought(mine, worn, *WIN, MORE, EQUIPMENT, at, moves=("attack",) * 2)
    assert (changed["equipment"], changed["spares"]) == (["short-sword"], ["walking-stick"])
    full = 'equipment = ["war-axe", "scale-coat", "silver-heart"]\n'
    fresh = place("rabbit-foot")
    changed, told, _ = fought(mine, full, HIT, MISS, SAME, EQUIPMENT, fresh)
    assert ("equipment" in changed, changed["spares"]) == (False, ["rabbit-foot"])
    assert told[0].endswith("and packs it.")


def test_consumables_go_into_the_pack_and_boons_count(mine: Path) -> None:
    changed, _, _ = fought(mine, "", *WIN, SAME, CONSUMABLE, 0, moves=("attack",) * 2)
    assert changed["pack"] == ["herb-tea"]
    boons = 'boons = ["keen-eye", "hare-reflex"]\ncurses = ["haunted"]\n'
    changed, _, sheet = fought(mine, boons, *WIN, SAME, A_BOON, 0, moves=("attack",) * 2)
    assert changed["boons"] == ["keen-eye", "giants-heart"]
    assert changed["lasting"] == {"keen-eye": 2, "haunted": 2}
    assert sheet.max_health == 14


def test_lost_health_stays_lost_and_flight_brings_nothing(mine: Path) -> None:
    changed, told, sheet = fought(mine, "", HIT, moves=("flee",))
    assert changed == {"max_health": 10, "health": 8}
    assert told == ["Ann has 8 of 10 Health."]
    assert (sheet.health, sheet.max_health) == (8, 10)


def test_death_lasts_three_board_rounds_and_then_health_is_full(mine: Path) -> None:
    ann = 'health = 2\nequipment = ["short-sword"]\nboons = ["giants-heart"]\n'
    changed, told, sheet = fought(mine, ann, MISS, HIT)
    assert changed == {"max_health": 10, "health": 10, "misses": 3, "boons": []}
    assert told == ["Ann is dead for 3 board rounds; `affray recover round` passes one."]
    for _ in range(3):
        with pytest.raises(Invalid, match="Ann is dead for"):
            Fight("bgo", {"heroes": [sheets.as_table(sheet)], "monsters": ["fire-slime"]}, seed=1)
        sheet, said = recovery.board_round(sheet, Seeded(1))
    assert said == ["Ann is back with 10 Health."]
    assert (sheet.misses, sheet.health) == (0, 10)


def test_a_draw_brings_the_item_and_death(mine: Path) -> None:
    changed, told, _ = fought(
        mine, "health = 2\ndamage = { physical = 4 }\n", HIT, HIT, SAME, EQUIPMENT, place("walking-stick")
    )
    assert (changed["misses"], changed["equipment"]) == (3, ["walking-stick"])
    assert len(told) == 2


def test_the_reward_is_for_the_highest_creature(mine: Path) -> None:
    foes = ["fire-slime:health=1", "elder-wyrm:health=1"]
    dice = (HIT, MISS, MISS, HIT, MISS, SAME, EQUIPMENT, 0)
    mine.write_text(ANN + "damage = { physical = 30 }\n")
    fight = Fight("bgo", {"heroes": [f"{mine}#ann"], "monsters": foes}, dice=Scripted(dice))
    for target in ("fire-slime", "elder-wyrm"):
        fight.play("ann", f"attack {target}" if len(fight.to_act) > 2 else "attack")
        for foe in fight.names[1:]:
            if foe in fight.to_act:
                fight.play(foe, "attack")
    changed, told = spoils.after(fight.setup, fight.state, 0, f"{mine}#ann", fight.dice)
    assert "a rank 7 item" in told[0]
    assert [sheets.items()[id].rank for id in changed["equipment"]] == [7]


def test_players_who_fight_each_other_gain_nothing(mine: Path) -> None:
    changed, told, _ = fought(mine, "damage = { physical = 30 }\n", HIT, MISS, foes=["squire"])
    assert (changed, told) == ({}, ["Ann has 10 of 10 Health."])


def test_a_board_round_of_rest_heals_one(mine: Path) -> None:
    hurt = sheets.enlist("player:health=8")
    rested, told = recovery.board_round(hurt, Seeded(1))
    assert (rested.health, told) == (9, ["Player rests and has 9 of 10 Health."])
    assert recovery.board_round(sheets.enlist("player"), Seeded(1))[0].health == 10
    with pytest.raises(Invalid, match="every creature comes fresh"):
        recovery.board_round(sheets.enlist("fire-slime"), Seeded(1))


def test_what_was_kept_travels_along() -> None:
    spec = {
        "base": "player",
        "name": "Ann",
        "boons": ["keen-eye"],
        "lasting": {"keen-eye": 1},
        "spares": ["torch"],
        "pack": ["herb-tea", "herb-tea"],
    }
    ann = set_out([{"sheet": spec}])[0]
    assert [item.id for item in ann.spares] == ["torch"]
    assert [thing.id for thing in ann.pack] == ["herb-tea", "herb-tea"]
    assert ann.player.boons[0].encounters == 1
    assert set_out([as_spec(ann)]) == (ann,)
    with pytest.raises(Invalid, match="Ann is dead for 2 more board rounds"):
        set_out([{"sheet": {**spec, "misses": 2}}])
