"""How likely each row of a table is: what a move's flips may show, counted before they fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from affray.kernel import records
from affray.kernel.chance import Dice
from affray.kernel.exact import Exact, TooMuchChance
from affray.system.setup import Setup
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import SCORES
from affray.systems.deckahedron.rules import Fight
from affray.systems.deckahedron.sheets import Sheet

BEST_FIRST = (4, 3, 2, 1)
ALONE = {(score,): SCORES[score] for score in BEST_FIRST}
OPPOSED = {pair: f"{SCORES[pair[0]]} v {SCORES[pair[1]]}" for pair in product(BEST_FIRST, repeat=2)}
NAMES = (*OPPOSED.values(), *ALONE.values())
"""The rows of the opposed tables, then those of the tables in which one flips alone."""

MOST_OUTCOMES = 10_000
"""Ways in which cards may fall that are still counted: six out of the Storyteller's deck have millions."""

Flip = tuple[int, int, int]
"""Who flips, which stat, and with what net advantage."""


def rows(setup: Setup[Sheet], seen: Fight, who: int, move: int) -> dict[str, Fraction]:
    """The chance of each row of the table that a move of a fighter uses; nothing for one that uses none.

    Nothing either where the cards may fall in too many ways to count them.
    """
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
    try:
        chances = _shown(seen, flips)
    except TooMuchChance:
        return {}
    return {name: chances.get(scores, Fraction(0)) for scores, name in names.items()}


def _shown(seen: Fight, flips: list[Flip]) -> dict[tuple[int, ...], Fraction]:
    """How likely some flips show what together; those from decks of their own have nothing to do with each other."""
    if len(flips) == 2 and any(seen.fighters[who].has_deck for who, _, _ in flips):
        mine, theirs = (_shown(seen, [flip]) for flip in flips)
        return {one + other: mine[one] * theirs[other] for one, other in product(mine, theirs)}

    def flipped(dice: Dice) -> tuple[int, ...]:
        fight = records.copy(seen)
        return tuple(rules.flip(fight, who, stat, net, dice, None) for who, stat, net in flips)

    chances: dict[tuple[int, ...], Fraction] = {}
    for scores, weight, whole in Exact().outcomes(flipped, MOST_OUTCOMES):
        chances[scores] = chances.get(scores, Fraction(0)) + Fraction(weight, whole)
    return chances
