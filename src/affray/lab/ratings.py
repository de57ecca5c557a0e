"""Ratings: how strong each player is, by the Bradley-Terry model, in points of Elo with 95% intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from affray.lab.figures import Z95

POINTS = 400 / log(10)  # of Elo, for one unit of the model
PRIOR = 0.5  # fights won and lost against an average player, so that an unbeaten player has a rating
SWEEPS = 200
PRECISION = 1e-10


class Rating(NamedTuple):
    """A rating in points of Elo with its 95% interval; the mean of all players is 0."""

    value: float
    low: float
    high: float


def ratings(players: Sequence[str], scores: Mapping[tuple[str, str], tuple[float, float]]) -> dict[str, Rating]:
    """The most likely ratings, given the points that each player of a pair took from the other.

    Newton's method on the logarithm of the likelihood; its second derivatives give the intervals.
    """
    place = {name: number for number, name in enumerate(players)}
    strength = [0.0] * len(players)
    for _ in range(SWEEPS):
        slope, curve = _derivatives(strength, scores, place)
        step = _solved(curve, slope)
        strength = [own + min(1.0, max(-1.0, change)) for own, change in zip(strength, step, strict=True)]
        if max(map(abs, step)) < PRECISION:
            break
    _, curve = _derivatives(strength, scores, place)
    middle = sum(strength) / len(strength)
    found = {}
    for name, own in zip(players, strength, strict=True):
        # How far the rating may be off relative to the mean of all: what they have in common does not count.
        contrast = [float(other == name) - 1 / len(players) for other in players]
        variance = sum(part * off for part, off in zip(contrast, _solved(curve, contrast), strict=True))
        spread = Z95 * sqrt(max(0.0, variance))
        found[name] = Rating(*(POINTS * (own - middle + sign * spread) for sign in (0, -1, 1)))
    return found


def _derivatives(
    strength: Sequence[float], scores: Mapping[tuple[str, str], tuple[float, float]], place: Mapping[str, int]
) -> tuple[list[float], list[list[float]]]:
    """The slope of the logarithm of the likelihood, and its negative curvature."""
    size = len(strength)
    slope, curve = [0.0] * size, [[0.0] * size for _ in range(size)]
    for (one, other), (won, lost) in scores.items():
        i, j = place[one], place[other]
        likely = 1 / (1 + exp(strength[j] - strength[i]))
        surplus, weight = won - (won + lost) * likely, (won + lost) * likely * (1 - likely)
        slope[i] += surplus
        slope[j] -= surplus
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            curve[row][column] += sign * weight
    for i, own in enumerate(strength):
        likely = 1 / (1 + exp(-own))
        slope[i] += PRIOR - 2 * PRIOR * likely
        curve[i][i] += 2 * PRIOR * likely * (1 - likely)
    return slope, curve


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small system of linear equations, by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, len(rows)):
            factor = rows[below][at] / rows[at][at]
            rows[below] = [mine - factor * its for mine, its in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        known = sum(rows[at][column] * found[column] for column in range(at + 1, len(rows)))
        found[at] = (rows[at][-1] - known) / rows[at][at]
    return found
