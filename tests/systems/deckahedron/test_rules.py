"""The rules of the deck in the order of the document and its rulings: given piles, cards as they fall, then what is.

Ada and Bob have rank 2 in everything: cards 11, 4, 17 and 18 show them two checks, 12, 6, 13, 19 and 20 one,
2, 3, 5, 9, 15 and 16 a cross, and 1, 7, 8, 10 and 14 two crosses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.kernel.state import STANDING
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.rules import GONE, OUT, YIELDED

Scenery = Callable[..., Any]
BOW = {"ranged": "held"}


# Heroic mode


def test_heroic_a_point_is_a_card_laid_face_down(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "attack", 11, 2, "d2", down=[3, 13])
    assert scene.piles("Bob")[1:] == ([2], [3, 13])


def test_heroic_good_and_bad_cards_and_wound_cards_count_as_a_point_each(duel: Scenery) -> None:
    scene = duel()
    scene.wound("Bob")
    scene.move("Ada", "attack", 11, 2, "d3", down=[1, 11, 21])
    assert scene.lost("Bob") == 3
    assert scene.piles("Bob")[2] == [1, 11, 21]


def test_heroic_an_empty_deck_is_reshuffled_before_a_card_is_laid_down(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", discard=list(range(3, 21)))
    told = scene.move("Ada", "attack", 11, 2, "d2", down=[1, 20])
    assert "Bob shuffles the discard pile back into the deck." in told
    assert scene.piles("Bob") == ([*range(2, 20)], [], [1, 20])


def test_heroic_unknown_the_cards_are_counted_and_nothing_is_drawn(duel: Scenery) -> None:
    scene = duel(face_down="unknown")
    scene.move("Ada", "attack", 11, 2, "d3")
    assert scene["Bob"].veiled == scene.lost("Bob") == 3
    assert scene.piles("Bob")[1:] == ([2], [])
    assert rules.deck_size(scene["Bob"]) == 16


# Gritty mode


def test_gritty_cards_are_revealed_until_one_has_a_stamina_symbol(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.move("Ada", "attack", 12, 6)  # 1 for each; both have a discard pile, so both are asked
    assert scene.legal("Ada") == ["stamina", "reshuffle"]
    scene.move("Ada", "stamina", 3, 1, 15)
    assert scene.piles("Ada")[1:] == ([1, 3, 12], [15])
    scene.move("Bob", "stamina", 19)
    assert scene.piles("Bob")[1:] == ([6], [19])


def test_gritty_one_may_reshuffle_before_a_search(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.move("Ada", "attack", 12, 6)
    scene.move("Ada", "reshuffle", 3, 12)
    assert scene.piles("Ada")[1:] == ([3], [12])


def test_gritty_reshuffling_is_no_choice_without_a_discard_pile(duel: Scenery) -> None:
    scene = duel({"speed": 3}, mode="gritty")
    scene.move("Ada", "run", 2, 11)
    assert scene.piles("Ada")[1:] == ([2], [11])
    assert scene.fight.over


def test_gritty_one_must_reshuffle_when_no_symbol_is_found(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.stack("Bob", discard=[9, *range(11, 21)])
    told = scene.move("Ada", "attack", 11, 2, "d1", 9, 11)
    assert "Bob shuffles the discard pile back into the deck." in told
    assert scene.piles("Bob")[1:] == ([9], [11])
    assert 2 in scene.piles("Bob")[0], "what the search had revealed is shuffled in too"


def test_gritty_a_wound_card_met_in_a_search_does_nothing(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.wound("Bob")
    scene.move("Ada", "attack", 11, 2, "d1")
    told = scene.move("Bob", "stamina", 21, 11)
    assert scene.piles("Bob")[1:] == ([2, 21], [11])
    assert scene.lost("Bob") == 1
    assert not any("groan" in line for line in told)


def test_gritty_every_point_is_searched_for(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.move("Ada", "attack", 11, 2, "d3")
    for card in (11, 12, 13):
        assert scene.to_act == ["Bob"]
        scene.move("Bob", "stamina", card)
    assert scene.piles("Bob")[2] == [11, 12, 13]


def test_gritty_ten_points_are_ten_symbols(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.stack("Bob", exhausted=range(11, 20))
    scene.move("Ada", "attack", 11, 2, "d4")
    scene.move("Bob", "stamina", 20)
    assert scene["Bob"].state == OUT
    assert scene.piles("Bob")[2] == [*range(11, 21)]


# Incapacitation


def test_incapacitated_the_instant_the_tenth_point_is_lost(duel: Scenery) -> None:
    """Four fatigue on a fighter with two points left: the other two are not lost."""
    scene = duel()
    scene.stack("Bob", exhausted=range(13, 21))
    told = scene.move("Ada", "attack", 11, 2, "d4", down=[3, 4])
    assert scene["Bob"].state == OUT
    assert scene.lost("Bob") == 10
    assert told.count("Bob is incapacitated.") == 1
    assert scene.fight.ending == "heroes"


def test_nine_points_are_not_ten(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", exhausted=range(13, 21))
    scene.move("Ada", "attack", 12, 6)
    assert scene["Bob"].state == STANDING


def test_a_foe_of_less_stamina_falls_sooner(duel: Scenery) -> None:
    scene = duel(bob={"stamina": 4})
    scene.move("Ada", "attack", 11, 2, "d4")
    assert scene["Bob"].state == OUT
    assert scene.lost("Bob") == 4


def test_both_may_fall_at_once(duel: Scenery) -> None:
    scene = duel({"stamina": 2}, {"stamina": 2})
    scene.move("Ada", "attack", 11, 4, "d2", "d3")
    assert (scene["Ada"].state, scene["Bob"].state) == (OUT, OUT)
    assert scene.fight.ending == "draw"


# Exhaustion tokens


def test_a_token_may_be_taken_at_each_loss(duel: Scenery) -> None:
    scene = duel(bob={"tokens": 2})
    scene.move("Ada", "attack", 11, 2, "d4")
    assert scene.legal("Bob") == ["stamina", "token"]
    scene.move("Bob", "token")
    scene.move("Bob", "stamina")
    scene.move("Bob", "token")  # the slots are full: the fourth point is no choice
    assert (scene["Bob"].tokens, scene.lost("Bob")) == (2, 2)
    assert scene.to_act == ["Ada"]


def test_stamina_above_ten_is_tokens(duel: Scenery) -> None:
    scene = duel(bob={"stamina": 12})
    assert scene["Bob"].token_slots == 2
    scene.stack("Bob", exhausted=range(12, 21))
    scene.move("Ada", "attack", 11, 2, "d3")
    for _ in range(2):
        scene.move("Bob", "token")
    assert (scene["Bob"].state, scene.lost("Bob"), scene["Bob"].tokens) == (OUT, 10, 2)


def test_gritty_token_stamina_and_reshuffle_are_all_offered(duel: Scenery) -> None:
    scene = duel(bob={"tokens": 1}, mode="gritty")
    scene.move("Ada", "attack", 11, 2, "d1")
    assert scene.legal("Bob") == ["stamina", "reshuffle", "token"]


def test_a_token_does_not_make_harm_go_away(duel: Scenery) -> None:
    """Only the point that goes with Harm may be a token."""
    scene = duel(bob={"tokens": 1})
    scene.move("Ada", "attack", 12, 1)
    scene.move("Ada", "harm")
    scene.move("Bob", "token")
    assert (scene["Bob"].harm, scene["Bob"].tokens, scene.lost("Bob")) == (1, 1, 0)


# Harm and Wounds


def hurt(scene: Any, what: str) -> list[str]:
    """Ada deals Bob Harm or a Wound."""
    told = scene.move("Ada", "attack", 12 if what == "harm" else 11, 1)
    return [*told, *scene.move("Ada", what)]


def test_harm_is_a_token_and_a_point(duel: Scenery) -> None:
    scene = duel(bob={"harm": 1})
    hurt(scene, "harm")
    assert (scene["Bob"].harm, scene["Bob"].wounds, scene.lost("Bob")) == (2, 0, 1)


def test_with_two_harm_a_wound_is_taken_instead_and_the_harm_stays(duel: Scenery) -> None:
    scene = duel(bob={"harm": 2})
    hurt(scene, "harm")
    assert (scene["Bob"].harm, scene["Bob"].wounds, scene.lost("Bob")) == (2, 1, 1)
    assert scene.piles("Bob")[1] == [1, 21]


def test_a_wound_is_a_token_a_point_and_a_card_in_the_discard_pile(duel: Scenery) -> None:
    scene = duel()
    hurt(scene, "wound")
    assert (scene["Bob"].harm, scene["Bob"].wounds, scene.lost("Bob")) == (0, 1, 1)
    assert scene.piles("Bob")[1] == [1, 21]


def test_wound_cards_are_taken_in_their_order(duel: Scenery) -> None:
    scene = duel(bob={"wounds": 1, "wound_cards": [21]})
    hurt(scene, "wound")
    assert scene["Bob"].wounds == 2
    assert scene.piles("Bob")[1] == [1, 22]


@pytest.mark.parametrize(("what", "harm"), [("wound", 0), ("harm", 2)])
def test_the_third_wound_incapacitates_at_once(duel: Scenery, what: str, harm: int) -> None:
    scene = duel(bob={"wounds": 2, "wound_cards": [21, 22], "harm": harm})
    hurt(scene, what)
    assert scene["Bob"].state == OUT
    assert scene.fight.ending == "heroes"


def test_the_ranged_critical_counts_harm_among_its_points(duel: Scenery) -> None:
    scene = duel(BOW, {"harm": 2}, range="far")
    scene.move("Ada", "shoot", 11, 1, "d1")
    assert (scene["Bob"].harm, scene["Bob"].wounds, scene.lost("Bob")) == (2, 1, 1)


def test_a_wound_costs_its_point_before_its_token_and_card_come(duel: Scenery) -> None:
    """The Wound card cannot be lost or shuffled in for its own point, also where the deck is empty."""
    scene = duel()
    scene.stack("Bob", discard=range(2, 16), exhausted=range(16, 21))
    told = hurt(scene, "wound")
    order = [next(i for i, line in enumerate(told) if word in line) for word in ("shuffles", "loses", "wounded")]
    assert order == sorted(order)
    assert scene.piles("Bob")[1] == [21]
    assert not scene["Bob"].deck >> 20 & 1


def test_a_choice_of_the_point_comes_before_the_token(duel: Scenery) -> None:
    scene = duel(bob={"tokens": 1}, mode="gritty")
    hurt(scene, "wound")
    assert (scene["Bob"].wounds, scene.piles("Bob")[1]) == (0, [1])
    scene.move("Bob", "reshuffle", 20)
    assert (scene["Bob"].wounds, scene.piles("Bob")[1]) == (1, [21])


def test_who_falls_by_the_point_of_a_wound_is_wounded_all_the_same(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", exhausted=range(12, 21))
    hurt(scene, "wound")
    assert (scene["Bob"].state, scene["Bob"].wounds, scene.lost("Bob")) == (OUT, 1, 10)
    assert scene.piles("Bob")[1] == [1, 21]


# Wound cards in the deck


def test_a_wound_card_costs_a_point_after_the_attempt(duel: Scenery) -> None:
    scene = duel()
    scene.wound("Ada")
    told = scene.move("Ada", "attack", 21, 2)  # it shows a cross: a clash
    assert scene.lost("Ada") == 1
    assert scene.piles("Ada")[1] == [21], "it goes to the discard pile like any card"
    nasty, groans = (next(i for i, line in enumerate(told) if word in line) for word in ("clash", "groan"))
    assert nasty < groans


def test_a_wound_card_stops_the_flipping_and_counts(duel: Scenery) -> None:
    """Three would be flipped and the worst taken: the two checks of the third are never seen."""
    scene = duel({**BOW, "wounds": 1, "wound_cards": [21]})
    scene["Ada"].pinned = 1
    scene.move("Ada", "shoot", 12, 21, 2)  # close and pinned: -2
    assert scene.piles("Ada")[1] == [12, 21]
    assert scene.lost("Ada") == 1


def test_a_wound_card_may_be_the_best_that_shows(duel: Scenery) -> None:
    scene = duel()
    scene.wound("Ada")
    scene["Ada"].superior = 1 << 1
    scene.move("Ada", "attack", 21, 6)  # a cross against a check
    assert scene.lost("Ada") == 2
    assert scene.lost("Bob") == 0


def test_the_defender_pays_for_a_wound_card_too(duel: Scenery) -> None:
    scene = duel()
    scene.wound("Bob")
    scene.move("Ada", "attack", 11, 21, "d2")
    assert scene.lost("Bob") == 3


def test_one_may_fall_by_the_wound_card_when_all_else_is_done(duel: Scenery) -> None:
    scene = duel({"strength": 3})
    scene.wound("Ada")
    scene.stack("Ada", exhausted=range(12, 21))
    scene.move("Ada", "attack", 21, 1)  # a cross against two: Bob can do no fatigue, and Ada pays with her last point
    assert scene["Bob"].stunned
    assert scene["Ada"].state == OUT
    assert scene.fight.ending == "villains"


def test_a_wound_card_flipped_for_the_order_costs_a_point(duel: Scenery) -> None:
    scene = duel(bob={"wounds": 1, "wound_cards": [21]}, ambush="first")
    scene.move("Ada", "wait", 11, 21)
    assert scene.lost("Bob") == 1
    assert scene.to_act == ["Ada"]


def test_a_breather_gives_before_its_wound_card_is_paid(duel: Scenery) -> None:
    """Ruling 17: with one point left the regained one is lost again, and that is not the end."""
    scene = duel()
    scene.wound("Ada")
    scene.stack("Ada", exhausted=range(12, 21))
    told = scene.move("Ada", "breathe int", 21, 15, down=[3])
    assert scene["Ada"].state == STANDING
    assert scene.lost("Ada") == 9
    gains, groans = (next(i for i, line in enumerate(told) if word in line) for word in ("regains", "groan"))
    assert gains < groans


# The flip


@pytest.mark.parametrize(
    ("superior", "cards", "score"),
    [(0, [2], "✗"), (1, [2, 11], "✔✔"), (1, [11, 2], "✔✔"), (1, [1, 2], "✗")],
)
def test_an_advantage_flips_one_more_and_takes_the_best(
    duel: Scenery, superior: int, cards: list[int], score: str
) -> None:
    scene = duel()
    scene["Ada"].superior = superior << 1
    told = scene.move("Ada", "attack", *cards, 9, *(["d1"] if score == "✔✔" else []))
    (flipped,) = (line for line in told if line.startswith("Ada flips"))
    assert flipped.partition(" shows ")[2].split()[0].rstrip(".") == score
    assert scene.piles("Ada")[1] == sorted(cards)


@pytest.mark.parametrize(
    ("near", "pinned", "superior", "cards"),
    [
        ("far", 0, 0, [11]),
        ("close", 0, 0, [11, 2]),
        ("far", 1, 0, [2, 11]),
        ("close", 1, 0, [11, 4, 2]),
        ("close", 0, 1, [2]),
        ("close", 1, 1, [2, 11]),
        ("far", 0, 1, [1, 2]),
    ],
)
def test_shooting_from_close_or_pinned_takes_the_worst_and_position_balances_it(
    duel: Scenery, near: str, pinned: int, superior: int, cards: list[int]
) -> None:
    scene = duel(BOW, range=near)
    scene["Ada"].pinned, scene["Ada"].superior = pinned, superior << 1
    told = scene.move("Ada", "shoot", *cards, 9, *(["d1"] if cards == [11] else []))
    shown = "✔✔" if cards == [11] else "✗"
    (flipped,) = (line for line in told if line.startswith("Ada flips"))
    assert flipped.partition(" shows ")[2].split()[0].rstrip(".") == shown
    assert scene.piles("Ada")[1] == sorted(cards)


def test_the_defender_has_its_position_too(duel: Scenery) -> None:
    scene = duel()
    scene["Bob"].superior = 1
    scene.move("Ada", "attack", 2, 1, 9)  # a cross against the better of two
    assert scene.piles("Bob")[1] == [1, 9]


def test_a_flip_that_needs_more_cards_than_are_left_reshuffles_first(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", discard=range(2, 21))
    scene["Bob"].superior = 1
    told = scene.move("Ada", "attack", 2, 20, 9)
    assert "Bob shuffles the discard pile back into the deck." in told
    assert scene.piles("Bob")[1] == [9, 20]


def test_a_flip_takes_the_last_card_without_a_reshuffle(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", discard=range(2, 21))
    told = scene.move("Ada", "attack", 2, 1)
    assert not any("shuffles" in line for line in told)
    assert scene.piles("Bob")[0] == []


# Reshuffles


def test_a_reshuffle_is_offered_after_ones_own_action(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "attack", 2, 9)
    assert (scene.to_act, scene.legal("Ada")) == (["Ada"], ["keep", "reshuffle"])
    scene.move("Ada", "reshuffle")
    assert scene.piles("Ada")[1] == []
    assert scene.piles("Bob")[1] == [9]
    assert scene.to_act == ["Bob"]


def test_keeping_the_discard_pile_changes_nothing(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "attack", 2, 9)
    scene.move("Ada", "keep")
    assert scene.piles("Ada")[1] == [2]
    assert scene.to_act == ["Bob"]


def test_without_a_discard_pile_nothing_is_offered(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "wait")
    assert scene.to_act == ["Bob"]


@pytest.mark.parametrize(("left", "forced"), [(6, False), (5, True), (1, True)])
def test_a_turn_that_ends_with_five_cards_or_fewer_reshuffles(duel: Scenery, left: int, forced: bool) -> None:
    scene = duel()
    scene.stack("Ada", discard=range(1, 21 - left))
    told = scene.turn("Ada", "wait")
    assert ("Ada shuffles the discard pile back into the deck." in told) == forced
    assert len(scene.piles("Ada")[0]) == (20 if forced else left)


def test_a_low_deck_in_somebody_elses_turn_is_left_alone(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Bob", discard=range(1, 16))
    scene.turn("Ada", "attack", 2, 16)
    assert scene.piles("Bob")[0] == [17, 18, 19, 20]


# Breathers


def test_a_breather_brings_cards_to_the_discard_pile_at_random(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Ada", exhausted=[13, 14, 15])
    scene.move("Ada", "breathe dex", 11, "d2", 14, 13)
    assert scene.piles("Ada")[1:] == ([11, 13, 14], [15])


def test_a_breather_turns_up_any_unseen_card_where_the_pile_is_unknown(duel: Scenery) -> None:
    scene = duel({"face_down": 3, "discard": [2, 3]}, face_down="unknown")
    scene.move("Ada", "breathe dex", 11, "d2", 20, 1)
    assert scene.piles("Ada")[1:] == ([1, 2, 3, 11, 20], [])
    assert (scene["Ada"].veiled, scene.lost("Ada")) == (1, 1)


def test_a_breather_regains_no_more_than_the_pile(duel: Scenery) -> None:
    scene = duel()
    scene.stack("Ada", exhausted=[13])
    scene.move("Ada", "breathe dex", 11, "d4", 13)
    assert scene.lost("Ada") == 0


def test_in_gritty_mode_the_player_picks_the_cards(duel: Scenery) -> None:
    scene = duel(mode="gritty")
    scene.stack("Ada", exhausted=[13, 14, 15])
    scene.move("Ada", "breathe int", 11, "d2")
    assert scene.legal("Ada") == ["card 13", "card 14", "card 15"]
    scene.move("Ada", "card 15")
    assert scene.legal("Ada") == ["card 13", "card 14"]
    scene.move("Ada", "card 13")
    assert scene.piles("Ada")[1:] == ([11, 13, 15], [14])


@pytest.mark.parametrize(("floor", "left"), [(True, 2), (False, 0)])
def test_harm_and_wounds_keep_as_many_cards_in_the_pile(duel: Scenery, floor: bool, left: int) -> None:
    scene = duel({"harm": 1, "wounds": 1, "wound_cards": [21]}, breather_floor=floor)
    scene.stack("Ada", exhausted=[13, 14, 15])
    scene.move("Ada", "breathe int", 11, "d4", *range(13, 16 - left))
    assert scene.lost("Ada") == left


def test_a_pile_below_the_floor_gives_nothing(duel: Scenery) -> None:
    scene = duel({"harm": 2})
    scene.stack("Ada", exhausted=[13])
    scene.move("Ada", "breathe int", 11, "d4")
    assert scene.lost("Ada") == 1


def test_tokens_are_regained_one_by_one_and_the_player_chooses(duel: Scenery) -> None:
    scene = duel({"tokens": 2, "tokens_taken": 2})
    scene.stack("Ada", exhausted=[13, 14])
    scene.move("Ada", "breathe int", 11, "d3")
    assert scene.legal("Ada") == ["card", "token"]
    scene.move("Ada", "token")
    scene.move("Ada", "card", 14)
    scene.move("Ada", "token")
    assert (scene["Ada"].tokens, scene.piles("Ada")[2]) == (0, [13])


def test_tokens_are_not_kept_by_the_floor(duel: Scenery) -> None:
    scene = duel({"tokens": 1, "tokens_taken": 1, "harm": 1})
    scene.stack("Ada", exhausted=[13])
    scene.move("Ada", "breathe int", 11, "d2")
    assert (scene["Ada"].tokens, scene.lost("Ada")) == (0, 1)


def test_no_breather_twice_in_a_row(duel: Scenery) -> None:
    scene = duel()
    scene.turn("Ada", "breathe int", 1)
    scene.turn("Bob", "wait")
    assert "not twice in a row" in scene.refused("Ada", "breathe int")
    assert "not twice in a row" in scene.refused("Ada", "breathe dex")
    scene.turn("Ada", "wait")
    scene.turn("Bob", "wait")
    assert "breathe int" in scene.legal("Ada")


def test_a_breather_may_follow_a_breather_as_an_option(duel: Scenery) -> None:
    scene = duel(breather_repeat=True)
    scene.turn("Ada", "breathe int", 1)
    scene.turn("Bob", "wait")
    scene.turn("Ada", "breathe dex", 7)


def test_a_breather_reads_the_stat_it_is_taken_by(duel: Scenery) -> None:
    scene = duel({"intelligence": 4, "dexterity": 1})
    told = scene.move("Ada", "breathe int", 4, "d1")  # 1434: two checks to rank 4
    assert "Ada flips Int: 4:1434 shows ✔✔." in told
    scene = duel({"intelligence": 4, "dexterity": 1})
    told = scene.move("Ada", "breathe dex", 4)
    assert "Ada flips Dex: 4:1434 shows ✗✗." in told


def test_every_foe_who_can_move_gets_to_a_superior_position(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada"], villains=["Bob", "Cid", "Dan"])
    scene["Bob"].pinned, scene["Cid"].stunned = 1, 1
    scene.move("Ada", "breathe int", 1)
    assert [scene[name].superior for name in ("Bob", "Cid", "Dan")] == [0, 1, 1]
    scene = brawl({"superior_foes": "able"}, heroes=["Ada"], villains=["Bob", "Cid", "Dan"])
    scene["Bob"].pinned, scene["Cid"].stunned = 1, 1
    scene.move("Ada", "breathe int", 1)
    assert [scene[name].superior for name in ("Bob", "Cid", "Dan")] == [0, 0, 1]


# Pinned


def test_pinned_neither_moves_nor_breathes_nor_runs(duel: Scenery) -> None:
    scene = duel(BOW)
    scene["Ada"].pinned = 1
    assert set(scene.legal("Ada")) == {"attack", "shoot", "wait", "yield"}
    for move in ("fall back", "breathe int", "breathe dex", "run"):
        assert "pinned" in scene.refused("Ada", move)


def test_pinned_does_not_close_in(duel: Scenery) -> None:
    scene = duel(range="far")
    scene["Ada"].pinned = 1
    assert set(scene.legal("Ada")) == {"wait", "yield"}
    assert "pinned" in scene.refused("Ada", "close")
    assert "too far away" in scene.refused("Ada", "attack")


def test_a_pin_lasts_until_the_end_of_the_next_turn(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene.move("Ada", "shoot", 2, 1)
    assert scene["Bob"].pinned
    scene.keep("Ada")
    assert scene["Bob"].pinned
    scene.turn("Bob", "wait")
    assert not scene["Bob"].pinned


def test_pins_do_not_add_up(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Bob"].pinned = 1
    scene.turn("Ada", "shoot", 2, 1)
    scene.turn("Bob", "wait")
    assert not scene["Bob"].pinned


# The foe who can choose to move


def shot_at(scene: Any) -> None:
    """Ada shoots so that Bob can choose to move: she loses ammo, nothing else happens."""
    scene.move("Ada", "shoot", 2, 11)
    assert scene.to_act == ["Bob"]


def test_a_foe_may_change_the_range(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    shot_at(scene)
    assert scene.legal("Bob") == ["stay", "move"]
    scene.move("Bob", "move")
    assert (scene["Ada"].near, scene["Bob"].near) == (2, 1)
    assert scene.to_act == ["Ada"]


def test_a_foe_may_get_away_from_close_range(duel: Scenery) -> None:
    scene = duel(BOW)
    scene.move("Ada", "shoot", 2, 3, 11)
    scene.move("Bob", "move")
    assert (scene["Ada"].near, scene["Bob"].near) == (0, 0)


def test_a_foe_may_decline(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    shot_at(scene)
    scene.move("Bob", "stay")
    assert (scene["Ada"].near, scene["Bob"].near) == (0, 0)


def test_a_foe_who_has_fallen_is_not_asked(brawl: Scenery) -> None:
    scene = brawl({"range": "far"}, heroes={"Ada": BOW}, villains={"Bob": {"stamina": 2}, "Cid": {}})
    scene.move("Ada", "shoot Bob", 11, 4, "d2")
    assert scene["Bob"].state == OUT
    assert scene.to_act == ["Ada"]


def test_a_foe_may_shake_off_a_pin_instead(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Bob"].pinned = 1
    shot_at(scene)
    scene.move("Bob", "shake off")
    assert not scene["Bob"].pinned
    assert not scene["Bob"].near


def test_a_foe_may_cancel_a_superior_position_instead(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Ada"].superior = 2
    scene.move("Ada", "shoot", 2, 3, 11)
    assert scene.legal("Bob") == ["stay", "move", "break away"]
    scene.move("Bob", "break away")
    assert not scene["Ada"].superior
    assert not scene["Bob"].near


def test_a_foe_may_cancel_the_superior_position_of_another_than_the_attacker(brawl: Scenery) -> None:
    scene = brawl({"range": "far"}, heroes={"Ada": BOW, "Bea": {}}, villains=["Cid"])
    scene["Bea"].superior = 1 << 2
    scene.move("Ada", "shoot", 2, 11)
    assert scene.legal("Cid") == ["stay", "move", "break away"]
    scene["Ada"].superior = 1 << 2
    assert scene.legal("Cid") == ["stay", "move", "break away from Ada", "break away from Bea"]
    scene.move("Cid", "break away from Bea")
    assert (scene["Ada"].superior, scene["Bea"].superior) == (1 << 2, 0)


# A superior position


def test_a_superior_position_stays_while_nobody_moves(duel: Scenery) -> None:
    scene = duel()
    scene["Bob"].superior = 1
    scene.turn("Ada", "wait")
    scene.turn("Bob", "wait")
    scene.turn("Ada", "attack", 2, 3, 9)
    assert scene["Bob"].superior == 1


def test_it_ends_when_the_one_below_moves(brawl: Scenery) -> None:
    """Also where the range to its holder does not change."""
    scene = brawl({"range": "far"}, heroes=["Ada"], villains=["Bob", "Cid"])
    scene["Bob"].superior = scene["Cid"].superior = 1
    scene.move("Ada", "close Cid")
    assert (scene["Bob"].superior, scene["Cid"].superior) == (0, 0)


def test_it_ends_when_the_range_changes(duel: Scenery) -> None:
    scene = duel()
    scene["Ada"].superior = 2
    scene.move("Ada", "fall back")
    assert not scene["Ada"].superior


def test_it_ends_when_the_holder_is_pinned(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Bob"].superior = 1
    scene.move("Ada", "shoot", 2, 1, 7)
    assert scene["Bob"].pinned
    assert not scene["Bob"].superior


def test_it_ends_when_the_holder_is_downed(duel: Scenery) -> None:
    scene = duel()
    scene["Ada"].superior, scene["Bob"].superior = 2, 1
    scene.move("Ada", "attack", 1, 7, 8, 10)
    assert (scene["Ada"].superior, scene["Bob"].superior) == (0, 0)


def test_it_does_not_add_up(duel: Scenery) -> None:
    scene = duel()
    scene["Bob"].superior = 1
    scene.turn("Ada", "breathe int", 1)
    scene.move("Bob", "attack", 2, 3, 9)  # two cards, not three


# Range


def test_closing_in_and_falling_back_are_actions(duel: Scenery) -> None:
    scene = duel(range="far")
    assert "attack" not in scene.legal("Ada")
    scene.turn("Ada", "close")
    assert "attack" in scene.legal("Bob")
    assert "close already" in scene.refused("Bob", "close")
    scene.turn("Bob", "fall back")
    assert "attack" not in scene.legal("Ada")
    assert "far from all foes already" in scene.refused("Ada", "fall back")


def test_ranges_are_between_two(brawl: Scenery) -> None:
    scene = brawl({"range": "far"}, heroes=["Ada"], villains=["Bob", "Cid"])
    scene.turn("Ada", "close Cid")
    assert "attack" not in scene.legal("Bob")
    scene.turn("Bob", "wait")
    assert "attack" in scene.legal("Cid")


def test_falling_back_leaves_everybody(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada"], villains=["Bob", "Cid"])
    scene.move("Ada", "fall back")
    assert [scene[name].near for name in ("Ada", "Bob", "Cid")] == [0, 0, 0]


# Ammo


def test_without_ammo_there_is_no_ranged_attack(duel: Scenery) -> None:
    scene = duel({**BOW, "ammo": 1}, range="far")
    scene.turn("Ada", "shoot", 2, 6)
    assert scene["Ada"].ammo == 0
    scene.turn("Bob", "wait")
    assert "no ammo" in scene.refused("Ada", "shoot")
    scene.turn("Ada", "rearm")
    assert scene["Ada"].ammo == 1
    scene.turn("Bob", "wait")
    assert "shoot" in scene.legal("Ada")
    assert "there is no need to" in scene.refused("Ada", "rearm")


def test_ammo_starts_at_three_and_is_kept_by_a_hit(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene.move("Ada", "shoot", 11, 2, "d1")
    assert scene["Ada"].ammo == 3


def test_rearming_restores_one(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Ada"].ammo = 0
    scene.move("Ada", "rearm")
    assert scene["Ada"].ammo == 1


# Dropping


def test_a_dropped_weapon_makes_every_d4_one(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "attack", 2, 11)
    assert scene.legal("Ada") == ["take", "drop weapon"]
    scene.turn("Ada", "drop weapon")
    scene.turn("Bob", "wait")
    scene.turn("Ada", "attack", 11, 2)  # no die falls
    assert scene.lost("Bob") == 1


def test_a_dropped_weapon_strikes_back_for_one(duel: Scenery) -> None:
    scene = duel(bob={"melee": "dropped"})
    scene.move("Ada", "attack", 11, 4, "d3")
    assert (scene.lost("Ada"), scene.lost("Bob")) == (1, 3)


def test_the_melee_critical_with_a_dropped_weapon_is_one_and_one(duel: Scenery) -> None:
    scene = duel({"melee": "dropped"})
    scene.move("Ada", "attack", 11, 1)
    scene.move("Ada", "fatigue")
    assert scene.lost("Bob") == 2


def test_picking_up_is_an_action(duel: Scenery) -> None:
    scene = duel({"melee": "dropped"})
    scene.turn("Ada", "pick up weapon")
    scene.turn("Bob", "wait")
    scene.move("Ada", "attack", 11, 2, "d3")
    assert scene.lost("Bob") == 3


def test_a_dropped_bow_does_not_shoot(duel: Scenery) -> None:
    scene = duel({"ranged": "dropped"}, range="far")
    assert "no ranged weapon in hand" in scene.refused("Ada", "shoot")
    scene.turn("Ada", "pick up bow")
    scene.turn("Bob", "wait")
    assert "shoot" in scene.legal("Ada")


def test_a_dropped_bow_weakens_the_hand_too_unless_only_its_own_fatigue_counts(duel: Scenery) -> None:
    scene = duel({"ranged": "dropped"})
    scene.move("Ada", "attack", 11, 2)
    assert scene.lost("Bob") == 1
    scene = duel({"ranged": "dropped"}, dropped_weapon="own")
    scene.move("Ada", "attack", 11, 2, "d3")
    assert scene.lost("Bob") == 3


def test_a_dropped_weapon_weakens_the_bow_and_the_ambush(duel: Scenery) -> None:
    scene = duel({**BOW, "melee": "dropped"}, range="far")
    scene.move("Ada", "shoot", 11, 7)
    assert (scene.lost("Bob"), scene["Bob"].harm) == (1, 1), "also the point of the critical hit"
    scene = duel({"melee": "dropped"}, ambush="first")
    scene.move("Ada", "attack", 11, 12, 2)
    assert scene.lost("Bob") == 1


@pytest.mark.parametrize(("melee", "ranged"), [("none", "none"), ("dropped", "none"), ("dropped", "dropped")])
@pytest.mark.parametrize(("mine", "theirs"), [(2, 11), (1, 12)])
def test_with_nothing_to_drop_there_is_no_choice(
    duel: Scenery, mine: int, theirs: int, melee: str, ranged: str
) -> None:
    scene = duel({"melee": melee, "ranged": ranged})
    scene.move("Ada", "attack", mine, theirs, "d3")
    assert scene.lost("Ada") == 3


# Cannot do fatigue next turn


def test_a_stunned_foe_strikes_without_effect_in_its_next_turn(duel: Scenery) -> None:
    scene = duel()
    scene.turn("Ada", "attack", 2, 1)
    told = scene.turn("Bob", "attack", 11, 3)
    assert "Bob cannot do any fatigue yet." in told
    assert scene.lost("Ada") == 0
    scene.turn("Ada", "wait")
    scene.move("Bob", "attack", 4, 9, "d2")
    assert scene.lost("Ada") == 2, "its turn has ended, and with it the trouble"


def test_who_is_down_can_do_no_fatigue_in_the_turn_after(duel: Scenery) -> None:
    """The turn in which one is pushed over is not the next one."""
    scene = duel()
    scene.turn("Ada", "attack", 1, 2)
    scene.turn("Bob", "attack", 3, 6)  # Ada would strike back for 1
    assert scene.lost("Bob") == 0
    scene.turn("Ada", "attack", 11, 5)
    assert scene.lost("Bob") == 0
    scene.turn("Bob", "wait")
    scene.turn("Ada", "attack", 4, 9, "d2")
    assert scene.lost("Bob") == 2


def test_both_on_the_ground_are_both_kept_from_fatigue(duel: Scenery) -> None:
    scene = duel()
    scene.turn("Ada", "attack", 1, 7)
    scene.turn("Bob", "attack", 11, 4)
    assert (scene.lost("Ada"), scene.lost("Bob")) == (0, 0)
    scene.turn("Ada", "attack", 11, 12)
    assert scene.lost("Bob") == 0
    assert scene.lost("Ada") == 1, "Bob's next turn is over, Ada's is not"


@pytest.mark.parametrize(("mine", "choice"), [(12, "harm"), (11, "wound"), (11, "fatigue")])
def test_neither_harm_nor_wounds_are_dealt(duel: Scenery, mine: int, choice: str) -> None:
    scene = duel()
    scene["Ada"].stunned = 1
    scene.move("Ada", "attack", mine, 1)
    scene.move("Ada", choice)
    assert (scene["Bob"].harm, scene["Bob"].wounds, scene.lost("Bob")) == (0, 0, 0)


def test_a_stunned_shooter_can_still_pin(duel: Scenery) -> None:
    scene = duel(BOW, range="far")
    scene["Ada"].stunned = 1
    scene.move("Ada", "shoot", 12, 1)
    assert scene.lost("Bob") == 0
    assert scene["Bob"].pinned


def test_what_one_loses_by_oneself_is_not_dealt(duel: Scenery) -> None:
    """A botched shot costs a point though the foe can do no fatigue."""
    scene = duel(BOW, range="far")
    scene["Bob"].stunned = 1
    scene.move("Ada", "shoot", 1, 11)
    assert scene.lost("Ada") == 1


# Yielding and running


def test_yielding_ends_the_fight_for_oneself(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada", "Bea"], villains=["Bob"])
    scene.move("Ada", "yield")
    assert scene["Ada"].state == YIELDED
    assert scene.to_act == ["Bea"]
    scene.turn("Bea", "wait")
    assert "attack" in scene.legal("Bob"), "there is only one left to attack"
    scene.turn("Bob", "wait")
    assert scene.to_act == ["Bea"]
    scene.move("Bea", "yield")
    assert scene.fight.ending == "villains"


@pytest.mark.parametrize(("speed", "cost"), [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)])
def test_running_costs_four_less_speed(duel: Scenery, speed: int, cost: int) -> None:
    scene = duel({"speed": speed})
    scene.move("Ada", "run")
    assert (scene["Ada"].state, scene.lost("Ada")) == (GONE, cost)
    assert scene.fight.ending == "villains"


def test_speed_is_two_unless_the_sheet_says_otherwise(duel: Scenery) -> None:
    scene = duel()
    scene.move("Ada", "run")
    assert scene.lost("Ada") == 2


def test_who_falls_by_the_cost_does_not_get_away(duel: Scenery) -> None:
    scene = duel({"stamina": 2})
    told = scene.move("Ada", "run")
    assert scene["Ada"].state == OUT
    assert not any("runs away" in line for line in told)


def test_running_may_be_paid_with_tokens(duel: Scenery) -> None:
    scene = duel({"stamina": 2, "tokens": 1})
    scene.move("Ada", "run")
    assert scene["Ada"].state == STANDING
    scene.move("Ada", "token")
    assert (scene["Ada"].state, scene["Ada"].tokens, scene.lost("Ada")) == (GONE, 1, 1)


# Order, rounds, several fighters


def test_the_better_dex_flip_goes_first(duel: Scenery) -> None:
    scene = duel(ambush="first")
    scene.move("Ada", "wait", 2, 12)
    assert scene.to_act == ["Bob"]


def test_those_who_are_even_flip_again(brawl: Scenery) -> None:
    """Bob and Cid are even and flip again; Ada keeps her place before them though she has no second flip."""
    scene = brawl({"ambush": "first"}, heroes=["Ada"], villains=["Bob", "Cid"])
    scene.move("Ada", "wait", 11, 2, 3, 1, 4)
    assert [scene.fight.names[who] for who in scene.fight.state.order] == ["Ada", "Cid", "Bob"]
    assert [len(scene.piles(name)[1]) for name in ("Ada", "Bob", "Cid")] == [1, 2, 2]


def test_they_flip_until_they_are_even_no_more(duel: Scenery) -> None:
    scene = duel(ambush="first")
    scene.move("Ada", "wait", 2, 2, 3, 3, 5, 5, 9, 9, 15, 15, 16, 16, 1, 1, 7, 4)
    assert [scene.fight.names[who] for who in scene.fight.state.order] == ["Bob", "Ada"]


def test_those_who_fell_in_an_ambush_flip_for_nothing(brawl: Scenery) -> None:
    few = {"stamina": 2}
    scene = brawl({"ambush": "first"}, heroes=["Ada"], villains={"Bob": few, "Cid": few, "Dan": {}})
    scene.fight.state.fighters[2].state = OUT
    scene.move("Ada", "attack Bob", 11, "d2", 12, 2)
    assert [scene.fight.names[who] for who in scene.fight.state.order[:2]] == ["Ada", "Dan"]


def test_one_action_each_and_then_a_new_round(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada", "Bea"], villains=["Bob", "Cid"])
    for number in (1, 2, 3):
        for name in ("Ada", "Bea", "Bob", "Cid"):
            assert (scene.to_act, scene.fight.round) == ([name], number)
            scene.move(name, "wait")


def test_the_fight_is_a_draw_at_the_round_cap(duel: Scenery) -> None:
    scene = duel(round_cap=2)
    for name in ("Ada", "Bob", "Ada"):
        scene.move(name, "wait")
    assert not scene.fight.over
    scene.move("Bob", "wait")
    assert scene.fight.ending == "draw"


def test_the_incapacitated_are_neither_asked_nor_attacked(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada"], villains={"Bob": {"stamina": 2}, "Cid": {}})
    scene.turn("Ada", "attack Bob", 11, 2, "d4")
    assert scene["Bob"].state == OUT
    assert scene.to_act == ["Cid"]
    scene.turn("Cid", "wait")
    assert scene.legal("Ada")[0] == "attack"
    assert "Bob" not in " ".join(scene.legal("Ada"))


def test_the_last_team_standing_wins(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada"], villains={"Bob": {"stamina": 2}}, others=["Cid"])
    scene.turn("Ada", "attack Bob", 11, 2, "d4")
    assert not scene.fight.over
    scene.move("Cid", "yield")
    assert scene.fight.ending == "heroes"


@pytest.mark.parametrize(("gang_up", "cards"), [(False, [3]), (True, [3, 5])])
def test_the_second_attacker_has_an_advantage_as_an_option(brawl: Scenery, gang_up: bool, cards: list[int]) -> None:
    scene = brawl({"gang_up": gang_up}, heroes=["Ada", "Bea"], villains=["Bob"])
    scene.turn("Ada", "attack", 2, 2)
    scene.turn("Bea", "attack", *cards, 9)
    scene.turn("Bob", "wait")
    scene.turn("Ada", "attack", 16, 15)  # a new round: the first again


def test_ganging_up_counts_for_each_target_alone(brawl: Scenery) -> None:
    scene = brawl({"gang_up": True}, heroes=["Ada", "Bea"], villains=["Bob", "Cid"])
    scene.turn("Ada", "attack Bob", 2, 2)
    scene.turn("Bea", "attack Cid", 3, 3)


def test_the_table_is_that_of_the_attackers_weapon_and_both_flip_its_stat(duel: Scenery) -> None:
    scene = duel({**BOW, "dexterity": 1, "strength": 4}, {"dexterity": 3, "strength": 1}, range="far")
    told = scene.move("Ada", "shoot", 2, 3)
    assert "Ada flips Dex: 2:1241 shows ✗✗." in told
    assert "Bob flips Dex: 3:1232 shows ✔." in told
    scene = duel({**BOW, "dexterity": 1, "strength": 4}, {"dexterity": 3, "strength": 1})
    told = scene.move("Ada", "attack", 3, 9)
    assert "Ada flips Str: 3:1232 shows ✗." in told
    assert "Bob flips Str: 9:2212 shows ✗." in told


# Ambush


def test_each_ambusher_makes_one_attack_before_the_order(brawl: Scenery) -> None:
    scene = brawl({"ambush": "first"}, heroes=["Ada", "Bea"], villains=["Bob", "Cid"])
    assert scene.legal("Ada") == ["wait", "attack Bob", "attack Cid"]
    scene.move("Ada", "attack Bob", 11, "d2")
    assert scene.legal("Bea") == ["wait", "attack Bob", "attack Cid"]
    assert "not before the fight is on" in scene.refused("Bea", "run")
    scene.move("Bea", "attack Cid", 1, 4, 12, 2, 7)
    assert (scene.lost("Bob"), scene.lost("Cid")) == (2, 0)
    assert scene.to_act == ["Ada"]


def test_each_of_several_ambushers_attacks_the_one_foe_unopposed(brawl: Scenery) -> None:
    scene = brawl({"ambush": "first"}, heroes=["Ada", "Bea"], villains=["Bob"])
    scene.move("Ada", "attack", 1)
    assert scene["Bob"].unaware
    scene.move("Bea", "attack", 11, "d3", 11, 2, 7)
    assert scene.lost("Bob") == 3
    assert not scene["Bob"].unaware
    assert "fall back" in scene.legal("Ada"), "the fight is on"


def test_the_last_team_may_be_the_ambushers(duel: Scenery) -> None:
    scene = duel(ambush="last")
    assert scene.to_act == ["Bob"]
    scene.move("Bob", "attack", 11, "d3", 4, 12)
    assert scene.lost("Ada") == 3


def test_an_ambush_from_afar_needs_a_bow(duel: Scenery) -> None:
    scene = duel(ambush="first", range="far")
    assert scene.legal("Ada") == ["wait"]
    scene = duel(BOW, ambush="first", range="far")
    assert scene.legal("Ada") == ["wait", "shoot"]
    scene.move("Ada", "shoot", 12, "d2", 11, 12)
    assert (scene.lost("Bob"), scene["Ada"].ammo) == (2, 3)


def test_an_ambush_may_end_the_fight(duel: Scenery) -> None:
    scene = duel(bob={"stamina": 2}, ambush="first")
    scene.move("Ada", "attack", 11, "d2")
    assert scene.fight.ending == "heroes"


def test_the_ambushed_may_take_tokens(duel: Scenery) -> None:
    scene = duel(bob={"tokens": 1}, ambush="first")
    scene.move("Ada", "attack", 11, "d2")
    scene.move("Bob", "token", 4, 12)
    assert (scene["Bob"].tokens, scene.lost("Bob")) == (1, 1)


# Foes without a deck


def test_a_foe_without_a_deck_counts_points(duel: Scenery) -> None:
    scene = duel(bob={"deck": False, "stamina": 4})
    scene.move("Ada", "attack", 11, 2, "d3")
    assert scene.lost("Bob") == 3
    assert scene.piles("Bob") == ([], [], [])


@pytest.mark.parametrize(("mine", "choice", "cost"), [(12, "harm", 3), (11, "wound", 6)])
def test_harm_costs_it_three_and_a_wound_six(duel: Scenery, mine: int, choice: str, cost: int) -> None:
    scene = duel(bob={"deck": False, "stamina": 10})
    scene.move("Ada", "attack", mine, 1)
    scene.move("Ada", choice)
    assert (scene.lost("Bob"), scene["Bob"].harm, scene["Bob"].wounds) == (cost, 0, 0)


def test_it_falls_by_points_alone(duel: Scenery) -> None:
    scene = duel(bob={"deck": False, "stamina": 6})
    scene.move("Ada", "attack", 11, 1)
    scene.move("Ada", "wound")
    assert scene["Bob"].state == OUT


def test_foes_without_a_deck_share_the_storytellers(brawl: Scenery) -> None:
    plain = {"deck": False, "stamina": 6}
    scene = brawl(heroes=["Ada"], villains={"Bob": plain, "Cid": plain})
    scene.turn("Ada", "attack Bob", 2, 9)
    scene.turn("Bob", "attack", 3, 5)
    assert scene.fight.state.discard == 1 << 8 | 1 << 2


def test_the_storytellers_deck_is_reshuffled_when_it_runs_out(duel: Scenery) -> None:
    scene = duel(bob={"deck": False, "stamina": 6})
    scene.fight.state.discard = scene.fight.state.deck
    scene.fight.state.deck = 0
    scene.move("Ada", "attack", 2, 9)
    assert scene.fight.state.discard == 1 << 8


def test_it_is_not_offered_a_reshuffle(duel: Scenery) -> None:
    scene = duel(bob={"deck": False, "stamina": 6})
    scene.turn("Ada", "wait")
    scene.move("Bob", "attack", 2, 9)
    assert scene.to_act == ["Ada"]


def test_its_breather_brings_points_back(duel: Scenery) -> None:
    scene = duel({"deck": False, "stamina": 6, "face_down": 3})
    assert scene.lost("Ada") == 3
    scene.move("Ada", "breathe int", 11, "d2")
    assert scene.lost("Ada") == 1


# Armour


def test_a_harm_slot_takes_the_token_and_the_point_is_lost_all_the_same(duel: Scenery) -> None:
    scene = duel(bob={"harm_slots": 1})
    told = hurt(scene, "harm")
    assert (scene["Bob"].harm, scene["Bob"].harm_slots, scene.lost("Bob")) == (0, 0, 1)
    assert any("armour" in line.lower() for line in told)


def test_a_full_slot_takes_no_more(duel: Scenery) -> None:
    scene = duel(bob={"harm_slots": 1})
    hurt(scene, "harm")
    scene.keep("Ada")
    scene.turn("Bob", "wait")
    scene.move("Ada", "attack", 6, 7)
    scene.move("Ada", "harm")
    assert (scene["Bob"].harm, scene.lost("Bob")) == (1, 2)


def test_a_harm_slot_does_not_take_a_wound(duel: Scenery) -> None:
    scene = duel(bob={"harm_slots": 1})
    hurt(scene, "wound")
    assert (scene["Bob"].wounds, scene["Bob"].harm_slots) == (1, 1)


@pytest.mark.parametrize("what", ["harm", "wound"])
def test_a_slot_for_either_takes_either(duel: Scenery, what: str) -> None:
    scene = duel(bob={"wound_slots": 1})
    hurt(scene, what)
    bob = scene["Bob"]
    assert (bob.harm, bob.wounds, bob.wound_slots, scene.lost("Bob")) == (0, 0, 0, 1)
    assert scene.piles("Bob")[1] == [1], "no Wound, no Wound card"


def test_harm_goes_to_its_own_slots_first(duel: Scenery) -> None:
    scene = duel(bob={"harm_slots": 1, "wound_slots": 1})
    hurt(scene, "harm")
    assert (scene["Bob"].harm_slots, scene["Bob"].wound_slots) == (0, 1)


def test_armour_takes_a_third_wound(duel: Scenery) -> None:
    scene = duel(bob={"wounds": 2, "wound_cards": [21, 22], "wound_slots": 1})
    hurt(scene, "wound")
    assert scene["Bob"].state == STANDING


# A d4 by cards


def test_a_wound_card_flipped_for_pips_stops_them_and_costs_a_point(duel: Scenery) -> None:
    scene = duel(d4="cards")
    scene.wound("Ada")
    told = scene.move("Ada", "attack", 11, 2, 6, 21)  # two checks against a cross; 6 is a blank
    assert (scene.lost("Bob"), scene.lost("Ada")) == (1, 1)
    assert any("groans" in line for line in told)


def test_a_d4_may_be_read_off_ones_own_cards(duel: Scenery) -> None:
    """The dealer's cards, blanks flipped again; they are discarded like any flipped card."""
    scene = duel(d4="cards")
    scene.move("Ada", "attack", 11, 2, 1, 6, 13)  # 1 and 6 are blank, 13 has two pips
    assert scene.lost("Bob") == 2
    assert scene.piles("Ada")[1] == [1, 6, 11, 13]


def test_the_deck_is_reshuffled_when_a_d4_finds_none(duel: Scenery) -> None:
    scene = duel(d4="cards")
    scene.stack("Ada", discard=[card for card in range(1, 21) if card != 11])
    told = scene.move("Ada", "attack", 11, 2, 5)
    assert scene.lost("Bob") == 4
    assert "Ada shuffles the discard pile back into the deck." in told


def test_a_foe_without_a_deck_rolls_a_die_all_the_same(duel: Scenery) -> None:
    scene = duel({"deck": False, "stamina": 6}, d4="cards")
    scene.move("Ada", "attack", 11, 2, "d3")
    assert scene.lost("Bob") == 3


def test_a_breather_reads_cards_too(duel: Scenery) -> None:
    scene = duel(d4="cards")
    scene.stack("Ada", exhausted=[18, 19, 20])
    scene.move("Ada", "breathe int", 11, 3, 18, 19)
    assert scene.piles("Ada")[1:] == ([3, 11, 18, 19], [20])


# Options of house rules


def test_who_cannot_do_fatigue_may_strike_back_by_an_option(duel: Scenery) -> None:
    scene = duel(strike_back=True)
    scene["Bob"].stunned = 1
    scene.move("Ada", "attack", 11, 4, "d2", "d3")
    assert (scene.lost("Ada"), scene.lost("Bob")) == (3, 2)


def test_pins_and_positions_weigh_as_much_as_their_options_say(duel: Scenery) -> None:
    scene = duel(BOW, range="far", pinned_net=0)
    scene["Ada"].pinned = 1
    scene.move("Ada", "shoot", 2, 3)
    assert scene.piles("Ada")[1] == [2]
    scene = duel(superior_net=2)
    scene["Ada"].superior = 2
    scene.move("Ada", "attack", 2, 3, 5, 6)
    assert scene.piles("Ada")[1] == [2, 3, 5]


def test_the_harm_of_the_ranged_critical_may_come_on_top(duel: Scenery) -> None:
    scene = duel(BOW, range="far", critical_harm="beside")
    scene.move("Ada", "shoot", 11, 1, "d2")
    assert (scene["Bob"].harm, scene.lost("Bob")) == (1, 3)


@pytest.mark.parametrize(("cost", "speed", "lost"), [(8, 2, 6), (4, 1, 3), (0, 2, 0)])
def test_running_costs_what_the_option_says(duel: Scenery, cost: int, speed: int, lost: int) -> None:
    scene = duel({"speed": speed}, run_cost=cost)
    scene.move("Ada", "run")
    assert (scene["Ada"].state, scene.lost("Ada")) == (GONE, lost)


def test_a_low_deck_is_as_low_as_the_option_says(duel: Scenery) -> None:
    for low, reshuffled in ((5, False), (7, True)):
        scene = duel(low_deck=low)
        scene.stack("Ada", discard=range(1, 14))
        scene.turn("Ada", "wait")
        assert (scene.piles("Ada")[1] == []) == reshuffled
