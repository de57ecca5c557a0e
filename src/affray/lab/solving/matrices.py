"""Matrix games: what two sides who choose at the same moment should do, by the simplex method."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, NamedTuple

from affray.lab.loops import NumberT, eliminate

Basis = tuple[tuple[int, ...], tuple[int, ...]]
"""The rows and the columns, as many of each, whose equations determine the optimal mixes."""

NO_PROFIT = 1e-13  # a reduced cost below this is rounding
TINY = 1e-14  # a probability below this is rounding


class Play(NamedTuple, Generic[NumberT]):
    """What a matrix game is worth to the rows' side, and how both sides mix."""

    value: NumberT
    rows: tuple[NumberT, ...]
    columns: tuple[NumberT, ...]


def basis_of(matrix: Sequence[Sequence[float]]) -> Basis:
    """The basis of an optimal pair of mixes; the rows' side maximises."""
    pure = _saddle(matrix)
    return pure if pure is not None else _simplex(matrix)


def _saddle(matrix: Sequence[Sequence[float]]) -> Basis | None:
    """The row and the column of a saddle point, if there is one: then no side needs to mix."""
    if len(matrix) == 1:
        row = matrix[0]
        return (0,), (row.index(min(row)),)
    lows = [min(row) for row in matrix]
    best = max(lows)
    i = lows.index(best)
    for j, value in enumerate(matrix[i]):
        if value == best and all(row[j] <= best for row in matrix):
            return (i,), (j,)
    return None


def _simplex(matrix: Sequence[Sequence[float]]) -> Basis:
    """Maximise the sum of q with A q <= 1, where A is the matrix raised above 0; what bounds q are the rows' mix."""
    height, width = len(matrix), len(matrix[0])
    lift = 1.0 - min(min(row) for row in matrix)
    table = [[*(entry + lift for entry in row), *(float(i == k) for k in range(height)), 1.0]
             for i, row in enumerate(matrix)]  # fmt: skip
    costs = [-1.0] * width + [0.0] * (height + 1)
    basic = list(range(width, width + height))
    for step in range(50 * (height + width)):
        # The steepest column is quick; the first one (Bland) never goes round in circles.
        enters = min(range(width + height), key=costs.__getitem__)
        if costs[enters] >= -NO_PROFIT:
            break
        if step > 10 * (height + width):
            enters = next(k for k in range(width + height) if costs[k] < -NO_PROFIT)
        leaves = min(
            (i for i in range(height) if table[i][enters] > NO_PROFIT),
            key=lambda i: (table[i][-1] / table[i][enters], basic[i]),
        )
        pivot = table[leaves][enters]
        table[leaves] = own = [entry / pivot for entry in table[leaves]]
        for row in (*table[:leaves], *table[leaves + 1 :], costs):
            if factor := row[enters]:
                row[:] = [a - factor * b for a, b in zip(row, own, strict=True)]
        basic[leaves] = enters
    slack = {k - width for k in basic if k >= width}
    return tuple(i for i in range(height) if i not in slack), tuple(sorted(k for k in basic if k < width))


def play_of(matrix: Sequence[Sequence[NumberT]], basis: Basis) -> Play[NumberT]:
    """The mixes that a basis determines, and their value; ZeroDivisionError where it determines none."""
    rows, columns = basis
    if len(rows) == 1:
        sure = matrix[0][0] * 0 + 1
        mine, theirs = _spread([sure], rows, len(matrix)), _spread([sure], columns, len(matrix[0]))
        return Play(matrix[rows[0]][columns[0]], mine, theirs)
    kernel = [[matrix[i][j] for j in columns] for i in rows]
    theirs_inside, value = _indifferent(kernel)
    mine_inside, _ = _indifferent([list(column) for column in zip(*kernel, strict=True)])
    return Play(value, _spread(mine_inside, rows, len(matrix)), _spread(theirs_inside, columns, len(matrix[0])))


def _indifferent(kernel: Sequence[Sequence[NumberT]]) -> tuple[list[NumberT], NumberT]:
    """The mix of columns that makes every row worth the same, and that worth."""
    none = kernel[0][0] * 0
    one = none + 1
    equations: list[list[NumberT]] = []
    for line in kernel:
        equations.append(list(line))
        equations[-1].append(-one)
    equations.append([one] * len(kernel) + [none])
    found = eliminate(equations, [none] * len(kernel) + [one])
    return found[:-1], found[-1]


def _spread(inside: Sequence[NumberT], places: Sequence[int], length: int) -> tuple[NumberT, ...]:
    """The mix over all moves; what rounding has made of a chance of 0 becomes 0 again."""
    none = inside[0] * 0
    mix = [none] * length
    for place, chance in zip(places, inside, strict=True):
        if isinstance(chance, Fraction) or chance > TINY:
            mix[place] = chance
    whole = sum(mix, none)
    return tuple(chance / whole for chance in mix)
