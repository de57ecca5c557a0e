"""The fire slime duel written by hand for this one matchup: the ceiling that the general engine is compared with.

It throws real dice out of the same kind of numbered stream, knows nothing of stances, abilities or teams, and keeps
everything in registers.
"""

from __future__ import annotations

import numba
import numpy as np

U = np.uint64


@numba.njit(inline="always")
def mix(word):
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@numba.njit(inline="always")
def three_dice(word):
    rest = word >> U(8)
    total = 3
    for _ in range(3):
        rest *= U(6)
        total += np.int64(rest >> U(56))
        rest &= U(2**56 - 1)
    return total


@numba.njit(nogil=True, error_model="numpy")
def duels(first, count, endings):
    """Fight `count` duels of 10 Health against 4, 2 damage a hit, and count wins, losses and draws."""
    for number in range(first, first + count):
        stream = mix(U(7) + mix(U(number)))
        step = mix(stream ^ U(0xD1B54A32D192ED03)) | U(1)
        player, slime = 10, 4
        while True:
            stream += step
            player_hits = three_dice(mix(stream)) >= 10
            stream += step
            slime_hits = three_dice(mix(stream)) >= 10
            if player_hits:
                slime -= 2
            if slime_hits:
                player -= 2
            if player <= 0 or slime <= 0:
                break
        endings[0 if player > 0 else (1 if slime > 0 else 2)] += 1
