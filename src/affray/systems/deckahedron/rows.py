"""How likely each row of a table is: what a move's flips may show, counted before they fall."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from affray.kernel import records
from affray.kernel.chance import PRIMITIVES, Dice, Given, Primitive, cards_of, draw
from affray.kernel.exact import Exact
from affray.system.setup import Setup
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import CARDS, FIRST_WOUND, SCORE, SCORES
from affray.systems.deckahedron.rules import Fight
from affray.systems.deckahedron.sheets import Sheet

BEST_FIRST = (4, 3, 2, 1)
ALONE = {(score,): SCORES[score] for score in BEST_FIRST}
OPPOSED = {pair: f"{SCORES[pair[0]]} v {SCORES[pair[1]]}" for pair in product(BEST_FIRST, repeat=2)}
NAMES = (*OPPOSED.values(), *ALONE.values())
"""The rows of the opposed tables, then those of the tables in which one flips alone."""

Flip = tuple[int, int, int]
"""Who flips, which stat, and with what net advantage."""

Face = tuple[int, ...]
"""All that flips see of a card: whether it is a Wound card, and the edge that each of them reads."""

Chances = dict[tuple[int, ...], Fraction]
"""How likely it is that flips show these scores."""


def rows(setup: Setup[Sheet], seen: Fight, who: int, move: int) -> dict[str, Fraction]:
    """The chance of each row of the table that a move of a fighter uses; nothing for one that uses none."""
    kind, about = move & 31, move >> 5
    stat = rules.STR if kind == rules.STRIKE else rules.DEX
    flips: list[Flip] = []
    if kind in (rules.STRIKE, rules.SHOOT) and seen.phase == rules.AMBUSH:
        flips = [(who, stat, rules.closeness(seen, who, about, stat))]
    elif kind in (rules.STRIKE, rules.SHOOT):
        flips = [
            (who, stat, rules.net_of_attack(seen, who, about, stat)),
            (about, stat, rules.advantage(seen, about, who)),
        ]
    elif kind == rules.BREATHE:
        flips = [(who, about, 0)]
    if not flips:
        return {}
    names = OPPOSED if len(flips) == 2 else ALONE
    chances = _shown(seen, flips)
    return {name: chances.get(scores, Fraction(0)) for scores, name in names.items()}


class Alike(Exact):
    """Counts cards that look the same as one, the first of them, as likely as all of them together.

    Six cards out of the Storyteller's deck may fall in millions of ways, and show few different things.
    """

    def __init__(self, faces: Sequence[Face]) -> None:
        super().__init__()
        self._faces = faces

    def weights_of(self, question: Primitive, given: Given) -> Sequence[int]:
        """Those of a known pile; in what is left of an unknown one, cards that look the same differ in their past."""
        weights = super().weights_of(question, given)
        if question is not PRIMITIVES[draw]:
            return weights
        merged = [0] * len(weights)
        first: dict[Face, int] = {}
        for card, weight in enumerate(weights):
            if weight:
                merged[first.setdefault(self._faces[card], card)] += weight
        return merged


def _faces(seen: Fight, flips: Sequence[Flip]) -> list[Face]:
    """What some flips see of every card."""
    ranks = [rules.rank_of(seen.fighters[who], stat) for who, stat, _ in flips]
    return [(card >= FIRST_WOUND, *(SCORE[4 * card + rank - 1] for rank in ranks)) for card in range(CARDS)]


def _shown(seen: Fight, flips: Sequence[Flip]) -> Chances:
    """How likely some flips show what together; flips from different decks are independent."""
    if not flips:
        return {(): Fraction(1)}
    if len(flips) == 2 and any(seen.fighters[who].has_deck for who, _, _ in flips):
        mine, theirs = (_shown(seen, [flip]) for flip in flips)
        return {one + other: mine[one] * theirs[other] for one, other in product(mine, theirs)}

    def flipped(dice: Dice) -> tuple[int, Fight]:
        fight = records.copy(seen)
        return rules.flip(fight, *flips[0], dice, None), fight

    chances: Chances = {}
    later, faces = flips[1:], _faces(seen, flips[1:])
    follow: dict[tuple[tuple[Face, ...], ...], Chances] = {}
    for (score, fight), weight, whole in Alike(_faces(seen, flips)).outcomes(flipped):
        piles = (fight.deck, fight.discard) if later else ()
        left = tuple(tuple(sorted(faces[card] for card in cards_of(pile))) for pile in piles)
        if left not in follow:
            follow[left] = _shown(fight, later)
        for scores, chance in follow[left].items():
            both = (score, *scores)
            chances[both] = chances.get(both, Fraction(0)) + chance * Fraction(weight, whole)
    return chances
