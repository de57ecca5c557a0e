"""The same duel in icepool: the peer for exact odds."""

from __future__ import annotations

from fractions import Fraction

import icepool


def icepool_duel(player: int, slime: int) -> tuple[Fraction, Fraction, Fraction]:
    """Win, loss and draw of a duel with 2 damage a hit, by icepool's absorbing chain."""
    hits = 3 @ icepool.d6 >= 10

    def fight_round(health):
        if 0 in health:
            return health
        return icepool.map(
            lambda mine, theirs: (max(0, health[0] - 2 * theirs), max(0, health[1] - 2 * mine)), hits, hits
        )

    ends = icepool.Die([(player, slime)]).map(fight_round, star=False, repeat="inf")
    whole = ends.denominator()
    won = sum(quantity for (mine, _), quantity in ends.items() if mine > 0)
    lost = sum(quantity for (_, theirs), quantity in ends.items() if theirs > 0)
    return Fraction(won, whole), Fraction(lost, whole), Fraction(whole - won - lost, whole)
