"""How likely each result is: the rules enumerated, against the cards and the die enumerated by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from random import Random
from typing import Any

import pytest

from affray.kernel import records
from affray.kernel.chance import cards_of
from affray.kernel.exact import Exact
from affray.lab.exchange import exchanges
from affray.lab.odds import odds_of_moves
from affray.systems.deckahedron import rules, tables
from affray.systems.deckahedron.cards import EDGES, SCORES
from affray.systems.deckahedron.rows import NAMES
from affray.systems.deckahedron.sheets import bits

Scenery = Callable[..., Any]
Chances = dict[Any, Fraction]
NETS = (-2, -1, 0, 1, 2)
RANKS = (1, 2, 3, 4)
TOTALS = {1: (8, 4, 6, 2), 2: (5, 6, 5, 4), 3: (4, 5, 6, 5), 4: (2, 6, 4, 8)}


def outcomes(run: Callable[[Exact], object]) -> Chances:
    """How likely each value is that the rules come to."""
    chances: Counter[object] = Counter()
    for value, numerator, denominator in Exact().outcomes(run):
        chances[value] += Fraction(numerator, denominator)
    return dict(chances)


def shares(found: Iterable[object]) -> Chances:
    """The same of equally likely cases."""
    counted = Counter(found)
    return {value: Fraction(count, counted.total()) for value, count in counted.items()}


def flip_chances(fight: Any, rank: int, net: int) -> Chances:
    """What Ada's flip shows, by the rules."""

    def flipped(dice: Exact) -> int:
        state = records.copy(fight)
        state.fighters[0].strength = rank
        return int(rules.flip(state, 0, rules.STR, net, dice, None))

    return outcomes(flipped)


def shown(order: Sequence[int], rank: int, net: int) -> int:
    """What cards in their order show: up to a Wound card, the best or the worst of them. Cards are numbers from 1."""
    turned = order[: 1 + abs(net)]
    stops = [place for place, card in enumerate(turned) if card > 20]
    seen = [int(EDGES[card - 1][rank - 1]) for card in (turned[: stops[0] + 1] if stops else turned)]
    return max(seen) if net >= 0 else min(seen)


def by_hand(deck: Sequence[int], rank: int, net: int) -> Chances:
    return shares(shown(order, rank, net) for order in permutations(deck, 1 + abs(net)))


@pytest.mark.parametrize("rank", RANKS)
def test_one_card_of_a_whole_deck_shows_the_edge_totals(duel: Scenery, rank: int) -> None:
    expected = {score: Fraction(count, 20) for score, count in zip((1, 2, 3, 4), TOTALS[rank], strict=True)}
    assert flip_chances(duel().fight.state, rank, 0) == expected


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("rank", RANKS)
def test_a_flip_of_a_whole_deck(duel: Scenery, rank: int, net: int) -> None:
    assert flip_chances(duel().fight.state, rank, net) == by_hand(range(1, 21), rank, net)


@pytest.mark.parametrize("net", [1, 2])
@pytest.mark.parametrize("rank", RANKS)
def test_the_best_of_several_by_the_edge_totals(rank: int, net: int) -> None:
    """No card is at least as good only if all are worse: drawn without putting back."""
    cards = by_hand(range(1, 21), rank, net)
    for score in (2, 3, 4):
        worse, none = sum(TOTALS[rank][: score - 1]), Fraction(1)
        for drawn in range(1 + net):
            none *= Fraction(worse - drawn, 20 - drawn)
        assert sum(cards.get(better, 0) for better in range(score, 5)) == 1 - none


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("seed", range(12))
def test_a_flip_of_any_known_deck(duel: Scenery, seed: int, net: int) -> None:
    """Some cards left, Wound cards among them, the others discarded."""
    random = Random(seed)
    owned = [*range(1, 21), *range(21, 21 + random.randint(0, 2))]
    deck = random.sample(owned, random.randint(3, 8))
    scene = duel()
    scene.wound("Ada", owned[20:])
    scene.stack("Ada", discard=[card for card in owned if card not in deck])
    for rank in RANKS:
        assert flip_chances(scene.fight.state, rank, net) == by_hand(deck, rank, net)


@pytest.mark.parametrize("net", [-2, -1, 1, 2])
def test_a_flip_of_too_few_cards_is_one_of_the_reshuffled_deck(duel: Scenery, net: int) -> None:
    scene = duel()
    scene.stack("Ada", discard=[2, 3, 4, 5, 6, 7, 8], exhausted=[9, 10, 11, 12, 13, 14, 15, 16, 17])
    for left in range(1, 1 + abs(net)):
        deck, rest = [18, 19, 20][:left], [18, 19, 20][left:]
        scene.stack("Ada", discard=[1, *range(2, 9), *rest], exhausted=range(9, 18))
        assert cards_of(scene["Ada"].deck) == [card - 1 for card in deck]
        expected = by_hand([*range(1, 9), 18, 19, 20], 2, net)
        assert flip_chances(scene.fight.state, 2, net) == expected


@pytest.mark.parametrize("net", NETS)
def test_a_player_knows_the_flip_as_the_mean_over_every_hidden_pile(duel: Scenery, net: int) -> None:
    """Heroic mode: of seven unseen cards two lie face down, whichever; the view gives the chances of all cases."""
    unseen, scene = [1, 4, 6, 11, 13, 16, 21], duel()
    scene.wound("Ada")
    others = [card for card in range(1, 21) if card not in unseen]
    mean: Counter[int] = Counter()
    piles = list(combinations(unseen, 2))
    for hidden in piles:
        scene.stack("Ada", discard=others, exhausted=hidden)
        for score, chance in flip_chances(scene.fight.state, 2, net).items():
            mean[score] += chance / len(piles)
    for hidden in piles:
        scene.stack("Ada", discard=others, exhausted=hidden)
        assert flip_chances(scene.fight.setup.view(scene.fight.state, 0), 2, net) == dict(mean)


# A whole exchange

DEAL = {  # what the attacker deals and takes, unless the row leaves a choice
    (4, 4): ("d4", "d4"), (4, 3): ("d4", "1"), (4, 2): ("d4", ""), (4, 1): "choice",
    (3, 4): ("1", "d4"), (3, 3): ("1", "1"), (3, 2): ("d4", ""), (3, 1): "choice",
    (2, 4): "choice", (2, 3): ("", "1"), (2, 2): ("", ""), (2, 1): ("", ""),
    (1, 4): ("", "d4"), (1, 3): "choice", (1, 2): ("", ""), (1, 1): ("", ""),
}  # fmt: skip
D4 = {"d4": (1, 2, 3, 4), "1": (1,), "": (0,)}


def exchange(fight: Any, moves: Sequence[int]) -> Chances:
    """What both have lost after Ada's moves, by the rules; the second is her answer where a row leaves a choice."""

    def moved(dice: Exact) -> object:
        state = records.copy(fight)
        for move in moves:
            if state.phase in (rules.ACT, rules.CHOOSE) and state.due == 1:
                rules.apply(state, 0, move, dice, None)
        return tuple(rules.pile_size(fighter) for fighter in state.fighters)

    return outcomes(moved)


def weighed(cases: Iterable[tuple[object, Fraction]]) -> Chances:
    chances: Counter[object] = Counter()
    for value, chance in cases:
        chances[value] += chance
    return dict(chances)


def flips(rank: int, net: int) -> Chances:
    return by_hand(range(1, 21), rank, net)


def expected_exchange(mine: Chances, theirs: Chances, choice: Callable[[int, int], tuple[str, str, int]]) -> Chances:
    """The same by hand; `choice` says what a row with a choice deals, takes and adds."""
    cases = []
    for (one, chance), (other, likelihood) in product(mine.items(), theirs.items()):
        row = DEAL[one, other]
        deals, takes, added = choice(one, other) if row == "choice" else (*row, 0)
        faces = list(product(D4[deals], D4[takes]))
        for dealt, taken in faces:
            cases.append(((taken, dealt + added), chance * likelihood / len(faces)))
    return weighed(cases)


def fatigue_first(one: int, other: int) -> tuple[str, str, int]:
    """The first side of every choice: fatigue dealt, or taken."""
    return {(4, 1): ("d4", "", 1), (3, 1): ("d4", "", 0), (2, 4): ("", "d4", 0), (1, 3): ("", "d4", 0)}[one, other]


def other_side(one: int, other: int) -> tuple[str, str, int]:
    """The second side: a Wound or Harm, each with its point; something dropped costs nothing."""
    return {(4, 1): ("1", "", 0), (3, 1): ("1", "", 0), (2, 4): ("", "", 0), (1, 3): ("", "", 0)}[one, other]


@pytest.mark.parametrize("theirs", RANKS)
@pytest.mark.parametrize("mine", RANKS)
def test_a_melee_exchange_of_whole_decks(duel: Scenery, mine: int, theirs: int) -> None:
    """Every card of the one against every card of the other, and every fall of both dice."""
    fight = duel({"strength": mine}, {"strength": theirs}, face_down="unknown").fight.state
    strike = rules.move_code(rules.STRIKE, 1)
    expected = expected_exchange(flips(mine, 0), flips(theirs, 0), fatigue_first)
    assert exchange(fight, [strike, rules.EITHER]) == expected


@pytest.mark.parametrize(("mine", "theirs"), [(1, 4), (2, 2), (3, 1), (4, 3)])
def test_a_melee_exchange_with_the_other_side_of_its_choices(duel: Scenery, mine: int, theirs: int) -> None:
    fight = duel({"strength": mine}, {"strength": theirs}, face_down="unknown").fight.state
    strike = rules.move_code(rules.STRIKE, 1)

    def moved(dice: Exact) -> object:
        state = records.copy(fight)
        rules.apply(state, 0, strike, dice, None)
        if state.phase == rules.CHOOSE:
            dropping = state.other == tables.DROP
            rules.apply(state, 0, rules.move_code(rules.DROP_ITEM, 0) if dropping else rules.OTHER, dice, None)
        return tuple(rules.pile_size(fighter) for fighter in state.fighters)

    assert outcomes(moved) == expected_exchange(flips(mine, 0), flips(theirs, 0), other_side)


def test_a_melee_exchange_from_a_superior_position(duel: Scenery) -> None:
    scene = duel({"strength": 2}, {"strength": 3}, face_down="unknown")
    scene["Ada"].superior = 2
    strike = rules.move_code(rules.STRIKE, 1)
    expected = expected_exchange(flips(2, 1), flips(3, 0), fatigue_first)
    assert exchange(scene.fight.state, [strike, rules.EITHER]) == expected


def test_a_melee_exchange_of_two_known_decks(duel: Scenery) -> None:
    scene = duel(face_down="unknown")
    mine, theirs = [1, 4, 6, 13, 17, 18, 20], [2, 7, 8, 9, 12, 14]
    scene.stack("Ada", discard=[card for card in range(1, 21) if card not in mine])
    scene.stack("Bob", discard=[card for card in range(1, 21) if card not in theirs])
    expected = expected_exchange(by_hand(mine, 2, 0), by_hand(theirs, 2, 0), fatigue_first)
    assert exchange(scene.fight.state, [rules.move_code(rules.STRIKE, 1), rules.EITHER]) == expected


def test_a_d4_by_cards_is_as_likely_to_show_each_face(duel: Scenery) -> None:
    fight = duel(d4="cards").fight.state
    assert outcomes(lambda dice: rules.roll_d4(records.copy(fight), 0, dice, None)) == {
        face: Fraction(1, 4) for face in (1, 2, 3, 4)
    }


def test_a_gritty_search_finds_every_symbol_alike(duel: Scenery) -> None:
    """Of the cards left, whichever symbol comes first is lost: each of them as likely, whatever else is there."""
    scene = duel(mode="gritty")
    scene.stack("Ada", discard=[*range(3, 15)], exhausted=[15, 16, 17])

    def searched(dice: Exact) -> int:
        state = records.copy(scene.fight.state)
        rules.lose_gritty(state, 0, dice, None)
        return state.fighters[0].exhausted & ~bits([15, 16, 17])

    assert outcomes(searched) == {bits([card]): Fraction(1, 3) for card in (18, 19, 20)}


# The rows of a table, before the flips


def rows_of(scene: Any, move: str, who: str = "Ada") -> dict[str, Fraction]:
    """The chances that are shown with a move, from what the fighter may know."""
    (legal,) = (one for one in scene.fight.legal(who) if str(one) == move)
    setup, index = scene.fight.setup, scene.fight.index(who)
    (brings,) = exchanges(setup, scene.fight.state, index, [legal.code], compiled=False)
    return {name: Fraction(chance) for name, chance in (brings or {}).items()}


def against(mine: Chances, theirs: Chances) -> dict[str, Fraction]:
    pairs = product((4, 3, 2, 1), repeat=2)
    return {
        f"{SCORES[one]} v {SCORES[other]}": mine.get(one, Fraction(0)) * theirs.get(other, Fraction(0))
        for one, other in pairs
    }


@pytest.mark.parametrize("mode", ["heroic", "gritty"])
def test_an_attack_shows_the_chance_of_each_row(duel: Scenery, mode: str) -> None:
    scene = duel({"strength": 3}, {"strength": 1}, mode=mode)
    assert rows_of(scene, "attack") == against(flips(3, 0), flips(1, 0))
    assert sum(rows_of(scene, "attack").values()) == 1
    scene["Ada"].superior = 2
    assert rows_of(scene, "attack") == against(flips(3, 1), flips(1, 0))
    scene["Bob"].superior = 1
    assert rows_of(scene, "attack") == against(flips(3, 1), flips(1, 1))


def test_a_shot_at_close_range_from_below_shows_its_rows(duel: Scenery) -> None:
    scene = duel({"ranged": "held", "dexterity": 4})
    assert rows_of(scene, "shoot") == against(flips(4, -1), flips(2, 0))


def test_rows_are_those_of_all_piles_that_fit(duel: Scenery) -> None:
    unseen, scene = [1, 4, 6, 11, 13, 16], duel()
    scene.stack("Ada", discard=[card for card in range(1, 21) if card not in unseen], exhausted=[1, 13])
    assert rows_of(scene, "attack") == against(by_hand(unseen, 2, 0), flips(2, 0))


@pytest.mark.parametrize("mode", ["heroic", "gritty"])
def test_rows_know_of_wound_cards(duel: Scenery, mode: str) -> None:
    scene = duel(mode=mode, superior_net=2)
    scene.wound("Ada", [21, 22])
    scene["Ada"].superior = 2
    assert rows_of(scene, "attack") == against(by_hand(range(1, 23), 2, 2), flips(2, 0))


def test_a_breather_and_an_ambush_show_the_rows_of_their_tables(duel: Scenery) -> None:
    alone = {SCORES[score]: flips(2, 0)[score] for score in (4, 3, 2, 1)}
    assert rows_of(duel(), "breathe int") == alone
    assert rows_of(duel(ambush="first"), "attack") == alone
    for move in ("fall back", "run", "wait", "yield"):
        assert rows_of(duel(), move) == {}


def test_two_who_flip_the_storytellers_deck_never_show_the_same_card(duel: Scenery) -> None:
    pairs = list(permutations(range(1, 21), 2))
    shown_by = Counter((shown([mine], 2, 0), shown([theirs], 2, 0)) for mine, theirs in pairs)
    expected = {
        f"{SCORES[one]} v {SCORES[other]}": Fraction(shown_by[one, other], len(pairs))
        for one, other in product((4, 3, 2, 1), repeat=2)
    }
    assert rows_of(duel({"deck": False}, {"deck": False}), "attack") == expected


def best_or_worst(cards: Sequence[int], rank: int, net: int) -> Chances:
    """What the best or the worst of some cards shows, by how many sets of cards show no better, or no worse."""
    edges, count = [int(EDGES[card - 1][rank - 1]) for card in cards], 1 + abs(net)
    sets, before = comb(len(edges), count), 0
    chances: Chances = {}
    for score in (1, 2, 3, 4) if net >= 0 else (4, 3, 2, 1):
        within = [edge for edge in edges if (edge <= score if net >= 0 else edge >= score)]
        chances[score] = Fraction(comb(len(within), count) - before, sets)
        before = comb(len(within), count)
    return chances


def one_then_other(deck: Sequence[int], mine: tuple[int, int], theirs: tuple[int, int]) -> dict[str, Fraction]:
    """The rows where two flip one deck, each of a rank and with a net advantage; all is shuffled where it is too small.

    Every hand of the one is laid out; of the other's, out of what is left, there are formulas.
    """
    whole, wanted = range(1, 21), 1 + abs(theirs[1])
    deck = deck if len(deck) > abs(mine[1]) else whole
    rows = {f"{SCORES[one]} v {SCORES[other]}": Fraction(0) for one, other in product((4, 3, 2, 1), repeat=2)}
    for hand in combinations(deck, 1 + abs(mine[1])):
        left = [card for card in deck if card not in hand]
        for score, chance in best_or_worst(left if len(left) >= wanted else whole, *theirs).items():
            rows[f"{SCORES[shown(hand, *mine)]} v {SCORES[score]}"] += chance / comb(len(deck), 1 + abs(mine[1]))
    return rows


STORYTELLERS = {"deck": False, "ranged": "held"}


@pytest.mark.parametrize(("strength", "dexterity"), [(1, 2), (2, 2), (4, 3)])
@pytest.mark.parametrize(("above", "below"), [(1, 0), (1, 1), (0, 1)])
def test_every_attack_out_of_the_storytellers_deck_has_its_rows(
    duel: Scenery, strength: int, dexterity: int, above: int, below: int
) -> None:
    scene = duel({**STORYTELLERS, "strength": strength, "dexterity": dexterity}, STORYTELLERS, superior_net=2)
    scene["Ada"].superior, scene["Bob"].superior = 2 * above, below
    expected = {
        "attack": one_then_other(range(1, 21), (strength, 2 * above), (2, 2 * below)),
        "shoot": one_then_other(range(1, 21), (dexterity, 2 * above - 1), (2, 2 * below)),
    }
    legal = {move: rows_of(scene, move) for move in scene.legal("Ada")}
    assert {move: found for move, found in legal.items() if move in expected} == expected
    assert {move for move, found in legal.items() if found} == {*expected, "breathe int", "breathe dex"}
    for found in legal.values():
        assert sum(found.values()) in (0, 1)


@pytest.mark.parametrize("deck", [[4, 11], [1, 4, 11], [1, 4, 6, 11, 13], [2, 3, 5, 7, 11, 13, 17, 19]])
def test_the_storytellers_deck_is_shuffled_between_two_flips_where_it_is_too_small(
    duel: Scenery, deck: list[int]
) -> None:
    scene = duel({"deck": False, "strength": 3}, {"deck": False, "strength": 1}, superior_net=2)
    scene["Ada"].superior, scene["Bob"].superior = 2, 1
    scene.fight.state.deck = bits(deck)
    scene.fight.state.discard = bits([card for card in range(1, 21) if card not in deck])
    assert rows_of(scene, "attack") == one_then_other(deck, (3, 2), (1, 2))


def test_the_odds_of_a_move_have_its_rows(duel: Scenery) -> None:
    scene = duel()
    shown_odds = odds_of_moves(scene.fight.setup, scene.fight.state, "Ada", compiled=False, seconds=0.05)
    assert shown_odds["attack"].at_once == rows_of(scene, "attack")
    assert set(shown_odds["attack"].at_once) | set(shown_odds["breathe int"].at_once) == set(NAMES)
    assert shown_odds["wait"].at_once == {}
