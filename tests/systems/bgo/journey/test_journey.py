"""The journey over the board: its rulings by scripted dice, its log and files, its computer players, its invariants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Illegal, Invalid, Refused
from affray.fight.logfile import seal
from affray.kernel.chance import WHIM, Fair, Hand, Physical, Scripted, Seeded, Throw
from affray.system.contract import Impossible
from affray.systems.bgo import sheets
from affray.systems.bgo.journey import board, choices, computer_players
from affray.systems.bgo.journey.board import of_rank
from affray.systems.bgo.journey.journey import Journey
from affray.systems.bgo.journey.log import as_table
from affray.systems.bgo.journey.party import set_out
from affray.systems.bgo.journey.travellers import Traveller
from affray.systems.bgo.sheets import (
    FLAGS,
    TYPES,
    Boon,
    Consumable,
    Item,
    boons,
    consumables,
    creatures,
    curses,
    items,
)

GOLDEN = Path(__file__).parent / "golden"
HIT, MISS = (6, 6, 6), (1, 1, 1)


def d100(number: int) -> tuple[int, int]:
    """The units and the tens die of a d100."""
    return number % 10, number // 10 % 10


# The first d100 of each event, as the options stand.
ENCOUNTER, REST, FIND, BOON, CURSE, NOTHING = (d100(n) for n in (1, 51, 69, 81, 89, 97))
USUAL, DANGEROUS = d100(90), d100(91)
SAME, ONE_MORE, TWO_MORE = d100(20), d100(21), d100(81)
EQUIPMENT, A_BOON, CONSUMABLE = d100(80), d100(81), d100(96)


BARE = {"gates": 0, "find_plus_one": 0}  # the bare race; gates have a part of their own below


def journey(*results: Sequence[int] | int, players: Sequence[Any] = ("player:name=Ann",), **options: object) -> Journey:
    return Journey(players, dice=Scripted(results), options=BARE | options)


def fate(*results: Sequence[int] | int, **options: object) -> board.Fate:
    """The dice of the board alone."""
    return board.Fate(Scripted(results), Journey(["player"], seed=1, options=BARE | options).options)


def place(things: dict[str, Any] | Any, rank: int, id: str, owned: Sequence[str] = ()) -> int:
    """Where a thing stands among those of its rank."""
    return [thing.id for thing in of_rank(things.values(), rank) if thing.id not in owned].index(id)


def meets(id: str, danger: tuple[int, int] = USUAL) -> tuple[Any, ...]:
    """The dice of a roll of 7 that leads to a creature."""
    return (3, 4), ENCOUNTER, danger, place(creatures(), creatures()[id].rank, id)


def answers(trip: Journey, *texts: str) -> list[str]:
    """Answer for the player who is due; creatures follow by themselves."""
    told: list[str] = []
    for text in texts:
        assert trip.question is not None
        told += trip.answer(trip.question.who, text)
        told += trip.advance()
    return told


def finish(trip: Journey) -> None:
    assert isinstance(trip.dice, Scripted)
    trip.dice.finish()


def ann(trip: Journey) -> Traveller:
    return trip.travellers[0]


# Movement and the end (the journey, 42)


def test_a_player_rolls_two_dice_and_moves_that_far() -> None:
    trip = journey((3, 4), NOTHING)
    assert answers(trip, "roll")[0] == "Ann rolls 3 and 4 and moves to square 7."
    assert (ann(trip).square, trip.round) == (7, 2)
    finish(trip)


def test_the_last_square_must_be_passed_and_the_winner_draws_no_event() -> None:
    trip = journey((3, 4), NOTHING, (1, 1), board_squares=7)
    answers(trip, "roll")
    assert not trip.over
    assert answers(trip, "roll")[-1] == "Ann wins the journey in board round 2!"
    assert (trip.over, trip.winner, trip.to_act, trip.question) == (True, "ann", [], None)
    finish(trip)


def test_the_first_to_arrive_wins_at_once() -> None:
    trip = journey((6, 6), players=["player:name=Ann", "player:name=Bob"], board_squares=11)
    answers(trip, "roll")
    assert trip.winner == "ann"
    assert trip.travellers[1].square == 0


def test_players_take_turns_in_order_and_the_round_counts_on() -> None:
    trip = journey((1, 1), NOTHING, (2, 2), NOTHING, players=["player:name=Ann", "player:name=Bob"])
    assert trip.to_act == ["ann"]
    answers(trip, "roll")
    assert (trip.to_act, trip.round) == (["bob"], 1)
    answers(trip, "roll")
    assert (trip.to_act, trip.round) == (["ann"], 2)


# Events (13)


@pytest.mark.parametrize(
    ("roll", "event"),
    [
        (1, "encounters"),
        (50, "encounters"),
        (51, "rest"),
        (68, "rest"),
        (69, "finds something"),
        (80, "finds something"),
        (81, "boon"),
        (88, "boon"),
        (89, "cursed"),
        (96, "cursed"),
        (97, "Nothing"),
        (100, "Nothing"),
    ],
)
def test_events_by_their_shares(roll: int, event: str) -> None:
    trip = journey((1, 2), d100(roll), USUAL if roll <= 50 else 0, 0)
    assert event in " ".join(answers(trip, "roll")[1:3])


@pytest.mark.parametrize("rate", ["encounter_rate", "rest_rate", "find_rate", "boon_rate", "curse_rate"])
def test_a_rate_of_100_leaves_nothing_else(rate: str) -> None:
    rates = dict.fromkeys(["encounter_rate", "rest_rate", "find_rate", "boon_rate", "curse_rate"], 0) | {rate: 100}
    shares = board.shares(board.EVENTS, rates)
    assert [event for event, share in shares.items() if share] == [rate.removesuffix("_rate")]


def test_shares_that_come_to_more_than_100_are_refused() -> None:
    with pytest.raises(Invalid, match="must add up to at most 100, not 145"):
        journey(encounter_rate=70, rest_rate=47)
    with pytest.raises(Invalid, match="reward_plus_one, reward_plus_two must add up to at most 100, not 101"):
        journey(reward_plus_two=41)


# Encounters by rank (11, 12, 34)


@pytest.mark.parametrize("id", list(sheets.players()))
def test_the_creature_is_of_the_rank_of_the_players_equipment(id: str) -> None:
    rank = sheets.enlist(id).rank
    trip = journey((1, 1), ENCOUNTER, USUAL, 0, players=[id])
    story = answers(trip, "roll")
    assert f"It is a rank {rank} encounter." in story
    assert "This is a dangerous encounter." not in story
    assert trip.fight is not None
    assert trip.fight.sheets[1].rank == rank


@pytest.mark.parametrize("id", ["player", "knight", "paladin"])
def test_a_dangerous_creature_is_one_rank_higher_and_announced(id: str) -> None:
    rank = sheets.enlist(id).rank + 1
    story = answers(journey((1, 1), ENCOUNTER, DANGEROUS, 0, players=[id]), "roll")
    assert f"It is a rank {rank} encounter." in story
    assert "This is a dangerous encounter." in story


def test_the_document_announces_its_fast_slime() -> None:
    assert answers(journey(*meets("fast-slime", DANGEROUS)), "roll")[1:5] == [
        "Ann encounters a fast slime. It has 4 Health, 0 Attack, 0 Defense and 2 † physical damage.",
        "A fast slime has first-strike.",
        "It is a rank 2 encounter.",
        "This is a dangerous encounter.",
    ]


def test_danger_by_option() -> None:
    never = answers(journey((1, 1), ENCOUNTER, d100(100), 0, danger_rate=0), "roll")
    always = answers(journey((1, 1), ENCOUNTER, d100(1), 0, danger_rate=100), "roll")
    assert "This is a dangerous encounter." not in never
    assert "This is a dangerous encounter." in always


def test_ranks_without_creatures_fall_back_to_the_nearest() -> None:
    # With divisor 1 a paladin has rank 18; the highest creatures are of rank 7, and no longer dangerous.
    trip = journey((1, 1), ENCOUNTER, DANGEROUS, 0, players=["paladin"], rank_divisor=1)
    story = answers(trip, "roll")
    assert "It is a rank 7 encounter." in story
    assert "This is a dangerous encounter." not in story


def test_of_two_equally_near_ranks_the_lower() -> None:
    assert {curse.rank for curse in of_rank(curses().values(), 3)} == {2}


def test_the_encounter_has_the_players_effective_statistics_and_health() -> None:
    spec = "player:name=Ann:health=7:equipment=steel-sword+chain-shirt:boons=keen-eye:curses=thin-blood"
    trip = journey((1, 1), ENCOUNTER, USUAL, 0, players=[spec])
    answers(trip, "roll")
    assert trip.fight is not None
    sheet = trip.fight.sheets[0]
    assert (sheet.health, sheet.max_health, sheet.attack, sheet.defense) == (7, 10, 2, 1)
    assert sheet.damage == (3, 0, 0, 0, 0, 0)


def test_the_encounter_runs_by_the_options_of_the_journey() -> None:
    trip = journey(*meets("fire-slime"), (3, 3, 3), (3, 3, 3), armor_base=9)
    assert "Ann's attack hits (roll: 3, 3, 3; needs 9)." in answers(trip, "roll", "attack")


# Victory (10, 14)

WON = (*meets("fire-slime"), HIT, MISS, HIT, MISS)


@pytest.mark.parametrize(("share", "gained"), [("none", 0), ("half", 6), ("full", 8)])
def test_a_victory_heals(share: str, gained: int) -> None:
    spec = "player:name=Ann:max_health=11:health=3"
    trip = journey(*WON, SAME, CONSUMABLE, 0, players=[spec], victory_heal=share)
    answers(trip, "roll", "attack", "attack")
    assert ann(trip).health == 3 + gained
    finish(trip)


@pytest.mark.parametrize(
    ("roll", "rank"), [(SAME, 1), (ONE_MORE, 2), (d100(80), 2), (TWO_MORE, 3), (d100(1), 1), (d100(100), 3)]
)
def test_the_rank_of_the_reward(roll: tuple[int, int], rank: int) -> None:
    trip = journey(*WON, roll, EQUIPMENT, 0)
    assert f"Ann gains a rank {rank} item: " in " ".join(answers(trip, "roll", "attack", "attack"))


RANKS = range(1, 8)


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_has_rewards_of_every_kind(rank: int) -> None:
    for slot in sheets.SLOTS:
        assert len([item for item in items().values() if (item.rank, item.slot) == (rank, slot)]) >= 2
    assert len([boon for boon in boons().values() if boon.rank == rank]) >= 3
    assert [one for one in consumables().values() if one.rank == rank]


@pytest.mark.parametrize("id", list(creatures()))
def test_a_reward_is_never_of_a_lower_rank_than_the_creature(id: str) -> None:
    rank = creatures()[id].rank
    for worth, plus in ((SAME, 0), (ONE_MORE, 1), (TWO_MORE, 2)):
        for kind, cls in ((EQUIPMENT, Item), (A_BOON, Boon), (CONSUMABLE, Consumable)):
            for worn in ((), tuple(sheets.players()["champion"].equipment)):
                reward = fate(worth, kind, 0).reward(rank, {item.id for item in worn}, worn)
                assert (type(reward), reward.rank) == (cls, min(7, rank + plus))


@pytest.mark.parametrize(
    ("roll", "kind"),
    [(1, "equipment"), (80, "equipment"), (81, "boon"), (95, "boon"), (96, "draught"), (100, "draught")],
)
def test_the_kind_of_the_reward(roll: int, kind: str) -> None:
    trip = journey(*WON, SAME, d100(roll), 0)
    answers(trip, "roll", "attack", "attack")
    assert trip.question is not None
    got = {
        "equipment": trip.question.kind == "wear",
        "boon": bool(ann(trip).player.boons),
        "draught": bool(ann(trip).pack),
    }
    assert [name for name, there in got.items() if there] == [kind]
    finish(trip)


@pytest.mark.parametrize("rank", RANKS)
def test_equipment_as_a_reward_is_for_a_slot_with_something_lower(rank: int) -> None:
    by_slot = {item.slot: item for item in items().values() if item.rank == rank}
    for lower in sheets.SLOTS:
        worn = [item for slot, item in by_slot.items() if slot != lower]
        owned = {item.id for item in worn}
        new = [item for item in items().values() if item.rank == rank and item.slot == lower]
        last = fate(SAME, EQUIPMENT, len(new) - 1).reward(rank, owned, worn)
        assert last == new[-1]
        with pytest.raises(Invalid, match=f"1 of {len(new)} cannot show {len(new)}"):
            fate(SAME, EQUIPMENT, len(new)).reward(rank, owned, worn)


def test_equipment_as_a_reward_may_be_for_any_slot_by_option() -> None:
    worn = [items()["walking-stick"], items()["quilted-cloak"]]
    known = [item for item in items().values() if item.rank == 1]
    owned = {item.id for item in worn}
    fresh = [item for item in known if item.id not in owned]
    drawn = {fate(SAME, EQUIPMENT, n, reward_slot="any").reward(1, owned, worn).slot for n in range(len(fresh))}
    assert drawn == set(sheets.SLOTS)


# Flight, draw and death (3, 8, 32, 41)


def test_flight_brings_nothing_and_health_stays_lost() -> None:
    trip = journey(*meets("fire-slime"), HIT)
    story = answers(trip, "roll", "flee")
    assert (ann(trip).health, trip.fight, trip.round) == (8, None, 2)
    assert not [line for line in story if "gains" in line]
    finish(trip)


def test_the_round_cap_ends_an_encounter_as_fled() -> None:
    trip = journey(*meets("fire-slime"), MISS, MISS, round_cap=1)
    answers(trip, "roll", "attack")
    assert (trip.fight, ann(trip).pack, ann(trip).alive) == (None, (), True)
    finish(trip)


def test_no_reward_when_the_foe_dies_as_one_flees() -> None:
    trip = journey(*meets("fire-slime"), HIT, players=["player:name=Ann:abilities=thorns-physical 4"])
    story = answers(trip, "roll", "flee")
    assert "The fire slime dies." in story
    assert ann(trip).health == 8
    finish(trip)


DIES = (*meets("fire-slime"), MISS, HIT)


def test_death_costs_three_board_rounds_and_gives_health_back() -> None:
    spec = "player:name=Ann:health=2:equipment=short-sword:boons=giants-heart+keen-eye:curses=thin-blood+haunted"
    trip = journey(*meets("fire-slime"), MISS, HIT, players=[spec])
    story = answers(trip, "roll", "attack")
    assert "Ann is dead for 3 board rounds." in story
    assert story[-8:] == [
        "Board round 2.",
        "Ann is dead and misses this board round.",
        "Board round 3.",
        "Ann is dead and misses this board round.",
        "Board round 4.",
        "Ann is dead and misses this board round.",
        "Board round 5.",
        "Ann is back on square 7 with 10 Health.",
    ]
    player = ann(trip).player
    assert (trip.round, ann(trip).square, ann(trip).health) == (5, 7, 10)
    assert [item.id for item in player.equipment] == ["short-sword"]
    assert [(boon.id, boon.encounters) for boon in player.boons] == [("keen-eye", 2)]
    assert [(curse.id, curse.encounters) for curse in player.curses] == [("haunted", 2)]
    finish(trip)


@pytest.mark.parametrize(("rounds", "back"), [(0, 2), (1, 3), (5, 7)])
def test_how_long_death_lasts_is_an_option(rounds: int, back: int) -> None:
    trip = journey(*DIES, players=["player:name=Ann:health=1"], death_rounds=rounds)
    answers(trip, "roll", "attack")
    assert (trip.round, ann(trip).alive, ann(trip).health) == (back, True, 10)


def test_the_others_play_on_while_one_is_dead() -> None:
    bob = [(1, 1), NOTHING] * 4
    trip = journey(*DIES, *bob, players=["player:name=Ann:health=2", "player:name=Bob"])
    answers(trip, "roll", "attack", "roll", "roll", "roll", "roll")
    assert (trip.to_act, trip.round) == (["ann"], 5)


def test_a_draw_brings_the_item_but_no_healing_and_death() -> None:
    trip = journey(*meets("fire-slime"), HIT, MISS, HIT, HIT, SAME, EQUIPMENT, 0, players=["player:name=Ann:health=2"])
    story = answers(trip, "roll", "attack", "attack")
    assert story[-2:] == [
        "Ann is dead for 3 board rounds.",
        "Ann gains a rank 1 item: Walking Stick (rank 1 weapon: Health +1).",
    ]
    assert (ann(trip).health, ann(trip).alive) == (0, False)
    answers(trip, "wear")
    assert (trip.round, ann(trip).health, ann(trip).stats.health) == (5, 11, 11)
    finish(trip)


def test_a_draw_without_reward_by_option() -> None:
    dice = (*meets("fire-slime"), HIT, MISS, HIT, HIT)
    trip = journey(*dice, players=["player:name=Ann:health=2"], draw_reward=False)
    answers(trip, "roll", "attack", "attack")
    assert trip.round == 5
    finish(trip)


def test_a_boon_until_death_is_not_lost_by_the_death_it_was_won_with() -> None:
    dice = (*meets("fire-slime"), HIT, MISS, HIT, HIT, SAME, A_BOON, place(boons(), 1, "giants-heart"))
    trip = journey(*dice, players=["player:name=Ann:health=2"])
    answers(trip, "roll", "attack", "attack")
    assert [boon.id for boon in ann(trip).player.boons] == ["giants-heart"]
    assert (ann(trip).health, ann(trip).alive) == (14, True)


# Health between encounters (9, 10, 40)


def test_a_board_round_without_a_fight_restores_health_and_a_rest_twice_that() -> None:
    trip = journey((1, 1), NOTHING, (1, 1), REST, players=["player:name=Ann:max_health=10:health=3"])
    answers(trip, "roll")
    assert ann(trip).health == 4
    assert "Ann gains 2 Health and has 6 of 10." in answers(trip, "roll")


def test_a_fight_leaves_no_rest() -> None:
    trip = journey(*meets("fire-slime"), MISS, players=["player:name=Ann:max_health=10:health=3"], rest_heal=5)
    answers(trip, "roll", "flee")
    assert ann(trip).health == 3


def test_health_can_be_made_to_come_back_after_every_encounter() -> None:
    trip = journey(*meets("fire-slime"), HIT, carry_health=False)
    answers(trip, "roll", "flee")
    assert ann(trip).health == 10


# Equipment (11, 18, 37, 38)


def finds(id: str, *owned: str) -> tuple[Any, ...]:
    """The dice of a roll of 2 that leads to a find of rank 1."""
    lying = [*of_rank(items().values(), 1), *of_rank(consumables().values(), 1)]
    return (1, 1), FIND, [thing.id for thing in lying if thing.id not in owned].index(id)


def test_found_equipment_is_worn_kept_or_left() -> None:
    for answer, worn, spare in (("wear", "torch", None), ("keep", None, "torch"), ("leave", None, None)):
        trip = journey(*finds("torch"))
        answers(trip, "roll")
        assert trip.question is not None
        assert (trip.question.kind, trip.question.answers) == ("wear", ("wear", "keep", "leave"))
        answers(trip, answer)
        weapon, kept = ann(trip).worn("weapon"), ann(trip).spare("weapon")
        assert (weapon and weapon.id, kept and kept.id) == (worn, spare)
        finish(trip)


def test_what_is_replaced_becomes_the_spare_and_the_old_spare_is_left() -> None:
    dice = (*finds("torch"), *finds("wet-mop", "torch"), *finds("riddle-book", "torch", "wet-mop"))
    trip = journey(*dice)
    answers(trip, "roll", "wear", "roll", "wear")
    story = answers(trip, "roll", "wear")
    assert story[-3:-1] == ["Ann wears the Riddle Book and packs the Wet Mop.", "The Torch is left behind."]
    assert [item.id for item in (*ann(trip).player.equipment, *ann(trip).spares)] == ["riddle-book", "wet-mop"]


def test_keeping_leaves_the_old_spare_behind_and_wearing_in_an_empty_slot_does_not() -> None:
    dice = (*finds("torch"), *finds("wet-mop", "torch"), *finds("riddle-book", "wet-mop"))
    trip = journey(*dice)
    answers(trip, "roll", "keep")
    assert "The Torch is left behind." in answers(trip, "roll", "keep")
    assert "The Wet Mop is left behind." not in answers(trip, "roll", "wear")
    assert [item.id for item in (*ann(trip).player.equipment, *ann(trip).spares)] == ["riddle-book", "wet-mop"]


def test_health_rises_with_the_maximum_and_is_cut_down_to_it() -> None:
    trip = journey(*finds("rabbit-foot"), players=["player:name=Ann:max_health=10:health=4"])
    answers(trip, "roll")
    story = answers(trip, "wear")
    assert "Ann gains 1 Health and has 5 of 11." in story
    # The anklet has no Health to give: a full player in a golden heart is cut down.
    spec = "player:name=Ann:max_health=10:equipment=golden-heart"
    trip = journey((1, 1), FIND, place(items(), 1, "soft-shoes"), players=[spec])
    assert "Ann loses 4 Health and has 10 of 10." in answers(trip, "roll", "wear")


def test_changing_to_and_fro_does_not_heal() -> None:
    spec = "player:name=Ann:max_health=10:health=5:equipment=soft-shoes"
    trip = journey(*finds("rabbit-foot", "soft-shoes"), players=[spec])
    answers(trip, "roll", "wear")
    assert (ann(trip).health, ann(trip).stats.health) == (7, 11)  # one for the charm, one for a round without a fight
    for _ in range(3):
        answers(trip, "wear soft-shoes", "wear rabbit-foot")
    assert (ann(trip).health, ann(trip).stats.health) == (7, 11)


def test_a_find_is_nothing_that_one_has_unless_there_is_nothing_else() -> None:
    ids = [item.id for item in of_rank(items().values(), 1)]
    board_dice = fate(0, 0)
    assert board_dice.find(1, ids).id == "herb-tea"
    assert board_dice.find(1, [*ids, "herb-tea"]).id == ids[0]


def test_half_of_the_finds_are_of_the_next_rank() -> None:
    finds = [fate(d100(roll), 0, find_plus_one=50).find(3, ()).rank for roll in (1, 50, 51, 100)]
    assert finds == [3, 3, 4, 4]


# Consumables (30)


def with_pack(*ids: str, spec: str = "player:name=Ann") -> Journey:
    """A journey in which the first finds have been these consumables of rank 2."""
    lying = [*of_rank(items().values(), 2), *of_rank(consumables().values(), 2)]
    dice: list[Any] = []
    for id in ids:
        dice += [(1, 1), FIND, [thing.id for thing in lying].index(id)]
    trip = journey(*dice, players=[spec], rank_divisor=1, rest_heal=0)
    answers(trip, *["roll"] * len(ids))
    return trip


WORN = "player:name=Ann:max_health=10:health=3:equipment=torch+quilted-cloak"  # rank 2 by divisor 1


def test_a_draught_restores_health_once() -> None:
    trip = with_pack("honey-cordial", spec=WORN)
    assert answers(trip, "use honey cordial") == [
        "Ann uses the Honey Cordial.",
        "Ann gains 5 Health and has 8 of 10.",
    ]
    assert ann(trip).pack == ()
    assert trip.legal("ann") == ["roll"]


def test_a_draught_at_full_health_is_refused_with_its_reason() -> None:
    trip = with_pack("honey-cordial", spec=WORN.replace("health=3", "health=10"))
    with pytest.raises(Illegal, match="use honey-cordial: Health is full"):
        trip.answer("ann", "use honey-cordial")
    legal, closed = trip.legal("ann", explain=True)
    assert legal == ["roll"]
    assert Impossible("use honey-cordial", "Health is full") in closed


def test_blessed_salt_ends_the_curse_of_ones_choice() -> None:
    trip = with_pack("blessed-salt", spec=f"{WORN}:curses=thin-blood+leaden-feet")
    assert trip.legal("ann") == ["roll", "use blessed-salt on thin-blood", "use blessed-salt on leaden-feet"]
    with pytest.raises(Illegal, match="may mean"):
        trip.answer("ann", "use blessed-salt")
    story = answers(trip, "Use Blessed Salt on Thin Blood")
    assert story[:2] == ["Ann uses the Blessed Salt.", "Thin Blood ends for Ann."]
    assert [curse.id for curse in ann(trip).player.curses] == ["leaden-feet"]
    assert (ann(trip).health, ann(trip).stats.health) == (5, 10)  # ruling 18: the maximum rose by 2


def test_salt_without_a_curse_is_refused() -> None:
    trip = with_pack("blessed-salt", spec=WORN)
    with pytest.raises(Illegal, match="there is no curse to end"):
        trip.answer("ann", "use blessed-salt")


# Boons and curses (36, 39)


def test_boons_and_curses_count_encounters() -> None:
    spec = "player:name=Ann:boons=keen-eye+hare-reflex:curses=haunted"
    trip = journey(*meets("fire-slime"), MISS, *meets("fire-slime"), MISS, *meets("fire-slime"), MISS, players=[spec])
    story = answers(trip, "roll", "flee")
    assert "Hare Reflex ends for Ann." in story
    assert [(t.id, t.encounters) for t in (*ann(trip).player.boons, *ann(trip).player.curses)] == [
        ("keen-eye", 2),
        ("haunted", 2),
    ]
    answers(trip, "roll", "flee", "roll", "flee")
    assert (ann(trip).player.boons, ann(trip).player.curses) == ((), ())


def test_a_boon_won_in_an_encounter_does_not_count_it() -> None:
    trip = journey(*WON, SAME, A_BOON, place(boons(), 1, "ember-blessing"))
    answers(trip, "roll", "attack", "attack")
    assert [(boon.id, boon.encounters) for boon in ann(trip).player.boons] == [("ember-blessing", 3)]


def test_the_board_brings_boons_and_curses_up_to_the_players_rank() -> None:
    assert {boon.rank for boon in board.up_to_rank(boons().values(), 1)} == {1}
    drawn = board.Fate(Seeded(5), Journey(["player"], seed=1).options)
    assert {drawn.curse(4, ()).rank for _ in range(100)} == {1, 2, 4}
    assert {drawn.boon(2, ()).rank for _ in range(100)} == {1, 2}


def test_a_curse_that_comes_again_begins_anew() -> None:
    every = "+".join(curse.id for curse in curses().values() if curse.rank == 1)
    trip = journey(*meets("fire-slime"), MISS, (1, 1), CURSE, 0, players=[f"player:name=Ann:curses={every}"])
    answers(trip, "roll", "flee")
    first = ann(trip).player.curses[0]
    answers(trip, "roll")
    after = {curse.id: curse.encounters for curse in ann(trip).player.curses}
    assert (first.encounters, after[first.id], len(after)) == (2, 3, len(every.split("+")))


SAVED = (*meets("fire-slime"), MISS, HIT, MISS)  # struck down in the first round, away in the second


def test_the_guardian_spirit_ends_when_it_was_used() -> None:
    trip = journey(*SAVED, players=["player:name=Ann:health=1:boons=guardian-spirit"])
    story = answers(trip, "roll", "attack", "flee")
    assert "Ann should be dead, and stands up with 1 Health." in story
    assert "Guardian Spirit ends for Ann." in story
    assert ann(trip).player.boons == ()


def test_the_guardian_spirit_stays_until_it_was_used() -> None:
    trip = journey(*meets("fire-slime"), MISS, players=["player:name=Ann:boons=guardian-spirit"])
    answers(trip, "roll", "flee")
    assert [boon.id for boon in ann(trip).player.boons] == ["guardian-spirit"]


def test_equipment_with_the_same_ability_goes_before_the_guardian_spirit() -> None:
    spec = "player:name=Ann:health=1:boons=guardian-spirit:equipment=phoenix-feather"
    trip = journey((3, 4), ENCOUNTER, USUAL, place(creatures(), 2, "fast-slime"), MISS, HIT, MISS, players=[spec])
    story = answers(trip, "roll", "attack", "flee")
    assert "Ann should be dead, and stands up with 1 Health." in story
    assert [boon.id for boon in ann(trip).player.boons] == ["guardian-spirit"]


def test_leaden_feet_reach_into_the_encounter() -> None:
    for curse, needed in (("", 11), (":curses=leaden-feet", 10)):
        trip = journey(*meets("fire-slime"), MISS, players=[f"player:name=Ann{curse}"])
        assert f"The fire slime's attack misses (roll: 1, 1, 1; needs {needed})." in answers(trip, "roll", "flee")


# Who travels


@pytest.mark.parametrize("id", list(sheets.players()))
def test_a_players_own_statistics_are_told_from_what_is_worn(id: str) -> None:
    traveller = set_out([id])[0]
    sample = sheets.players()[id]
    assert (traveller.player.health, traveller.player.damage) == (sample.health, sample.damage)
    assert traveller.player.equipment == sample.equipment
    sheet = sheets.enlist(id)
    assert (traveller.stats.health, traveller.stats.attack, traveller.health) == (
        sheet.max_health,
        sheet.attack,
        sheet.health,
    )


@pytest.mark.parametrize(
    "spec",
    [
        "player:health=30:equipment=golden-heart",
        "player:max_health=20:health=3:equipment=troll-tooth",
        "squire:health=4:boons=giants-heart:curses=thin-blood",
        "player:max_health=2:equipment=troll-tooth:curses=thin-blood",
        {"base": "knight", "health": 50},
        {"kind": "player", "name": "Kim", "health": 12, "damage": {"fire": 1}, "equipment": ["torch"]},
        {"kind": "player", "name": "Kim", "max_health": 12, "health": 5, "equipment": ["rabbit-foot"]},
        {"kind": "player", "name": "Kim", "health": 9, "abilities": {"first-strike": 1}, "equipment": ["swift-anklet"]},
    ],
)
def test_every_spec_gives_the_same_fighter_as_in_a_fight(spec: Any) -> None:
    sheet = sheets.enlist(spec)
    traveller = set_out([{"sheet": spec}])[0]
    assert (traveller.stats.health, traveller.health) == (sheet.max_health, sheet.health)
    assert (traveller.stats.attack, traveller.stats.damage) == (sheet.attack, sheet.damage)
    assert traveller.stats.abilities == sheet.abilities


def test_an_own_ability_stays_when_the_item_goes() -> None:
    spec = {
        "kind": "player",
        "name": "Kim",
        "health": 9,
        "abilities": {"first-strike": 1},
        "equipment": ["swift-anklet"],
    }
    assert set_out([{"sheet": spec}])[0].player.abilities == {"first-strike": 1}


def test_names_that_are_taken_get_a_number() -> None:
    travellers = set_out(["player", "player", {"name": "Ann"}, {"name": "ann!"}, {"name": "赵"}, {"name": "钱"}])
    assert [traveller.handle for traveller in travellers] == [
        "player",
        "player-2",
        "ann",
        "ann-2",
        "traveller-5",
        "traveller-6",
    ]
    assert travellers[3].name == "ann! 2"


def test_nobody_is_taken_for_a_creature() -> None:
    trip = journey(*meets("fire-slime"), HIT, players=[{"name": "Fire Slime"}, {"name": "赵"}])
    assert trip.names == ["fire-slime-2", "traveller-2"]
    assert "Fire Slime 2 gets away." in answers(trip, "roll", "flee")


def test_every_handle_is_the_name_in_the_encounter() -> None:
    for spec in ("player", {"name": "赵"}, {"name": "Ann of Ås"}, {"name": "x" * 40}, {"name": "Player 1"}):
        trip = journey(*meets("fire-slime"), players=[spec])
        answers(trip, "roll")
        assert trip.to_act == [trip.names[0], "fire-slime"]


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ([], "a journey takes a list of 1 to 12 players, not 0"),
        ("player", "a journey takes a list of 1 to 12 players"),
        (["player"] * 13, "not 13"),
        (["fire-slime"], "fire-slime is a creature, and only players can go on a journey"),
        (["plaier"], "did you mean player"),
        ([{"plays": "wild"}], "player 1: plays: there is no choice 'wild'"),
        ([{"play": "random"}], "player 1: there is no key 'play'; did you mean plays"),
        ([{"sheet": 7}], "player 1: sheet must be an id, id:key=value, file.toml, file.toml#id or a table, not 7"),
        (
            [{"sheet": sheets.as_table(sheets.enlist("squire"))}],
            "is a finished sheet that already includes its equipment",
        ),
        (["player:attack=50"], "Player: attack must be at most 41, so that there is room"),
        (["player:max_health=999"], "Player: health must be at most 970, so that there is room"),
        ([3], "player 1 must be a table with the keys name, plays, sheet, not 3"),
    ],
)
def test_players_who_cannot_travel_get_a_sentence(players: Any, sentence: str) -> None:
    with pytest.raises(Invalid) as refused:
        Journey(players, seed=1)
    assert sentence in str(refused.value)


def test_specs_may_name_files_unless_that_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kim.toml"
    file.write_text('kind = "player"\nname = "Kim"\nhealth = 12\nequipment = ["torch"]\n', encoding="utf-8")
    assert set_out([str(file)])[0].handle == "kim"
    with pytest.raises(Invalid, match="names a file"):
        Journey([str(file)], seed=1, files=False)


def test_equipment_of_ones_own_stays_at_home(tmp_path: Path) -> None:
    file = tmp_path / "kim.toml"
    spoon = '[spoon]\nkind = "item"\nname = "Spoon"\nrank = 1\nslot = "weapon"\n'
    file.write_text(f'[kim]\nbase = "player"\nequipment = ["spoon"]\n{spoon}', encoding="utf-8")
    with pytest.raises(Invalid, match="equipment for a journey: there is no thing 'spoon'"):
        set_out([str(file)])


# Gates and the summit (44, 45)

AT_THE_GATE = ((6, 6), NOTHING)  # twelve squares on, and eight before the first gate


def to_the_gate(*results: Any, roll: tuple[int, int] = (5, 5), **options: Any) -> Journey:
    """A journey whose second roll comes to the first gate, where the fire slime stands."""
    slime = place(creatures(), 1, "fire-slime")
    trip = journey(*AT_THE_GATE, roll, slime, *results, gates=7, **options)
    answers(trip, "roll", "roll")
    return trip


def test_the_gates_stand_evenly_and_the_guardian_of_each_is_a_rank_higher() -> None:
    assert [(gate.square, gate.rank) for gate in board.gates(140, 7, 7)] == [(20 * n, n) for n in RANKS]
    assert [(gate.square, gate.rank) for gate in board.gates(100, 3, 7)] == [(34, 2), (67, 4), (100, 7)]
    assert board.gates(60, 0, 7) == ()


@pytest.mark.parametrize("roll", [(5, 5), (6, 6), (4, 4)])
def test_a_player_stops_at_a_closed_gate_and_meets_its_guardian(roll: tuple[int, int]) -> None:
    trip = to_the_gate(roll=roll)
    assert f"Ann rolls {roll[0]} and {roll[1]} and comes to the first gate, square 20." in trip.story
    assert "A fire slime guards the first gate. It has 4 Health, 0 Attack, 0 Defense and 2 ▲ fire damage." in trip.story
    assert (ann(trip).square, ann(trip).met) == (20, ("fire-slime",))
    finish(trip)


def test_the_rank_of_a_guardian_does_not_depend_on_the_player() -> None:
    trip = journey((6, 6), 0, players=["champion"], gates=7, board_squares=70)
    assert "It is a rank 1 encounter." in answers(trip, "roll")
    spec = "player:name=Ann"
    trip = journey((6, 6), 0, players=[spec], gates=1, board_squares=10)
    story = answers(trip, "roll")
    assert "It is a rank 7 encounter." in story
    assert "This is a dangerous encounter." in story


def test_a_defeated_guardian_opens_the_gate_for_good() -> None:
    trip = to_the_gate(HIT, MISS, HIT, MISS, SAME, CONSUMABLE, 0, (1, 2), NOTHING)
    told = answers(trip, "attack", "attack")
    assert "The first gate is open to Ann from now on." in told
    assert (ann(trip).gates, ann(trip).defeated) == (1, ("fire-slime",))
    answers(trip, "roll")
    assert ann(trip).square == 23
    finish(trip)


@pytest.mark.parametrize(("dice", "square"), [((1, 2, 3), 14), ((6, 6, 6), 2)])
def test_a_player_who_flees_is_driven_back_by_three_dice(dice: tuple[int, ...], square: int) -> None:
    trip = to_the_gate(MISS, dice)
    faces = ", ".join(str(face) for face in dice)
    sentence = f"The first gate stays closed, and Ann is driven back to square {square} (roll: {faces})."
    assert sentence in answers(trip, "flee")
    assert (ann(trip).square, ann(trip).gates, ann(trip).health) == (square, 0, 10)
    finish(trip)


def test_nobody_is_driven_back_behind_an_open_gate() -> None:
    slime = place(creatures(), 2, "fast-slime")
    won = (HIT, MISS, HIT, MISS, SAME, CONSUMABLE, 0)
    trip = to_the_gate(*won, (6, 6), NOTHING, (4, 4), slime, MISS, (6, 6, 6), setback_dice=3, board_squares=140)
    answers(trip, "attack", "attack", "roll", "roll")
    assert ann(trip).square == 40
    answers(trip, "flee")
    assert (ann(trip).square, ann(trip).gates) == (22, 1)
    trip = to_the_gate(*won, (6, 6), NOTHING, (4, 4), slime, MISS, (6, 6, 6, 6), setback_dice=4)
    answers(trip, "attack", "attack", "roll", "roll", "flee")
    assert ann(trip).square == 20


def test_the_dead_are_driven_back_and_a_draw_opens_the_gate() -> None:
    trip = to_the_gate(MISS, HIT, (1, 1, 1), players=["player:name=Ann:health=2"], rest_heal=0)
    assert "Ann is back on square 17 with 10 Health." in answers(trip, "attack")
    both = (HIT, MISS, HIT, HIT, SAME, CONSUMABLE, 0)
    trip = to_the_gate(*both, players=["player:name=Ann:health=2"], rest_heal=0)
    assert "Ann is back on square 20 with 10 Health." in answers(trip, "attack", "attack")
    assert ann(trip).gates == 1


def test_without_dice_for_it_nobody_is_driven_back() -> None:
    slime = place(creatures(), 1, "fire-slime")
    trip = to_the_gate(MISS, (1, 1), slime, MISS, setback_dice=0)
    assert "The first gate stays closed." in answers(trip, "flee")
    assert "A fire slime guards the first gate" in " ".join(answers(trip, "roll"))
    assert ann(trip).square == 20


SUMMIT = ((6, 6), place(creatures(), 7, "slime-emperor"))
HERO = "player:name=Ann:damage=fire 30"


def test_the_first_to_defeat_the_guardian_of_the_summit_has_won() -> None:
    trip = journey(*SUMMIT, HIT, MISS, players=[HERO], gates=1, board_squares=5)
    assert answers(trip, "roll", "attack")[-3:] == [
        "The way across the summit is open to Ann.",
        "Ann wins the journey in board round 1!",
        "Ann has defeated 1 creature on the way: 1 of rank 7.",
    ]
    assert (trip.winner, trip.question) == ("ann", None)
    finish(trip)


def test_a_player_who_dies_on_the_summit_has_to_come_back_first() -> None:
    reward = (SAME, CONSUMABLE, 0)
    players = [f"{HERO}:health=1", "player:name=Bob"]
    trip = journey(
        *SUMMIT, HIT, HIT, *reward, *[(1, 1), NOTHING] * 4, (1, 1), gates=1, board_squares=9, players=players
    )
    answers(trip, "roll", "attack")
    assert not trip.over
    answers(trip, *["roll"] * 4)
    assert (trip.to_act, ann(trip).gates) == (["ann"], 1)
    assert "Ann rolls 1 and 1 and passes the last square." in answers(trip, "roll")
    assert trip.winner == "ann"


def test_what_was_done_before_a_gate_can_be_taken_back() -> None:
    trip = to_the_gate(MISS, (1, 2, 3))
    before = everything(trip)
    answers(trip, "flee")
    trip.undo()
    trip.undo()
    assert everything(trip) == before


def test_the_status_shows_the_gates_that_are_closed() -> None:
    trip = to_the_gate(HIT, MISS, HIT, MISS, SAME, CONSUMABLE, 0)
    assert trip.status().splitlines()[1].count("#") == 7
    answers(trip, "attack", "attack")
    assert trip.status().splitlines()[1].count("#") == 6
    assert "#" not in Journey(["player"], seed=1, options=BARE).status()


def test_a_winner_of_the_usual_journey_has_met_every_rank() -> None:
    for seed in range(3):
        trip = Journey([{"name": "Ann", "plays": "cautious"}, {"name": "Bob", "plays": "always-attack"}], seed=seed)
        trip.advance()
        assert trip.winner is not None
        winner = trip.traveller(trip.winner)
        assert {creatures()[id].rank for id in winner.defeated} == set(RANKS)
        assert set(winner.defeated) <= set(winner.met)
        check(trip)


# Answers


def test_every_decision_has_a_number_and_late_answers_are_refused() -> None:
    trip = journey(*meets("fire-slime"), MISS, MISS)
    assert trip.decision == 1
    trip.answer("ann", "roll", 1)
    assert (trip.decision, trip.to_act) == (2, ["ann", "fire-slime"])
    trip.answer("ann", "attack", 2)
    assert (trip.decision, trip.to_act) == (2, ["fire-slime"])
    for who, decision, sentence in (
        ("ann", 1, "decision 1 is not open; decision 2 is"),
        ("ann", 2, "ann has answered decision 2 already"),
        ("bob", None, "there is no player 'bob'"),
    ):
        with pytest.raises(Illegal, match=sentence):
            trip.answer(who, "attack", decision)
    trip.answer("fire-slime", "attack", 2)
    assert [(a.decision, a.who, a.answer) for a in trip.answers] == [
        (1, "ann", "roll"),
        (2, "ann", "attack"),
        (2, "fire-slime", "attack"),
    ]
    assert trip.answers[2].fell == (MISS, MISS)


def test_whoever_is_not_due_is_told_so() -> None:
    trip = journey(players=["player:name=Ann", "player:name=Bob"])
    with pytest.raises(Illegal, match="bob has no decision to make now"):
        trip.answer("bob", "roll")
    over = journey((6, 6), board_squares=1)
    answers(over, "roll")
    with pytest.raises(Illegal, match="the journey is over: Ann has won"):
        over.answer("ann", "roll")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no answer was given"),
        ("   ", "no answer was given"),
        ("rol", None),
        ("R", None),
        ("fly", "there is no answer 'fly'; there are: roll"),
        ("use herb-tea", "there is no answer 'use herb-tea'"),
        ("wear torch", "wear torch: worn already"),
        ("attack", "there is no answer 'attack'"),
    ],
)
def test_what_can_be_typed_before_moving(text: str, sentence: str | None) -> None:
    trip = journey((1, 1), NOTHING, players=["player:name=Ann:equipment=torch"])
    if sentence is None:
        answers(trip, text)
        assert trip.answers[0].answer == "roll"
        return
    before = as_table(trip)
    with pytest.raises(Illegal) as refused:
        trip.answer("ann", text)
    assert sentence in str(refused.value)
    assert as_table(trip) == before


def test_the_name_of_the_story_will_do_for_an_answer() -> None:
    trip = journey((1, 1), NOTHING)
    trip.answer("Ann", "roll")
    assert trip.answers[0].who == "ann"


def test_dice_that_are_not_given_leave_the_decision_open() -> None:
    given: list[tuple[int, ...]] = [(3, 4)]

    def ask(throw: Throw) -> Sequence[int]:
        if not given:
            raise KeyboardInterrupt
        return given.pop(0)

    trip = Journey(["player:name=Ann"], dice=Hand(ask))
    before = trip.view("ann")
    with pytest.raises(KeyboardInterrupt):
        trip.answer("ann", "roll")
    assert trip.view("ann") == before
    assert (trip.dice.fallen, trip.answers) == ([], [])
    assert trip.throwing == "the event"
    given += [(3, 4), NOTHING]
    trip.answer("ann", "roll")
    assert ann(trip).square == 7


def test_an_interrupted_reward_takes_the_last_blow_back_too() -> None:
    trip = journey(*WON)  # and no dice for the reward
    answers(trip, "roll", "attack")
    trip.answer("ann", "attack")
    before = as_table(trip)
    with pytest.raises(Invalid, match="the script of results has ended"):
        trip.advance()
    assert as_table(trip) == before
    assert trip.fight is not None
    assert trip.to_act == ["fire-slime"]


def test_every_line_can_say_why() -> None:
    for seed in range(20):
        trip = computers(seed)
        trip.advance()
        assert [line.text for line in trip.lines if not trip.why(line)] == []
    assert [ruling.id for ruling in trip.why(0)] == ["journey"]
    with pytest.raises(Illegal, match="the line must be 0 to"):
        trip.why(len(trip.lines))


# Undo


def computers(seed: int, squares: int = 40, **options: object) -> Journey:
    players = [{"name": "Ann", "plays": "cautious"}, {"name": "Bob", "plays": "random", "sheet": "squire"}]
    return Journey(players, seed=seed, options={"board_squares": squares, "encounter_rate": 40} | BARE | options)


def everything(trip: Journey) -> tuple[Any, ...]:
    fight = trip.fight
    seen = fight.view() if fight else None
    return as_table(trip), trip.lines.copy(), trip.travellers, seen, trip.dice.position, trip.whim.position


def test_undo_takes_back_every_answer_one_by_one() -> None:
    trip = computers(11)
    persons = Journey(trip.setup(), seed=11, options=trip.options)
    stages = []
    trip.advance()
    for answer in trip.answers:
        stages.append(everything(persons))
        persons.answer(answer.who, answer.answer, answer.decision)
    assert persons.over
    while persons.answers:
        persons.undo()
        assert everything(persons) == stages.pop()
    with pytest.raises(Illegal, match="there is nothing to undo"):
        persons.undo()


def test_whoever_is_taken_back_thinks_the_same_again() -> None:
    trip = computers(12)
    trip.advance()
    end = everything(trip)
    trip.undo(to=len(trip.answers) // 3)
    trip.advance()
    assert everything(trip) == end


def test_undo_to_a_decision_that_is_not_there() -> None:
    trip = computers(12)
    trip.advance()
    with pytest.raises(Illegal, match="the decision must be 1 to"):
        trip.undo(to=10_000)


# Files


def person(trip: Journey) -> None:
    """A player who answers any which way, but always the same to the same decision."""
    assert trip.question is not None
    legal = trip.question.answers
    trip.answer(trip.question.who, legal[trip.decision % len(legal)])


def to_the_end(trip: Journey) -> None:
    trip.advance()
    while not trip.over:
        person(trip)
        trip.advance()


@pytest.mark.parametrize("dice", [Seeded(31, 5), Fair(bytes(range(32)))], ids=["seeded", "fair"])
def test_a_loaded_journey_goes_on_as_if_it_had_never_stopped(dice: Physical, tmp_path: Path) -> None:
    players: list[Any] = [
        {"name": "Ann", "plays": "cautious"},
        {"plays": "random", "sheet": "squire"},
        "player:name=Cleo",
    ]
    options = {"board_squares": 40, "encounter_rate": 45, **BARE}
    trip = Journey(players, dice=dice, options=options, whim=Seeded(7, 0, WHIM))
    to_the_end(trip)
    end = everything(trip)
    kinds: set[str] = set()
    while trip.answers:  # stop before each answer, from the last to the first
        trip.undo()
        assert trip.question is not None
        kinds.add(trip.question.kind)
        trip.save(tmp_path / "journey.json")
        loaded = Journey.load(tmp_path / "journey.json")
        assert everything(loaded) == everything(trip)
        to_the_end(loaded)
        assert everything(loaded) == end
    assert kinds == {"turn", "fight", "wear"}
    assert trip.decision == 1


def test_a_loaded_journey_can_be_taken_back(tmp_path: Path) -> None:
    trip = computers(8)
    trip.advance()
    trip.save(tmp_path / "j")
    loaded = Journey.load(tmp_path / "j")
    while trip.answers:
        loaded.undo()
        trip.undo()
        assert everything(loaded) == everything(trip)


def test_dice_thrown_by_hand_are_kept_and_thrown_on(tmp_path: Path) -> None:
    throws: list[Throw] = []

    def hand(seed: int) -> Any:
        source = Seeded(seed)

        def ask(throw: Throw) -> Sequence[int]:
            throws.append(throw)
            return source.throw(throw)

        return ask

    file = tmp_path / "j"
    trip = Journey([{"name": "Ann", "plays": "always-attack"}, "player:name=Bob"], dice=Hand(hand(1)), options=BARE)
    for seed in (2, 3, 4):  # saved and loaded more than once
        for _ in range(6):
            trip.advance()
            if trip.question is not None:
                trip.answer(trip.question.who, trip.question.answers[0])
        trip.save(file)
        before, asked = everything(trip), len(throws)
        trip = Journey.load(file, hand(seed))
        assert everything(trip)[:4] == before[:4]
        assert len(throws) == asked
    trip.undo()
    trip.undo()
    trip.advance(instead="cautious")  # whatever falls now, nothing of what was taken back stands in its way
    assert trip.over
    nobody = Journey.load(file)
    with pytest.raises(Illegal, match="no player to ask for the dice"):
        nobody.advance(instead="cautious")


def test_a_journey_of_the_first_version_is_loaded_and_goes_on(tmp_path: Path) -> None:
    path = Path(__file__).with_name("version-1.json")
    trip = Journey.load(path)
    stored = json.loads(path.read_text(encoding="utf-8"))["answers"]
    assert [[list(result) for result in answer.fell] for answer in trip.answers] == [entry["fell"] for entry in stored]
    trip.save(tmp_path / "j")
    assert everything(Journey.load(tmp_path / "j")) == everything(trip)
    assert as_table(trip)["answers"][0]["fell"] == [["2d6", 4, 5], ["d100", 4, 0], ["d100", 0, 2], ["1 of 7", 3]]
    to_the_end(trip)
    assert trip.over


def test_a_journey_of_the_second_version_keeps_to_the_first_edition(tmp_path: Path) -> None:
    trip = Journey.load(Path(__file__).with_name("version-2.json"))
    assert (trip.options["edition"], trip.options["gates"], trip.options["board_squares"]) == (1, 0, 60)
    assert "gains a boon" in trip.story
    trip.save(tmp_path / "j")
    assert everything(Journey.load(tmp_path / "j")) == everything(trip)
    known = trip._course.fate
    sizes = [len(things) for things in (known.creatures, known.items, known.boons, known.curses, known.consumables)]
    assert sizes == [41, 83, 10, 8, 7], "or the dice of older logs would mean something else"
    to_the_end(trip)
    assert trip.over


def written(tmp_path: Path, seed: int = 3) -> tuple[Path, dict[str, Any]]:
    trip = computers(seed)
    trip.advance()
    file = tmp_path / "journey.json"
    trip.save(file)
    table: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return file, table


def resealed(file: Path, table: dict[str, Any]) -> None:
    file.write_text(json.dumps(table | {"seal": seal(table)}), encoding="utf-8")


def refused(file: Path) -> str:
    with pytest.raises(Invalid) as caught:
        Journey.load(file)
    assert str(file) in str(caught.value)
    return str(caught.value)


def test_damaged_foreign_and_newer_files_get_a_sentence(tmp_path: Path) -> None:
    file, table = written(tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: len(text) // 2], encoding="utf-8")
    assert "damaged" in refused(file)
    file.write_text(text.replace('"ann"', '"amn"', 1), encoding="utf-8")
    assert "its seal does not match" in refused(file)
    resealed(file, table | {"format": "affray-fight"})
    assert "is not an affray-journey file" in refused(file)
    resealed(file, table | {"version": 4})
    assert "written by a newer Affray" in refused(file)
    assert "cannot be read" in refused(tmp_path / "nowhere.json")


def test_a_log_that_the_rules_do_not_give_is_refused(tmp_path: Path) -> None:
    file, table = written(tmp_path)
    entries = table["answers"]
    rolled = next(i for i, entry in enumerate(entries) if entry["fell"])
    changes: list[tuple[dict[str, Any], str]] = [
        ({"winner": "nobody"}, "the winner is written as 'nobody'"),
        ({"answers": [entries[0] | {"answer": "fly"}, *entries[1:]]}, "there is no answer 'fly'"),
        ({"answers": [entries[0] | {"answer": "r"}, *entries[1:]]}, "the answer to decision 1 is written as 'r'"),
        ({"answers": [entries[0] | {"who": "bob"}, *entries[1:]]}, "bob has no decision to make now"),
        ({"answers": [entries[0] | {"decision": 3}, *entries[1:]]}, "decision 3 is not open"),
        ({"answers": entries[1:]}, ""),
        ({"players": []}, "1 to 12 players"),
        ({"players": table["players"][:1]}, ""),
        ({"options": {"board_squares": 0}}, "option board_squares must be 1 to 1000, not 0"),
        ({"system": "chess"}, "the system is written as 'chess'"),
        ({"dice": {"source": "stars"}}, "'stars' is not a source of dice"),
        ({"whim": {"seed": 1, "number": 0, "position": -1}}, "a position must be a whole number, 0 or more"),
        ({"answers": 3}, "a part is missing or of the wrong kind"),
        ({"answers": [{}]}, "a part is missing or of the wrong kind"),
        ({"players": [{"sheet": "mine.toml"}]}, "names a file"),
    ]
    fell = [["2d6", 1, 1], *entries[rolled]["fell"][1:]]
    changes.append(({"answers": [*entries[:rolled], entries[rolled] | {"fell": fell}]}, "what fell for decision"))
    for change, sentence in changes:
        resealed(file, table | change)
        assert sentence in refused(file), change


def test_a_journey_writes_itself_as_python() -> None:
    trip = computers(6)
    trip.advance()
    again = eval(repr(trip), {"Journey": Journey, "Seeded": Seeded})
    assert again.story == trip.story


# What a viewer sees


def test_a_choice_in_an_encounter_is_secret_until_both_are_in() -> None:
    trip = journey(*meets("fire-slime"), MISS, MISS, players=["player:name=Ann", "player:name=Bob"])
    trip.answer("ann", "roll")
    before = {who: trip.view(who) for who in ("ann", "bob", None)}
    trip.answer("fire-slime", "attack")
    assert {who: trip.view(who) for who in ("ann", "bob", None)} == before
    trip.undo()
    trip.answer("ann", "defend")
    assert (trip.view("bob"), trip.view()) == (before["bob"], before[None])
    assert trip.view("ann")["fight"]["answered"] == "defend"
    assert trip.view("ann")["legal"] == []


def test_a_view_is_plain_and_holds_no_secret() -> None:
    secret = bytes(range(32))
    trip = Journey([{"name": "Ann", "plays": "cautious"}, "player:name=Bob"], dice=Fair(secret))
    trip.advance()
    seen = json.dumps(trip.view("bob"))
    assert secret.hex() not in seen
    assert trip.view()["commitment"] == Fair(secret).commitment
    assert str(trip.whim.seed) not in seen


def test_the_status_fits_80_columns() -> None:
    players = [{"name": "A name as long as it may be, 40 letters.", "sheet": "paladin"}, "stormcaller"]
    every = ":".join(("boons=" + "+".join(boons()), "curses=" + "+".join(curses())))
    trip = Journey([*players, f"knight:{every}"], seed=2, options={"board_squares": 1000, "gates": 7})
    assert max(len(line) for line in trip.status().splitlines()) <= 80
    trip.advance(instead="cautious")
    assert max(len(line) for line in trip.status().splitlines()) <= 80


# Computer players


def test_computer_players_wear_what_raises_their_worth() -> None:
    traveller = set_out(["player:equipment=short-sword"])[0]
    assert computer_players.dress(traveller, items()["war-axe"]) == choices.WEAR
    assert computer_players.dress(traveller, items()["torch"]) == choices.LEAVE


@pytest.mark.parametrize("kind", ["physical", "fire", "water"])
def test_worth_grows_with_the_rank_of_plain_weapons(kind: str) -> None:
    place = TYPES.index(kind)
    plain = [i for i in items().values() if i.slot == "weapon" and not i.abilities and i.damage[place] > 0]
    worths = [computer_players.worth(item) for item in sorted(plain, key=lambda item: item.rank) if item.rank > 1]
    assert worths == sorted(worths)


def test_every_ability_has_a_worth() -> None:
    known = {name for thing in (*items().values(), *boons().values(), *curses().values()) for name in thing.abilities}
    assert {
        name
        for name in known
        if not (name in computer_players.ABILITIES or name.partition("-")[0] in computer_players.ABILITIES)
    } == set()


def test_computer_players_drink_and_end_curses() -> None:
    trip = with_pack("honey-cordial", "blessed-salt", spec=f"{WORN}:curses=haunted")
    assert computer_players.prepare(ann(trip)) == "use honey-cordial"
    answers(trip, "use honey-cordial")
    assert computer_players.prepare(ann(trip)) == "use blessed-salt on haunted"
    answers(trip, "use blessed-salt on haunted")
    assert computer_players.prepare(ann(trip)) == "roll"


def test_persons_decide_before_the_others_even_think() -> None:
    trip = journey(*meets("mud-slime"), players=["player:name=Ann"])
    trip.answer("ann", "roll")
    assert trip.advance() == []
    assert (trip.to_act, trip.whim.position) == (["ann", "mud-slime"], 0)


def test_a_tactic_can_decide_instead_of_persons() -> None:
    trip = Journey(["player", "squire"], seed=3)
    trip.advance(instead="defend-then-attack")
    assert trip.over
    with pytest.raises(Invalid, match="there is no tactic 'wild'"):
        Journey(["player"], seed=3).advance(instead="wild")


def test_a_journey_takes_a_seed_or_dice() -> None:
    with pytest.raises(Invalid, match="a seed or dice, not both"):
        Journey(["player"], seed=3, dice=Seeded(3))
    drawn = Journey([{"plays": "cautious"}])
    drawn.advance()
    assert drawn.winner == "player"


# Invariants


def check(trip: Journey) -> None:
    """What must hold between any two answers."""
    squares = int(trip.options["board_squares"])
    for traveller in trip.travellers:
        player = traveller.player
        stats = traveller.stats
        assert 0 <= traveller.health <= stats.health
        assert (traveller.health == 0) == (not traveller.alive)
        assert 0 <= traveller.square <= squares + (trip.winner == traveller.handle)
        assert len({item.slot for item in player.equipment}) == len(player.equipment)
        assert len({item.slot for item in traveller.spares}) == len(traveller.spares)
        assert len({thing.id for thing in player.boons}) == len(player.boons)
        assert all(thing.encounters > 0 for thing in (*player.boons, *player.curses) if thing.lasts == "encounters")
        assert traveller.misses is None or 0 <= traveller.misses <= int(trip.options["death_rounds"])
        recompute(traveller)
    numbers = [answer.decision for answer in trip.answers]
    assert numbers == sorted(numbers)
    assert sorted(set(numbers) | {trip.decision}) == list(range(1, trip.decision + 1))


def recompute(traveller: Traveller) -> None:
    """The statistics once more, from the data and by hand."""
    player, stats = traveller.player, traveller.stats
    data: list[Any] = [items()[item.id] for item in player.equipment]
    data += [boons()[boon.id] for boon in player.boons] + [curses()[curse.id] for curse in player.curses]
    assert stats.health == max(1, 10 + sum(thing.health for thing in data))
    assert stats.attack == sum(thing.attack for thing in data)
    assert stats.defense == sum(thing.defense for thing in data)
    for kind in range(len(TYPES)):
        own = 2 if kind == 0 else 0
        assert stats.damage[kind] == max(0, own + sum(thing.damage[kind] for thing in data))
    for name in {name for thing in data for name in thing.abilities}:
        total = sum(thing.abilities.get(name, 0) for thing in data)
        assert stats.abilities[name] == (1 if name in FLAGS else total)


OPTIONS = st.fixed_dictionaries(
    {
        "board_squares": st.integers(1, 30),
        "gates": st.integers(0, 7),
        "setback_dice": st.integers(0, 2),
        "find_plus_one": st.integers(0, 100),
        "edition": st.integers(1, 2),
        "reward_slot": st.sampled_from(["lower", "any"]),
        "encounter_rate": st.integers(0, 54),
        "danger_rate": st.integers(0, 100),
        "death_rounds": st.integers(0, 3),
        "rank_divisor": st.integers(1, 4),
        "carry_health": st.booleans(),
        "draw_reward": st.booleans(),
        "victory_heal": st.sampled_from(["none", "half", "full"]),
        "find_rate": st.integers(0, 12),
        "reward_consumable": st.integers(0, 60),
        "reward_boon": st.integers(0, 40),
        "round_cap": st.integers(1, 20),
    }
)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    options=OPTIONS,
    players=st.lists(st.sampled_from(["player", "squire", "ranger", "paladin"]), min_size=1, max_size=3),
    picks=st.lists(st.integers(0, 11), min_size=1, max_size=40),
)
def test_journeys_by_random_answers_keep_their_rules(
    seed: int, options: dict[str, Any], players: list[str], picks: list[int]
) -> None:
    trip = Journey(players, seed=seed, options=options)
    check(trip)
    for step in range(150):
        if trip.over:
            break
        who = trip.to_act[-1 if picks[step % len(picks)] % 2 else 0]
        legal = trip.legal(who)
        assert isinstance(legal, list)
        assert legal
        trip.answer(who, legal[picks[step % len(picks)] % len(legal)], trip.decision)
        check(trip)
    while trip.answers and len(trip.answers) % 17:
        trip.undo()
        check(trip)


@settings(max_examples=60, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=30),
        st.sampled_from(["use", "wear", "use x on y", "keep torch", "roll 7", "attack", "on on on", "use  on ", "1"]),
    ),
    who=st.sampled_from(["ann", "bob", "fire-slime", "nobody", ""]),
    number=st.sampled_from([None, 0, 1, 2, 3, 99]),
    stage=st.integers(0, 2),
)
def test_a_text_is_an_answer_or_changes_nothing(text: str, who: str, number: int | None, stage: int) -> None:
    dice = ((1, 1), NOTHING, *meets("fire-slime"), *[HIT] * 40)
    trip = journey(*dice, players=["player:name=Bob", "player:name=Ann"])
    for answer in ("roll", "roll")[:stage]:
        answers(trip, answer)
    before = everything(trip)
    with suppress(Refused):
        trip.answer(who, text, number)
        assert len(trip.answers) == stage + 1
        return
    assert everything(trip) == before


def test_ten_journeys_of_four_end() -> None:
    players = [{"plays": tactic} for tactic in ("policy", "cautious", "random", "always-attack")]
    for seed in range(10):
        trip = Journey(players, seed=seed, options={"board_squares": 60, "gates": 0})
        trip.advance()
        assert trip.over
        check(trip)


# The story


def test_the_story_of_a_short_journey() -> None:
    trip = Journey(
        [
            {"name": "Ann", "plays": "cautious", "sheet": "knight"},
            {"name": "Bob", "plays": "always-attack", "sheet": "paladin"},
        ],
        seed=1246,
        options={"board_squares": 24, "gates": 2, "death_rounds": 1},
    )
    trip.advance()
    assert f"{trip.story}\n\n{trip.status()}\n" == (GOLDEN / "journey.txt").read_text(encoding="utf-8")
